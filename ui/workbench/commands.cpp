#include "ui/workbench/commands.h"

#include <QWidget>

#include <algorithm>
#include <array>

namespace ui {

QString plain(QString text) {
    text.replace(QLatin1String("&&"), QString(QChar(0)));
    text.remove(QLatin1Char('&'));
    return text.replace(QChar(0), QLatin1Char('&'));
}

QString titleOf(CommandGroup group) {
    static constexpr std::array<const char*, kCommandGroups> kTitles{
        QT_TRANSLATE_NOOP("ui::Commands", "&File"),     QT_TRANSLATE_NOOP("ui::Commands", "&Edit"),
        QT_TRANSLATE_NOOP("ui::Commands", "&Run"),      QT_TRANSLATE_NOOP("ui::Commands", "S&weep"),
        QT_TRANSLATE_NOOP("ui::Commands", "&Playback"), QT_TRANSLATE_NOOP("ui::Commands", "&Select"),
        QT_TRANSLATE_NOOP("ui::Commands", "&View"),     QT_TRANSLATE_NOOP("ui::Commands", "&Help")};
    return Commands::tr(kTitles[static_cast<std::size_t>(group)]);
}

QString Command::plainText() const { return plain(text); }

QString Command::keysText() const {
    QStringList texts;
    for (const QKeySequence& key : action->shortcuts())
        texts << key.toString(QKeySequence::NativeText);
    return texts.join(QStringLiteral(", "));
}

Commands::Commands(QWidget& window, QWidget& picture, QObject* parent)
    : QObject(parent), m_window(window), m_picture(picture) {}

QAction* Commands::adopt(Command command, QAction* action) {
    Q_ASSERT_X(find(command.id) == nullptr, "Commands", "two commands of one id");
    if (command.text.isEmpty())
        command.text = action->text();
    else
        action->setText(command.text);
    if (command.keys.isEmpty())
        command.keys = action->shortcuts();
    else
        action->setShortcuts(command.keys);
    action->setObjectName(command.id);
    if (!command.hint.isEmpty()) {
        action->setStatusTip(command.hint);
        action->setWhatsThis(command.hint);
    }
    if (command.scope == CommandScope::picture)
        command.within = &m_picture;
    action->setShortcutContext(command.within != nullptr ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
    (command.within != nullptr ? *command.within : m_window).addAction(action);
    command.action = action;
    const auto place = [](const Command& other) { return std::pair(other.group, other.rank); };
    const auto at = std::ranges::upper_bound(m_commands, place(command), {}, place);
    m_commands.insert(at, std::move(command));
    return action;
}

const Command* Commands::find(const QString& id) const {
    const auto at = std::ranges::find(m_commands, id, &Command::id);
    return at == m_commands.end() ? nullptr : &*at;
}

const Command* Commands::holderOf(const QKeySequence& key, const QString& id) const {
    const Command* own = find(id);
    // Shortcuts that work within two different widgets cannot conflict.
    const auto meets = [own](const Command& command) {
        return own == nullptr || own->within == nullptr || command.within == nullptr || own->within == command.within;
    };
    const auto holds = [&](const Command& command) {
        return command.id != id && meets(command) && command.action->shortcuts().contains(key);
    };
    const auto at = std::ranges::find_if(m_commands, holds);
    return at == m_commands.end() ? nullptr : &*at;
}

void Commands::setKeys(const QString& id, const QList<QKeySequence>& keys) {
    const Command* command = find(id);
    if (command == nullptr || command->action->shortcuts() == keys)
        return;
    command->action->setShortcuts(keys);
    Q_EMIT keysChanged();
}

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
    const auto at =
        std::ranges::find_if(m_all, [id](const auto& entry) { return entry.first.id == QLatin1String(id); });
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
