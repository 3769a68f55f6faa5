// The same answers as NumPy's, but where numpy_cases.py names a wanted difference. The file of cases is WARPFOLD_CASES.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "bytes.hpp"
#include "items.hpp"

namespace {

using testing_data::items;

/// A number of a result; as text too where it is an integer, which a double may not hold.
struct number {
    double value;
    std::string integer;
};
/// A result as NumPy's side writes it: numbers, or the name of an error.
struct answer {
    std::string error;
    std::vector<number> numbers;
};

template <class R>
std::vector<number> numbers_of(R result) {
    if constexpr (wf::is_integer<R>) return {{static_cast<double>(result), std::to_string(+result)}};
    else return {{static_cast<double>(static_cast<wf::float_result<R>>(result)), ""}};
}
template <class T>
std::vector<number> numbers_of(wf::minimum_maximum<T> const& both) {
    return {numbers_of(both.min)[0], numbers_of(both.max)[0]};
}
std::vector<number> numbers_of(wf::argmin_argmax const& both) {
    return {numbers_of(both.argmin)[0], numbers_of(both.argmax)[0]};
}

template <class Range, class Fold>
answer answer_of(Range const& range, Fold const& fold) {
    try {
        return {"", numbers_of(wf::reduce(range, fold))};
    } catch (wf::empty_input const&) {
        return {"empty", {}};
    } catch (wf::overflow const&) {
        return {"overflow", {}};
    }
}

template <class T>
using evaluations = std::map<std::string, std::function<answer(items<T> const&)>>;

template <class T>
evaluations<T> folds_by_name() {
    evaluations<T> all;
    auto const add = [&](std::string const& name, auto const& fold) {
        all[name] = [fold](items<T> const& x) { return answer_of(x, fold); };
        if constexpr (wf::is_float<T>)
            all["skip_nan_" + name] = [fold](items<T> const& x) { return answer_of(x, wf::skip_nan(fold)); };
    };
    auto const add_pairs = [&](std::string const& name, auto const& fold) {
        all[name] = [fold](items<T> const& x) {
            wf::strided<T> const backwards{x.end() - 1, static_cast<wf::index_t>(x.size()), -1};
            return answer_of(wf::zip(x, backwards), fold);
        };
    };
    add("sum", wf::sum);
    add("product", wf::product);
    add("mean", wf::mean);
    for (std::uint64_t const ddof : {0U, 1U, 2U}) {
        add("variance/" + std::to_string(ddof), wf::variance.ddof(ddof));
        add("standard_deviation/" + std::to_string(ddof), wf::standard_deviation.ddof(ddof));
    }
    add("norm_l1", wf::norm_l1);
    add("norm_l2", wf::norm_l2);
    add("norm_linf", wf::norm_linf);
    add("min", wf::min);
    add("max", wf::max);
    add("minmax", wf::minmax);
    add("argmin", wf::argmin);
    add("argmax", wf::argmax);
    add("argminmax", wf::argminmax);
    add("any", wf::any);
    add("all", wf::all);
    add("count", wf::count);
    add("count_if", wf::count_if{[](T const& x) { return static_cast<wf::float_result<T>>(x) > 0; }});
    add("logsumexp", wf::logsumexp);
    add_pairs("dot", wf::dot);
    add_pairs("squared_distance", wf::squared_distance);
    if constexpr (wf::is_float<T>) {
        add_pairs("skip_nan_dot", wf::skip_nan(wf::dot));
        add_pairs("skip_nan_squared_distance", wf::skip_nan(wf::squared_distance));
    }
    return all;
}

/// Whether a number is what a line of the file says; integers are compared as such where the line has one.
bool agrees(number const& actual, std::string const& wanted, double tolerance) {
    if (!actual.integer.empty() && wanted.find_first_of("xni.") == std::string::npos) return actual.integer == wanted;
    double const expected = std::strtod(wanted.c_str(), nullptr);
    if (std::isnan(expected)) return std::isnan(actual.value);
    if (actual.value == expected)
        return expected != 0 || !actual.integer.empty() || std::signbit(actual.value) == std::signbit(expected);
    return std::abs(actual.value - expected) <= tolerance;
}

/// Whether an answer is what the words of a line say: `kind value...`.
bool agrees(answer const& actual, std::istream& words) {
    std::string kind, word, tolerance = "0";
    words >> kind;
    std::vector<std::string> values;
    while (words >> word) values.push_back(word);
    if (kind == "error" || !actual.error.empty()) return kind == "error" && values.at(0) == actual.error;
    if (kind == "near") {
        tolerance = values.at(1);
        values.pop_back();
    }
    if (values.size() != actual.numbers.size()) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!agrees(actual.numbers[i], values[i], std::strtod(tolerance.c_str(), nullptr))) return false;
    return true;
}

std::string text_of(answer const& a) {
    std::ostringstream text;
    text << std::hexfloat << ' ' << a.error;
    for (number const& n : a.numbers) text << ' ' << n.value << ' ' << n.integer;
    return text.str();
}

template <class T>
void check_case(std::istream& file, std::size_t count, std::string const& name, int results) {
    static evaluations<T> const folds = folds_by_name<T>();
    items<T> x(count);
    file.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(count * sizeof(T)));
    EXPECT_EQ(static_cast<std::size_t>(results), folds.size());
    for (int i = 0; i < results; ++i) {
        std::string line, fold;
        std::getline(file, line);
        std::istringstream words(line);
        words >> fold;
        answer const actual = folds.at(fold)(x);
        EXPECT_TRUE(agrees(actual, words)) << name << ", " << count << " items: " << line << ", got" << text_of(actual);
    }
}

TEST(numpy, agrees) {
    std::ifstream file(WARPFOLD_CASES, std::ios::binary);
    ASSERT_TRUE(file) << WARPFOLD_CASES;
    std::map<std::string, void (*)(std::istream&, std::size_t, std::string const&, int)> const checks{
        {"bool", check_case<bool>},
        {"int8", check_case<std::int8_t>},
        {"int16", check_case<std::int16_t>},
        {"int32", check_case<std::int32_t>},
        {"int64", check_case<std::int64_t>},
        {"uint8", check_case<std::uint8_t>},
        {"uint16", check_case<std::uint16_t>},
        {"uint32", check_case<std::uint32_t>},
        {"uint64", check_case<std::uint64_t>},
        {"float16", check_case<wf::float16>},
        {"bfloat16", check_case<wf::bfloat16>},
        {"float32", check_case<float>},
        {"float64", check_case<double>}};
    int cases = 0;
    std::map<std::string, int> types;
    for (std::string line; std::getline(file, line); ++cases) {
        std::istringstream words(line);
        std::string type, name;
        std::size_t count = 0;
        int results = 0;
        words >> type >> count >> name >> results;
        ++types[type];
        checks.at(type)(file, count, type + " " + name, results);
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(types.size(), checks.size());
    EXPECT_GT(cases, 600);
}

}  // namespace
