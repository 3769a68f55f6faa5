#include "lab/studies.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace warpfold::lab {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// 2^first, 2^(first + step), …, 2^last.
std::vector<std::uint64_t> powers(unsigned first, unsigned last, unsigned step) {
    std::vector<std::uint64_t> all;
    for (unsigned i = first; i <= last; i += step) all.push_back(std::uint64_t{1} << i);
    return all;
}

trial_plan as_published(std::string const& id, std::string const& over = "", std::vector<float> items = {}) {
    return {.name = id + " as published" + over, .id = id, .as_published = true, .items = std::move(items)};
}

std::vector<float> negative_items(std::size_t n) {
    std::vector<float> items(n);
    for (std::size_t i = 0; i < n; ++i) items[i] = -1 - static_cast<float>((i * 37) % n) / 1024;
    return items;
}

/// Zeros but for the ones at `places`.
std::vector<float> ones_at(std::initializer_list<std::size_t> places) {
    std::vector<float> items(32);
    for (std::size_t const place : places) items[place] = 1;
    return items;
}

study_plan study_a() {
    std::vector<std::string> const ids{"A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A-torch"};
    std::vector<std::uint64_t> const sizes = powers(16, 25, 1);
    return {"A",
            {{"float32 sums", item_type::f32, ids, sizes, sizes.back(), true},
             {"int32 sums", item_type::i32, ids, sizes, sizes.back(), true}},
            {},
            {as_published("A5"), as_published("A6"), as_published("A7")}};
}

study_plan study_b() {
    return {"B",
            {{"float32",
              item_type::f32,
              {"B8", "B1", "B2", "B3", "B4", "B5", "B6", "B7"},
              {100000, 500000, 1000000, 5000000, 10000000, 50000000},
              50000000,
              true}},
            {}};
}

study_plan study_c() {
    std::uint64_t const own = std::uint64_t{1} << 24;
    return {"C",
            {{"float32 sums",
              item_type::f32,
              {"C1", "C1b", "C2", "C3", "C4", "C5", "C5b", "C6", "C7", "C7t", "C8", "C9"},
              powers(16, 28, 2),
              own,
              true}},
            {{"Threads a block",
              item_type::f32,
              {"C1", "C2", "C5", "C6", "C8", "C9"},
              own,
              sweep::block,
              powers(5, 10, 1)}},
            {as_published("C4"),
             as_published("C5"),
             as_published("C8"),
             {.name = "C2 in blocks of 96", .id = "C2", .block = 96},
             {.name = "C5 in blocks of 96", .id = "C5", .block = 96},
             // 1000 items are 4 blocks of 256, of which 24 threads have none.
             {.name = "B3 over negative items", .id = "B3", .items = negative_items(1000)},
             {.name = "B3 where threads without an item bring 0",
              .id = "B3",
              .items = negative_items(1000),
              .behind = std::vector<float>(24)}}};
}

study_plan study_d() {
    std::vector<std::uint64_t> const sizes = powers(14, 28, 1);
    return {"D",
            {{"int32 sums",
              item_type::i32,
              {"D1", "D2", "D4", "D1a", "D2a", "D4a", "D1w", "D2w", "D4w"},
              sizes,
              sizes.back(),
              false}},
            {}};
}

study_plan study_e() {
    std::vector<std::uint64_t> const sizes = powers(16, 28, 2);
    std::uint64_t const own = std::uint64_t{1} << 26;
    return {"E",
            {{"float32 sums",
              item_type::f32,
              {"E0", "E1", "E2", "E3", "E4", "E5", "E6", "E6a", "E9", "E11", "E12", "E-cub"},
              sizes,
              own,
              true},
             {"float32 maximum and argmax", item_type::f32, {"E7", "E8", "E10"}, sizes, own, true},
             {"histograms of bytes", item_type::u8, {"H1", "H2", "H3", "H-cub"}, sizes, sizes.back(), true}},
            {{"Blocks of the grid", item_type::f32, {"E6", "E6a"}, sizes.back(), sweep::grid, powers(7, 19, 1)}},
            {as_published("E4"),
             as_published("E8"),
             as_published("E10"),
             as_published("E8", ", equals at 0 and 16", ones_at({0, 16})),
             as_published("E8", ", equals at 1 and 16", ones_at({1, 16})),
             as_published("E8", ", a NaN before 1", {nan, 1}),
             as_published("E8", ", NaN alone", {nan})}};
}

}  // namespace

std::vector<study_plan> const& study_plans() {
    static std::vector<study_plan> const all{study_a(), study_b(), study_c(), study_d(), study_e()};
    return all;
}

study_plan const& plan_of(std::string const& study) {
    auto const& all = study_plans();
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& plan) { return plan.study == study; });
    if (found == all.end()) throw std::invalid_argument("study " + study + " is not one of A, B, C, D, E");
    return *found;
}

trial_plan const& trial_of(std::string const& name) {
    for (study_plan const& plan : study_plans()) {
        for (trial_plan const& one : plan.trials) {
            if (one.name == name) return one;
        }
    }
    throw std::invalid_argument("no trial is called " + name);
}

}  // namespace warpfold::lab
