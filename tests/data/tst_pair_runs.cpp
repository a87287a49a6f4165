#include "data/laboratory/laboratory.h"
#include "data/questions/pair.h"
#include "engine/api/run_times.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <string>

using namespace data;

namespace {

/// Returns an experiment of two waves of tiles on 16 CUs beside a collective of 16 MiB.
ExperimentDraft smallPair(const Settings& more = {}) {
    ExperimentDraft draft;
    draft.explicitValues = {{"workload.sublayer", "gemm"},
                            {"policy.preset", "sequential"},
                            {"matrix.m", std::int64_t{2048}},
                            {"matrix.n", std::int64_t{2048}},
                            {"matrix.k", std::int64_t{512}},
                            {"cu.count", std::int64_t{32}},
                            {"detail.level", "interactive"},
                            {"companion.operation", "all-gather"},
                            {"companion.bytes", std::int64_t{16 * 1024 * 1024}}};
    for (const auto& [path, value] : more)
        draft.explicitValues.insert_or_assign(path, value);
    return draft;
}

engine::Duration endOf(const engine::Experiment& experiment) { return engine::run(experiment).last.time.total; }

}  // namespace

class TestPairRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void serialIsTheSumOfTwoRunsAlone() {
        const Pair pair = pairOf({smallPair(), 8});
        engine::Experiment own = pair.experiment;
        own.companion = {};
        own.dispatch = {};
        QCOMPARE(pair.ownAlone(), endOf(own));
        QCOMPARE(pair.serial(), pair.ownAlone() + pair.companionAlone());
        for (const PairRow& row : pair.rows) {
            const engine::CompanionResult& both = *row.result.companion;
            QCOMPARE(row.result.last.time.total, std::max(both.own, both.time));
            QCOMPARE(*both.ownAlone, pair.ownAlone());
            QVERIFY(!row.result.speedupOverSequential && !engine::hidingOf(row.result));
            QCOMPARE(row.result.last.time.exposedCommunication, both.own - row.result.last.time.gemm);
        }
    }

    void ofSeveralCopiesEachIsCounted() {
        const Pair one = pairOf({smallPair({{"companion.operation", "gemm"}}), std::nullopt});
        const Pair three =
            pairOf({smallPair({{"companion.operation", "gemm"}, {"companion.copies", std::int64_t{3}}}), std::nullopt});
        QCOMPARE(three.ownAlone(), one.ownAlone());
        QCOMPARE(three.companionAlone(), one.companionAlone() * 3);
        // The GEMM is the same, but its workgroups have other random start times.
        const double ratio = static_cast<double>(one.companionAlone().ps) / static_cast<double>(one.ownAlone().ps);
        QVERIFY2(std::abs(ratio - 1) < 0.02, std::to_string(ratio).c_str());
        QCOMPARE(three.rows.size(), 3U);
        QVERIFY(!three.advice);
    }

    void aGemmBesideReservedCusTakesWhatItTakesOnASmallerMachine() {
        const engine::Experiment experiment = expand(smallPair()).experiment;
        for (const std::int64_t reserved : reserveCandidates(experiment.cu.count)) {
            engine::Experiment smaller = ownBesideReserved(experiment, reserved);
            smaller.dispatch = {};
            smaller.cu.count -= reserved;
            QCOMPARE(endOf(ownBesideReserved(experiment, reserved)), endOf(smaller));
        }
    }

    void theCompanionOfTheAdviceIsTheCompanionAloneWithoutItsWindow() {
        for (const char* operation : {"all-gather", "reduce-scatter", "all-reduce", "all-to-all"}) {
            for (const std::int64_t workgroups : {4, 16}) {
                const Settings values{{"companion.operation", operation}, {"companion.workgroups", workgroups}};
                const engine::Experiment windowed = expand(smallPair(values)).experiment;
                engine::Experiment free = windowed;
                free.companion.window.reset();
                const engine::Duration advising = endOf(companionAlone(windowed, workgroups));
                QCOMPARE(advising, *engine::run(free).companion->alone);
                // A window of packets makes an exchange around a ring a little faster and changes nothing else here.
                const engine::Duration alone = *engine::run(windowed).companion->alone;
                QVERIFY(std::abs(static_cast<double>(advising.ps) / static_cast<double>(alone.ps) - 1) < 0.05);
            }
        }
    }

    void theAdvisedRowIsNoSlowerThanTheOthersWithReservedCus() {
        const PairQuestion question{smallPair(), std::nullopt};
        const Pair advised = pairOf(question);
        QVERIFY(advised.advice);
        const double best = static_cast<double>(advised.rows[3].result.last.time.total.ps);
        for (const ReserveCandidate& candidate : advised.advice->candidates) {
            const Pair other = pairOf({question.draft, candidate.reserved});
            QVERIFY(best <= 1.05 * static_cast<double>(other.rows[3].result.last.time.total.ps));
        }
    }

    void threadsChangeNothing() {
        PairOptions many;
        many.threads = 4;
        const Pair one = pairOf({smallPair(), std::nullopt}), four = pairOf({smallPair(), std::nullopt}, many);
        QCOMPARE(one.rows.size(), four.rows.size());
        for (std::size_t i = 0; i < one.rows.size(); ++i) {
            QCOMPARE(one.rows[i].how.name, four.rows[i].how.name);
            QVERIFY(one.rows[i].result.companion == four.rows[i].result.companion);
        }
    }

    void aRuleIsTheSameRunAsInTheLaboratory() {
        const Pair pair = pairOf({smallPair(), 8});
        const LaboratoryRun alike = Laboratory().run(pair.rows[2].how.draft);
        QVERIFY(alike.result.companion == pair.rows[2].result.companion);
    }
};

RINGSIDE_TEST(TestPairRuns)
#include "tst_pair_runs.moc"
