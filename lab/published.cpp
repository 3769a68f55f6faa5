#include "lab/published.hpp"

#include <sstream>
#include <stdexcept>
#include <utility>

#include "lab/data.hpp"

namespace warpfold::lab {
namespace {

/// The fields of every line of `csv` but comments and the heading.
std::vector<std::vector<std::string>> rows(std::string_view csv) {
    std::vector<std::vector<std::string>> found;
    std::istringstream lines{std::string(csv)};
    bool heading = true;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') continue;
        if (std::exchange(heading, false)) continue;
        std::istringstream fields(line);
        auto& row = found.emplace_back();
        for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    }
    return found;
}

}  // namespace

std::vector<figure> const& published() {
    static std::vector<figure> const figures = [] {
        std::vector<figure> all;
        for (auto const& row : rows(data::published)) {
            std::uint64_t const n = row.at(4) == "large" ? 0 : std::stoull(row.at(4));
            std::string const& value = row.at(6);
            std::size_t const dash = value.find('-');
            double const least = std::stod(value.substr(0, dash));
            double const greatest = dash == std::string::npos ? least : std::stod(value.substr(dash + 1));
            all.push_back({row[0], row[1], row[2], row[3], n, row[5], least, greatest});
        }
        return all;
    }();
    return figures;
}

figure const& published(std::string const& study, std::string const& kernel, std::string const& type,
                        std::string const& metric, std::optional<std::uint64_t> n) {
    figure const* found = nullptr;
    for (figure const& one : published()) {
        if (one.study != study || one.kernel != kernel || one.type != type || one.metric != metric) continue;
        if (n ? one.n == *n : found == nullptr || one.n > found->n) found = &one;
    }
    if (found == nullptr) throw std::out_of_range("no published " + metric + " of " + study + " " + kernel);
    return *found;
}

std::vector<hardware_counter> parse_counters(std::string_view csv) {
    std::vector<hardware_counter> all;
    for (auto const& row : rows(csv)) all.push_back({row.at(0), row.at(1), row.at(2), std::stod(row.at(3))});
    return all;
}

std::vector<hazard_count> parse_hazards(std::string_view csv) {
    std::vector<hazard_count> all;
    for (auto const& row : rows(csv)) all.push_back({row.at(0), row.at(1) == "as published", std::stoi(row.at(2))});
    return all;
}

}  // namespace warpfold::lab
