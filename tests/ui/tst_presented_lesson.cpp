// Tests that a lesson which compares runs fits on the screens of lecture rooms in presenter mode.
#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "ui/compare/compare_row.h"
#include "ui/lessons/lesson_library.h"
#include "ui/timeline/timeline_layout.h"

#include <QScrollArea>
#include <QToolButton>

class TestPresentedLesson final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comparedRunsFitOnEveryScreen_data() {
        QTest::addColumn<QSize>("screen");
        for (const QSize screen : {QSize(1280, 720), QSize(1600, 900), QSize(1920, 1080)})
            QTest::addRow("%dx%d", screen.width(), screen.height()) << screen;
    }
    void comparedRunsFitOnEveryScreen() {
        QFETCH(QSize, screen);
        const auto window = tests::openWindow();
        // Takes the size and the type of this screen, because the screen of the tests has another size.
        window->workbench().setViewAlone(true);
        QFont type = QApplication::font();
        type.setPointSizeF(type.pointSizeF() *
                           ui::Presenter::enlargement(QFontMetricsF(type).lineSpacing(), screen.height()));
        window->setFont(type);
        window->resize(screen);
        ui::CompareView& compare = window->compare().view();
        QSignalSpy shown(&compare, &ui::CompareView::compareShown);
        QVERIFY(window->lessons().open(ui::bundledLesson(QStringLiteral("why-plain-t3-loses"))->file, 4));
        QVERIFY(shown.wait(60'000));
        tests::settleLayouts();
        QCOMPARE(window->size(), screen);
        for (const QToolButton* button : compare.findChildren<QToolButton*>())
            QVERIFY2(!button->isVisible() || button->width() >= button->sizeHint().width(), qPrintable(button->text()));
        QCOMPARE(compare.rowCount(), std::size_t{3});
        const double line = QFontMetricsF(type).height();
        for (std::size_t i = 0; i < compare.rowCount(); ++i)  // two lanes are visible below axis and phases
            QVERIFY(compare.row(i).picture().widget().height() > line * (ui::TimelineLayout::kAxisLines + 2));
        for (const QScrollArea* area : compare.findChildren<QScrollArea*>())
            QVERIFY2(area->widget()->width() <= area->viewport()->width(), qPrintable(area->accessibleName()));
    }
};

RINGSIDE_WINDOW_TEST(TestPresentedLesson)
#include "tst_presented_lesson.moc"
