#include "fold_files.hpp"
#include "folds.hpp"

namespace warpfold::app {

std::vector<result_row> fold_variance(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::variance>("var", files, request);
}

std::vector<result_row> fold_standard_deviation(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::standard_deviation>("std", files, request);
}

std::vector<result_row> fold_norm_l2(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::norm_l2>("norm", files, request);
}

}  // namespace warpfold::app
