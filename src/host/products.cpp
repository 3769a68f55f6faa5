// Products: 128-bit multiplications, several chains at once so that none waits for its own latency.
#include "route_table.hpp"

namespace warpfold::host {
namespace {

struct kernel {
    static constexpr int chains = 4;

    template <class T>
    static void run(folds::products<T> const& gather, typename folds::products<T>::state& s, T const* items,
                    index_t count, index_t first) {
        typename folds::products<T>::state chain[chains] = {};
        index_t i = 0;
        for (; i + chains <= count; i += chains)
            for (int c = 0; c < chains; ++c) gather.step(chain[c], items[i + c], first + i + c);
        for (; i < count; ++i) gather.step(s, items[i], first + i);
        for (auto const& part : chain) gather.merge(s, part);
    }
};

}  // namespace

void run_products(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<kernel, for_numbers<routes::products>>::run(route, state, items, count, first);
}

}  // namespace warpfold::host
