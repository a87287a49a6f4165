#pragma once

#include <QEvent>
#include <QRect>
#include <QString>

#include <functional>
#include <initializer_list>

class QKeyEvent;
class QWidget;

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

}  // namespace ui
