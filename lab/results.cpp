#include "lab/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lab/data.hpp"

namespace warpfold::lab {
namespace {

NLOHMANN_JSON_SERIALIZE_ENUM(sweep, {{sweep::none, nullptr}, {sweep::block, "block"}, {sweep::grid, "grid"}})

/// To so many decimals, for fewer digits in the file.
double rounded(double value, int decimals) {
    double const scale = std::pow(10, decimals);
    return std::round(value * scale) / scale;
}

nlohmann::ordered_json row_json(measurement const& row, measurement const* limit) {
    nlohmann::ordered_json json{{"id", row.id},
                                {"type", name(row.type)},
                                {"items", row.n},
                                {"blocks", row.blocks},
                                {"threads", row.threads},
                                {"us", row.time.median},
                                {"lower_us", row.time.lower},
                                {"upper_us", row.time.upper},
                                {"back_to_back_us", row.time.back_to_back},
                                {"runs", row.time.runs}};
    for (char const* key : {"us", "lower_us", "upper_us", "back_to_back_us"}) json[key] = rounded(json[key], 3);
    json["gb_per_s"] = rounded(row.gbps(), 2);
    if (limit != nullptr) json["of_read_limit"] = rounded(limit->time.median / row.time.median, 4);
    if (row.id != read_limit) {
        json["ulps"] = rounded(std::min(row.ulps, 1e300), 3);  // JSON has no infinity
        json["bound_ulps"] = rounded(row.bound_ulps, 3);
        json["answer"] = row.right() ? "right" : "WRONG";
    }
    if (row.swept != sweep::none) json["swept"] = row.swept;
    if (!row.note.empty()) json["note"] = row.note;
    return json;
}

measurement parse_row(nlohmann::json const& json) {
    return {.id = json.at("id"),
            .type = parse_item_type(json.at("type")),
            .n = json.at("items"),
            .blocks = json.at("blocks"),
            .threads = json.at("threads"),
            .swept = json.value("swept", sweep::none),
            .time = {.median = json.at("us"),
                     .lower = json.at("lower_us"),
                     .upper = json.at("upper_us"),
                     .back_to_back = json.at("back_to_back_us"),
                     .runs = json.at("runs")},
            .ulps = json.value("ulps", 0.0),
            .bound_ulps = json.value("bound_ulps", 0.0),
            .note = json.value("note", "")};
}

nlohmann::ordered_json trial_json(trial const& one) {
    return {{"trial", one.name}, {"id", one.id},       {"items", one.n},     {"threads", one.threads},
            {"runs", one.runs},  {"right", one.right}, {"found", one.found}, {"exact", one.exact}};
}

trial parse_trial(nlohmann::json const& json) {
    return {.name = json.at("trial"),
            .id = json.at("id"),
            .n = json.at("items"),
            .threads = json.at("threads"),
            .runs = json.at("runs"),
            .right = json.at("right"),
            .found = json.at("found"),
            .exact = json.at("exact")};
}

/// `parse` of the text as JSON; what is wrong with it is thrown with the file's name.
template <class Parse>
auto parsed(std::string const& text, std::string const& file, Parse parse) {
    try {
        return parse(nlohmann::json::parse(text));
    } catch (std::exception const& e) {
        throw std::runtime_error(file + ": " + e.what());
    }
}

std::string contents(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) throw std::runtime_error(path.string() + ": cannot be read");
    return text.str();
}

}  // namespace

double measurement::gbps() const {
    return static_cast<double>(n * size_of(type)) / time.median * 1e-3;
}

measurement const* study_results::find(std::string const& id, item_type type, std::uint64_t n) const {
    auto const found = std::find_if(rows.begin(), rows.end(), [&](measurement const& row) {
        return row.id == id && row.type == type && row.n == n && row.swept == sweep::none;
    });
    return found == rows.end() ? nullptr : &*found;
}

std::vector<measurement> study_results::rows_of(std::string const& id, item_type type, sweep swept) const {
    std::vector<measurement> found;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(found),
                 [&](measurement const& row) { return row.id == id && row.type == type && row.swept == swept; });
    return found;
}

