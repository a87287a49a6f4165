#include "ui/workbench/availability.h"

#include "ui/workbench/commands.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr auto kWhyNot = "whyNotAvailable";

/// Returns whether the command's shortcuts would work at the widget with the focus if the command were available.
bool worksHere(const Command& command) {
    const QWidget* focus = QApplication::focusWidget();
    return command.within == nullptr || command.within == focus || command.within->isAncestorOf(focus);
}

}  // namespace

void setAvailable(QAction& action, bool available, const QString& whyNot) {
    action.setProperty(kWhyNot, whyNot);
    action.setEnabled(available);
}

QString whyNotAvailable(const QAction& action) {
    return action.isEnabled() ? QString() : action.property(kWhyNot).toString();
}

RefusedShortcuts::RefusedShortcuts(QWidget& window, Commands& commands, std::function<void(const QString&)> say)
    : QObject(&commands), m_commands(commands), m_say(std::move(say)) {
    window.installEventFilter(this);
}

bool RefusedShortcuts::eventFilter(QObject*, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return false;
    const QKeySequence key(static_cast<QKeyEvent*>(event)->keyCombination());
    const std::vector<Command>& all = m_commands.all();
    const auto refused = std::ranges::find_if(all, [&key](const Command& command) {
        return !whyNotAvailable(*command.action).isEmpty() && command.action->shortcuts().contains(key) &&
               worksHere(command);
    });
    if (refused == all.end())
        return false;
    m_say(whyNotAvailable(*refused->action));
    return true;
}

}  // namespace ui
