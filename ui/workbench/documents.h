#pragma once

#include "data/opening/document_kind.h"
#include "engine/api/problem.h"

#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QAction;
class QMimeData;

namespace ui {

class Commands;
class MessageBar;
class StatusLine;
class WindowSettings;

/// The documents of the window: who opens which kind, where files were chosen last, which ones were opened lately.
class Documents final : public QObject {
    Q_OBJECT

public:
    using Open = std::function<void(const QString&)>;

    /// All must outlive the documents. `window` is the parent of their dialogs.
    Documents(QWidget& window, WindowSettings& settings, MessageBar& messages, StatusLine& status);

    /// From now on `open` is called with every file of this kind.
    void add(data::DocumentKind kind, Open open);
    /// From now on `open` is called with every text that is dropped and that `matches` accepts.
    void addText(std::function<bool(const QString&)> matches, Open open);

    /// Opens a file by what it is. A message says what is wrong with one that cannot be opened.
    void open(const QString& file);
    bool canDrop(const QMimeData& dropped) const;
    void drop(const QMimeData& dropped);
    /// Says why a file cannot be opened, with a line for each problem.
    void tellUnreadable(const QString& file, const engine::Problems& problems);

    /// Returns the folder of the file that was opened last, or the person's home folder.
    QString folder() const;
    /// Puts a file on top of the list of recent files.
    void remember(const QString& file);
    /// Adds a command for each recent file, which is hidden while there are fewer.
    void addRecentCommands(Commands& commands, int rank);

    /// Asks for a file to open; returns an empty text if the person cancels.
    QString askWhatToOpen(const QString& title, const QString& filter);
    /// Asks for a file to write. `proposed` is a file, or a name within folder().
    QString askWhereToSave(const QString& title, const QString& proposed, const QString& filter);
    /// Writes a file as a whole and says so; returns false, having said why, if it cannot be written.
    bool write(const QString& file, const std::string& text);

Q_SIGNALS:
    /// A file or a text could not be read; a message in the window has this text too.
    void unreadable(const QString& text);

private:
    struct TextKind {
        std::function<bool(const QString&)> matches;
        Open open;
    };

    void showRecentFiles();
    const TextKind* kindOf(const QString& text) const;

    QWidget& m_window;
    WindowSettings& m_settings;
    MessageBar& m_messages;
    StatusLine& m_status;
    std::map<data::DocumentKind, Open> m_kinds;
    std::vector<TextKind> m_texts;
    QList<QAction*> m_recent;
};

}  // namespace ui
