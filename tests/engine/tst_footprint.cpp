#include "engine/api/footprint.h"
#include "engine/api/weight_copies.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace engine;

namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr std::array kShardings{Sharding::none, Sharding::optimizer, Sharding::gradients, Sharding::weights};

Bytes bareTotal(std::int64_t weights, std::int64_t replicas, Sharding sharding) {
    return footprintOf(tests::bareModel(weights, replicas, sharding), ModelPhase::training).bytes().total();
}

/// Returns a model of Korthikanti et al., who count separate attention and dropout, with 18 bytes for each weight.
Experiment korthikanti(std::int64_t hidden, std::int64_t heads, std::int64_t layers, std::int64_t tp) {
    Experiment experiment;
    experiment.workload.hidden = hidden;
    experiment.workload.heads = heads;
    experiment.workload.layers = layers;
    experiment.workload.sequence = 2048;
    experiment.workload.batch = 1;
    experiment.parallel.tp = tp;
    experiment.operators.attention = AttentionOperators::separate;
    experiment.operators.dropout = Dropout::on;
    experiment.training.accounting = Accounting::megatron;
    return experiment;
}

Experiment sequenceParallel(Experiment experiment, Recompute recompute) {
    experiment.collective.operation = CollectiveOperation::reduceScatter;
    experiment.operators.recompute = recompute;
    return experiment;
}

Experiment recomputing(Experiment experiment, Recompute recompute) {
    experiment.operators.recompute = recompute;
    return experiment;
}

std::int64_t layerActivations(const Experiment& experiment) {
    return footprintOf(experiment, ModelPhase::training).stage().layerActivations.count;
}

/// Returns a model of one layer with H 4096 and 32 heads, on 8 GPUs; s b h is kSbh.
Experiment oneLayer() { return korthikanti(4096, 32, 1, 8); }
constexpr std::int64_t kSbh = std::int64_t{2048} * 4096;
constexpr std::int64_t kScoreShare = 5 * 32 * 2048 / 4096;  // 5as/h
constexpr std::int64_t kGpus = 8;

/// Returns GPT-3, divided as by Korthikanti et al. and Narayanan et al.
Experiment dividedGpt3() {
    Experiment experiment = korthikanti(12288, 96, 96, 8);
    experiment.division.pp = 8;
    experiment.division.interleave = 3;
    experiment.division.microbatches = 64;
    return experiment;
}

}  // namespace

