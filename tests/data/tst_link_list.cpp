#include "data/document/document_tree.h"
#include "data/document/link_list.h"
#include "data/experiment/experiment_document.h"
#include "data/sweep/sweep_document.h"
#include "engine/api/topology.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;

namespace {

/// Reads a document of four GPUs with these links.
DraftReading readLinks(const std::string& links) {
    return readDraft(R"({"parallel": {"tp": 4}, "topology": {"kind": "custom", "links": )" + links + "}}",
                     "a document");
}

std::string textOf(const DraftReading& reading) {
    const auto found = reading.draft.explicitValues.find("topology.links");
    return found == reading.draft.explicitValues.end() ? "" : std::get<std::string>(found->second);
}

std::string describeAll(const engine::Problems& problems) {
    std::string text;
    for (const engine::Problem& problem : problems)
        text += engine::describe(problem) + "\n";
    return text;
}

}  // namespace

class TestLinkList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void objectsAndStringsBecomeTheTextOfTheParameter() {
        const DraftReading reading =
            readLinks(R"([{"from": 0, "to": 1}, "1-2", {"from": "2", "to": "s0", "bandwidth": "75 GB/s"},
            {"from": "s0", "to": 3, "bandwidth": 75000000000, "latency": "500 ns", "one_way": true},
            {"from": 3, "to": "s0", "one_way": true}, {"from": 3, "to": 0, "latency": "2 us", "one_way": false}])");
        QVERIFY2(reading.problems.empty(), describeAll(reading.problems).c_str());
        QCOMPARE(textOf(reading), std::string("0-1 1-2 2-s0@75GB/s s0>3@75GB/s,500ns 3>s0 3-0@,2us"));
    }

    void aListMeansWhatItsTextMeans() {
        const DraftReading list = readLinks(R"([{"from": 0, "to": 1}, {"from": 1, "to": 2, "latency": "2 us"},
            {"from": 2, "to": 3, "bandwidth": "300 GB/s"}, {"from": 3, "to": 0}])");
        const DraftReading text = readLinks(R"("0-1 1-2@,2us 2-3@300GB/s 3-0")");
        QVERIFY2(list.problems.empty(), describeAll(list.problems).c_str());
        QCOMPARE(textOf(list), textOf(text));
        QCOMPARE(list.draft, text.draft);
        const Expansion expansion = expand(list.draft);
        QVERIFY2(expansion.runnable(), describeAll(expansion.problems).c_str());
        const engine::Topology topology = engine::topologyOf(expansion.experiment);
        QCOMPARE(topology.links.size(), std::size_t{8});
        QCOMPARE(topology.links[2].latency.ps, std::int64_t{2'000'000});
        QCOMPARE(topology.links[2].bandwidth,
                 expansion.experiment.link.bandwidth);  // a link without its own bandwidth has the common one
        QCOMPARE(topology.links[4].bandwidth.bytesPerSecond, std::int64_t{300'000'000'000});
    }

    void aListIsKeptAsItsTextAndReadAgain() {
        const DraftReading list =
            readLinks(R"([{"from": 0, "to": 1, "bandwidth": "75 GB/s", "latency": "1 us"}, "1-2", "2-3", "3-0"])");
        QCOMPARE(readDraft(writeDraft(list.draft), "kept").draft, list.draft);
    }

    void whatIsWrongIsReportedByPosition_data() {
        QTest::addColumn<QByteArray>("links");
        QTest::addColumn<QString>("reported");
        QTest::newRow("an end that is missing")
            << QByteArray(R"(["0-1", {"from": 1}])") << "topology.links[1].to: missing, and every link has two ends";
        QTest::newRow("no node") << QByteArray(R"([{"from": "GPU 0", "to": 1}])")
                                 << "topology.links[0].from: \"GPU 0\": no node; allowed: a GPU's number";
        QTest::newRow("half a node") << QByteArray(R"([{"from": 0.5, "to": 1}])")
                                     << "topology.links[0].from: 0.5: no node";
        QTest::newRow("a negative node") << QByteArray(R"([{"from": -1, "to": 1}])")
                                         << "topology.links[0].from: -1: no node";
        QTest::newRow("a bandwidth of no unit") << QByteArray(R"([{"from": 0, "to": 1, "bandwidth": "75 parsec"}])")
                                                << "topology.links[0].bandwidth: \"75 parsec\": ";
        QTest::newRow("a bandwidth of nothing")
            << QByteArray(R"([{"from": 0, "to": 1, "bandwidth": 0}])")
            << "topology.links[0].bandwidth: 0: below the minimum; allowed: 100 MB/s";
        QTest::newRow("a latency that is a list") << QByteArray(R"([{"from": 0, "to": 1, "latency": [1]}])")
                                                  << "topology.links[0].latency: [...]: one value is expected";
        QTest::newRow("a latency that is null") << QByteArray(R"([{"from": 0, "to": 1, "latency": null}])")
                                                << "topology.links[0].latency: null: wrong type";
        QTest::newRow("one_way as a word") << QByteArray(R"([{"from": 0, "to": 1, "one_way": "yes"}])")
                                           << "topology.links[0].one_way: \"yes\": wrong type; allowed: true or false";
        QTest::newRow("an unknown key") << QByteArray(R"(["0-1", "1-2", {"from": 0, "to": 1, "bandwith": 1}])")
                                        << "topology.links[2].bandwith: 1: unknown key, did you mean bandwidth?";
        QTest::newRow("a key given twice")
            << QByteArray(R"([{"from": 0, "from": 0, "to": 1}])") << "topology.links[0].from: given twice";
        QTest::newRow("two links in one entry")
            << QByteArray(R"(["0-1 1-2"])") << "topology.links[0]: \"0-1 1-2\": no link";
        QTest::newRow("a number") << QByteArray(R"(["0-1", 7])") << "topology.links[1]: 7: no link";
        QTest::newRow("a list in the list") << QByteArray(R"([["0-1"]])") << "topology.links[0]: [...]: no link";
        QTest::newRow("nothing") << QByteArray("[]") << "topology.links: []: a list without a link";
        QTest::newRow("an object") << QByteArray(R"({"from": 0, "to": 1})") << "topology.links: {...}: an object";
    }
    void whatIsWrongIsReportedByPosition() {
        QFETCH(QByteArray, links);
        QFETCH(QString, reported);
        const DraftReading reading = readLinks(links.toStdString());
        QCOMPARE(reading.problems.size(), std::size_t{1});
        const QString said = QString::fromStdString(engine::describe(reading.problems.front()));
        QVERIFY2(said.startsWith(reported), qPrintable(said));
        QVERIFY(textOf(reading).empty());
    }

    void everyProblemOfAListIsReported() {
        const DraftReading reading = readLinks(R"([{"from": "x"}, {"from": 0, "to": 1, "latency": "soon"}, 3])");
        QCOMPARE(reading.problems.size(), std::size_t{4});
    }

    void aListAnywhereElseIsStillRefused() {
        for (const char* text :
             {R"({"link": {"bandwidth": [1]}})", R"({"topology": [1]})", R"({"topology": {"kind": ["ring"]}})",
              R"({"links": ["0-1"]})", R"([{"topology": {"links": []}}])"}) {
            const DraftReading reading = readDraft(text, "a document");
            QCOMPARE(reading.problems.size(), std::size_t{1});
            QVERIFY2(reading.problems.front().text.starts_with("a list, but"), text);
        }
    }

    void manyLinksAreReadAndTooDeepOnesAreNot() {
        std::string links = "[";
        for (int i = 0; i < 1000; ++i)
            links += R"({"from": 0, "to": 99999},)";
        links.back() = ']';
        QVERIFY(!readLinks(links).draft.explicitValues.empty());
        QVERIFY(!readLinks(std::string(100'000, '[')).problems.empty());
        QVERIFY(!readLinks(R"([{"from": {"a": {"b": {}}}, "to": 1}])").problems.empty());
    }

    void theBaseOfASweepMayHaveSuchAListToo() {
        const SweepReading reading = readSweep(R"({"format": "ringside-sweep", "version": 1,
                "base": {"parallel": {"tp": 4}, "topology": {"kind": "custom", "links": ["0-1", "1-2", "2-3", {"from": 3, "to": 0}]}},
                "axes": [{"path": "link.bandwidth", "values": ["150 GB/s"]}], "policies": ["sequential"],
                "metrics": ["time_ps.total"]})",
                                               "a sweep");
        QVERIFY2(reading.problems.empty(), describeAll(reading.problems).c_str());
        QVERIFY(reading.sweep.base.explicitValues.at("topology.links") ==
                engine::ParameterValue{std::string("0-1 1-2 2-3 3-0")});
    }
};

RINGSIDE_TEST(TestLinkList)
#include "tst_link_list.moc"
