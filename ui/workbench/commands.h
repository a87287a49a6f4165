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

/// The menu of a command, which is also its section in the sheet of shortcuts. The order is that of the menu bar.
enum class CommandGroup : std::uint8_t { file, edit, run, sweep, playback, select, view, help };
inline constexpr std::size_t kCommandGroups = 8;

/// Returns the title of a menu as on the menu bar, with its '&'.
QString titleOf(CommandGroup group);

/// Where the shortcuts of a command work: in the whole window, or only while the picture has the focus, so that forms
/// keep their letters.
enum class CommandScope : std::uint8_t { window, picture };

/// A command of the window. Screen readers say its text, then its hint.
struct Command {
    QString id;    ///< "view.zoom-in": settings identify the command by this, so it is never translated or changed
    QString text;  ///< with its mnemonic; empty: use the text of the adopted action
    CommandGroup group{};
    QList<QKeySequence> keys;  ///< the default shortcuts
    CommandScope scope = CommandScope::window;
    QString hint;        ///< a sentence, for the status bar and the palette
    bool inMenu = true;  ///< false for commands in large numbers, which would fill the menu; palette and sheet list all
    bool startsSection = false;  ///< a separator precedes it in the menu
    QString submenu{};           ///< title of the submenu that contains the command; empty: none
    int rank = 0;  ///< order in its menu: lower ranks first; equal ranks in the order in which they were added
    QWidget* within = nullptr;  ///< the shortcuts work while this widget has the focus; null: `scope` decides
    QAction* action = nullptr;  ///< set by the registry

    QString plainText() const;
    QString keysText() const;  ///< the current shortcuts as shown to the user: "W, +"
};

/// Returns the text without the '&' of its mnemonic.
QString plain(QString text);

/// A mouse gesture, listed in the sheet of shortcuts: "Wheel", "zoom at the pointer".
struct Gesture {
    CommandGroup group{};
    QString how, what;
};

/// Registry of all commands of the window. Menus, command palette, sheet of shortcuts and key bindings read it, so that
/// a command is declared once: `commands.add({...}, receiver, &Receiver::order)`.
class Commands final : public QObject {
    Q_OBJECT

public:
    /// Both widgets must outlive the registry. Shortcuts of CommandScope::picture belong to `picture`.
    Commands(QWidget& window, QWidget& picture, QObject* parent = nullptr);

    /// Adds a command. `order` is a member function of the receiver, or a functor that is disconnected when the
    /// receiver is destroyed.
    template <class Receiver, class Order>
    QAction* add(Command command, Receiver* receiver, Order order) {
        QAction* action = adopt(std::move(command), new QAction(this));
        connect(action, &QAction::triggered, receiver, order);
        return action;
    }
    /// Registers an action that exists already, such as that of a panel. The action gets the text and the shortcuts of
    /// the command, if these are set.
    QAction* adopt(Command command, QAction* action);

    void addGesture(Gesture gesture) { m_gestures.push_back(std::move(gesture)); }

    const std::vector<Gesture>& gestures() const { return m_gestures; }
    /// Returns all commands in the order of the menus.
    const std::vector<Command>& all() const { return m_commands; }
    const Command* find(const QString& id) const;
    /// Returns the command other than `id` that uses `key` where `id` works, too: Qt runs neither of two commands with
    /// the same shortcut. For an empty or unknown `id` it looks at all commands.
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

/// The commands of one view, which work while the view has the focus. The view creates them for its buttons and menus
/// before the window exists; the window adopts them later.
class ViewCommands {
public:
    /// `view` must outlive this object and gets the actions. The commands are in the submenu `submenu` of the group's
    /// menu.
    ViewCommands(QWidget& view, CommandGroup group, QString submenu);

    /// Adds a command. `order` is a member function of the receiver, or a functor that is disconnected when the
    /// receiver is destroyed.
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
