// What was measured: files of results, tables, plots, and what they say of the claims.
#include <gtest/gtest.h>

#include <cmath>

#include "lab/chart.hpp"
#include "lab/claims.hpp"
#include "lab/runner.hpp"
#include "lab/tables.hpp"
#include "lab/trials.hpp"

namespace {

using namespace warpfold::lab;

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

std::size_t count_of(std::string const& text, std::string const& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// A study on an invented GPU: every kernel reads at 1000 GB/s, whatever the size, but for what `us` says.
study_results invented(std::string const& study) {
    study_results made{study, "2026-01-02", "abc1234", {"Invented GPU", "1.2", "13.0", 2000}, {}};
    for (comparison const& one : plan_of(study).comparisons) {
        std::vector<std::string> ids{read_limit};
        ids.insert(ids.end(), one.ids.begin(), one.ids.end());
        for (std::string const& id : ids) {
            for (std::uint64_t const n : one.sizes) {
                double const us = std::round(static_cast<double>(n * size_of(one.type)) * 1e-3) * 1e-3;  // as in files
                made.rows.push_back({.id = id,
                                     .type = one.type,
                                     .n = n,
                                     .blocks = 7,
                                     .threads = 256,
                                     .swept = sweep::none,
                                     .time = {us, us, us, us, 31},
                                     .ulps = 0,
                                     .bound_ulps = 0,
                                     .note = {}});
            }
        }
    }
    return made;
}

void slow_down(study_results& results, std::string const& id, double factor) {
    for (measurement& row : results.rows) {
        if (row.id == id) row.time.median *= factor;
    }
}

finding_on_claim judged(std::string const& id, measurements const& all) {
    return judged_by_measurements(id)(all);
}

finding_on_claim judged(std::string const& id, study_results const& results) {
    return judged(id, measurements{{results}, {}, {}});
}

/// The counters of a tree on an invented GPU.
void count_tree(measurements& all, std::string const& id, double divergent_branches, double lanes, double conflicts) {
    for (auto const& [counter, value] : {std::pair{"divergent_branches", divergent_branches},
                                         {"mean_active_lanes", lanes},
                                         {"shared_load_wavefronts", 1000.0},
                                         {"shared_load_bank_conflicts", conflicts}}) {
        all.counters.push_back({id, counter, "", value});
    }
}

/// The trials of a study as if the GPU had been right in `right` of 50 runs of each.
study_results tried(std::string const& study, int right) {
    study_results made = invented(study);
    for (trial_plan const& one : plan_of(study).trials) {
        made.trials.push_back({.name = one.name,
                               .id = one.id,
                               .n = 1000,
                               .threads = 256,
                               .runs = 50,
                               .right = right,
                               .found = "1.5",
                               .exact = "2"});
    }
    return made;
}

void set_right(study_results& results, std::string const& name, int right) {
    for (trial& one : results.trials) {
        if (one.name == name) one.right = right;
    }
}

TEST(results, of_a_file_are_those_that_were_written) {
    study_results made = invented("C");
    made.rows.push_back({.id = "C6",
                         .type = item_type::f32,
                         .n = 1000,
                         .blocks = 3,
                         .threads = 64,
                         .swept = sweep::block,
                         .time = {12.5, 12.25, 13, 11, 17},
                         .ulps = 9,
                         .bound_ulps = 4,
                         .note = "a note"});
    made.trials = tried("C", 49).trials;
    study_results const read = parse_results(file_text(made), "file");
    EXPECT_EQ(read.study, "C");
    EXPECT_EQ(read.gpu.name, "Invented GPU");
    EXPECT_EQ(read.gpu.peak_gbps, 2000);
    EXPECT_EQ(read.commit, "abc1234");
    ASSERT_EQ(read.rows.size(), made.rows.size());
    measurement const& last = read.rows.back();
    EXPECT_EQ(last.time.median, 12.5);
    EXPECT_EQ(last.time.upper, 13);
    EXPECT_EQ(last.swept, sweep::block);
    EXPECT_EQ(last.note, "a note");
    EXPECT_FALSE(last.right());
    EXPECT_TRUE(contains(file_text(made), "\"answer\":\"WRONG\""));
    EXPECT_EQ(file_text(read), file_text(made));
    EXPECT_NEAR(read.rows.front().gbps(), 1000, 1);
    trial const* const c8 = read.find_trial("C8 as published");
    ASSERT_NE(c8, nullptr);
    EXPECT_EQ(c8->id, "C8");
    EXPECT_EQ(c8->n, 1000u);
    EXPECT_EQ(c8->threads, 256u);
    EXPECT_EQ(c8->runs, 50);
    EXPECT_EQ(c8->right, 49);
    EXPECT_EQ(c8->found, "1.5");
    EXPECT_EQ(c8->exact, "2");
    EXPECT_EQ(read.find_trial("C2 as published"), nullptr);
    EXPECT_TRUE(contains(text(read), "C8 as published")) << text(read);
    EXPECT_TRUE(contains(markdown(read), "| C8 | C8 as published | 1000 | 256 | 49 of 50 | 1.5 | 2 |"));
}

TEST(results, that_cannot_be_read_name_the_file) {
    auto const message = [](auto call) {
        try {
            call();
        } catch (std::runtime_error const& e) {
            return std::string(e.what());
        }
        return std::string("nothing thrown");
    };
    EXPECT_TRUE(contains(message([] { parse_results("{", "lab-A.json"); }), "lab-A.json: "));
    EXPECT_TRUE(contains(message([] { parse_results("{\"study\": \"A\"}", "lab-A.json"); }), "lab-A.json: "));
    EXPECT_TRUE(contains(message([] { read_measurements("/nowhere"); }), "/nowhere: expected a folder"));
    EXPECT_TRUE(contains(message([] { read_measurements(WARPFOLD_SOURCE "/lab"); }), "expected lab-A.json"));
}

TEST(results, of_this_program_are_those_of_the_repository) {
    measurements const& own = own_measurements();
    measurements const read = read_measurements(WARPFOLD_SOURCE "/results/h200");
    EXPECT_EQ(own.studies.size(), 5u);
    ASSERT_EQ(own.studies.size(), read.studies.size());
    EXPECT_EQ(own.counters.size(), read.counters.size());
    EXPECT_EQ(own.hazards.size(), read.hazards.size());
    for (study_plan const& plan : study_plans()) {
        study_results const* const results = own.study(plan.study);
        ASSERT_NE(results, nullptr) << plan.study;
        for (measurement const& row : results->rows) EXPECT_TRUE(row.right()) << plan.study << " " << row.id;
        for (comparison const& one : plan.comparisons) {
            for (std::string const& id : one.ids) EXPECT_NE(results->find(id, one.type, one.own_size), nullptr) << id;
        }
    }
}

TEST(tables, have_the_published_figures_beside) {
    std::string const a = text(invented("A"));
    EXPECT_TRUE(contains(a, "published, RTX A6000")) << a;
    EXPECT_TRUE(contains(a, "0.1874 ms")) << a;
    std::string const d = text(invented("D"));
    EXPECT_TRUE(contains(d, "3100–3200 GB/s")) << d;
    EXPECT_TRUE(contains(text(invented("B")), "times B8"));
    study_results wrong = invented("E");
    wrong.rows[20].ulps = 5;
    EXPECT_FALSE(contains(text(invented("E")), "WRONG"));
    for (measurement& row : wrong.rows) row.ulps = row.id == "E5" ? 5 : 0;
    EXPECT_TRUE(contains(text(wrong), "WRONG"));
    EXPECT_EQ(published_figure_of("E", "E5", item_type::f32, 1u << 26)->gbps, 1720);
    EXPECT_FALSE(published_figure_of("E", "E5", item_type::f32, 1u << 20));
    EXPECT_FALSE(published_figure_of("E", "E9", item_type::f32, 1u << 26));
}

TEST(tables, shorten_numbers) {
    EXPECT_EQ(short_number(1u << 20), "2^20");
    EXPECT_EQ(short_number(50000000), "50M");
    EXPECT_EQ(short_number(500000), "500k");
    EXPECT_EQ(short_number(1001), "1001");
}

TEST(charts, have_a_curve_a_kernel_axes_and_a_legend) {
    for (study_plan const& plan : study_plans()) {
        std::string const svg = chart(invented(plan.study));
        std::size_t curves = 0;
        for (comparison const& one : plan.comparisons) curves += one.ids.size() + 1;
        EXPECT_EQ(count_of(svg, "<polyline"), curves) << plan.study;
        EXPECT_EQ(count_of(svg, ">best plain read</text>"), plan.comparisons.size());
        EXPECT_EQ(count_of(svg, ">items (logarithmic)</text>"), plan.comparisons.size());
        EXPECT_EQ(count_of(svg, "bytes read, GB/s"), plan.comparisons.size());
        EXPECT_TRUE(contains(svg, "Study " + plan.study + " on Invented GPU"));
        EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    }
}

TEST(charts, leave_out_what_was_not_measured) {
    study_results made = invented("D");
    std::erase_if(made.rows, [](measurement const& row) { return row.id == "D4w"; });
    EXPECT_FALSE(contains(chart(made), "D4w"));
    EXPECT_EQ(count_of(chart(made), "<polyline"), 9u);
}

TEST(claims_on_a_gpu, follow_the_figures) {
    study_results a = invented("A");
    EXPECT_EQ(judged("A.4", a).verdict, verdict::holds);  // as fast
    EXPECT_EQ(judged("A.1", a).verdict, verdict::does_not_hold);
    slow_down(a, "A1", 290);
    EXPECT_EQ(judged("A.1", a).verdict, verdict::holds);
    EXPECT_TRUE(contains(judged("A.1", a).evidence, "290 times")) << judged("A.1", a).evidence;
    slow_down(a, "A2", 1.5);
    EXPECT_EQ(judged("A.4", a).verdict, verdict::does_not_hold);

    measurement narrow = *a.find("A-torch", item_type::i32, 1u << 25);
    narrow.id = "A-torch, int32";
    a.rows.push_back(narrow);
    slow_down(a, "A-torch", 2);
    EXPECT_EQ(judged("A.6", a).verdict, verdict::does_not_hold);  // slow, but who knows why
    for (measurement& row : a.rows) row.note = row.id == "A-torch" ? "result int64" : "";
    EXPECT_EQ(judged("A.6", a).verdict, verdict::holds);

    study_results e = invented("E");
    slow_down(e, "H1", 9);
    slow_down(e, "H2", 1.2);
    EXPECT_EQ(judged("E.6", e).verdict, verdict::holds);
    slow_down(e, "H3", 1.3);
    EXPECT_EQ(judged("E.6", e).verdict, verdict::does_not_hold);

    study_results d = invented("D");
    EXPECT_EQ(judged("D.4", d).verdict, verdict::does_not_hold);
    for (measurement& row : d.rows) {
        if (row.id == "D4w" && row.n < 1u << 25) row.time.median *= 2;
    }
    EXPECT_EQ(judged("D.4", d).verdict, verdict::does_not_hold);  // so for four items a load only
    for (measurement& row : d.rows) {
        if ((row.id == "D1w" || row.id == "D2w") && row.n < 1u << 25) row.time.median *= 2;
    }
    EXPECT_EQ(judged("D.4", d).verdict, verdict::holds);
    EXPECT_EQ(judged("D.3", d).verdict, verdict::holds);
    slow_down(d, "D1a", 1.5);
    EXPECT_EQ(judged("D.3", d).verdict, verdict::does_not_hold);
}

TEST(claims_on_a_gpu, of_divergence_follow_the_counters_and_of_time_the_times) {
    study_results e = invented("E");
    auto const with = [&](double parted, double lanes) {
        measurements all{{e}, {}, {}};
        count_tree(all, "E1", 1000, 20, 0);
        count_tree(all, "E2", parted, lanes, 0);
        return judged("E.3", all);
    };
    EXPECT_EQ(judged("E.3", e).verdict, verdict::needs_gpu);
    EXPECT_EQ(with(10, 20).verdict, verdict::does_not_hold);  // less divergence, but no faster
    slow_down(e, "E1", 1.9);
    EXPECT_EQ(with(10, 20).verdict, verdict::holds);
    EXPECT_EQ(with(1000, 30).verdict, verdict::holds);  // as many branches, but more lanes at work
    EXPECT_EQ(with(1000, 20).verdict, verdict::does_not_hold);
    EXPECT_EQ(with(1100, 30).verdict, verdict::does_not_hold);
    EXPECT_TRUE(contains(with(1000, 19).evidence, "a factor of 1.90: nearly doubled")) << with(1000, 19).evidence;
    EXPECT_TRUE(contains(with(1000, 19).evidence, "divergence is not what goes")) << with(1000, 19).evidence;

    study_results c = invented("C");
    auto const costs = [&](double lanes, double conflicts) {
        measurements all{{c}, {}, {}};
        count_tree(all, "C1", 0, 20, conflicts);
        count_tree(all, "C2", 0, lanes, 0);
        return judged("C.5", all).verdict;
    };
    EXPECT_EQ(costs(30, 0), verdict::does_not_hold);  // it costs nothing
    slow_down(c, "C1", 1.5);
    EXPECT_EQ(costs(30, 0), verdict::holds);
    EXPECT_EQ(costs(19, 0), verdict::does_not_hold);
    EXPECT_EQ(costs(30, 60), verdict::does_not_hold);  // conflicts may be what costs
}

TEST(claims_on_a_gpu, of_bank_conflicts_leave_arbitration_out) {
    auto const does_conflict = [](double conflicts) {
        measurements all{{invented("C")}, {}, {}};
        for (char const* id : {"C1", "C1b", "C2"}) count_tree(all, id, 0, 32, conflicts);
        return judged("C.4", all).verdict;
    };
    EXPECT_EQ(does_conflict(20), verdict::does_not_hold);  // of 1000 passes
    EXPECT_EQ(does_conflict(60), verdict::holds);
}

TEST(claims_on_a_gpu, of_steps_follow_the_barriers) {
    auto const steps = [](double barriers) {
        measurements all{{invented("B")}, {}, {}};
        all.counters = {{"B2", "barriers", "", barriers * 2048},  // 256 blocks of 8 warps
                        {"C1", "barriers", "", 9 * 32768.0},
                        {"C2", "barriers", "", 9 * 32768.0}};
        return judged("B.2", all).verdict;
    };
    EXPECT_EQ(steps(9), verdict::holds);
    EXPECT_EQ(steps(10), verdict::does_not_hold);
}

TEST(claims_on_a_gpu, of_races_are_refuted_or_cannot_be_told) {
    EXPECT_EQ(judged("A.7", invented("A")).verdict, verdict::needs_gpu);
    study_results a = tried("A", 50);
    for (char const* id : {"A.7", "A.8", "A.9"}) EXPECT_EQ(judged(id, a).verdict, verdict::cannot_tell) << id;
    set_right(a, "A6 as published", 49);
    EXPECT_EQ(judged("A.8", a).verdict, verdict::does_not_hold);
    EXPECT_EQ(judged("A.9", a).verdict, verdict::cannot_tell);

    measurements seen{{a}, {}, {}};
    seen.hazards = parse_hazards("kernel,variant,hazards\nA5,as published,3\nA7,as published,0\nA7,ours,3\n");
    EXPECT_EQ(judged("A.7", seen).verdict, verdict::does_not_hold);
    EXPECT_TRUE(contains(judged("A.7", seen).evidence, "3 hazards as published")) << judged("A.7", seen).evidence;
    EXPECT_EQ(judged("A.9", seen).verdict, verdict::cannot_tell);  // ours is not what the claim is about
    std::string const ledger = ledger_text(seen);
    EXPECT_TRUE(contains(ledger, "On Invented GPU runs cannot tell: right in 50 of 50 runs")) << ledger;
    EXPECT_TRUE(contains(ledger, ", of 1 runs cannot tell")) << ledger;

    study_results const c = tried("C", 0);
    for (char const* id : {"C.11", "C.12"}) EXPECT_EQ(judged(id, c).verdict, verdict::does_not_hold) << id;
}

TEST(claims_on_a_gpu, of_wrong_answers_follow_the_answers) {
    for (auto const& [id, study] :
         {std::pair{"C.13", "C"}, std::pair{"E.8", "E"}, std::pair{"E.9", "E"}, std::pair{"E.10", "E"}}) {
        EXPECT_EQ(judged(id, invented(study)).verdict, verdict::needs_gpu) << id;
        EXPECT_EQ(judged(id, tried(study, 50)).verdict, verdict::holds) << id;
        EXPECT_EQ(judged(id, tried(study, 49)).verdict, verdict::does_not_hold) << id;
    }
}

TEST(claims_on_a_gpu, of_blocks_identities_and_ties_follow_the_trials) {
    study_results c = tried("C", 50);
    EXPECT_EQ(judged("C.8", c).verdict, verdict::does_not_hold);
    set_right(c, "C2 in blocks of 96", 0);
    EXPECT_EQ(judged("C.8", c).verdict, verdict::holds);

    EXPECT_EQ(judged("C.10", c).verdict, verdict::does_not_hold);  // anything would do
    set_right(c, "B3 where threads without an item bring 0", 0);
    EXPECT_EQ(judged("C.10", c).verdict, verdict::holds);
    set_right(c, "B3 over negative items", 0);
    EXPECT_EQ(judged("C.10", c).verdict, verdict::does_not_hold);

    study_results e = tried("E", 50);
    EXPECT_EQ(judged("E.7", e).verdict, verdict::does_not_hold);  // NumPy's rule
    for (trial& one : e.trials) one.right = 0;
    EXPECT_EQ(judged("E.7", e).verdict, verdict::does_not_hold);  // the last of equals: a rule too
    set_right(e, "E8 as published, equals at 0 and 16", 50);
    EXPECT_EQ(judged("E.7", e).verdict, verdict::holds);
    set_right(e, "E8 as published, a NaN before 1", 50);
    EXPECT_EQ(judged("E.7", e).verdict, verdict::does_not_hold);
}

TEST(claims_on_a_gpu, need_what_was_not_measured) {
    EXPECT_EQ(judged("C.3", invented("A")).verdict, verdict::needs_gpu);
    study_results a = invented("A");
    std::erase_if(a.rows, [](measurement const& row) { return row.id == "A-torch"; });
    EXPECT_EQ(judged("A.5", a).verdict, verdict::needs_gpu);
    EXPECT_EQ(judged("A.1", a).verdict, verdict::does_not_hold);
    EXPECT_THROW(judged_by_measurements("C.99"), std::out_of_range);
}

// What a GPU has not been asked yet, the executor is asked here: the plan has all that the claims want.
TEST(claims_on_a_gpu, are_all_settled_by_what_is_planned) {
    measurements all = own_measurements();
    for (study_results& study : all.studies) {
        study.trials.clear();
        for (trial_plan const& one : plan_of(study.study).trials) {
            study.trials.push_back(try_out(one, engine::executor));
        }
    }
    all.hazards = {{"A5", true, 1}, {"A6", true, 1}, {"A7", true, 1}, {"C4", true, 1}, {"C5", true, 1}};
    for (claim const& one : claims()) {
        verdict const decided = one.measured(all).verdict;
        EXPECT_TRUE(decided == verdict::holds || decided == verdict::does_not_hold) << one.id;
    }
}

TEST(gpu_runs, are_right_or_say_what_is_missing) {
    run_request request{.n = 1000, .engine = engine::device};
    try {
        EXPECT_TRUE(run("C2", request).error.right());
    } catch (needs_gpu const& e) {
        EXPECT_TRUE(contains(e.what(), "GPU")) << e.what();
    }
    request.options.checks = true;
    EXPECT_THROW(run("C2", request), std::invalid_argument);
}

}  // namespace
