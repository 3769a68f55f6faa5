#include "lab/course.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "lab/explain.hpp"

namespace warpfold::lab {

std::string counter_table(std::vector<std::string> const& ids) {
    std::string table =
        "| kernel | blocks x threads | load requests | sectors | shared passes | bank conflicts | barriers | shuffles "
        "| "
        "atomic turns, shared | atomic turns, global | lanes at work |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (std::string const& id : ids) {
        run_request request;
        request.n = 65536;
        counted const one = count(id, request);
        simt::counters const& c = one.counters;
        table += fmt::format("| {} {} | {} x {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} |\n", id,
                             find(flavour::plain, id).name, one.blocks, one.threads, c.global_load_requests,
                             c.global_load_sectors, c.shared_load_wavefronts + c.shared_store_wavefronts,
                             c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, c.barriers, c.shuffles,
                             c.shared_atomic_serialisations, c.global_atomic_serialisations, c.mean_active_lanes());
    }
    return table;
}

std::string with_tables(std::string const& document) {
    std::string const start = "<!-- counters ";
    std::istringstream lines(document);
    std::string made;
    for (std::string line; std::getline(lines, line);) {
        made += line + "\n";
        if (line.rfind(start, 0) != 0) continue;
        std::istringstream words(line.substr(start.size()));
        std::vector<std::string> ids;
        for (std::string word; words >> word && word != "-->";) ids.push_back(word);
        made += counter_table(ids);
        while (std::getline(lines, line) && line != "<!-- end -->") {
        }
        if (line != "<!-- end -->") throw std::invalid_argument("a table of counters has no <!-- end -->");
        made += line + "\n";
    }
    return made;
}

}  // namespace warpfold::lab
