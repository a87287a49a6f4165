#include "engine/api/footprint.h"
#include "engine/api/messages.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "engine/workload/network_graph.h"
#include "engine/workload/network_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>

using namespace engine;

namespace {

const std::string kAlexNet = R"(let conv = columns
let fc = columns
conv1: gemm 3025*b 96 363 in conv
pool1: work 9*69984*b e*360384*b out 69984*b in conv
conv2: gemm 729*b 256 2400 in conv
pool2: work 9*43264*b e*229888*b out 43264*b in conv
conv3: gemm 169*b 384 2304 in conv
conv4: gemm 169*b 384 3456 in conv
conv5: gemm 169*b 256 3456 in conv
pool5: work 9*9216*b e*52480*b out 9216*b in conv
fc6: gemm b 4096 9216 in fc
fc7: gemm b 4096 4096 in fc
fc8: gemm b 1000 4096 in fc
)";

std::string problemOf(const std::string& text) {
    const NetworkReading reading = readNetwork(text);
    return reading.problems.empty() ? std::string() : describe(reading.problems.front());
}

Experiment experimentOf(std::int64_t tp, std::int64_t dp, std::int64_t batch) {
    Experiment experiment;
    experiment.parallel.tp = tp;
    experiment.division.dp = dp;
    experiment.workload.batch = batch;
    experiment.operators.elementBits = 32;
    return experiment;
}

/// Returns an experiment with a network.
Experiment withNetwork(const std::string& text, Experiment experiment, const std::string& symbols = "none") {
    experiment.workload.network = text;
    experiment.workload.symbols = symbols;
    return experiment;
}

OperatorGraph graphOf(const std::string& text, const Experiment& experiment, const std::string& symbols = "none",
                      ModelPhase phase = ModelPhase::training) {
    const Experiment whole = withNetwork(text, experiment, symbols);
    const Problems problems = footprintProblems(whole, phase);
    if (!problems.empty())
        qFatal("%s", describe(problems.front()).c_str());
    return operatorGraphOf(whole, phase);
}

std::string refusalOf(const std::string& text, const Experiment& experiment) {
    const Problems problems = footprintProblems(withNetwork(text, experiment), ModelPhase::training);
    return problems.empty() ? std::string() : describe(problems.front());
}

/// What one GPU sends in a training step, with 2 us and 6 GB/s everywhere.
Messages sentBy(const std::string& text, const Experiment& experiment, const std::string& symbols = "none") {
    return messagesOf(withNetwork(text, experiment, symbols), ModelPhase::training);
}

}  // namespace

