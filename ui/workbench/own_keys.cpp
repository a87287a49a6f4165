#include "ui/workbench/own_keys.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>

namespace ui {
namespace {

bool movesAlongList(int key) {
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Home || key == Qt::Key_End ||
           key == Qt::Key_PageUp || key == Qt::Key_PageDown;
}

bool keeps(const QObject* control, const QKeyEvent& key) {
    if ((key.modifiers() & ~Qt::KeypadModifier) != 0)
        return false;
    if (qobject_cast<const QAbstractButton*>(control) != nullptr)
        return key.key() == Qt::Key_Space;
    if (qobject_cast<const QAbstractItemView*>(control) != nullptr)
        return movesAlongList(key.key());
    const bool moves = movesAlongList(key.key()) || key.key() == Qt::Key_Left || key.key() == Qt::Key_Right;
    if (qobject_cast<const QAbstractSlider*>(control) != nullptr)
        return moves;
    return moves || key.text().size() == 1;  // a list of choices, which is searched by letters
}

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractItemView*>(widget) != nullptr;
}

}  // namespace

OwnKeys::OwnKeys(QWidget& picture) : QObject(&picture) {
    connect(qApp, &QApplication::focusChanged, this, [this, &picture](QWidget*, QWidget* now) {
        if (now != nullptr && picture.isAncestorOf(now) && isControl(now))
            now->installEventFilter(this);
    });
}

bool OwnKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride || !keeps(watched, *static_cast<QKeyEvent*>(event)))
        return false;
    event->accept();
    return true;
}

}  // namespace ui
