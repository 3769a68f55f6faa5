#include "lab/course.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "lab/claims.hpp"
#include "lab/explain.hpp"
#include "lab/tables.hpp"

namespace warpfold::lab {
namespace {

/// GB/s of the kernel at its study's own size, in the first comparison that has it; empty where it was not measured.
std::string measured_rate(std::string const& id, measurements const& measured) {
    std::string const study = find(flavour::plain, id).study;
    study_results const* const results = measured.study(study);
    if (results == nullptr) return "";
    for (comparison const& one : plan_of(study).comparisons) {
        measurement const* const row = results->find(id, one.type, one.own_size);
        if (row != nullptr) return fmt::format("{:.{}f}", row->gbps(), row->gbps() < 10 ? 2 : 0);
    }
    return "";
}

/// What belongs after a line "<!-- what names... -->".
std::string made_anew(std::string const& what, std::vector<std::string> const& names, measurements const& measured) {
    if (what == "counters") return counter_table(names, measured);
    if (what == "claims") return ledger_markdown(measured);
    study_results const* const results = names.empty() ? nullptr : measured.study(names.front());
    if (results == nullptr) throw std::invalid_argument("nothing was measured of the study that a table names");
    return markdown(*results);
}

}  // namespace

std::string counter_table(std::vector<std::string> const& ids, measurements const& measured) {
    std::string table =
        "| kernel | blocks x threads | load requests | sectors | shared passes | bank conflicts | barriers | shuffles "
        "| atomic turns, shared | atomic turns, global | lanes at work | GB/s on an H200 |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (std::string const& id : ids) {
        run_request request;
        request.n = 65536;
        counted const one = count(id, request);
        simt::counters const& c = one.counters;
        table += fmt::format("| {} {} | {} x {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} | {} |\n", id,
                             find(flavour::plain, id).name, one.blocks, one.threads, c.global_load_requests,
                             c.global_load_sectors, c.shared_load_wavefronts + c.shared_store_wavefronts,
                             c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, c.barriers, c.shuffles,
                             c.shared_atomic_serialisations, c.global_atomic_serialisations, c.mean_active_lanes(),
                             measured_rate(id, measured));
    }
    return table;
}

std::string with_tables(std::string const& document, measurements const& measured) {
    std::istringstream lines(document);
    std::string made;
    for (std::string line; std::getline(lines, line);) {
        made += line + "\n";
        std::istringstream words(line);
        std::string opening;
        std::string what;
        words >> opening >> what;
        if (opening != "<!--" || (what != "counters" && what != "measured" && what != "claims")) continue;
        std::vector<std::string> names;
        for (std::string word; words >> word && word != "-->";) names.push_back(word);
        made += made_anew(what, names, measured);
        while (std::getline(lines, line) && line != "<!-- end -->") {
        }
        if (line != "<!-- end -->") throw std::invalid_argument("a table has no <!-- end -->");
        made += line + "\n";
    }
    return made;
}

}  // namespace warpfold::lab
