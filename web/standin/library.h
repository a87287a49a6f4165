// What the C++ library of the web engine's compiler (libc++ 13) lacks and the engine uses. Included before every source.
// Each part is there only where the library says that it is missing.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <stop_token>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <version>

namespace std {

#ifndef __cpp_lib_bit_cast
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}
#endif

#ifndef __cpp_lib_ranges
// Algorithms of std::ranges that the engine uses, over ranges and with projections. They return iterators or numbers.
namespace ranges {

template <class Iterator, class Sentinel, class Value, class Projection = identity,
          class = typename iterator_traits<Iterator>::iterator_category>
constexpr Iterator find(Iterator first, Sentinel last, const Value& value, Projection projection = {}) {
    for (; first != last && !(std::invoke(projection, *first) == value); ++first) {}
    return first;
}
template <class Range, class Value, class Projection = identity, class = decltype(std::begin(declval<Range&>()))>
constexpr auto find(Range&& range, const Value& value, Projection projection = {}) {
    return ranges::find(std::begin(range), std::end(range), value, projection);
}

template <class Range, class Predicate, class Projection = identity>
constexpr auto find_if(Range&& range, Predicate predicate, Projection projection = {}) {
    auto first = std::begin(range);
    for (; first != std::end(range) && !std::invoke(predicate, std::invoke(projection, *first)); ++first) {}
    return first;
}

template <class Range, class Predicate, class Projection = identity>
constexpr bool any_of(Range&& range, Predicate predicate, Projection projection = {}) {
    return ranges::find_if(range, predicate, projection) != std::end(range);
}
template <class Range, class Predicate, class Projection = identity>
constexpr bool none_of(Range&& range, Predicate predicate, Projection projection = {}) {
    return !ranges::any_of(range, predicate, projection);
}
template <class Range, class Predicate, class Projection = identity>
constexpr bool all_of(Range&& range, Predicate predicate, Projection projection = {}) {
    for (auto&& each : range) {
        if (!std::invoke(predicate, std::invoke(projection, each)))
            return false;
    }
    return true;
}

template <class Range, class Value, class Projection = identity>
constexpr ptrdiff_t count(Range&& range, const Value& value, Projection projection = {}) {
    ptrdiff_t found = 0;
    for (auto&& each : range)
        found += std::invoke(projection, each) == value ? 1 : 0;
    return found;
}

template <class Range, class Value, class Compare = std::less<>, class Projection = identity>
constexpr auto lower_bound(Range&& range, const Value& value, Compare compare = {}, Projection projection = {}) {
    return std::lower_bound(std::begin(range), std::end(range), value, [&](const auto& each, const auto& wanted) {
        return std::invoke(compare, std::invoke(projection, each), wanted);
    });
}

template <class Range, class Output, class Function>
constexpr auto transform(Range&& range, Output output, Function function) {
    for (auto&& each : range)
        *output++ = std::invoke(function, each);
    return output;
}

template <class Range, class Compare = std::less<>, class Projection = identity>
void stable_sort(Range&& range, Compare compare = {}, Projection projection = {}) {
    std::stable_sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
        return std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b));
    });
}

template <class Range, class Output, class Predicate>
constexpr auto copy_if(Range&& range, Output output, Predicate predicate) {
    for (auto&& each : range) {
        if (std::invoke(predicate, each))
            *output++ = each;
    }
    return output;
}
template <class Range, class Output, class Predicate>
constexpr auto remove_copy_if(Range&& range, Output output, Predicate predicate) {
    return ranges::copy_if(range, output, [&](const auto& each) { return !std::invoke(predicate, each); });
}

template <class Range, class Compare = std::less<>>
void push_heap(Range&& range, Compare compare = {}) {
    std::push_heap(std::begin(range), std::end(range), compare);
}
template <class Range, class Compare = std::less<>>
void pop_heap(Range&& range, Compare compare = {}) {
    std::pop_heap(std::begin(range), std::end(range), compare);
}

template <class Range>
constexpr void reverse(Range&& range) {
    std::reverse(std::begin(range), std::end(range));
}

template <class Range, class Compare = std::less<>, class Projection = identity>
constexpr auto max_element(Range&& range, Compare compare = {}, Projection projection = {}) {
    return std::max_element(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
        return std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b));
    });
}

}  // namespace ranges
#endif

#ifndef __cpp_lib_to_chars
/// Reads a decimal number, as the standard's function of this name: without blanks, without "+", as far as it goes.
template <class Number, class = enable_if_t<is_floating_point_v<Number>>>
from_chars_result from_chars(const char* first, const char* last, Number& value, chars_format = chars_format::general) {
    const char* at = first;
    const auto digits = [&] {
        const char* from = at;
        while (at != last && *at >= '0' && *at <= '9')
            ++at;
        return at - from;
    };
    if (at != last && *at == '-')
        ++at;
    auto found = digits();
    if (at != last && *at == '.') {
        ++at;
        found += digits();
    }
    if (found == 0)
        return {first, errc::invalid_argument};
    const char* end = at;
    if (at != last && (*at == 'e' || *at == 'E')) {
        ++at;
        if (at != last && (*at == '+' || *at == '-'))
            ++at;
        if (digits() > 0)
            end = at;
    }
    const long double exact = strtold(string(first, end).c_str(), nullptr);
    const auto read = is_same_v<Number, double> ? strtod(string(first, end).c_str(), nullptr) : exact;
    if (read == HUGE_VALL || read == -HUGE_VALL)
        return {end, errc::result_out_of_range};
    value = static_cast<Number>(read);
    return {end, errc()};
}

inline to_chars_result __ringside_copy(char* first, char* last, const char* text, int length) {
    if (length < 0 || last - first < length)
        return {last, errc::value_too_large};
    memcpy(first, text, static_cast<size_t>(length));
    return {first + length, errc()};
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format format, int precision) {
    char text[512];
    const int length = snprintf(text, sizeof text, format == chars_format::fixed ? "%.*f" : "%.*e", precision, value);
    return __ringside_copy(first, last, text, length < static_cast<int>(sizeof text) ? length : -1);
}

/// Writes the shortest text that is read as the same number; of two that are equally long the one without an exponent.
inline to_chars_result to_chars(char* first, char* last, double value) {
    char text[32], plain[400];
    int length = 0;
    for (int digits = 0; digits < 17; ++digits) {
        length = snprintf(text, sizeof text, "%.*e", digits, value);
        if (strtod(text, nullptr) == value)
            break;
    }
    const char* const mark = strchr(text, 'e');
    if (mark == nullptr)
        return __ringside_copy(first, last, text, length);  // infinity, or no number
    const int exponent = atoi(mark + 1);
    const int decimals = max(0, static_cast<int>(mark - text) - (value < 0 ? 1 : 0) - 2 - exponent);
    const int plainLength =
        snprintf(plain, sizeof plain, "%.*f", mark - text == (value < 0 ? 2 : 1) ? max(0, -exponent) : decimals, value);
    return plainLength <= length ? __ringside_copy(first, last, plain, plainLength)
                                 : __ringside_copy(first, last, text, length);
}
#endif

#ifndef __cpp_lib_jthread
/// With the wait that ends at a request to stop. On one thread nobody can change what it waits for, so it never sleeps.
class __ringside_condition_variable_any : public condition_variable_any {
public:
    using condition_variable_any::wait;
    template <class Lock, class Predicate>
    bool wait(Lock&, const stop_token&, Predicate predicate) {
        return predicate();
    }
};
#define condition_variable_any __ringside_condition_variable_any
#endif

}  // namespace std
