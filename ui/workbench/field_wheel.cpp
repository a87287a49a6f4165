#include "ui/workbench/field_wheel.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDial>
#include <QEvent>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSlider>
#include <QTextEdit>

namespace ui {
namespace {

bool holdsValue(const QWidget* widget) {
    return qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QSlider*>(widget) != nullptr || qobject_cast<const QDial*>(widget) != nullptr;
}

bool isTextBox(const QWidget* widget) {
    return qobject_cast<const QPlainTextEdit*>(widget) != nullptr || qobject_cast<const QTextEdit*>(widget) != nullptr;
}

bool standsInScrollArea(const QWidget* widget) {
    for (const QWidget* around = widget->parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (qobject_cast<const QScrollArea*>(around) != nullptr)
            return true;
    }
    return false;
}

/// Returns the field that would take a wheel event sent to `widget`, or null. A text box gets its events through its
/// viewport.
const QWidget* fieldOf(const QWidget* widget) {
    if (holdsValue(widget))
        return widget;
    const QWidget* around = widget->parentWidget();
    return around != nullptr && isTextBox(around) && standsInScrollArea(around) ? around : nullptr;
}

}  // namespace

FieldWheel::FieldWheel(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool FieldWheel::eventFilter(QObject* watched, QEvent* event) {
    if ((event->type() != QEvent::Wheel && event->type() != QEvent::Polish) || !watched->isWidgetType())
        return false;
    auto* widget = static_cast<QWidget*>(watched);
    if (event->type() == QEvent::Polish) {
        // Qt gives the focus to such a field before it delivers the wheel event, and the field would then handle the
        // event.
        if (widget->focusPolicy() == Qt::WheelFocus && (holdsValue(widget) || isTextBox(widget)))
            widget->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    const QWidget* field = fieldOf(widget);
    if (field == nullptr || field->hasFocus())
        return false;
    event->ignore();  // Qt then passes it to the parent
    return true;
}

}  // namespace ui