class TestFootprint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // ZeRO (arXiv 1910.02054), figure 1.
    void shardingDividesTheStatesOfSevenAndAHalfBillionWeights() {
        QCOMPARE(bareTotal(7'500'000'000, 64, Sharding::none).count, std::int64_t{120'000'000'000});
        QCOMPARE(bareTotal(7'500'000'000, 64, Sharding::optimizer).count, std::int64_t{31'406'250'000});
        QCOMPARE(bareTotal(7'500'000'000, 64, Sharding::gradients).count, std::int64_t{16'640'625'000});
        QCOMPARE(bareTotal(7'500'000'000, 64, Sharding::weights).count, std::int64_t{1'875'000'000});
    }

    void theCellsOfZerosFirstTable_data() {
        QTest::addColumn<qint64>("replicas");
        QTest::addColumn<double>("billions");
        QTest::addColumn<QStringList>("cells");
        const auto row = [](qint64 replicas, double billions, const char* cells) {
            QTest::addRow("%lld replicas, %g", replicas, billions) << replicas << billions << QString(cells).split(' ');
        };
        row(1, 7.5, "120 120 120");
        row(4, 7.5, "52.5 41.3 30");
        row(16, 7.5, "35.6 21.6 7.5");
        row(64, 7.5, "31.4 16.6 1.88");
        row(256, 7.5, "30.4 15.4 0.47");
        row(1024, 7.5, "30.1 15.1 0.12");
        row(1, 128, "2048 2048 2048");
        row(4, 128, "896 704 512");
        row(16, 128, "608 368 128");
        row(64, 128, "536 284 32");
        row(256, 128, "518 263 8");
        row(1024, 128, "513 257 2");
        row(1, 1000, "16000 16000 16000");
        row(4, 1000, "7000 5500 4000");
        row(16, 1000, "4750 2875 1000");
        row(64, 1000, "4187 2218 250");
        row(256, 1000, "4046 2054 62.5");
        row(1024, 1000, "4011 2013 15.6");
    }

    // Table 1 of ZeRO, in GB. The paper rounds or truncates, so the last digit of a cell may differ by one.
    void theCellsOfZerosFirstTable() {
        QFETCH(qint64, replicas);
        QFETCH(double, billions);
        QFETCH(QStringList, cells);
        const auto weights = static_cast<std::int64_t>(billions * 1e9);
        QCOMPARE(cells.size(), 3);
        for (int i = 0; i < 3; ++i) {
            const QString& cell = cells[i];
            const auto decimals = cell.contains('.') ? cell.size() - cell.indexOf('.') - 1 : 0;
            const Bytes total = bareTotal(weights, replicas, kShardings.at(static_cast<std::size_t>(i) + 1));
            const double off = static_cast<double>(total.count) / 1e9 - cell.toDouble();
            QVERIFY2(std::abs(off) < std::pow(10.0, -static_cast<double>(decimals)), qPrintable(cell));
        }
    }

    // Table 2 of ZeRO, theory: 64 replicas of 32 GB, tp 1 to 16. Each row is the rounded first row times tp.
    void theLargestModelThatFitsIsThatOfZerosSecondTable() {
        constexpr std::array kFirstRow{2e9, 7.6e9, 14.4e9, 128e9};
        for (std::size_t i = 0; i < kShardings.size(); ++i) {
            for (const std::int64_t tp : {1, 2, 4, 8, 16}) {
                Experiment experiment = tests::bareModel(1'000'000'000, 64, kShardings.at(i));
                experiment.parallel.tp = tp;
                experiment.node.memory = Bytes{32'000'000'000};
                const auto most = footprintOf(experiment, ModelPhase::training).mostWeights;
                QVERIFY(most.has_value());
                const double published = kFirstRow.at(i) * static_cast<double>(tp);
                QVERIFY(std::abs(static_cast<double>(*most) / published - 1) < 0.006);
            }
        }
    }

    void oneWeightMoreThanTheMostDoesNotFit() {
        for (const Sharding sharding : kShardings) {
            Experiment experiment = tests::bareModel(1'000'000, 64, sharding);
            experiment.node.memory = Bytes{32'000'000'000};
            const std::int64_t most = *footprintOf(experiment, ModelPhase::training).mostWeights;
            experiment.division.weights = most;
            QCOMPARE(footprintOf(experiment, ModelPhase::training).fits, std::optional(true));
            experiment.division.weights = most + 1;
            QCOMPARE(footprintOf(experiment, ModelPhase::training).fits, std::optional(false));
        }
        QVERIFY(!footprintOf(tests::bareModel(1'000'000, 64, Sharding::none), ModelPhase::training).fits.has_value());
    }

    // The documentation of DeepSpeed's memory estimators: 2,851e6 weights on 8 GPUs, the largest layer 32e6.
    void deepSpeedsEstimatorsHaveTheirBuffers() {
        const auto gib = [](Sharding sharding) {
            const StateAccount account{Accounting::deepspeed, OptimizerKind::adam, sharding, 8};
            return static_cast<double>(modelStates(account, 2'851'000'000, 32'000'000).total().count) / kGiB;
        };
        QVERIFY(std::abs(gib(Sharding::gradients) - 15.93) < 0.005);
        QVERIFY(std::abs(gib(Sharding::weights) - 6.09) < 0.005);
    }

    void theAccountingAndTheOptimizerSetTheBytesOfAWeight() {
        const auto bytes = [](Accounting accounting, OptimizerKind optimizer) {
            return modelStates({accounting, optimizer, Sharding::none, 1}, 1000, 0).total().count;
        };
        QCOMPARE(bytes(Accounting::zero, OptimizerKind::adam), std::int64_t{16'000});
        QCOMPARE(bytes(Accounting::zero, OptimizerKind::momentum), std::int64_t{12'000});
        QCOMPARE(bytes(Accounting::zero, OptimizerKind::sgd), std::int64_t{8'000});
        QCOMPARE(bytes(Accounting::megatron, OptimizerKind::adam), std::int64_t{18'000});
    }

    void statesOfAWeightAreASumWhoseRestIsTheOptimizers() {
        for (const Accounting accounting : {Accounting::zero, Accounting::megatron}) {
            Experiment experiment = tests::bareModel(1000, 4, Sharding::optimizer);
            experiment.training.accounting = accounting;
            const FootprintBytes before = footprintOf(experiment, ModelPhase::training).bytes();
            experiment.training.states = Bytes{14};
            const FootprintBytes bytes = footprintOf(experiment, ModelPhase::training).bytes();
            QCOMPARE(bytes.weights.count, before.weights.count);
            QCOMPARE(bytes.gradients.count, before.gradients.count);
            const std::int64_t rest = accounting == Accounting::zero ? 10 : 8;
            QCOMPARE(bytes.optimizer.count, rest * 1000 / 4);
        }
    }

    void statesAreNeverLessThanAWeightAndItsGradient() {
        Experiment experiment = tests::bareModel(1000, 1, Sharding::none);
        const auto problems = [&] { return footprintProblems(experiment, ModelPhase::training); };
        for (const auto& [accounting, least] : {std::pair{Accounting::zero, 4}, std::pair{Accounting::megatron, 6}}) {
            experiment.training.accounting = accounting;
            experiment.training.states = Bytes{least};
            QVERIFY(problems().empty());
            QCOMPARE(footprintOf(experiment, ModelPhase::training).bytes().optimizer.count, std::int64_t{0});
            experiment.training.states = Bytes{least - 1};
            QCOMPARE(problems().size(), std::size_t{1});
            QCOMPARE(problems().front().path, std::string("training.states"));
        }
    }

    // What a GPU saves if it holds no copies, in per cent of all that it holds, as in the table of MODEL.md.
    void copiesThatAreNotHeldSaveTheirPartOfTheStates() {
        struct Row {
            const char* copies;
            double of12, of14, of16;
        };
        constexpr std::array kRows{Row{"mx9", 8.6, 7.4, 6.6}, Row{"mx9:2", 15.8, 13.8, 12.3},
                                   Row{"mx9:2,mx6:2", 23.8, 21.1, 19.0}, Row{"bf16", 14.3, 12.5, 11.1}};
        for (const Row& row : kRows) {
            for (const auto& [states, expected] :
                 {std::pair{12, row.of12}, std::pair{14, row.of14}, std::pair{16, row.of16}}) {
                Experiment experiment = tests::bareModel(16'000'000'000, 1, Sharding::none);
                experiment.training.copies = row.copies;
                experiment.training.states = Bytes{states};
                const auto total = [&](Quantise quantise) {
                    experiment.training.quantise = quantise;
                    return static_cast<double>(footprintOf(experiment, ModelPhase::training).bytes().total().count);
                };
                const double stored = total(Quantise::stored);
                const double saved = 100 * (1 - total(Quantise::justInTime) / stored);
                QVERIFY2(std::abs(saved - expected) <= 0.05 + 1e-9, row.copies);
            }
        }
    }

    void copiesAreShardedLikeWeights() {
        constexpr std::int64_t kWeights = 16'000;
        for (const Sharding sharding : kShardings) {
            Experiment experiment = tests::bareModel(kWeights, 4, sharding);
            experiment.training.copies = "mx9,mx4:2";
            const FootprintBytes bytes = footprintOf(experiment, ModelPhase::training).bytes();
            const std::int64_t whole = kWeights * (9 + 2 * 4) / 8;
            QCOMPARE(bytes.copies.count, sharding == Sharding::weights ? whole / 4 : whole);
            QCOMPARE(bytes.total().count, bytes.states().count + bytes.copies.count);
        }
    }

    void copiesMadeJustInTimeAreThoseOfTwoLayers() {
        const auto copiesOf = [](std::int64_t layers, Quantise quantise, ModelPhase phase) {
            Experiment experiment = korthikanti(4096, 32, layers, 8);
            experiment.training.copies = "mx9:2";
            experiment.training.quantise = quantise;
            return footprintOf(experiment, phase).bytes().copies.count;
        };
        using enum Quantise;
        const std::int64_t two = copiesOf(2, justInTime, ModelPhase::training);
        QVERIFY(two > 0);
        QCOMPARE(copiesOf(3, justInTime, ModelPhase::training), two);
        QCOMPARE(copiesOf(96, justInTime, ModelPhase::training), two);
        QCOMPARE(copiesOf(1, justInTime, ModelPhase::training) * 2, two);
        const std::int64_t layer =
            copiesOf(3, stored, ModelPhase::training) - copiesOf(2, stored, ModelPhase::training);
        QCOMPARE(two, 2 * layer);  // without the embedding
        for (const ModelPhase phase : {ModelPhase::prompt, ModelPhase::generation})
            QCOMPARE(copiesOf(2, stored, phase), std::int64_t{0});
    }

    void theMostWeightsLeaveRoomForTheirCopies() {
        Experiment experiment = tests::bareModel(1000, 1, Sharding::none);
        experiment.training.copies = "bf16:2";
        experiment.node.memory = Bytes{20'000'000};
        QCOMPARE(footprintOf(experiment, ModelPhase::training).mostWeights, std::optional<std::int64_t>(1'000'000));
    }

    void copiesAreFormatsWithNumbers() {
        QCOMPARE(bitsOf(readCopies("none").copies), std::int64_t{0});
        QCOMPARE(bitsOf(readCopies("mx9:2,mx6:2").copies), std::int64_t{30});
        QCOMPARE(bitsOf(readCopies("mx4,bf16,mx4:3").copies), std::int64_t{32});
        QCOMPARE(bitsOf(readCopies("bf16:16").copies), std::int64_t{256});
        struct Refused {
            const char *text, *value, *allowed;
        };
        for (const auto& [text, value, allowed] :
             {Refused{"mx8", "mx8", "allowed: none, or mx9, mx6, mx4, bf16"}, Refused{"mx9,,mx6", "", "no format"},
              Refused{"mx9 ,mx6", "mx9 ", "no format"}, Refused{"mx9:2,none", "none", "no format"},
              Refused{"mx9:", "mx9:", "allowed: 1 to 16"}, Refused{"mx9:0", "mx9:0", "allowed: 1 to 16"},
              Refused{"mx9:17", "mx9:17", "allowed: 1 to 16"}, Refused{"mx9:1.5", "mx9:1.5", "allowed: 1 to 16"},
              Refused{"mx9:16,mx6", "mx9:16,mx6", "17 copies; allowed: up to 16"}}) {
            const CopiesReading reading = readCopies(text);
            QVERIFY2(reading.problem && reading.copies.empty(), text);
            QCOMPARE(reading.problem->path, std::string("training.copies"));
            QCOMPARE(reading.problem->value, std::string(value));
            QVERIFY2(reading.problem->text.find(allowed) != std::string::npos, reading.problem->text.c_str());
        }
        Experiment experiment = tests::bareModel(1000, 1, Sharding::none);
        experiment.training.copies = "mx9:2;mx6";
        QCOMPARE(footprintProblems(experiment, ModelPhase::training).front().path, std::string("training.copies"));
    }

    void moreReplicasNeverNeedMoreMemory() {
        for (const Sharding sharding : kShardings) {
            for (const Accounting accounting : {Accounting::zero, Accounting::megatron, Accounting::deepspeed}) {
                Bytes before{std::numeric_limits<std::int64_t>::max()};
                for (const std::int64_t replicas : {1, 2, 3, 7, 8, 64, 1000}) {
                    const Bytes now =
                        modelStates({accounting, OptimizerKind::adam, sharding, replicas}, 1'000'003, 5).total();
                    QVERIFY(now <= before);
                    before = now;
                }
            }
        }
    }

    // Korthikanti et al. (arXiv 2205.05198), table 2: s b h (10 + 24/t + 5as/(ht)) and its variants.
    void aLayerHoldsWhatThePublishedFormulasSay() {
        QCOMPARE(layerActivations(korthikanti(4096, 32, 1, 1)), kSbh * (34 + kScoreShare));
        QCOMPARE(layerActivations(oneLayer()), kSbh * (10 + 24 / kGpus) + kSbh * kScoreShare / kGpus);
        QCOMPARE(layerActivations(sequenceParallel(oneLayer(), Recompute::gathers)), kSbh / kGpus * (34 + kScoreShare));
        QCOMPARE(layerActivations(recomputing(oneLayer(), Recompute::attention)), kSbh * (10 + 24 / kGpus));
        QCOMPARE(layerActivations(sequenceParallel(oneLayer(), Recompute::attention)), kSbh / kGpus * 34);
        QCOMPARE(layerActivations(recomputing(oneLayer(), Recompute::layer)), 2 * kSbh);
    }

    // While a layer is computed again, the buffer holds everything that the backward pass reads, except the input,
    // which is kept.
    void theLayerThatIsRecomputedIsABuffer() {
        const Footprint kept = footprintOf(recomputing(oneLayer(), Recompute::attention), ModelPhase::training);
        const Footprint again = footprintOf(recomputing(oneLayer(), Recompute::layer), ModelPhase::training);
        QCOMPARE(kept.bytes().buffers.count, std::int64_t{0});
        QCOMPARE(again.bytes().buffers.count, kSbh * (8 + 24 / kGpus) + kSbh * kScoreShare / kGpus);
    }

    void gpt3OnEightStagesHoldsWhatIsPublished() {
        const Footprint plain = footprintOf(dividedGpt3(), ModelPhase::training);
        QCOMPARE(static_cast<double>(plain.stages[0].layerStates.count) / kGiB, 45.5625);
        QCOMPARE(static_cast<double>(plain.stages[0].layerActivations.count) / kGiB, 66.84375);
        QCOMPARE(plain.stages[0].layers, std::int64_t{12});
        QCOMPARE(plain.stages[0].inFlight, 31.0 / 3);
        const Footprint less = footprintOf(sequenceParallel(dividedGpt3(), Recompute::attention), ModelPhase::training);
        QCOMPARE(static_cast<double>(less.stages[0].layerActivations.count) / kGiB, 12.3515625);
    }

    // Figure 7 of Korthikanti et al., the model of 22e9 weights: shares of the activations with tensor parallelism
    // alone.
    void eachWordOfRecomputationHoldsItsShare() {
        const Experiment experiment = korthikanti(6144, 64, 48, 8);
        const auto percent = [&](const Experiment& other) {
            return std::round(1e4 * static_cast<double>(layerActivations(other)) /
                              static_cast<double>(layerActivations(experiment))) /
                   100;
        };
        QCOMPARE(percent(sequenceParallel(experiment, Recompute::gathers)), 66.77);
        QCOMPARE(percent(recomputing(experiment, Recompute::attention)), 49.37);
        QCOMPARE(percent(sequenceParallel(experiment, Recompute::attention)), 16.14);
        QCOMPARE(percent(recomputing(experiment, Recompute::layer)), 7.59);
    }

    void interleavingHoldsMoreOfTheSameLayers() {
        Experiment experiment = dividedGpt3();
        const double chunks = static_cast<double>(layerActivations(experiment));
        experiment.division.interleave = 1;
        const double plain = static_cast<double>(layerActivations(experiment));
        QVERIFY(std::abs(chunks / plain - (1 + 7.0 / (8 * 3))) < 1e-12);
    }

    void holdersSumToTheTotalOfEachStageAndTheLargestDecides() {
        Experiment experiment = dividedGpt3();
        experiment.division.dp = 3;
        experiment.training.copies = "mx6:2";
        for (const Sharding sharding : {Sharding::none, Sharding::optimizer, Sharding::gradients}) {
            experiment.division.sharding = sharding;
            const Footprint footprint = footprintOf(experiment, ModelPhase::training);
            QCOMPARE(footprint.stages.size(), std::size_t{8});
            for (const StageFootprint& stage : footprint.stages) {
                const FootprintBytes& held = stage.bytes;
                QCOMPARE(held.total().count, held.weights.count + held.gradients.count + held.optimizer.count +
                                                 held.activations.count + held.cache.count + held.buffers.count +
                                                 held.copies.count);
                QVERIFY(held.total() <= footprint.bytes().total());
            }
        }
    }

    void theLastStageKeepsWhatNormAndHeadReadOfOneMicroBatch() {
        Experiment experiment = korthikanti(4096, 32, 8, 8);
        experiment.workload.vocabulary = 32000;
        experiment.division.pp = 4;
        experiment.division.microbatches = 8;
        const Footprint footprint = footprintOf(experiment, ModelPhase::training);
        const StageFootprint& last = footprint.stages.back();
        // The input of the head and the input of the final norm, 2 bytes each. The loss reads the logits immediately.
        QCOMPARE((last.bytes.activations - last.layerActivations).count, 4 * kSbh);
        const StageFootprint& middle = footprint.stages[1];
        QCOMPARE(middle.bytes.activations, middle.layerActivations);
    }

    void inferenceHoldsWeightsAndKeysAndValues() {
        Experiment experiment = korthikanti(4096, 32, 8, 8);
        experiment.workload.batch = 4;
        for (const ModelPhase phase : {ModelPhase::prompt, ModelPhase::generation}) {
            const FootprintBytes held = footprintOf(experiment, phase).bytes();
            QCOMPARE(held.cache.count, std::int64_t{2} * 2 * 4 * 2048 * 4096 / 8 * 8);
            QCOMPARE(held.weights.count, std::int64_t{2} * (8 * 12 * 4096 / 8 * 4096 + 51200 / 8 * 4096));
            QCOMPARE(held.total(), held.weights + held.cache);
        }
    }

    void unevenStagesAreANoticeAndEvenOnesAreNot() {
        const auto says = [](const Experiment& experiment) {
            for (const Notice& notice : footprintOf(experiment, ModelPhase::training).notices) {
                if (notice.path == "division.pp")
                    return true;
            }
            return false;
        };
        Experiment experiment = korthikanti(4096, 32, 9, 8);
        experiment.division.pp = 3;
        QVERIFY(!says(experiment));
        experiment.division.pp = 4;
        QVERIFY(says(experiment));
    }
};

RINGSIDE_TEST(TestFootprint)
#include "tst_footprint.moc"
