#include "fold_files.hpp"

namespace warpfold::app {

void require_ok(status state, std::string_view subject, std::string_view fold, bool skip_nan) {
    switch (state) {
        case status::ok:
            return;
        case status::empty:
            throw data_error(
                subject, fold,
                skip_nan ? "expected an item that is not NaN, found none" : "expected an item, found none");
        case status::overflow:
            throw data_error(subject, fold, "expected a result that fits a 64-bit integer, found a larger one");
        case status::undecided:
            throw data_error(subject, fold,
                             "expected a product that can be rounded, found one too close to a boundary");
    }
}

std::string subject_of(std::vector<std::string> const& files, source const& first) {
    return files.size() == 1 ? first.name() : fmt::format("{} files", files.size());
}

}  // namespace warpfold::app
