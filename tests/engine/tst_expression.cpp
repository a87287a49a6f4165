#include "engine/workload/expression.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <string>

using namespace engine;

namespace {

Expression::Result resultOf(
    const std::string& text,
    const Expression::Names& names = [](std::string_view) { return std::optional<std::int64_t>(); }) {
    const Expression::Parsed parsed = Expression::parse(text);
    if (parsed.error)
        return {0, parsed.error};
    return parsed.expression->evaluate(names);
}

std::int64_t valueOf(const std::string& text) {
    const Expression::Result result = resultOf(text);
    if (result.error)
        qFatal("%s: %s", text.c_str(), result.error->text.c_str());
    return result.value;
}

std::string errorOf(const std::string& text) {
    const Expression::Result result = resultOf(text);
    return result.error ? std::to_string(result.error->column) + " " + result.error->value + ": " + result.error->text
                        : std::string();
}

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using)

/// A fraction, computed exactly.
struct Fraction {
    Wide above = 0, below = 1;

    void reduce() {
        Wide a = above < 0 ? -above : above, b = below;
        while (b != 0)
            a = std::exchange(b, a % b);
        if (a != 0) {
            above /= a;
            below /= a;
        }
        if (below < 0) {
            above = -above;
            below = -below;
        }
    }
};

Wide roundedDown(const Fraction& value) {
    const Wide quotient = value.above / value.below;
    return value.above % value.below != 0 && value.above < 0 ? quotient - 1 : quotient;
}

/// A random expression as text, with its value; empty if it divides by zero.
struct Tree {
    std::string text;
    std::optional<Fraction> value;
};

class Trees {
public:
    explicit Trees(unsigned seed) : m_random(seed) {}

    Tree next(int depth) {
        if (depth == 0 || below(4) == 0) {
            const int number = below(30);
            return {std::to_string(number), Fraction{number, 1}};
        }
        Tree a = next(depth - 1), b = next(depth - 1);
        const bool has = a.value && b.value;
        Fraction x = a.value.value_or(Fraction{}), y = b.value.value_or(Fraction{});
        Fraction made;
        std::string text;
        bool divides = true;
        switch (below(8)) {
        case 0:
            text = "(" + a.text + "+" + b.text + ")";
            made = {x.above * y.below + y.above * x.below, x.below * y.below};
            break;
        case 1:
            text = "(" + a.text + " - " + b.text + ")";
            made = {x.above * y.below - y.above * x.below, x.below * y.below};
            break;
        case 2:
            text = a.text + "*(" + b.text + ")";
            made = {x.above * y.above, x.below * y.below};
            text = "(" + text + ")";
            break;
        case 3:
            text = "(" + a.text + "/" + b.text + ")";
            divides = y.above != 0;
            made = {x.above * y.below, x.below * (divides ? y.above : 1)};
            break;
        case 4:
            text = "ceil(" + a.text + ")";
            made = {-roundedDown({-x.above, x.below}), 1};
            break;
        case 5:
            text = "floor(" + a.text + ")";
            made = {roundedDown(x), 1};
            break;
        default: {
            const bool least = below(2) == 0, isLess = x.above * y.below < y.above * x.below;
            text = (least ? "min(" : "max( ") + a.text + ", " + b.text + ")";
            made = isLess == least ? x : y;
            break;
        }
        }
        const bool one = text.starts_with("ceil") || text.starts_with("floor");
        made.reduce();
        const bool exists = one ? a.value.has_value() : has && divides;
        return {text, exists ? std::optional(made) : std::nullopt};
    }

private:
    int below(int count) { return std::uniform_int_distribution(0, count - 1)(m_random); }

    std::mt19937 m_random;
};

}  // namespace

class TestExpression : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsComputedAsWritten() {
        QCOMPARE(valueOf("2+3*4"), std::int64_t{14});
        QCOMPARE(valueOf("(2+3)*4"), std::int64_t{20});
        QCOMPARE(valueOf("100/4/5"), std::int64_t{5});
        QCOMPARE(valueOf("10-4-3"), std::int64_t{3});
        QCOMPARE(valueOf("-2*-3"), std::int64_t{6});
        QCOMPARE(valueOf("1/3*3"), std::int64_t{1});
        QCOMPARE(valueOf("2.5*4"), std::int64_t{10});
        QCOMPARE(valueOf("ceil(7/2) + floor(7/2)"), std::int64_t{7});
        QCOMPARE(valueOf("max(1, 9, 4) - min(8, 3)"), std::int64_t{6});
        QCOMPARE(valueOf("log2(1024)"), std::int64_t{10});
        QCOMPARE(valueOf("ceil(log2(513))"), std::int64_t{10});
        QCOMPARE(valueOf("9007199254740992"), kMostOfExpression);
    }

    void namesHaveTheValuesOfWhoAsks() {
        const auto names = [](std::string_view name) {
            return name == "b" ? std::optional<std::int64_t>(16) : std::nullopt;
        };
        QCOMPARE(resultOf("3025*b", names).value, std::int64_t{48'400});
        QCOMPARE(resultOf("3025*c", names).error->column, std::size_t{5});
        QCOMPARE(resultOf("3025*c", names).error->value, std::string("c"));
    }

    void mistakesAreNamedWithTheirColumn() {
        QVERIFY(errorOf("").starts_with("0 : a number or a name is missing"));
        QVERIFY(errorOf("1+").starts_with("2 : a number or a name is missing"));
        QVERIFY(errorOf("(1").find("not closed") != std::string::npos);
        QVERIFY(errorOf("1 2").starts_with("2 2: not expected here"));
        QVERIFY(errorOf("sqrt(4)").starts_with("0 sqrt: no function"));
        QVERIFY(errorOf("ceil(1,2)").find("one argument") != std::string::npos);
        QVERIFY(errorOf("1/0").starts_with("1 /: division by zero"));
        QVERIFY(errorOf("log2(0)").find("not above 0") != std::string::npos);
        QVERIFY(errorOf("7/2").find("3.5, which is not whole") != std::string::npos);
        QVERIFY(errorOf("3-4").find("negative") != std::string::npos);
        QVERIFY(errorOf("9007199254740993").find("too large") != std::string::npos);
    }

    void nestingHasALimitOnBothSides() {
        const auto nested = [](int depth) {
            return std::string(static_cast<std::size_t>(depth), '(') + "1" +
                   std::string(static_cast<std::size_t>(depth), ')');
        };
        QCOMPARE(valueOf(nested(kDeepestExpression)), std::int64_t{1});
        QVERIFY(errorOf(nested(kDeepestExpression + 1)).find("nested too deeply") != std::string::npos);
        QVERIFY(Expression::parse(std::string(60'000, '(')).error.has_value());
        QVERIFY(!Expression::parse(std::string(60'000, '-') + "1").error.has_value());
    }

    void randomExpressionsEqualExactArithmetic() {
        Trees trees(1);
        int whole = 0;
        for (int i = 0; i < 100'000; ++i) {
            const Tree tree = trees.next(4);
            const Expression::Result result = resultOf(tree.text);
            const bool isWhole = tree.value && tree.value->below == 1 && tree.value->above >= 0;
            QVERIFY2(isWhole == !result.error, (tree.text + (result.error ? ": " + result.error->text : "")).c_str());
            if (!isWhole)
                continue;
            ++whole;
            QCOMPARE(result.value, static_cast<std::int64_t>(tree.value->above));
        }
        QVERIFY(whole > 30'000);
    }
};

RINGSIDE_TEST(TestExpression)
#include "tst_expression.moc"
