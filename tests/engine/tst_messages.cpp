#include "engine/api/footprint.h"
#include "engine/api/messages.h"
#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

using namespace engine;

namespace {

/// H 2048, 24 layers, 4 sequences of 2048 tokens.
Experiment dividedModel(std::int64_t tp, std::int64_t pp, std::int64_t dp) {
    Experiment experiment;
    experiment.workload.hidden = 2048;
    experiment.workload.heads = 16;
    experiment.workload.layers = 24;
    experiment.workload.sequence = 2048;
    experiment.workload.batch = 4;
    experiment.workload.vocabulary = 51200;
    experiment.parallel.tp = tp;
    experiment.division.pp = pp;
    experiment.division.dp = dp;
    return experiment;
}

Messages messagesInTraining(const Experiment& experiment) { return messagesOf(experiment, ModelPhase::training); }

/// Returns the rows of a group and, if given, of an operation.
std::vector<MessageRow> messageRows(const Messages& messages, MessageGroup group,
                                    std::optional<MessageOperation> operation = {}) {
    std::vector<MessageRow> rows;
    for (const MessageRow& row : messages.rows) {
        if (row.group == group && (!operation || row.operation == *operation))
            rows.push_back(row);
    }
    return rows;
}

std::int64_t sentIn(const Messages& messages, MessageGroup group) {
    std::int64_t sum = 0;
    for (const MessageRow& row : messageRows(messages, group))
        sum += row.sent.count;
    return sum;
}

std::int64_t countIn(const Messages& messages, MessageGroup group) {
    std::int64_t sum = 0;
    for (const MessageRow& row : messageRows(messages, group))
        sum += row.count;
    return sum;
}

/// Returns the number of calls of the layers' collectives: rows of one size with that source.
std::int64_t layerCalls(const Messages& messages) {
    std::int64_t calls = 0;
    for (const MessageRow& row : messageRows(messages, MessageGroup::tensor))
        calls += row.source.find("layers") != std::string::npos ? row.count : 0;
    return calls;
}

}  // namespace

class TestMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The communication characteristics of distributed Transformers (arXiv 2408.10197): 2 and 3 times the weights'
    // bytes.
    void theVolumeOfAModelKnownByItsWeightsIsThePublishedOne() {
        const auto volume = [](Sharding sharding) {
            return messagesInTraining(tests::bareModel(1'310'000'000, 64, sharding)).volume().count;
        };
        QCOMPARE(volume(Sharding::none), std::int64_t{5'240'000'000});
        QCOMPARE(volume(Sharding::optimizer), std::int64_t{5'240'000'000});
        QCOMPARE(volume(Sharding::gradients), std::int64_t{5'240'000'000});
        QCOMPARE(volume(Sharding::weights), std::int64_t{7'860'000'000});
    }

    void aBucketIsOneMessageAndTheLastHasTheRest() {
        const Messages messages = messagesInTraining(tests::bareModel(1'310'000'000, 64, Sharding::none));
        QCOMPARE(messages.rows.size(), std::size_t{2});
        QCOMPARE(messages.rows[0].bytes.count, std::int64_t{1'000'000'000});
        QCOMPARE(messages.rows[0].count, std::int64_t{2});
        QCOMPARE(messages.rows[0].sent.count, std::int64_t{3'937'500'000});
        QCOMPARE(messages.rows[1].bytes.count, std::int64_t{620'000'000});
        QCOMPARE(messages.rows[1].count, std::int64_t{1});
        QCOMPARE(messagesInTraining(tests::bareModel(1'000'000'000, 64, Sharding::none)).rows.size(), std::size_t{1});
        QCOMPARE(messagesInTraining(tests::bareModel(400'000'000, 64, Sharding::none)).count(), std::int64_t{1});
    }

    // ZeRO (arXiv 1910.02054), section 7: stages 1 and 2 send as much as none, stage 3 sends 1.5 times as much.
    void shardedWeightsSendHalfAsMuchAgain() {
        Experiment experiment = dividedModel(2, 1, 8);
        const auto sent = [&](Sharding sharding) {
            experiment.division.sharding = sharding;
            return sentIn(messagesInTraining(experiment), MessageGroup::data);
        };
        const std::int64_t none = sent(Sharding::none);
        QVERIFY(none > 0);
        QVERIFY(std::abs(sent(Sharding::optimizer) - none) <= 4);
        QVERIFY(std::abs(sent(Sharding::gradients) - none) <= 4);
        QVERIFY(std::abs(2 * sent(Sharding::weights) - 3 * none) <= 8);
    }

    // The engine simulates the all-reduce of all gradients around a ring: a GPU sends the same bytes on its link.
    void aSimulatedAllReduceSendsAsMuch() {
        Experiment simulated;
        simulated.workload.sublayer = SubLayer::allReduce;
        simulated.workload.bytes = Bytes{16 * 1024 * 1024};
        simulated.parallel.tp = 8;
        applyPolicyPreset(simulated, PolicyPreset::sequential);
        applyDetailLevel(simulated, DetailLevel::interactive);
        const LinkResult link = run(simulated, {.baselines = false}).last.link.value();
        const std::int64_t sent = (link.reduceScatter + link.allGather).count;
        QVERIFY(sent > 0);
        for (const Sharding sharding : {Sharding::none, Sharding::optimizer, Sharding::gradients})
            QCOMPARE(messagesInTraining(tests::bareModel(8 * 1024 * 1024, 8, sharding)).sent().count, sent);
        QCOMPARE(2 * messagesInTraining(tests::bareModel(8 * 1024 * 1024, 8, Sharding::weights)).sent().count,
                 3 * sent);
    }

    void shardedGradientsAreReducedInEachMicroBatch() {
        Experiment experiment = dividedModel(2, 1, 8);
        experiment.division.microbatches = 5;
        const auto calls = [&](Sharding sharding, MessageOperation operation) {
            experiment.division.sharding = sharding;
            std::int64_t sum = 0;
            for (const MessageRow& row : messageRows(messagesInTraining(experiment), MessageGroup::data, operation))
                sum += row.count;
            return sum;
        };
        QCOMPARE(calls(Sharding::optimizer, MessageOperation::reduceScatter), std::int64_t{2});
        QCOMPARE(calls(Sharding::gradients, MessageOperation::reduceScatter), std::int64_t{10});
        QCOMPARE(calls(Sharding::gradients, MessageOperation::allGather), std::int64_t{2});
        QCOMPARE(calls(Sharding::weights, MessageOperation::reduceScatter), std::int64_t{5 * 25});
        QCOMPARE(calls(Sharding::weights, MessageOperation::allGather), std::int64_t{2 * 5 * 25});
    }

    void theLayersMakeFourCallsEachAndSixWhereTheyAreRecomputed() {
        Experiment experiment = dividedModel(8, 2, 1);
        experiment.division.microbatches = 6;
        const std::int64_t passes = 12 * 6;
        QCOMPARE(layerCalls(messagesInTraining(experiment)), 4 * passes);
        experiment.operators.recompute = Recompute::layer;
        QCOMPARE(layerCalls(messagesInTraining(experiment)), 6 * passes);
        const std::vector<MessageRow> rows = messageRows(messagesInTraining(experiment), MessageGroup::tensor);
        QCOMPARE(rows.front().bytes.count, std::int64_t{2} * 4 * 2048 * 2048);  // 33.55 MB
        QCOMPARE(rows.front().gpus, std::int64_t{8});
    }

    void oneGpuOfALayerHasNoTensorMessages() {
        QVERIFY(messageRows(messagesInTraining(dividedModel(1, 2, 2)), MessageGroup::tensor).empty());
        QVERIFY(!messageRows(messagesInTraining(dividedModel(2, 2, 2)), MessageGroup::tensor).empty());
    }

    void twiceTheSequenceDoublesTensorAndPipelineBytesOnly() {
        Experiment experiment = dividedModel(4, 4, 4);
        const Messages before = messagesInTraining(experiment);
        experiment.workload.sequence *= 2;
        const Messages after = messagesInTraining(experiment);
        for (const MessageGroup group : {MessageGroup::tensor, MessageGroup::pipeline})
            QCOMPARE(sentIn(after, group), 2 * sentIn(before, group));
        for (const MessageGroup group : {MessageGroup::data, MessageGroup::tied, MessageGroup::control})
            QCOMPARE(sentIn(after, group), sentIn(before, group));
        QCOMPARE(after.count(), before.count());
    }

    void eachBoundaryIsCrossedTwiceByEachMicroBatch() {
        for (const std::int64_t chunks : {1, 3}) {
            Experiment experiment = dividedModel(2, 4, 1);
            experiment.division.microbatches = 8;
            experiment.division.interleave = chunks;
            if (chunks == 3)
                experiment.workload.layers = 24;
            QVERIFY(footprintProblems(experiment, ModelPhase::training).size() == (24 % (4 * chunks) == 0 ? 0U : 1U));
            const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
            std::int64_t sends = 0;
            for (std::int64_t stage = 0; stage < 4; ++stage)
                sends += countIn(messagesOfStage(experiment, graph, stage), MessageGroup::pipeline);
            QCOMPARE(sends, 2 * (4 * chunks - 1) * 8);
        }
    }

    void sequenceParallelismSendsEachGpusShareToTheNextStage() {
        Experiment experiment = dividedModel(4, 2, 1);
        const Bytes whole = messageRows(messagesInTraining(experiment), MessageGroup::pipeline).front().bytes;
        QCOMPARE(whole.count, std::int64_t{2} * 4 * 2048 * 2048);
        experiment.collective.operation = CollectiveOperation::reduceScatter;
        QCOMPARE(messageRows(messagesInTraining(experiment), MessageGroup::pipeline).front().bytes.count,
                 whole.count / 4);
    }

    void theMostOfEachGroupIsThatOfTheStageThatSendsMostInIt() {
        Experiment experiment = dividedModel(2, 4, 8);
        experiment.node.gpus = experiment.parallel.tp;
        const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
        const Messages most = messagesInTraining(experiment);
        std::int64_t betweenNodes = 0;
        std::array<std::int64_t, kMessageGroups.size()> sent{};
        for (std::int64_t stage = 0; stage < 4; ++stage) {
            const Messages own = messagesOfStage(experiment, graph, stage);
            QCOMPARE(own.stage, stage);
            QVERIFY(own.sent() <= most.sent());
            QCOMPARE(own.mostInGroup, most.mostInGroup);
            betweenNodes = std::max(betweenNodes, own.sentBetweenNodes().count);
            for (std::size_t group = 0; group < sent.size(); ++group) {
                QCOMPARE(own.sentIn(kMessageGroups[group]).count, sentIn(own, kMessageGroups[group]));
                sent[group] = std::max(sent[group], sentIn(own, kMessageGroups[group]));
            }
        }
        QCOMPARE(most.mostBetweenNodes.sent.count, betweenNodes);
        for (std::size_t group = 0; group < sent.size(); ++group)
            QCOMPARE(most.mostInGroup[group].sent.count, sent[group]);
        const auto mostIn = [&](MessageGroup group) { return most.mostInGroup[static_cast<std::size_t>(group)]; };
        QCOMPARE(mostIn(MessageGroup::pipeline).stage, std::int64_t{1});
        QCOMPARE(mostIn(MessageGroup::pipeline).sent.count,
                 2 * sentIn(messagesOfStage(experiment, graph, 0), MessageGroup::pipeline));
    }

    void onlyTheEndsOfAPipelineShareTheEmbedding() {
        const Experiment experiment = dividedModel(2, 4, 1);
        const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
        for (std::int64_t stage = 0; stage < 4; ++stage) {
            const auto rows = messageRows(messagesOfStage(experiment, graph, stage), MessageGroup::tied);
            QCOMPARE(rows.size(), stage == 0 || stage == 3 ? std::size_t{1} : std::size_t{0});
            if (!rows.empty())
                QCOMPARE(rows.front().bytes.count, std::int64_t{51200} * 2048);
        }
        QVERIFY(messageRows(messagesInTraining(dividedModel(2, 1, 4)), MessageGroup::tied).empty());
    }

    // The ranks of GPUs are ordered by tensor, then data, then pipeline parallelism.
    void aGroupIsInsideANodeWhileAllItsRanksAre() {
        const auto between = [](const Experiment& experiment, MessageGroup group) {
            return messageRows(messagesInTraining(experiment), group).front().betweenNodes;
        };
        QVERIFY(!between(dividedModel(8, 1, 2), MessageGroup::tensor));
        QVERIFY(between(dividedModel(8, 1, 2), MessageGroup::data));
        QVERIFY(between(dividedModel(16, 1, 1), MessageGroup::tensor));
        QVERIFY(!between(dividedModel(2, 4, 4), MessageGroup::data));
        QVERIFY(between(dividedModel(2, 4, 4), MessageGroup::pipeline));
        QVERIFY(!between(dividedModel(2, 2, 2), MessageGroup::pipeline));
        Experiment straddling = dividedModel(4, 1, 3);
        straddling.node.gpus = 6;
        QVERIFY(between(straddling, MessageGroup::tensor));
        straddling.division.dp = 1;
        QVERIFY(!between(straddling, MessageGroup::tensor));
    }

    void inferenceSendsOneWayAndReducesNoGradients() {
        const Experiment experiment = dividedModel(4, 2, 4);
        const Messages messages = messagesOf(experiment, ModelPhase::prompt);
        QCOMPARE(countIn(messages, MessageGroup::pipeline), std::int64_t{1});
        for (const MessageGroup group : {MessageGroup::data, MessageGroup::tied, MessageGroup::control})
            QVERIFY(messageRows(messages, group).empty());
        QCOMPARE(layerCalls(messages), std::int64_t{2 * 12});
    }

    void rowsSumToTheTotals() {
        Experiment experiment = dividedModel(4, 4, 8);
        experiment.division.microbatches = 8;
        const Messages messages = messagesInTraining(experiment);
        std::int64_t count = 0, volume = 0, sent = 0;
        for (const MessageRow& row : messages.rows) {
            count += row.count;
            volume += row.volume.count;
            sent += row.sent.count;
            QVERIFY(!row.source.empty() && row.bytes.count > 0);
            QCOMPARE(row.volume.count,
                     row.bytes.count * row.count * (row.operation == MessageOperation::allReduce ? 2 : 1));
        }
        QCOMPARE(messages.count(), count);
        QCOMPARE(messages.volume().count, volume);
        QCOMPARE(messages.sent().count, sent);
        QCOMPARE((messages.sentWithinNode() + messages.sentBetweenNodes()).count, sent);
        QVERIFY(messages.sentWithinNode().count > 0 && messages.sentBetweenNodes().count > 0);
        QCOMPARE(countIn(messages, MessageGroup::control), std::int64_t{3});
    }
};

RINGSIDE_TEST(TestMessages)
#include "tst_messages.moc"
