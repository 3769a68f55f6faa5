#include "file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "error.hpp"

namespace warpfold::app {

std::size_t byte_source::read_fully(char* to, std::size_t count) {
    std::size_t done = 0;
    while (done < count) {
        std::size_t const now = read(to + done, count - done);
        if (now == 0) break;
        done += now;
    }
    return done;
}

file::file(std::string const& path)
    : name_(path == "-" ? "standard input" : path),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw data_error(name_, "open", std::strerror(errno));
    struct stat status {};
    int const failed = ::fstat(descriptor_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (failed) {
        if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
        throw data_error(name_, "open",
                         failed == EISDIR ? "expected a file, found a directory" : std::strerror(failed));
    }
    if (S_ISREG(status.st_mode)) {
        origin_ = std::max<std::int64_t>(0, ::lseek(descriptor_, 0, SEEK_CUR));
        size_ = std::max<std::int64_t>(0, status.st_size - origin_);
        ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
}

file::~file() {
    if (descriptor_ != STDIN_FILENO)
        ::close(descriptor_);
    else if (regular())
        ::lseek(descriptor_, origin_ + std::max(size_, position_), SEEK_SET);
}

std::string_view file::peek(std::size_t count) {
    if (peeked_.size() < count) {
        std::string head(count, '\0');
        head.resize(read_fully(head.data(), count));
        peeked_ = std::move(head);
    }
    return std::string_view(peeked_).substr(0, count);
}

std::size_t file::read(char* to, std::size_t count) {
    if (!peeked_.empty()) {
        std::size_t const now = std::min(count, peeked_.size());
        std::memcpy(to, peeked_.data(), now);
        peeked_.erase(0, now);
        return now;
    }
    while (true) {
        // read_at() counts from where the descriptor stands, so that reading must not move it.
        ssize_t const now =
            regular() ? ::pread(descriptor_, to, count, origin_ + position_) : ::read(descriptor_, to, count);
        if (now >= 0) {
            position_ += now;
            return static_cast<std::size_t>(now);
        }
        if (errno != EINTR) throw data_error(name_, "read", std::strerror(errno));
    }
}

void file::read_at(std::int64_t offset, char* to, std::size_t count) const {
    while (count > 0) {
        ssize_t const now = ::pread(descriptor_, to, count, origin_ + offset);
        if (now < 0 && errno == EINTR) continue;
        if (now < 0) throw data_error(name_, fmt::format("byte {}", offset), std::strerror(errno));
        if (now == 0)
            throw data_error(name_, fmt::format("byte {}", offset), "the file became shorter while it was read");
        offset += now;
        to += now;
        count -= static_cast<std::size_t>(now);
    }
}

}  // namespace warpfold::app
