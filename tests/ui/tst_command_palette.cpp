#include "tests/ui/window_test.h"

#include "ui/workbench/command_palette.h"

#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QVBoxLayout>

using ui::CommandPalette;

namespace {

struct CommandPaletteBench {
    CommandPaletteBench() {
        window.setCentralWidget(field);
        window.resize(1000, 700);
        window.show();
        window.activateWindow();
        field->setFocus();
        QApplication::processEvents();
        palette.openWith({{"Zoom In", "View", "nearer", "W", [this] { done << "in"; }},
                          {"Zoom Out", "View", "", "S", [this] { done << "out"; }},
                          {"Bandwidth", "Link", "link.bandwidth", "", [this] { done << "bandwidth"; }}});
    }
    void type(const QString& letters) { QTest::keyClicks(QApplication::focusWidget(), letters); }
    void press(Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); }

    QStringList done;
    QMainWindow window;
    QLineEdit* field = new QLineEdit;
    CommandPalette palette{window};
    QListView* list = palette.findChild<QListView*>();
};

}  // namespace

class TestCommandPalette : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingTypedShowsEverythingInItsOrder() {
        const CommandPaletteBench bench;
        QVERIFY(bench.palette.isVisible());
        QCOMPARE(bench.list->model()->rowCount(), 3);
        QCOMPARE(bench.list->currentIndex().data().toString(), QStringLiteral("Zoom In"));
    }

    void someLettersAndReturnDoItWithTheFocusBackWhereItWas() {
        CommandPaletteBench bench;
        bench.type(QStringLiteral("zou"));
        bench.press(Qt::Key_Return);
        QCOMPARE(bench.done, QStringList{"out"});
        QVERIFY(!bench.palette.isVisible());
        QVERIFY(bench.field->hasFocus());
        QVERIFY(bench.field->text().isEmpty());
    }

    void arrowsMoveTheMarkAndStopAtTheEnds() {
        CommandPaletteBench bench;
        bench.press(Qt::Key_Up);
        bench.press(Qt::Key_Down);
        bench.press(Qt::Key_Down);
        bench.press(Qt::Key_Down);
        bench.press(Qt::Key_Down);
        bench.press(Qt::Key_Return);
        QCOMPARE(bench.done, QStringList{"bandwidth"});
    }

    void wordsThatAreNotShownFindAsWell() {
        CommandPaletteBench bench;
        bench.type(QStringLiteral("link.band"));
        QCOMPARE(bench.list->model()->rowCount(), 1);
        bench.press(Qt::Key_Return);
        QCOMPARE(bench.done, QStringList{"bandwidth"});
    }

    void escapeGoesBackAndDoesNothing() {
        CommandPaletteBench bench;
        bench.type(QStringLiteral("zoom"));
        bench.press(Qt::Key_Escape);
        QVERIFY(!bench.palette.isVisible());
        QVERIFY(bench.done.isEmpty());
        QVERIFY(bench.field->hasFocus());
    }

    void nothingFoundIsSaidAndReturnDoesNothing() {
        CommandPaletteBench bench;
        bench.type(QStringLiteral("qqq"));
        QVERIFY(!bench.list->isVisible());
        bench.press(Qt::Key_Return);
        QVERIFY(bench.palette.isVisible());
        QVERIFY(bench.done.isEmpty());
    }

    void aCommandThatIsNotAvailableIsListedWithItsReasonBelowItsEquals() {
        CommandPaletteBench bench;
        bench.palette.openWith({{"Cancel", "Run", "", "", [] {}, "No run is in progress."},
                                {"Cancel", "Sweep", "", "", [] {}},
                                {"Cancel Making", "File", "", "", [] {}, "No figure is being made."}});
        bench.type(QStringLiteral("cancel"));
        QStringList listed;
        for (int row = 0; row < bench.list->model()->rowCount(); ++row)
            listed << bench.list->model()->index(row, 0).data(ui::PaletteModel::where).toString();
        QCOMPARE(listed, (QStringList{"Sweep", "Run  ·  No run is in progress.", "File  ·  No figure is being made."}));
        QVERIFY(bench.list->model()->index(0, 0).data(ui::PaletteModel::available).toBool());
        QVERIFY(!bench.list->model()->index(1, 0).data(ui::PaletteModel::available).toBool());
        QVERIFY(bench.list->model()
                    ->index(1, 0)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .endsWith(QStringLiteral("No run is in progress.")));
        bench.type(QStringLiteral(" making"));  // a better match stays first, whether it is available or not
        QCOMPARE(bench.list->model()->index(0, 0).data().toString(), QStringLiteral("Cancel Making"));
    }

    void losingTheFocusClosesIt() {
        CommandPaletteBench bench;
        bench.field->setFocus();
        QVERIFY(!bench.palette.isVisible());
        QVERIFY(bench.field->hasFocus());
    }

    void itStaysWithinASmallWindow() {
        CommandPaletteBench bench;
        bench.window.resize(420, 300);
        QApplication::processEvents();
        QVERIFY(bench.window.rect().contains(bench.palette.geometry()));
    }
};

RINGSIDE_WINDOW_TEST(TestCommandPalette)
#include "tst_command_palette.moc"
