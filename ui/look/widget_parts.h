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

#include <functional>
#include <initializer_list>

class QAction;
class QDialog;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QProgressBar;
class QScrollArea;
class QTableView;
class QTimer;
class QToolButton;

namespace ui {

/// Calls `act` whenever `watched` gets an event of one of `types`, just before it handles that event, for as long as `owner`
/// lives; without one as long as `watched` does.
void onEvents(QWidget& watched, std::initializer_list<QEvent::Type> types, std::function<void()> act,
              QObject* owner = nullptr);

/// Calls `act` at once, and again whenever the colours that `widget` is drawn in have changed.
void followColours(QWidget& widget, std::function<void()> act);

/// Lets `widget` have the keys that `wants` accepts, although commands of the window lie on some of them.
void keepKeys(QWidget& widget, std::function<bool(const QKeyEvent&)> wants);

/// Returns whether a key is pressed alone; being on the number pad does not count.
bool isPlain(const QKeyEvent& key);
bool isArrow(int key);
bool isEnter(int key);

/// What a tool tip tells, of which part of its widget; an empty text is no tool tip.
struct Tip {
    QString text;
    QRect within;
};

/// Shows what `tipAt` tells of a place in `widget` once the pointer rests there.
void tellAt(QWidget& widget, std::function<Tip(QPoint)> tipAt);

/// Lets Ctrl+Z in a field take back an edit of the experiment, as it does everywhere else in the window: the field's own
/// history, which knows of one field only, never sees the key. While a text is being typed, Ctrl+Z and Escape call
/// `restore`, which gives the field back what it held before; where that is empty, both are left to the window.
void leaveUndoToTheWindow(QLineEdit& edit, std::function<void()> restore = {});

/// The same for a line that has no part in the experiment, such as a filter: its own history comes first, and Ctrl+Z is
/// left to the window once that is used up.
void shareUndoWithTheWindow(QLineEdit& edit);

/// Lets the controls within a picture keep the keys that they are used with: a slider its arrows, a list its letters, a
/// button its Space. Without this the picture's commands, which lie on the same keys, would take them.
class OwnKeys final : public QObject {
    Q_OBJECT

public:
    /// For every control inside `picture` that ever gets the focus.
    explicit OwnKeys(QWidget& picture);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Returns a new layout with these margins, with the usual distance between its parts or `spacing`. Without a `parent` it
/// goes into another layout.
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

/// Returns a button whose click asks the receiver for `order`, a member of it or a functor that lives as long as it does.
template <class Receiver, class Order>
QPushButton* newButton(const QString& text, const QString& name, QWidget* parent, Receiver* receiver, Order order) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    QObject::connect(button, &QPushButton::clicked, receiver, order);
    return button;
}

/// Gives a widget the name that sessions and tests know it by, and the one that a screen reader says.
void setNames(QWidget& widget, const QString& name, const QString& spoken);

/// Returns a label whose words go on in the next line where there is no room.
QLabel* newWrappedLabel(QWidget* parent, const QString& name = {});

/// Returns an area without a frame, whose widget is as wide as the area; `name` is what a screen reader says.
QScrollArea* newScrollArea(QWidget* parent, const QString& name = {});

/// Opens a dialog, which is deleted once it is closed.
void openOnce(QDialog& dialog);

/// Returns a timer, a child of `owner`, that calls `act` once when `ms` have passed since its last start.
QTimer* pauseTimer(QObject* owner, int ms, std::function<void()> act);

/// Makes a button flat, with a tool tip that is also what a screen reader says, unless `name` is.
void makeFlat(QToolButton& button, const QString& tip, const QString& name = {});

/// Returns a button for an action, reached by Tab.
QToolButton* newActionButton(QAction* action, QWidget* parent);

/// Makes a bar of `steps` that is as high as a line is thick and has no words; `name` is what a screen reader says.
void makeThin(QProgressBar& bar, int steps, int height, const QString& name);

/// Sets the colour of a widget's words.
void setInk(QWidget& widget, const QColor& color);

/// Lets a widget keep its room in a layout while it is hidden.
void keepRoom(QWidget& widget);

/// Makes a table of whole rows without a grid, whose lines have no numbers.
void makeRows(QTableView& table);

/// The same of rows that are chosen one or several at a time, sorted by a click on a heading and never edited; at first
/// they stand in the order of the model, which `table` needs by now. The last column takes what room is left.
void makeSortedRows(QTableView& table);

/// Returns the buttons of a dialog that is accepted with `button`, which is called `verb` unless that is empty, or left.
QDialogButtonBox* acceptOrCancel(QDialog& dialog, QDialogButtonBox::StandardButton button, const QString& verb = {});

/// Returns `font` at `factor` times its size.
QFont scaledFont(QFont font, double factor, QFont::Weight weight = QFont::Normal);

/// Returns `font` in the weight of headings and of what is chosen.
QFont strongFont(QFont font);

/// Type of `factor` times the size around it, for as long as `widget` lives: it grows with the window's type, which a
/// font that was set once would not. `widget` needs its parent by now.
void setRelativeFont(QWidget& widget, double factor, QFont::Weight weight = QFont::Normal);

/// One of the bundled drawings in `color`, sharp at 1x, 2x and 3x.
QIcon tintedIcon(const QString& name, const QColor& color);

/// In the colour of the widget's text, fainter when disabled.
QIcon tintedIcon(const QString& name, const QWidget& widget);

struct Palette;

/// How a row of tool buttons looks of which one is chosen, or each is on or off: a chosen one cannot be overlooked from the
/// last row of a room. For the widget that holds them, whenever its palette or its font changes: what has a style sheet
/// does not follow the type around it.
QString switchSheet(const Palette& colors, const QFont& font);

}  // namespace ui
