// What was measured of a study, as tables beside the published figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/studies.hpp"

namespace warpfold::lab {

/// A study's figure of the kernel over n items: a time where it has one, otherwise a rate.
struct published_figure {
    std::string text;  // "0.187 ms", "3100–3200 GB/s"
    double gbps;       // the lower end of a range
};

std::optional<published_figure> published_figure_of(std::string const& study, std::string const& id, item_type type,
                                                    std::uint64_t n);

/// All tables of a study, as text.
std::string text(study_results const& results);

/// The tables at the study's own sizes and those of launch shapes, as Markdown.
std::string markdown(study_results const& results);

/// The GPU that the study named.
std::string published_gpu(std::string const& study);

/// "C2 sequential".
std::string label_of(std::string const& id);

/// "2^20", "50M", "100k": a number of items.
std::string short_number(std::uint64_t n);

}  // namespace warpfold::lab
