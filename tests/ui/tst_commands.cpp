#include "tests/ui/window_test.h"

#include "ui/workbench/commands.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QVBoxLayout>

using ui::CommandGroup;
using ui::Commands;
using ui::CommandScope;

namespace {

struct CommandsBench {
    CommandsBench() {
        auto* column = new QVBoxLayout(&window);
        column->addWidget(field);
        column->addWidget(picture);
        picture->setFocusPolicy(Qt::StrongFocus);
        window.show();
        window.activateWindow();
        QApplication::processEvents();
    }
    QWidget window;
    QLineEdit* field = new QLineEdit;
    QWidget* picture = new QWidget;
    Commands commands{window, *picture};
    int asked = 0;
};

}  // namespace

class TestCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKeyOfThePictureHoldsThereAndALetterStaysInAField() {
        CommandsBench bench;
        bench.commands.add({.id = "view.zoom-in",
                            .text = "Zoom &In",
                            .keys = {QKeySequence(Qt::Key_W)},
                            .scope = CommandScope::picture},
                           &bench.window, [&bench] { ++bench.asked; });
        bench.field->setFocus();
        QTest::keyClick(bench.field, Qt::Key_W);
        QCOMPARE(bench.asked, 0);
        QCOMPARE(bench.field->text(), QStringLiteral("w"));
        bench.picture->setFocus();
        QTest::keyClick(bench.picture, Qt::Key_W);
        QCOMPARE(bench.asked, 1);
    }

    void aKeyOfTheWindowHoldsEverywhere() {
        CommandsBench bench;
        bench.commands.add({.id = "file.open", .text = "Open", .keys = {QKeySequence(Qt::CTRL | Qt::Key_O)}},
                           &bench.window, [&bench] { ++bench.asked; });
        bench.field->setFocus();
        QTest::keyClick(bench.field, Qt::Key_O, Qt::ControlModifier);
        bench.picture->setFocus();
        QTest::keyClick(bench.picture, Qt::Key_O, Qt::ControlModifier);
        QCOMPARE(bench.asked, 2);
    }

    void anAdoptedActionKeepsWhatTheCommandDoesNotSay() {
        CommandsBench bench;
        QAction action(QStringLiteral("&Play && Loop"));
        action.setShortcut(QKeySequence(Qt::Key_Space));
        bench.commands.adopt({.id = "playback.play", .hint = "Plays the run"}, &action);
        const ui::Command* command = bench.commands.find("playback.play");
        QVERIFY(command != nullptr);
        QCOMPARE(command->plainText(), QStringLiteral("Play & Loop"));
        QCOMPARE(command->keys, QList<QKeySequence>{QKeySequence(Qt::Key_Space)});
        QCOMPARE(action.statusTip(), QStringLiteral("Plays the run"));
    }

    void otherKeysTakeThePlaceOfThoseItCameWith() {
        CommandsBench bench;
        bench.commands.add({.id = "view.fit", .text = "Fit", .keys = {QKeySequence(Qt::Key_F)}}, &bench.window,
                           [&bench] { ++bench.asked; });
        const QSignalSpy changed(&bench.commands, &Commands::keysChanged);
        bench.commands.setKeys("view.fit", {QKeySequence(Qt::Key_F9)});
        bench.commands.setKeys("view.fit", {QKeySequence(Qt::Key_F9)});
        bench.commands.setKeys("view.unknown", {QKeySequence(Qt::Key_F8)});
        QCOMPARE(changed.size(), 1);
        QCOMPARE(bench.commands.find("view.fit")->keys, QList<QKeySequence>{QKeySequence(Qt::Key_F)});
        QVERIFY(bench.commands.holderOf(QKeySequence(Qt::Key_F)) == nullptr);
        QCOMPARE(bench.commands.holderOf(QKeySequence(Qt::Key_F9))->id, QStringLiteral("view.fit"));
        bench.picture->setFocus();
        QTest::keyClick(bench.picture, Qt::Key_F);
        QCOMPARE(bench.asked, 0);
        QTest::keyClick(bench.picture, Qt::Key_F9);
        QCOMPARE(bench.asked, 1);
    }
};

RINGSIDE_WINDOW_TEST(TestCommands)
#include "tst_commands.moc"
