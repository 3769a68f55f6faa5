// One fold over files: from the family's template to a function of the command line.
#pragma once

#include "gather.hpp"

namespace warpfold::app {

/// The error of an outcome that is none; `subject` is what was folded.
void require_ok(status state, std::string_view subject, std::string_view fold, bool skip_nan);

/// How errors call what was folded: the file, or how many.
std::string subject_of(std::vector<std::string> const& files, source const& first);

/// fold.finish(state) as an answer, which --float64 widens where the fold has no wider one: the least of float32 items
/// is a float32. Throws where the fold has none.
template <class Fold, class State>
answer finish(Fold fold, State const& state, std::string_view subject, std::string_view name,
              fold_request const& request) {
    if constexpr (requires { fold.ddof; }) fold.ddof = request.ddof;
    auto const result = wf::detail::as_outcome(fold.finish(state));
    require_ok(result.state, subject, name, request.skip_nan);
    answer const value = answer_of(result.value);
    auto const* const narrow = std::get_if<float>(&value);
    return narrow && request.float64 ? answer{double{*narrow}} : value;
}

/// Calls visitor.template operator()<fold_options>() with the options of `request` that make a difference for items of
/// type T: integers know no NaN, and double results are as wide as they get.
template <class T, class Visitor>
decltype(auto) visit_options(fold_request const& request, Visitor&& visitor) {
    constexpr bool narrow_float = is_float<T> && !std::is_same_v<T, double>;
    if constexpr (narrow_float) {
        if (request.float64) {
            if (request.skip_nan) return visitor.template operator()<fold_options{true, true}>();
            return visitor.template operator()<fold_options{false, true}>();
        }
    }
    if constexpr (is_float<T>) {
        if (request.skip_nan) return visitor.template operator()<fold_options{true, false}>();
    }
    return visitor.template operator()<fold_options{false, false}>();
}

/// The value of `Fold` over `files`; `name` is what its errors call it.
template <template <class, fold_options> class Fold>
std::vector<result_row> fold_files(std::string_view name, std::vector<std::string> const& files,
                                   fold_request const& request) {
    auto first = open_source(files[0], request.read);
    dtype const type = first->type();
    auto const columns = first->columns();
    if (columns.size() != 1)
        throw data_error(
            first->name(), "columns",
            fmt::format("expected one column for {}, found {}; choose with --column NAME", name, columns.size()));
    std::string const subject = subject_of(files, *first);
    return visit(type, [&]<class T>() {
        return visit_options<T>(request, [&]<fold_options Options>() {
            using fold = Fold<T, Options>;
            using gather = typename gather_of<fold>::type;
            auto const [states, items] = gather_files<T, gather>(std::move(first), files, request);
            answer const value = finish(fold{}, states[0], subject, name, request);
            return std::vector<result_row>{{columns[0], type, items, {value}}};
        });
    });
}

}  // namespace warpfold::app
