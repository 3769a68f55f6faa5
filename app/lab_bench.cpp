#include "lab/bench.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "command.hpp"
#include "lab.hpp"
#include "lab/chart.hpp"
#include "lab/tables.hpp"

namespace warpfold::app {
namespace {

struct bench_options {
    std::string study;
    bool json = false;
    std::string svg;
    std::string results;  // folder
    std::string peers;    // file
    std::string commit = "unknown";
};

std::string contents(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) throw data_error(path, "open", "expected a file that can be read");
    return text.str();
}

lab::study_results results_of(lab::study_plan const& plan, bench_options const& options) {
    if (!options.results.empty()) {
        lab::measurements const all = lab::read_measurements(options.results);
        lab::study_results const* const found = all.study(plan.study);
        if (found == nullptr) throw data_error(options.results, "study " + plan.study, "expected its results there");
        return *found;
    }
    lab::study_results measured = lab::measure(plan, options.commit);
    if (!options.peers.empty()) {
        auto const rows = lab::parse_rows(contents(options.peers), options.peers);
        measured.rows.insert(measured.rows.end(), rows.begin(), rows.end());
    }
    return measured;
}

void bench(bench_options const& options) {
    std::vector<lab::study_plan> const plans =
        options.study.empty() ? lab::study_plans() : std::vector{lab::plan_of(options.study)};
    if (plans.size() > 1 && (!options.svg.empty() || !options.peers.empty() || options.json))
        throw usage_error("--json, --svg and --peers are for one --study");
    std::size_t wrong = 0;
    for (lab::study_plan const& plan : plans) {
        lab::study_results const results = results_of(plan, options);
        for (lab::measurement const& row : results.rows) wrong += row.right() ? 0 : 1;
        if (!options.svg.empty()) {
            std::ofstream file(options.svg, std::ios::binary);
            if (!(file << lab::chart(results)).flush())
                throw data_error(options.svg, "write", "expected a file to write to");
        }
        print(options.json ? lab::file_text(results) : lab::text(results) + "\n");
    }
    if (wrong > 0) throw std::runtime_error(fmt::format("{} answer{} wrong", wrong, wrong == 1 ? " is" : "s are"));
}

}  // namespace

void add_lab_bench(command const& lab) {
    auto const options = std::make_shared<bench_options>();
    command const added = lab.add_command("bench", "Time the kernels of a study on a GPU, beside its figures");
    added.option("--study", options->study, "One study; all, where not given").type_name("A|B|C|D|E");
    added.flag("--json", options->json, "As a file of results");
    added.option("--svg", options->svg, "Also write a plot, bandwidth against size").type_name("FILE");
    added.option("--peers", options->peers, "Rows that lab/torch_sum.py measured, to stand beside")
        .type_name("FILE");
    added.option("--results", options->results, "Show what was measured before, lab-A.json to lab-E.json")
        .type_name("FOLDER");
    added.option("--commit", options->commit, "Noted in the results").type_name("TEXT");
    added.footer(
        "Random items, every answer checked. Times are of all launches of a kernel, by events: with the cache flushed\n"
        "before each run, median and quartiles, and back to back. Exit code 1 where there is no GPU or an answer is "
        "wrong.");
    added.callback([options] { answer_usage([&] { bench(*options); }); });
}

}  // namespace warpfold::app
