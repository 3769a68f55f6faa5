// Results as bytes, so that equal means the same bits; and the plainest way to a result, a loop over `step`.
#pragma once

#include <cstring>
#include <string>

#include "warpfold/warpfold.hpp"

namespace testing_data {

template <class T>
void append_bytes(std::string& to, T const& value) {
    to.append(reinterpret_cast<char const*>(&value), sizeof value);
}
template <class T>
void append_bytes(std::string& to, wf::minimum_maximum<T> const& value) {
    append_bytes(to, value.min);
    append_bytes(to, value.max);
}
inline void append_bytes(std::string&, wf::pack<> const&) {}
template <class T, class... Rest>
void append_bytes(std::string& to, wf::pack<T, Rest...> const& value) {
    append_bytes(to, value.head);
    append_bytes(to, value.tail);
}

/// The bytes of a value, or the name of the error.
template <class R>
std::string bytes_of(wf::outcome<R> const& result) {
    switch (result.state) {
        case wf::status::ok: break;
        case wf::status::empty: return "empty";
        case wf::status::overflow: return "overflow";
        case wf::status::undecided: return "undecided";
    }
    std::string bytes = "=";
    append_bytes(bytes, result.value);
    return bytes;
}
template <class Evaluate>
auto bytes_or_error(Evaluate evaluate) {
    using result = decltype(evaluate());
    try {
        return bytes_of(wf::outcome<result>{evaluate()});
    } catch (wf::empty_input const&) {
        return std::string("empty");
    } catch (wf::overflow const&) {
        return std::string("overflow");
    } catch (wf::undecided_rounding const&) {
        return std::string("undecided");
    }
}

/// The result by stepping through the items of a range, one after the other.
template <class Range, class F>
std::string bytes_by_steps(Range const& range, F const& fold) {
    using item = typename Range::value_type;
    auto const f = wf::bind<item>(fold);
    auto s = f.identity();
    wf::index_t i = 0;
    for (item const& x : range) f.step(s, x, i++);
    return bytes_of(wf::detail::as_outcome(f.finish(s)));
}

}  // namespace testing_data
