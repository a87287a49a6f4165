#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/editors/experiment_form.h"
#include "ui/editors/parameter_field.h"
#include "ui/ringside_window.h"
#include "ui/shared/experiment_model.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <memory>

// Tests keys in a field of the form that have another meaning in the rest of the window.

class TestFieldEditing : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::RingsideWindow> m_window;

    const engine::Parameter& parameter(const char* path) { return *engine::findParameter(path); }
    QString shown(const char* path) { return m_window->experiment().fieldState(parameter(path)).text; }
    QLineEdit& edit(const char* path) {
        auto* field = m_window->findChild<ui::ParameterField*>(QStringLiteral("field:") + QLatin1String(path));
        auto* form = m_window->findChild<ui::ExperimentForm*>();
        if (field == nullptr || !form->focusParameter(path))
            qFatal("the form has no such field");
        return *field->findChild<QLineEdit*>();
    }
    QLineEdit& tp() {
        auto* combo = m_window->findChild<QComboBox*>(QStringLiteral("preset:parallel.tp"));
        combo->setFocus();
        return *combo->lineEdit();
    }
    /// Replaces the text of the field by typing, with pauses as a user makes them.
    void type(QLineEdit& field, const QString& text) {
        field.selectAll();
        QTest::keyClicks(field.window()->focusWidget(), text);
        QTest::qWait(120);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(m_window->focusWidget(), key, modifiers);
        QApplication::processEvents();
    }

