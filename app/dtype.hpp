// The item types that a file can hold, named at run time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpfold::app {

enum class dtype : std::uint8_t {
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    float32,
    float64
};

struct dtype_fact {
    std::string_view name;
    std::int64_t size;  ///< bytes an item
};

inline constexpr std::array<dtype_fact, 13> dtype_facts{{{"bool", 1},
                                                         {"int8", 1},
                                                         {"int16", 2},
                                                         {"int32", 4},
                                                         {"int64", 8},
                                                         {"uint8", 1},
                                                         {"uint16", 2},
                                                         {"uint32", 4},
                                                         {"uint64", 8},
                                                         {"float16", 2},
                                                         {"bfloat16", 2},
                                                         {"float32", 4},
                                                         {"float64", 8}}};

constexpr std::string_view name_of(dtype type) {
    return dtype_facts[static_cast<std::size_t>(type)].name;
}
constexpr std::int64_t item_size(dtype type) {
    return dtype_facts[static_cast<std::size_t>(type)].size;
}

constexpr std::optional<dtype> dtype_named(std::string_view name) {
    for (std::size_t i = 0; i < dtype_facts.size(); ++i) {
        if (dtype_facts[i].name == name) return static_cast<dtype>(i);
    }
    return std::nullopt;
}

}  // namespace warpfold::app
