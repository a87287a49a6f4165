#pragma once

#include <QColor>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFont>
#include <QIcon>
#include <QMargins>
#include <QObject>
#include <QPushButton>
#include <QRect>
#include <QString>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>

class QAction;
class QDialog;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QPainter;
class QProgressBar;
class QRectF;
class QScrollArea;
class QTableView;
class QTimer;
class QToolButton;

namespace ui {

/// Calls `act` whenever `watched` receives an event of one of `types`, just before `watched` handles it, until `owner`
/// is destroyed, or until `watched` is destroyed if there is no owner.
void onEvents(QWidget& watched, std::initializer_list<QEvent::Type> types, std::function<void()> act,
              QObject* owner = nullptr);

/// Calls `act` at once, and again whenever the palette of `widget` has changed.
void followColours(QWidget& widget, std::function<void()> act);

/// Lets `widget` handle the keys that `wants` accepts, even if they are shortcuts of window commands.
void keepKeys(QWidget& widget, std::function<bool(const QKeyEvent&)> wants);

/// Returns whether a key is pressed without modifiers; the number pad does not count as a modifier.
bool isPlain(const QKeyEvent& key);
bool isArrow(int key);
bool isEnter(int key);

/// Returns whether a key steps through the marks of a chart: an arrow, Home or End.
bool isStepKey(int key);
/// Returns the mark to which such a key leads from the one at `at` of `count`, at least one: Right and Up to the next
/// one, Left and Down to the one before, or to the first one if none is chosen.
std::size_t steppedBy(int key, std::optional<std::size_t> at, std::size_t count);

/// Paints the dotted frame of a part of a picture that has the focus.
void paintFocusFrame(QPainter& painter, const QRectF& frame, const QColor& color);

/// The text of a tool tip and the part of the widget that it describes; an empty text means no tool tip.
struct Tip {
    QString text;
    QRect within;
};

/// Shows the tool tip that `tipAt` returns for the position in `widget` where the pointer rests.
void showTipAt(QWidget& widget, std::function<Tip(QPoint)> tipAt);

/// Lets Ctrl+Z in a field undo the last edit of the experiment, as everywhere else in the window: the field's own undo
/// history, which covers this field only, never receives the key. While a text is being typed, Ctrl+Z and Escape call
/// `restore`, which gives the field its former text back; if `restore` is empty, both keys go to the window.
void leaveUndoToTheWindow(QLineEdit& edit, std::function<void()> restore = {});

/// Lets Ctrl+Z use the field's own undo history first, and the window's once that is used up. For a field that is not
/// part of the experiment, such as a filter.
void shareUndoWithTheWindow(QLineEdit& edit);

/// Event filter that lets the controls within a picture handle the keys that they need: a slider its arrows, a list its
/// letters, a button its Space. Without it, the picture's commands with the same keys would take them.
class ControlKeyFilter final : public QObject {
    Q_OBJECT

public:
    /// Applies to every control inside `picture` that ever receives the focus.
    explicit ControlKeyFilter(QWidget& picture);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Returns a new layout with these margins and with `spacing` between its items (-1: the style's default). Without a
/// `parent` the layout is meant to be nested in another one.
template <class Layout>
Layout* newLayout(QWidget* parent, const QMargins& margins, int spacing = -1) {
    auto* layout = new Layout(parent);
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    return layout;
}

/// Returns a new layout without margins.
template <class Layout>
Layout* flushLayout(QWidget* parent, int spacing = -1) {
    return newLayout<Layout>(parent, {}, spacing);
}

/// Adds widgets to a layout, a splitter or a stack, in this order.
template <class Holder>
void addWidgets(Holder& holder, std::initializer_list<QWidget*> widgets) {
    for (QWidget* widget : widgets)
        holder.addWidget(widget);
}

/// Returns a button whose click calls `order`: a member function of the receiver, or a functor that is disconnected
/// when the receiver is destroyed.
template <class Receiver, class Order>
QPushButton* newButton(const QString& text, const QString& name, QWidget* parent, Receiver* receiver, Order order) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    QObject::connect(button, &QPushButton::clicked, receiver, order);
    return button;
}

/// Sets the object name of a widget, by which sessions and tests find it, and the name that a screen reader says.
void setNames(QWidget& widget, const QString& name, const QString& spoken);

/// Returns a label that wraps its text.
QLabel* newWrappedLabel(QWidget* parent, const QString& name = {});

/// Returns a scroll area without a frame that resizes its widget to its own width; `name` is what a screen reader says.
QScrollArea* newScrollArea(QWidget* parent, const QString& name = {});

/// Opens a dialog, which is deleted once it is closed.
void openOnce(QDialog& dialog);

/// Returns a single-shot timer, a child of `owner`, that calls `act` when `ms` milliseconds have passed since its last
/// start.
QTimer* pauseTimer(QObject* owner, int ms, std::function<void()> act);

/// Makes a button flat and gives it a tool tip. A screen reader says `name`, or the tool tip if `name` is empty.
void makeFlat(QToolButton& button, const QString& tip, const QString& name = {});

/// Returns a button for an action; the Tab key reaches it.
QToolButton* newActionButton(QAction* action, QWidget* parent);

/// Makes a progress bar of `steps` steps that is `height` pixels high and shows no text; `name` is what a screen reader
/// says.
void makeThin(QProgressBar& bar, int steps, int height, const QString& name);

/// Sets the text colour of a widget.
void setInk(QWidget& widget, const QColor& color);

/// Makes a widget keep its place in a layout while it is hidden.
void keepRoom(QWidget& widget);

/// Sets up a table in which whole rows are selected, without a grid and without row numbers.
void makeRows(QTableView& table);

/// Sets up such a table for sorting by a click on a column heading, for selecting one or several rows and without
/// editing. At first the rows are in the order of the model, which `table` must already have. The last column takes the
/// remaining width.
void makeSortedRows(QTableView& table);

/// Returns the button box of a dialog with `button`, which accepts it, and Cancel. `verb` replaces the text of `button`
/// unless it is empty.
QDialogButtonBox* acceptOrCancel(QDialog& dialog, QDialogButtonBox::StandardButton button, const QString& verb = {});

/// Returns `font` at `factor` times its size.
QFont scaledFont(QFont font, double factor, QFont::Weight weight = QFont::Normal);

/// Returns `font` in the weight of headings and selected items.
QFont strongFont(QFont font);

/// Sets the font of `widget` to `factor` times the size of its parent's font, and keeps it so while the window's font
/// size changes. `widget` must already have a parent.
void setRelativeFont(QWidget& widget, double factor, QFont::Weight weight = QFont::Normal);

/// Returns one of the bundled icons in `color`, sharp at 1x, 2x and 3x.
QIcon tintedIcon(const QString& name, const QColor& color);

/// Returns one of the bundled icons in the colour of the widget's text, fainter when disabled.
QIcon tintedIcon(const QString& name, const QWidget& widget);

struct Palette;

/// Returns the style sheet of a row of tool buttons that are chosen one at a time or switched on and off. A chosen
/// button is recognisable from the back of a lecture room. Set the style sheet on the widget that holds the buttons,
/// and again whenever its palette or font changes, because a widget with a style sheet does not follow the font of its
/// parent.
QString switchSheet(const Palette& colors, const QFont& font);

}  // namespace ui
