#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace engine {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

bool isWord(const Parameter& parameter, std::string_view text) {
    return std::find(parameter.words.begin(), parameter.words.end(), text) != parameter.words.end();
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// Returns the words as "a, b or c".
std::string alternatives(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
}

/// Returns the exact text of a whole number with the unit that makes it shortest.
std::string wholeText(std::int64_t value, ParameterUnit unit) {
    const auto units = unitNames(unit);
    if (units.empty())
        return std::to_string(value);
    if (unit == ParameterUnit::toOne)
        return std::to_string(value) + ":1";
    // A text with more decimals than this is harder to read than one with the next smaller unit.
    constexpr int kMostDecimals = 3;
    std::string best = std::to_string(value) + " " + std::string(units.front().text);
    std::size_t bestLength = std::to_string(value).size();
    if (value == 0)
        return best;
    const std::int64_t magnitude = value < 0 ? -(value + 1) : value;
    for (const UnitName& name : units) {
        if (!name.shown || name.factor > magnitude)
            continue;
        const auto number = exactQuotient(value, name.factor, kMostDecimals);
        if (!number || number->size() > bestLength)
            continue;
        bestLength = number->size();
        best = *number + " " + std::string(name.text);
    }
    return best;
}

std::string boundText(const Parameter& parameter, double bound) {
    return parameter.kind == ParameterKind::real ? shortestText(bound)
                                                 : wholeText(static_cast<std::int64_t>(bound), parameter.unit);
}

Problem problemWith(const Parameter& parameter, std::string value, const std::string& what) {
    return {parameter.path, std::move(value), what + "; allowed: " + describeAllowed(parameter)};
}

std::string unknownWord(const Parameter& parameter, std::string_view word) {
    const auto near = nearestNames(word, parameter.words);
    return near.empty() ? "unknown" : "unknown, did you mean " + alternatives(near) + "?";
}

std::optional<ParameterValue> parseReal(const Parameter& parameter, std::string_view text, Problems& problems) {
    std::string_view digits = text;
    if (!digits.empty() && digits.front() == '+')
        digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
        problems.push_back(problemWith(parameter, std::string(text), "not a number"));
        return std::nullopt;
    }
    if (error == std::errc::result_out_of_range || !std::isfinite(value)) {
        problems.push_back(problemWith(parameter, std::string(text), "not a finite number that can be represented"));
        return std::nullopt;
    }
    return value;
}

std::optional<ParameterValue> parseInteger(const Parameter& parameter, std::string_view text, Problems& problems) {
    const auto fail = [&](const std::string& what) -> std::optional<ParameterValue> {
        problems.push_back(problemWith(parameter, std::string(text), what));
        return std::nullopt;
    };
    std::string_view rest = text;
    const auto decimal = readDecimal(rest);
    if (!decimal)
        return fail(parameter.words.empty() ? "not a number" : "neither a number nor an allowed word");
    rest = trimmed(rest);
    std::int64_t factor = 1;
    if (!rest.empty()) {
        if (unitNames(parameter.unit).empty())
            return fail("a number without a unit is expected, but a text follows the number");
        const auto known = unitFactor(parameter.unit, rest);
        if (!known)
            return fail(unitProblem(parameter.unit, rest));
        factor = *known;
    }
    const WholeNumber whole = timesFactor(*decimal, factor);
    if (whole.state == WholeNumber::State::tooLarge)
        return fail(decimal->negative ? "below the minimum" : "above the maximum");
    // A number with a larger unit may be rounded to base units, as "0.3 GiB" to bytes; a number without one, as "2.5"
    // CUs, may not.
    if (whole.state == WholeNumber::State::rounded && (factor == 1 || whole.value == 0))
        return fail("not a whole number" + (parameter.unit == ParameterUnit::none
                                                ? std::string()
                                                : " of " + std::string(name(parameter.unit))));
    return whole.value;
}

std::optional<Problem> checkWord(const Parameter& parameter, const std::string& word) {
    if (parameter.kind == ParameterKind::text) {
        constexpr std::size_t kLongestName = 256;
        const std::size_t longest = parameter.maximum > 0 ? static_cast<std::size_t>(parameter.maximum) : kLongestName;
        if (word.empty())
            return problemWith(parameter, "\"\"", "empty");
        if (word.size() > longest)
            return problemWith(parameter, word.substr(0, kLongestName) + "…",
                               "longer than " + std::to_string(longest) + " bytes");
        return std::nullopt;
    }
    if (isWord(parameter, word))
        return std::nullopt;
    if (parameter.words.empty())
        return problemWith(parameter, word, "not a number");
    return problemWith(parameter, word, unknownWord(parameter, word));
}

