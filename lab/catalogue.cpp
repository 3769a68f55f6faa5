#include "lab/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace warpfold::lab {
namespace {

// Function-local, so that it exists before the first static registration asks for it.
std::array<std::vector<kernel_entry>, 3>& registered() {
    static std::array<std::vector<kernel_entry>, 3> kernels;
    return kernels;
}

std::vector<kernel_entry>& registered(flavour compiled) {
    return registered().at(static_cast<std::size_t>(compiled));
}

/// "E10a" → ("E", 10, "a"); an id without a number comes after those with one.
std::tuple<std::string, std::uint64_t, std::string> parts(std::string const& id) {
    auto const is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    auto const digits = std::find_if(id.begin(), id.end(), is_digit);
    auto const rest = std::find_if_not(digits, id.end(), is_digit);
    if (digits == id.end()) return {id.substr(0, 1), std::numeric_limits<std::uint64_t>::max(), id};
    return {{id.begin(), digits}, std::stoull(std::string(digits, rest)), {rest, id.end()}};
}

bool before(kernel_entry const& a, kernel_entry const& b) {
    return std::tuple(a.study, parts(a.id)) < std::tuple(b.study, parts(b.id));
}

}  // namespace

registration::registration(flavour compiled, std::vector<kernel_entry> kernels) {
    auto& all = registered(compiled);
    for (kernel_entry& kernel : kernels) {
        auto const place = std::lower_bound(all.begin(), all.end(), kernel, before);
        if (place != all.end() && place->id == kernel.id) throw std::logic_error("two kernels are called " + kernel.id);
        all.insert(place, std::move(kernel));
    }
}

std::vector<kernel_entry> const& catalogue(flavour compiled) {
    return registered(compiled);
}

kernel_entry const& find(flavour compiled, std::string const& id) {
    auto const& all = registered(compiled);
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& kernel) { return kernel.id == id; });
    if (found == all.end())
        throw std::invalid_argument("no kernel is called " + id + "; `warpfold lab list` shows all");
    return *found;
}

std::vector<kernel_entry> select(flavour compiled, std::string const& text) {
    std::vector<kernel_entry> chosen;
    for (kernel_entry const& kernel : registered(compiled)) {
        if (text == "all" || text == kernel.study || text == kernel.id) chosen.push_back(kernel);
    }
    if (chosen.empty()) {
        throw std::invalid_argument("no kernel or study is called " + text + "; `warpfold lab list` shows all");
    }
    return chosen;
}

}  // namespace warpfold::lab
