#include "lab/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "lab/catalogue.hpp"

namespace warpfold::lab {
namespace {

struct table {
    std::string title;
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};

/// Characters, not bytes: a dash of a range is three bytes long.
std::size_t width(std::string const& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string const& cell, std::size_t columns, bool left) {
    std::string const space(columns - std::min(columns, width(cell)), ' ');
    return left ? cell + space : space + cell;
}

std::string as_text(table const& one) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < one.head.size(); ++i) {
        std::size_t most = width(one.head[i]);
        for (auto const& row : one.rows) most = std::max(most, width(row[i]));
        widths.push_back(most);
    }
    std::string page = one.title + "\n";
    auto const line = [&](std::vector<std::string> const& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i) text += padded(cells[i], widths[i], i < 2) + "  ";
        text.erase(text.find_last_not_of(' ') + 1);
        page += text + "\n";
    };
    line(one.head);
    for (auto const& row : one.rows) line(row);
    return page;
}

std::string as_markdown(table const& one) {
    std::string page = fmt::format("{}.\n\n| {} |\n|", one.title, fmt::join(one.head, " | "));
    for (std::size_t i = 0; i < one.head.size(); ++i) page += "---|";
    page += "\n";
    for (auto const& row : one.rows) page += fmt::format("| {} |\n", fmt::join(row, " | "));
    return page;
}

std::string name_of(std::string const& id) {
    for (kernel_entry const& kernel : catalogue(flavour::plain)) {
        if (kernel.id == id) return kernel.name;
    }
    return id == read_limit ? "best plain read" : "";
}

/// Three digits that matter: "0.0123", "1.23", "123", "12345".
std::string three_digits(double value) {
    int const decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : value >= 0.1 ? 3 : 4;
    return fmt::format("{:.{}f}", value, decimals);
}

std::string answer_text(measurement const& row) {
    if (!row.right()) return "WRONG";
    if (row.ulps == 0) return "exact";
    return fmt::format("{:.0f} of {:.0f} ulp", row.ulps, row.bound_ulps);
}

/// Every kernel at the study's own size, all that is known of it.
table at_own_size(study_results const& results, comparison const& plan) {
    measurement const* const limit = results.find(read_limit, plan.type, plan.own_size);
    measurement const* const host = results.find("B8", plan.type, plan.own_size);
    std::string const gpu = published_gpu(results.study);
    table made{fmt::format("Study {}, {}: {} items", results.study, plan.title, plan.own_size),
               {"id", "kernel", "us", "quartiles", "back to back", "GB/s", "of read"},
               {}};
    if (!gpu.empty()) {
        made.head.push_back(fmt::format("published, {}", gpu));
        made.head.push_back("GB/s there");
    }
    if (host != nullptr) made.head.push_back("times B8");
    made.head.push_back("answer");
    std::vector<std::string> ids{read_limit};
    ids.insert(ids.end(), plan.ids.begin(), plan.ids.end());
    for (std::string const& id : ids) {
        measurement const* const row = results.find(id, plan.type, plan.own_size);
        if (row == nullptr) continue;
        std::vector<std::string> cells{
            id,
            name_of(id),
            three_digits(row->time.median),
            fmt::format("{}–{}", three_digits(row->time.lower), three_digits(row->time.upper)),
            three_digits(row->time.back_to_back),
            three_digits(row->gbps()),
            limit == nullptr ? "" : fmt::format("{:.3f}", limit->time.median / row->time.median)};
        if (!gpu.empty()) {
            auto const there = published_figure_of(results.study, id, plan.type, plan.own_size);
            cells.push_back(there ? there->text : "");
            cells.push_back(there ? three_digits(there->gbps) : "");
        }
        if (host != nullptr) cells.push_back(three_digits(host->time.median / row->time.median));
        cells.push_back(id == read_limit ? "" : answer_text(*row));
        made.rows.push_back(std::move(cells));
    }
    return made;
}

table at_all_sizes(study_results const& results, comparison const& plan) {
    table made{fmt::format("Study {}, {}: GB/s by items", results.study, plan.title), {"id", "kernel"}, {}};
    for (std::uint64_t const n : plan.sizes) made.head.push_back(short_number(n));
    std::vector<std::string> ids{read_limit};
    ids.insert(ids.end(), plan.ids.begin(), plan.ids.end());
    for (std::string const& id : ids) {
        std::vector<std::string> cells{id, name_of(id)};
        bool any = false;
        for (std::uint64_t const n : plan.sizes) {
            measurement const* const row = results.find(id, plan.type, n);
            cells.push_back(row == nullptr ? "" : three_digits(row->gbps()));
            any = any || row != nullptr;
        }
        if (any) made.rows.push_back(std::move(cells));
    }
    return made;
}

