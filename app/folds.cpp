#include "folds.hpp"

#include <fmt/format.h>

#include <map>

#include "command.hpp"
#include "file_options.hpp"

namespace warpfold::app {
namespace {

struct fold_command {
    char const* name;
    char const* does;
    char const* example;
    fold_function* fold;
};

constexpr fold_command fold_commands[] = {
    {"sum", "The sum, correctly rounded", "warpfold sum --skip-nan delays.npy", fold_sum},
    {"prod", "The product, correctly rounded", "warpfold prod factors.npy", fold_product},
    {"mean", "The mean, rounded once", "warpfold mean --column price orders.csv", fold_mean},
    {"var", "The variance, rounded once", "warpfold var --ddof 1 sample.npy", fold_variance},
    {"std", "The standard deviation, rounded once", "warpfold std --ddof 1 sample.npy", fold_standard_deviation},
    {"min", "The least item", "warpfold min --dtype int16 samples.raw", fold_min},
    {"max", "The greatest item", "zcat big.npy.gz | warpfold max -", fold_max},
    {"argmin", "Where the least item is: its lowest position, from 0, in C order", "warpfold argmin image.npy",
     fold_argmin},
    {"argmax", "Where the greatest item is: its lowest position, from 0, in C order", "warpfold argmax image.npy",
     fold_argmax},
    {"norm", "The L2 norm, rounded once; others with --ord", "warpfold norm --ord inf residual.npy", fold_norm_l2},
    {"logsumexp", "The logarithm of the sum of exponentials", "warpfold logsumexp scores.npy", fold_logsumexp},
    {"count", "How many items there are; with --skip-nan, how many are not NaN", "warpfold count --skip-nan delays.npy",
     fold_count},
    {"any", "Whether an item is not zero", "warpfold any mask.npy", fold_any},
    {"all", "Whether no item is zero", "warpfold all mask.npy", fold_all},
};

std::string text_lines(std::vector<file_result> const& results) {
    std::string text;
    for (auto const& result : results) {
        std::string const value = text_of(*result.rows[0].answers[0]);
        text += results.size() == 1 ? value + "\n" : fmt::format("{}: {}\n", printable(result.files[0]), value);
    }
    return text;
}

std::string json_lines(std::vector<file_result> const& results, std::string_view fold) {
    std::string text;
    for (auto const& result : results) {
        auto const& row = result.rows[0];
        text += fmt::format("{{{},\"fold\":\"{}\",\"type\":\"{}\",\"items\":{},\"result\":{}}}\n",
                            json_place(result, row), fold, name_of(row.type), row.items, json_of(*row.answers[0]));
    }
    return text;
}

}  // namespace

void add_folds(command const& program) {
    for (auto const& entry : fold_commands) {
        std::string const name = entry.name;
        command const added = program.add_command(name, entry.does);
        added.footer(fmt::format("Example:\n  {}\nWith several FILEs: a line each, FILE: ANSWER.", entry.example));
        auto options = add_file_options(added);
        if (name == "var" || name == "std")
            added.option("--ddof", options->request.ddof, "divide by the number of items less this (default 0)")
                .type_name("N")
                .from_to(0);
        auto fold = std::make_shared<fold_function*>(entry.fold);
        if (name == "norm") {
            static std::map<std::string, fold_function*> const orders{
                {"1", fold_norm_l1}, {"2", fold_norm_l2}, {"inf", fold_norm_linf}};
            auto const take_order = [fold](std::string const& order) {
                auto const found = orders.find(order);
                if (found == orders.end()) throw std::invalid_argument("expected 1, 2 or inf; found " + printable(order));
                *fold = found->second;
            };
            added
                .parsed_option("--ord", take_order,
                               "1: sum of |x|; 2: root of the sum of squares (default); inf: greatest |x|")
                .type_name("P");
        }
        added.callback([options, fold, name] {
            auto const results = fold_each(*options, **fold);
            print(options->json ? json_lines(results, name) : text_lines(results));
        });
    }
}

}  // namespace warpfold::app
