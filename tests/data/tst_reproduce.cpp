#include "data/reproduce.h"
#include "engine/api/runner.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <set>

using namespace data;

namespace {

ReproduceOptions quick() {
    ReproduceOptions options;
    options.settings["detail.level"] = std::string("interactive");
    options.threads = 2;
    return options;
}

const Reproduction& reproduction() {
    static const Reproduction kReproduction = reproduce(quick());
    return kReproduction;
}

const ReproducedItem& item(const std::string& id) {
    for (const ReproducedItem& one : reproduction().items)
        if (one.published.id == id)
            return one;
    qFatal("no item %s", id.c_str());
}

}  // namespace

class TestReproduce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPublishedFigureIsComputedInItsOrder() {
        QVERIFY(publishedItems().size() >= 16);
        QCOMPARE(reproduction().items.size(), publishedItems().size());
        for (std::size_t i = 0; i < publishedItems().size(); ++i) {
            QCOMPARE(reproduction().items[i].published.id, publishedItems()[i].id);
            QVERIFY2(reproduction().items[i].value > 0, publishedItems()[i].id.c_str());
        }
    }

    void everyPublishedFigureHasWordsAndALabel() {
        const std::set<std::string> labels{"published", "second-hand", "derived"};
        std::set<std::string> ids;
        for (const PublishedItem& one : publishedItems()) {
            QVERIFY2(!one.what.empty() && labels.count(one.label) == 1, one.id.c_str());
            QVERIFY2(ids.insert(one.id).second, one.id.c_str());
        }
        QVERIFY(publishedSource().find("ASPLOS 2024") != std::string::npos);
    }

    void theDifferenceOfARatioIsRelativeAndThatOfAFractionIsNot() {
        for (const ReproducedItem& one : reproduction().items) {
            const bool fraction =
                one.published.id.starts_with("dram-reduction") || one.published.id.starts_with("write-reduction");
            QCOMPARE(one.isFraction, fraction);
            const double expected = fraction ? one.value - one.published.value : one.value / one.published.value - 1;
            QCOMPARE(one.difference, expected);
        }
    }

    void whatFollowsFromCountsAloneIsExact() {
        // RS reads (2N-1) chunks in sequence and N-2 under T3: 15/6 at TP 8, 31/14 at TP 16. GEMM and RS write 2N and
        // 2N-2: 1 - sqrt(14/16 x 30/32) over as many cases of each.
        QCOMPARE(item("rs-read-reduction-tp8").value, 15.0 / 6);
        QCOMPARE(item("rs-read-reduction-tp16").value, 31.0 / 14);
        QVERIFY(std::abs(item("write-reduction-geomean").value - (1 - std::sqrt(14.0 / 16 * 30 / 32))) < 1e-9);
    }

    void aBestCaseIsNoWorseThanTheGeomean() {
        for (const char* of : {"ideal-overlap", "t3", "t3-mca", "dram-reduction"})
            QVERIFY(item(std::string(of) + "-max").value > item(std::string(of) + "-geomean").value);
    }

    void theGeomeanIsThatOfTheCases() {
        double sum = 0;
        int count = 0;
        for (const ReproducedCase& one : reproduction().cases) {
            if (one.policy != "t3-mca")
                continue;
            sum += std::log(one.speedup);
            ++count;
        }
        QCOMPARE(count, 16);
        QVERIFY(std::abs(std::exp(sum / count) - item("t3-mca-geomean").value) < 1e-9);
    }

    void everyCaseIsThereUnderEveryPolicy() {
        std::set<std::string> seen;
        for (const ReproducedCase& one : reproduction().cases) {
            seen.insert(one.model + one.sublayer + std::to_string(one.tp) + one.policy);
            QCOMPARE(one.dram.has_value(), !one.policy.starts_with("ideal"));
            if (one.policy == "sequential")
                QCOMPARE(one.speedup, 1.0);
        }
        QCOMPARE(seen.size(), std::size_t{80});
    }

    void theTrafficOverTimeAddsUpToTheTrafficOfTheCase() {
        QCOMPARE(reproduction().traffic.size(), std::size_t{2});
        for (const TrafficProfile& profile : reproduction().traffic) {
            engine::Bytes sum;
            for (const TrafficProfile::Slice& slice : profile.slices)
                sum += slice.total();
            for (const ReproducedCase& one : reproduction().cases)
                if (one.model == "t-nlg" && one.sublayer == "fc-2" && one.tp == 8 && one.policy == profile.policy)
                    QCOMPARE(sum.count, one.dram->total.count);
        }
    }

    void onlyWhatIsAskedForIsListed() {
        ReproduceOptions options = quick();
        options.items = {"t3-geomean", "ideal-overlap-max"};
        const Reproduction some = reproduce(options);
        QCOMPARE(some.items.size(), std::size_t{2});
        QCOMPARE(some.items[0].published.id, std::string("ideal-overlap-max"));
        QCOMPARE(some.items[0].value, item("ideal-overlap-max").value);
    }

    void figuresThatWereNotPublishedAreRefusedWithTheNearestNames() {
        QVERIFY(checkItems({"t3-geomean", "rs-nmc-tp8"}).empty());
        const engine::Problems problems = checkItems({"t3-geomaen", "dram-reduction-max"});
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().value, std::string("t3-geomaen"));
        QVERIFY(problems.front().text.find("did you mean t3-geomean") != std::string::npos);
    }

    void settingsHoldForEveryCaseAndImpossibleOnesAreRefused() {
        ReproduceOptions options = quick();
        options.settings["link.bandwidth"] = std::int64_t{75'000'000'000};
        QVERIFY(reproduce(options).items[0].value != reproduction().items[0].value);
        options.settings["link.bandwidth"] = std::int64_t{0};
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, reproduce(options));
    }

    void aStopEndsIt() {
        std::stop_source stop;
        ReproduceOptions options = quick();
        options.stop = stop.get_token();
        options.progress = [&](double) { stop.request_stop(); };
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped, reproduce(options));
    }

    void theDocumentSaysWhatTheTableSays() {
        const QJsonObject json =
            QJsonDocument::fromJson(QByteArray::fromStdString(writeReproduction(reproduction()))).object();
        const QJsonArray items = json["items"].toArray();
        QCOMPARE(items.size(), static_cast<int>(publishedItems().size()));
        for (int i = 0; i < items.size(); ++i) {
            const ReproducedItem& one = reproduction().items[static_cast<std::size_t>(i)];
            QCOMPARE(items[i].toObject()["id"].toString().toStdString(), one.published.id);
            QCOMPARE(items[i].toObject()["value"].toDouble(), one.value);
            QCOMPARE(items[i].toObject()["published"].toDouble(), one.published.value);
        }
        QCOMPARE(json["cases"].toArray().size(), 80);
    }
};

QTEST_APPLESS_MAIN(TestReproduce)
#include "tst_reproduce.moc"
