#include "lab/listing.hpp"

#include <fmt/format.h>

#include "lab/claims.hpp"
#include "lab/published.hpp"

namespace warpfold::lab {
namespace {

nlohmann::json figures_of(kernel_entry const& kernel) {
    nlohmann::json figures = nlohmann::json::array();
    for (figure const& one : published()) {
        if (kernel.published_name.empty() || one.study != kernel.study || one.kernel != kernel.published_name) continue;
        nlohmann::json row{{"gpu", one.gpu}, {"type", one.type}, {"metric", one.metric}, {"value", one.value}};
        if (one.n != 0) row["n"] = one.n;
        if (one.greatest != one.value) row["greatest"] = one.greatest;
        figures.push_back(row);
    }
    return figures;
}

nlohmann::json claims_of(kernel_entry const& kernel) {
    nlohmann::json found = nlohmann::json::array();
    for (claim const& one : claims()) {
        for (std::string const& id : one.kernels) {
            if (id == kernel.id) found.push_back({{"id", one.id}, {"claim", one.text}});
        }
    }
    return found;
}

}  // namespace

std::string list_text(std::vector<kernel_entry> const& kernels) {
    std::string page = fmt::format("{:<8}{:<6}{:<22}{:<10}{:<9}{}\n", "id", "study", "name", "needs", "types", "idea");
    for (kernel_entry const& kernel : kernels) {
        page += fmt::format("{:<8}{:<6}{:<22}{:<10}{:<9}{}\n", kernel.id, kernel.study, kernel.name, name(kernel.needs),
                            type_list(kernel.run, " "), kernel.idea);
        if (kernel.defect.kind != fault::none) {
            page += fmt::format("{:<55}as published: {}\n", "", kernel.defect.what);
        }
    }
    return page;
}

nlohmann::json list_json(std::vector<kernel_entry> const& kernels) {
    nlohmann::json page = nlohmann::json::array();
    for (kernel_entry const& kernel : kernels) {
        launch_rule const& rule = kernel.launch;
        nlohmann::json row{{"id", kernel.id},
                           {"study", kernel.study},
                           {"name", kernel.name},
                           {"idea", kernel.idea},
                           {"operation", name(kernel.op)},
                           {"needs", name(kernel.needs)},
                           {"types", nlohmann::json::array()},
                           {"published", figures_of(kernel)},
                           {"claims", claims_of(kernel)}};
        for (item_type const type : types(kernel.run)) row["types"].push_back(name(type));
        if (kernel.needs != need::host && !types(kernel.run).empty()) {
            row["launch"] = {{"block", rule.block},
                             {"least_block", rule.least_block},
                             {"greatest_block", rule.greatest_block},
                             {"items_a_thread", rule.items_a_thread}};
            if (rule.most_blocks != 0) row["launch"]["most_blocks"] = rule.most_blocks;
        }
        if (!kernel.predecessor.empty()) row["predecessor"] = kernel.predecessor;
        if (kernel.defect.kind != fault::none) {
            row["defect"] = {{"kind", kernel.defect.kind == fault::race ? "race" : "wrong answer"},
                             {"what", kernel.defect.what},
                             {"block", kernel.defect.block}};
        }
        page.push_back(row);
    }
    return page;
}

}  // namespace warpfold::lab
