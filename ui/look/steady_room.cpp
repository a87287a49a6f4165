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

QSize SteadyRoom::sizeHint() const { return m_label->wordWrap() ? m_label->sizeHint() : m_room; }

QSize SteadyRoom::minimumSizeHint() const { return m_label->wordWrap() ? m_label->minimumSizeHint() : m_room; }

// Asks the label whether it wraps, because its size policy has a height for a width only once it has a text.
bool SteadyRoom::hasHeightForWidth() const { return m_label->wordWrap(); }

int SteadyRoom::heightForWidth(int width) const { return m_label->heightForWidth(width); }

void SteadyRoom::follow() {
    if (m_label->wordWrap()) {
        const int lines = m_label->heightForWidth(width());
        if (std::exchange(m_lines, lines) != lines)
            updateGeometry();
        return;
    }
    const QSize wanted = m_label->sizeHint().expandedTo(m_room);
    if (std::exchange(m_room, wanted) != wanted)
        updateGeometry();
}

void SteadyRoom::forget() {
    const QSize wanted = m_label->sizeHint();
    if (std::exchange(m_room, wanted) != wanted)
        updateGeometry();
}

// Handles the label's layout request. This widget has no layout, so the request does not reach the layouts around it.
bool SteadyRoom::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest)
        follow();
    return QWidget::event(event);
}

void SteadyRoom::resizeEvent(QResizeEvent*) {
    m_label->setGeometry(rect());
    follow();
}

}  // namespace ui
