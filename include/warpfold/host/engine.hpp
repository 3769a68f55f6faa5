// The host engine: chunks over threads, tiles over a chunk, SIMD over a tile.
#pragma once

#include <utility>

#include "../composite.hpp"
#include "../together.hpp"
#include "environment.hpp"
#include "parallel.hpp"
#include "simd.hpp"

namespace warpfold::host {

/// Takes `count` items that lie side by side, the first of them at position `first`.
template <class F, class Item>
void steps(F const& f, typename F::state& s, Item const* items, index_t count, index_t first) {
    if constexpr (routed<F> && !takes_columns<F>) {
        using route = route_of<F>;
        route::function(route::list::template position<F>, &s, items, count, first);
    } else {
        for (index_t i = 0; i < count; ++i) f.step(s, items[i], first + i);
    }
}
template <class... Gathers, class Item>
void steps(gathers<Gathers...> const& f, typename gathers<Gathers...>::state& s, Item const* items, index_t count,
           index_t first) {
    f.each([&](auto const& member, auto& part) { steps(member, part, items, count, first); }, s);
}

/// Items of a tile: what one load brings where an input has no memory of its own, well within a core's cache.
template <class Item>
inline constexpr index_t tile_items = items_in<Item>(index_t{1} << 16);

/// Whether an input is memory as it lies.
template <class Input>
inline constexpr bool is_contiguous = false;
template <class T>
inline constexpr bool is_contiguous<contiguous<T>> = true;

/// Whether a fold reads an input where it lies, with no load between.
template <class F, class Input>
inline constexpr bool reads_in_place = is_contiguous<Input>;
template <class F, class A, class B>
inline constexpr bool reads_in_place<F, zipped<A, B>> =
    routed<F> && takes_columns<F> && is_contiguous<A> && is_contiguous<B>;

/// How often a fold passes over items: each of several members in turn.
template <class F>
inline constexpr std::size_t passes = 1;
template <class... Gathers>
inline constexpr std::size_t passes<gathers<Gathers...>> = sizeof...(Gathers);

/// Takes one tile: the items [first, first + count) of `in`; positions count from `origin`.
template <class F, class Input>
void fold_tile(F const& f, typename F::state& s, Input const& in, index_t first, index_t count, index_t origin) {
    using item = typename Input::value_type;
    if constexpr (is_contiguous<Input>) {
        steps(f, s, in.load(first, count, nullptr), count, origin + first);
    } else if constexpr (is_zipped<Input> && routed<F> && takes_columns<F>) {
        using value = decltype(item::first);
        value buffers[2][reads_in_place<F, Input> ? 1 : tile_items<item>];
        columns<value> const pairs{in.first.load(first, count, buffers[0]), in.second.load(first, count, buffers[1])};
        using route = route_of<F>;
        route::function(route::list::template position<F>, &s, &pairs, count, origin + first);
    } else {
        if (count <= 0) return;  // never, and GCC sees that `load` fills the buffer
        item buffer[tile_items<item>];
        item const* items = in.load(first, count, buffer);
        if constexpr (is_masked<Input>) {
            typename std::remove_cvref_t<decltype(in.mask)>::value_type mask_buffer[tile_items<item>];
            auto const* mask = in.mask.load(first, count, mask_buffer);
            for (index_t i = 0; i < count; ++i)
                if (mask[i]) f.step(s, items[i], origin + first + i);
        } else {
            steps(f, s, items, count, origin + first);
        }
    }
}

/// Takes the items [begin, end) of `in`; positions count from `origin`.
template <class F, class Input>
void fold_range(F const& f, typename F::state& s, Input const& in, index_t begin, index_t end, index_t origin) {
    using item = typename Input::value_type;
    index_t tile = tile_items<item>;
    if constexpr (reads_in_place<F, Input>) {
        tile = end - begin;
        if (passes<F> > 1) tile = items_in<item>(bytes_a_pass(tile * static_cast<index_t>(sizeof(item))));
    }
    for (index_t first = begin; first < end; first += tile) {
        if constexpr (requires { f.settled(s); }) {
            if (f.settled(s)) return;
        }
        fold_tile(f, s, in, first, end - first < tile ? end - first : tile, origin);
    }
}

/// A fold over an input, as work that threads share.
template <class F, class Input>
class fold_work final : public ordered_work {
  public:
    /// Ranges begin at `start`; the items before it go with the first one.
    fold_work(F const& f, Input const& in, index_t origin, index_t start)
        : fold_{f}, input_{in}, origin_{origin}, start_{start}, state_{f.identity()} {}

    void run(index_t begin, index_t end) override {
        default_environment const environment;
        if (begin == start_) {
            if constexpr (takes_unaligned<F> && reads_in_place<F, Input>) begin = 0;
            else take_first();
        }
        fold_range(fold_, state_, input_, begin, end, origin_);
    }
    std::unique_ptr<ordered_work> split() const override {
        return std::make_unique<fold_work>(fold_, input_, origin_, start_);
    }
    void join(ordered_work& later) override {
        default_environment const environment;
        fold_.merge(state_, static_cast<fold_work&>(later).state_);
    }

    typename F::state const& state() const { return state_; }

  private:
    /// At most 63 items, one by one.
    void take_first() {
        for (index_t i = 0; i < start_; ++i) {
            typename Input::value_type buffer[1];
            fold_.step(state_, *input_.load(i, 1, buffer), origin_ + i);
        }
    }

    F const& fold_;
    Input const& input_;
    index_t origin_, start_;
    typename F::state state_;
};

/// Where chunks begin: at a 64-byte boundary, as vectors that straddle cache lines cost a third of the rate (float64
/// sum, 1 GiB, AVX-512: 17 instead of 26 GB/s a core).
template <class Input>
index_t unaligned_items(Input const& in) {
    if constexpr (is_zipped<Input>) {
        return unaligned_items(in.first);
    } else if constexpr (is_contiguous<Input>) {
        return unaligned_items(in.load(0, 0, nullptr), in.size());
    } else {
        return 0;
    }
}

/// The state of `f` after every item of `in`; positions count from `origin`.
template <class F, class Input>
typename F::state gather(F const& whole_fold, Input const& in, options const& how = {}, index_t origin = 0) {
    using item = typename Input::value_type;
    using reader = typename gather_of<F>::type;
    reader const& f = whole_fold;
    index_t const count = in.size(), start = unaligned_items(in);
    index_t const asked = how.chunk > 0 ? how.chunk : items_in<item>(index_t{1} << 18);
    index_t const chunk = asked < count ? asked : count + (count == 0);
    fold_work<reader, Input> work{f, in, origin, start};
    if (count == start) work.run(start, count);
    if constexpr (requires { f.settled(work.state()); }) {
        // Ever longer stretches, so that an early end leaves most of a long input unread.
        index_t length = chunk;
        for (index_t begin = start; begin < count && !f.settled(work.state()); length *= 4) {
            index_t const end = count - begin < length ? count : begin + length;
            run_parallel(work, begin, end, chunk, how.threads);
            begin = end;
        }
    } else {
        run_parallel(work, start, count, chunk, how.threads);
    }
    return work.state();
}

}  // namespace warpfold::host
