#pragma once

#include "ui/workbench/window_settings.h"

#include <QKeySequence>
#include <QList>
#include <QMap>
#include <QString>

#include <optional>

namespace ui {

class Commands;

/// The keyboard layout for the shortcuts that move the picture. Qt reports characters, not positions on the keyboard,
/// so users of another keyboard, or left-handed users, need other shortcuts.
enum class KeyLayout { standard, leftHanded, azerty };
inline constexpr int kKeyLayouts = 3;

/// The user's shortcuts: a layout, and shortcuts of single commands that override it. They are kept in the window's
/// settings by the ids of the commands. No two commands have the same key.
class KeyBindings {
public:
    /// Both must outlive this object. Reads the kept shortcuts and ignores invalid ones.
    KeyBindings(Commands& commands, const WindowSettings& settings);

    KeyLayout layout() const { return m_layout; }
    /// Sets the layout. Shortcuts that the user changed for single commands stay.
    void chooseLayout(KeyLayout layout);
    /// Gives a command these shortcuts. Returns an empty optional on success; otherwise changes nothing and returns a
    /// text that names the command that has one of the keys.
    std::optional<QString> bind(const QString& id, const QList<QKeySequence>& keys);
    /// Resets a command to the shortcuts of the layout. Fails like bind() if another command has one of them.
    std::optional<QString> reset(const QString& id);
    void resetAll();
    bool isChanged(const QString& id) const { return m_own.contains(id); }

private:
    QList<QKeySequence> layoutKeys(const QString& id) const;
    std::optional<QString> whoseElse(const QString& id, const QList<QKeySequence>& keys) const;
    void applyAll();
    void keep() const;

    Commands& m_commands;
    const WindowSettings& m_settings;
    KeyLayout m_layout = KeyLayout::standard;
    QMap<QString, QList<QKeySequence>> m_own;  ///< the changed shortcuts, by command id
};

}  // namespace ui
