// Lanes of several gathers: one of each, over the same items.
#pragma once

#include "../../together.hpp"
#include "../lane.hpp"
#include "../shortcut.hpp"
#include "../warp.hpp"

namespace warpfold::device {

/// A lane's near state; its brief one, where it has none.
template <class Lane, class Gather>
struct near_state_of {
    using type = decltype(Lane::brief(std::declval<Gather const&>(), std::declval<typename Lane::partial const&>(), index_t{},
                                      std::declval<spill_area const&>()));
};
template <class Lane, class Gather>
    requires lane_approximates<Lane>
struct near_state_of<Lane, Gather> {
    using type = typename Lane::near_state;
};

template <class State, class... States>
__device__ __forceinline__ pack<State, States...> prepend(State const& first, pack<States...> const& rest) {
    return {first, rest};
}

/// What lanes of several gathers ask of tuning.
constexpr lane_needs operator|(lane_needs const& a, lane_needs const& b) {
    return {a.takes_pairs || b.takes_pairs, true, a.tiles_ahead || b.tiles_ahead};
}

template <class... Lanes>
struct lane_pack;
template <>
struct lane_pack<> {
    static constexpr int spill_words = 0, private_words = 0;
    static constexpr lane_needs needs{};
};
template <class Lane, class... Rest>
struct lane_pack<Lane, Rest...> {
    static constexpr int spill_words = Lane::spill_words + lane_pack<Rest...>::spill_words;
    static constexpr int private_words = Lane::private_words + lane_pack<Rest...>::private_words;
    static constexpr lane_needs needs = [] {
        if constexpr (sizeof...(Rest) == 0) return Lane::needs;
        else return Lane::needs | lane_pack<Rest...>::needs;
    }();
    Lane head;
    lane_pack<Rest...> tail;

    template <class Gather, class... Others>
    __device__ __forceinline__ lane_pack(pack<Gather, Others...> const& members, thread_memory memory)
        : head(members.head, memory), tail(make_tail(members.tail, memory.from(Lane::private_words))) {}

    template <class T, int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t first, index_t stride, spill_area area) {
        head.take(x, first, stride, area);
        if constexpr (sizeof...(Rest) > 0) tail.take(x, first, stride, area.from(Lane::spill_words));
    }
    template <class Input, class Partials>
    __device__ __forceinline__ void settle(Input const& in, spill_area area, Partials& out) {
        out.head = head.settle(in, area);
        if constexpr (sizeof...(Rest) > 0) tail.settle(in, area.from(Lane::spill_words), out.tail);
    }

