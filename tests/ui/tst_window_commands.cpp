#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/editors/experiment_form.h"
#include "ui/editors/parameter_field.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/ringside_window.h"
#include "ui/workbench/command_palette.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/shortcut_editor.h"
#include "ui/workbench/shortcut_sheet.h"

#include <QComboBox>
#include <QDockWidget>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QStatusBar>
#include <QToolButton>
#include <QTreeWidget>

#include <memory>

using tests::openWindow;
using ui::RingsideWindow;

namespace {

void type(const QString& letters) { QTest::keyClicks(QApplication::focusWidget(), letters); }
void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key), modifiers);
}

bool isNamed(const QWidget& control) {
    const auto* button = qobject_cast<const QAbstractButton*>(&control);
    if (qobject_cast<const QLabel*>(&control) != nullptr)
        return true;  // the button shows its text
    return !control.accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty());
}

/// Returns whether a widget can get the keyboard focus, except Qt's internal parts.
bool isControl(const QWidget& widget) {
    if (widget.focusPolicy() == Qt::NoFocus || widget.inherits("QDockWidgetTitleButton") ||
        widget.inherits("QLineEditIconButton") || widget.inherits("QComboBoxPrivateContainer"))
        return false;
    const QWidget* parent = widget.parentWidget();
    return parent == nullptr || !(parent->inherits("QComboBox") || parent->inherits("QAbstractSpinBox") ||
                                  parent->inherits("QKeySequenceEdit") || parent->inherits("QAbstractScrollArea") ||
                                  parent->inherits("QComboBoxPrivateContainer") || parent->inherits("QTabBar"));
}

}  // namespace

class TestWindowCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCommandHasItsWordsAndNoKeyIsTaken() {
        const auto window = openWindow();
        QVERIFY(!window->workbench().commands().all().empty());
        for (const ui::Command& command : window->workbench().commands().all()) {
            QVERIFY2(!command.plainText().isEmpty(), qPrintable(command.id));
            QVERIFY2(command.id.contains(QLatin1Char('.')), qPrintable(command.id));
            for (const QKeySequence& key : command.keys) {
                const ui::Command* holder = window->workbench().commands().holderOf(key, command.id);
                QVERIFY2(holder == nullptr,
                         qPrintable(key.toString() + ": " + command.id + (holder ? ", " + holder->id : QString())));
            }
        }
    }

    void noLayoutTakesAKeyFromACommand() {
        const auto window = openWindow();
        window->workbench().commands().find("help.change-keys")->action->trigger();
        auto* layouts = window->findChild<ui::ShortcutEditor*>()->findChild<QComboBox*>();
        for (int layout = 0; layout < layouts->count(); ++layout) {
            Q_EMIT layouts->activated(layout);
            for (const ui::Command& command : window->workbench().commands().all())
                QVERIFY2(command.action->shortcuts().isEmpty() == command.keys.isEmpty(),
                         qPrintable(layouts->itemText(layout) + QStringLiteral(": ") + command.id));
        }
    }

    void everyCommandIsInItsMenu() {
        const auto window = openWindow();
        QList<QAction*> inMenus;
        for (const QMenu* menu : window->menuBar()->findChildren<QMenu*>())
            inMenus += menu->actions();
        for (const ui::Command& command : window->workbench().commands().all())
            QVERIFY2(inMenus.contains(command.action) == command.inMenu, qPrintable(command.id));
    }

    void everythingThatTakesTheKeyboardHasAnAccessibleName() {
        const auto window = openWindow();
        for (const QWidget* widget : window->findChildren<QWidget*>()) {
            if (isControl(*widget) && !widget->isHidden())
                QVERIFY2(isNamed(*widget), qPrintable(QString::fromLatin1(widget->metaObject()->className()) + u' ' +
                                                      widget->objectName()));
        }
    }

    void thePaletteOpensFromAFieldAndBringsAParameterIntoSight() {
        const auto window = openWindow();
        auto* form = window->findChild<ui::ExperimentForm*>();
        window->findChild<QDockWidget*>(QStringLiteral("experimentDock"))->hide();
        press(Qt::Key_F1);
        QVERIFY(window->findChild<ui::CommandPalette*>()->isVisible());
        type(QStringLiteral("tracker.ways"));
        press(Qt::Key_Return);
        QVERIFY(form->isVisible());
        auto* field = window->findChild<ui::ParameterField*>(QStringLiteral("field:tracker.ways"));
        QVERIFY(field != nullptr && field->isAncestorOf(QApplication::focusWidget()));
        QTRY_VERIFY(!field->visibleRegion().isEmpty());
        press(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(window->findChild<ui::CommandPalette*>()->isVisible());
    }

    void thePaletteListsADisabledCommandAndSaysWhyItIsDisabled() {
        const auto window = openWindow();
        press(Qt::Key_K, Qt::ControlModifier);
        type(QStringLiteral("handout"));
        const auto* list = window->findChild<ui::CommandPalette*>()->findChild<QListView*>();
        const QModelIndex first = list->model()->index(0, 0);
        QCOMPARE(first.data().toString(), QStringLiteral("Export Lesson as Handout…"));
        QVERIFY(first.data(ui::PaletteModel::where).toString().contains(QStringLiteral("No lesson is open.")));
        press(Qt::Key_Return);
        QVERIFY(!window->findChild<ui::CommandPalette*>()->isVisible());
        QVERIFY(window->statusBar()->currentMessage().contains(QStringLiteral("No lesson is open.")));
        press(Qt::Key_K, Qt::ControlModifier);
        type(QStringLiteral("video"));
        QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("Export Frames…"));
    }

    void everyParameterCanBeBroughtIntoSight() {
        const auto window = openWindow();
        auto* form = window->findChild<ui::ExperimentForm*>();
        for (const engine::Parameter& parameter : engine::parameters()) {
            QVERIFY2(form->focusParameter(parameter.path), parameter.path.c_str());
            QVERIFY2(form->isAncestorOf(QApplication::focusWidget()), parameter.path.c_str());
        }
        QVERIFY(!form->focusParameter("no.such"));
    }

    void thePaletteOpensAPresetAndRunsIt() {
        const auto window = openWindow();
        press(Qt::Key_K, Qt::ControlModifier);
        type(QStringLiteral("t-nlg/op/tp16"));
        QSignalSpy shown(&window->runs(), &ui::RunController::settled);
        press(Qt::Key_Return);
        QVERIFY(shown.wait(5'000));
        QCOMPARE(window->runs().shown()->run.experiment.parallel.tp, 16);
        QVERIFY(window->experiment().undoStack().canUndo());
    }

    void theQuestionMarkShowsTheSheetAndEscapePutsItAway() {
        const auto window = openWindow();
        window->workbench().pictures().focusCurrent();
        press(Qt::Key_Question);
        auto* sheet = window->findChild<ui::ShortcutSheet*>();
        QVERIFY(sheet->isVisible());
        const auto labels = sheet->findChildren<QLabel*>();
        for (const ui::Command& command : window->workbench().commands().all()) {
            const auto says = [&command](const QLabel* label) { return label->text() == command.plainText(); };
            const bool inSeries = command.id.back().isDigit();  // a series of commands has one line
            QVERIFY2(inSeries || command.keys.isEmpty() || std::any_of(labels.begin(), labels.end(), says),
                     qPrintable(command.id));
        }
        window->viewState().setCursor(1'000'000);
        press(Qt::Key_Escape);
        QVERIFY(!sheet->isVisible());
        QVERIFY(window->viewState().cursor());  // only the sheet was closed
    }

    void theQuestionMarkWorksWhileAButtonHasTheFocusAndIsALetterInAField() {
        const auto window = openWindow();
        auto* sheet = window->findChild<ui::ShortcutSheet*>();
        auto* button = window->findChild<QDockWidget*>(QStringLiteral("experimentDock"))->findChild<QPushButton*>();
        button->setFocus();
        QVERIFY(button->hasFocus());
        press(Qt::Key_Question);
        QVERIFY(sheet->isVisible());
        press(Qt::Key_Escape);
        press(Qt::Key_F1);
        type(QStringLiteral("?"));
        QCOMPARE(qobject_cast<QLineEdit*>(QApplication::focusWidget())->text(), QStringLiteral("?"));
        QVERIFY(!sheet->isVisible());
    }

    void theNoticeOfTheFirstRunIsGreyInformation() {
        const auto window = openWindow();  // the paper's own case, whose 28 heads are not divisible by 8 GPUs
        auto* notices = window->findChild<QToolButton*>(QStringLiteral("runNotices"));
        QVERIFY(notices->isVisible());
        const QIcon grey = ui::tintedIcon(QStringLiteral("info"), ui::paletteOf(*notices).inkSoft);
        QCOMPARE(notices->icon().pixmap(16, 16).toImage(), grey.pixmap(16, 16).toImage());
        notices->click();
        auto* card = window->findChild<QWidget*>(QStringLiteral("messageBar"));
        QVERIFY(card->isVisible());
        QCOMPARE(card->findChild<QLabel*>()->pixmap().toImage(), grey.pixmap(16, 16).toImage());
        const QColor wash = card->palette().color(QPalette::Window);
        QVERIFY(wash.hsvSaturation() < 60);
    }

    // In a wide window the sheet is shown completely. Otherwise it scrolls vertically, and never horizontally.
    void theSheetOfShortcutsIsNeverCut() {
        const auto window = openWindow();
        auto* sheet = window->findChild<ui::ShortcutSheet*>();
        for (const QSize size : {QSize(1280, 720), QSize(1440, 900), QSize(1920, 1080), QSize(2560, 1440)}) {
            window->resize(size);
            QApplication::processEvents();
            sheet->openNow();
            QApplication::processEvents();
            const auto* scroll = sheet->findChild<QScrollArea*>();
            const QSize room = scroll->viewport()->size();
            QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
            for (const QLabel* label : scroll->widget()->findChildren<QLabel*>()) {
                const QRect place(label->mapTo(scroll->widget(), QPoint()), label->size());
                QVERIFY2(label->width() >= label->sizeHint().width() && place.right() <= room.width(),
                         qPrintable(label->text()));
            }
            QVERIFY(window->rect().contains(sheet->geometry()));
            const bool large = window->height() >= 1080;
            QVERIFY(!large || scroll->verticalScrollBar()->maximum() == 0);
            // The sheet must not have empty space while its lines need scrolling.
            QVERIFY(scroll->verticalScrollBar()->maximum() == 0 || sheet->width() > window->width() / 2);
        }
        window->resize(1280, 720);  // while the sheet is open
        QApplication::processEvents();
        QCOMPARE(sheet->findChild<QScrollArea*>()->horizontalScrollBar()->maximum(), 0);
    }

    void presentingShowsThePictureAloneInLargerTypeAndComesBackAsItWas() {
        const auto window = openWindow();
        auto* runs = window->findChild<QDockWidget*>(QStringLiteral("runsDock"));
        auto* form = window->findChild<QDockWidget*>(QStringLiteral("experimentDock"));
        auto* time = window->findChild<QWidget*>(QStringLiteral("transport"))->findChild<QLabel*>();
        runs->hide();
        const double size = window->workbench().pictures().font().pointSizeF(), timeSize = time->font().pointSizeF();
        const double larger = tests::presenterEnlargement(*window);
        press(Qt::Key_F11);
        QVERIFY(form->isHidden() && window->menuBar()->isHidden());
        QCOMPARE(window->workbench().pictures().font().pointSizeF(), size * larger);
        QCOMPARE(time->font().pointSizeF(), timeSize * larger);
        press(Qt::Key_F11);  // the key works although the menu is hidden
        QVERIFY(!form->isHidden() && runs->isHidden() && !window->menuBar()->isHidden());
        QCOMPARE(window->workbench().pictures().font().pointSizeF(), size);
        QVERIFY(!window->isFullScreen());
    }

    void controlsBesideThePictureKeepTheirOwnKeys() {
        const auto window = openWindow();
        window->resize(2400, window->height());  // with enough room the slider is shown
        QApplication::processEvents();
        auto* speed = window->findChild<QWidget*>(QStringLiteral("transport"))->findChild<QSlider*>();
        speed->setFocus();
        const int before = speed->value();
        const data::TimeRange range = window->viewState().range();
        press(Qt::Key_Right);
        QVERIFY(speed->value() > before);
        QCOMPARE(window->viewState().range(), range);
    }

    void aKeyIsChangedInTheDialogAndAConflictIsExplainedThere() {
        const auto window = openWindow();
        window->workbench().commands().find("help.change-keys")->action->trigger();
        auto* dialog = window->findChild<ui::ShortcutEditor*>();
        QVERIFY(dialog != nullptr);
        auto* tree = dialog->findChild<QTreeWidget*>();
        const auto items = tree->findItems(QStringLiteral("Zoom In"), Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(items.size(), 1);
        tree->setCurrentItem(items.front());
        auto* key = dialog->findChild<QKeySequenceEdit*>();
        auto* answer = dialog->findChild<QLabel*>(QStringLiteral("answer"));
        key->setKeySequence(QKeySequence(Qt::Key_S));
        QVERIFY(answer->text().contains(QStringLiteral("Zoom Out")));
        QCOMPARE(items.front()->text(1), QStringLiteral("W, +"));
        key->setKeySequence(QKeySequence(Qt::Key_E));
        QCOMPARE(items.front()->text(1), QStringLiteral("E"));
        QVERIFY(
            window->workbench().commands().find("view.zoom-in")->action->shortcuts().contains(QKeySequence(Qt::Key_E)));
        dialog->findChild<QComboBox*>()->activated(2);
        QVERIFY(window->workbench()
                    .commands()
                    .find("view.pan-left")
                    ->action->shortcuts()
                    .contains(QKeySequence(Qt::Key_Q)));
        QCOMPARE(items.front()->text(1), QStringLiteral("E"));  // a key set by hand has priority over the layout
        for (const QWidget* widget : dialog->findChildren<QWidget*>()) {
            if (isControl(*widget))
                QVERIFY2(isNamed(*widget), widget->metaObject()->className());
        }
    }
};

RINGSIDE_WINDOW_TEST(TestWindowCommands)
#include "tst_window_commands.moc"
