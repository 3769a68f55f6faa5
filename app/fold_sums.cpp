#include "fold_files.hpp"
#include "folds.hpp"

namespace warpfold::app {

std::vector<result_row> fold_sum(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::sum>("sum", files, request);
}

std::vector<result_row> fold_mean(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::mean>("mean", files, request);
}

std::vector<result_row> fold_norm_l1(std::vector<std::string> const& files, fold_request const& request) {
    return fold_files<folds::norm_l1>("norm", files, request);
}

}  // namespace warpfold::app
