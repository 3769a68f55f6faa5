#include "file_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"

namespace warpfold::app {
namespace {

std::string dtype_list() {
    std::string list;
    for (auto const& fact : dtype_facts) list += fmt::format("{}{}", list.empty() ? "" : ", ", fact.name);
    return list;
}

}  // namespace

std::shared_ptr<file_options> add_file_options(command const& to) {
    auto options = std::make_shared<file_options>();
    auto& request = options->request;
    to.option("FILE", options->files, ".npy, raw binary or CSV; - is standard input").required();
    auto const take_type = [options](std::string const& name) {
        options->request.read.raw_type = dtype_named(name);
        if (!options->request.read.raw_type)
            throw std::invalid_argument(fmt::format("expected one of {}; found {}", dtype_list(), printable(name)));
    };
    auto const type =
        to.parsed_option("--dtype", take_type,
                         "FILE holds nothing but items of this type, in this machine's byte order:\n" + dtype_list())
            .type_name("TYPE");
    to.option("--column", request.read.columns,
              "FILE is CSV with a header line: read this column, as float64. An empty cell,\n"
              "NA and nan are NaN; blank lines are skipped. May be given several times;\n"
              "without it, every column of a .csv FILE is read; 65536 at most")
        .type_name("NAME")
        .takes_one_value()
        .excludes(type);
    to.flag("--skip-nan", request.skip_nan, "leave NaN out instead of answering NaN");
    to.flag("--float64", request.float64, "answer in float64 where float32 is usual");
    to.flag("--concat", options->concat, "several FILEs are one array, one behind the other: one answer");
    to.flag("--json", options->json, "one JSON object a line; NaN and infinities are strings");
    to.option("--threads", request.threads,
              "at most this many threads (default: one a core); the answer is the same")
        .type_name("N")
        .from_to(1, 4096);
    return options;
}

std::vector<file_result> fold_each(file_options const& options, fold_function& fold) {
    if (std::count(options.files.begin(), options.files.end(), "-") > 1)
        throw usage_error("expected - once at most, as standard input can be read once");
    std::vector<file_result> results;
    if (options.concat) {
        results.push_back({options.files, fold(options.files, options.request)});
        return results;
    }
    for (auto const& file : options.files) results.push_back({{file}, fold({file}, options.request)});
    return results;
}

std::string json_place(file_result const& result, result_row const& row) {
    std::string place;
    if (result.files.size() == 1) {
        place = fmt::format("\"file\":{}", json_of(result.files[0]));
    } else {
        for (auto const& file : result.files) place += (place.empty() ? "\"files\":[" : ",") + json_of(file);
        place += ']';
    }
    if (!row.column.empty()) place += fmt::format(",\"column\":{}", json_of(row.column));
    return place;
}

}  // namespace warpfold::app
