#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_view.h"
#include "ui/editors/parameter_field.h"
#include "ui/figure/figure_view.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/lessons/lesson_state.h"
#include "ui/ringside_window.h"
#include "ui/shared/sweep_session.h"
#include "ui/shared/sweep_state.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>

#include <memory>

// Plays the first minute of a new user, with the mouse, in one window. The comments give the second.

using ui::RingsideWindow;

class TestFirstMinute : public QObject {
    Q_OBJECT

    std::unique_ptr<RingsideWindow> m_window;

    QWidget& named(const char* name) {
        auto* widget = m_window->findChild<QWidget*>(QString::fromLatin1(name));
        if (widget == nullptr)
            qFatal("the window has no widget %s", name);
        return *widget;
    }
    void take(const char* step) {
        QTest::mouseClick(m_window->findChild<QToolButton*>(QStringLiteral("welcome:") + QLatin1String(step)),
                          Qt::LeftButton);
    }
    bool isTicked(const char* step) {
        return m_window->findChild<QToolButton*>(QStringLiteral("welcome:") + QLatin1String(step))
            ->accessibleName()
            .endsWith(QStringLiteral("done"));
    }

private Q_SLOTS:
    void initTestCase() {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.runsWhileEditing.reset();
        config.welcomes = true;
        m_window = tests::openWindow(std::move(config), {1600, 900});
        QApplication::processEvents();
    }
    void cleanupTestCase() { m_window.reset(); }

    // 0 s
    void theWindowOpensWithAFinishedRunAndACardWhoseStepsAllFit() {
        QVERIFY(m_window->runs().shown() != nullptr);
        const QWidget& card = named("welcome");
        for (const char* step : {"play", "tune", "compare", "sweep", "export", "lesson", "open"}) {
            const QWidget& button = named((std::string("welcome:") + step).c_str());
            QVERIFY2(button.isVisible(), step);
            QVERIFY2(card.rect().contains(QRect(button.mapTo(&card, QPoint()), button.size())), step);
        }
    }

    // 5 s
    void playingMovesTheCursorAndTheCaptionNarrates() {
        take("play");
        QTRY_VERIFY(m_window->viewState().cursor().value_or(0) > 0);
        QTRY_VERIFY(named("caption").findChild<QLabel*>()->text().contains(QStringLiteral("GPU")));
        QVERIFY(isTicked("play"));
    }

    // 15 s
    void draggingTheBandwidthKeepsTheOutlineAndShowsTheDifference() {
        take("tune");
        auto* field = m_window->findChild<ui::ParameterField*>(QStringLiteral("field:link.bandwidth"));
        auto* slider = field->findChild<QSlider*>();
        const auto before = m_window->runs().shown();
        slider->setSliderDown(true);
        slider->setValue(slider->value() - slider->maximum() / 5);
        QTRY_VERIFY(m_window->runs().shown() != before);
        slider->setSliderDown(false);
        QCOMPARE(m_window->runs().pinned(), before);
        QTRY_VERIFY(!m_window->runs().shown()->preview);
        QVERIFY(m_window->runs().shown()->run.result.last.time.total > before->run.result.last.time.total);
        QVERIFY(isTicked("tune"));
    }

    // 25 s
    void theExposedPartShowsItsCauseChain() {
        auto* timeline = m_window->findChild<ui::TimelineView*>();
        const engine::Trace& trace = m_window->runs().shown()->index->trace();
        const std::int64_t middle = (trace.allGatherStart.ps + trace.allGatherEnd.ps) / 2;
        const QPoint at(static_cast<int>(timeline->geometry().xOf(middle)), timeline->fontMetrics().height() * 2);
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, Qt::NoModifier, at);
        QVERIFY(m_window->viewState().selectedSpan().has_value());
        auto* inspector = m_window->findChild<ui::InspectorPanel*>();
        const auto reported = [inspector] { return inspector->toPlainText().replace(QChar(0xa0), u' '); };
        QTRY_VERIFY(reported().contains(QStringLiteral("Waits for")));
        QVERIFY(reported().contains(QStringLiteral("link 1→0; busy with chunk")));
    }

    // 35 s
    void theBaselineIsComparedWithIt() {
        take("compare");
        QCOMPARE(m_window->workbench().views().current(), QStringLiteral("compare"));
        QTRY_VERIFY(isTicked("compare"));
    }

    // 45 s
    void sixtyCellsFillAndOneOpensItsTimeline() {
        take("sweep");
        QCOMPARE(m_window->workbench().views().current(), QStringLiteral("sweep"));
        const auto done = [this] {
            const auto& table = m_window->sweepState().table();
            return table && table->rows.size() == 60 && !m_window->sweepSession().isRunning() &&
                   std::all_of(table->rows.begin(), table->rows.end(),
                               [](const data::SweepRow& row) { return row.state == data::PointState::done; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(done(), 20'000);
        QTRY_VERIFY(isTicked("sweep"));
        auto* chart = m_window->findChild<ui::ChartView*>();
        QVERIFY(chart->settings().kind == ui::ChartKind::heatMap);
        QTest::mouseDClick(&chart->canvas(), Qt::LeftButton, Qt::NoModifier, chart->canvas().rect().center());
        QTRY_COMPARE(m_window->workbench().views().current(), QStringLiteral("explore"));
        QTRY_VERIFY(m_window->runs().shown()->run.experiment.workload.sublayer == engine::SubLayer::op);
    }

    // 55 s
    void theFigureIsThereAtTheSizeOfAColumnWithWhatACheckerSays() {
        take("export");
        QTRY_COMPARE(m_window->workbench().views().current(), QStringLiteral("figure"));
        QTRY_VERIFY(isTicked("export"));
    }

    void theFirstLessonBeginsAndGivesTheExperimentBack() {
        const data::ExperimentDraft before = m_window->experiment().draft();
        take("lesson");
        QTRY_VERIFY(m_window->lessons().state().isOpen());
        QVERIFY(named("lessonDock").isVisible());
        QVERIFY(isTicked("lesson"));
        QVERIFY(!named("welcome").isVisible());  // now the lesson describes the next step
        m_window->lessons().state().close();
        QVERIFY(named("welcome").isVisible());
        QVERIFY(m_window->experiment().draft() == before);
    }
};

RINGSIDE_WINDOW_TEST(TestFirstMinute)
#include "tst_first_minute.moc"