trial const* study_results::find_trial(std::string const& name) const {
    auto const found = std::find_if(trials.begin(), trials.end(), [&](trial const& one) { return one.name == name; });
    return found == trials.end() ? nullptr : &*found;
}

study_results const* measurements::study(std::string const& name) const {
    auto const found = std::find_if(studies.begin(), studies.end(), [&](auto const& one) { return one.study == name; });
    return found == studies.end() ? nullptr : &*found;
}

measurements const& own_measurements() {
    static measurements const own = [] {
        measurements all;
        for (data::named_text const& file : data::results) {
            all.studies.push_back(parse_results(std::string(file.text), std::string(file.name)));
        }
        all.counters = parse_counters(data::hardware_counters);
        for (data::named_text const& file : data::hazards) all.hazards = parse_hazards(file.text);
        return all;
    }();
    return own;
}

measurements read_measurements(std::string const& folder) {
    namespace fs = std::filesystem;
    if (!fs::is_directory(folder)) throw std::runtime_error(folder + ": expected a folder of results");
    std::vector<fs::path> files;
    for (fs::directory_entry const& entry : fs::directory_iterator(folder)) {
        std::string const name = entry.path().filename().string();
        if (name.starts_with("lab-") && name.ends_with(".json")) files.push_back(entry.path());
    }
    if (files.empty()) throw std::runtime_error(folder + ": expected lab-A.json or the like in it");
    std::sort(files.begin(), files.end());
    measurements all;
    for (fs::path const& file : files) all.studies.push_back(parse_results(contents(file), file.string()));
    fs::path const counters = fs::path(folder) / "counters.csv";
    if (fs::exists(counters)) all.counters = parse_counters(contents(counters));
    fs::path const races = fs::path(folder) / "races.csv";
    if (fs::exists(races)) all.hazards = parse_hazards(contents(races));
    return all;
}

std::string file_text(study_results const& results) {
    nlohmann::ordered_json const head{
        {"study", results.study},
        {"gpu", results.gpu.name},
        {"driver", results.gpu.driver},
        {"cuda", results.gpu.cuda},
        {"peak_gb_per_s", rounded(results.gpu.peak_gbps, 1)},
        {"date", results.date},
        {"commit", results.commit},
        {"method",
         "microseconds of all launches by events; the second-level cache flushed before each run: median and "
         "quartiles; back_to_back_us: a run of many. Random items; every answer checked"}};
    std::string text = head.dump(1);
    text.resize(text.rfind('\n'));
    text += ",\n \"rows\": [";
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
        measurement const& row = results.rows[i];
        text += (i == 0 ? "\n  " : ",\n  ") + row_json(row, results.find(read_limit, row.type, row.n)).dump();
    }
    for (std::size_t i = 0; i < results.trials.size(); ++i) {
        text += (i == 0 ? "\n ],\n \"trials\": [\n  " : ",\n  ") + trial_json(results.trials[i]).dump();
    }
    return text + "\n ]\n}\n";
}

std::vector<measurement> parse_rows(std::string const& text, std::string const& file) {
    return parsed(text, file, [](nlohmann::json const& json) {
        std::vector<measurement> rows;
        for (auto const& row : json.at("rows")) rows.push_back(parse_row(row));
        return rows;
    });
}

study_results parse_results(std::string const& text, std::string const& file) {
    study_results results = parsed(text, file, [](nlohmann::json const& json) {
        gpu const measured_on{.name = json.at("gpu"),
                              .driver = json.at("driver"),
                              .cuda = json.at("cuda"),
                              .peak_gbps = json.at("peak_gb_per_s")};
        study_results head{json.at("study"), json.at("date"), json.at("commit"), measured_on, {}};
        for (auto const& one : json.value("trials", nlohmann::json::array())) head.trials.push_back(parse_trial(one));
        return head;
    });
    results.rows = parse_rows(text, file);
    return results;
}

}  // namespace warpfold::lab
