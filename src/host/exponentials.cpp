// Exponential terms into bins.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/exponentials.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each target

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/exponential-inl.h"
#include "host/prefetch.hpp"
#include "host/processor.hpp"
#include "host/route_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::host::HWY_NAMESPACE {

/// The bins of a state, in lanes. A term is split in two integers: high · 2^-high_bits + low · 2^-fraction_bits, each
/// read off the bits of a float to which a power of two was added.
template <class Float>
class bin_lanes {
  public:
    using gather = folds::exponentials<Float, Float>;
    using state = typename gather::state;
    using tag = hn::ScalableTag<Float>;
    using word_tag = hn::RebindToSigned<tag>;
    using word = hn::TFromD<word_tag>;
    using unsigned_word = std::make_unsigned_t<word>;
    using lanes = hn::Vec<tag>;
    static constexpr auto width = static_cast<index_t>(hn::MaxLanes(tag{}));
    static constexpr int high_bits = std::is_same_v<Float, float> ? 11 : 20;
    static constexpr int low_bits = gather::fraction_bits - high_bits;
    /// Terms are below 2^12: this leaves units in the last place to the integers of a term …
    static constexpr Float high_magic = static_cast<Float>(std::uint64_t{1} << float_format<Float>::significand_bits);
    /// … and this one to what is left of it, between −1/2 and 1/2.
    static constexpr Float low_magic = high_magic / static_cast<Float>(std::uint64_t{1} << low_bits) * Float{1.5};
    /// Vectors that go side by side: 64 terms of double take 61 instead of 100 ns with AVX-512 of a Sapphire Rapids (by
    /// fours 77, by sixes 67), but those of a Zen 4 wait for fewer (GB/s of a core, float, double: 17.3, 13.9 by
    /// threes, 16.9, 14.2 by fours, 17.4, 14.7 by fives, 17.2, 14.7 by sixes, 16.3, 13.8 by eights). The registers of
    /// AVX2 do not hold as many (GB/s a core of a Zen 3, float, double: 9.9, 7.9 by fours, 9.9, 8.0 by fives, 9.3 by
    /// sixes, 8.6, 6.9 by sevens).
    static constexpr int together = sizeof(lanes) == 64 ? 8 : 5, together_on_zen4 = 5;
    /// Terms are below 2^12: a lane holds so many of their parts.
    static constexpr index_t endurance = std::is_same_v<Float, float> ? 127 : 1 << 11;

    bin_lanes(state& s, prefetcher prefetch) : state_{s}, prefetch_{prefetch} {
        for (int b = 0; b < gather::bins; ++b) high_[b] = low_[b] = hn::Zero(word_tag{});
    }

    /// Takes `vectors` vectors of items, at most `endurance`.
    HWY_NOINLINE void add(Float const* x, index_t vectors) {
        index_t done = 0;
        while (done < vectors) {
            done += add_to_home(x + done * width, vectors - done);
            if (done < vectors) add_to_bins(x + done++ * width);
        }
        flush();
    }

  private:
    using words = hn::Vec<word_tag>;
    struct parts {
        words high, low;
    };
    /// The two integers of a term, each with the bits of its magic number on top.
    static HWY_INLINE parts split(lanes term) {
        tag const d;
        auto const high = hn::Add(term, hn::Set(d, high_magic));
        auto const rest = hn::Sub(term, hn::Sub(high, hn::Set(d, high_magic)));
        auto const low = hn::Add(rest, hn::Set(d, low_magic));
        return {hn::BitCast(word_tag{}, high), hn::BitCast(word_tag{}, low)};
    }

    /// Takes vectors that lie in the home bin entirely, up to the first that does not; says how many. There is one.
    HWY_INLINE index_t add_to_home(Float const* x, index_t vectors) {
        tag const d;
        Float const distance = state_.top - home_;
        if (!(distance < Float{gather::bins} && std::abs(home_) < bin_reach<Float> / 32)) return 0;
        lanes one[1];
        if (!load(x, home_, one)) return 0;
        auto const b = static_cast<int>(distance);
        index_t i = zen4_ ? add_groups<together_on_zen4>(x, vectors, home_, high_[b], low_[b])
                          : add_groups<together>(x, vectors, home_, high_[b], low_[b]);
        for (; i < vectors && load(x + i * width, home_, one); ++i) {
            exponentials_from_bin<high_bits>(d, one, [](int) {});
            add_term(one[0], high_[b], low_[b]);
        }
        bins_used_ = std::max(bins_used_, b + 1);
        with_magic_[b] += i;
        state_.items += i * width;
        return i;
    }

    /// As many of them as go in groups. A function of its own, to have all registers: inlined, it took up to 1.25 times
    /// as long, by what was around it.
    template <int N>
    HWY_NOINLINE index_t add_groups(Float const* x, index_t vectors, Float home, words& high_sum,
                                    words& low_sum) const {
        tag const d;
        words high = high_sum, low = low_sum;
        lanes terms[N], next[N];
        if (vectors < N || !load(x, home, terms)) return 0;
        exponentials_from_bin<high_bits>(d, terms, [](int) {});
        index_t i = N;
        for (; i + N <= vectors && load(x + i * width, home, next); i += N) {
            exponentials_from_bin<high_bits>(d, next, [&](int k) HWY_ATTR { add_term(terms[k], high, low); });
            for (int k = 0; k < N; ++k) terms[k] = next[k];
        }
        for (auto const& term : terms) add_term(term, high, low);
        high_sum = high;
        low_sum = low;
        return i;
    }

