#include "data/questions/pair.h"
#include "tests/data/side_by_side.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>

using namespace data;

namespace {

using RowNames = std::vector<std::string>;

RowNames rowNames(const std::vector<DispatchRow>& rows) {
    RowNames names;
    for (const DispatchRow& row : rows)
        names.push_back(row.name);
    return names;
}

ExperimentDraft draftBeside(const char* operation, const Settings& more = {}) {
    ExperimentDraft draft;
    draft.explicitValues = {
        {"workload.sublayer", "gemm"}, {"policy.preset", "sequential"}, {"companion.operation", operation}};
    for (const auto& [path, value] : more)
        draft.explicitValues.insert_or_assign(path, value);
    return draft;
}

engine::Experiment experimentOfRow(const DispatchRow& row) { return expandValues(row.draft).experiment; }

Pair pairByFormula(tests::FormulaMachine& machine, const PairQuestion& question,
                   const std::function<void(double)>& progress = {}) {
    PairOptions options;
    options.runs = machine.runs();
    options.progress = progress;
    return pairOf(question, options);
}

std::string saidOf(const engine::Problems& problems) {
    std::string text;
    for (const engine::Problem& problem : problems)
        text += problem.path + ": " + problem.value + ": " + problem.text + "\n";
    return text;
}

}  // namespace

