// Tests that the layout of the panels can change while the user drags a panel and just after the drop.
#include "tests/ui/open_window.h"
#include "tests/ui/panel_drag.h"
#include "tests/ui/window_test.h"

#include "ui/workbench/panel_host.h"
#include "ui/workbench/workbench.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>

namespace {

/// A window in which a panel of the left side is being dragged to the right side. The view Figure has a layout from
/// before.
struct DragBench {
    DragBench() {
        showView("figure");
        showView("explore");
        QTest::qWait(50);
        drag.pressTitle(*form);
        drag.moveTo({window->width() / 2, window->height() / 2});
        drag.moveTo({window->width() - 60, window->height() / 2});
    }
    bool isMoving() const { return form->isFloating(); }
    void showView(const char* name) { window->workbench().views().showView(QString::fromLatin1(name)); }
    void shrink() const {
        window->resize(window->width() - 100, window->height() - 80);
        QApplication::processEvents();
    }
    /// Takes the border between the centre and the panels on the right, and moves it.
    void takeBorder() {
        const QPoint border = form->mapTo(window.get(), QPoint(-2, form->height() / 2));
        drag.press(border);
        drag.moveTo(border - QPoint(40, 0));
    }
    bool isInWindow() const { return window->rect().contains(form->geometry()); }
    /// Returns whether the panels on the right end at the border of the window.
    bool fillsWindow() const { return isInWindow() && form->geometry().right() + 1 == window->width(); }
    void openDialog() const { window->workbench().commands().find(QStringLiteral("help.glossary"))->action->trigger(); }
    static QDialog* dialog() { return qobject_cast<QDialog*>(QApplication::activeModalWidget()); }
    bool isBeside(const char* panel) const {
        return window->workbench().panels().dock(QString::fromLatin1(panel))->isVisible();
    }

    std::unique_ptr<ui::RingsideWindow> window = tests::openWindow();
    QDockWidget* form = window->workbench().panels().dock(QStringLiteral("experimentDock"));
    tests::PanelDrag drag{*window};
};

}  // namespace

