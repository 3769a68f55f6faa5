#include "fold_files.hpp"
#include "folds.hpp"

namespace warpfold::app {

std::vector<result_row> fold_product(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::product>("prod", files, request);
}

std::vector<result_row> fold_logsumexp(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::logsumexp>("logsumexp", files, request);
}

std::vector<result_row> fold_count(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::count>("count", files, request);
}

std::vector<result_row> fold_any(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::any>("any", files, request);
}

std::vector<result_row> fold_all(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::all>("all", files, request);
}

}  // namespace warpfold::app
