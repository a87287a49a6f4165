#include "ui/look/steady_room.h"

#include <QEvent>
#include <QLabel>

#include <utility>

namespace ui {

SteadyRoom::SteadyRoom(QLabel* label, QWidget* parent) : QWidget(parent), m_label(label) {
    m_label->setParent(this);
    setSizePolicy(m_label->sizePolicy());
    follow();
}

void SteadyRoom::follow() {
    const QSize wanted = m_label->sizeHint().expandedTo(m_room);
    if (std::exchange(m_room, wanted) != wanted)
        updateGeometry();
}

void SteadyRoom::forget() {
    const QSize wanted = m_label->sizeHint();
    if (std::exchange(m_room, wanted) != wanted)
        updateGeometry();
}

// Without a layout of its own it hears of the label's wish, and nobody else does.
bool SteadyRoom::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest)
        follow();
    return QWidget::event(event);
}

void SteadyRoom::resizeEvent(QResizeEvent*) { m_label->setGeometry(rect()); }

}  // namespace ui
