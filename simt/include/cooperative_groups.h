// Cooperative groups for the executor: the block, tiles of 1 to 32 threads, coalesced threads, the grid.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "simt/cuda/builtin.hpp"
#include "simt/cuda/sync.hpp"
#include "simt/cuda/warp.hpp"

namespace cooperative_groups {

namespace details {

inline unsigned block_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned block_size() {
    return blockDim.x * blockDim.y * blockDim.z;
}
inline unsigned lane() {
    return block_rank() % 32;
}

// Shuffles any trivially copyable value, four bytes at a time as the device does.
template <class T>
__forceinline__ T shuffle_words(simt::detail::warp_op op, unsigned mask, T const& value, int argument, int width) {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (simt::detail::shuffled<T>) {
        return simt::detail::shuffle(op, mask, value, argument, width);
    } else {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        std::memcpy(words, &value, sizeof(T));
        for (unsigned& word : words) word = simt::detail::shuffle(op, mask, word, argument, width);
        T result = value;
        std::memcpy(&result, words, sizeof(T));
        return result;
    }
}

}  // namespace details

// A group whose kind is known only at run time: a block, or lanes of one warp.
class thread_group {
  public:
    [[nodiscard]] unsigned long long size() const { return size_; }
    [[nodiscard]] unsigned long long num_threads() const { return size_; }
    [[nodiscard]] unsigned long long thread_rank() const { return rank_; }
    __forceinline__ void sync() const {
        if (mask_ == 0) {
            __syncthreads();
        } else {
            __syncwarp(mask_);
        }
    }

  protected:
    // A mask of 0 means the whole block.
    thread_group(unsigned mask, unsigned size, unsigned rank) : mask_(mask), size_(size), rank_(rank) {}

    unsigned mask_, size_, rank_;

    friend thread_group tiled_partition(thread_group const& parent, unsigned size);
};

class thread_block : public thread_group {
  public:
    thread_block() : thread_group(0, details::block_size(), details::block_rank()) {}

    __forceinline__ static void sync() { __syncthreads(); }
    [[nodiscard]] static unsigned size() { return details::block_size(); }
    [[nodiscard]] static unsigned num_threads() { return details::block_size(); }
    [[nodiscard]] static unsigned thread_rank() { return details::block_rank(); }
    [[nodiscard]] static dim3 group_index() { return dim3(blockIdx); }
    [[nodiscard]] static dim3 thread_index() { return dim3(threadIdx); }
    [[nodiscard]] static dim3 group_dim() { return dim3(blockDim); }
    [[nodiscard]] static dim3 dim_threads() { return dim3(blockDim); }
};

inline thread_block this_thread_block() {
    return {};
}

// The grid; sync() needs a cooperative launch.
class grid_group {
  public:
    [[nodiscard]] bool is_valid() const { return simt::detail::is_cooperative(); }
    __forceinline__ void sync() const { simt::detail::grid_barrier(); }
    [[nodiscard]] unsigned long long block_rank() const {
        return blockIdx.x + gridDim.x * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    }
    [[nodiscard]] unsigned long long num_blocks() const {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    [[nodiscard]] unsigned long long size() const { return num_blocks() * details::block_size(); }
    [[nodiscard]] unsigned long long num_threads() const { return size(); }
    [[nodiscard]] unsigned long long thread_rank() const {
        return block_rank() * details::block_size() + details::block_rank();
    }
    [[nodiscard]] dim3 group_dim() const { return dim3(gridDim); }
    [[nodiscard]] dim3 dim_blocks() const { return dim3(gridDim); }
};

inline grid_group this_grid() {
    return {};
}

// `Size` neighbouring lanes of a warp.
template <unsigned Size, class Parent = thread_block>
class thread_block_tile : public thread_group {
    static_assert(std::has_single_bit(Size) && Size <= 32, "a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    thread_block_tile()
        : thread_group((Size == 32 ? ~0U : (1U << Size % 32) - 1U) << (details::lane() / Size * Size), Size,
                       details::block_rank() % Size) {}

    [[nodiscard]] static constexpr unsigned size() { return Size; }
    [[nodiscard]] static constexpr unsigned num_threads() { return Size; }
    [[nodiscard]] unsigned thread_rank() const { return rank_; }
    [[nodiscard]] unsigned meta_group_rank() const { return details::block_rank() / Size; }
    [[nodiscard]] unsigned meta_group_size() const { return (details::block_size() + Size - 1) / Size; }
    __forceinline__ void sync() const { __syncwarp(mask_); }

    template <class T>
    __forceinline__ T shfl(T value, unsigned source) const {
        return details::shuffle_words(simt::detail::warp_op::shuffle, mask_, value, static_cast<int>(source), Size);
    }
    template <class T>
    __forceinline__ T shfl_up(T value, unsigned delta) const {
        return details::shuffle_words(simt::detail::warp_op::shuffle_up, mask_, value, static_cast<int>(delta), Size);
    }
    template <class T>
    __forceinline__ T shfl_down(T value, unsigned delta) const {
        return details::shuffle_words(simt::detail::warp_op::shuffle_down, mask_, value, static_cast<int>(delta), Size);
    }
    template <class T>
    __forceinline__ T shfl_xor(T value, unsigned lanes) const {
        return details::shuffle_words(simt::detail::warp_op::shuffle_xor, mask_, value, static_cast<int>(lanes), Size);
    }
    __forceinline__ int any(int predicate) const { return __any_sync(mask_, predicate); }
    __forceinline__ int all(int predicate) const { return __all_sync(mask_, predicate); }
    __forceinline__ unsigned ballot(int predicate) const {
        return __ballot_sync(mask_, predicate) >> (details::lane() / Size * Size);
    }
    template <class T>
    __forceinline__ unsigned match_any(T value) const {
        return __match_any_sync(mask_, value) >> (details::lane() / Size * Size);
    }
    template <class T>
    __forceinline__ unsigned match_all(T value, int& all_equal) const {
        return __match_all_sync(mask_, value, &all_equal) >> (details::lane() / Size * Size);
    }
};

// The lanes of a warp that arrived together.
class coalesced_group : public thread_group {
  public:
    explicit coalesced_group(unsigned mask)
        : thread_group(mask, static_cast<unsigned>(std::popcount(mask)),
                       static_cast<unsigned>(std::popcount(mask & ((1U << details::lane()) - 1U)))) {}