    template <class Members, class Partials>
    __device__ __forceinline__ static void identity(Members const& members, Partials& out) {
        out.head = Lane::identity(members.head);
        if constexpr (sizeof...(Rest) > 0) lane_pack<Rest...>::identity(members.tail, out.tail);
    }
    template <class Members, class Partials>
    __device__ __forceinline__ static void merge(Members const& members, Partials& p, Partials const& later) {
        Lane::merge(members.head, p.head, later.head);
        if constexpr (sizeof...(Rest) > 0) lane_pack<Rest...>::merge(members.tail, p.tail, later.tail);
    }
    template <class Members, class Partials>
    __device__ __forceinline__ static void merge_warp(Members const& members, Partials& p) {
        if constexpr (requires { Lane::merge_warp(members.head, p.head); })
            Lane::merge_warp(members.head, p.head);
        else
            device::merge_warp(p.head, [&](auto& one, auto const& later) { Lane::merge(members.head, one, later); });
        if constexpr (sizeof...(Rest) > 0) lane_pack<Rest...>::merge_warp(members.tail, p.tail);
    }
    template <class Partials>
    __device__ __forceinline__ static bool spilled(Partials const& p) {
        bool any = false;
        if constexpr (requires { Lane::spilled(p.head); }) any = Lane::spilled(p.head);
        if constexpr (sizeof...(Rest) > 0) any = any || lane_pack<Rest...>::spilled(p.tail);
        return any;
    }
    template <class Partials>
    __device__ __forceinline__ static std::uint64_t piece(Partials const& p, int i) {
        return Lane::piece(p.head, i);
    }
    template <class Partials, int Pieces>
    __device__ __forceinline__ static Partials sum_of(std::uint64_t const (&sums)[Pieces], int blocks) {
        return {Lane::sum_of(sums, blocks), {}};
    }
    template <class Partials>
    __device__ __forceinline__ static bool fits(Partials const& p) {
        bool fit = Lane::fits(p.head);
        if constexpr (sizeof...(Rest) > 0) fit = fit && lane_pack<Rest...>::fits(p.tail);
        return fit;
    }
    template <class Members, class Partials>
    __device__ __forceinline__ static auto brief(Members const& members, Partials const& p, index_t items, spill_area area) {
        auto const first = Lane::brief(members.head, p.head, items, area);
        if constexpr (sizeof...(Rest) > 0) {
            return prepend(first, lane_pack<Rest...>::brief(members.tail, p.tail, items, area.from(Lane::spill_words)));
        } else {
            return pack<std::remove_const_t<decltype(first)>>{first, {}};
        }
    }
    template <class Members, class Partials, class States>
    __device__ static bool approximate(Members const& members, Partials const& p, index_t items, spill_area area, bool spilled, States& s) {
        bool fit = true;
        if constexpr (lane_approximates<Lane>) {
            fit = Lane::approximate(members.head, p.head, items, area, spilled, s.head);
        } else {
            fit = Lane::fits(p.head);
            s.head = Lane::brief(members.head, p.head, items, area);
        }
        if constexpr (sizeof...(Rest) > 0)
            fit = lane_pack<Rest...>::approximate(members.tail, p.tail, items, area.from(Lane::spill_words), spilled, s.tail) && fit;
        return fit;
    }
    template <class Members, class Partials>
    __device__ __forceinline__ static auto full(Members const& members, Partials const& p, index_t items, spill_area area) {
        auto const first = Lane::full(members.head, p.head, items, area);
        if constexpr (sizeof...(Rest) > 0) {
            return prepend(first, lane_pack<Rest...>::full(members.tail, p.tail, items, area.from(Lane::spill_words)));
        } else {
            return pack<std::remove_const_t<decltype(first)>>{first, {}};
        }
    }

  private:
    template <class Members>
    __device__ __forceinline__ static lane_pack<Rest...> make_tail(Members const& members, thread_memory memory) {
        if constexpr (sizeof...(Rest) > 0) return lane_pack<Rest...>(members, memory);
        else return {};

    }
};

template <class Shortcut, class... Rs>
inline constexpr bool suits_each = (Shortcut::template suits<Rs> && ...);
template <class R, class... Shortcuts>
inline constexpr bool all_suit = false;
template <class... Rs, class... Shortcuts>
inline constexpr bool all_suit<pack<Rs...>, Shortcuts...> = (suits_each<Shortcuts, Rs...> && ...);

template <class... Shortcuts>
struct shortcut_pack {
    static constexpr int rows_alone = 0;
    __device__ __forceinline__ static pack<> state(index_t) { return {}; }
    template <class>
    __device__ __forceinline__ static bool sound() { return true; }
};
template <class Shortcut, class... Rest>
struct shortcut_pack<Shortcut, Rest...> {
    Shortcut head;
    [[no_unique_address]] shortcut_pack<Rest...> tail;

    /// Eight, of several. (H200, eight folds of 2^14 floats and doubles, and of 2^15 float16, 10.3, 18 and 15 µs by
    /// lanes, 6.35, 9.5 and 9.1 so, by the sixteen or eight rows of their variance; sum and minimum of 2^14 floats,
    /// 2^13 doubles and 2^15 float16 6.7, 6.7 and 6.2, by eight rows 5.1, 5.5 and 5.85.)
    static constexpr int of_rest = sizeof...(Rest) > 0 && shortcut_pack<Rest...>::rows_alone < 8 ? 8 : shortcut_pack<Rest...>::rows_alone;
    static constexpr int rows_alone = Shortcut::rows_alone > of_rest ? Shortcut::rows_alone : of_rest;
    template <class R>
    static constexpr bool suits = all_suit<R, Shortcut, Rest...>;
    static constexpr bool always_sound = device::always_sound<Shortcut> && (device::always_sound<Rest> && ...);

