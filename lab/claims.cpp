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

}  // namespace

std::vector<claim> const& claims() {
    static std::vector<claim> const all = [] {
        std::vector<claim> joined = claims_on_published_figures();
        for (claim& one : claims_on_counters()) joined.push_back(std::move(one));
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
        case verdict::needs_gpu:
            return "needs a GPU";
    }
    return {};
}

std::string ledger_text() {
    std::string page;
    std::array<std::size_t, 3> tally{};
    for (claim const& one : claims()) {
        finding_on_claim const found = one.judge();
        ++tally.at(static_cast<std::size_t>(found.verdict));
        page += fmt::format("{:<5}{:<15}{}\n", one.id, name(found.verdict), one.text);
        page += wrapped(found.evidence, 96, std::string(20, ' '));
    }
    return page + fmt::format("\n{} claims: {} hold, {} do not, {} need a GPU.\n", claims().size(), tally[0], tally[1],
                              tally[2]);
}

nlohmann::json ledger_json() {
    nlohmann::json page = nlohmann::json::array();
    for (claim const& one : claims()) {
        finding_on_claim const found = one.judge();
        page.push_back({{"id", one.id},
                        {"claim", one.text},
                        {"kernels", one.kernels},
                        {"verdict", name(found.verdict)},
                        {"evidence", found.evidence}});
    }
    return page;
}

}  // namespace warpfold::lab
