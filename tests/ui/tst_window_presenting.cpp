#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/lessons/lesson_library.h"
#include "ui/look/palette.h"
#include "ui/ringside_window.h"
#include "ui/timeline/headline_strip.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QMenuBar>
#include <QSignalSpy>

#include <map>
#include <memory>

using ui::RingsideWindow;

namespace {

std::unique_ptr<RingsideWindow> openToPresent() { return tests::openWindow(tests::interactiveConfig(), {1500, 900}); }

ui::PresenterCaption* captionOf(RingsideWindow& window) { return window.findChild<ui::PresenterCaption*>(); }

}  // namespace

class TestWindowPresenting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatHappensStandsInLargeLettersUnderThePicture() {
        const auto window = openToPresent();
        window->workbench().presenter().set(true);
        tests::settleLayouts();
        auto* caption = captionOf(*window);
        QVERIFY(caption != nullptr && caption->isVisible());
        window->viewState().setCursor(window->viewState().runEnd() / 2);
        QVERIFY2(caption->text().contains(QStringLiteral("GPU")), qPrintable(caption->text()));
        QVERIFY(!window->findChild<QWidget*>(QStringLiteral("caption"))->findChild<QLabel*>()->isVisible());
        auto* words = caption->findChild<QLabel*>();
        QVERIFY(words->font().pointSizeF() > 1.5 * window->font().pointSizeF());
        QVERIFY(ui::contrast(words->palette().color(QPalette::WindowText), ui::paletteOf(ui::Theme::dark).surface) >
                12);
        // The caption is below the picture, which does not move however long the caption is.
        const int top = caption->y();
        QVERIFY(top > window->workbench().pictures().mapTo(caption->parentWidget(), QPoint()).y());
        window->viewState().setCursor(window->viewState().runEnd());
        tests::settleLayouts();
        QCOMPARE(caption->y(), top);
    }

    void aLineOfTypeHasTheSameShareOfEveryScreenButIsNeverSmallerThanBefore() {
        const double line = 16;
        QCOMPARE(ui::Presenter::enlargement(line, 1080), 1.5);
        QCOMPARE(ui::Presenter::enlargement(line, 900), 1.25);
        QCOMPARE(ui::Presenter::enlargement(line, 720), 1.0);
        QCOMPARE(ui::Presenter::enlargement(line, 600), 1.0);
        QCOMPARE(ui::Presenter::enlargement(line, 1440), 2.0);
        QCOMPARE(ui::Presenter::enlargement(line, 4320), 2.5);
    }

    void fieldsThatChangeMeanwhileHaveTheWindowsTypeAfterwards() {
        const auto window = openToPresent();
        QWidget* form = window->findChild<QDockWidget*>(QStringLiteral("experimentDock"))->widget();
        std::map<QWidget*, double> before;
        for (QWidget* part : form->findChildren<QWidget*>())
            before[part] = part->font().pointSizeF();
        window->workbench().presenter().set(true);
        QFont larger = QApplication::font();
        larger.setPointSizeF(larger.pointSizeF() * 1.5);  // as on a high screen
        window->setFont(larger);
        data::ExperimentDraft draft = window->experiment().draft();
        draft.explicitValues["link.bandwidth"] = 200e9;
        window->experiment().replaceDraft(draft, QStringLiteral("Change"), std::nullopt);
        window->workbench().presenter().set(false);
        QTest::qWait(20);
        for (QWidget* part : form->findChildren<QWidget*>())
            if (before.contains(part))
                QVERIFY2(part->font().pointSizeF() == before[part], qPrintable(part->objectName()));
    }

    void panelsHiddenForALessonReturnThoughItWasLeftInPresenterMode() {
        const auto window = openToPresent();
        const auto isShown = [&](const char* panel) {
            return !window->findChild<QDockWidget*>(QString::fromLatin1(panel))->isHidden();
        };
        for (const char* panel : {"inspectorDock", "addressMapDock", "whyDock"})
            QVERIFY2(isShown(panel), panel);
        QVERIFY(window->lessons().open(ui::bundledLessons().front().file));
        QTRY_VERIFY_WITH_TIMEOUT(!isShown("inspectorDock"), 20'000);
        window->workbench().presenter().set(true);
        QTest::qWait(20);
        window->workbench().commands().find(QStringLiteral("lesson.leave"))->action->trigger();
        QVERIFY(!isShown("inspectorDock"));
        window->workbench().presenter().set(false);
        QTest::qWait(50);
        for (const char* panel : {"inspectorDock", "addressMapDock", "whyDock"})
            QVERIFY2(isShown(panel), panel);
        QVERIFY(!isShown("lessonDock"));
    }

    void theSpotlightMarksNoPlaceOfAHiddenPart() {
        const auto window = openToPresent();
        auto* headlines = window->findChild<ui::HeadlineStrip*>();
        QVERIFY(window->workbench().spotlight().pointAt(headlines->objectName()));
        auto* mark = window->findChild<ui::SpotlightFrame*>();
        QVERIFY(mark->isVisible());
        headlines->hide();
        QVERIFY(!mark->isVisible());
        headlines->show();
        QVERIFY(mark->isVisible());
    }

    void otherViewsHaveNoCaptionAndArePresentedToo() {
        const auto window = openToPresent();
        window->workbench().presenter().set(true);
        for (const ui::WindowView& view : window->workbench().views().all()) {
            window->workbench().views().showView(view.name);
            QApplication::processEvents();
            QCOMPARE(captionOf(*window)->isVisible(), view.name == QLatin1String("explore"));
            QVERIFY(window->menuBar()->isHidden());
            for (const QDockWidget* dock : window->findChildren<QDockWidget*>())
                QVERIFY2(!dock->isVisible(), qPrintable(dock->objectName() + u' ' + view.name));
        }
        window->workbench().presenter().set(false);
        QApplication::processEvents();
        QVERIFY(!captionOf(*window)->isVisible() && window->menuBar()->isVisible());
    }

    void leavingRestoresTheLayoutToThePixel() {
        const auto window = openToPresent();
        auto* form = window->findChild<QDockWidget*>(QStringLiteral("experimentDock"));
        auto* runs = window->findChild<QDockWidget*>(QStringLiteral("runsDock"));
        window->resizeDocks({form}, {form->width() + 40}, Qt::Horizontal);
        runs->hide();
        QApplication::processEvents();
        const QSize size = window->size();
        const int width = form->width();
        window->workbench().presenter().set(true);
        QApplication::processEvents();
        QTest::qWait(20);
        window->workbench().presenter().set(false);
        QTest::qWait(50);
        QTRY_COMPARE(window->size(), size);
        QTRY_COMPARE(form->width(), width);
        QVERIFY(!runs->isVisible());
        QVERIFY(!window->isFullScreen());
    }

    void escapeLeavesAndKeysAreNamedForAMoment() {
        const auto window = openToPresent();
        window->workbench().presenter().set(true);
        auto* hint = window->findChild<ui::KeyHint*>();
        QVERIFY(hint != nullptr && hint->isVisible());
        QVERIFY2(hint->accessibleName().contains(QStringLiteral("F11")), qPrintable(hint->accessibleName()));
        QTest::keyClick(&window->workbench().pictures(), Qt::Key_Escape);
        QVERIFY(!window->isFullScreen() && window->menuBar()->isVisible());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(window->findChild<ui::KeyHint*>() == nullptr);
    }

    void aHintGoesByItself() {
        QWidget over;
        over.resize(800, 400);
        QPointer<ui::KeyHint> hint = new ui::KeyHint({{QStringLiteral("F11"), QStringLiteral("leaves")}}, over, 30);
        QVERIFY(over.rect().contains(hint->geometry()));
        QTRY_VERIFY(!hint);
    }

    void aPointerThatRestsIsHiddenUntilItMoves() {
        {
            const ui::IdlePointerHider still(nullptr, 20);
            QTRY_VERIFY(still.isHidden());
            QVERIFY(QApplication::overrideCursor() != nullptr);
            QWidget anywhere;
            QTest::mouseClick(&anywhere, Qt::LeftButton);
            QVERIFY(!still.isHidden());
            QTRY_VERIFY(still.isHidden());
        }
        QVERIFY(QApplication::overrideCursor() == nullptr);
    }

    void aCaptionShowsWhatFitsAndAnnouncesAll() {
        ui::PresenterCaption caption;
        caption.resize(700, caption.height());
        caption.show();
        const int height = caption.height();
        const QStringList parts{QString(60, u'a'), QString(60, u'b'), QString(60, u'c'), QString(60, u'd')};
        caption.showParts(parts);
        QVERIFY(caption.text().contains(u'a') && !caption.text().contains(u'd'));
        QCOMPARE(caption.height(), height);
        QVERIFY(caption.findChild<QLabel*>()->accessibleDescription().contains(u'd'));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowPresenting)
#include "tst_window_presenting.moc"