    [[nodiscard]] unsigned size() const { return size_; }
    [[nodiscard]] unsigned num_threads() const { return size_; }
    [[nodiscard]] unsigned thread_rank() const { return rank_; }
    __forceinline__ void sync() const { __syncwarp(mask_); }

    template <class T>
    __forceinline__ T shfl(T value, unsigned source) const {
        return from_lane(value, lane_of(source % size_));
    }
    template <class T>
    __forceinline__ T shfl_up(T value, unsigned delta) const {
        return from_lane(value, delta <= rank_ ? lane_of(rank_ - delta) : details::lane());
    }
    template <class T>
    __forceinline__ T shfl_down(T value, unsigned delta) const {
        return from_lane(value, delta < size_ - rank_ ? lane_of(rank_ + delta) : details::lane());
    }
    __forceinline__ int any(int predicate) const { return __any_sync(mask_, predicate); }
    __forceinline__ int all(int predicate) const { return __all_sync(mask_, predicate); }
    __forceinline__ unsigned ballot(int predicate) const { return compact(__ballot_sync(mask_, predicate)); }

  private:
    template <class T>
    __forceinline__ T from_lane(T value, unsigned lane) const {
        return details::shuffle_words(simt::detail::warp_op::shuffle, mask_, value, static_cast<int>(lane), 32);
    }
    // The lane of the group's thread `rank`.
    [[nodiscard]] unsigned lane_of(unsigned rank) const {
        unsigned rest = mask_;
        for (unsigned i = 0; i < rank; ++i) rest &= rest - 1U;
        return static_cast<unsigned>(std::countr_zero(rest));
    }
    // Lane bits as bits of ranks in the group.
    [[nodiscard]] unsigned compact(unsigned lanes) const {
        unsigned ranks = 0;
        for (unsigned rank = 0; rank < size_; ++rank) ranks |= (lanes >> lane_of(rank) & 1U) << rank;
        return ranks;
    }
};

__forceinline__ coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(Parent const&) {
    return {};
}

// Tiles of `size` threads (a power of two up to 32) of a block or of a larger tile.
inline thread_group tiled_partition(thread_group const&, unsigned size) {
    unsigned const rank = details::block_rank();
    unsigned const first = rank % 32 / size * size;
    return {(size == 32 ? ~0U : (1U << size % 32) - 1U) << first, size, rank % size};
}

template <class Group>
__forceinline__ void sync(Group const& group) {
    group.sync();
}

}  // namespace cooperative_groups
