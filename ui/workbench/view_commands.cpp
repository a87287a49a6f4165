#include "ui/workbench/view_commands.h"

#include <QWidget>

#include <algorithm>

namespace ui {

ViewCommands::ViewCommands(QWidget& view, CommandGroup group, QString submenu)
    : m_view(view), m_group(group), m_submenu(std::move(submenu)) {}

QAction* ViewCommands::make(Command command) {
    auto* action = new QAction(command.text, &m_view);
    command.group = m_group;
    command.submenu = m_submenu;
    command.within = &m_view;
    action->setToolTip(command.hint);
    m_all.emplace_back(std::move(command), action);
    return action;
}

QAction* ViewCommands::actionOf(const char* id) const {
    const auto at = std::find_if(m_all.begin(), m_all.end(),
                                 [id](const auto& entry) { return entry.first.id == QLatin1String(id); });
    Q_ASSERT_X(at != m_all.end(), "ViewCommands", "no such command");
    return at->second;
}

void ViewCommands::adoptInto(Commands& registry, int rank) const {
    for (auto [command, action] : m_all) {
        command.rank = rank;
        registry.adopt(std::move(command), action);
    }
}

}  // namespace ui
