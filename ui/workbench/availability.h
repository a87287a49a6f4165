#pragma once

#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QWidget;

namespace ui {

class Commands;

/// Makes the action of a command available, or disables it and remembers why. `whyNot` is a sentence about the moment:
/// "No run is in progress."; the palette and the command's shortcut show it while the command is not available.
void setAvailable(QAction& action, bool available, const QString& whyNot);
/// Returns why the action is disabled; empty if it is enabled.
QString whyNotAvailable(const QAction& action);

/// Explains shortcuts that do nothing: Qt ignores the shortcut of a disabled action, so the key arrives at the window,
/// because no widget has used it. Then `say` gets the reason for which the command is not available.
class RefusedShortcuts final : public QObject {
public:
    /// Belongs to `commands`; `window` must be their window.
    RefusedShortcuts(QWidget& window, Commands& commands, std::function<void(const QString& whyNot)> say);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Commands& m_commands;
    std::function<void(const QString&)> m_say;
};

}  // namespace ui
