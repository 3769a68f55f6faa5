#include "answer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace warpfold::app {

std::string text_of(answer const& value) {
    return std::visit(
        [](auto x) -> std::string {
            // The sign of a NaN means nothing; fmt would print it.
            if constexpr (std::is_floating_point_v<decltype(x)>)
                if (std::isnan(x)) return "nan";
            return fmt::format("{}", x);
        },
        value);
}

std::string json_of(answer const& value) {
    bool const finite = std::visit([](auto x) { return std::isfinite(static_cast<double>(x)); }, value);
    return finite ? text_of(value) : fmt::format("\"{}\"", text_of(value));
}

std::string json_of(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace warpfold::app
