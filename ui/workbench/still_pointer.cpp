#include "ui/workbench/still_pointer.h"

#include "ui/look/widget_parts.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QTimer>

namespace ui {

StillPointer::StillPointer(QObject* parent, int stillMs)
    : QObject(parent), m_still(pauseTimer(this, stillMs, [this] { hide(); })), m_last(QCursor::pos()) {
    qApp->installEventFilter(this);
    m_still->start();
}

StillPointer::~StillPointer() { show(); }

bool StillPointer::eventFilter(QObject*, QEvent* event) {
    const bool pressed = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::Wheel;
    // Qt also tells of a movement when something moves under a pointer that rests.
    const bool moved = event->type() == QEvent::MouseMove && QCursor::pos() != m_last;
    if (pressed || moved) {
        m_last = QCursor::pos();
        show();
        m_still->start();
    }
    return false;
}

void StillPointer::hide() {
    if (!m_hidden)
        QApplication::setOverrideCursor(Qt::BlankCursor);
    m_hidden = true;
}

void StillPointer::show() {
    if (m_hidden)
        QApplication::restoreOverrideCursor();
    m_hidden = false;
}

}  // namespace ui
