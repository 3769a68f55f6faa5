#include "lab/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "lab/data.hpp"

namespace warpfold::lab {
namespace {

bool same_place(simt::access_point const& a, simt::access_point const& b) {
    return a.source.file == b.source.file && a.source.line == b.source.line && a.is_write == b.is_write;
}

bool same(simt::finding const& a, simt::finding const& b) {
    return a.kind == b.kind && same_place(a.where, b.where) && same_place(a.other, b.other);
}

std::string file_name(std::string const& path) {
    return std::filesystem::path(path).filename().string();
}

std::string point(simt::access_point const& access) {
    return fmt::format("   block {}, thread {:<4} {:<7} {}:{}\n      {}\n", access.block.x, access.thread.x,
                       access.is_write ? "writes" : "reads", file_name(access.source.file), access.source.line,
                       source_line(access.source.file, access.source.line));
}

/// "void warpfold::lab::c2_sequential<float>(float const*, …)" → "c2_sequential<float>".
std::string short_name(std::string const& kernel) {
    std::string const head = kernel.substr(0, kernel.find('('));
    std::size_t const scope = head.substr(0, head.find('<')).rfind("::");
    return scope == std::string::npos ? head : head.substr(scope + 2);
}

/// How far the two lines of a race lie apart; the nearest pair shows a missing barrier best.
int distance(simt::finding const& finding) {
    constexpr int other_function = 10000;
    return std::abs(finding.where.source.line - finding.other.source.line) +
           (finding.where.source.function == finding.other.source.function ? 0 : other_function);
}

/// Findings that one missing barrier explains.
using group = std::vector<simt::finding const*>;

std::vector<group> by_cause(std::vector<simt::finding> const& findings) {
    std::vector<group> groups;
    for (simt::finding const& finding : findings) {
        auto const known = std::find_if(groups.begin(), groups.end(), [&](group const& one) {
            return finding.has_other && one.front()->kind == finding.kind && one.front()->missing == finding.missing;
        });
        if (known == groups.end())
            groups.push_back({&finding});
        else
            known->push_back(&finding);
    }
    for (group& one : groups) {
        std::stable_sort(one.begin(), one.end(),
                         [](auto const* a, auto const* b) { return distance(*a) < distance(*b); });
    }
    return groups;
}

}  // namespace

bool search::found_anything() const {
    return !findings.empty() ||
           std::any_of(runs.begin(), runs.end(), [](search_run const& one) { return !one.outcome.error.right(); });
}

search find_races(std::string const& id, run_request request, unsigned random_schedules) {
    kernel_entry const& kernel = find(flavour::plain, id);
    request.options.checks = true;
    request.options.host_threads = 1;  // what a defect makes of the answer is then the same each time
    if (request.n == 0) {
        unsigned const own_block = request.as_published ? kernel.defect.block : kernel.launch.block;
        unsigned const block = request.block == 0 ? own_block : request.block;
        request.n = 4 * block * kernel.launch.items_a_thread + 1;
    }
    search found{id, request.as_published, {}, {}};
    for (unsigned i = 0; i < 2 + random_schedules; ++i) {
        request.options.schedule = i == 0   ? simt::schedule::in_order
                                   : i == 1 ? simt::schedule::reversed
                                            : simt::schedule::random;
        request.options.seed = i;
        std::string const schedule = i == 0 ? "in order" : i == 1 ? "reversed" : fmt::format("random, seed {}", i);
        found.runs.push_back({schedule, run(id, request)});
        for (simt::finding const& finding : found.runs.back().outcome.findings()) {
            bool const known = std::any_of(found.findings.begin(), found.findings.end(),
                                           [&](simt::finding const& one) { return same(one, finding); });
            if (!known) found.findings.push_back(finding);
        }
    }
    return found;
}

std::string text(search const& found, bool all) {
    kernel_entry const& kernel = find(flavour::plain, found.id);
    run_outcome const& first = found.runs.front().outcome;
    std::string page =
        fmt::format("{} {}, {}: {} item{}, {} block{} of {} thread{}, {} schedules\n", kernel.id, kernel.name,
                    found.as_published ? "as published" : "our variant", first.n, first.n == 1 ? "" : "s", first.blocks,
                    first.blocks == 1 ? "" : "s", first.threads, first.threads == 1 ? "" : "s", found.runs.size());
    if (found.as_published) page += "Known defect: " + kernel.defect.what + ".\n";

    std::size_t number = 0;
    for (group const& one : by_cause(found.findings)) {
        std::size_t const shown = all ? one.size() : 1;
        for (std::size_t i = 0; i < shown; ++i) {
            simt::finding const& finding = *one[i];
            page += fmt::format("\n{}. {} in {}\n", ++number, simt::name(finding.kind), short_name(finding.kernel));
            if (finding.has_other) page += point(finding.other);
            page += point(finding.where);
            page += finding.has_other ? fmt::format("   Missing between the two: {}\n", finding.missing)
                                      : "   " + finding.message + "\n";
        }
        if (shown < one.size()) {
            page += fmt::format("   {} more pair{} of lines race for want of the same; --all shows them.\n",
                                one.size() - shown, one.size() == 2 ? "" : "s");
        }
    }

    std::size_t const wrong = static_cast<std::size_t>(std::count_if(
        found.runs.begin(), found.runs.end(), [](search_run const& one) { return !one.outcome.error.right(); }));
    page += "\n";
    if (wrong > 0) {
        auto const example = std::find_if(found.runs.begin(), found.runs.end(),
                                          [](search_run const& one) { return !one.outcome.error.right(); });
        page +=
            fmt::format("The answer is wrong in {} of {} schedules; {}: {} = {}, exact is {}.\n", wrong,
                        found.runs.size(), example->schedule, name(kernel.op), text(kernel.op, example->outcome.found),
                        text(kernel.op, {example->outcome.exact.begin(), example->outcome.exact.end()}));
    } else if (found.findings.empty()) {
        page += fmt::format("Nothing found, and the answer is right in all {} schedules.\n", found.runs.size());
    } else {
        page += fmt::format("The answer happened to be right in all {} schedules; on a GPU it need not be.\n",
                            found.runs.size());
    }
    return page;
}

std::string source_line(std::string const& file, int line) {
    for (data::named_text const& source : data::kernel_sources) {
        if (source.name != file_name(file)) continue;
        std::istringstream lines{std::string(source.text)};
        std::string text;
        for (int i = 0; i < line && std::getline(lines, text); ++i) {
        }
        std::size_t const start = text.find_first_not_of(' ');
        return lines && start != std::string::npos ? text.substr(start) : "";
    }
    return "";
}

}  // namespace warpfold::lab
