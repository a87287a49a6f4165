#include "data/model/model_step.h"

#include "data/experiment/experiment_document.h"
#include "data/model/message_times.h"
#include "data/presets/presets.h"
#include "engine/api/messages.h"
#include "tests/small_model.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

using data::ModelRun;
using data::ModelStep;
using engine::Duration;
using engine::ModelPhase;
using engine::PipelineSchedule;
using engine::Sharding;

namespace {

/// Returns the run of a model whose operators and messages have made-up times, the same for equal sizes.
ModelRun madeUpRun(const engine::Experiment& base, ModelPhase phase = ModelPhase::training) {
    ModelRun run;
    run.base = base;
    run.graph = engine::operatorGraphOf(base, phase);
    data::PolicyModelTime& policy = run.sequential;
    std::mt19937_64 random(run.graph.operators.size());
    for (const engine::Operator& op : run.graph.operators) {
        const Duration time{1'000 + static_cast<std::int64_t>(random() % 1'000'000)};
        data::OperatorTime& made = policy.operators.emplace_back();
        if (op.kind == engine::OperatorKind::collective)
            made.time.reduceScatter = time;
        else
            made.time.*(data::partOf(op.kind).time) = time;
        policy.time += made.time * op.count;
    }
    for (const data::MessageKind& kind : data::messageKindsOf(base, run.graph))
        policy.messages.push_back({kind, {kind.bytes.count / 1'000 + 500}});
    run.policies = {policy};
    return run;
}

ModelStep stepOfRun(const ModelRun& run) { return data::stepOf(run, run.sequential); }
ModelStep madeUpStep(const engine::Experiment& base) { return stepOfRun(madeUpRun(base)); }

/// A model of 12 layers on several stages, replicas and micro-batches.
engine::Experiment divided(std::int64_t pp, std::int64_t dp, std::int64_t microbatches) {
    engine::Experiment base = tests::smallModel();
    base.workload.layers = 12;
    base.division.pp = pp;
    base.division.dp = dp;
    base.division.microbatches = microbatches;
    return base;
}

/// Returns the same with sends that take no time.
engine::Experiment withFreeSends(engine::Experiment base) {
    base.link.bandwidth = {1'000'000'000'000'000};
    base.topology.nodeBandwidth = base.link.bandwidth;
    base.link.latency = base.topology.nodeLatency = {};
    return base;
}

using MessageCounts = std::map<std::tuple<engine::MessageGroup, engine::MessageOperation, std::int64_t>, std::int64_t>;

MessageCounts rowsOf(const engine::Messages& messages) {
    MessageCounts counts;
    for (const engine::MessageRow& row : messages.rows) {
        if (row.group != engine::MessageGroup::tensor)
            counts[{row.group, row.operation, row.bytes.count}] += row.count;
    }
    return counts;
}

MessageCounts tasksOf(const ModelStep& step, const ModelRun& run, std::int64_t stage) {
    MessageCounts counts;
    for (const data::StepTask& task : step.tasks) {
        if (task.stage != stage)
            continue;
        if (task.kind == data::StepTaskKind::send)
            ++counts[{engine::MessageGroup::pipeline, engine::MessageOperation::send,
                      engine::sendBytes(run.base, run.graph).count}];
        if (task.kind != data::StepTaskKind::message)
            continue;
        const engine::StageMessage& message = step.stages[static_cast<std::size_t>(stage)].messages[task.message];
        counts[{message.group, message.operation, message.bytes.count}] += message.count;
    }
    return counts;
}

std::int64_t dataMessages(const ModelStep& step) {
    return std::ranges::count_if(step.tasks, [&](const data::StepTask& task) {
        return task.kind == data::StepTaskKind::message &&
               step.stages[static_cast<std::size_t>(task.stage)].messages[task.message].group ==
                   engine::MessageGroup::data;
    });
}

std::int64_t weightsOfLayer(const engine::Experiment& base) {
    std::int64_t weights = 0;
    for (const engine::Operator& op : engine::operatorGraphOf(base, ModelPhase::training).operators)
        weights += op.inLayer && op.pass == engine::OperatorPass::forward ? op.weights : 0;
    return weights;
}

/// Returns the time of one pass through a stage, without its end sections.
Duration passOf(const ModelStep& step, engine::PassKind kind, std::size_t stage) {
    Duration time;
    for (const engine::StageChunk& chunk : step.stages[stage].chunks) {
        for (const data::SectionTime* section : step.sections.ofPass(kind, chunk))
            time += section->total;
    }
    return time;
}

/// Returns the time of several layers of a pass in one graph. A layer begins with the results of the one before it that
/// the optimizer does not take; only recomputation does not wait for them.
constexpr int kLayersInOneGraph = 4;
std::int64_t layersInOneGraph(const ModelRun& run, engine::PassKind pass) {
    const bool backward = pass != engine::PassKind::forward;
    const std::vector<bool> isWeight = data::weightOperators(run.graph);
    std::vector<std::size_t> operators;
    for (std::size_t op = 0; op < run.graph.operators.size(); ++op) {
        const engine::Operator& of = run.graph.operators[op];
        const bool inPass =
            backward ? of.pass == engine::OperatorPass::backward || of.pass == engine::OperatorPass::recompute
                     : of.pass == engine::OperatorPass::forward;
        if (of.inLayer && inPass)
            operators.push_back(op);
    }
    engine::TaskGraph graph;
    graph.pools = {{"compute", 1}, {"tensor", 1}};
    graph.lookaheads = {run.base.step.lookahead.value_or(engine::kUnlimitedLookahead)};
    std::vector<engine::TaskIndex> results;
    for (int layer = 0; layer < kLayersInOneGraph; ++layer) {
        std::map<std::size_t, engine::TaskIndex> taskOf;
        for (const std::size_t op : operators) {
            taskOf[op] = static_cast<engine::TaskIndex>(graph.tasks.size());
            const bool isTensor = run.graph.operators[op].kind == engine::OperatorKind::collective;
            graph.tasks.push_back(
                {run.sequential.operators[op].time.total().ps, isTensor ? 1U : 0U, engine::Task::kAnyPlace, 0, 0});
        }
        std::set<std::size_t> fed, read;
        for (const engine::OperatorDependency& edge : run.graph.edges) {
            if (!taskOf.contains(edge.from) || !taskOf.contains(edge.to))
                continue;
            graph.edges.push_back({taskOf[edge.from], taskOf[edge.to], 0});
            fed.insert(edge.to);
            read.insert(edge.from);
        }
        std::vector<engine::TaskIndex> own;
        for (const std::size_t op : operators) {
            if (!fed.contains(op) && run.graph.operators[op].pass != engine::OperatorPass::recompute) {
                for (const engine::TaskIndex result : results)
                    graph.edges.push_back({result, taskOf[op], 0});
            }
            if (!read.contains(op) && !(backward && isWeight[op]))
                own.push_back(taskOf[op]);
        }
        results = own;
    }
    return engine::timetableOf(graph).makespan;
}

}  // namespace

class TestModelStep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onePassThroughOneGroupTakesTheTimeOfTheModel() {
        int checked = 0;
        for (const data::Preset& preset : data::models()) {
            for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
                for (const std::int64_t tp : preset.tps) {
                    data::ExperimentDraft draft;
                    draft.explicitValues = {{"workload.model", preset.name}, {"parallel.tp", tp}};
                    const engine::Experiment base = data::expand(draft).experiment;
                    if (!engine::operatorGraphProblems(base, phase).empty())
                        continue;
                    const ModelRun run = madeUpRun(base, phase);
                    const ModelStep step = stepOfRun(run);
                    QCOMPARE(step.total.ps, run.sequential.time.total().ps);
                    QCOMPARE(step.time.tensor.ps, run.sequential.time.exposed().ps);
                    QCOMPARE(step.time.total().ps, step.total.ps);
                    ++checked;
                }
            }
        }
        QVERIFY(checked >= 21);
    }

    void thePartsOfAStepAndOfItsStagesSumToTheTotal() {
        for (const Sharding sharding : {Sharding::none, Sharding::optimizer, Sharding::gradients, Sharding::weights}) {
            for (const std::int64_t lookahead : {1, 2, 100}) {
                engine::Experiment base = divided(sharding == Sharding::weights ? 1 : 4, 4, 8);
                base.division.sharding = sharding;
                base.division.bucket = 1'000'000;
                base.step.lookahead = lookahead;
                const ModelRun run = madeUpRun(base);
                const ModelStep step = stepOfRun(run);
                QVERIFY(!engine::faultOf(step.graph));
                QCOMPARE(step.total.ps, step.timetable.makespan);
                QCOMPARE(step.time.total().ps, step.total.ps);
                QCOMPARE(step.time.bubble.ps, std::int64_t{0});
                for (const data::StageStep& stage : step.stages)
                    QCOMPARE(stage.time.total().ps, step.total.ps);
                for (std::int64_t stage = 0; stage < base.division.pp; ++stage)
                    QVERIFY(tasksOf(step, run, stage) == rowsOf(engine::messagesOfStage(base, run.graph, stage)));
            }
        }
    }

    void messagesAreThoseThatAreListedUnderEverySchedule() {
        for (const PipelineSchedule schedule :
             {PipelineSchedule::oneForwardOneBackward, PipelineSchedule::allForward, PipelineSchedule::zeroBubbleH1}) {
            engine::Experiment base = divided(3, 2, 6);
            base.division.schedule = schedule;
            base.division.bucket = 700'000;
            for (const std::int64_t chunks : {1, 2}) {
                if (chunks > 1 && schedule != PipelineSchedule::oneForwardOneBackward)
                    continue;
                base.division.interleave = chunks;
                const ModelRun run = madeUpRun(base);
                const ModelStep step = stepOfRun(run);
                for (std::int64_t stage = 0; stage < 3; ++stage)
                    QVERIFY(tasksOf(step, run, stage) == rowsOf(engine::messagesOfStage(base, run.graph, stage)));
            }
        }
    }

    void aBucketOfAllWeightsIsOneMessageAndWithOneElementLessItIsTwo() {
        engine::Experiment base = divided(1, 2, 1);
        base.division.bucket = 1;
        const engine::OperatorGraph graph = engine::operatorGraphOf(base, ModelPhase::training);
        const std::int64_t weights = graph.weightsOfModel();
        base.division.bucket = weights;
        QCOMPARE(dataMessages(madeUpStep(base)), std::int64_t{1});
        base.division.bucket = weights - 1;
        QCOMPARE(dataMessages(madeUpStep(base)), std::int64_t{2});
    }

    void shortMessagesHideBehindTheBackwardPassOfTheLayerThatFollows() {
        engine::Experiment base = divided(1, 2, 1);
        base.division.bucket = weightsOfLayer(base);
        ModelRun run = madeUpRun(base);
        constexpr std::int64_t kShort = 5'000;
        for (data::MessageTime& message : run.sequential.messages)
            message.time = {kShort};
        const ModelStep step = stepOfRun(run);
        QVERIFY(passOf(step, engine::PassKind::backward, 0).ps / 12 > kShort);
        // Exposed are at most the messages of the first layer and of the embedding, whose rest is a message of its own, and
        // control.
        const std::int64_t control = 3 * data::controlTime(base).ps;
        QVERIFY(step.time.data.ps > control);
        QVERIFY(step.time.data.ps <= 3 * kShort + control);
    }

    void aBucketWaitsForTheLayerThatFillsIt() {
        // Each layer fills one bucket; the backward pass begins with the last layer.
        engine::Experiment base = divided(1, 2, 1);
        const std::int64_t ofLayer = weightsOfLayer(base);
        base.division.bucket = ofLayer;
        const ModelStep step = madeUpStep(base);
        std::vector<std::int64_t> sections;
        for (std::size_t i = 0; i < step.tasks.size(); ++i) {
            if (step.tasks[i].kind != data::StepTaskKind::message)
                continue;
            const engine::StageMessage& message = step.stages[0].messages[step.tasks[i].message];
            if (message.group == engine::MessageGroup::data && message.bytes.count == 2 * ofLayer)
                sections.push_back(message.section);
        }
        QVERIFY(sections.size() >= 12);
        QVERIFY(std::ranges::is_sorted(sections, std::greater<>()));
    }

    void equalStagesTakeTheTimesOfTheFormulas() {
        for (const std::int64_t m : {4, 8, 12}) {
            engine::Experiment base = withFreeSends(divided(4, 1, m));
            const auto times = [&](PipelineSchedule schedule, std::int64_t chunks = 1) {
                base.division.schedule = schedule;
                base.division.interleave = chunks;
                ModelRun run = madeUpRun(base);
                // Equal stages: nothing before and after the layers, and no optimizer.
                for (std::size_t i = 0; i < run.graph.operators.size(); ++i) {
                    if (!run.graph.operators[i].inLayer ||
                        run.graph.operators[i].pass == engine::OperatorPass::optimizer)
                        run.sequential.operators[i] = {};
                }
                for (data::MessageTime& message : run.sequential.messages)
                    message.time = {};
                return stepOfRun(run);
            };
            const ModelStep plain = times(PipelineSchedule::oneForwardOneBackward);
            const std::int64_t f = passOf(plain, engine::PassKind::forward, 1).ps;
            const std::int64_t bw = passOf(plain, engine::PassKind::backward, 1).ps;
            // A send takes 2 ns even so.
            const auto nearly = [](std::int64_t a, std::int64_t b) {
                return std::abs(static_cast<double>(a) / static_cast<double>(b) - 1) < 1e-3;
            };
            QVERIFY(nearly(plain.total.ps, (m + 3) * (f + bw)));
            QVERIFY(std::abs(plain.bubbleShare - 3.0 / static_cast<double>(m + 3)) < 1e-3);
            QVERIFY(nearly(times(PipelineSchedule::allForward).total.ps, (m + 3) * (f + bw)));
            QVERIFY(nearly(times(PipelineSchedule::oneForwardOneBackward, 3).total.ps, m * (f + bw) + (f + bw)));
            const ModelStep split = times(PipelineSchedule::zeroBubbleH1);
            const std::int64_t w = passOf(split, engine::PassKind::weight, 1).ps, b = bw - w;
            QCOMPARE(passOf(split, engine::PassKind::backward, 1).ps, b);
            QVERIFY(nearly(split.total.ps, m * (f + bw) + 3 * std::max({f + b - w, f, b})));
        }
    }

    void weightPassesHaveTheOperatorsWhoseResultsOnlyTheOptimizerReads() {
        for (const engine::CollectiveOperation operation :
             {engine::CollectiveOperation::allReduce, engine::CollectiveOperation::reduceScatter}) {
            engine::Experiment base = tests::smallModel();
            base.collective.operation = operation;
            base.operators.recompute = engine::Recompute::gathers;
            const engine::OperatorGraph graph = engine::operatorGraphOf(base, ModelPhase::training);
            const std::vector<bool> isWeight = data::weightOperators(graph);
            for (std::size_t i = 0; i < graph.operators.size(); ++i) {
                const engine::Operator& op = graph.operators[i];
                const bool weights = op.id.ends_with("/weights") || op.id.starts_with("recompute/") ||
                                     op.id == "backward/embedding" || op.id == "backward/embedding/all-gather";
                QVERIFY2(isWeight[i] == weights, op.id.c_str());
            }
        }
    }

    // Without recomputation, a backward pass waits for each all-reduce unless a weight gradient comes beside it.
    void aLookAheadOfTwoHidesTheAllReducesOfALayerBehindItsWeightGradients() {
        engine::Experiment base = tests::smallModel();
        ModelRun run = madeUpRun(base);
        constexpr std::int64_t kAllReduce = 10'000, kWeights = 11'000;
        Duration all, reduced;
        for (std::size_t i = 0; i < run.graph.operators.size(); ++i) {
            const engine::Operator& op = run.graph.operators[i];
            data::ModelTime& time = run.sequential.operators[i].time;
            if (op.kind == engine::OperatorKind::collective)
                time.reduceScatter = {kAllReduce};
            if (op.id.ends_with("/weights"))
                time.gemm = {kWeights};
            if (op.inLayer && op.pass == engine::OperatorPass::backward) {
                all += time.total();
                reduced += time.exposed();
            }
        }
        QCOMPARE(reduced.ps, 2 * kAllReduce);
        const auto layer = [&](std::optional<std::int64_t> lookahead) {
            run.base.step.lookahead = lookahead;
            return stepOfRun(run).sections.of(engine::PassKind::backward, data::SectionKind::layer);
        };
        QCOMPARE(layer(1).total.ps, all.ps);
        QCOMPARE(layer(2).total.ps, all.ps - 2 * kAllReduce);
        QCOMPARE(layer(2).compute.ps, layer(2).total.ps);
        QVERIFY(layer(std::nullopt).total <= layer(1).total);
    }

    // Sections are scheduled one by one. This test states what that leaves out: nothing, unless a layer's results are
    // computed again while the collective of the layer before it travels.
    void onlyRecomputationWouldOverlapAcrossLayers() {
        const auto saved = [](engine::Recompute recompute, int slower, std::optional<std::int64_t> lookahead) {
            engine::Experiment base = tests::smallModel();
            base.link.bandwidth.bytesPerSecond /= slower;
            base.operators.recompute = recompute;
            ModelRun run = data::modelRun(base, {.policies = {engine::PolicyPreset::sequential}});
            run.base.step.lookahead = lookahead;
            double most = 0;
            for (const engine::PassKind pass : {engine::PassKind::forward, engine::PassKind::backward}) {
                const auto alone = static_cast<double>(
                    stepOfRun(run).sections.of(pass, data::SectionKind::layer).total.ps * kLayersInOneGraph);
                most = std::max(most, alone / static_cast<double>(layersInOneGraph(run, pass)) - 1);
            }
            return most;
        };
        using engine::Recompute;
        for (const int slower : {1, 4, 16}) {
            for (const std::optional<std::int64_t> lookahead : {std::optional<std::int64_t>(1), {2}, {4}, {}})
                QCOMPARE(saved(Recompute::none, slower, lookahead), 0.0);
            QCOMPARE(saved(Recompute::layer, slower, 2), 0.0);
        }
        const auto isBetween = [](double value, double least, double most) { return value > least && value < most; };
        QVERIFY(isBetween(saved(Recompute::layer, 1, 4), 0.005, 0.015));
        QVERIFY(isBetween(saved(Recompute::layer, 1, std::nullopt), 0.015, 0.03));
        QVERIFY(isBetween(saved(Recompute::layer, 4, std::nullopt), 0.25, 0.35));
    }

    void aGroupOfANodeStaysInItAndOneOfTwiceAsManyDoesNot() {
        engine::Experiment base = divided(1, 2, 1);
        base.parallel.tp = 4;
        base.node.gpus = 8;
        base.link.bandwidth = {900'000'000'000};
        base.topology.nodeBandwidth = {50'000'000'000};
        const data::GroupLinks inside = data::linksOf(base, engine::MessageGroup::data);
        QVERIFY(!inside.betweenNodes);
        QCOMPARE(inside.bandwidth.bytesPerSecond, base.link.bandwidth.bytesPerSecond);
        base.division.dp = 4;
        const data::GroupLinks outside = data::linksOf(base, engine::MessageGroup::data);
        QVERIFY(outside.betweenNodes);
        // Two GPUs of the group share a node, and each has a link that leaves it.
        QCOMPARE(outside.bandwidth.bytesPerSecond, std::int64_t{100'000'000'000});
        QCOMPARE(outside.latency.ps, base.topology.nodeLatency.ps);
        base.link.bandwidth = {60'000'000'000};
        QCOMPARE(data::linksOf(base, engine::MessageGroup::data).bandwidth.bytesPerSecond,
                 std::int64_t{60'000'000'000});
    }

    void gatheredWeightsTravelWhileTheLayerBeforeComputes() {
        engine::Experiment base = divided(1, 2, 2);
        base.division.sharding = Sharding::weights;
        ModelRun run = madeUpRun(base);
        for (data::MessageTime& message : run.sequential.messages)
            message.time = {1};  // shorter than every layer
        const ModelStep step = stepOfRun(run);
        // Only the first gather has no layer before it, and the last gradients none after them.
        QVERIFY(step.time.data.ps > 0);
        QVERIFY(step.time.data.ps < 10 + 6 * step.timetable.makespan / 1'000'000 + 10'000'000);
        run.sequential.messages.front().time = {1'000'000'000};
        QVERIFY(stepOfRun(run).total > step.total);
    }

    void delayedSchedulesMeasureOneMiniBatch() {
        for (const PipelineSchedule schedule : {PipelineSchedule::delayed, PipelineSchedule::delayedPipelined}) {
            engine::Experiment base = divided(3, 1, 1);
            base.division.schedule = schedule;
            const ModelRun run = madeUpRun(base);
            const ModelStep step = stepOfRun(run);
            QVERIFY(step.staleness == (std::vector<std::int64_t>{3, 2, 1, 0}));
            QVERIFY(step.chain.empty());
            QCOMPARE(step.time.total().ps, step.total.ps);
            for (const data::StageStep& stage : step.stages)
                QCOMPARE(stage.time.total().ps, step.total.ps);
            engine::Experiment plain = divided(3, 1, 1);
            QVERIFY(step.total < madeUpStep(plain).total);
        }
    }

    void aStepWithTooManyTasksIsRefusedBeforeItIsMade() {
        engine::Experiment base = divided(4, 1, 4);
        QVERIFY(data::stepProblems(base, ModelPhase::training).empty());
        base.division.microbatches = 1'000'000;
        const engine::Problems problems = data::stepProblems(base, ModelPhase::training);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().path, std::string("division.microbatches"));
    }

    void inferenceHasForwardPassesAlone() {
        const engine::Experiment base = withFreeSends(divided(4, 1, 8));
        const ModelStep step = stepOfRun(madeUpRun(base, ModelPhase::prompt));
        QCOMPARE(std::ranges::count(step.tasks, data::StepTaskKind::pass, &data::StepTask::kind), std::ptrdiff_t{32});
        QCOMPARE(std::ranges::count(step.tasks, data::StepTaskKind::optimizer, &data::StepTask::kind),
                 std::ptrdiff_t{0});
        QCOMPARE(std::ranges::count(step.tasks, data::StepTaskKind::send, &data::StepTask::kind), std::ptrdiff_t{24});
    }
};

RINGSIDE_TEST(TestModelStep)
#include "tst_model_step.moc"