table at_all_shapes(study_results const& results, shape_comparison const& plan) {
    table made{
        fmt::format("Study {}, {}: us for {} items", results.study, plan.title, plan.size), {"id", "kernel"}, {}};
    for (std::uint64_t const shape : plan.shapes) made.head.push_back(std::to_string(shape));
    for (std::string const& id : plan.ids) {
        std::vector<measurement> const rows = results.rows_of(id, plan.type, plan.swept);
        if (rows.empty()) continue;
        std::vector<std::string> cells{id, name_of(id)};
        for (std::uint64_t const shape : plan.shapes) {
            auto const row = std::find_if(rows.begin(), rows.end(), [&](measurement const& one) {
                return (plan.swept == sweep::block ? one.threads : one.blocks) == shape;
            });
            cells.push_back(row == rows.end() ? "" : three_digits(row->time.median));
        }
        made.rows.push_back(std::move(cells));
    }
    return made;
}

table of_trials(study_results const& results) {
    table made{fmt::format("Study {}: answers that claims hang on", results.study),
               {"id", "run", "items", "threads a block", "right", "answer", "exact"},
               {}};
    for (trial const& one : results.trials) {
        made.rows.push_back({one.id, one.name, std::to_string(one.n), std::to_string(one.threads),
                             fmt::format("{} of {}", one.right, one.runs), one.found, one.exact});
    }
    return made;
}

std::string where(study_results const& results) {
    return fmt::format("{}, driver {}, CUDA {}, {}, commit {}", results.gpu.name, results.gpu.driver, results.gpu.cuda,
                       results.date, results.commit);
}

}  // namespace

std::string published_gpu(std::string const& study) {
    for (figure const& one : published()) {
        if (one.study == study) return one.gpu;
    }
    return "";
}

std::string label_of(std::string const& id) {
    return id == read_limit ? name_of(id) : fmt::format("{} {}", id, name_of(id));
}

std::string short_number(std::uint64_t n) {
    if (std::has_single_bit(n)) return fmt::format("2^{}", std::countr_zero(n));
    if (n % 1000000 == 0) return fmt::format("{}M", n / 1000000);
    return n % 1000 == 0 ? fmt::format("{}k", n / 1000) : std::to_string(n);
}

std::optional<published_figure> published_figure_of(std::string const& study, std::string const& id, item_type type,
                                                    std::uint64_t n) {
    std::optional<published_figure> found;
    for (kernel_entry const& kernel : catalogue(flavour::plain)) {
        if (kernel.id != id || kernel.published_name.empty()) continue;
        for (figure const& one : published()) {
            // Where a study said only that n was large, its own size here is meant.
            bool const same_n = one.n == n || (one.n == 0 && n == plan_of(study).comparisons.front().own_size);
            if (one.study != study || one.kernel != kernel.published_name || one.type != name(type) || !same_n)
                continue;
            if (one.metric == "ms") {
                double const gbps = static_cast<double>(n * size_of(type)) / one.value * 1e-6;
                return published_figure{fmt::format("{:.4g} ms", one.value), gbps};
            }
            if (one.metric == "GB/s") {
                std::string const range = one.greatest == one.value ? "" : fmt::format("–{:g}", one.greatest);
                found = published_figure{fmt::format("{:g}{} GB/s", one.value, range), one.value};
            }
        }
    }
    return found;
}

std::string text(study_results const& results) {
    study_plan const& plan = plan_of(results.study);
    std::string page = where(results) + "\n";
    page +=
        "us: all launches, by events, the cache flushed before each run, median; of read: the best plain read's time "
        "over the kernel's\n";
    for (comparison const& one : plan.comparisons) {
        page += fmt::format("\n{}\n{}", as_text(at_own_size(results, one)), as_text(at_all_sizes(results, one)));
    }
    for (shape_comparison const& one : plan.shapes) page += fmt::format("\n{}", as_text(at_all_shapes(results, one)));
    if (!results.trials.empty()) page += fmt::format("\n{}", as_text(of_trials(results)));
    return page;
}

std::string markdown(study_results const& results) {
    study_plan const& plan = plan_of(results.study);
    std::string page = where(results) + ".\n";
    for (comparison const& one : plan.comparisons) page += fmt::format("\n{}", as_markdown(at_own_size(results, one)));
    for (shape_comparison const& one : plan.shapes)
        page += fmt::format("\n{}", as_markdown(at_all_shapes(results, one)));
    if (!results.trials.empty()) page += fmt::format("\n{}", as_markdown(of_trials(results)));
    return page;
}

}  // namespace warpfold::lab
