#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What is wrong with a piece of text, and where it begins in it.
struct TextError {
    std::size_t column = 0;  ///< counted from 0
    std::string value;       ///< the piece
    std::string text;        ///< the problem, and what is allowed
};

/// The most an expression may result in: 2^53.
inline constexpr std::int64_t kMostOfExpression = std::int64_t{1} << 53;
/// The deepest nesting of parentheses and functions.
inline constexpr int kDeepestExpression = 64;

/// A whole number that is written as a formula: numbers, names, + - * / ( ), ceil(x), floor(x), log2(x), min(x, y, …)
/// and max(x, y, …). It is evaluated in long double; parts may be fractions, and the result must be whole.
class Expression {
public:
    /// Returns the value of a name; empty if there is none.
    using Names = std::function<std::optional<std::int64_t>(std::string_view name)>;

    struct Parsed;
    struct Result {
        std::int64_t value = 0;
        std::optional<TextError> error;
    };

    /// Reads the whole text. Takes time in proportion to its length.
    static Parsed parse(std::string_view text);

    /// Returns the result, 0 to kMostOfExpression, or why there is none.
    Result evaluate(const Names& names) const;

    /// Calls `take(name, column)` for each name that the expression reads.
    void forEachName(const std::function<void(std::string_view name, std::size_t column)>& take) const;
    const std::string& text() const { return m_text; }
    /// Returns whether the expression is a single name.
    bool isName() const { return m_steps.size() == 1 && m_steps.front().act == Act::name; }

private:
    enum class Act : std::uint8_t {
        number,
        name,
        add,
        subtract,
        multiply,
        divide,
        negate,
        ceil,
        floor,
        log2,
        min,
        max
    };
    /// A step of the evaluation on a stack: operands come before their operator.
    struct Step {
        Act act{};
        std::uint32_t column = 0;
        std::uint32_t length = 0;  ///< of the name, or the number of arguments of min and max
        long double number = 0;
    };
    class Parser;

    std::string m_text;
    std::vector<Step> m_steps;
};

struct Expression::Parsed {
    std::optional<Expression> expression;  ///< empty if there is an error
    std::optional<TextError> error;
};

/// Returns whether a text is a name: a letter or underscore, then letters, digits and underscores.
bool isExpressionName(std::string_view text);

}  // namespace engine
