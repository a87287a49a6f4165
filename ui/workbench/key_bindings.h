#pragma once

#include "ui/workbench/window_settings.h"

#include <QKeySequence>
#include <QList>
#include <QMap>
#include <QString>

#include <optional>

namespace ui {

class Commands;

/// Which keys the picture's movements lie on. Qt tells characters, not places on the keyboard, so that people with
/// another keyboard or hand need a set of their own.
enum class KeyLayout { standard, leftHanded, azerty };
inline constexpr int kKeyLayouts = 3;

/// Keys as a person wants them: a layout, and over it what was changed one by one. Kept in the window's settings by the
/// commands' ids. No key ever belongs to two commands.
class KeyBindings {
public:
    /// Both must outlive it. Takes in what the settings keep; what makes no sense there is as if it were not.
    KeyBindings(Commands& commands, const WindowSettings& settings);

    KeyLayout layout() const { return m_layout; }
    /// Puts another layout beneath what was changed one by one, which keeps its place.
    void chooseLayout(KeyLayout layout);
    /// Nothing when the command has these keys now, else whose they are, in words; then nothing has changed.
    std::optional<QString> bind(const QString& id, const QList<QKeySequence>& keys);
    /// Back to the layout's. Refused in the same way where another command has them by now.
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
    QMap<QString, QList<QKeySequence>> m_own;  ///< by id
};

}  // namespace ui
