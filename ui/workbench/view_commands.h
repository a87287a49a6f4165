#pragma once

#include "ui/workbench/commands.h"

#include <utility>
#include <vector>

namespace ui {

/// The commands of one view, which hold while it has the focus. It makes them before the window has them, for its buttons
/// and menus; the window adopts them.
class ViewCommands {
public:
    /// `view`, which gets the actions, must outlive this; the commands stand in the menu `submenu` of the group.
    ViewCommands(QWidget& view, CommandGroup group, QString submenu);

    /// `order` is a member of the receiver or a functor that lives as long as it does.
    template <class Receiver, class Order>
    QAction* add(Command command, Receiver* receiver, Order order) {
        QAction* action = make(std::move(command));
        QObject::connect(action, &QAction::triggered, receiver, order);
        return action;
    }
    /// Returns the action of a command that was added.
    QAction* actionOf(const char* id) const;
    const std::vector<std::pair<Command, QAction*>>& all() const { return m_all; }
    void adoptInto(Commands& registry, int rank) const;

private:
    QAction* make(Command command);

    QWidget& m_view;
    CommandGroup m_group;
    QString m_submenu;
    std::vector<std::pair<Command, QAction*>> m_all;
};

}  // namespace ui
