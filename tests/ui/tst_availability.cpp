#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "ui/workbench/availability.h"
#include "ui/workbench/commands.h"

#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>

#include <map>

using ui::setAvailable;

namespace {

/// A window with a field, a picture and two commands, one of which works in the picture alone.
struct AvailabilityBench {
    AvailabilityBench() {
        auto* centre = new QWidget;
        field->setParent(centre);
        picture->setParent(centre);
        picture->setFocusPolicy(Qt::StrongFocus);
        window.setCentralWidget(centre);
        new ui::RefusedShortcuts(window, commands, [this](const QString& whyNot) { said << whyNot; });
        everywhere = commands.add({.id = "x.everywhere", .text = "E", .keys = {QKeySequence(Qt::CTRL | Qt::Key_E)}},
                                  &window, [this] { ++done; });
        inPicture = commands.add(
            {.id = "x.picture", .text = "P", .keys = {QKeySequence(Qt::Key_P)}, .scope = ui::CommandScope::picture},
            &window, [this] { ++done; });
        window.show();
        window.activateWindow();
        QApplication::processEvents();
    }
    void press(QWidget* focus, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        focus->setFocus();
        QTest::keyClick(focus, key, modifiers);
    }

    QStringList said;
    int done = 0;
    QMainWindow window;
    QLineEdit* field = new QLineEdit;
    QWidget* picture = new QWidget;
    ui::Commands commands{window, *picture};
    QAction* everywhere = nullptr;
    QAction* inPicture = nullptr;
};

/// Adds the mnemonic of each entry of a menu, and of each menu below it, that another entry of the same menu has, too.
void findDoubleMnemonics(const QMenu& menu, QStringList& found) {
    std::map<QChar, QString> first;
    for (const QAction* action : menu.actions()) {
        if (action->isSeparator())
            continue;
        const QString key = QKeySequence::mnemonic(action->text()).toString().section(u'+', -1);
        if (!key.isEmpty() && action->isVisible()) {
            const auto [other, isNew] = first.emplace(key.front(), action->text());
            if (!isNew)
                found << QStringLiteral("%1: %2 and %3").arg(menu.title(), other->second, action->text());
        }
        if (action->menu() != nullptr)
            findDoubleMnemonics(*action->menu(), found);
    }
}

}  // namespace

class TestAvailability : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKeyOfADisabledCommandSaysWhyNothingHappens() {
        AvailabilityBench bench;
        setAvailable(*bench.everywhere, false, QStringLiteral("Nothing is open."));
        bench.press(bench.field, Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(bench.said, QStringList{"Nothing is open."});
        setAvailable(*bench.everywhere, true, QStringLiteral("Nothing is open."));
        QVERIFY(ui::whyNotAvailable(*bench.everywhere).isEmpty());
        bench.press(bench.field, Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(bench.said.size(), 1);
        QCOMPARE(bench.done, 1);
    }

    void aKeyThatAFieldUsesOrThatHasNoMeaningHereSaysNothing() {
        AvailabilityBench bench;
        setAvailable(*bench.inPicture, false, QStringLiteral("There is no picture."));
        bench.press(bench.field, Qt::Key_P);
        QCOMPARE(bench.field->text(), QStringLiteral("p"));
        bench.field->setReadOnly(true);  // now the field does not use the key, but the command belongs to the picture
        bench.press(bench.field, Qt::Key_P);
        QVERIFY(bench.said.isEmpty());
        bench.press(bench.picture, Qt::Key_P);
        QCOMPARE(bench.said, QStringList{"There is no picture."});
    }

    void everyCommandOfTheWindowThatIsDisabledSaysWhy() {
        const auto window = tests::openWindow();
        int disabled = 0;
        for (const ui::Command& command : window->workbench().commands().all()) {
            if (command.action->isEnabled() || !command.action->isVisible())
                continue;
            ++disabled;
            QVERIFY2(ui::whyNotAvailable(*command.action).endsWith(u'.'), qPrintable(command.id));
        }
        QVERIFY(disabled > 10);
    }

    void comparingDispatchRulesWithoutACompanionSaysWhatIsMissing() {
        const auto window = tests::openWindow();
        window->workbench().pictures().focusCurrent();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window->statusBar()->currentMessage().contains(QStringLiteral("has no companion")));
        QCOMPARE(window->workbench().views().current(), QStringLiteral("explore"));
    }

    void noMenuHasAMnemonicTwice() {
        const auto window = tests::openWindow();
        QStringList found;
        for (const QAction* top : window->menuBar()->actions())
            findDoubleMnemonics(*top->menu(), found);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }
};

RINGSIDE_WINDOW_TEST(TestAvailability)
#include "tst_availability.moc"
