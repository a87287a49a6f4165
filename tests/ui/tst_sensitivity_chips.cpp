#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "engine/api/runner.h"
#include "ui/why/sensitivity_chips.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QVBoxLayout>

#include <atomic>
#include <chrono>
#include <thread>

using data::Sensitivity;
using data::SensitivityReport;
using ui::SensitivityChips;
using ui::SensitivitySession;
using Asked = SensitivitySession::Asked;

namespace {

Sensitivity of(const char* path, double effect, double noise = 0, double change = 0.1) {
    return {path, engine::Cause::link, "150 GB/s", "165 GB/s", change, effect, noise};
}

Sensitivity otherChoice(const char* path, const char* before, const char* after, double effect) {
    Sensitivity found{path, engine::Cause::link, before, after, 0, effect, 0};
    found.isChoice = true;
    return found;
}

SensitivityReport report() {
    SensitivityReport found;
    found.parameters = {of("link.bandwidth", -0.041, 0.006), of("link.latency", -0.02),  of("memory.bandwidth", -0.01),
                        of("dma.engines", -0.005),           of("tracker.ways", -0.003), of("memory.latency", -0.002),
                        of("gemm.kDepth", 0.0001, 0.003),    of("gemm.epilogue", 0.02)};
    found.runs = 41;
    found.seeds = 5;
    found.spread = 0.023;
    return found;
}

/// Runs until it is stopped, as a long computation would.
SensitivityReport endlessSensitivity(const engine::Experiment&, const data::SensitivityOptions& options) {
    options.progress(0.25);
    while (!options.stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw engine::RunStopped();
}

std::shared_ptr<const data::ShownRun> previewOf(const std::shared_ptr<const data::ShownRun>& run) {
    auto preview = std::make_shared<data::ShownRun>(*run);
    preview->preview = true;
    return preview;
}

}  // namespace

class TestSensitivityChips : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReportArrivesOnceAndIsRemembered() {
        std::atomic<int> runs = 0;
        SensitivitySession session({.threads = 1, .find = [&](const auto&, const auto&) {
                                        ++runs;
                                        return report();
                                    }});
        QSignalSpy found(&session, &SensitivitySession::found);
        session.start({}, Asked::yes);
        QVERIFY(session.isRunning());
        QVERIFY(found.wait());
        QVERIFY(!session.isRunning());
        session.start({}, Asked::yes);
        QCOMPARE(found.size(), 2);  // at once
        QCOMPARE(runs.load(), 1);
        engine::Experiment other;
        other.seed = 99;
        session.start(other, Asked::yes);
        QVERIFY(found.wait());
        QCOMPARE(runs.load(), 2);
    }

    void cancellingAnswersAtOnceAndNothingComesAfterIt() {
        SensitivitySession session({.threads = 1, .find = endlessSensitivity});
        QSignalSpy found(&session, &SensitivitySession::found);
        QSignalSpy failed(&session, &SensitivitySession::failed);
        QSignalSpy progress(&session, &SensitivitySession::progressChanged);
        session.start({}, Asked::yes);
        QVERIFY(progress.wait());
        QCOMPARE(progress.last().first().toDouble(), 0.25);
        QTRY_VERIFY(progress.last().at(1).toInt() >= 0);
        session.cancel();
        QVERIFY(!session.isRunning());
        QTest::qWait(50);
        QCOMPARE(found.size() + failed.size(), 0);
    }

    void closingWhileItRunsStopsAndJoins() {
        auto session = std::make_unique<SensitivitySession>(
            ui::SensitivitySessionConfig{.threads = 1, .find = endlessSensitivity});
        QSignalSpy progress(session.get(), &SensitivitySession::progressChanged);
        session->start({}, Asked::yes);
        QVERIFY(progress.wait());
        session.reset();
    }

