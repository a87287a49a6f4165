#include "data/results/metrics.h"
#include "data/results/result_document.h"
#include "tests/data/sample_result.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <map>
#include <set>

using namespace data;

namespace {

/// Collects every number of a JSON object by its path, without lists.
void collect(const QJsonObject& object, const std::string& path, std::map<std::string, double>& numbers) {
    for (auto it = object.begin(); it != object.end(); ++it) {
        const std::string here = path.empty() ? it.key().toStdString() : path + "." + it.key().toStdString();
        if (it->isObject())
            collect(it->toObject(), here, numbers);
        if (it->isDouble())
            numbers.emplace(here, it->toDouble());
    }
}

const Metric& at(const char* path) {
    const Metric* metric = findMetric(path);
    if (metric == nullptr)
        qFatal("no metric %s", path);
    return *metric;
}

}  // namespace

class TestMetrics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNumberOfAResultIsAMetricAndHasItsValue() {
        engine::RunResult result = tests::fullResult();
        result.attribution.reset();  // metrics are for sweeps, which never compute it
        const std::string text = writeResult({}, result, false);
        std::map<std::string, double> numbers;
        collect(QJsonDocument::fromJson(QByteArray::fromStdString(text)).object(), {}, numbers);
        QVERIFY(numbers.size() > 40);
        // A value that the user sets is a parameter of this path, so there is no metric with the same path.
        for (const char* path : {"companion.copies", "companion.bytes", "gemm.tile_m", "gemm.tile_n"}) {
            QVERIFY(engine::findParameter(path) && !findMetric(path));
            QCOMPARE(numbers.erase(path), 1U);
        }
        numbers["gemm.used_tile_m"] = static_cast<double>(result.gemm->tileM);
        numbers["gemm.used_tile_n"] = static_cast<double>(result.gemm->tileN);
        for (const auto& [path, number] : numbers) {
            const Metric* metric = findMetric(path);
            QVERIFY2(metric, path.c_str());
            QVERIFY2(metric->read(result) == number, path.c_str());
        }
        QCOMPARE(metrics().size(), numbers.size());
    }

    void whatAResultDoesNotHaveIsNothing() {
        const engine::RunResult bare;
        for (const char* path : {"speedup_over_sequential", "isolated_ps.gemm", "dram_bytes.total", "tracker.triggers",
                                 "llc.hit_rate", "dma.bytes", "link_bytes.all_gather", "dram_outcome.efficiency",
                                 "companion.own_ps", "companion.while_both.slowdown", "companion.other_done"})
            QVERIFY2(!at(path).read(bare), path);
        QCOMPARE(at("time_ps.total").read(bare), std::optional<double>(0));
    }

    void aCompanionThatWasNotRunAloneHasItsTimesAndNoRatios() {
        engine::RunResult result;
        result.companion = engine::CompanionResult{.own = {5}, .time = {7}};
        QCOMPARE(at("companion.own_ps").read(result), std::optional<double>(5));
        QCOMPARE(at("companion.time_ps").read(result), std::optional<double>(7));
        for (const char* path : {"companion.own_slowdown", "companion.serial_ps", "companion.while_both.time_ps"})
            QVERIFY2(!at(path).read(result), path);
    }

    void pathsAndLabelsAreUniqueAndEveryMetricIsExplained() {
        std::set<std::string> paths, labels;
        for (const Metric& metric : metrics()) {
            QVERIFY2(paths.insert(metric.path).second && labels.insert(metric.label).second, metric.path.c_str());
            QVERIFY2(metric.meaning.ends_with("."), metric.path.c_str());
        }
    }

    void timesAreBetterShorterAndSpeedUpsLarger() {
        QVERIFY(at("time_ps.total").better == Better::smaller);
        QVERIFY(at("speedup_over_sequential").better == Better::larger);
        QVERIFY(at("shape.m").better == Better::neither);
    }

    void valuesAreShownWithTheUnitThatFits() {
        QCOMPARE(formatMetric(at("time_ps.total"), 2'004'000'000), std::string("2.004 ms"));
        QCOMPARE(formatMetric(at("time_ps.total"), 159'432'111), std::string("159.4 µs"));
        QCOMPARE(formatMetric(at("time_ps.total"), 999), std::string("999 ps"));
        QCOMPARE(formatMetric(at("time_ps.total"), 0), std::string("0 ps"));
        QCOMPARE(formatMetric(at("time_ps.exposed_communication"), -1'500'000), std::string("-1.500 µs"));
        QCOMPARE(formatMetric(at("dram_bytes.total"), 31.8e6), std::string("31.8 MB"));
        QCOMPARE(formatMetric(at("dram_bytes.total"), 17), std::string("17 B"));
        QCOMPARE(formatMetric(at("speedup_over_sequential"), 1.4712), std::string("1.47"));
        QCOMPARE(formatMetric(at("speedup_over_sequential"), 1), std::string("1.00"));
        QCOMPARE(formatMetric(at("shape.tiles"), 1088), std::string("1088"));
    }

    void anUnknownPathIsAnsweredWithTheNearest() {
        QVERIFY(!findMetric("time_ps.totle"));
        QCOMPARE(nearestMetrics("time_ps.totle").front(), std::string("time_ps.total"));
        QCOMPARE(nearestMetrics("speedup").front(), std::string("speedup_over_sequential"));
    }
};

RINGSIDE_TEST(TestMetrics)
#include "tst_metrics.moc"
