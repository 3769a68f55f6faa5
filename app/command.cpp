#include "command.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace warpfold::app {

void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw data_error("standard output", "write", std::strerror(errno));
}

}  // namespace warpfold::app