    void whatCannotBeRunIsSaid() {
        SensitivitySession session({.threads = 1, .find = [](const auto&, const auto&) -> SensitivityReport {
                                        throw engine::Deadlock("the tracker has no ways");
                                    }});
        QSignalSpy failed(&session, &SensitivitySession::failed);
        session.start({}, Asked::yes);
        QVERIFY(failed.wait());
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("ways")));
    }

    void chipsSayWhatIsChangedWhatItDoesAndHowSureThatIs() {
        QCOMPARE(ui::changeText(of("link.bandwidth", -0.041)),
                 QStringLiteral("+10\u00a0% link bandwidth per direction"));
        QCOMPARE(ui::changeText(of("link.latency", 0, 0, -0.1)).left(6), QStringLiteral("−10\u00a0% "));
        QCOMPARE(ui::effectText(-0.041), QStringLiteral("−4.1\u00a0%"));
        QCOMPARE(ui::effectText(0.0004), QStringLiteral("+0.04\u00a0%"));
        QCOMPARE(ui::effectText(0), QStringLiteral("no effect"));
        QCOMPARE(ui::noiseText(of("link.bandwidth", -0.04, 0.006)), QStringLiteral("±0.6\u00a0%"));
        QVERIFY(ui::noiseText(of("link.bandwidth", -0.04, 0.0001)).isEmpty());
        QVERIFY(!data::isWithinNoise(of("link.bandwidth", -0.04, 0.006)));
        QVERIFY(data::isWithinNoise(of("link.bandwidth", -0.01, 0.006)));
        const Sensitivity direct = otherChoice("collective.algorithm", "ring", "direct", -0.4);
        QCOMPARE(ui::changeText(direct), QStringLiteral("algorithm direct, not ring"));
        QVERIFY(!ui::sensitivityText(direct).contains(QStringLiteral("% ")));
        QCOMPARE(ui::reportText(report()),
                 QStringLiteral("41 runs, mean of 5 seeds; the total itself varies by 2.3\u00a0% between seeds."));
        SensitivityReport plain;
        plain.runs = 9;
        QCOMPARE(ui::reportText(plain), QStringLiteral("9 runs, one seed."));
    }

    void chipsComeInTheBackgroundOnceTheRunHasSettled() {
        SensitivityChips chips({.threads = 1, .find = [](const auto&, const auto&) { return report(); }});
        QSignalSpy chosen(&chips, &SensitivityChips::parameterChosen);
        chips.show();
        chips.showRun(tests::sampleRun());
        QVERIFY(chips.chips().empty());
        QTRY_COMPARE(chips.chips().size(), 6u);
        QVERIFY(chips.note().contains(QStringLiteral("41 runs")));
        const auto all = chips.chips();
        QCOMPARE(std::count_if(all.begin(), all.end(), [](const auto* chip) { return chip->isVisible(); }), 5);
        const_cast<ui::SensitivityChip*>(chips.chips().front())->click();
        QCOMPARE(chosen.first().first().toString(), QStringLiteral("link.bandwidth"));
        QVERIFY(chips.chips().front()->accessibleName().contains(QStringLiteral("±0.6")));
        chips.grab();
    }

    void onlyWhatHelpsIsListedAndOfEachParameterItsBestChoice() {
        SensitivityReport found;
        found.parameters = {otherChoice("collective.algorithm", "ring", "direct", -0.4),
                            otherChoice("collective.algorithm", "ring", "hierarchical", -0.2),
                            of("link.bandwidth", -0.041, 0.006),
                            of("link.latency", -0.01, 0.006),  // as good as zero
                            of("llc.latency", -0.0001),        // too small to be shown
                            of("dma.engines", 0),
                            of("memory.queue", 0.05)};
        const std::vector<Sensitivity> helpful = ui::whatHelps(found);
        QCOMPARE(helpful.size(), 2u);
        QCOMPARE(helpful.front().after, std::string("direct"));
        QCOMPARE(helpful.back().path, std::string("link.bandwidth"));
    }

    void whereNothingHelpsThatIsSaid() {
        SensitivityChips chips({.threads = 1, .find = [](const auto&, const auto&) {
                                    SensitivityReport found;
                                    found.parameters = {of("memory.queue", 0.05)};
                                    return found;
                                }});
        chips.show();
        chips.showRun(tests::sampleRun());
        QTRY_VERIFY(chips.note().contains(QStringLiteral("No single change")));
        QVERIFY(chips.chips().empty());
    }

    void aLongComputationStartsOnlyOnRequest() {
        std::atomic<int> runs = 0;
        SensitivityChips chips({.threads = 1,
                                .find =
                                    [&](const auto&, const auto&) {
                                        ++runs;
                                        return report();
                                    },
                                .look =
                                    [](const auto&, const auto&) {
                                        return data::SensitivityOutlook{200, std::chrono::seconds(12)};
                                    }});
        chips.show();
        chips.showRun(tests::sampleRun());
        QTRY_VERIFY(chips.findButton()->isVisible());
        QVERIFY(chips.note().contains(QStringLiteral("12 s")));
        QVERIFY(!chips.session().isRunning());
        QCOMPARE(runs.load(), 0);
        const_cast<QPushButton*>(chips.findButton())->click();
        QTRY_VERIFY(!chips.chips().empty());
        QVERIFY(!chips.findButton()->isVisible());
        QCOMPARE(runs.load(), 1);
    }

    void whatTakesTwoSecondsAtMostBeginsByItself() {
        SensitivityChips chips({.threads = 1,
                                .find = [](const auto&, const auto&) { return report(); },
                                .look =
                                    [](const auto&, const auto&) {
                                        return data::SensitivityOutlook{200, std::chrono::seconds(2)};
                                    }});
        chips.show();
        chips.showRun(tests::sampleRun());
        QTRY_VERIFY(!chips.chips().empty());
    }

    void anEstimateThatWasTooLowEndsTheWorkAllTheSame() {
        SensitivityChips chips({.threads = 1, .find = endlessSensitivity, .unasked = std::chrono::milliseconds(100)});
        chips.show();
        chips.showRun(tests::sampleRun());
        QTRY_VERIFY(chips.findButton()->isVisible());
        QVERIFY(!chips.session().isRunning());
        const_cast<QPushButton*>(chips.findButton())->click();
        QTest::qWait(300);
        QVERIFY(chips.session().isRunning());  // the user has requested it, so it may take long
        const_cast<QToolButton*>(chips.stopButton())->click();
        QVERIFY(!chips.session().isRunning());
        QVERIFY(chips.findButton()->isVisible());
    }

    void theListOfAnExperimentGoesWithIt() {
        SensitivityChips chips({.threads = 1, .find = [](const auto&, const auto&) { return report(); }});
        chips.show();
        chips.showRun(tests::sampleRun());
        QTRY_VERIFY(!chips.chips().empty());
        chips.showRun(tests::sampleRun());  // the same run again
        QVERIFY(!chips.chips().empty());
        auto other = std::make_shared<data::ShownRun>(*tests::sampleRun());
        other->run.experiment.seed += 1;
        chips.showRun(previewOf(other));
        QVERIFY(chips.chips().empty());
        chips.showRun(other);
        QVERIFY(chips.chips().empty());
        QTRY_VERIFY(!chips.chips().empty());
        chips.stop();  // as an edit does
        QVERIFY(chips.chips().empty());
    }

    void aNarrowChipShowsItsNumberOnASeparateLine() {
        const ui::SensitivityChip chip(of("link.bandwidth", -0.041, 0.006), 0.041, nullptr);
        const int wide = chip.sizeHint().width();
        QVERIFY(chip.heightForWidth(wide / 2) > chip.heightForWidth(wide));
        QCOMPARE(chip.heightForWidth(wide), chip.sizeHint().height());
        // The layout also gives the chips their height.
        QWidget panel;
        SensitivityChips narrow({.threads = 1, .find = [](const auto&, const auto&) { return report(); }}, &panel);
        QVBoxLayout column(&panel);
        column.addWidget(&narrow);
        column.addStretch();
        panel.setFixedSize(wide * 3 / 4, 600);
        panel.show();
        narrow.showRun(tests::sampleRun());
        QTRY_VERIFY(!narrow.chips().empty());
        const ui::SensitivityChip* first = narrow.chips().front();
        QTRY_COMPARE(first->height(), first->heightForWidth(first->width()));
        QVERIFY(first->height() > first->sizeHint().height());
    }

    void nothingRunsForAPreviewForABoundOrWhileHidden() {
        std::atomic<int> runs = 0;
        SensitivityChips chips({.threads = 1, .find = [&](const auto&, const auto&) {
                                    ++runs;
                                    return report();
                                }});
        chips.showRun(tests::sampleRun());
        QTest::qWait(450);
        QCOMPARE(runs.load(), 0);
        chips.show();
        chips.showRun(previewOf(tests::sampleRun()));
        QTest::qWait(450);
        chips.showRun(tests::sampleBound());
        QTest::qWait(450);
        QCOMPARE(runs.load(), 0);
        QVERIFY(chips.note().contains(QStringLiteral("T3-MCA")));
    }

    void anEditOrHidingStopsItAtOnceAndShowingBeginsAnew() {
        SensitivityChips chips({.threads = 1, .find = endlessSensitivity});
        chips.show();
        chips.showRun(tests::sampleRun());
        QTRY_VERIFY(chips.session().isRunning());
        chips.stop();
        QVERIFY(!chips.session().isRunning());
        chips.showRun(tests::sampleRun());
        QTRY_VERIFY(chips.session().isRunning());
        QTRY_VERIFY(chips.note().contains(QStringLiteral("s left")));
        chips.hide();
        QVERIFY(!chips.session().isRunning());
        chips.show();
        QTRY_VERIFY(chips.session().isRunning());
    }
};

RINGSIDE_WINDOW_TEST(TestSensitivityChips)
#include "tst_sensitivity_chips.moc"
