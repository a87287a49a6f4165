#include "data/experiment/experiment_document.h"
#include "data/model/model_memory.h"
#include "tests/test_program.h"

#include <QTest>

#include <cstdint>
#include <thread>
#include <vector>

using data::ModelMemory;

namespace {

constexpr auto kMostRemembered = static_cast<std::int64_t>(ModelMemory::kMost);

engine::Experiment experimentOfSeed(std::int64_t seed) {
    engine::Experiment experiment;
    experiment.seed = seed;
    return experiment;
}

engine::GemmSize gemmOf(std::int64_t m) { return {m, 256, 512}; }

/// Returns the seeds, from 1 on, whose runs are no longer in the memory.
std::vector<std::int64_t> forgottenRuns(const ModelMemory& memory, std::int64_t kept) {
    std::vector<std::int64_t> forgotten;
    for (std::int64_t seed = 1; seed <= kept; ++seed) {
        const auto run = memory.run(experimentOfSeed(seed));
        if (!run)
            forgotten.push_back(seed);
        else if (run->time.total.ps != seed)
            qFatal("another run was found");
    }
    return forgotten;
}

}  // namespace

class TestModelMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsFoundIsWhatWasKeptAndTheOldestIsForgotten() {
        ModelMemory memory;
        for (std::int64_t seed = 1; seed <= kMostRemembered; ++seed)
            memory.keep(experimentOfSeed(seed), {{.total = {seed}}, {}});
        QVERIFY(forgottenRuns(memory, kMostRemembered).empty());
        QVERIFY(!memory.run(experimentOfSeed(kMostRemembered + 1)));
        memory.keep(experimentOfSeed(kMostRemembered + 1), {{.total = {kMostRemembered + 1}}, {}});
        QCOMPARE(forgottenRuns(memory, kMostRemembered + 1), std::vector<std::int64_t>{1});
    }

    void gemmsHaveARoomOfTheirOwn() {
        ModelMemory memory;
        for (std::int64_t m = 1; m <= kMostRemembered; ++m)
            memory.keep({}, gemmOf(m), {m});
        memory.keep({}, {{.total = {7}}, {}});
        QCOMPARE(memory.gemm({}, gemmOf(1)), std::optional(engine::Duration{1}));
        memory.keep({}, gemmOf(kMostRemembered + 1), {kMostRemembered + 1});
        QVERIFY(!memory.gemm({}, gemmOf(1)));
        QCOMPARE(memory.gemm({}, gemmOf(2)), std::optional(engine::Duration{2}));
        QVERIFY(memory.run({}).has_value());
    }

    void aGemmIsFoundWhateverTheLinksAreAndNotOnAnotherMachine() {
        ModelMemory memory;
        memory.keep({}, gemmOf(3), {3});
        engine::Experiment other;
        other.link.bandwidth = engine::Bandwidth{1};
        other.division.dp = 7;
        QCOMPARE(memory.gemm(other, gemmOf(3)), std::optional(engine::Duration{3}));
        engine::GemmSize split = gemmOf(3);
        split.partsOfK = 2;
        QVERIFY(!memory.gemm({}, split));
        other.cu.count += 1;
        QVERIFY(!memory.gemm(other, gemmOf(3)));
    }

    void aGemmOfOtherElementsTilesOrRatesIsAnother_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("isAnother");
        const auto row = [](const char* path, const char* value, bool isAnother) {
            QTest::addRow("%s=%s", path, value) << path << value << isAnother;
        };
        row("operators.element_bits", "32", true);
        row("operators.element_bits", "8", true);
        row("cu.rate_32", "0.5", true);
        row("cu.rate_8", "2", true);
        row("tiles.choice", "best", true);
        row("tiles.padding", "full", true);
        row("operators.embedding_rows", "128", false);
        row("operators.attention", "separate", false);
        row("training.optimizer", "lamb", false);
        row("matrix.batch", "2", false);
    }

    void aGemmOfOtherElementsTilesOrRatesIsAnother() {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(bool, isAnother);
        data::ExperimentDraft draft;
        engine::Problems problems;
        data::applySetting((path + "=" + value).toStdString(), draft, problems);
        QVERIFY(problems.empty());
        const engine::Experiment other = data::expand(draft).experiment;
        const engine::Experiment plain = data::expand(data::ExperimentDraft{}).experiment;
        ModelMemory memory;
        memory.keep(plain, gemmOf(3), {3});
        QCOMPARE(!memory.gemm(other, gemmOf(3)), isAnother);
        QCOMPARE(ModelMemory::identityOf(other, gemmOf(3)) != ModelMemory::identityOf(plain, gemmOf(3)), isAnother);
        // The cache key of a run contains all parameters.
        memory.keep(plain, {{.total = {3}}, {}});
        QVERIFY(!memory.run(other));
    }

    void theSameRunAgainTakesItsPlaceAndNoOther() {
        ModelMemory memory;
        for (int i = 0; i < 2; ++i) {
            for (std::int64_t seed = 1; seed <= kMostRemembered; ++seed)
                memory.keep(experimentOfSeed(seed), {{.total = {seed}}, {}});
        }
        QVERIFY(forgottenRuns(memory, kMostRemembered).empty());
    }

    void threadsShareIt() {
        ModelMemory memory;
        std::vector<std::jthread> threads;
        for (std::int64_t first = 0; first < 4; ++first) {
            threads.emplace_back([&memory, first] {
                for (std::int64_t seed = first * 100 + 1; seed <= first * 100 + 100; ++seed) {
                    memory.keep(experimentOfSeed(seed), {{.total = {seed}}, {}});
                    if (!memory.run(experimentOfSeed(seed)))
                        qFatal("a run that was just kept is not found");
                }
            });
        }
        threads.clear();
        QVERIFY(forgottenRuns(memory, 400).empty());
    }
};

RINGSIDE_TEST(TestModelMemory)
#include "tst_model_memory.moc"