    /// Distances of the next vectors from the middle of a bin, or that not all of them lie in it. (Those at its ends, 8
    /// away, may, but need not.)
    template <int N>
    HWY_INLINE bool load(Float const* x, Float bin, lanes (&r)[N]) const {
        tag const d;
        prefetch_.ahead(x, N * width);
        short_distances<tag> distances;
        for (int k = 0; k < N; ++k) {
            r[k] = from_bin(d, hn::LoadU(d, x + k * width), hn::Set(d, bin));
            distances.look(r[k]);
        }
        return distances.all();
    }
    /// Adds the integers of a term, with their magic numbers.
    static HWY_INLINE void add_term(lanes term, words& high, words& low) {
        parts const added = split(term);
        // One after the other: GCC 12 would add terms up in a tree, whose leaves its registers do not hold.
        high = in_register(hn::Add(high, added.high));
        low = in_register(hn::Add(low, added.low));
    }

    /// Takes one vector, whatever its items are.
    HWY_INLINE void add_to_bins(Float const* x) {
        tag const d;
        state_.items += width;
        auto v = hn::LoadU(d, x);
        auto const infinity = hn::Set(d, std::numeric_limits<Float>::infinity());
        auto const finite = hn::Lt(hn::Abs(v), infinity);
        if (!hn::AllTrue(d, finite)) {
            state_.nans += static_cast<index_t>(hn::CountTrue(d, hn::IsNaN(v)));
            state_.positive_infinities += static_cast<index_t>(hn::CountTrue(d, hn::Eq(v, infinity)));
            // What has no bin takes the place of the lowest item there can be, and is masked out below.
            v = hn::IfThenElse(finite, v, hn::Set(d, std::numeric_limits<Float>::lowest()));
            if (hn::AllFalse(d, finite)) return;
        }
        auto const bin = any_bin(d, v);
        if (!hn::AllTrue(d, hn::Le(bin, hn::Set(d, state_.top)))) {
            flush();
            gather::raise(state_, hn::GetLane(hn::MaxOfLanes(d, bin)));
        }
        lanes exponential[1] = {from_bin(d, v, bin)};
        exponentials_from_bin<high_bits>(d, exponential, [](int) {});
        parts term = split(exponential[0]);
        term.high = hn::Sub(term.high, hn::Set(word_tag{}, bits_as<word>(high_magic)));
        term.low = hn::Sub(term.low, hn::Set(word_tag{}, bits_as<word>(low_magic)));
        // Small distances are exact even where top − 1 would be rounded.
        auto const distance = hn::Sub(hn::Set(d, state_.top), bin);
        for (int b = 0; b < gather::bins; ++b) {
            auto const same = hn::And(finite, hn::Eq(distance, hn::Set(d, static_cast<Float>(b))));
            auto const here = hn::RebindMask(word_tag{}, same);
            high_[b] = hn::Add(high_[b], hn::IfThenElseZero(here, term.high));
            low_[b] = hn::Add(low_[b], hn::IfThenElseZero(here, term.low));
        }
        bins_used_ = gather::bins;
        home_ = hn::GetLane(bin);
    }

    /// Adds the lanes to the bins of the state.
    void flush() {
        HWY_ALIGN word high[width], low[width];
        for (int b = 0; b < bins_used_; ++b) {
            // Additions to the home bin brought the magic numbers along; unsigned arithmetic takes them away again.
            auto const additions = static_cast<unsigned_word>(std::exchange(with_magic_[b], 0));
            auto const excess = [&](Float magic) {
                return hn::Set(word_tag{}, static_cast<word>(additions * bits_as<unsigned_word>(magic)));
            };
            hn::Store(hn::Sub(high_[b], excess(high_magic)), word_tag{}, high);
            hn::Store(hn::Sub(low_[b], excess(low_magic)), word_tag{}, low);
            std::int64_t sum_high = 0, sum_low = 0;
            for (index_t i = 0; i < width; ++i) {
                sum_high += high[i];
                sum_low += low[i];
            }
            state_.bin[b] +=
                (static_cast<uint128>(sum_high) << low_bits) + static_cast<uint128>(static_cast<int128>(sum_low));
            high_[b] = low_[b] = hn::Zero(word_tag{});
        }
        bins_used_ = 0;
    }

    state& state_;
    prefetcher prefetch_;
    bool const zen4_ = is_zen4();
    /// Where the next vectors are expected to lie, whole: the bin of the last one that did not.
    Float home_ = state_.top;
    int bins_used_ = 0;
    index_t with_magic_[gather::bins] = {};
    words high_[gather::bins], low_[gather::bins];
};

struct exponentials {
    template <class Float>
    static void run(folds::exponentials<Float, Float> const& gather,
                    typename folds::exponentials<Float, Float>::state& s, Float const* items, index_t count,
                    index_t first) {
        bin_lanes<Float> bins{s, prefetcher{count, sizeof(Float), reading::slowly}};
        constexpr auto width = bin_lanes<Float>::width;
        index_t const vectors = count / width;
        for (index_t v = 0; v < vectors; v += bin_lanes<Float>::endurance) {
            index_t const rest = vectors - v;
            bins.add(items + v * width, rest < bin_lanes<Float>::endurance ? rest : bin_lanes<Float>::endurance);
        }
        for (index_t i = vectors * width; i < count; ++i) gather.step(s, items[i], first + i);
    }
};

void run_exponentials(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    route_table<exponentials, routes::exponentials>::run(route, state, items, count, first);
}

}  // namespace warpfold::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::host {

HWY_EXPORT(run_exponentials);
void run_exponentials(std::size_t route, void* state, void const* items, index_t count, index_t first) {
    HWY_DYNAMIC_DISPATCH(run_exponentials)(route, state, items, count, first);
}

}  // namespace warpfold::host
#endif
