#include "engine/workload/network_graph.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

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

NetworkText networkOf(const std::string& text, const std::string& symbols = "none") {
    NetworkReading reading = readNetwork(text);
    replaceSymbols(symbols, reading.network, reading.problems);
    if (!reading.problems.empty())
        qFatal("%s", describe(reading.problems.front()).c_str());
    return std::move(reading.network);
}

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

NetworkPlan planOf(const std::string& text, const Experiment& experiment, const std::string& symbols = "none",
                   ModelPhase phase = ModelPhase::training) {
    const NetworkText network = networkOf(text, symbols);
    const Problems problems = networkProblems(network, experiment, phase);
    if (!problems.empty())
        qFatal("%s", describe(problems.front()).c_str());
    return networkPlanOf(network, experiment, phase);
}

std::string refusalOf(const std::string& text, const Experiment& experiment) {
    const Problems problems = networkProblems(networkOf(text), experiment, ModelPhase::training);
    return problems.empty() ? std::string() : describe(problems.front());
}

/// What one GPU sends in a training step: equal messages together, each number of bytes rounded up.
struct Sent {
    std::int64_t messages = 0, bytes = 0;
    double milliseconds = 0;  ///< with 2 us and 6 GB/s everywhere
};

Sent sentBy(const NetworkPlan& plan) {
    std::map<std::tuple<bool, std::int64_t, std::int64_t>, std::int64_t> rows;  // all-reduce?, bytes, GPUs: count
    for (const Operator& op : plan.graph.operators)
        if (op.kind == OperatorKind::collective)
            ++rows[{op.workload->sublayer == SubLayer::allReduce, op.bytes.count, plan.graph.gpus}];
    for (const NetworkWeights& weights : plan.weights)
        if (weights.gpus > 1)
            ++rows[{true, 4 * weights.weights, weights.gpus}];
    Sent sent;
    for (const auto& [row, count] : rows) {
        const auto& [isAllReduce, bytes, gpus] = row;
        const double all = static_cast<double>(bytes) * static_cast<double>(count) * (isAllReduce ? 2 : 1) *
                           static_cast<double>(gpus - 1) / static_cast<double>(gpus);
        sent.messages += count;
        sent.bytes += static_cast<std::int64_t>(std::ceil(all));
        const double rounds = std::ceil(std::log2(static_cast<double>(gpus))) * (isAllReduce ? 2 : 1);
        sent.milliseconds += static_cast<double>(count) * rounds * 0.002 + all / 6e6;
    }
    return sent;
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
        const Sent sent = sentBy(planOf(kAlexNet, experimentOf(tp, dp, 2048 / dp), symbols.toStdString()));
        QTEST(static_cast<int>(sent.messages), "messages");
        QTEST(static_cast<qint64>(sent.bytes), "bytes");
        QFETCH(double, milliseconds);
        QVERIFY2(std::abs(sent.milliseconds - milliseconds) < 0.005, qPrintable(QString::number(sent.milliseconds)));
    }

    void alexNetHasItsWeights() {
        QCOMPARE(planOf(kAlexNet, experimentOf(1, 1, 128)).graph.weightsOfModel(), std::int64_t{62'367'776});
        // Columns divide them, samples do not.
        QCOMPARE(planOf(kAlexNet, experimentOf(4, 1, 128)).graph.weightsOfModel(), std::int64_t{62'367'776 / 4});
        QCOMPARE(planOf(kAlexNet, experimentOf(4, 1, 128), "conv=samples, fc=samples").graph.weightsOfModel(),
                 std::int64_t{62'367'776});
    }

    void pureBatchSendsEachGradientOnce() {
        for (const int gpus : {2, 8, 64}) {
            const Sent replicas = sentBy(planOf(kAlexNet, experimentOf(1, gpus, 2048 / gpus)));
            const Sent group = sentBy(planOf(kAlexNet, experimentOf(gpus, 1, 2048), "conv=samples, fc=samples"));
            QCOMPARE(group.bytes, replicas.bytes);
            QCOMPARE(group.messages, replicas.messages);
            const double expected = 2.0 * (gpus - 1) / gpus * 4 * 62'367'776;
            QVERIFY(std::abs(static_cast<double>(replicas.bytes) - expected) <= 8);
        }
    }

    void theFirstOperatorHasNoInputGradient() {
        const NetworkPlan plan = planOf("a: gemm b 64 32\nb2: gemm b 16 64", experimentOf(1, 1, 8));
        QVERIFY(plan.graph.find("backward/a") == nullptr);
        QVERIFY(plan.graph.find("backward/a/weights") != nullptr);
        const Operator* gradient = plan.graph.find("backward/b2");
        QCOMPARE(*gradient->gemm, (GemmSize{8, 64, 16}));
        QCOMPARE(*plan.graph.find("backward/b2/weights")->gemm, (GemmSize{16, 64, 8}));
        // A prompt has the forward pass alone.
        const NetworkPlan prompt =
            planOf("a: gemm b 64 32\nb2: gemm b 16 64", experimentOf(1, 1, 8), "none", ModelPhase::prompt);
        QCOMPARE(prompt.graph.operators.size(), std::size_t{2});
    }

    void aGemmThatRunsSeveralTimesHasItsWeightGradientOnce() {
        const NetworkPlan plan = planOf("x: gemm b 8 8\nr: gemm b 4*8 8 times S", experimentOf(1, 1, 16));
        const std::int64_t steps = Experiment{}.workload.sequence;
        QCOMPARE(plan.graph.find("forward/r")->gemms, steps);
        QCOMPARE(plan.graph.find("backward/r")->gemms, steps);
        QCOMPARE(plan.graph.find("backward/r/weights")->gemms, std::int64_t{1});
        QCOMPARE(*plan.graph.find("backward/r/weights")->gemm, (GemmSize{32, 8, 16 * steps}));
        QCOMPARE(plan.weights.back().weights, std::int64_t{32 * 8});
    }

    void divisionsMeetWithTheCollectiveThatJoinsThem() {
        const auto kinds = [](const std::string& first, const std::string& second) {
            const NetworkPlan plan =
                planOf("a: gemm b 64 64 in " + first + "\nc: gemm b 64 64 in " + second, experimentOf(4, 1, 16));
            std::string text;
            for (const Operator& op : plan.graph.operators)
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

    void rowsHaveHalos() {
        const NetworkPlan plan = planOf("a: gemm 100*b 64 64 in rows halo 4096", experimentOf(4, 2, 16));
        QCOMPARE(plan.halos, (std::vector<NetworkHalo>{{"a", {4096}, 2}}));
        QCOMPARE(plan.graph.find("forward/a")->gemm->m, std::int64_t{400});
        QCOMPARE(plan.weights, (std::vector<NetworkWeights>{{"a", 64 * 64, 8}}));
        QVERIFY(planOf("a: gemm 100*b 64 64 in rows halo 4096", experimentOf(1, 2, 16)).halos.empty());
    }

    void aTextIsTheSameWithoutCommentsAndSpareBlanks() {
        const std::string plain = plainNetworkText("  a:  gemm b   8 8 # first\n\n# nothing\n c: work 0 b out b ");
        QCOMPARE(plain, std::string("a: gemm b 8 8; c: work 0 b out b"));
        QCOMPARE(plainNetworkText(plain), plain);
        QCOMPARE(networkOf(plain).lines.size(), std::size_t{2});
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
        NetworkText network = networkOf("let x = 1\na: gemm x 8 8");
        Problems problems;
        replaceSymbols("x=2, y=3", network, problems);
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY(describe(problems.front()).find("y: column 5: the network has no let") != std::string::npos);
    }
};

RINGSIDE_TEST(TestNetwork)
#include "tst_network.moc"
