// From a list of gathers to a table of functions, within one SIMD target.
#pragma once

#include "warpfold/host/simd.hpp"

namespace warpfold::host {

/// Kernel::run(gather, state, items, count, first) for every gather of a list, by its place in the list.
template <class Kernel, class List>
struct route_table;

template <class Kernel, class... Gathers>
struct route_table<Kernel, types<Gathers...>> {
    template <class Gather>
    static void call(void* state, void const* items, index_t count, index_t first) {
        auto& s = *static_cast<typename Gather::state*>(state);
        if constexpr (takes_columns<Gather>) {
            using value = decltype(Gather::item::first);
            Kernel::run(Gather{}, s, *static_cast<columns<value> const*>(items), count, first);
        } else {
            Kernel::run(Gather{}, s, static_cast<typename Gather::item const*>(items), count, first);
        }
    }

    static void run(std::size_t route, void* state, void const* items, index_t count, index_t first) {
        using function = void(void*, void const*, index_t, index_t);
        static constexpr function* table[] = {&call<Gathers>...};
        table[route](state, items, count, first);
    }
};

}  // namespace warpfold::host
