#include "fold_files.hpp"
#include "folds.hpp"

namespace warpfold::app {

std::vector<result_row> fold_min(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::min>("min", files, request);
}

std::vector<result_row> fold_max(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::max>("max", files, request);
}

std::vector<result_row> fold_argmin(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::argmin>("argmin", files, request);
}

std::vector<result_row> fold_argmax(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::argmax>("argmax", files, request);
}

std::vector<result_row> fold_norm_linf(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::norm_linf>("norm", files, request);
}

}  // namespace warpfold::app
