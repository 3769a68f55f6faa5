#include "fold_files.hpp"
#include "folds.hpp"

namespace warpfold::app {
namespace {

/// Everything that `statistics` names, from two states.
template <class T>
using stats_gather = gathers<folds::power_sums<T, folds::powers::both>, folds::extrema<T, true>>;

template <class T, fold_options Options>
std::vector<std::optional<answer>> statistics_of(typename stats_gather<T>::state const& state, std::string_view subject,
                                                 fold_request const& request) {
    auto const& sums = get<0>(state);
    auto const& extremes = get<1>(state);
    auto const value = [&](auto const& fold, auto const& part, std::string_view name) {
        return finish(fold, part, subject, name, request);
    };
    std::vector<std::optional<answer>> answers{
        extremes.items,
        extremes.nans,
        value(folds::sum<T, Options>{}, sums, "sum"),
        value(folds::mean<T, Options>{}, sums, "mean"),
        value(folds::standard_deviation<T, Options>{}, sums, "std"),
    };
    if (extremes.items > (Options.skip_nan ? extremes.nans : 0)) {
        answers.emplace_back(value(folds::min<T, Options>{}, extremes, "min"));
        answers.emplace_back(value(folds::argmin<T, Options>{}, extremes, "argmin"));
        answers.emplace_back(value(folds::max<T, Options>{}, extremes, "max"));
        answers.emplace_back(value(folds::argmax<T, Options>{}, extremes, "argmax"));
    } else {
        answers.resize(answers.size() + 4);
    }
    answers.emplace_back(value(folds::norm_l2<T, Options>{}, sums, "norm"));
    return answers;
}

}  // namespace

std::vector<result_row> fold_stats(std::vector<std::string> const& files, fold_request const& request) {
    auto first = open_source(files[0], request.read);
    dtype const type = first->type();
    auto const columns = first->columns();
    std::string const subject = subject_of(files, *first);
    return visit(type, [&]<class T>() {
        auto const [states, items] = gather_files<T, stats_gather<T>>(std::move(first), files, request);
        std::vector<result_row> rows;
        for (std::size_t i = 0; i < states.size(); ++i) {
            auto answers = visit_options<T>(request, [&]<fold_options Options>() {
                return statistics_of<T, Options>(states[i], subject, request);
            });
            rows.push_back({columns[i], type, items, std::move(answers)});
        }
        return rows;
    });
}

}  // namespace warpfold::app
