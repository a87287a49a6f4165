#include "tests/ui/parameter.h"
#include "tests/ui/window_test.h"

#include "data/sweep/sweep_plan.h"
#include "ui/shared/sweep_model.h"

#include <QSignalSpy>
#include <QUndoStack>

using ui::AxisDraft;
using ui::AxisKind;
using ui::SweepModel;

namespace {

struct SweepModelBench {
    SweepModelBench() { model.setBase(data::openDraft("t-nlg/fc-2/tp8").draft); }
    bool toggle(const char* path) {
        return model.toggleAxis(tests::parameter(path), tests::parameter(path).defaultValue);
    }

    QUndoStack stack;
    SweepModel model{stack};
};

}  // namespace

class TestSweepModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFirstAxisMakesASweepThatCanRunUnderThePolicyOfTheBase() {
        SweepModelBench bench;
        QVERIFY(bench.model.isEmpty() && !bench.model.isRunnable());
        QVERIFY(bench.toggle("link.bandwidth"));
        QVERIFY2(bench.model.isRunnable(), qPrintable(bench.model.problem() + bench.model.problemOf(0)));
        QCOMPARE(bench.model.policies().size(), std::size_t{1});
        QVERIFY(bench.model.varied().contains("link.bandwidth"));
    }

    void aSweepOfWholeModelsKeepsItsSubjectUntilItIsCleared() {
        SweepModelBench bench;
        const data::Sweep sweep = data::readSweep(
                                      R"({ "of": "footprint", "base": { "workload": { "model": "gpt-3" } },
                 "axes": [ { "path": "division.dp", "values": [1, 8] } ] })",
                                      "test")
                                      .sweep;
        bench.model.setBase(sweep.base);
        bench.model.replace(sweep, QStringLiteral("opening"));
        QVERIFY2(bench.model.isRunnable(), qPrintable(bench.model.problem()));
        QVERIFY(bench.model.of() == data::ResultSubject::footprint);
        QVERIFY(bench.model.sweep() == data::readSweep(data::writeSweep(sweep), "again").sweep);
        QVERIFY(bench.toggle("division.pp"));
        QVERIFY(bench.model.of() == data::ResultSubject::footprint);
        bench.model.clear();
        QVERIFY(bench.model.of() == data::ResultSubject::run);
        bench.stack.undo();
        QVERIFY(bench.model.of() == data::ResultSubject::footprint);
    }

    void aPointOfATimedSweepLeavesTheSweepAsItIsWhenItIsOpened() {
        SweepModelBench bench;
        data::Sweep sweep = data::readSweep(
                                R"({ "of": "training", "base": { "workload": { "model": "t-nlg" } }, "policies": ["t3"],
                 "axes": [ { "path": "parallel.tp", "values": [8, 16] } ] })",
                                "test")
                                .sweep;
        bench.model.setSweep(sweep, {});
        bench.model.setBase(data::detailsOf(bench.model.sweep(), 1).draft);
        QVERIFY(bench.model.sweep() == sweep);
    }

    void aProjectedSweepKeepsItsSourceUntilItIsCleared() {
        SweepModelBench bench;
        const data::Sweep sweep = data::readSweep(
                                      R"({ "of": "training", "base": { "workload": { "model": "t-nlg" } },
                 "project_from": { "workload": { "model": "mega-gpt-2" }, "parallel": { "tp": 8 } },
                 "axes": [ { "path": "parallel.tp", "values": [8, 16] } ] })",
                                      "test")
                                      .sweep;
        QVERIFY(sweep.projectFrom.has_value());
        bench.model.setSweep(sweep, {});
        QVERIFY2(bench.model.isRunnable(), qPrintable(bench.model.problem()));
        QVERIFY(bench.model.sweep() == sweep);
        QVERIFY(bench.toggle("link.bandwidth"));
        QVERIFY(bench.model.sweep().projectFrom == sweep.projectFrom);
        bench.model.clear();
        QVERIFY(!bench.model.sweep().projectFrom);
    }

    void pressingAgainTakesTheAxisOffAndOneStepBackBringsItBack() {
        SweepModelBench bench;
        bench.toggle("link.bandwidth");
        bench.toggle("link.bandwidth");
        QVERIFY(bench.model.isEmpty());
        bench.stack.undo();
        QCOMPARE(bench.model.axes().size(), std::size_t{1});
        bench.stack.undo();
        QVERIFY(bench.model.isEmpty());
    }

    void aFifthAxisIsRefusedAndNothingChanges() {
        SweepModelBench bench;
        for (const char* path : {"link.bandwidth", "link.latency", "dma.block_tiles", "parallel.tp"})
            QVERIFY(bench.toggle(path));
        const int steps = bench.stack.count();
        QVERIFY(!bench.toggle("memory.bandwidth"));
        QCOMPARE(bench.model.axes().size(), data::kMostAxes);
        QCOMPARE(bench.stack.count(), steps);
    }

    void typingInOneAxisIsOneStepBack() {
        SweepModelBench bench;
        bench.toggle("dma.block_tiles");
        bench.model.setAxis(0, {AxisKind::list, {{"dma.block_tiles", "1"}}, {}, {}, {}});
        const AxisDraft before = bench.model.axes()[0];
        bench.model.finishEdit();
        for (const char* typed : {"1,", "1, 2", "1, 2, 4"})
            bench.model.setAxis(0, {AxisKind::list, {{"dma.block_tiles", typed}}, {}, {}, {}});
        QCOMPARE(bench.model.countOf(0), std::size_t{3});
        bench.stack.undo();
        QVERIFY(bench.model.axes()[0] == before);
    }

    void anAxisThatCannotBeReadSaysSoAndKeepsTheTextWordForWord() {
        SweepModelBench bench;
        bench.toggle("link.bandwidth");
        bench.model.setAxis(0, {AxisKind::list, {{"link.bandwidth", "75 GB/s, fast"}}, {}, {}, {}});
        QVERIFY(!bench.model.isRunnable());
        QVERIFY(bench.model.problemOf(0).contains(QStringLiteral("fast")));
        QCOMPARE(bench.model.axes()[0].columns[0].values, QStringLiteral("75 GB/s, fast"));
    }

    void withoutAPolicyItCannotRunAndSaysWhy() {
        SweepModelBench bench;
        bench.toggle("link.bandwidth");
        bench.model.setPolicies({});
        QVERIFY(!bench.model.isRunnable());
        QVERIFY(!bench.model.problem().isEmpty());
    }

    void zippingMakesOneAxisOfTwoAndUnzippingTwoOfOne() {
        SweepModelBench bench;
        bench.toggle("parallel.tp");
        bench.toggle("dma.block_tiles");
        bench.model.setAxis(0, {AxisKind::list, {{"parallel.tp", "4, 8"}}, {}, {}, {}});
        bench.model.setAxis(1, {AxisKind::list, {{"dma.block_tiles", "1, 2"}}, {}, {}, {}});
        bench.model.zipWithAbove(1);
        QCOMPARE(bench.model.axes().size(), std::size_t{1});
        QCOMPARE(bench.model.sweep().axes[0].columns.size(), std::size_t{2});
        QCOMPARE(bench.model.countOf(0), std::size_t{2});
        bench.model.unzip(0);
        QCOMPARE(bench.model.axes().size(), std::size_t{2});
        QVERIFY(bench.model.isRunnable());
    }

    void openingAPointOfTheSweepLeavesTheSweepAsItIs() {
        SweepModelBench bench;
        bench.toggle("link.bandwidth");
        const std::string id = data::sweepId(bench.model.sweep());
        data::ExperimentDraft point = bench.model.sweep().base;
        point.explicitValues["link.bandwidth"] = std::int64_t{75'000'000'000};
        point.explicitValues["policy.preset"] = std::string("sequential");
        const QSignalSpy changed(&bench.model, &SweepModel::changed);
        bench.model.setBase(point);
        QCOMPARE(changed.size(), 0);
        QCOMPARE(data::sweepId(bench.model.sweep()), id);
        point.explicitValues["link.latency"] = std::int64_t{725'000};
        bench.model.setBase(point);
        QCOMPARE(changed.size(), 1);
        QVERIFY(data::sweepId(bench.model.sweep()) != id);
    }

    void aSweepThatIsTakenOverIsTheSameSweep() {
        SweepModelBench bench;
        bench.toggle("link.bandwidth");
        bench.toggle("dma.block_tiles");
        const data::Sweep sweep = bench.model.sweep();
        SweepModelBench other;
        other.model.setSweep(sweep, {});
        QVERIFY(other.model.sweep() == sweep);
        QVERIFY(!other.stack.canUndo());
    }
};

RINGSIDE_WINDOW_TEST(TestSweepModel)
#include "tst_sweep_model.moc"
