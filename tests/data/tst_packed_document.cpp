#include "data/results/packed_document.h"
#include "data/results/result_document.h"
#include "tests/data/sample_result.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace data;

class TestPackedDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsPackedComesBackTheSame() {
        const auto sameBack = [](const ResultJson& document) {
            const PackedDocument pack = packed(document);
            QCOMPARE(unpacked(pack.layout, pack.values).dump(), document.dump());
        };
        sameBack(outcomeJson(tests::sampleResult()));
        sameBack(outcomeJson({}));
        ResultJson nested{{"z", 1}, {"list", {1, {2, 3}, ResultJson::object()}}, {"none", ResultJson::array()}};
        nested["a"] = {{"null", nullptr}, {"true", true}, {"false", false}, {"", ""}};
        sameBack(nested);
        sameBack({{"text", "\"quotes\", \n and \xc3\xbc"}, {"0", 0.0}, {"minus", -0.0}, {"third", 1.0 / 3.0}});
    }

    void wholeNumbersKeepTheirLastDigitToTheEndsOfTheirRange() {
        ResultJson document;
        for (int bit = 0; bit < 63; ++bit) {
            for (const std::int64_t near : {-1, 0, 1}) {
                document.push_back((std::int64_t{1} << bit) + near);
                document.push_back(-(std::int64_t{1} << bit) + near);
            }
        }
        document.push_back(std::numeric_limits<std::int64_t>::max());
        document.push_back(std::numeric_limits<std::int64_t>::min());
        const PackedDocument pack = packed(document);
        QCOMPARE(unpacked(pack.layout, pack.values), document);
    }

    void resultsOfOneShapeShareTheirKeysAndTakeAFifthOfTheBytes() {
        engine::RunResult other = tests::sampleResult();
        other.last.time.total.ps = 2'018'709'608;
        other.notices.front().text = "another one";
        const PackedDocument a = packed(outcomeJson(tests::sampleResult())), b = packed(outcomeJson(other));
        QCOMPARE(a.layout, b.layout);
        QVERIFY(a.values != b.values);
        QVERIFY(5 * a.values.size() < writeResult({}, tests::sampleResult(), false).size());
    }

    void numbersAreReadByPathWithoutTheDocument() {
        const PackedDocument pack = packed(outcomeJson(tests::sampleResult()));
        const std::vector<std::string> paths{"time_ps.total", "speedup_over_sequential", "notices",     "no.such",
                                             "threads",       "shape.chunk_bytes",       "llc.hit_rate"};
        std::vector<std::optional<double>> numbers(paths.size(), 5.0);
        PackedNumbers(pack.layout, paths).read(pack.values, numbers);
        const std::vector<std::optional<double>> expected{2000.0, 1.08, {}, {}, 2.0, {}, 17.0 / 35.0};
        QCOMPARE(numbers, expected);
    }

    void valuesThatDoNotFitTheKeysAreDamageWhereverTheyEnd() {
        const PackedDocument pack = packed(outcomeJson(tests::sampleResult()));
        const std::vector<std::string> paths{"threads"};
        const PackedNumbers numbers(pack.layout, paths);
        std::vector<std::optional<double>> read(1);
        for (std::size_t size = 0; size < pack.values.size(); ++size) {
            QVERIFY_EXCEPTION_THROWN(unpacked(pack.layout, pack.values.substr(0, size)), DamagedDocument);
            QVERIFY_EXCEPTION_THROWN(numbers.read(pack.values.substr(0, size), read), DamagedDocument);
        }
        QVERIFY_EXCEPTION_THROWN(unpacked(pack.layout, pack.values + '\0'), DamagedDocument);
        QVERIFY_EXCEPTION_THROWN(unpacked("[0]", std::string(20, '\xff')), DamagedDocument);
        QVERIFY_EXCEPTION_THROWN(unpacked(std::string(100'000, '[') + std::string(100'000, ']'), ""), DamagedDocument);
        QVERIFY_EXCEPTION_THROWN(unpacked("{", ""), DamagedDocument);
    }
};

RINGSIDE_TEST(TestPackedDocument)
#include "tst_packed_document.moc"
