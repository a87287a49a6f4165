#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "tests/ui/window_test.h"

#include "ui/playback/breakpoint_panel.h"
#include "ui/playback/transport_bar.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/shared/player.h"
#include "ui/shared/view_state.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLayout>
#include <QListWidget>
#include <QPushButton>
#include <QSet>
#include <QSlider>
#include <QToolButton>

using ui::BreakCondition;
using ui::Breakpoint;

namespace {

/// The transport bar with a finished small run of four GPUs.
struct Bar {
    Bar() {
        const engine::Experiment experiment = tests::smallExperiment(engine::PolicyPreset::t3);
        engine::RunOptions options;
        options.baselines = false;
        options.recordTrace = true;
        log = std::make_shared<data::RunLog>(engine::run(experiment, options).trace, experiment);
        view.setRunEnd(log->end().ps);
        player.setRun(log->end().ps);
        player.setLog(log);
        bar.setGpus(4);
        bar.show();
    }
    QAction* action(const char* name) const {
        for (QAction* action : bar.playbackActions())
            if (action->objectName() == QLatin1String(name))
                return action;
        return nullptr;
    }
    QPushButton* button(const char* text) const {
        for (auto* button : panel().findChildren<QPushButton*>())
            if (button->text() == QLatin1String(text))
                return button;
        return nullptr;
    }
    QComboBox* chooser(const char* name) const {
        for (auto* box : bar.findChildren<QComboBox*>())
            if (box->accessibleName() == QLatin1String(name))
                return box;
        return nullptr;
    }
    const ui::BreakpointPanel& panel() const { return *bar.findChild<ui::BreakpointPanel*>(); }
    void choose(BreakCondition condition) const {
        QComboBox* box = chooser("Condition");
        box->setCurrentIndex(box->findData(static_cast<int>(condition)));
    }

    std::shared_ptr<const data::RunLog> log;
    ui::ViewState view;
    ui::BreakpointList breakpoints;
    ui::Player player{view, breakpoints};
    ui::TransportBar bar{player, breakpoints, view};
};

}  // namespace

class TestTransportBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOrderHasWordsAndALastingNameOfItsOwn() {
        const Bar bar;
        QSet<QString> names;
        for (const QAction* action : bar.bar.playbackActions()) {
            QVERIFY(!action->text().isEmpty());
            names.insert(action->objectName());
        }
        QCOMPARE(names.size(), bar.bar.playbackActions().size());
    }

    void theChosenStepIsThePlayersAndTheOtherWayRound() {
        Bar bar;
        QComboBox* steps = bar.chooser("Size of a step");
        QCOMPARE(steps->count(), static_cast<int>(data::kStepKinds));
        QCOMPARE(steps->currentData().toInt(), static_cast<int>(bar.player.stepKind()));
        bar.player.setStepKind(data::StepKind::wave);
        QCOMPARE(steps->currentData().toInt(), static_cast<int>(data::StepKind::wave));
        steps->setFocus();
        QTest::keyClick(steps, Qt::Key_Home);
        QTRY_COMPARE(bar.player.stepKind(), data::StepKind::chunk);
    }

    void bAddsABreakpointAtTheCursorAndTakesItAwayAgain() {
        Bar bar;
        bar.view.setCursor(1'000'000);
        bar.action("break-at-cursor")->trigger();
        QCOMPARE(bar.breakpoints.all().size(), std::size_t{1});
        QVERIFY(bar.breakpoints.all()[0] == (Breakpoint{BreakCondition::time, 1'000'000, std::nullopt, true}));
        bar.action("break-at-cursor")->trigger();
        QVERIFY(bar.breakpoints.all().empty());
    }

    void withoutACursorBOpensTheList() {
        Bar bar;
        bar.action("break-at-cursor")->trigger();
        QVERIFY(bar.breakpoints.all().empty());
        QVERIFY(bar.panel().isVisible());
    }

    void whatIsTypedIsAddedInItsUnit() {
        Bar bar;
        auto* number = bar.panel().findChild<QDoubleSpinBox*>();
        bar.choose(BreakCondition::linkIdle);
        number->setValue(2.5);
        bar.chooser("GPU")->setCurrentIndex(4);
        bar.button("Add")->click();
        bar.choose(BreakCondition::communicationQueue);
        number->setValue(64);
        bar.chooser("GPU")->setCurrentIndex(0);
        bar.button("Add")->click();
        bar.choose(BreakCondition::chunkComplete);
        bar.button("Add")->click();
        const std::vector<Breakpoint> expected{
            {BreakCondition::linkIdle, 2'500'000, 3, true},
            {BreakCondition::communicationQueue, 64'000, std::nullopt, true},
            {BreakCondition::chunkComplete, std::nullopt, std::nullopt, true},
        };
        QVERIFY(bar.breakpoints.all() == expected);
    }

    void theListSwitchesOffAndRemoves() {
        Bar bar;
        bar.breakpoints.add({BreakCondition::waveEnd, 1, std::nullopt, true});
        bar.breakpoints.add({BreakCondition::waveEnd, 77, std::nullopt, true});
        auto* list = bar.panel().findChild<QListWidget*>();
        QCOMPARE(list->item(0)->text(), QStringLiteral("wave 1 ends  ·  met once"));
        QCOMPARE(list->item(1)->text(), QStringLiteral("wave 77 ends  ·  never met in this run"));
        list->item(0)->setCheckState(Qt::Unchecked);
        QVERIFY(!bar.breakpoints.all()[0].enabled && bar.breakpoints.all()[1].enabled);
        list->setCurrentRow(1);
        bar.button("Remove")->click();
        QCOMPARE(bar.breakpoints.all().size(), std::size_t{1});
        QVERIFY(bar.button("Next Hit")->isEnabled());
        list->setCurrentRow(0);
        bar.button("Remove")->click();
        QVERIFY(!bar.button("Next Hit")->isEnabled() && !bar.button("Remove")->isEnabled());
    }

    void theWayToTheNextAndBackIsInTheListToo() {
        Bar bar;
        bar.breakpoints.add({BreakCondition::chunkComplete, 2, 1, true});
        bar.button("Next Hit")->click();
        const std::int64_t first = *bar.view.cursor();
        bar.button("Next Hit")->click();
        QVERIFY(*bar.view.cursor() > first);
        bar.button("Previous Hit")->click();
        QCOMPARE(*bar.view.cursor(), first);
    }

    void aNarrowBarLeavesOutWhatIsNeededLeastAndClipsNothing() {
        Bar bar;
        const auto* speed = bar.bar.findChild<QSlider*>();
        bar.bar.resize(1200, bar.bar.height());
        QVERIFY(speed->isVisible());
        for (int width = 1200; width >= bar.bar.minimumSizeHint().width(); width -= 20) {
            bar.bar.resize(width, bar.bar.height());
            QVERIFY2(bar.bar.layout()->totalMinimumSize().width() <= width, qPrintable(QString::number(width)));
        }
        QVERIFY(!speed->isVisible());
        bar.bar.resize(1200, bar.bar.height());
        QVERIFY(speed->isVisible());
    }

    void theButtonCountsWhatIsEnabled() {
        Bar bar;
        auto* button = [&]() -> QToolButton* {
            for (auto* one : bar.bar.findChildren<QToolButton*>())
                if (one->accessibleName() == QLatin1String("Breakpoints"))
                    return one;
            return nullptr;
        }();
        QVERIFY(button != nullptr && button->text().isEmpty());
        bar.breakpoints.add({BreakCondition::waveEnd, std::nullopt, std::nullopt, true});
        QCOMPARE(button->text(), QStringLiteral("1"));
        bar.breakpoints.setEnabled(0, false);
        QVERIFY(button->text().isEmpty());
    }
};

RINGSIDE_WINDOW_TEST(TestTransportBar)
#include "tst_transport_bar.moc"
