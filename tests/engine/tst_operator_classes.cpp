#include "engine/api/footprint.h"
#include "engine/api/messages.h"
#include "engine/api/operator_graph.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>

using namespace engine;

namespace {

/// BERT-Large on one GPU: 32 sequences of 128 tokens.
Experiment bertLarge() {
    Experiment e;
    e.workload.hidden = 1024;
    e.workload.layers = 24;
    e.workload.heads = 16;
    e.workload.sequence = 128;
    e.workload.batch = 32;
    e.workload.vocabulary = 30522;
    e.parallel.tp = 1;
    e.operators.attention = AttentionOperators::separate;
    return e;
}

Experiment withRows(Experiment e, std::int64_t rows, std::int64_t tp) {
    e.operators.embeddingRows = rows;
    e.parallel.tp = tp;
    return e;
}

std::map<OperatorClass, std::set<std::string>> idsByClass(const Experiment& e, ModelPhase phase) {
    std::map<OperatorClass, std::set<std::string>> ids;
    for (const Operator& op : operatorGraphOf(e, phase).operators)
        ids[op.operatorClass].insert(op.id);
    return ids;
}

std::int64_t vocabularyOf(const Experiment& e) {
    return operatorGraphOf(e, ModelPhase::training).find("forward/lm-head")->gemm->n * e.parallel.tp;
}

}  // namespace