class TestNetwork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSevenGridsOfAlexNetSendWhatThePublishedFormulasSay_data() {
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("dp");
        QTest::addColumn<QString>("symbols");
        QTest::addColumn<int>("messages");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<double>("milliseconds");
        const auto row = [](int tp, int dp, const char* symbols, int messages, qint64 bytes, double milliseconds) {
            QTest::addRow("%d x %d %s", tp, dp, symbols)
                << tp << dp << QString(symbols) << messages << bytes << milliseconds;
        };
        row(1, 512, "none", 8, 497'967'712, 83.28);
        row(4, 128, "none", 23, 180'409'120, 30.38);
        row(32, 16, "conv=samples", 15, 65'475'552, 11.23);
        row(16, 32, "conv=samples", 15, 68'864'992, 11.79);
        row(1, 64, "none", 8, 491'146'236, 82.05);
        row(2, 32, "none", 23, 392'736'636, 65.66);
        row(8, 8, "conv=samples", 15, 120'223'740, 20.25);
    }
    void theSevenGridsOfAlexNetSendWhatThePublishedFormulasSay() {
        QFETCH(int, tp);
        QFETCH(int, dp);
        QFETCH(QString, symbols);
        Experiment experiment = experimentOf(tp, dp, 2048 / dp);
        experiment.link.latency = experiment.topology.nodeLatency = 2_us;
        experiment.link.bandwidth = experiment.topology.nodeBandwidth = 6_GBps;
        const Messages sent = sentBy(kAlexNet, experiment, symbols.toStdString());
        QTEST(static_cast<int>(sent.count()), "messages");
        QTEST(static_cast<qint64>(sent.sent().count), "bytes");
        QFETCH(double, milliseconds);
        const double floor = static_cast<double>(floorTimeOf(experiment, sent).ps) * 1e-9;
        QVERIFY2(std::abs(floor - milliseconds) < 0.005, qPrintable(QString::number(floor)));
    }

    void alexNetHasItsWeights() {
        QCOMPARE(graphOf(kAlexNet, experimentOf(1, 1, 128)).weightsOfModel(), std::int64_t{62'367'776});
        // Columns divide them, samples do not.
        QCOMPARE(graphOf(kAlexNet, experimentOf(4, 1, 128)).weightsOfModel(), std::int64_t{62'367'776 / 4});
        QCOMPARE(graphOf(kAlexNet, experimentOf(4, 1, 128), "conv=samples, fc=samples").weightsOfModel(),
                 std::int64_t{62'367'776});
    }

    void pureBatchSendsEachGradientOnce() {
        for (const int gpus : {2, 8, 64}) {
            const Messages replicas = sentBy(kAlexNet, experimentOf(1, gpus, 2048 / gpus));
            const Messages group = sentBy(kAlexNet, experimentOf(gpus, 1, 2048), "conv=samples, fc=samples");
            QCOMPARE(group.sent(), replicas.sent());
            QCOMPARE(group.count(), replicas.count());
            const double expected = 2.0 * (gpus - 1) / gpus * 4 * 62'367'776;
            QVERIFY(std::abs(static_cast<double>(replicas.sent().count) - expected) <= 8);
        }
    }

    void theFirstOperatorHasNoInputGradient() {
        const OperatorGraph graph = graphOf("a: gemm b 64 32\nb2: gemm b 16 64", experimentOf(1, 1, 8));
        QVERIFY(graph.find("backward/a") == nullptr);
        QVERIFY(graph.find("backward/a/weights") != nullptr);
        const Operator* gradient = graph.find("backward/b2");
        QCOMPARE(*gradient->gemm, (GemmSize{8, 64, 16}));
        QCOMPARE(*graph.find("backward/b2/weights")->gemm, (GemmSize{16, 64, 8}));
        // A prompt has the forward pass alone.
        const OperatorGraph prompt =
            graphOf("a: gemm b 64 32\nb2: gemm b 16 64", experimentOf(1, 1, 8), "none", ModelPhase::prompt);
        QCOMPARE(prompt.operators.size(), std::size_t{2});
    }

    void aGemmThatRunsSeveralTimesHasItsWeightGradientOnce() {
        const OperatorGraph graph = graphOf("x: gemm b 8 8\nr: gemm b 4*8 8 times S", experimentOf(1, 1, 16));
        const std::int64_t steps = Experiment{}.workload.sequence;
        QCOMPARE(graph.find("forward/r")->gemms, steps);
        QCOMPARE(graph.find("backward/r")->gemms, steps);
        QCOMPARE(graph.find("backward/r/weights")->gemms, std::int64_t{1});
        QCOMPARE(*graph.find("backward/r/weights")->gemm, (GemmSize{32, 8, 16 * steps}));
        QCOMPARE(graph.network->weights.back().weights, std::int64_t{32 * 8});
    }

    void divisionsMeetWithTheCollectiveThatJoinsThem() {
        const auto kinds = [](const std::string& first, const std::string& second) {
            const OperatorGraph graph =
                graphOf("a: gemm b 64 64 in " + first + "\nc: gemm b 64 64 in " + second, experimentOf(4, 1, 16));
            std::string text;
            for (const Operator& op : graph.operators)
                if (op.kind == OperatorKind::collective)
                    text += op.id.substr(0, 1) + ":" + std::to_string(static_cast<int>(op.workload->sublayer)) + " ";
            return text;
        };
        const auto of = [](char pass, SubLayer which) {
            return std::string(1, pass) + ":" + std::to_string(static_cast<int>(which)) + " ";
        };
        QCOMPARE(kinds("samples", "samples"), std::string());
        QCOMPARE(kinds("columns", "columns"),
                 of('f', SubLayer::allGather) + of('f', SubLayer::allGather) + of('b', SubLayer::allReduce));
        QCOMPARE(kinds("samples", "columns"),
                 of('f', SubLayer::allGather) + of('f', SubLayer::allGather) + of('b', SubLayer::reduceScatter));
        QCOMPARE(kinds("columns", "samples"), of('f', SubLayer::allGather) + of('b', SubLayer::allGather));
        QCOMPARE(kinds("rows", "samples"), of('f', SubLayer::allToAll) + of('b', SubLayer::allToAll));
        QCOMPARE(kinds("rows", "rows"), std::string());
    }

    void aCollectiveOfTheTextIsThatCollectiveAndItsMirror() {
        const auto named = [](const std::string& word) {
            const OperatorGraph graph =
                graphOf("a: gemm b 64 64\nx: " + word + " 4096\nc: gemm b 8 64", experimentOf(4, 1, 16));
            const Operator *forward = graph.find("forward/x/" + word), *backward = nullptr;
            for (const Operator& op : graph.operators)
                if (op.kind == OperatorKind::collective && op.pass == OperatorPass::backward)
                    backward = &op;
            return std::string(name(forward->workload->sublayer)) + " " +
                   std::string(name(operationOf(graph, *forward))) + ", " +
                   std::string(name(backward->workload->sublayer));
        };
        QCOMPARE(named("all-reduce"), std::string("all-reduce all-reduce, all-reduce"));
        QCOMPARE(named("all-to-all"), std::string("all-to-all all-to-all, all-to-all"));
        QCOMPARE(named("all-gather"), std::string("all-gather all-gather, reduce-scatter"));
        QCOMPARE(named("reduce-scatter"), std::string("reduce-scatter reduce-scatter, all-gather"));
    }

    void rowsHaveHalos() {
        const OperatorGraph graph = graphOf("a: gemm 100*b 64 64 in rows halo 4096", experimentOf(4, 2, 16));
        QCOMPARE(graph.network->halos, (std::vector<NetworkHalo>{{"a", {4096}, 2}}));
        QCOMPARE(graph.find("forward/a")->gemm->m, std::int64_t{400});
        QCOMPARE(graph.network->weights, (std::vector<NetworkWeights>{{"a", 64 * 64, 64 * 64, 8}}));
        QVERIFY(graphOf("a: gemm 100*b 64 64 in rows halo 4096", experimentOf(1, 2, 16)).network->halos.empty());
    }

    void aTextIsTheSameWithoutCommentsAndSpareBlanks() {
        const std::string plain = plainTextLines("  a:  gemm b   8 8 # first\n\n# nothing\n c: work 0 b out b ");
        QCOMPARE(plain, std::string("a: gemm b 8 8; c: work 0 b out b"));
        QCOMPARE(plainTextLines(plain), plain);
        QCOMPARE(readNetwork(plain).network.lines.size(), std::size_t{2});
        // The canonical form is that of the plain text.
        const Experiment experiment = withNetwork("a: gemm b 8 8 # x\n\n", experimentOf(1, 1, 8));
        QCOMPARE(withAutomaticValues(experiment).workload.network, std::string("a: gemm b 8 8"));
    }

    void mistakesAreNamedWithLineAndColumn() {
        QVERIFY(problemOf("").find("line 1, column 1: no operator") != std::string::npos);
        QVERIFY(problemOf("a: gem b 8 8").find("gem: line 1, column 4: no kind of operator") != std::string::npos);
        QVERIFY(problemOf("# x\na: gemm b 8*(2 8").find("line 2, column 13") != std::string::npos);
        QVERIFY(problemOf("a: gemm b 8 8\na: gemm b 8 8").find("line 2, column 1: this name is used twice") !=
                std::string::npos);
        QVERIFY(problemOf("a: gemm b 8 8 from c").find("no operator before this one") != std::string::npos);
        QVERIFY(problemOf("a: work 0 b").find("out ELEMENTS") != std::string::npos);
        QVERIFY(problemOf("let B = 3\na: gemm b 8 8").find("come from the experiment") != std::string::npos);
        QVERIFY(problemOf("a: gemm b 8 8 times 2 times 3").find("has it twice") != std::string::npos);
        QVERIFY(problemOf("a: gemm b 8 8 on rows").find("not expected here") != std::string::npos);
    }

    void sizesThatCannotBeAreRefused() {
        const Experiment experiment = experimentOf(4, 1, 10);
        QVERIFY(refusalOf("a: gemm b 8 8", experiment).find("do not divide workload.batch = 10") != std::string::npos);
        QCOMPARE(refusalOf("a: gemm b 8 8 in columns", experiment), std::string());
        QVERIFY(refusalOf("a: gemm b 3 8 in columns", experiment).find("fewer columns") != std::string::npos);
        QVERIFY(refusalOf("a: gemm x 8 8 in columns", experiment).find("x: line 1, column 9: a name without a value") !=
                std::string::npos);
        QVERIFY(refusalOf("let x = y\nlet y = x\na: gemm x 8 8 in columns", experiment).find("depends on itself") !=
                std::string::npos);
        QVERIFY(refusalOf("a: gemm b/3 8 8 in columns", experiment).find("not whole") != std::string::npos);
        QVERIFY(refusalOf("a: gemm b 8 8 in nowhere", experiment).find("no division") != std::string::npos);
        Experiment staged = experimentOf(1, 1, 8);
        staged.division.pp = 2;
        QVERIFY(refusalOf("a: gemm b 8 8", staged).starts_with("division.pp"));
        Experiment sharded = experimentOf(1, 4, 8);
        sharded.division.sharding = Sharding::optimizer;
        QVERIFY(refusalOf("a: gemm b 8 8", sharded).starts_with("division.sharding"));
        QVERIFY(!operatorGraphProblems(withNetwork("a: gemm b 8 8", experiment), ModelPhase::generation).empty());
        // A run has no sub-layer of a network.
        QVERIFY(describe(validate(withNetwork("a: gemm b 8 8", experimentOf(8, 1, 8))).front())
                    .find("a network has no sub-layers") != std::string::npos);
        const Problems problems = operatorGraphProblems(
            withNetwork("let x = 1\na: gemm x 8 8", experimentOf(1, 1, 8), "x=2, y=3"), ModelPhase::training);
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY(describe(problems.front()).find("y: column 5: the network has no let") != std::string::npos);
    }
};

RINGSIDE_TEST(TestNetwork)
#include "tst_network.moc"
