#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QWidget>

namespace tests {

/// Moves the mouse over a widget while these buttons are pressed.
inline void moveTo(QWidget& target, QPoint at) {
    QMouseEvent event(QEvent::MouseMove, at, target.mapToGlobal(at), Qt::NoButton, QGuiApplication::mouseButtons(), {});
    QApplication::sendEvent(&target, &event);
}

}  // namespace tests
