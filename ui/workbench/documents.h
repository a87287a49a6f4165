#pragma once

#include "data/opening/document_kind.h"
#include "engine/api/problem.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QAction;
class QMimeData;
class QUrl;

namespace ui {

class Commands;
class MessageBar;
class StatusLine;
class WindowSettings;

/// Opens and saves documents: knows which feature opens which kind of file, the folder that was used last, and the
/// recent files.
class Documents final : public QObject {
    Q_OBJECT

public:
    using Open = std::function<void(const QString&)>;

    /// All must outlive the documents. `window` is the parent of their dialogs.
    Documents(QWidget& window, WindowSettings& settings, MessageBar& messages, StatusLine& status);

    /// Registers `open` for every file of this kind.
    void add(data::DocumentKind kind, Open open);
    /// Registers `open` for several files of this kind that are dropped together.
    void addTogether(data::DocumentKind kind, std::function<void(const QStringList&)> open);
    /// Registers `open` for every dropped text that `matches` accepts.
    void addText(std::function<bool(const QString&)> matches, Open open);

    /// Opens a file according to its content. If the file cannot be opened, a message explains why.
    void open(const QString& file);
    bool canDrop(const QMimeData& dropped) const;
    void drop(const QMimeData& dropped);
    /// Shows a message that explains why a file cannot be opened, with a line for each problem.
    void reportUnreadable(const QString& file, const engine::Problems& problems);

    /// Returns the folder of the file that was opened last, or the user's home folder.
    QString folder() const;
    /// Moves a file to the top of the list of recent files.
    void remember(const QString& file);
    /// Adds kMostRecentFiles commands for recent files; those without a file are hidden.
    void addRecentCommands(Commands& commands, int rank);

    /// Shows a dialog to choose a file to open. Returns an empty text if the user cancels.
    QString askWhatToOpen(const QString& title, const QString& filter);
    /// Shows a dialog to choose a file to write. `proposed` is a file, or a name within folder().
    QString askWhereToSave(const QString& title, const QString& proposed, const QString& filter);
    /// Writes a file completely and confirms that in the status line. If the file cannot be written, shows a message
    /// that explains why and returns false.
    bool write(const QString& file, const std::string& text);

Q_SIGNALS:
    /// A file or a text could not be read. `text` is also shown as a message in the window.
    void unreadable(const QString& text);

private:
    struct TextKind {
        std::function<bool(const QString&)> matches;
        Open open;
    };

    bool dropTogether(const QList<QUrl>& urls);
    void showRecentFiles();
    const TextKind* kindOf(const QString& text) const;

    QWidget& m_window;
    WindowSettings& m_settings;
    MessageBar& m_messages;
    StatusLine& m_status;
    std::map<data::DocumentKind, Open> m_kinds;
    std::map<data::DocumentKind, std::function<void(const QStringList&)>> m_together;
    std::vector<TextKind> m_texts;
    QList<QAction*> m_recent;
};

}  // namespace ui
