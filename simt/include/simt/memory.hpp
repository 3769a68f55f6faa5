// Global memory that the checks know: its bounds, what was written, who touched it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace simt {

// Makes `bytes` at `address` known to the checks until it is destroyed. The memory must outlive it, must not overlap
// other registered memory (std::invalid_argument), and counts as written unless told otherwise. It must not end while a
// launch with checks runs.
class registration {
  public:
    registration() = default;
    registration(void const* address, std::size_t bytes, std::string name, bool written = true);
    registration(registration&& other) noexcept : region_(std::exchange(other.region_, nullptr)) {}
    registration& operator=(registration&& other) noexcept {
        std::swap(region_, other.region_);
        return *this;
    }
    ~registration();

    // Counts `bytes` at `address`, all of them inside, as written: the host wrote them.
    void mark_written(void const* address, std::size_t bytes);

  private:
    void* region_ = nullptr;
};

// `size()` items of global memory, aligned to 256 bytes as cudaMalloc aligns. Not copyable.
template <class T>
class memory {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    // Items equal to `value`.
    explicit memory(std::size_t size, T const& value = T{}, std::string name = "global memory")
        : memory(size, std::move(name), true) {
        std::fill_n(data_.get(), size, value);
    }
    // A copy of `items`.
    explicit memory(std::span<T const> items, std::string name = "global memory")
        : memory(items.size(), std::move(name), true) {
        std::copy(items.begin(), items.end(), data_.get());
    }
    explicit memory(std::vector<T> const& items, std::string name = "global memory")
        : memory(std::span<T const>(items), std::move(name)) {}
    // Items that a kernel must write before it reads them; the bytes hold a pattern, not zero.
    [[nodiscard]] static memory unwritten(std::size_t size, std::string name = "global memory") {
        return memory(size, std::move(name), false);
    }

    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] T const* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::span<T> span() { return {data_.get(), size_}; }
    [[nodiscard]] std::span<T const> span() const { return {data_.get(), size_}; }
    T& operator[](std::size_t i) { return data_.get()[i]; }
    T const& operator[](std::size_t i) const { return data_.get()[i]; }

  private:
    static constexpr std::align_val_t alignment{256};
    struct release {
        void operator()(T* items) const { ::operator delete(static_cast<void*>(items), alignment); }
    };

    memory(std::size_t size, std::string name, bool written)
        : data_(static_cast<T*>(::operator new(std::max<std::size_t>(size * sizeof(T), 1), alignment))),
          size_(size),
          registration_(data_.get(), size * sizeof(T), std::move(name), written) {
        if (!written) std::fill_n(reinterpret_cast<unsigned char*>(data_.get()), size * sizeof(T), 0xcd);
    }

    std::unique_ptr<T, release> data_;
    std::size_t size_;
    registration registration_;
};

}  // namespace simt
