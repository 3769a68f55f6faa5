// Bytes of files, pipes and standard input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpfold::app {

/// Bytes in order, each read once.
class byte_source {
  public:
    virtual ~byte_source() = default;
    /// Reads up to `count` bytes into `to`; returns how many, 0 at the end only.
    virtual std::size_t read(char* to, std::size_t count) = 0;
    /// Reads until `count` bytes are there or the end comes; returns how many.
    std::size_t read_fully(char* to, std::size_t count);
};

/// An open file. A regular file can be read at any offset by several threads at once; everything else, such as a pipe,
/// only in order. Every failure is a data_error.
class file final : public byte_source {
  public:
    /// Opens `path`, or standard input for "-". A directory is an error.
    explicit file(std::string const& path);
    /// Leaves standard input at its end.
    ~file() override;
    file(file const&) = delete;
    file& operator=(file const&) = delete;

    std::string const& name() const { return name_; }
    /// Whether size() and read_at() work. Files without a size, such as those in /proc, are not regular in this sense.
    bool regular() const { return size_ > 0; }
    /// Bytes of a regular file, counted from where it stood when it was opened.
    std::int64_t size() const { return size_; }

    /// The first bytes, at most `count` of them, which read() will still deliver.
    std::string_view peek(std::size_t count);
    std::size_t read(char* to, std::size_t count) override;
    /// Reads exactly `count` bytes at `offset` of a regular file, from any thread.
    void read_at(std::int64_t offset, char* to, std::size_t count) const;

  private:
    std::string name_;
    int descriptor_;
    std::int64_t origin_ = 0;
    std::int64_t size_ = 0;
    std::int64_t position_ = 0;  ///< bytes that came from the descriptor by read(), counted from origin_
    std::string peeked_;
};

}  // namespace warpfold::app
