#include "tests/ui/window_test.h"

#include "ui/workbench/commands.h"
#include "ui/workbench/key_bindings.h"

#include <QSettings>
#include <QTemporaryDir>

using ui::KeyBindings;
using ui::KeyLayout;

namespace {

QKeySequence key(int code) { return QKeySequence(code); }

/// The commands of a window when it opens, with the settings that earlier windows have written.
struct KeyBindingsBench {
    explicit KeyBindingsBench(const QString& file) : settings(file) {
        for (const auto& [id, code] : {std::pair{"view.zoom-in", Qt::Key_W}, std::pair{"view.zoom-out", Qt::Key_S},
                                       std::pair{"view.pan-left", Qt::Key_A}, std::pair{"view.pan-right", Qt::Key_D},
                                       std::pair{"view.zoom-to-selection", Qt::Key_Z}})
            commands.add({.id = id, .text = id, .keys = {key(code)}}, &window, [] {});
    }
    QList<QKeySequence> keysOf(const char* id) { return commands.find(id)->action->shortcuts(); }

    QWidget window;
    ui::Commands commands{window, window};
    ui::WindowSettings settings;
};

}  // namespace

class TestKeyBindings : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file = m_folder.filePath(QStringLiteral("window.ini"));

private Q_SLOTS:
    void cleanup() { QFile::remove(m_file); }

    void anotherKeyHoldsAtOnceAndAtTheNextStart() {
        {
            KeyBindingsBench bench(m_file);
            KeyBindings bindings(bench.commands, bench.settings);
            QVERIFY(!bindings.bind("view.zoom-in", {key(Qt::Key_E), key(Qt::Key_Up)}));
            QCOMPARE(bench.keysOf("view.zoom-in"), (QList{key(Qt::Key_E), key(Qt::Key_Up)}));
        }
        KeyBindingsBench bench(m_file);
        const KeyBindings bindings(bench.commands, bench.settings);
        QCOMPARE(bench.keysOf("view.zoom-in"), (QList{key(Qt::Key_E), key(Qt::Key_Up)}));
        QVERIFY(bindings.isChanged("view.zoom-in") && !bindings.isChanged("view.zoom-out"));
    }

    void aKeyThatAnotherCommandHasIsRefusedByItsName() {
        KeyBindingsBench bench(m_file);
        KeyBindings bindings(bench.commands, bench.settings);
        const auto problem = bindings.bind("view.zoom-in", {key(Qt::Key_S)});
        QVERIFY(problem && problem->contains(QStringLiteral("view.zoom-out")));
        QCOMPARE(bench.keysOf("view.zoom-in"), QList{key(Qt::Key_W)});
        QVERIFY(!bindings.isChanged("view.zoom-in"));
    }

    void noKeyAtAllIsAChoice() {
        {
            KeyBindingsBench bench(m_file);
            KeyBindings bindings(bench.commands, bench.settings);
            QVERIFY(!bindings.bind("view.zoom-in", {}));
            QVERIFY(!bindings.bind("view.zoom-out", {key(Qt::Key_W)}));  // free now
        }
        KeyBindingsBench bench(m_file);
        const KeyBindings bindings(bench.commands, bench.settings);
        QVERIFY(bench.keysOf("view.zoom-in").isEmpty());
        QCOMPARE(bench.keysOf("view.zoom-out"), QList{key(Qt::Key_W)});
    }

    void twoCommandsCanExchangeTheirKeys() {
        {
            KeyBindingsBench bench(m_file);
            KeyBindings bindings(bench.commands, bench.settings);
            QVERIFY(!bindings.bind("view.zoom-in", {}));
            QVERIFY(!bindings.bind("view.zoom-out", {key(Qt::Key_W)}));
            QVERIFY(!bindings.bind("view.zoom-in", {key(Qt::Key_S)}));
        }
        KeyBindingsBench bench(m_file);
        const KeyBindings bindings(bench.commands, bench.settings);
        QCOMPARE(bench.keysOf("view.zoom-in"), QList{key(Qt::Key_S)});
        QCOMPARE(bench.keysOf("view.zoom-out"), QList{key(Qt::Key_W)});
    }

    void resetIsRefusedWhileAnotherCommandHasTheKey() {
        KeyBindingsBench bench(m_file);
        KeyBindings bindings(bench.commands, bench.settings);
        QVERIFY(!bindings.bind("view.zoom-in", {}));
        QVERIFY(!bindings.bind("view.zoom-out", {key(Qt::Key_W)}));
        QVERIFY(bindings.reset("view.zoom-in"));
        bindings.resetAll();
        QCOMPARE(bench.keysOf("view.zoom-in"), QList{key(Qt::Key_W)});
        QCOMPARE(bench.keysOf("view.zoom-out"), QList{key(Qt::Key_S)});
    }

    void aLayoutMovesItsKeysAndLeavesTheOthers() {
        KeyBindingsBench bench(m_file);
        KeyBindings bindings(bench.commands, bench.settings);
        bindings.chooseLayout(KeyLayout::azerty);
        QVERIFY(bench.keysOf("view.zoom-in").contains(key(Qt::Key_Z)));
        QCOMPARE(bench.keysOf("view.zoom-out"), QList{key(Qt::Key_S)});
        QCOMPARE(bench.keysOf("view.zoom-to-selection"), QList{key(Qt::Key_W)});
        bindings.chooseLayout(KeyLayout::leftHanded);
        QVERIFY(bench.keysOf("view.pan-right").contains(key(Qt::Key_L)));
        QCOMPARE(bench.keysOf("view.zoom-to-selection"), QList{key(Qt::Key_Z)});
    }

    void whatWasChangedByHandBeatsALayout() {
        {
            KeyBindingsBench bench(m_file);
            KeyBindings bindings(bench.commands, bench.settings);
            QVERIFY(!bindings.bind("view.pan-left", {key(Qt::Key_I)}));
            bindings.chooseLayout(KeyLayout::leftHanded);
        }
        KeyBindingsBench bench(m_file);
        const KeyBindings bindings(bench.commands, bench.settings);
        QVERIFY(bindings.layout() == KeyLayout::leftHanded);
        QCOMPARE(bench.keysOf("view.pan-left"), QList{key(Qt::Key_I)});
        QVERIFY(!bench.keysOf("view.zoom-in").contains(key(Qt::Key_I)));
        QVERIFY(bench.keysOf("view.zoom-out").contains(key(Qt::Key_K)));
    }

    void garbageInTheSettingsIsAsIfItWereNot() {
        QSettings settings(m_file, QSettings::IniFormat);
        settings.setValue("keys/layout", "dvorak");
        settings.setValue("ownKeys/view.zoom-in", "no such key");
        settings.setValue("ownKeys/view.zoom-out", "Ctrl+X, Ctrl+Y");
        settings.setValue("ownKeys/view.pan-left", "D");  // the key of another command
        settings.setValue("ownKeys/view.pan-right", "D");
        settings.setValue("ownKeys/view.of-a-later-version", "Q");
        settings.sync();
        KeyBindingsBench bench(m_file);
        const KeyBindings bindings(bench.commands, bench.settings);
        QVERIFY(bindings.layout() == KeyLayout::standard);
        QCOMPARE(bench.keysOf("view.zoom-in"), QList{key(Qt::Key_W)});
        QCOMPARE(bench.keysOf("view.zoom-out"), QList{key(Qt::Key_S)});
        int holders = 0;
        for (const ui::Command& command : bench.commands.all())
            holders += command.action->shortcuts().contains(key(Qt::Key_D)) ? 1 : 0;
        QCOMPARE(holders, 1);
    }
};

RINGSIDE_WINDOW_TEST(TestKeyBindings)
#include "tst_key_bindings.moc"
