#include "source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "csv.hpp"
#include "error.hpp"
#include "file.hpp"
#include "npy.hpp"

namespace warpfold::app {
namespace {

/// Reverses the bytes of each of `count` words.
template <class Word>
void swap_bytes(char* words, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i, words += sizeof(Word)) {
        Word word;
        std::memcpy(&word, words, sizeof(Word));
        if constexpr (sizeof(Word) == 2)
            word = __builtin_bswap16(word);
        else if constexpr (sizeof(Word) == 4)
            word = __builtin_bswap32(word);
        else
            word = __builtin_bswap64(word);
        std::memcpy(words, &word, sizeof(Word));
    }
}

/// Items stored one behind the other: the data of a .npy file, or a whole raw file.
class array_source final : public source {
  public:
    /// `header.offset` bytes of `input` are already read, or to be skipped if it is regular.
    array_source(std::unique_ptr<file> input, npy_header const& header, bool sized_by_header)
        : source(input->name(), header.type),
          file_(std::move(input)),
          header_(header),
          sized_by_header_(sized_by_header) {
        auto const axes = std::count_if(header.shape.begin(), header.shape.end(), [](auto n) { return n != 1; });
        if (header.fortran_order && axes > 1) fortran_shape_ = header.shape;
        std::int64_t const item = item_size(type_);
        if (sized_by_header) bytes_ = header.items * item;
        if (!file_->regular()) return;
        std::int64_t const found = file_->size() - header.offset;
        if (sized_by_header && found != bytes_)
            throw data_error(name(), "data",
                             fmt::format("expected {} ({} of {}), found {}", counted(bytes_, "byte"),
                                         counted(header.items, "item"), name_of(type_), found));
        if (found % item)
            throw data_error(
                name(), "data",
                fmt::format("expected a multiple of {} bytes ({}), found {}", item, name_of(type_), found));
        bytes_ = found;
        size_ = found / item;
    }

    void load(std::int64_t first, std::int64_t count, void* to) const override {
        std::int64_t const item = item_size(type_);
        file_->read_at(header_.offset + first * item, static_cast<char*>(to), static_cast<std::size_t>(count * item));
        bytes_read_.fetch_add(count * item, std::memory_order_relaxed);
        make_native(static_cast<char*>(to), count);
    }

    std::int64_t next_block(std::int64_t count, std::span<void* const> to) override {
        std::int64_t const item = item_size(type_);
        if (sized_by_header_) count = std::min(count, header_.items - position_);
        auto* const bytes = static_cast<char*>(to[0]);
        auto const read = static_cast<std::int64_t>(file_->read_fully(bytes, static_cast<std::size_t>(count * item)));
        bytes_read_.fetch_add(read, std::memory_order_relaxed);
        position_ += read / item;
        check_end(read, count);
        make_native(bytes, read / item);
        return read / item;
    }

  private:
    /// A stream shows its length only at its end.
    void check_end(std::int64_t read, std::int64_t wanted) {
        std::int64_t const item = item_size(type_);
        if (sized_by_header_) {
            char extra;
            if (read < wanted * item)
                throw data_error(name(), "data",
                                 fmt::format("expected {} of {}, found the end after {}",
                                             counted(header_.items, "item"), name_of(type_), position_));
            if (position_ == header_.items && file_->read(&extra, 1))
                throw data_error(name(), "data",
                                 fmt::format("expected the end after {} of {}, found more",
                                             counted(header_.items, "item"), name_of(type_)));
        } else {
            if (read % item)
                throw data_error(name(), "data",
                                 fmt::format("expected a multiple of {} bytes ({}), found {}", item, name_of(type_),
                                             position_ * item + read % item));
            if (position_ == 0) throw data_error(name(), "data", "expected items, found an empty file");
        }
    }

    void make_native(char* items, std::int64_t count) const {
        if (header_.swapped) {
            switch (item_size(type_)) {
                case 2:
                    swap_bytes<std::uint16_t>(items, count);
                    break;
                case 4:
                    swap_bytes<std::uint32_t>(items, count);
                    break;
                default:
                    swap_bytes<std::uint64_t>(items, count);
            }
        }
        // A bool in memory may only be 0 or 1; NumPy takes every other byte for true as well.
        if (type_ == dtype::boolean)
            std::transform(items, items + count, items, [](char c) { return static_cast<char>(c != 0); });
    }

    std::unique_ptr<file> file_;
    npy_header header_;
    bool sized_by_header_;
    std::int64_t position_ = 0;
};

class csv_source final : public source {
  public:
    csv_source(std::unique_ptr<file> input, std::vector<std::string> const& columns)
        : source(input->name(), dtype::float64),
          file_(std::move(input)),
          counted_(*file_, bytes_read_),
          reader_(counted_, name()) {
        bytes_ = file_->size();
        reader_.select(columns);
        columns_ = reader_.selected();
    }

    void load(std::int64_t, std::int64_t, void*) const override { throw std::logic_error("CSV is read in order only"); }

    std::int64_t next_block(std::int64_t count, std::span<void* const> to) override {
        std::vector<double*> numbers(to.size());
        std::transform(to.begin(), to.end(), numbers.begin(), [](void* p) { return static_cast<double*>(p); });
        return reader_.next_block(count, numbers);
    }

  private:
    struct counted_bytes final : byte_source {
        counted_bytes(byte_source& from, std::atomic<std::int64_t>& counter) : bytes(from), read_so_far(counter) {}
        std::size_t read(char* to, std::size_t count) override {
            std::size_t const now = bytes.read(to, count);
            read_so_far.fetch_add(static_cast<std::int64_t>(now), std::memory_order_relaxed);
            return now;
        }
        byte_source& bytes;
        std::atomic<std::int64_t>& read_so_far;
    };

    std::unique_ptr<file> file_;
    counted_bytes counted_;
    csv_reader reader_;
};

bool named_csv(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.ends_with(".csv");
}

}  // namespace

std::unique_ptr<source> open_source(std::string const& path, read_options const& options) {
    auto input = std::make_unique<file>(path);
    std::string_view const head = input->peek(npy_magic.size());
    bool const is_npy = head == npy_magic;
    if (is_npy && options.raw_type)
        throw data_error(input->name(), "header",
                         "expected raw items for --dtype, found a .npy file, which states its own type");
    if (is_npy && !options.columns.empty())
        throw data_error(input->name(), "header", "expected CSV for --column, found a .npy file");
    if (head.empty()) throw data_error(input->name(), "data", "expected items, found an empty file");
    if (!options.columns.empty() || (!options.raw_type && named_csv(path)))
        return std::make_unique<csv_source>(std::move(input), options.columns);
    if (options.raw_type) {
        npy_header items;
        items.type = *options.raw_type;
        return std::make_unique<array_source>(std::move(input), items, false);
    }
    // A file that begins like a .npy file and ends too soon deserves the header's own message.
    if (!is_npy && !npy_magic.starts_with(head))
        throw data_error(input->name(), "header",
                         "expected a .npy file; for raw items add --dtype TYPE, for CSV --column NAME");
    npy_header const header = read_npy_header(*input, input->name());
    return std::make_unique<array_source>(std::move(input), header, true);
}

}  // namespace warpfold::app
