#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <cstdint>
#include <utility>
#include <vector>

namespace ui {

/// The menu that a command stands in, and its part of the sheet of shortcuts; in the order of the menu bar.
enum class CommandGroup : std::uint8_t { file, edit, run, sweep, playback, select, view, help };
inline constexpr std::size_t kCommandGroups = 8;

/// As on the menu bar, '&' and all.
QString titleOf(CommandGroup group);

/// Where a command's keys hold: in the whole window, or while the picture has the focus, so that a form keeps its
/// letters.
enum class CommandScope : std::uint8_t { window, picture };

/// One thing that a person can ask for. Screen readers say its text, and its hint after it.
struct Command {
    QString id;    ///< "view.zoom-in": settings know a command by it, so it is never translated nor changed
    QString text;  ///< with its mnemonic; empty: that of an adopted action
    CommandGroup group{};
    QList<QKeySequence> keys;  ///< those it comes with
    CommandScope scope = CommandScope::window;
    QString hint;                ///< a sentence, for the status bar and the palette
    bool inMenu = true;          ///< false for nine of a kind, which would bury the others; palette and sheet have all
    bool startsSection = false;  ///< a line before it in the menu
    QString submenu{};           ///< title of the menu within the menu that it stands in; empty: none
    int rank = 0;                ///< place in its menu: lower ranks first, those of one rank as they were added
    QWidget* within = nullptr;   ///< its keys hold while this has the focus; null: as the scope says
    QAction* action = nullptr;   ///< filled in by the registry

    QString plainText() const;
    QString keysText() const;  ///< those it has now, as a person reads them: "W, +"
};

/// Without the '&' of a mnemonic.
QString plain(QString text);

/// What hands can do beside the keys, for the sheet of shortcuts: "Wheel", "zoom at the pointer".
struct Gesture {
    CommandGroup group{};
    QString how, what;
};

/// Everything that the window can be asked to do. Menus, command palette, sheet of shortcuts and rebinding read it, so
/// that a command is written down once: `commands.add({...}, receiver, &Receiver::order)`.
class Commands final : public QObject {
    Q_OBJECT

public:
    /// Both must outlive the registry; `picture` has the keys of CommandScope::picture.
    Commands(QWidget& window, QWidget& picture, QObject* parent = nullptr);

    /// `order` is a member of the receiver or a functor that lives as long as it does.
    template <class Receiver, class Order>
    QAction* add(Command command, Receiver* receiver, Order order) {
        QAction* action = adopt(std::move(command), new QAction(this));
        connect(action, &QAction::triggered, receiver, order);
        return action;
    }
    /// For an action that a panel already has; its text and keys become those of the command, where given.
    QAction* adopt(Command command, QAction* action);

    void addGesture(Gesture gesture) { m_gestures.push_back(std::move(gesture)); }

    const std::vector<Gesture>& gestures() const { return m_gestures; }
    /// In the order of the menus.
    const std::vector<Command>& all() const { return m_commands; }
    const Command* find(const QString& id) const;
    /// The command other than `id` that holds `key` now where `id` has its keys: the same key twice would do neither.
    /// For no or an unknown `id`, anywhere.
    const Command* holderOf(const QKeySequence& key, const QString& id = {}) const;
    void setKeys(const QString& id, const QList<QKeySequence>& keys);

Q_SIGNALS:
    void keysChanged();

private:
    QWidget& m_window;
    QWidget& m_picture;
    std::vector<Command> m_commands;
    std::vector<Gesture> m_gestures;
};

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
