// The same answers as NumPy's, but where numpy_cases.py names a wanted difference. The file of cases is WARPFOLD_CASES.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "bytes.hpp"
#include "items.hpp"

namespace {

using testing_data::items;

/// A result as NumPy's side writes it: a number, or the name of an error.
struct answer {
    std::string error;
    double value = 0;
    std::string integer;  // exact, where a double is not
};

template <class R>
answer as_answer(R result) {
    if constexpr (wf::is_integer<R>) return {"", static_cast<double>(result), std::to_string(+result)};
    else return {"", static_cast<double>(static_cast<wf::float_result<R>>(result)), ""};
}

template <class Range, class Fold>
answer answer_of(Range const& range, Fold const& fold) {
    try {
        return as_answer(wf::reduce(range, fold));
    } catch (wf::empty_input const&) {
        return {"empty", 0, ""};
    } catch (wf::overflow const&) {
        return {"overflow", 0, ""};
    }
}

template <class T>
answer evaluate(std::string const& fold, items<T> const& x) {
    using evaluation = answer(items<T> const&);
    static std::map<std::string, evaluation*> const folds{
        {"sum", [](items<T> const& v) { return answer_of(v, wf::sum); }},
        {"product", [](items<T> const& v) { return answer_of(v, wf::product); }},
        {"mean", [](items<T> const& v) { return answer_of(v, wf::mean); }},
        {"variance", [](items<T> const& v) { return answer_of(v, wf::variance); }},
        {"norm_l1", [](items<T> const& v) { return answer_of(v, wf::norm_l1); }},
        {"norm_l2", [](items<T> const& v) { return answer_of(v, wf::norm_l2); }},
        {"norm_linf", [](items<T> const& v) { return answer_of(v, wf::norm_linf); }},
        {"dot", [](items<T> const& v) { return answer_of(wf::zip(v, v), wf::dot); }},
        {"min", [](items<T> const& v) { return answer_of(v, wf::min); }},
        {"max", [](items<T> const& v) { return answer_of(v, wf::max); }},
        {"argmin", [](items<T> const& v) { return answer_of(v, wf::argmin); }},
        {"argmax", [](items<T> const& v) { return answer_of(v, wf::argmax); }},
        {"any", [](items<T> const& v) { return answer_of(v, wf::any); }},
        {"all", [](items<T> const& v) { return answer_of(v, wf::all); }},
        {"count", [](items<T> const& v) { return answer_of(v, wf::count); }},
        {"skip_nan_sum", [](items<T> const& v) { return answer_of(v, wf::skip_nan(wf::sum)); }},
        {"skip_nan_mean", [](items<T> const& v) { return answer_of(v, wf::skip_nan(wf::mean)); }},
        {"skip_nan_min", [](items<T> const& v) { return answer_of(v, wf::skip_nan(wf::min)); }},
        {"skip_nan_argmax", [](items<T> const& v) { return answer_of(v, wf::skip_nan(wf::argmax)); }},
        {"skip_nan_count", [](items<T> const& v) { return answer_of(v, wf::skip_nan(wf::count)); }},
    };
    return folds.at(fold)(x);
}

/// Whether the answer is what a line of the file says: `fold kind value [tolerance]`.
bool agrees(answer const& actual, std::string const& kind, std::string const& value, double tolerance) {
    if (kind == "error" || !actual.error.empty()) return kind == "error" && actual.error == value;
    if (kind == "is" && !actual.integer.empty() && value.find_first_of("xni.") == std::string::npos) return actual.integer == value;
    double const expected = std::strtod(value.c_str(), nullptr);
    if (std::isnan(expected)) return std::isnan(actual.value);
    if (kind == "near") return std::abs(actual.value - expected) <= tolerance;
    return actual.value == expected && (expected != 0 || std::signbit(actual.value) == std::signbit(expected) || !actual.integer.empty());
}

template <class T>
void check_case(std::istream& file, std::size_t count, std::string const& name, int results) {
    items<T> x(count);
    file.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(count * sizeof(T)));
    for (int i = 0; i < results; ++i) {
        std::string line, fold, kind, value;
        std::getline(file, line);
        std::istringstream words(line);
        words >> fold >> kind >> value;
        std::string tolerance;
        words >> tolerance;
        answer const actual = evaluate(fold, x);
        EXPECT_TRUE(agrees(actual, kind, value, std::strtod(tolerance.c_str(), nullptr)))
            << name << ", " << count << " items: " << line << ", got " << std::hexfloat << actual.value << " " << actual.integer << actual.error;
    }
}

TEST(numpy, agrees) {
    std::ifstream file(WARPFOLD_CASES, std::ios::binary);
    ASSERT_TRUE(file) << WARPFOLD_CASES;
    std::map<std::string, void (*)(std::istream&, std::size_t, std::string const&, int)> const checks{
        {"bool", check_case<bool>},           {"int8", check_case<std::int8_t>},     {"int16", check_case<std::int16_t>},
        {"int32", check_case<std::int32_t>},  {"int64", check_case<std::int64_t>},   {"uint8", check_case<std::uint8_t>},
        {"uint16", check_case<std::uint16_t>}, {"uint32", check_case<std::uint32_t>}, {"uint64", check_case<std::uint64_t>},
        {"float16", check_case<wf::float16>}, {"float32", check_case<float>},        {"float64", check_case<double>}};
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
    EXPECT_GT(cases, 500);
}

}  // namespace
