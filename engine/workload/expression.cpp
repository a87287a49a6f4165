#include "engine/workload/expression.h"

#include "engine/api/letters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace engine {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isNamePart(char c) { return isNameStart(c) || isDigit(c); }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

constexpr const char* kAllowedParts =
    "allowed: numbers, names, + - * / ( ), ceil(x), floor(x), log2(x), min(x, y) and max(x, y)";

/// A rounding error of some operations of a value of this size in long double.
long double toleranceOf(long double value) { return std::max(1.0L, std::abs(value)) * 0x1p-58L; }

std::string shownNumber(long double value) {
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.12Lg", value);
    return {text.data(), static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(text.size()) - 1))};
}

}  // namespace

bool isExpressionName(std::string_view text) {
    return !text.empty() && isNameStart(text.front()) && std::ranges::all_of(text, isNamePart);
}

/// Reads an expression by recursive descent and appends its steps.
class Expression::Parser {
public:
    explicit Parser(Expression& into) : m_into(into), m_text(into.m_text) {}

    std::optional<TextError> parse() {
        sum(0);
        skipBlanks();
        if (!m_error && m_at < m_text.size())
            fail(m_at, 1, std::string("not expected here; ") + kAllowedParts);
        return std::move(m_error);
    }

private:
    using Act = Expression::Act;

    struct Function {
        std::string_view name;
        Act act;
        bool severalArguments;
    };
    static constexpr std::array kFunctions{Function{"ceil", Act::ceil, false}, Function{"floor", Act::floor, false},
                                           Function{"log2", Act::log2, false}, Function{"min", Act::min, true},
                                           Function{"max", Act::max, true}};

    void fail(std::size_t column, std::size_t length, std::string text) {
        if (!m_error)
            m_error =
                TextError{column, std::string(m_text.substr(std::min(column, m_text.size()), length)), std::move(text)};
    }

    void skipBlanks() {
        while (m_at < m_text.size() && isBlank(m_text[m_at]))
            ++m_at;
    }

