#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <vector>

namespace ui {

/// The file of the session: a JSON document {"format", "version", "sections"}. A second file beside it exists while a
/// start is in progress. If that second file exists already, the last start did not finish, and the restored session
/// may be the cause.
class SessionFile {
public:
    /// With an empty path, no file is read or written, and no start counts as failed.
    explicit SessionFile(QString path) : m_path(std::move(path)) {}

    struct Reading {
        QJsonObject sections;
        QString problem;  ///< why there are no sections; empty on success and if there is no file
    };
    /// Reads the file. Never throws and never reads more than the limit, whatever the file contains.
    Reading read() const;
    /// Writes the whole file or nothing. Returns false if it cannot be written.
    bool write(const QJsonObject& sections) const;

    bool lastStartFailed() const;
    void beginStart() const;
    void endStart() const;

private:
    QString mark() const;

    QString m_path;
};

/// When a part of the session is restored: parts of the window's setup at once; parts that belong to an experiment once
/// its run is shown, and not at all if another experiment was requested.
enum class SessionScope : std::uint8_t { window, experiment };

/// A part of the window that is restored at the next start: its name in the document, and functions that save and
/// restore it. The file may have been changed by anyone, so `restore` checks everything; it returns false and changes
/// nothing if the value is invalid.
struct SessionPart {
    QString name;
    SessionScope scope = SessionScope::window;
    std::function<QJsonValue()> save;  ///< returns null if there is nothing to keep
    std::function<bool(const QJsonValue&)> restore;
};

/// All parts of the session. A feature adds one with `workbench.session().add({"bookmarks", SessionScope::experiment,
/// save, restore})`.
class SessionParts {
public:
    void add(SessionPart part) { m_parts.push_back(std::move(part)); }

    QJsonObject save() const;
    /// Restores the parts of this scope and returns the names of the sections that were invalid.
    QStringList restore(SessionScope scope, const QJsonObject& sections) const;
    /// Returns the names of the sections that belong to no part.
    QStringList strangers(const QJsonObject& sections) const;

private:
    std::vector<SessionPart> m_parts;
};

}  // namespace ui
