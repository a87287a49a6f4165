#include "data/document/value_places.h"
#include "data/sweep/sweep_document.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace data {
namespace {

using engine::Parameter;
using engine::ParameterKind;
using engine::ParameterUnit;
using engine::ParameterValue;
using engine::Problems;

constexpr int kShortDigits = 4;   // enough for a bandwidth that a range computed, "35.36 GB/s"
constexpr int kExactDigits = 12;  // enough for any range, and few enough to hide that 0.1 has no exact double
/// The share of a step by which rounding may move a value, so that the steps still look equal.
constexpr double kInvisible = 1.0 / 200;

void checkEnd(const char* name, const Parameter& parameter, const ParameterValue& value, Problems& problems) {
    if (!numberOf(value)) {
        problems.push_back(
            {name, engine::formatValue(parameter, value), "a word; a number is expected as the end of a range"});
    } else if (auto problem = engine::check(parameter, value)) {
        problem->path = name;
        problems.push_back(std::move(*problem));
    }
}

std::string countAllowed(double most) {
    return "2 to " + std::to_string(static_cast<std::int64_t>(std::min(most, static_cast<double>(kMostPoints))));
}

int exponentOf(const ParameterValue& value) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::get<std::int64_t>(value)))) - 1;
}

/// Returns how many different values lie between the ends.
double roomOf(const Parameter& parameter, const AxisRange& range) {
    if (parameter.powerOfTwo)
        return std::abs(exponentOf(range.to) - exponentOf(range.from)) + 1;
    if (parameter.kind == ParameterKind::integer)
        return std::abs(*numberOf(range.to) - *numberOf(range.from)) + 1;
    return static_cast<double>(kMostPoints);
}

void checkRange(const Parameter& parameter, const AxisRange& range, Problems& problems) {
    const std::size_t before = problems.size();
    if (parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::text) {
        problems.push_back({"from", engine::formatValue(parameter, range.from),
                            parameter.path + " has words as values; list them instead of a range"});
        return;
    }
    checkEnd("from", parameter, range.from, problems);
    checkEnd("to", parameter, range.to, problems);
    bool ends = problems.size() == before;
    if (ends && *numberOf(range.from) == *numberOf(range.to)) {
        ends = false;
        problems.push_back(
            {"to", engine::formatValue(parameter, range.to), "the same as from; a range needs two different ends"});
    }
    if (ends && range.logarithmic && std::min(*numberOf(range.from), *numberOf(range.to)) <= 0)
        problems.push_back({"scale", "log", "equal ratios cannot begin or end at 0; allowed: linear"});
    if (ends && parameter.powerOfTwo && !range.logarithmic)
        problems.push_back({"scale", "linear", parameter.path + " allows powers of two only; allowed: log"});
    const double room = ends ? roomOf(parameter, range) : static_cast<double>(kMostPoints);
    if (range.count < 2 || static_cast<double>(range.count) > std::min(room, static_cast<double>(kMostPoints)))
        problems.push_back(
            {"count", std::to_string(range.count),
             "not possible with these ends; allowed: " + countAllowed(room) +
                 (room < static_cast<double>(kMostPoints) ? ", as many as there are values between the ends" : "")});
}

/// Returns values in equal steps or ratios, not rounded; both ends are exact.
std::vector<double> placesOf(const AxisRange& range) {
    const double from = *numberOf(range.from), to = *numberOf(range.to);
    const auto last = static_cast<double>(range.count - 1);
    std::vector<double> places;
    for (std::int64_t i = 0; i < range.count; ++i) {
        const double share = static_cast<double>(i) / last;
        places.push_back(range.logarithmic ? from * std::pow(to / from, share)
                                           : from + (to - from) * static_cast<double>(i) / last);
    }
    places.front() = from;
    places.back() = to;
    return places;
}

/// Returns the values rounded to `digits` digits, or an empty optional if that would move one of them visibly.
std::optional<std::vector<double>> withDigits(const Parameter& parameter, const std::vector<double>& places,
                                              int digits) {
    std::vector<double> brief = places;
    for (std::size_t i = 1; i + 1 < places.size(); ++i) {
        if (parameter.kind == ParameterKind::integer && places[i] == std::round(places[i]))
            continue;
        brief[i] = roundedTo(places[i], digits);
        const double step = std::min(std::abs(places[i] - places[i - 1]), std::abs(places[i + 1] - places[i]));
        if (std::abs(brief[i] - places[i]) > step * kInvisible)
            return std::nullopt;
    }
    return brief;
}

/// Rounds values to as few digits as look right. Sizes in bytes stay as they are, because people count them in powers
/// of two.
void shorten(const Parameter& parameter, std::vector<double>& places) {
    if (parameter.unit == ParameterUnit::bytes)
        return;
    for (int digits = kShortDigits; digits <= kExactDigits; ++digits) {
        if (auto brief = withDigits(parameter, places, digits)) {
            places = std::move(*brief);
            return;
        }
    }
}

/// Returns the nearest integers that differ from each other. Precondition: there are enough of them.
std::vector<std::int64_t> wholeNumbers(const std::vector<double>& places) {
    const bool rising = places.back() > places.front();
    std::vector<std::int64_t> numbers;
    for (const double place : places)
        numbers.push_back(std::llround(rising ? place : -place));
    for (std::size_t i = 1; i < numbers.size(); ++i)
        numbers[i] = std::max(numbers[i], numbers[i - 1] + 1);
    numbers.back() = std::llround(rising ? places.back() : -places.back());
    for (std::size_t i = numbers.size() - 1; i-- > 0;)
        numbers[i] = std::min(numbers[i], numbers[i + 1] - 1);
    if (!rising) {
        for (std::int64_t& number : numbers)
            number = -number;
    }
    return numbers;
}

std::vector<std::int64_t> powersOfTwo(const AxisRange& range) {
    AxisRange exponents = range;
    exponents.from = std::int64_t{exponentOf(range.from)};
    exponents.to = std::int64_t{exponentOf(range.to)};
    exponents.logarithmic = false;
    std::vector<std::int64_t> numbers = wholeNumbers(placesOf(exponents));
    for (std::int64_t& number : numbers)
        number = std::int64_t{1} << number;
    return numbers;
}

}  // namespace

std::vector<ParameterValue> valuesOf(const Parameter& parameter, const AxisRange& range, Problems& problems) {
    const std::size_t before = problems.size();
    checkRange(parameter, range, problems);
    if (problems.size() != before)
        return {};
    if (parameter.powerOfTwo) {
        const std::vector<std::int64_t> powers = powersOfTwo(range);
        return {powers.begin(), powers.end()};
    }
    std::vector<double> places = placesOf(range);
    shorten(parameter, places);
    if (parameter.kind == ParameterKind::real)
        return {places.begin(), places.end()};
    const std::vector<std::int64_t> numbers = wholeNumbers(places);
    return {numbers.begin(), numbers.end()};
}

}  // namespace data