/// Returns why a number is not allowed; empty if it is. Composing a problem's text costs more than all these checks,
/// and a sweep checks a hundred thousand values, so the text is composed only for problems.
std::string_view outOfRange(const Parameter& parameter, double value) {
    if (!std::isfinite(value))
        return "not a finite number";
    if (value < parameter.minimum)
        return "below the minimum";
    if (value > parameter.maximum)
        return "above the maximum";
    return {};
}

std::optional<Problem> checkRange(const Parameter& parameter, const ParameterValue& value, double real) {
    const std::string_view what = outOfRange(parameter, real);
    if (what.empty())
        return std::nullopt;
    return problemWith(parameter, formatValue(parameter, value), std::string(what));
}

}  // namespace

std::optional<Problem> check(const Parameter& parameter, const ParameterValue& value) {
    if (const auto* word = std::get_if<std::string>(&value))
        return checkWord(parameter, *word);
    if (parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::text)
        return problemWith(parameter, formatValue(parameter, value), "a number, but a word is expected");
    if (const auto* real = std::get_if<double>(&value)) {
        if (parameter.kind == ParameterKind::integer)
            return problemWith(parameter, shortestText(*real), "not a whole number");
        return checkRange(parameter, value, *real);
    }
    const std::int64_t whole = std::get<std::int64_t>(value);
    if (auto problem = checkRange(parameter, value, static_cast<double>(whole)))
        return problem;
    if (parameter.powerOfTwo && !std::has_single_bit(static_cast<std::uint64_t>(whole)))
        return problemWith(parameter, formatValue(parameter, value), "not a power of two");
    return std::nullopt;
}

Problems tableProblems(const Experiment& experiment) {
    Problems problems;
    for (const Parameter& parameter : parameters()) {
        if (auto problem = check(parameter, parameter.read(experiment)))
            problems.push_back(std::move(*problem));
    }
    return problems;
}

std::optional<ParameterValue> parseValue(const Parameter& parameter, std::string_view text, Problems& problems) {
    text = trimmed(text);
    std::optional<ParameterValue> value;
    const bool word = parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::text;
    if (word || isWord(parameter, text)) {
        value = std::string(text);
    } else if (text.empty()) {
        problems.push_back(problemWith(parameter, "\"\"", "empty"));
    } else if (parameter.kind == ParameterKind::real) {
        value = parseReal(parameter, text, problems);
    } else {
        value = parseInteger(parameter, text, problems);
    }
    if (!value)
        return std::nullopt;
    if (auto problem = check(parameter, *value)) {
        // Quotes the value as it was typed, because that is what the user looks for.
        if (!text.empty())
            problem->value = std::string(text);
        problems.push_back(std::move(*problem));
        return std::nullopt;
    }
    return value;
}

std::string formatValue(const Parameter& parameter, const ParameterValue& value) {
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    if (const auto* real = std::get_if<double>(&value))
        return shortestText(*real);
    const std::int64_t whole = std::get<std::int64_t>(value);
    return parameter.kind == ParameterKind::integer ? wholeText(whole, parameter.unit) : std::to_string(whole);
}

std::string describeAllowed(const Parameter& parameter) {
    if (parameter.kind == ParameterKind::text && !parameter.words.empty())
        return alternatives(parameter.words) + ", or a text of at most " +
               std::to_string(static_cast<int>(parameter.maximum)) + " bytes";
    if (parameter.kind == ParameterKind::text)
        return "the name of a preset";
    if (parameter.kind == ParameterKind::choice)
        return parameter.words.size() == 1 ? parameter.words.front() : "one of " + listed(parameter.words);
    std::string text = boundText(parameter, parameter.minimum) + " to " + boundText(parameter, parameter.maximum);
    if (parameter.powerOfTwo)
        text = "a power of two from " + text;
    return parameter.words.empty() ? text : text + ", or " + alternatives(parameter.words);
}

}  // namespace engine
