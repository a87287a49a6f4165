#include "data/questions/companion_text.h"
#include "engine/api/parameters.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;

namespace {

Settings saidOfCompanion(std::string_view text) {
    engine::Problems problems;
    const Settings settings = companionSettings(text, "--companion", problems);
    if (!problems.empty())
        qWarning("%s: %s", problems.front().value.c_str(), problems.front().text.c_str());
    return problems.empty() ? settings : Settings{{"problem", problems.front().text}};
}

engine::Problem companionRefusal(std::string_view text) {
    engine::Problems problems;
    const Settings settings = companionSettings(text, "--companion", problems);
    return settings.empty() && problems.size() == 1 ? problems.front() : engine::Problem{"", "", "not refused once"};
}

constexpr std::int64_t kMebibyte = 1024 * 1024;

}  // namespace

class TestCompanionText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCollectiveHasASizeWithOrWithoutABlankBeforeItsUnit() {
        const Settings expected{{"companion.operation", "all-gather"}, {"companion.bytes", 896 * kMebibyte}};
        QCOMPARE(saidOfCompanion("all-gather 896MiB"), expected);
        QCOMPARE(saidOfCompanion("  all-gather   896 MiB "), expected);
    }

    void whatIsNotSaidStaysAsItIs() {
        QCOMPARE(saidOfCompanion("all-to-all"), (Settings{{"companion.operation", "all-to-all"}}));
        QCOMPARE(saidOfCompanion("gemm"), (Settings{{"companion.operation", "gemm"}}));
        QCOMPARE(saidOfCompanion("gemm x3"),
                 (Settings{{"companion.operation", "gemm"}, {"companion.copies", std::int64_t{3}}}));
    }

    void aGemmHasSidesAndCopiesInAnyOrder() {
        const Settings expected{{"companion.operation", "gemm"},
                                {"companion.m", std::int64_t{4096}},
                                {"companion.n", std::int64_t{1024}},
                                {"companion.k", std::int64_t{512}},
                                {"companion.copies", std::int64_t{3}}};
        QCOMPARE(saidOfCompanion("gemm 4096x1024x512 x3"), expected);
        QCOMPARE(saidOfCompanion("gemm x3 4096x1024x512"), expected);
    }

    void everyOperationOfTheParameterThatNeedsPartOfTheGpuIsKnown() {
        for (const std::string& word : engine::findParameter("companion.operation")->words) {
            if (word == "none" || word == "in-memory")
                QVERIFY(companionRefusal(word).text.starts_with(word + " is not an operation that can run beside"));
            else
                QCOMPARE(saidOfCompanion(word), (Settings{{"companion.operation", word}}));
        }
    }

    void aBadTextIsRefusedWithItsNameWhatIsAllowedAndAnExample_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("what");
        const auto row = [](const char* text, const char* what) {
            QTest::newRow(text) << std::string(text) << std::string(what);
        };
        row("all-gater 64MiB", "did you mean all-gather?");
        row("all-gather 64 bananas", "companion.bytes 64 bananas: ");
        row("all-gather 3B", "below the minimum");
        row("all-gather 64MiB x2", "all-gather has no copies; only gemm has them");
        row("gemm 4096x1024", "4096x1024: not a size MxNxK");
        row("gemm 4096x1024x1024x3", "not a size MxNxK");
        row("gemm 0x1024x1024", "companion.m 0: below the minimum");
        row("gemm 2147483649x8x8", "companion.m 2147483649: above the maximum");
        row("gemm x16", "companion.copies 16: above the maximum");
        row("gemm x0", "companion.copies 0: below the minimum");
        row("gemm x", "companion.copies \"\": empty");
        row("gemm x2 x3", "the number of copies is given twice");
        row("gemm 8x8x8 8x8x8", "the size MxNxK is given twice");
    }

    void aBadTextIsRefusedWithItsNameWhatIsAllowedAndAnExample() {
        QFETCH(std::string, text);
        QFETCH(std::string, what);
        const engine::Problem problem = companionRefusal(text);
        QCOMPARE(problem.path, std::string("--companion"));
        QCOMPARE(problem.value, text);
        QVERIFY2(problem.text.find(what) != std::string::npos, problem.text.c_str());
        QVERIFY2(problem.text.find("allowed: ") != std::string::npos, problem.text.c_str());
        QVERIFY2(problem.text.ends_with("; for example \"all-gather 896MiB\" or \"gemm 4096x1024x1024 x3\""),
                 problem.text.c_str());
    }

    void anEmptyTextIsRefused() {
        QVERIFY(companionRefusal("").text.starts_with("empty; allowed: "));
        QVERIFY(companionRefusal("  ").text.starts_with("empty; allowed: "));
    }

    void theLargestNumbersAreAllowed() {
        QCOMPARE(saidOfCompanion("gemm 2147483648x1x1 x15").at("companion.copies"), engine::ParameterValue(15));
        QCOMPARE(saidOfCompanion("all-gather 4B").at("companion.bytes"), engine::ParameterValue(4));
    }

    void everyProblemOfATextIsSaid() {
        engine::Problems problems;
        companionSettings("gemm 0x8x0 x16", "--companion", problems);
        QCOMPARE(problems.size(), 3U);
    }
};

RINGSIDE_TEST(TestCompanionText)
#include "tst_companion_text.moc"
