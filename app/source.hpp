// What a FILE argument names: items of one type, whatever the format they are stored in.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dtype.hpp"

namespace warpfold::app {

/// How the command line says that files are to be read.
struct read_options {
    std::optional<dtype> raw_type;     ///< --dtype: the file is nothing but items of this type
    std::vector<std::string> columns;  ///< --column: the file is CSV, and these are read
};

/// One or more columns of items of the same type; an array is a single column without a name. Every failure is a
/// data_error.
class source {
  public:
    virtual ~source() = default;

    std::string const& name() const { return name_; }
    dtype type() const { return type_; }
    std::vector<std::string> const& columns() const { return columns_; }
    /// The shape of an array in Fortran order; empty where items are stored in the order of their indices.
    std::vector<std::int64_t> const& fortran_shape() const { return fortran_shape_; }
    /// The items of an array that load() can read at any position; nothing where only next_block() can read.
    std::optional<std::int64_t> size() const { return size_; }

    /// Copies `count` items from position `first` into `to`, from any thread.
    virtual void load(std::int64_t first, std::int64_t count, void* to) const = 0;
    /// Reads at most `count` items of every column: those of column i into to[i]. Returns how many, 0 at the end.
    virtual std::int64_t next_block(std::int64_t count, std::span<void* const> to) = 0;

    /// Bytes of the file that are read by now, and all of them (0: not known).
    std::int64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
    std::int64_t bytes() const { return bytes_; }

  protected:
    source(std::string name, dtype type) : name_(std::move(name)), type_(type) {}

    std::string name_;
    dtype type_;
    std::vector<std::string> columns_{""};
    std::vector<std::int64_t> fortran_shape_;
    std::optional<std::int64_t> size_;
    std::int64_t bytes_ = 0;
    mutable std::atomic<std::int64_t> bytes_read_ = 0;
};

/// Opens `path` ("-": standard input): a .npy file, raw items with --dtype, or CSV with --column or a name in .csv.
std::unique_ptr<source> open_source(std::string const& path, read_options const& options);

}  // namespace warpfold::app