/// Tests operator classes, and the effect of a padded vocabulary.
class TestOperatorClasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachClassHasMembersInATrainingStep() {
        Experiment e = bertLarge();
        e.parallel.tp = 2;
        e.operators.dropout = Dropout::on;
        const auto ids = idsByClass(e, ModelPhase::training);
        QCOMPARE(ids.size(), kOperatorClasses.size());
        QVERIFY(ids.at(OperatorClass::gemm).contains("forward/ip"));
        QVERIFY(ids.at(OperatorClass::gemm).contains("backward/lm-head/weights"));
        QVERIFY(ids.at(OperatorClass::elementWise).contains("forward/dropout-1"));
        QVERIFY(ids.at(OperatorClass::elementWise).contains("backward/embedding"));
        QVERIFY((ids.at(OperatorClass::batchedGemm) ==
                 std::set<std::string>{"forward/scores", "forward/value", "backward/scores", "backward/value"}));
        QVERIFY((ids.at(OperatorClass::attentionElementWise) ==
                 std::set<std::string>{"forward/softmax", "forward/softmax-dropout", "backward/softmax",
                                       "backward/softmax-dropout"}));
        QVERIFY((ids.at(OperatorClass::optimizer) == std::set<std::string>{"optimizer/layer", "optimizer/embedding"}));
        QVERIFY(ids.at(OperatorClass::collective).contains("forward/fc-2/all-reduce"));
    }

    // A kernel that fuses the products with the softmax belongs to the class of the products. The softmax has no
    // operator.
    void fusedAttentionIsABatchedGemm() {
        Experiment e = bertLarge();
        e.operators.attention = AttentionOperators::fused;
        e.operators.dropout = Dropout::on;
        const auto ids = idsByClass(e, ModelPhase::training);
        QVERIFY(
            (ids.at(OperatorClass::batchedGemm) == std::set<std::string>{"forward/attention", "backward/attention"}));
        QVERIFY(!ids.contains(OperatorClass::attentionElementWise));
        QVERIFY(!ids.contains(OperatorClass::collective));
    }

    void whatIsRepeatedHasTheClassOfWhatItRepeats() {
        Experiment e = bertLarge();
        e.operators.dropout = Dropout::on;
        e.operators.recompute = Recompute::layer;
        const OperatorGraph graph = operatorGraphOf(e, ModelPhase::training);
        int repeated = 0;
        for (const Operator& op : graph.operators) {
            if (op.pass != OperatorPass::recompute)
                continue;
            const Operator* forward = graph.find("forward" + op.id.substr(op.id.find('/')));
            QVERIFY2(forward != nullptr && op.operatorClass == forward->operatorClass, op.id.c_str());
            ++repeated;
        }
        QVERIFY(repeated > 0);
    }

    void inferenceHasNoOptimizer() {
        for (const ModelPhase phase : {ModelPhase::prompt, ModelPhase::generation})
            QVERIFY(!idsByClass(bertLarge(), phase).contains(OperatorClass::optimizer));
    }

    // Each class has the flops of its operators, so that both kinds of GEMM are the model's flops.
    void theGemmsOfBertsStepAreTheClosedForm() {
        std::map<OperatorClass, double> flops;
        const OperatorGraph graph = operatorGraphOf(bertLarge(), ModelPhase::training);
        for (const Operator& op : graph.operators)
            flops[op.operatorClass] += op.flops * static_cast<double>(op.count);
        constexpr double b = 32, s = 128, h = 1024, layers = 24, vocabulary = 30522;
        const double head = 3 * 2 * b * s * h * vocabulary;
        const double linear = 3 * 24 * b * s * h * h * layers, products = 3 * 4 * b * s * s * h * layers;
        const auto near = [](double a, double of) { return std::abs(a / of - 1) < 1e-12; };
        QVERIFY(near(flops[OperatorClass::gemm], linear + head));
        QVERIFY(near(flops[OperatorClass::batchedGemm], products));
        QVERIFY(near(graph.flopsOfModel(), linear + products + head));
    }

    void aVocabularyIsFilledUpSoThatEachGpuHasAMultiple() {
        QCOMPARE(vocabularyOf(bertLarge()), std::int64_t{30522});
        QCOMPARE(vocabularyOf(withRows(bertLarge(), 64, 1)), std::int64_t{30528});
        QCOMPARE(vocabularyOf(withRows(bertLarge(), 128, 1)), std::int64_t{30592});
        QCOMPARE(vocabularyOf(withRows(bertLarge(), 64, 8)), std::int64_t{30720});
        QCOMPARE(vocabularyOf(withRows(bertLarge(), 128, 8)), std::int64_t{30720});
        Experiment full = withRows(bertLarge(), 128, 8);
        full.workload.vocabulary = 30720;
        QCOMPARE(vocabularyOf(full), std::int64_t{30720});
        full.workload.vocabulary += 1;
        QCOMPARE(vocabularyOf(full), std::int64_t{30720 + 1024});
    }

    // GPT-2 in Megatron-LM: 50257 rows become 50304 on one GPU and 51200 on 8.
    void theFilledUpVocabularyIsMegatrons() {
        Experiment e = bertLarge();
        e.workload.vocabulary = 50257;
        QCOMPARE(vocabularyOf(withRows(e, 128, 1)), std::int64_t{50304});
        QCOMPARE(vocabularyOf(withRows(e, 128, 8)), std::int64_t{51200});
    }

    void unusedRowsAreComputedHeldAndSent() {
        const Experiment plain = bertLarge(), filled = withRows(bertLarge(), 128, 1);
        constexpr std::int64_t kAdded = 30592 - 30522, kHidden = 1024, kTokens = 32 * 128;
        const OperatorGraph before = operatorGraphOf(plain, ModelPhase::training),
                            after = operatorGraphOf(filled, ModelPhase::training);
        QCOMPARE(after.weightsOfModel() - before.weightsOfModel(), kAdded * kHidden);
        QCOMPARE(after.flopsOfModel() - before.flopsOfModel(), 6.0 * kTokens * kHidden * kAdded);
        QCOMPARE(after.find("optimizer/embedding")->bytes.count - before.find("optimizer/embedding")->bytes.count,
                 28 * kAdded * kHidden);
        const auto statesOf = [](const Experiment& e) { return footprintOf(e, ModelPhase::training).bytes().states(); };
        QCOMPARE(statesOf(filled).count - statesOf(plain).count, 16 * kAdded * kHidden);
        const auto volumeOf = [](Experiment e) {
            e.division.dp = 2;
            return messagesOf(e, ModelPhase::training).volume();
        };
        QCOMPARE(volumeOf(filled).count - volumeOf(plain).count, 2 * 2 * kAdded * kHidden);
        QVERIFY(std::any_of(after.notices.begin(), after.notices.end(), [](const Notice& notice) {
            return notice.path == "workload.vocabulary" && notice.text.find("30592") != std::string::npos;
        }));
        QVERIFY(std::none_of(before.notices.begin(), before.notices.end(),
                             [](const Notice& notice) { return notice.path == "workload.vocabulary"; }));
    }

    void whatOnlyTrainingReadsIsSaidOfInference() {
        Experiment e = bertLarge();
        e.operators.dropout = Dropout::on;
        e.training.optimizer = OptimizerKind::lamb;
        const auto said = [&](ModelPhase phase) {
            std::set<std::string> paths;
            for (const Notice& notice : operatorGraphOf(e, phase).notices)
                paths.insert(notice.path);
            return paths;
        };
        QVERIFY((said(ModelPhase::prompt) == std::set<std::string>{"operators.dropout", "training.optimizer"}));
        QVERIFY(said(ModelPhase::training).empty());
    }
};

RINGSIDE_TEST(TestOperatorClasses)
#include "tst_operator_classes.moc"