class TestPanelDrag final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPanelIsDraggedToTheOtherSide() {
        DragBench bench;
        QVERIFY(bench.isMoving());
        bench.drag.drop();
        QTRY_VERIFY(!bench.isMoving());
        QCOMPARE(bench.window->dockWidgetArea(bench.form), Qt::RightDockWidgetArea);
    }

    void aViewChosenDuringADragGetsItsPanelsAfterTheDrop() {
        DragBench bench;
        bench.showView("figure");
        QTest::qWait(60);
        QVERIFY(bench.isMoving());
        QVERIFY(bench.isBeside("runsDock"));
        bench.drag.drop();
        QTRY_VERIFY(!bench.isBeside("runsDock"));
        QVERIFY(!bench.isBeside("inspectorDock"));
        // The view before has the panel where it was dropped.
        bench.showView("explore");
        QTRY_VERIFY(bench.isBeside("runsDock"));
        QCOMPARE(bench.window->dockWidgetArea(bench.form), Qt::RightDockWidgetArea);
    }

    void aDroppedPanelIsInItsPlaceAtOnceSoAViewMayBeChosenThen() {
        DragBench bench;
        bench.drag.drop();
        QVERIFY(!bench.isMoving());
        bench.showView("figure");
        QTRY_VERIFY(!bench.isBeside("runsDock"));
        bench.showView("explore");
        QTRY_VERIFY(bench.isBeside("runsDock"));
        QCOMPARE(bench.window->dockWidgetArea(bench.form), Qt::RightDockWidgetArea);
    }

    void theLayoutIsResetAfterTheDrop() {
        DragBench bench;
        bench.window->workbench().panels().reset();
        bench.drag.drop();
        QTRY_VERIFY(!bench.isMoving());
        QTRY_COMPARE(bench.window->dockWidgetArea(bench.form), Qt::LeftDockWidgetArea);
    }

    void presenterModeHidesADraggedPanelAfterTheDrop() {
        DragBench bench;
        bench.window->workbench().presenter().set(true);
        QTest::qWait(30);
        bench.drag.drop();
        QTRY_VERIFY(!bench.isMoving() && !bench.form->isVisible());
        bench.window->workbench().presenter().set(false);
        QTRY_VERIFY(bench.form->isVisible());
        QVERIFY(!bench.isMoving());
    }

    void aPanelThatIsHiddenDuringItsDragHasItsPlaceWhenItIsShownAgain() {
        DragBench bench;
        bench.form->toggleViewAction()->trigger();
        bench.drag.drop();
        bench.showView("figure");
        bench.showView("explore");
        QTRY_VERIFY(!bench.isMoving());
        bench.form->toggleViewAction()->trigger();
        QTRY_VERIFY(bench.form->isVisible());
        QVERIFY(bench.isInWindow());
    }

    // The dialog blocks the window, so that the panel does not get the release.
    void aPanelReturnsToItsPlaceIfADialogOpensDuringItsDrag() {
        DragBench bench;
        bench.openDialog();
        QTRY_VERIFY(bench.dialog() != nullptr);
        bench.drag.drop();
        QTRY_VERIFY(!bench.isMoving());
        QVERIFY(bench.form->isVisible());
        QVERIFY(bench.dialog() != nullptr);
        bench.dialog()->reject();
        QVERIFY(bench.isInWindow());
    }

    void panelsFillAWindowThatGetsAnotherSizeDuringADrag() {
        DragBench bench;
        bench.shrink();
        QVERIFY(bench.isMoving());
        bench.drag.drop();
        QTRY_VERIFY(!bench.isMoving());
        QTRY_VERIFY(bench.fillsWindow());
    }

    void panelsFillAWindowThatGetsAnotherSizeWhileABorderIsDragged() {
        DragBench bench;
        bench.drag.drop();
        bench.takeBorder();
        bench.shrink();
        bench.drag.drop();
        QTRY_VERIFY(bench.fillsWindow());
    }

    void panelsFillTheWindowAfterADialogGotTheReleaseOfABorder() {
        DragBench bench;
        bench.drag.drop();
        bench.takeBorder();
        bench.openDialog();
        QTRY_VERIFY(bench.dialog() != nullptr);
        bench.drag.drop();
        bench.dialog()->reject();
        bench.shrink();
        QTRY_VERIFY(bench.fillsWindow());
    }

    void anUnfinishedDragIsNotStored() {
        DragBench bench;
        QVERIFY(!bench.window->workbench().panels().keep());
        bench.drag.drop();
        QTRY_VERIFY(bench.window->workbench().panels().keep());
    }

    void aViewChosenWhileABorderIsDraggedGetsItsPanelsAfterwards() {
        const auto window = tests::openWindow();
        window->workbench().views().showView(QStringLiteral("figure"));
        window->workbench().views().showView(QStringLiteral("explore"));
        QTest::qWait(50);
        ui::PanelHost& panels = window->workbench().panels();
        QDockWidget* form = panels.dock(QStringLiteral("experimentDock"));
        const int width = form->width();
        tests::PanelDrag drag(*window);
        drag.press(form->mapTo(window.get(), QPoint(form->width() + 1, form->height() / 2)));
        drag.moveTo(form->mapTo(window.get(), QPoint(form->width() + 40, form->height() / 2)));
        QTest::qWait(60);
        QVERIFY(form->width() > width);
        window->workbench().views().showView(QStringLiteral("figure"));
        drag.moveTo(form->mapTo(window.get(), QPoint(form->width() + 60, form->height() / 2)));
        QTest::qWait(60);
        QVERIFY(panels.dock(QStringLiteral("runsDock"))->isVisible());
        drag.drop();
        QTRY_VERIFY(!panels.dock(QStringLiteral("runsDock"))->isVisible());
    }
};

RINGSIDE_WINDOW_TEST(TestPanelDrag)
#include "tst_panel_drag.moc"
