#include "tests/small_model.h"
#include "tests/ui/window_test.h"

#include "data/model/model_memory.h"
#include "ui/look/value_table.h"
#include "ui/model/model_view.h"
#include "ui/model/step_canvas.h"
#include "ui/model/step_facts.h"
#include "ui/model/step_page.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>
#include <atomic>
#include <map>
#include <semaphore>
#include <set>

using engine::ModelPhase;
using ui::ModelView;
using ui::StepCanvas;
using ui::StepPage;

namespace {

engine::Experiment pipelineOf(std::int64_t stages, std::int64_t microbatches) {
    engine::Experiment experiment = tests::smallModel();
    experiment.workload.layers = 8;
    experiment.division.pp = stages;
    experiment.division.microbatches = microbatches;
    return experiment;
}

/// Returns a model whose gradients travel beside its last backward pass.
engine::Experiment replicated() {
    engine::Experiment experiment = pipelineOf(1, 1);
    experiment.division.dp = 4;
    experiment.division.bucket = 1'000'000;
    experiment.node.gpus = 4;
    return experiment;
}

/// Simulates each model once.
data::ModelRun stepRun(const engine::Experiment& experiment, const data::ModelRunOptions& options) {
    static const auto kMemory = std::make_shared<data::ModelMemory>();
    data::ModelRunOptions remembered = options;
    remembered.memory = kMemory;
    return data::modelRun(experiment, remembered);
}

struct StepBench {
    explicit StepBench(const engine::Experiment& experiment = pipelineOf(4, 8), QSize size = {1280, 800}) {
        view.resize(size);
        view.showPage(QStringLiteral("step"));
        view.setExperiment(experiment, {});
        view.show();
        if (answered.isEmpty())
            answered.wait();
        QApplication::processEvents();
    }
    StepPage& page() { return view.step(); }
    StepCanvas& canvas() { return page().canvas(); }
    QString headline() { return page().findChild<QLabel*>(QStringLiteral("stepHeadline"))->text(); }
    QComboBox& chooser(const char* name) { return *page().findChild<QComboBox*>(QString::fromLatin1(name)); }
    void key(int key) { QTest::keyClick(&canvas(), static_cast<Qt::Key>(key)); }
    const ui::ShownPass& chosenPass() {
        return canvas().rows()[canvas().chosen()->row].passes[canvas().chosen()->pass];
    }
    const engine::PipelineStep& chosenStep() {
        return canvas().steps().front().step->plan.passes[chosenPass().pass].step;
    }

    ModelView view{ui::ModelSessionConfig{.run = stepRun}};
    QSignalSpy answered{&view, &ModelView::modelShown};
};

}  // namespace

class TestStepPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStageHasARowWithAllItsPasses() {
        StepBench bench;
        QCOMPARE(bench.canvas().rows().size(), std::size_t{4});
        for (const ui::StageRow& row : bench.canvas().rows())
            QCOMPARE(row.passes.size(), std::size_t{16});
        QCOMPARE(bench.page().table().rows().size(), std::size_t{4});
        const data::ModelStep& step = *bench.canvas().steps().front().step;
        QVERIFY(bench.headline().contains(ui::stepHeadline(step)));
        QVERIFY(bench.headline().contains(QStringLiteral("4 stages, 8 micro-batches, 1F1B")));
    }

    void arrowKeysStayInTheStageAndFollowTheMicroBatch() {
        StepBench bench;
        bench.key(Qt::Key_Right);
        QCOMPARE(bench.canvas().chosen()->row, std::size_t{0});
        const engine::PipelineStep first = bench.chosenStep();
        bench.key(Qt::Key_Down);
        QCOMPARE(bench.canvas().chosen()->row, std::size_t{1});
        QVERIFY(bench.chosenStep() == first);
        bench.key(Qt::Key_Right);
        QCOMPARE(bench.canvas().chosen()->row, std::size_t{1});
        QVERIFY(!(bench.chosenStep() == first));
        bench.key(Qt::Key_Up);
        QCOMPARE(bench.canvas().chosen()->row, std::size_t{0});
        bench.key(Qt::Key_Up);
        QCOMPARE(bench.canvas().chosen()->row, std::size_t{0});
    }

    void returnZoomsToAPassAndThenToALayerAndEscapeGoesBackUp() {
        StepBench bench;
        const data::TimeRange whole = bench.canvas().range();
        bench.key(Qt::Key_Right);
        bench.key(Qt::Key_Return);
        const data::TimeRange pass = bench.canvas().range();
        QVERIFY(pass.span() < whole.span());
        QVERIFY(pass.start <= bench.chosenPass().begin && pass.end >= bench.chosenPass().end);
        bench.key(Qt::Key_Return);
        QVERIFY(bench.canvas().chosen()->section.has_value());
        QVERIFY(bench.canvas().range().span() < pass.span());
        QVERIFY(bench.view.stepOut());
        QVERIFY(!bench.canvas().chosen()->section);
        QVERIFY(bench.canvas().range() == pass);
        QVERIFY(bench.view.stepOut());
        QVERIFY(bench.canvas().range() == whole);
        QVERIFY(bench.view.stepOut());
        QVERIFY(!bench.canvas().chosen());
        QVERIFY(!bench.view.stepOut());
    }

    void aClickChoosesThePassUnderThePointerAndTheTableFollows() {
        StepBench bench;
        bench.key(Qt::Key_Right);
        const ui::StepChoice choice = *bench.canvas().chosen();
        bench.canvas().choose(std::nullopt);
        // The begin of the first pass of stage 0, near the left end of the picture. QTest takes (0, 0) for the middle.
        QPoint at;
        for (int x = 0; x < bench.canvas().width() && !bench.canvas().chosen(); ++x) {
            for (int y = 1; y < bench.canvas().height() / 2 && !bench.canvas().chosen(); y += 8)
                QTest::mouseClick(&bench.canvas(), Qt::LeftButton, {}, at = {x, y});
        }
        QVERIFY(bench.canvas().chosen() && bench.canvas().chosen()->row == choice.row);
        bench.page().table().choose(2);
        QCOMPARE(bench.canvas().chosen()->row, std::size_t{2});
    }

    void aColumnHasTheMixOfPassesAroundItAndALongBubbleStays() {
        const ui::StepShares forward{1, 0, 0, 0, 0}, backward{0, 0.5, 0, 0.5, 0}, bubble{0, 0, 0, 0, 1};
        const ui::StepShares half{0.5, 0, 0, 0, 0.5}, less{0.75, 0, 0, 0, 0.25};
        const auto mixed = ui::withMixAround({forward, backward, bubble, half, less, forward}, 1);
        QCOMPARE(mixed.size(), std::size_t{6});
        QCOMPARE(mixed[0].forward, 0.5);
        QCOMPARE(mixed[0].backward, 0.25);
        QCOMPARE(mixed[0].tensor, 0.25);
        QCOMPARE(mixed[2].forward, 0.0);
        QCOMPARE(mixed[2].bubble, 1.0);
        QCOMPARE(mixed[3].forward, 0.5);
        QCOMPARE(mixed[3].bubble, 0.5);
        QCOMPARE(mixed[4].forward, 0.875);
        QCOMPARE(mixed[4].bubble, 0.125);
        // Without neighbours a column is as it was.
        QCOMPARE(ui::withMixAround({backward, forward}, 0)[0].backward, 0.5);
        QVERIFY(ui::withMixAround({}, 3).empty());
    }

    void theCurveOfHeldBytesReachesTheFootprintOfItsStage() {
        for (const auto schedule : {engine::PipelineSchedule::oneForwardOneBackward,
                                    engine::PipelineSchedule::allForward, engine::PipelineSchedule::zeroBubbleH1}) {
            engine::Experiment experiment = pipelineOf(4, 8);
            experiment.division.schedule = schedule;
            StepBench bench(experiment);
            const data::ModelStep& step = *bench.canvas().steps().front().step;
            for (const ui::StageRow& row : bench.canvas().rows()) {
                double most = 0;
                for (const ui::HeldBytes& held : ui::heldOverTime(step, row))
                    most = std::max(most, held.bytes);
                const auto total =
                    static_cast<double>(step.stages[static_cast<std::size_t>(row.stage)].footprint.bytes.total().count);
                // Each chunk's bytes are rounded up.
                QVERIFY(std::abs(most - total) <= 16);
            }
        }
    }

    void allSchedulesStandOneAboveTheOtherOnOneTimeAxis() {
        StepBench bench;
        bench.chooser("stepSchedule").setCurrentIndex(bench.chooser("stepSchedule").count() - 1);
        // 8 micro-batches leave out the two delayed schedules.
        QCOMPARE(bench.canvas().steps().size(), std::size_t{4});
        std::set<QString> titles;
        for (const ui::ShownStep& shown : bench.canvas().steps())
            titles.insert(shown.title);
        QCOMPARE(titles.size(), std::size_t{4});
        QCOMPARE(bench.canvas().rows().size(), std::size_t{16});
        QVERIFY(bench.headline().contains(QStringLiteral("4 schedules")));
    }

    void aScheduleThatTheExperimentDoesNotAllowIsRefusedInWords() {
        StepBench bench;
        bench.chooser("stepSchedule").setCurrentIndex(5);  // delayed, with 8 micro-batches
        auto* refused = bench.page().findChild<QLabel*>(QStringLiteral("stepRefused"));
        QVERIFY(refused->isVisible());
        QVERIFY(refused->text().contains(QStringLiteral("division.microbatches")));
        QCOMPARE(bench.canvas().steps().size(), std::size_t{1});
        bench.chooser("stepSchedule").setCurrentIndex(0);
        QVERIFY(!refused->isVisible());
    }

    void aPinnedTimetableIsComparedInTheHeadline() {
        StepBench bench;
        bench.key(Qt::Key_G);
        bench.chooser("stepSchedule").setCurrentIndex(4);  // ZB-H1
        QVERIFY(bench.headline().contains(QStringLiteral("ZB-H1")));
        QVERIFY(bench.headline().contains(QStringLiteral("shorter than pinned")));
        bench.key(Qt::Key_G);
        QVERIFY(!bench.headline().contains(QStringLiteral("pinned")));
    }

    void missingPairsAreShownAtFullRatesWhileTheyAreSimulated() {
        ModelView view{ui::ModelSessionConfig{.threads = 2}};
        QStringList headlines;
        QObject::connect(
            &view.session(), &ui::ModelSession::pairsStarted, &view,
            [&] { headlines << view.step().findChild<QLabel*>(QStringLiteral("stepHeadline"))->text(); },
            Qt::QueuedConnection);
        QSignalSpy answered{&view, &ModelView::modelShown};
        view.showPage(QStringLiteral("step"));
        view.setExperiment(replicated(), {});
        view.show();
        QVERIFY(answered.wait());
        QCOMPARE(answered.size(), qsizetype{1});
        QCOMPARE(headlines.size(), qsizetype{1});
        QVERIFY2(headlines.front().contains(QStringLiteral("; simulating ")), qPrintable(headlines.front()));
        QVERIFY(headlines.front().endsWith(QStringLiteral("of a GEMM and a message, here at full rates")));
        const data::ModelStep& shown = *view.step().canvas().steps().front().step;
        const QString headline = view.step().findChild<QLabel*>(QStringLiteral("stepHeadline"))->text();
        QVERIFY(headline.endsWith(ui::stepHeadline(shown)));
        // The run that simulates everything at once says the same.
        const data::ModelRun run = data::modelRun(replicated(), {.policies = {view.policy()}, .threads = 2});
        QCOMPARE(shown.total.ps, data::stepOf(run, run.policies.front()).total.ps);
        QCOMPARE(data::missingPairs(run.policies.front(), shown), std::size_t{0});
    }

    void cancellingThePairsLeavesFullRatesAndSaysSo() {
        ModelView view{ui::ModelSessionConfig{.threads = 2}};
        QObject::connect(&view.session(), &ui::ModelSession::pairsStarted, &view, [&] { view.session().cancel(); });
        view.showPage(QStringLiteral("step"));
        view.setExperiment(replicated(), {});
        QSignalSpy stopped{&view.session(), &ui::ModelSession::runStopped};
        view.show();
        QVERIFY(stopped.wait());
        const QString headline = view.step().findChild<QLabel*>(QStringLiteral("stepHeadline"))->text();
        QVERIFY2(headline.endsWith(QStringLiteral("at full rates, not simulated")), qPrintable(headline));
        QVERIFY(view.step().isAnswered());
    }

    void aRunThatEndsAfterTheExperimentHasChangedIsNotShown() {
        std::binary_semaphore begun{0}, release{0};
        std::atomic<int> runs = 0;
        ModelView view{ui::ModelSessionConfig{.run = [&](const engine::Experiment& experiment, const auto& options) {
            data::ModelRun run = stepRun(experiment, options);
            if (runs++ == 0) {
                begun.release();
                release.acquire();
            }
            return run;
        }}};
        QSignalSpy answered{&view, &ModelView::modelShown};
        view.showPage(QStringLiteral("step"));
        view.setExperiment(pipelineOf(4, 8), {});
        view.show();
        begun.acquire();
        view.setExperiment(pipelineOf(2, 4), {});
        release.release();
        QVERIFY(answered.wait());
        QCOMPARE(view.shown()->base.division.pp, std::int64_t{2});
    }

    void oneStageOffersAPipelineToTry() {
        StepBench bench(pipelineOf(1, 1));
        auto* button = bench.page().findChild<QPushButton*>(QStringLiteral("stepTry"));
        QVERIFY(button->isVisible());
        QSignalSpy asked(&bench.view, &ModelView::divisionRequested);
        button->click();
        QCOMPARE(asked.size(), qsizetype{1});
        QCOMPARE(asked.front().at(0).toLongLong(), 4LL);
        QCOMPARE(asked.front().at(1).toLongLong(), 8LL);
        QVERIFY(!StepBench(pipelineOf(4, 8)).page().findChild<QPushButton*>(QStringLiteral("stepTry"))->isVisible());
    }

    void theCriticalChainIsShownAndHidden() {
        StepBench bench;
        const QImage before = bench.canvas().grab().toImage();
        bench.key(Qt::Key_Y);
        QVERIFY(bench.canvas().isChainShown());
        QVERIFY(bench.canvas().grab().toImage() != before);
        bench.key(Qt::Key_Y);
        QVERIFY(bench.canvas().grab().toImage() == before);
    }

    void theSmallestAndTheLargestPipelineAreDrawnInAnyWindow() {
        for (const QSize size : {QSize(500, 300), QSize(1280, 800), QSize(2400, 1400)}) {
            for (const auto& [stages, microbatches] : {std::pair{1, 1}, {8, 64}, {8, 1}}) {
                StepBench bench(pipelineOf(stages, microbatches), size);
                QVERIFY(!bench.canvas().grab().isNull());
                bench.key(Qt::Key_Right);
                for (int i = 0; i < 12; ++i)
                    bench.key(Qt::Key_W);
                QVERIFY(!bench.canvas().grab().isNull());
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestStepPage)
#include "tst_step_page.moc"
