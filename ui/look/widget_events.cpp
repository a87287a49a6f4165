#include "ui/look/widget_events.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QWidget>

#include <algorithm>
#include <utility>
#include <vector>

namespace ui {
namespace {

/// Shows the events of one widget to a function, which says whether they end there.
class EventWatch final : public QObject {
public:
    EventWatch(QWidget& watched, QObject* owner, std::function<bool(QEvent&)> look)
        : QObject(owner != nullptr ? owner : &watched), m_look(std::move(look)) {
        watched.installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override { return m_look(*event); }

private:
    std::function<bool(QEvent&)> m_look;
};

}  // namespace

void onEvents(QWidget& watched, std::initializer_list<QEvent::Type> types, std::function<void()> act, QObject* owner) {
    new EventWatch(watched, owner, [types = std::vector(types), act = std::move(act)](const QEvent& event) {
        if (std::find(types.begin(), types.end(), event.type()) != types.end())
            act();
        return false;
    });
}

void followColours(QWidget& widget, std::function<void()> act) {
    act();
    onEvents(widget, {QEvent::PaletteChange}, std::move(act));
}

void keepKeys(QWidget& widget, std::function<bool(const QKeyEvent&)> wants) {
    new EventWatch(widget, nullptr, [wants = std::move(wants)](QEvent& event) {
        if (event.type() == QEvent::ShortcutOverride && wants(static_cast<QKeyEvent&>(event)))
            event.accept();
        return false;
    });
}

bool isPlain(const QKeyEvent& key) { return (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier; }

bool isArrow(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

bool isEnter(int key) { return key == Qt::Key_Return || key == Qt::Key_Enter; }

void tellAt(QWidget& widget, std::function<Tip(QPoint)> tipAt) {
    new EventWatch(widget, nullptr, [&widget, tipAt = std::move(tipAt)](QEvent& event) {
        if (event.type() != QEvent::ToolTip)
            return false;
        const auto& help = static_cast<QHelpEvent&>(event);
        const Tip tip = tipAt(help.pos());
        QToolTip::showText(help.globalPos(), tip.text, &widget, tip.within);
        return true;
    });
}

}  // namespace ui
