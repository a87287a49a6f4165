#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/ringside_window.h"
#include "ui/timeline/timeline_view.h"
#include "ui/why/cause_table.h"
#include "ui/why/chain_list.h"
#include "ui/why/ribbon_view.h"
#include "ui/why/sensitivity_chips.h"
#include "ui/why/why_panel.h"
#include "ui/workbench/commands.h"

#include <QDockWidget>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <memory>
#include <numeric>

using ui::RingsideWindow;

class TestWindowRibbon : public QObject {
    Q_OBJECT

    std::unique_ptr<RingsideWindow> m_window;

    void open(const char* policy = "t3-mca", const QString& sessionFile = {}) {
        ui::RingsideWindowConfig config = tests::interactiveConfig("t-nlg/op/tp8");
        config.draft.explicitValues["workload.batch"] = std::int64_t{1};
        config.draft.explicitValues["policy.preset"] = std::string(policy);
        config.sessionFile = sessionFile;
        m_window = tests::openWindow(std::move(config));
    }
    ui::RibbonView* ribbon() const { return m_window->findChild<ui::RibbonView*>(QStringLiteral("ribbon")); }
    ui::WhyPanel* why() const { return m_window->findChild<ui::WhyPanel*>(QStringLiteral("why")); }
    ui::TimelineView* timeline() const { return m_window->findChild<ui::TimelineView*>(QStringLiteral("timeline")); }
    QAction* command(const char* id) const {
        return m_window->workbench().commands().find(QString::fromLatin1(id))->action;
    }

private Q_SLOTS:
    void cleanup() { m_window.reset(); }

    void theRibbonStandsOverTheLanesOnTheSameTime() {
        open();
        QVERIFY(ribbon()->isVisible());
        const QWidget* strip = ribbon();
        QVERIFY(strip->geometry().bottom() < timeline()->viewport()->geometry().top());
        QVERIFY(ribbon()->emptyReason().isEmpty());
        const auto& columns = ribbon()->columns();
        QCOMPARE(static_cast<double>(columns.first), timeline()->geometry().left * ribbon()->devicePixelRatioF());
    }

    void theViewMenuTakesItAwayAndBringsItBack() {
        open();
        const int before = timeline()->viewport()->height();
        command("view.ribbon")->trigger();
        QVERIFY(ribbon()->isHidden());
        QVERIFY(timeline()->viewport()->height() > before);
        command("view.ribbon")->trigger();
        QCOMPARE(timeline()->viewport()->height(), before);
    }

    void aRibbonThatWasTakenAwayStaysAwayAtTheNextStart() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("session.json"));
        open("t3-mca", file);
        command("view.ribbon")->trigger();
        m_window->close();
        m_window.reset();
        open("t3-mca", file);
        QVERIFY(ribbon()->isHidden());
        QVERIFY(!command("view.ribbon")->isChecked());
    }

    void theAttributionOfTheRunIsWhatTheTableSays() {
        open();
        why()->setWholeRun(true);
        auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("whyDock"));
        dock->show();
        dock->raise();
        QTRY_VERIFY(why()->isVisible());
        const auto& result = m_window->runs().shown()->run.result;
        QVERIFY(result.attribution && result.path);
        const auto total = [this] {
            const std::vector<ui::ShareRow>& shares = why()->table().shares();
            return std::accumulate(shares.begin(), shares.end(), std::int64_t{0},
                                   [](std::int64_t sum, const ui::ShareRow& row) { return sum + row.total; });
        };
        QTRY_COMPARE(total(), result.last.time.total.ps);
        for (const ui::ShareRow& row : why()->table().shares())
            QCOMPARE(row.total, result.attribution->causes[*row.cause].ps);
    }

    void aClickOpensTheChainAndItsLinksMoveCursorAndSelection() {
        open();
        const QPoint at(static_cast<int>(timeline()->geometry().left + timeline()->geometry().width * 0.7), 10);
        QTest::mouseClick(ribbon(), Qt::LeftButton, {}, at);
        QTRY_VERIFY(why()->isVisible());
        QVERIFY(m_window->viewState().cursor());
        const std::int64_t first = *m_window->viewState().cursor();
        ui::ChainList& list = why()->chainList();
        QVERIFY(list.count() > 1);
        QCOMPARE(m_window->focusWidget(), &list);
        QTest::keyClick(&list, Qt::Key_Down);
        QTest::keyClick(&list, Qt::Key_Down);
        QVERIFY(*m_window->viewState().cursor() < first);
        QVERIFY(ribbon()->marked());
        bool selects = false;
        for (int i = 0; i < list.count() && !selects; ++i) {
            list.setCurrentRow(i);
            selects = m_window->viewState().selectedSpan().has_value();
        }
        QVERIFY(selects);
    }

    void yAsksWhyTheSelectedSpanWaits() {
        open();
        command("select.why")->trigger();
        QTRY_VERIFY(why()->isVisible());
        QVERIFY(why()->chainList().count() > 1);
        const auto span = m_window->viewState().selectedSpan();
        if (!span)
            QSKIP("the last reason is in no lane");
        command("select.why")->trigger();
        QVERIFY(why()->chainList().count() >= 1);
    }

    void aBoundSaysThatNothingWaitsInIt() {
        open("ideal-overlap");
        QVERIFY(ribbon()->emptyReason().contains(QStringLiteral("T3-MCA")));
        command("select.why")->trigger();
        QTRY_VERIFY(why()->now().contains(QStringLiteral("T3-MCA")));
    }

    void aChipLeadsToItsParameter() {
        open();
        Q_EMIT why()->chips().parameterChosen(QStringLiteral("link.bandwidth"));
        QTRY_VERIFY(m_window->findChild<QWidget*>(QStringLiteral("field:link.bandwidth"))->isVisible());
    }
};

RINGSIDE_WINDOW_TEST(TestWindowRibbon)
#include "tst_window_ribbon.moc"
