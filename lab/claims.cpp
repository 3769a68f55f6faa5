#include "lab/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpfold::lab {
namespace {

/// `text` in lines of at most `width` bytes, each after `indent`.
std::string wrapped(std::string const& text, std::size_t width, std::string const& indent) {
    std::string page;
    std::string line;
    std::size_t start = 0;
    while (start < text.size()) {
        std::size_t const end = std::min(text.find(' ', start), text.size());
        std::string const word = text.substr(start, end - start);
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            page += indent + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        start = end + 1;
    }
    return page + indent + line + "\n";
}

/// The GPU of the measurements; empty where there are none.
std::string gpu_of(measurements const& measured) {
    return measured.studies.empty() ? "" : measured.studies.front().gpu.name;
}

/// What stands before measured evidence: the verdict too, where it is not the claim's own.
std::string on_gpu(ruling const& made, std::string const& gpu) {
    if (!made.published || made.measured->verdict == verdict::needs_gpu) return fmt::format("On {}: ", gpu);
    if (made.measured->verdict == verdict::cannot_tell) return fmt::format("On {} runs cannot tell: ", gpu);
    return fmt::format("On {} it {}: ", gpu, name(made.measured->verdict));
}

}  // namespace

std::vector<claim> const& claims() {
    static std::vector<claim> const all = [] {
        std::vector<claim> joined = claims_on_published_figures();
        for (claim& one : claims_on_counters()) joined.push_back(std::move(one));
        for (claim& one : joined) one.measured = judged_by_measurements(one.id);
        std::stable_sort(joined.begin(), joined.end(), [](claim const& a, claim const& b) {
            return a.id.front() != b.id.front() ? a.id.front() < b.id.front()
                                                : std::stoi(a.id.substr(2)) < std::stoi(b.id.substr(2));
        });
        return joined;
    }();
    return all;
}

std::string name(verdict decided) {
    switch (decided) {
        case verdict::holds:
            return "holds";
        case verdict::does_not_hold:
            return "does not hold";
        case verdict::cannot_tell:
            return "cannot tell";
        case verdict::needs_gpu:
            return "needs a GPU";
    }
    return {};
}

ruling rule(claim const& one, measurements const& measured) {
    finding_on_claim const first = one.judge();
    ruling made{first.verdict, first, std::nullopt};
    if (!measured.studies.empty()) made.measured = one.measured(measured);
    if (first.verdict == verdict::needs_gpu && made.measured && made.measured->verdict != verdict::needs_gpu) {
        made.verdict = made.measured->verdict;
        made.published.reset();
    }
    return made;
}

std::string ledger_text(measurements const& measured) {
    std::string const gpu = gpu_of(measured);
    std::string page;
    std::array<std::size_t, 4> tally{};
    std::array<std::size_t, 4> there{};
    std::string const indent(20, ' ');
    for (claim const& one : claims()) {
        ruling const made = rule(one, measured);
        ++tally.at(static_cast<std::size_t>(made.verdict));
        page += fmt::format("{:<5}{:<15}{}\n", one.id, name(made.verdict), one.text);
        if (made.published) page += wrapped(made.published->evidence, 96, indent);
        if (!made.measured) continue;
        ++there.at(static_cast<std::size_t>(made.measured->verdict));
        page += wrapped(on_gpu(made, gpu) + made.measured->evidence, 96, indent);
    }
    page +=
        fmt::format("\n{} claims: {} hold, {} do not, {} need a GPU.\n", claims().size(), tally[0], tally[1], tally[3]);
    if (!gpu.empty()) {
        page += fmt::format(
            "Judged on {}: {} hold there, {} do not, of {} runs cannot tell, of {} nothing was measured.\n", gpu,
            there[0], there[1], there[2], there[3]);
    }
    return page;
}

nlohmann::json ledger_json(measurements const& measured) {
    nlohmann::json page = nlohmann::json::array();
    for (claim const& one : claims()) {
        ruling const made = rule(one, measured);
        nlohmann::json row{
            {"id", one.id}, {"claim", one.text}, {"kernels", one.kernels}, {"verdict", name(made.verdict)}};
        if (made.published) row["evidence"] = made.published->evidence;
        if (made.measured) {
            row["measured"] = {{"gpu", gpu_of(measured)},
                               {"verdict", name(made.measured->verdict)},
                               {"evidence", made.measured->evidence}};
        }
        page.push_back(row);
    }
    return page;
}

std::string ledger_markdown(measurements const& measured) {
    std::string const gpu = gpu_of(measured);
    std::string page = fmt::format("| claim | verdict | by figures published or counted | on {} |\n|---|---|---|---|\n",
                                   gpu.empty() ? "a GPU" : gpu);
    for (claim const& one : claims()) {
        ruling const made = rule(one, measured);
        std::string there;
        if (made.measured) {
            if (made.measured->verdict != verdict::needs_gpu) there = name(made.measured->verdict) + ": ";
            there += made.measured->evidence;
        }
        page += fmt::format("| {} {} | {} | {} | {} |\n", one.id, one.text, name(made.verdict),
                            made.published ? made.published->evidence : "", there);
    }
    return page;
}

}  // namespace warpfold::lab
