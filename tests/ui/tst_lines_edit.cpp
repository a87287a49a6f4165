#include "tests/ui/window_test.h"

#include "engine/api/parameters.h"
#include "ui/editors/experiment_form.h"
#include "ui/editors/lines_edit.h"
#include "ui/editors/parameter_field.h"
#include "ui/shared/experiment_model.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace ui;

// A field for a text with lines, alone and in the form of the experiment.
class TestLinesEdit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void typingIsToldAndSettingATextIsNot() {
        LinesEdit edit(100, nullptr);
        QSignalSpy edited(&edit, &LinesEdit::textEdited);
        edit.setText(QStringLiteral("a: gemm b 8 8\nc: gemm b 8 8"));
        QCOMPARE(edited.count(), 0);
        QVERIFY(!edit.isModified());
        QTest::keyClicks(&edit, QStringLiteral("#"));
        QVERIFY(edited.count() >= 1);
        QVERIFY(edit.isModified());
        QCOMPARE(edit.text(), QStringLiteral("#a: gemm b 8 8\nc: gemm b 8 8"));
    }

    void aTextIsNotLongerThanAllowed() {
        LinesEdit edit(4, nullptr);
        QTest::keyClicks(&edit, QStringLiteral("abcdefg"));
        QCOMPARE(edit.text(), QStringLiteral("abcd"));
    }

    void tabAndFocusLeaveTheField() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* edit = new LinesEdit(100, &window);
        auto* next = new LinesEdit(100, &window);
        column->addWidget(edit);
        column->addWidget(next);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        edit->setFocus();
        QTRY_VERIFY(edit->hasFocus());
        QSignalSpy finished(edit, &LinesEdit::editingFinished);
        QTest::keyClick(edit, Qt::Key_Tab);
        QTRY_VERIFY(next->hasFocus());
        QCOMPARE(finished.count(), 1);
        QVERIFY(edit->text().isEmpty());
    }

    void escapeGivesUpWhatWasTypedAndNothingElse() {
        LinesEdit edit(100, nullptr);
        QSignalSpy escaped(&edit, &LinesEdit::escaped);
        QTest::keyClick(&edit, Qt::Key_Escape);
        QCOMPARE(escaped.count(), 0);
        QTest::keyClicks(&edit, QStringLiteral("a"));
        QTest::keyClick(&edit, Qt::Key_Escape);
        QCOMPARE(escaped.count(), 1);
    }

    void theFormNamesAMistakeWithItsLine() {
        ExperimentModel model;
        data::ExperimentDraft draft;
        draft.explicitValues = {{"workload.model", std::string("alexnet")}};
        model.setDraft(draft);
        ExperimentForm form(model);
        auto* field = form.findChild<ParameterField*>(QStringLiteral("field:workload.network"));
        QVERIFY(field != nullptr);
        auto* edit = field->findChild<LinesEdit*>();
        QVERIFY(edit != nullptr && edit->text().startsWith(QStringLiteral("let conv = columns\n")));
        // A network has no run, and nothing is wrong with that.
        QVERIFY(!model.isRunnable());
        QVERIFY(model.fieldState(*engine::findParameter("workload.model")).problem.isEmpty());
        edit->setText(QStringLiteral("a: gemm b 8 8\nc: gem b 8 8"));
        edit->setModified(true);
        Q_EMIT edit->textEdited();
        form.commit();
        const FieldState state = model.fieldState(*engine::findParameter("workload.network"));
        QVERIFY2(state.problem.startsWith(QStringLiteral("line 2, column 4: no kind of operator")),
                 qPrintable(state.problem));
        QVERIFY(state.changed);
        QVERIFY(field->restore());
        QTRY_VERIFY(edit->text().startsWith(QStringLiteral("let conv = columns\n")));
    }
};

RINGSIDE_WINDOW_TEST(TestLinesEdit)
#include "tst_lines_edit.moc"