class TestPair : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCollectiveBesideAGemmHasFourRules() {
        QCOMPARE(rowNames(dispatchRows(draftBeside("all-gather"))),
                 (RowNames{"in-order", "companion-first", "round-robin", "reserved 16"}));
    }

    void gemmsBesideEachOtherHaveNoReservedCus() {
        QCOMPARE(rowNames(dispatchRows(draftBeside("gemm"))), (RowNames{"in-order", "companion-first", "round-robin"}));
    }

    void withoutACompanionThereIsNoRow() { QCOMPARE(dispatchRows(draftBeside("none")).size(), 0U); }

    void aPassInsideMemorySharesNoCus() {
        const PairQuestion pass{draftBeside("in-memory"), std::nullopt};
        QCOMPARE(dispatchRows(pass.draft).size(), 0U);
        QVERIFY(saidOf(check(pass)).starts_with("companion.operation: in-memory: a pass inside memory takes no CU"));
    }

    void eachRowIsTheExperimentUnderItsRule() {
        const ExperimentDraft draft = draftBeside("all-gather", {{"companion.by", "dma"},
                                                                 {"dispatch.rule", "reserved"},
                                                                 {"dispatch.reserved", std::int64_t{24}},
                                                                 {"link.bandwidth", std::int64_t{50'000'000'000}}});
        const std::vector<DispatchRow> rows = dispatchRows(draft);
        QCOMPARE(rows.back().name, std::string("reserved 24"));
        for (const DispatchRow& row : rows) {
            const engine::Experiment experiment = experimentOfRow(row);
            QCOMPARE(experiment.dispatch.rule, row.rule);
            QCOMPARE(experiment.companion.by, engine::CollectiveCarrier::kernel);
            QCOMPARE(experiment.link.bandwidth.bytesPerSecond, 50'000'000'000);
            QCOMPARE(experiment.dispatch.reserved, row.reserved);
            QCOMPARE(engine::reservedCus(experiment), row.rule == engine::DispatchRule::reserved ? 24 : 0);
        }
    }

    void aPairAlsoAsksWhatDmaEnginesCanDo() {
        const std::vector<DispatchRow> rows = pairRows(draftBeside("all-to-all"), 32);
        QCOMPARE(rowNames(rows),
                 (RowNames{"in-order", "companion-first", "round-robin", "reserved 32", "dma", "dma + reserved 8"}));
        const engine::Experiment reserved = experimentOfRow(rows[3]), dma = experimentOfRow(rows[4]),
                                 both = experimentOfRow(rows[5]);
        QCOMPARE(engine::reservedCus(reserved), 32);
        QCOMPARE(reserved.companion.workgroups, 32);
        QCOMPARE(experimentOfRow(rows[0]).companion.workgroups, 16);
        QCOMPARE(dma.companion.by, engine::CollectiveCarrier::dma);
        QCOMPARE(engine::reservedCus(dma), 0);
        QCOMPARE(both.companion.by, engine::CollectiveCarrier::dma);
        QCOMPARE(engine::reservedCus(both), 8);
    }

    void whatReducesOnCusHasNoRowsOfDma() {
        const ExperimentDraft onCus = draftBeside("all-reduce");  // sequential adds on CUs
        QCOMPARE(pairRows(onCus, 8).size(), 4U);
        const ExperimentDraft nearMemory = draftBeside("all-reduce", {{"collective.reduction", "nmc"}});
        QCOMPARE(pairRows(nearMemory, 8).size(), 6U);
        QCOMPARE(pairRows(draftBeside("all-gather"), 8).size(), 6U);  // adds nothing
        QCOMPARE(pairRows(draftBeside("gemm"), 8).size(), 3U);
    }

    void whereASwitchJoinsAllGpusItMayCarryTheCompanion() {
        const Settings joined{{"topology.kind", "switch"}};
        const std::vector<DispatchRow> rows = pairRows(draftBeside("all-gather", joined), 8);
        QCOMPARE(rowNames(rows), (RowNames{"in-order", "companion-first", "round-robin", "reserved 8", "dma",
                                           "dma + reserved 8", "in-switch"}));
        for (const DispatchRow& row : rows) {
            QCOMPARE(row.inSwitch, row.name == "in-switch");
            QCOMPARE(engine::addsInSwitch(experimentOfRow(row)), row.inSwitch);
        }
        QCOMPARE(experimentOfRow(rows.back()).dispatch.rule, engine::DispatchRule::companionFirst);
        QCOMPARE(experimentOfRow(rows.back()).companion.by, engine::CollectiveCarrier::kernel);
        QCOMPARE(rowNames(pairRows(draftBeside("all-reduce", joined), 8)).back(), std::string("in-switch"));
    }

    void aSwitchThatCannotOrMustNotCarryItHasNoRow() {
        const auto last = [](const char* operation, Settings more) {
            more.try_emplace("topology.kind", "switch");
            return rowNames(pairRows(draftBeside(operation, more), 8)).back();
        };
        QCOMPARE(last("all-gather", {{"topology.kind", "ring"}}), std::string("dma + reserved 8"));
        QCOMPARE(last("all-to-all", {}), std::string("dma + reserved 8"));  // has no sums, and no copies of one packet
        QCOMPARE(last("gemm", {}), std::string("round-robin"));
        // The own reduce-scatter would go through the switch as well, so that the row would compare other work.
        QCOMPARE(last("all-gather", {{"workload.sublayer", "fc-2"}}), std::string("dma + reserved 8"));
    }

    void aCompanionInTheSwitchHasNoCopies() {
        const ExperimentDraft draft =
            draftBeside("all-gather", {{"topology.kind", "switch"}, {"collective.algorithm", "in-switch"}});
        QCOMPARE(rowNames(pairRows(draft, 8)), (RowNames{"in-order", "companion-first", "round-robin", "reserved 8"}));
        QCOMPARE(saidOf(check({draft, 8})), std::string());
    }

    void theRowInTheSwitchIsHeldAgainstTheAlgorithmThatIsAskedFor() {
        tests::FormulaMachine machine;
        machine.inSwitch = 100;
        const Pair pair = pairByFormula(machine, {draftBeside("all-gather", {{"topology.kind", "switch"}}), 8});
        QCOMPARE(pair.rows.back().result.companion->serial->ps, 1300);
        QCOMPARE(pair.companionAlone().ps, 600);
        QCOMPARE(pair.serial().ps, 1800);
        QCOMPARE(pair.speedupOf(pair.rows.back()), 1.0);
    }

    void besideDmaNoMoreCusAreKeptFreeThanThereAre() {
        const auto names = [](std::int64_t cus) {
            return rowNames(pairRows(draftBeside("all-gather", {{"cu.count", cus}}), 4));
        };
        QCOMPARE(names(9).back(), std::string("dma + reserved 8"));
        QCOMPARE(names(8).back(), std::string("dma"));
    }

    void theRowReservedHasTheCusOfTheAdvice() {
        tests::FormulaMachine machine;
        const Pair pair = pairByFormula(machine, {draftBeside("all-gather"), std::nullopt});
        QVERIFY(pair.advice);
        QCOMPARE(pair.advice->reserved(), 8);
        QCOMPARE(pair.rows[3].how.name, std::string("reserved 8"));
        QCOMPARE(pair.rows[3].experiment.companion.workgroups, 8);
    }

    void whoSaysHowManyIsNotAdvised() {
        tests::FormulaMachine machine;
        const Pair asked = pairByFormula(machine, {draftBeside("all-gather"), 20});
        QVERIFY(!asked.advice);
        QCOMPARE(asked.rows[3].how.name, std::string("reserved 20"));
        QCOMPARE(machine.asked.size(), 6U);
        const ExperimentDraft set = draftBeside("all-gather", {{"dispatch.reserved", std::int64_t{12}}});
        QCOMPARE(pairByFormula(machine, {set, std::nullopt}).rows[3].how.name, std::string("reserved 12"));
    }

    void serialIsTheSumOfBothAlone() {
        tests::FormulaMachine machine;
        const Pair pair = pairByFormula(machine, {draftBeside("all-gather"), 8});
        QCOMPARE(pair.ownAlone().ps, 1200);
        QCOMPARE(pair.companionAlone().ps, 600);
        QCOMPARE(pair.serial().ps, 1800);
        QCOMPARE(pair.idealSpeedup(), 1.5);
    }

    void copiesFreeTheCusThatTheKernelHolds() {
        tests::FormulaMachine machine;
        const Pair pair = pairByFormula(machine, {draftBeside("all-gather"), 8});
        const auto freed = pair.freedByCopies();
        QVERIFY(freed.has_value());
        const auto row =
            std::ranges::find(pair.rows, "companion-first", [](const PairRow& each) { return each.how.name; });
        QVERIFY(row != pair.rows.end());
        QCOMPARE(freed->cus, row->experiment.companion.workgroups);
        QCOMPARE(freed->share, static_cast<double>(freed->cus * freed->time.ps) /
                                   static_cast<double>(row->experiment.cu.count * row->result.last.time.total.ps));
        // GEMMs beside each other have no rows for DMA.
        QVERIFY(!pairByFormula(machine, {draftBeside("gemm"), {}}).freedByCopies());
    }

    void allRowsAreHeldAgainstTheSameSerialRun() {
        tests::FormulaMachine machine;
        const Pair pair = pairByFormula(machine, {draftBeside("all-gather"), 8});
        const PairRow &inOrder = pair.rows[0], &reserved = pair.rows[3];
        QCOMPARE(inOrder.result.last.time.total.ps, 1800);
        QCOMPARE(pair.speedupOf(inOrder), 1.0);
        QCOMPARE(pair.fractionOfIdeal(inOrder), std::optional(0.0));
        // With 8 workgroups the collective alone takes 1200 ps instead of 600. Nobody would run it so one after the
        // other.
        QCOMPARE(reserved.result.companion->serial->ps, 2400);
        QCOMPARE(reserved.result.last.time.total.ps, 1999);
        QCOMPARE(pair.speedupOf(reserved), 1800.0 / 1999.0);
        QVERIFY(*pair.fractionOfIdeal(reserved) < 0);  // slower than one after the other; the fraction is not clamped
    }

    void theFastestCollectiveIsWhatOneWouldRunOtherwise() {
        const auto hasWord = [](const Pair& pair) {
            return std::any_of(pair.notices.begin(), pair.notices.end(),
                               [](const engine::Notice& notice) { return notice.path == "companion.workgroups"; });
        };
        tests::FormulaMachine machine;
        const Pair wide = pairByFormula(machine, {draftBeside("all-gather"), 32});
        QCOMPARE(wide.companionAlone().ps, 300);  // with the 32 workgroups of the row reserved, 600 with 16
        QCOMPARE(wide.serial().ps, 1500);
        QCOMPARE(wide.idealSpeedup(), 1.25);
        QVERIFY(wide.speedupOf(wide.rows[0]) < 1);
        QVERIFY(hasWord(wide));
        QVERIFY(!hasWord(pairByFormula(machine, {draftBeside("all-gather"), 16})));
        QVERIFY(!hasWord(pairByFormula(machine, {draftBeside("all-gather"), 8})));
        QVERIFY(!hasWord(pairByFormula(machine, {draftBeside("gemm"), std::nullopt})));
    }

    void rowsHaveTheirTimesAlone() {
        tests::FormulaMachine machine;
        pairByFormula(machine, {draftBeside("all-gather"), 20});
        QVERIFY(std::all_of(machine.withBaselines.begin(), machine.withBaselines.end(), [](bool has) { return has; }));
    }

    void aNoticeThatManyRowsHaveIsSaidOnce() {
        tests::FormulaMachine machine;
        const engine::Notices notices = pairByFormula(machine, {draftBeside("all-gather"), 20}).notices;
        QCOMPARE(std::count(notices.begin(), notices.end(), engine::Notice{"companion.operation", "by formula"}), 1);
    }

    void everythingThatIsWrongIsSaidBeforeAnythingRuns() {
        tests::FormulaMachine machine;
        const PairQuestion none{draftBeside("none"), std::nullopt};
        QVERIFY(saidOf(check(none))
                    .starts_with("companion.operation: none: nothing runs beside the experiment; allowed: "));
        const PairQuestion bad{
            draftBeside("all-gather", {{"cu.count", std::int64_t{0}}, {"parallel.tp", std::int64_t{0}}}), std::nullopt};
        const std::string said = saidOf(check(bad));
        QVERIFY(said.find("cu.count: 0") != std::string::npos && said.find("parallel.tp: 0") != std::string::npos);
        const PairQuestion formula{draftBeside("all-gather", {{"policy.preset", "ideal-overlap"}}), std::nullopt};
        QVERIFY(saidOf(check(formula)).find("policy.preset: ideal-overlap: a formula") != std::string::npos);
        for (const PairQuestion& question : {none, bad, formula})
            QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, pairByFormula(machine, question));
        QCOMPARE(machine.asked.size(), 0U);
    }

    void someCusAndNotAllCanBeReserved() {
        const auto said = [](std::int64_t reserved, const char* companion = "all-gather") {
            return saidOf(check({draftBeside(companion, {{"companion.workgroups", std::int64_t{4}}}), reserved}));
        };
        QCOMPARE(said(1), std::string());
        QCOMPARE(said(79), std::string());
        QVERIFY(said(0).find("reserved: 0: ") == 0 && said(0).find("1 to 79 of the 80 CUs") != std::string::npos);
        QVERIFY(said(80).find("1 to 79 of the 80 CUs") != std::string::npos);
        QVERIFY(said(8, "gemm").find("reserved: 8: CUs can be reserved only for a collective beside a GEMM") == 0);
    }

    void aRowThatCannotGoOnNamesItself() {
        tests::FormulaMachine machine;
        machine.failing = "round-robin";
        try {
            pairByFormula(machine, {draftBeside("all-gather"), 20});
            QFAIL("no failure");
        } catch (const engine::Deadlock& failure) {
            QCOMPARE(std::string(failure.what()), std::string("round-robin: nobody can go on"));
        }
        machine.stops = true;
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped, pairByFormula(machine, {draftBeside("all-gather"), 20}));
    }

    void progressRisesOverTheAdviceAndTheRows() {
        tests::FormulaMachine machine;
        std::vector<double> reported;
        pairByFormula(machine, {draftBeside("all-gather"), std::nullopt},
                      [&](double done) { reported.push_back(done); });
        QVERIFY(reported.size() > 4 && std::is_sorted(reported.begin(), reported.end()));
        QVERIFY(reported.front() > 0 && reported.front() < 0.5);
        QVERIFY(std::abs(reported.back() - 1) < 1e-9);
    }
};

RINGSIDE_TEST(TestPair)
#include "tst_pair.moc"
