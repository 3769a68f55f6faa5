// Any bytes as CSV: the same numbers, or the same error, whatever the buffer, the reads and the blocks.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "csv.hpp"
#include "error.hpp"
#include "memory_source.hpp"

using namespace warpfold::app;

namespace {

/// All that reading `text` yields, as text.
std::string read_all(std::string_view text, std::size_t buffer, std::size_t most, std::int64_t rows) {
    std::string seen;
    memory_source source(text, most);
    try {
        csv_reader reader(source, "fuzz.csv", buffer);
        reader.select({});
        std::size_t const columns = reader.selected().size();
        std::vector<double> values(columns * static_cast<std::size_t>(rows));
        std::vector<double*> to(columns);
        for (std::size_t i = 0; i < columns; ++i) to[i] = values.data() + i * static_cast<std::size_t>(rows);
        while (std::int64_t const count = reader.next_block(rows, to)) {
            for (std::int64_t row = 0; row < count; ++row) {
                for (auto const* column : to)
                    seen += std::isnan(column[row]) ? "nan " : std::to_string(column[row]) + " ";
            }
        }
    } catch (data_error const& e) {
        seen = e.what();
        if (seen.find('\n') != std::string::npos) std::abort();
    }
    return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    if (read_all(text, 4096, 4096, 64) != read_all(text, 16, 3, 1)) std::abort();
    return 0;
}