    bool takes(char c) {
        skipBlanks();
        if (m_at == m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    void append(Act act, std::size_t column, std::size_t length = 1, long double number = 0) {
        m_into.m_steps.push_back({act, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(length), number});
    }

    void sum(int depth) {
        product(depth);
        while (!m_error) {
            skipBlanks();
            const std::size_t column = m_at;
            if (takes('+')) {
                product(depth);
                append(Act::add, column);
            } else if (takes('-')) {
                product(depth);
                append(Act::subtract, column);
            } else {
                return;
            }
        }
    }

    void product(int depth) {
        signedPart(depth);
        while (!m_error) {
            skipBlanks();
            const std::size_t column = m_at;
            if (takes('*')) {
                signedPart(depth);
                append(Act::multiply, column);
            } else if (takes('/')) {
                signedPart(depth);
                append(Act::divide, column);
            } else {
                return;
            }
        }
    }

    void signedPart(int depth) {
        skipBlanks();
        const std::size_t column = m_at;
        bool negative = false;
        while (takes('-'))
            negative = !negative;
        part(depth);
        if (negative)
            append(Act::negate, column);
    }

    void part(int depth) {
        if (m_error)
            return;
        skipBlanks();
        const std::size_t column = m_at;
        if (depth > kDeepestExpression)
            return fail(column, 1, "nested too deeply; allowed: " + std::to_string(kDeepestExpression) + " levels");
        if (m_at == m_text.size())
            return fail(column, 0, std::string("a number or a name is missing; ") + kAllowedParts);
        if (isDigit(m_text[m_at]))
            return number(column);
        if (isNameStart(m_text[m_at]))
            return nameOrFunction(column, depth);
        if (!takes('('))
            return fail(column, 1, std::string("no number and no name; ") + kAllowedParts);
        sum(depth + 1);
        if (!m_error && !takes(')'))
            fail(column, 1, "this parenthesis is not closed");
    }

    void number(std::size_t column) {
        const auto digits = [&] {
            while (m_at < m_text.size() && isDigit(m_text[m_at]))
                ++m_at;
        };
        digits();
        if (m_at + 1 < m_text.size() && m_text[m_at] == '.' && isDigit(m_text[m_at + 1])) {
            ++m_at;
            digits();
        }
        constexpr std::size_t kLongest = 40;
        const std::string_view text = m_text.substr(column, m_at - column);
        long double value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.size() > kLongest || read.ec != std::errc{} || read.ptr != text.data() + text.size())
            return fail(column, text.size(), "not a number; allowed: up to 40 digits");
        append(Act::number, column, text.size(), value);
    }

    void nameOrFunction(std::size_t column, int depth) {
        while (m_at < m_text.size() && isNamePart(m_text[m_at]))
            ++m_at;
        const std::string_view name = m_text.substr(column, m_at - column);
        if (!takes('('))
            return append(Act::name, column, name.size());
        const auto* function = std::ranges::find(kFunctions, name, &Function::name);
        if (function == kFunctions.end())
            return fail(column, name.size(), "no function; allowed: ceil, floor, log2, min, max");
        std::size_t arguments = 0;
        do {
            sum(depth + 1);
            ++arguments;
        } while (!m_error && function->severalArguments && takes(','));
        if (!m_error && !takes(')'))
            return fail(column, name.size(),
                        function->severalArguments
                            ? "its parenthesis is not closed"
                            : "it has one argument, and its parenthesis is not closed behind it");
        append(function->act, column, arguments);
    }

    Expression& m_into;
    std::string_view m_text;
    std::size_t m_at = 0;
    std::optional<TextError> m_error;
};

Expression::Parsed Expression::parse(std::string_view text) {
    Expression expression;
    expression.m_text = std::string(text);
    Parsed parsed;
    parsed.error = Parser(expression).parse();
    if (!parsed.error)
        parsed.expression = std::move(expression);
    return parsed;
}

Expression::Result Expression::evaluate(const Names& names) const {
    std::vector<long double> stack;
    const auto fail = [&](const Step& step, std::string value, std::string text) {
        return Result{0, TextError{step.column, std::move(value), std::move(text)}};
    };
    const auto pop = [&] {
        const long double value = stack.back();
        stack.pop_back();
        return value;
    };
    for (const Step& step : m_steps) {
        switch (step.act) {
        case Act::number: stack.push_back(step.number); break;
        case Act::name: {
            const std::string_view name = std::string_view(m_text).substr(step.column, step.length);
            const auto value = names(name);
            if (!value)
                return fail(step, std::string(name), "a name without a value");
            stack.push_back(static_cast<long double>(*value));
            break;
        }
        case Act::negate: stack.back() = -stack.back(); break;
        case Act::add: {
            const long double second = pop();
            stack.back() += second;
            break;
        }
        case Act::subtract: {
            const long double second = pop();
            stack.back() -= second;
            break;
        }
        case Act::multiply: {
            const long double second = pop();
            stack.back() *= second;
            break;
        }
        case Act::divide: {
            const long double second = pop();
            if (second == 0)
                return fail(step, "/", "division by zero");
            stack.back() /= second;
            break;
        }
        // A value that is whole but for rounding stays what it is.
        case Act::ceil: stack.back() = std::ceil(stack.back() - toleranceOf(stack.back())); break;
        case Act::floor: stack.back() = std::floor(stack.back() + toleranceOf(stack.back())); break;
        case Act::log2:
            if (stack.back() <= 0)
                return fail(step, "log2", "the logarithm of a number that is not above 0");
            stack.back() = std::log2(stack.back());
            break;
        case Act::min:
        case Act::max:
            for (std::uint32_t more = 1; more < step.length; ++more) {
                const long double second = pop();
                stack.back() = step.act == Act::min ? std::min(stack.back(), second) : std::max(stack.back(), second);
            }
            break;
        }
        if (!std::isfinite(stack.back()))
            return fail(step, "", "too large to compute");
    }
    const long double value = stack.back(), whole = std::rint(value);
    const auto refuse = [&](const char* why) {
        return Result{0, TextError{0, m_text, std::string("results in ") + shownNumber(value) + ", " + why}};
    };
    if (value < -toleranceOf(value))
        return refuse("which is negative; allowed: 0 to 2^53");
    if (whole > static_cast<long double>(kMostOfExpression))
        return refuse("which is too large; allowed: up to 2^53");
    if (std::abs(value - whole) > toleranceOf(value))
        return refuse("which is not whole; ceil(x) or floor(x) rounds");
    return {static_cast<std::int64_t>(whole), std::nullopt};
}

void Expression::forEachName(const std::function<void(std::string_view, std::size_t)>& take) const {
    for (const Step& step : m_steps)
        if (step.act == Act::name)
            take(std::string_view(m_text).substr(step.column, step.length), step.column);
}

}  // namespace engine
