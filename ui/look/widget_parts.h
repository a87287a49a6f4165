#pragma once

#include <QDialogButtonBox>
#include <QString>
#include <QWidget>

#include <functional>

class QAction;
class QDialog;
class QLabel;
class QProgressBar;
class QTableView;
class QTimer;
class QToolButton;

namespace ui {

/// Returns a new layout for `parent` without margins, with the usual distance between its parts or `spacing`.
template <class Layout>
Layout* flushLayout(QWidget* parent, int spacing = -1) {
    auto* layout = new Layout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    return layout;
}

/// Gives a widget the name that sessions and tests know it by, and the one that a screen reader says.
void setNames(QWidget& widget, const QString& name, const QString& spoken);

/// Returns a label whose words go on in the next line where there is no room.
QLabel* newWrappedLabel(QWidget* parent, const QString& name = {});

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

/// Returns the buttons of a dialog that is accepted with `button`, which is called `verb` unless that is empty, or left.
QDialogButtonBox* acceptOrCancel(QDialog& dialog, QDialogButtonBox::StandardButton button, const QString& verb = {});

}  // namespace ui
