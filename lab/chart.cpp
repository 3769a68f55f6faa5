#include "lab/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "lab/tables.hpp"

namespace warpfold::lab {
namespace {

constexpr double plot_width = 640;  // pixels, of the area inside the axes
constexpr double plot_height = 340;
constexpr double left = 78;        // before it: room for the rates
constexpr double legend = 250;     // after it
constexpr double heading = 74;     // above the first panel
constexpr double panel = 450;      // from panel to panel
constexpr double above_plot = 30;  // of a panel: room for its title

constexpr char const* style_sheet = R"(<style>
text { font-family: Helvetica, Arial, sans-serif; font-size: 13px; fill: #1c2530; }
.title { font-size: 18px; font-weight: bold; }
.panel { font-size: 15px; font-weight: bold; }
.note { font-size: 12px; fill: #5b6775; }
.x { text-anchor: middle; }
.y { text-anchor: end; }
.grid { stroke: #e3e7eb; stroke-width: 1; }
.axis { stroke: #5b6775; stroke-width: 1.2; fill: none; }
.curve { fill: none; stroke-width: 2; stroke-linejoin: round; }
.limit { stroke: #1c2530; stroke-dasharray: 6 4; stroke-width: 1.6; }
</style>
)";

// Colours that differ for the colour-blind as far as so many can; marks are round and square in turn.
constexpr char const* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
                                   "#7f3c8d", "#8c510a", "#b2182b", "#1b7837", "#525252", "#2c3e90"};
constexpr char const* limit_colour = "#1c2530";

struct point {
    double n;
    double gbps;
};

struct curve {
    std::string label;
    std::string colour;
    bool is_limit;
    bool square;  // marks; round otherwise
    std::vector<point> measured;
    std::vector<point> published;
};

/// Where numbers lie on the page.
class axes {
  public:
    axes(comparison const& plan, std::vector<curve> const& curves, double top) : log_(plan.log_rate), top_(top) {
        least_n_ = static_cast<double>(plan.sizes.front());
        most_n_ = static_cast<double>(plan.sizes.back());
        double least = 1e30;
        double most = 0;
        for (curve const& one : curves) {
            for (auto const* points : {&one.measured, &one.published}) {
                for (point const& at : *points) {
                    least = std::min(least, at.gbps);
                    most = std::max(most, at.gbps);
                }
            }
        }
        least_ = log_ ? std::pow(10, std::floor(std::log10(least))) : 0;
        most_ = log_ ? std::pow(10, std::ceil(std::log10(most))) : std::ceil(most / 1000) * 1000;
    }
    double x(double n) const {
        return left + plot_width * (0.03 + 0.94 * std::log(n / least_n_) / std::log(most_n_ / least_n_));
    }
    double y(double gbps) const {
        double const share = log_ ? std::log(gbps / least_) / std::log(most_ / least_) : gbps / most_;
        return top_ + plot_height * (1 - share);
    }
    double top() const { return top_; }
    double bottom() const { return top_ + plot_height; }
    std::vector<double> rates() const {
        std::vector<double> ticks;
        for (double at = log_ ? least_ : 0; at <= most_ * 1.001; at = log_ ? at * 10 : at + 1000) ticks.push_back(at);
        return ticks;
    }

  private:
    bool log_;
    double top_;
    double least_n_, most_n_, least_, most_;
};

std::vector<curve> curves_of(study_results const& results, comparison const& plan) {
    std::vector<curve> curves;
    std::vector<std::string> ids{read_limit};
    ids.insert(ids.end(), plan.ids.begin(), plan.ids.end());
    for (std::string const& id : ids) {
        bool const is_limit = id == read_limit;
        std::size_t const turn = curves.size() + std::size(colours) - 1;  // the limit is the first and has its own
        curve one{.label = label_of(id),
                  .colour = is_limit ? limit_colour : colours[turn % std::size(colours)],
                  .is_limit = is_limit,
                  .square = curves.size() % 2 == 0,
                  .measured = {},
                  .published = {}};
        for (std::uint64_t const n : plan.sizes) {
            if (measurement const* row = results.find(id, plan.type, n)) {
                one.measured.push_back({static_cast<double>(n), row->gbps()});
            }
            if (auto const there = published_figure_of(results.study, id, plan.type, n)) {
                one.published.push_back({static_cast<double>(n), there->gbps});
            }
        }
        if (!one.measured.empty()) curves.push_back(std::move(one));
    }
    return curves;
}

void mark(std::string& svg, curve const& one, double x, double y) {
    if (one.is_limit) return;
    if (one.square)
        fmt::format_to(std::back_inserter(svg),
                       "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\" fill=\"{}\"/>\n", x - 3.5, y - 3.5,
                       one.colour);
    else
        fmt::format_to(std::back_inserter(svg), "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\" fill=\"{}\"/>\n", x, y,
                       one.colour);
}

void draw_frame(std::string& svg, comparison const& plan, axes const& on) {
    auto const out = std::back_inserter(svg);
    double const right = left + plot_width;
    for (double const rate : on.rates()) {
        double const y = on.y(rate);
        fmt::format_to(out,
                       "<line class=\"grid\" x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\"/>\n"
                       "<text class=\"y\" x=\"{3}\" y=\"{4:.1f}\">{5:g}</text>\n",
                       left, y, right, left - 8, y + 4, rate);
    }
    std::size_t const step = plan.sizes.size() > 10 ? 2 : 1;
    for (std::size_t i = (plan.sizes.size() - 1) % step; i < plan.sizes.size(); i += step) {
        double const x = on.x(static_cast<double>(plan.sizes[i]));
        std::string label = short_number(plan.sizes[i]);
        if (label.starts_with("2^"))
            label = fmt::format("2<tspan dy=\"-5\" font-size=\"10\">{}</tspan>", label.substr(2));
        fmt::format_to(out,
                       "<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>\n"
                       "<text class=\"x\" x=\"{0:.1f}\" y=\"{3}\">{4}</text>\n",
                       x, on.top(), on.bottom(), on.bottom() + 20, label);
    }
    fmt::format_to(out,
                   "<path class=\"axis\" d=\"M{0} {1}V{2}H{3}\"/>\n"
                   "<text class=\"x\" x=\"{4}\" y=\"{5}\">items (logarithmic)</text>\n"
                   "<text class=\"x\" transform=\"translate(20 {6}) rotate(-90)\">bytes read, GB/s{7}</text>\n",
                   left, on.top(), on.bottom(), right, left + plot_width / 2, on.bottom() + 42,
                   on.top() + plot_height / 2, plan.log_rate ? " (logarithmic)" : "");
}

void draw_curve(std::string& svg, curve const& one, axes const& on) {
    auto const out = std::back_inserter(svg);
    for (point const& at : one.published) {
        fmt::format_to(out,
                       "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" fill=\"#ffffff\" stroke=\"{}\" "
                       "stroke-width=\"1.6\"/>\n",
                       on.x(at.n), on.y(at.gbps), one.colour);
    }
    fmt::format_to(out, "<polyline class=\"{}\" stroke=\"{}\" points=\"", one.is_limit ? "curve limit" : "curve",
                   one.colour);
    for (point const& at : one.measured) fmt::format_to(out, "{:.1f},{:.1f} ", on.x(at.n), on.y(at.gbps));
    svg += "\"/>\n";
    for (point const& at : one.measured) mark(svg, one, on.x(at.n), on.y(at.gbps));
}

/// The curves' names, in the order of their last points.
void draw_legend(std::string& svg, std::vector<curve> curves, std::string const& published_on, axes const& on) {
    std::stable_sort(curves.begin(), curves.end(), [](curve const& a, curve const& b) {
        return a.measured.back().n != b.measured.back().n ? a.measured.back().n > b.measured.back().n
                                                          : a.measured.back().gbps > b.measured.back().gbps;
    });
    auto const out = std::back_inserter(svg);
    double const x = left + plot_width + 22;
    double y = on.top() + 8;
    for (curve const& one : curves) {
        fmt::format_to(out,
                       "<line class=\"curve{}\" stroke=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n"
                       "<text x=\"{}\" y=\"{}\">{}</text>\n",
                       one.is_limit ? " limit" : "", one.colour, x, y, x + 28, y, x + 36, y + 4, one.label);
        mark(svg, one, x + 14, y);
        y += 21;
    }
    bool const any_published =
        std::any_of(curves.begin(), curves.end(), [](curve const& one) { return !one.published.empty(); });
    if (any_published) {
        fmt::format_to(out,
                       "<circle cx=\"{}\" cy=\"{}\" r=\"4.5\" fill=\"#ffffff\" stroke=\"#5b6775\" "
                       "stroke-width=\"1.6\"/>\n<text class=\"note\" x=\"{}\" y=\"{}\">published, {}</text>\n",
                       x + 14, y + 6, x + 36, y + 10, published_on);
    }
}

}  // namespace

std::string chart(study_results const& results) {
    study_plan const& plan = plan_of(results.study);
    double const width = left + plot_width + legend;
    double const height = heading + panel * static_cast<double>(plan.comparisons.size()) - 10;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        "<text class=\"title\" x=\"20\" y=\"30\">Study {3} on {4}</text>\n"
        "<text class=\"note\" x=\"20\" y=\"52\">Medians, by events, the cache flushed before each run. Driver {5}, "
        "CUDA {6}, {7}, commit {8}"
        "</text>\n",
        width, height, style_sheet, results.study, results.gpu.name, results.gpu.driver, results.gpu.cuda, results.date,
        results.commit);
    for (std::size_t i = 0; i < plan.comparisons.size(); ++i) {
        comparison const& one = plan.comparisons[i];
        double const top = heading + panel * static_cast<double>(i);
        fmt::format_to(std::back_inserter(svg), "<text class=\"panel\" x=\"{}\" y=\"{}\">{}</text>\n", left, top + 16,
                       one.title);
        std::vector<curve> const curves = curves_of(results, one);
        if (curves.empty()) continue;
        axes const on(one, curves, top + above_plot);
        draw_frame(svg, one, on);
        for (curve const& drawn : curves) draw_curve(svg, drawn, on);
        draw_legend(svg, curves, published_gpu(results.study), on);
    }
    return svg + "</svg>\n";
}

}  // namespace warpfold::lab
