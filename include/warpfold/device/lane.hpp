// Lanes: what one thread keeps of a gather while it reads. A lane may hold another form than the gather's state:
// whatever registers like best. It offers
//
//     partial                      what warps, blocks and the grid merge; trivially copyable
//     spill_words                  words of the spill area (spill.hpp) that it may add to
//     private_words                64-bit words of shared memory for each thread
//     lane(gather, thread_memory)
//     padding()                    if it has one, an item that changes nothing: tiles are then filled up with it
//     take(items, first, stride, area)     items[u][v] is at position first + u · stride + v; positions only grow
//     settle(input, area)          the partial; all threads of a warp call it together
//     identity(gather), merge(gather, partial, later)
//     fits(partial)                whether nothing was spilled and `brief` can be asked instead of `full`
//     brief, full(gather, partial, items, area)    the state that a fold finishes
//
// This one serves every fold that says nothing else: the gather's own state, item by item.
#pragma once

#include "../fold.hpp"
#include "../together.hpp"
#include "spill.hpp"

namespace warpfold::device {

/// The shared memory that belongs to one thread: `word(i)` are words `stride` apart, so that lanes meet no conflicts.
struct thread_memory {
    std::int64_t* base;
    int stride;

    __device__ __forceinline__ std::int64_t& word(int i) const { return base[i * stride]; }
    __device__ __forceinline__ thread_memory from(int i) const { return {base + i * stride, stride}; }
};

template <class Gather>
class lane {
  public:
    using partial = typename Gather::state;
    static constexpr int spill_words = 0, private_words = 0;

    __device__ __forceinline__ lane(Gather const& gather, thread_memory) : gather_{gather}, state_{gather.identity()} {}

    template <class T, int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t first, index_t stride, spill_area) {
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
            for (int v = 0; v < V; ++v) gather_.step(state_, x[u][v], first + u * stride + v);
    }
    template <class Input>
    __device__ __forceinline__ partial settle(Input const&, spill_area) {
        return state_;
    }

    __device__ __forceinline__ static partial identity(Gather const& gather) { return gather.identity(); }
    __device__ __forceinline__ static void merge(Gather const& gather, partial& p, partial const& later) {
        gather.merge(p, later);
    }
    __device__ __forceinline__ static bool fits(partial const&) { return true; }
    __device__ __forceinline__ static partial brief(Gather const&, partial const& p, index_t, spill_area) { return p; }
    __device__ __forceinline__ static partial full(Gather const&, partial const& p, index_t, spill_area) { return p; }

  private:
    Gather gather_;
    partial state_;
};

/// Several gathers: a lane each, over the same items.
template <class... Lanes>
struct lane_pack;
template <>
struct lane_pack<> {
    static constexpr int spill_words = 0, private_words = 0;
};
template <class Lane, class... Rest>
struct lane_pack<Lane, Rest...> {
    static constexpr int spill_words = Lane::spill_words + lane_pack<Rest...>::spill_words;
    static constexpr int private_words = Lane::private_words + lane_pack<Rest...>::private_words;
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
    template <class State, class... States>
    __device__ __forceinline__ static pack<State, States...> prepend(State const& first, pack<States...> const& rest) {
        return {first, rest};
    }
};

template <class... Gathers>
class lane<gathers<Gathers...>> {
    using lanes = lane_pack<lane<Gathers>...>;
    using gather = gathers<Gathers...>;

  public:
    using partial = pack<typename lane<Gathers>::partial...>;
    static constexpr int spill_words = lanes::spill_words, private_words = lanes::private_words;

    __device__ __forceinline__ lane(gather const& g, thread_memory memory) : lanes_(g.members, memory) {}

    template <class T, int U, int V>
    __device__ __forceinline__ void take(T const (&x)[U][V], index_t first, index_t stride, spill_area area) {
        lanes_.take(x, first, stride, area);
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
    __device__ __forceinline__ static bool fits(partial const& p) { return lanes::fits(p); }
    __device__ __forceinline__ static auto brief(gather const& g, partial const& p, index_t items, spill_area area) {
        return lanes::brief(g.members, p, items, area);
    }
    __device__ __forceinline__ static auto full(gather const& g, partial const& p, index_t items, spill_area area) {
        return lanes::full(g.members, p, items, area);
    }

  private:
    lanes lanes_;
};

}  // namespace warpfold::device