    template <class T, int V>
    __device__ __forceinline__ void take(T const (&x)[V], int at) {
        head.take(x, at);
        if constexpr (sizeof...(Rest) > 0) tail.take(x, at);
    }
    __device__ __forceinline__ void merge_warp() {
        head.merge_warp();
        if constexpr (sizeof...(Rest) > 0) tail.merge_warp();
    }
    __device__ __forceinline__ auto state(index_t items) const {
        return prepend(head.state(items), tail.state(items));
    }
    template <class Fold>
    __device__ __forceinline__ bool sound() const { return head.template sound<Fold>() && tail.template sound<Fold>(); }
};
/// A shortcut of several gathers, where each has one.
template <class... Lanes>
struct with_shortcuts {};
template <class... Lanes>
    requires requires(typename Lanes::shortcut... all) { (all, ...); }
struct with_shortcuts<Lanes...> {
    using shortcut = shortcut_pack<typename Lanes::shortcut...>;
};

template <class... Gathers>
class lane<gathers<Gathers...>> : public with_shortcuts<lane<Gathers>...> {
    using lanes = lane_pack<lane<Gathers>...>;
    using gather = gathers<Gathers...>;

  public:
    using partial = pack<typename lane<Gathers>::partial...>;
    static constexpr int spill_words = lanes::spill_words, private_words = lanes::private_words;
    static constexpr lane_needs needs = lanes::needs;
    static constexpr bool approximates = (lane_approximates<lane<Gathers>> || ...);
    using near_state = pack<typename near_state_of<lane<Gathers>, Gathers>::type...>;
    static constexpr int pieces = sizeof...(Gathers) == 1 ? (pieces_of<lane<Gathers>> + ... + 0) : 0;

    __device__ __forceinline__ lane(gather const& g, thread_memory memory) : lanes_(g.members, memory) {}

    /// Two vectors at a time: a lane that took all of them at once would keep the registers of the others waiting.
    template <class T, int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t first, index_t stride, spill_area area) {
        constexpr int part = sizeof...(Gathers) == 1 || U % 2 != 0 ? U : 2;
#pragma unroll
        for (int u = 0; u < U; u += part)
            lanes_.take(reinterpret_cast<T const(&)[part][V]>(x[u]), first + u * stride, stride, area);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const& in, spill_area area) {
        partial p;
        lanes_.settle(in, area, p);
        return p;
    }
    __device__ __forceinline__ static partial identity(gather const& g) {
        partial p;
        lanes::identity(g.members, p);
        return p;
    }
    __device__ __forceinline__ static void merge(gather const& g, partial& p, partial const& later) {
        lanes::merge(g.members, p, later);
    }
    __device__ __forceinline__ static void merge_warp(gather const& g, partial& p) { lanes::merge_warp(g.members, p); }
    __device__ __forceinline__ static bool spilled(partial const& p) { return lanes::spilled(p); }
    __device__ __forceinline__ static std::uint64_t piece(partial const& p, int i) { return lanes::piece(p, i); }
    __device__ __forceinline__ static partial sum_of(std::uint64_t const (&sums)[pieces == 0 ? 1 : pieces], int blocks) {
        return lanes::template sum_of<partial>(sums, blocks);
    }
    __device__ __forceinline__ static bool fits(partial const& p) { return lanes::fits(p); }
    __device__ __forceinline__ static auto brief(gather const& g, partial const& p, index_t items, spill_area area) {
        return lanes::brief(g.members, p, items, area);
    }
    __device__ static bool approximate(gather const& g, partial const& p, index_t items, spill_area area, bool spilled,
                                       near_state& s) {
        return lanes::approximate(g.members, p, items, area, spilled, s);
    }
    __device__ __forceinline__ static auto full(gather const& g, partial const& p, index_t items, spill_area area) {
        return lanes::full(g.members, p, items, area);
    }

  private:
    lanes lanes_;
};

}  // namespace warpfold::device
