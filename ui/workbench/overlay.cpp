#include "ui/workbench/overlay.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QApplication>
#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QPainter>

namespace ui {

Overlay::Overlay(QWidget& window) : QFrame(&window) {
    setFrameStyle(QFrame::Box | QFrame::Plain);  // room for the line that paintEvent() draws
    auto* shadow = new QGraphicsDropShadowEffect(this);
    shadow->setBlurRadius(fontMetrics().height() * 2);
    shadow->setOffset(0, fontMetrics().height() / 4.0);
    shadow->setColor(QColor(0, 0, 0, 110));
    setGraphicsEffect(shadow);
    // Takes Escape before the window's shortcut, which would cancel a run.
    keepKeys(*this, [](const QKeyEvent& key) { return key.key() == Qt::Key_Escape; });
    onEvents(
        window, {QEvent::Resize},
        [this] {
            if (isVisible())
                place();
        },
        this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (isVisible() && now != nullptr && now != this && !isAncestorOf(now))
            dismiss();
    });
    hide();
}

void Overlay::open() {
    if (!isVisible())
        m_focusBefore = QApplication::focusWidget();
    place();
    show();
    raise();
    firstFocus()->setFocus(Qt::PopupFocusReason);
}

void Overlay::dismiss() {
    if (!isVisible())
        return;
    const bool hadFocus = isAncestorOf(QApplication::focusWidget()) || hasFocus();
    hide();
    if (hadFocus && m_focusBefore)
        m_focusBefore->setFocus(Qt::PopupFocusReason);
}

void Overlay::place() {
    arrangeFor(parentWidget()->rect());
    setGeometry(placeIn(parentWidget()->rect()));
}

void Overlay::paintEvent(QPaintEvent*) {
    // Paints an outline, because the shadow is invisible on a dark background.
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    painter.fillRect(rect(), colors.window);
    painter.setPen(colors.inkFaint);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void Overlay::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

}  // namespace ui
