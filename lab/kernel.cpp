#include "lab/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warpfold::lab {

std::uint64_t launch_rule::blocks(std::uint64_t n, unsigned threads) const {
    std::uint64_t const items_a_block = items_a_thread * threads;
    std::uint64_t const covering = std::max<std::uint64_t>(1, n / items_a_block + (n % items_a_block != 0));
    return most_blocks == 0 ? covering : std::min(covering, most_blocks);
}

std::string name(item_type type) {
    switch (type) {
        case item_type::f32:
            return "f32";
        case item_type::i32:
            return "i32";
        case item_type::u8:
            return "u8";
    }
    return {};
}

std::uint64_t size_of(item_type type) {
    return type == item_type::u8 ? 1 : 4;
}

std::string name(operation op) {
    switch (op) {
        case operation::sum:
            return "sum";
        case operation::product:
            return "product";
        case operation::maximum:
            return "max";
        case operation::minimum:
            return "min";
        case operation::mean:
            return "mean";
        case operation::argmax:
            return "argmax";
        case operation::histogram:
            return "histogram";
    }
    return {};
}

std::string name(need needs) {
    switch (needs) {
        case need::executor:
            return "executor";
        case need::host:
            return "host";
        case need::gpu:
            return "GPU";
    }
    return {};
}

item_type parse_item_type(std::string const& text) {
    for (item_type const type : {item_type::f32, item_type::i32, item_type::u8}) {
        if (text == name(type)) return type;
    }
    throw std::invalid_argument("type " + text + " is not one of f32, i32, u8");
}

std::vector<item_type> types(runners const& run) {
    std::vector<item_type> found;
    if (run.f32 != nullptr) found.push_back(item_type::f32);
    if (run.i32 != nullptr) found.push_back(item_type::i32);
    if (run.u8 != nullptr) found.push_back(item_type::u8);
    return found;
}

std::string type_list(runners const& run, std::string const& separator) {
    std::vector<std::string> names;
    for (item_type const type : types(run)) names.push_back(name(type));
    return fmt::format("{}", fmt::join(names, separator));
}

}  // namespace warpfold::lab