private Q_SLOTS:
    void initTestCase() {
        m_window = tests::openWindow();
        QVERIFY(m_window->isActiveWindow());
    }
    void cleanup() { m_window->experiment().setDraft(tests::interactiveConfig().draft); }
    void cleanupTestCase() { m_window.reset(); }

    void whatIsTypedIntoTheTpDegreeIsNotCompleted_data() {
        QTest::addColumn<QString>("typed");
        for (const char* typed : {"1", "3", "6"})
            QTest::newRow(typed) << QString::fromLatin1(typed);
    }
    void whatIsTypedIntoTheTpDegreeIsNotCompleted() {
        QFETCH(const QString, typed);
        QLineEdit& field = tp();
        type(field, typed);
        QCOMPARE(field.text(), typed);
        // Another parameter changes while the field is edited.
        m_window->experiment().setText(parameter("cu.count"), QStringLiteral("40"));
        QCOMPARE(field.text(), typed);
        press(Qt::Key_Return);
        QCOMPARE(field.text(), typed);
        QCOMPARE(shown("parallel.tp"), typed);
    }

    void aBareNumberHasTheUnitThatIsShown_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("after");
        const auto row = [](const char* path, const char* before, const char* typed, const char* after) {
            QTest::addRow("%s %s", path, typed) << QString::fromLatin1(path) << QString::fromUtf8(before)
                                                << QString::fromUtf8(typed) << QString::fromUtf8(after);
        };
        row("link.bandwidth", "450 GB/s", "300", "300 GB/s");
        row("link.bandwidth", "450 GB/s", "0.55", "550 MB/s");
        row("link.bandwidth", "450 GB/s", "2 TB/s", "2 TB/s");
        row("link.bandwidth", "450 GB/s", "400 Gbit/s", "50 GB/s");
        row("link.latency", "1.5 µs", "2", "2 µs");
        row("link.latency", "500 ns", "2", "2 ns");
        row("arbitration.threshold", "64 KiB", "10", "10 KiB");
        row("arbitration.threshold", "64 KiB", "none", "none");
        row("cu.count", "80", "40", "40");
    }
    void aBareNumberHasTheUnitThatIsShown() {
        QFETCH(const QString, path);
        QFETCH(const QString, before);
        QFETCH(const QString, typed);
        QFETCH(const QString, after);
        const QByteArray name = path.toLatin1();
        m_window->experiment().setText(parameter(name.constData()), before);
        m_window->experiment().finishEdit();
        QLineEdit& field = edit(name.constData());
        QCOMPARE(field.text(), before);
        type(field, typed);
        QCOMPARE(field.text(), typed);  // the field keeps the typed text until the edit is finished
        press(Qt::Key_Return);
        QCOMPARE(field.text(), after);
        QCOMPARE(shown(name.constData()), after);
    }

    void ctrlZInAFieldTakesBackWhatIsTypedAndThenTheEditsBefore() {
        m_window->experiment().setText(parameter("cu.count"), QStringLiteral("40"));
        m_window->experiment().finishEdit();
        QLineEdit& field = edit("link.bandwidth");
        const QString before = field.text();
        type(field, QStringLiteral("75"));
        press(Qt::Key_Return);
        type(field, QStringLiteral("60"));
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field.text(), QStringLiteral("75 GB/s"));
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field.text(), before);
        press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!m_window->experiment().fieldState(parameter("cu.count")).changed);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(shown("cu.count"), QStringLiteral("40"));
        QVERIFY(field.hasFocus());
    }

    void ctrlZInTheTpDegreeReachesTheEditsOfOtherFields() {
        m_window->experiment().setText(parameter("cu.count"), QStringLiteral("40"));
        m_window->experiment().finishEdit();
        QLineEdit& field = tp();
        type(field, QStringLiteral("4"));
        press(Qt::Key_Return);
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field.text(), QStringLiteral("8"));
        press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!m_window->experiment().fieldState(parameter("cu.count")).changed);
    }

    void ctrlZTakesBackATextThatCannotBeReadAlsoWhereThereIsNoOtherStep() {
        for (QLineEdit* field : {&edit("link.bandwidth"), &tp()}) {
            field->setFocus();
            const QString before = field->text();
            type(*field, QStringLiteral("fast"));
            press(Qt::Key_Z, Qt::ControlModifier);
            QCOMPARE(field->text(), before);
            QVERIFY(m_window->experiment().isRunnable());
            QVERIFY(!m_window->experiment().undoStack().canUndo());
        }
    }

    void ctrlZInTheFilterUndoesItsOwnTextFirst() {
        m_window->experiment().setText(parameter("cu.count"), QStringLiteral("40"));
        m_window->experiment().finishEdit();
        auto* form = m_window->findChild<ui::ExperimentForm*>();
        auto* filter = form->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        filter->setFocus();
        type(*filter, QStringLiteral("link"));
        press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(filter->text().isEmpty());
        QCOMPARE(shown("cu.count"), QStringLiteral("40"));
        press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!m_window->experiment().fieldState(parameter("cu.count")).changed);
    }

    void escapeGivesBackWhatAFieldHeld() {
        for (QLineEdit* field : {&edit("link.bandwidth"), &tp()}) {
            field->setFocus();
            const QString before = field->text();
            for (const char* typed : {"4", "fast"}) {
                type(*field, QString::fromLatin1(typed));
                press(Qt::Key_Escape);
                QCOMPARE(field->text(), before);
                QVERIFY(field->hasFocus() || m_window->focusWidget() == field->parentWidget());
                QVERIFY(m_window->experiment().isRunnable());
            }
        }
        QVERIFY(!m_window->experiment().undoStack().canUndo());
    }

    void anEntryThatCannotBeReadStaysInItsFieldAndSaysWhyRunIsOff() {
        auto* run = m_window->findChild<QPushButton*>(QStringLiteral("run"));
        auto* stale = m_window->findChild<QToolButton*>(QStringLiteral("stale"));
        QLineEdit& field = edit("link.bandwidth");
        type(field, QStringLiteral("75"));
        QVERIFY(run->isEnabled());
        QCOMPARE(stale->text(), QStringLiteral("Settings changed: press Run"));
        type(field, QStringLiteral("75 furlongs"));
        press(Qt::Key_Return);
        QCOMPARE(field.text(), QStringLiteral("75 furlongs"));
        QVERIFY(!run->isEnabled());
        QVERIFY(stale->isVisible());
        QCOMPARE(stale->text(), QStringLiteral("Cannot run: correct Bandwidth per direction"));
        QVERIFY(stale->toolTip().contains(QStringLiteral("furlongs")));
        // The other command that runs shows the same message and moves the focus to the field.
        m_window->setFocus();
        m_window->runs().run();
        QVERIFY(field.hasFocus());
        type(field, QStringLiteral("75"));
        QVERIFY(run->isEnabled());
    }
};

RINGSIDE_WINDOW_TEST(TestFieldEditing)
#include "tst_field_editing.moc"
