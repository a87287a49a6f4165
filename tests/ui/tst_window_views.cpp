#include "tests/ui/window_test.h"

#include "ui/workbench/window_views.h"

#include <QSignalSpy>
#include <QTabBar>

using ui::WindowViews;

namespace {

struct WindowViewsBench {
    WindowViewsBench() {
        for (QWidget* view : {explore, sweep, runs})
            view->setFocusPolicy(Qt::StrongFocus);
        views.addView({QStringLiteral("explore"), QStringLiteral("Explore"), explore, Qt::Key_F2, QString()});
    }
    void addOthers() {
        views.addView({QStringLiteral("sweep"), QStringLiteral("Sweep"), sweep, Qt::Key_F4, QString()});
        views.addView({QStringLiteral("runs"), QStringLiteral("Runs"), runs, Qt::Key_F6, QString()});
        views.resize(1200, 800);
        views.show();
        views.activateWindow();
        QApplication::processEvents();
    }
    QTabBar* tabs() { return views.findChild<QTabBar*>(); }

    WindowViews views;
    QWidget* explore = new QWidget;
    QWidget* sweep = new QWidget;
    QWidget* runs = new QWidget;
};

}  // namespace

class TestWindowViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneViewNeedsNoTabs() {
        WindowViewsBench bench;
        QVERIFY(bench.tabs()->isHidden());
        bench.addOthers();
        QVERIFY(bench.tabs()->isVisible());
        QCOMPARE(bench.views.current(), QStringLiteral("explore"));
        QVERIFY(bench.explore->isVisible() && !bench.sweep->isVisible());
    }

    void aClickOnATabShowsItsViewAndGivesItTheKeyboard() {
        WindowViewsBench bench;
        bench.addOthers();
        const QSignalSpy changed(&bench.views, &WindowViews::currentChanged);
        QTest::mouseClick(bench.tabs(), Qt::LeftButton, {}, bench.tabs()->tabRect(1).center());
        QCOMPARE(bench.views.current(), QStringLiteral("sweep"));
        QVERIFY(bench.sweep->isVisible() && bench.sweep->hasFocus() && !bench.explore->isVisible());
        QCOMPARE(changed.size(), 1);
    }

    void arrowsWalkAlongTheTabsAndKeepTheKeyboard() {
        WindowViewsBench bench;
        bench.addOthers();
        bench.tabs()->setFocus();
        QTest::keyClick(bench.tabs(), Qt::Key_Right);
        QTest::keyClick(bench.tabs(), Qt::Key_Right);
        QCOMPARE(bench.views.current(), QStringLiteral("runs"));
        QVERIFY(bench.tabs()->hasFocus());
    }

    void aWideViewBehindTheOneThatIsShownDoesNotWidenTheWindow() {
        WindowViewsBench bench;
        bench.explore->setMinimumWidth(300);
        bench.sweep->setMinimumWidth(900);
        bench.addOthers();
        QVERIFY(bench.views.minimumSizeHint().width() < 900);
        bench.views.showView(QStringLiteral("sweep"));
        QVERIFY(bench.views.minimumSizeHint().width() >= 900);
    }

    void aViewThatIsNotThereIsRefusedAndTheOtherStays() {
        WindowViewsBench bench;
        bench.addOthers();
        bench.views.showView(QStringLiteral("runs"));
        QVERIFY(!bench.views.showView(QStringLiteral("figure")));
        QCOMPARE(bench.views.current(), QStringLiteral("runs"));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowViews)
#include "tst_window_views.moc"
