// Any bytes as a .npy file: a header whose facts agree with each other, or a data_error.
#include <cstdint>
#include <cstdlib>

#include "error.hpp"
#include "memory_source.hpp"
#include "npy.hpp"

using namespace warpfold::app;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    memory_source source({reinterpret_cast<char const*>(data), size}, 7);
    try {
        npy_header const header = read_npy_header(source, "fuzz.npy");
        std::int64_t bytes = item_size(header.type);
        bool empty = false, fits = true;
        for (auto const n : header.shape) {
            if (n < 0) std::abort();
            empty = empty || n == 0;
            if (n > 0) fits = fits && !__builtin_mul_overflow(bytes, n, &bytes);
        }
        if (!fits || header.items != (empty ? 0 : bytes / item_size(header.type))) std::abort();
        if (header.offset < 10 || header.offset > static_cast<std::int64_t>(size)) std::abort();
    } catch (data_error const&) {
    }
    return 0;
}
