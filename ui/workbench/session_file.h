#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <vector>

namespace ui {

/// Where the session is kept between two starts: a JSON document {"format", "version", "sections"}, and beside it a
/// mark that stands while a start is under way. A mark that is already there tells that the last start did not get far,
/// which what was restored may have been the cause of.
class SessionFile {
public:
    /// Empty: nothing is read or written, no start ever failed.
    explicit SessionFile(QString path) : m_path(std::move(path)) {}

    struct Reading {
        QJsonObject sections;
        QString problem;  ///< why there are none, in words; empty when fine, and when there is no file
    };
    /// Never throws and never reads more than the limit, whatever the file is.
    Reading read() const;
    /// Whole or not at all. False when it cannot be written.
    bool write(const QJsonObject& sections) const;

    bool lastStartFailed() const;
    void beginStart() const;
    void endStart() const;

private:
    QString mark() const;

    QString m_path;
};

/// When a part can be put back: how the window is set up, at once; what belongs to an experiment, once its run is
/// there, and not at all when another experiment was asked for.
enum class SessionScope : std::uint8_t { window, experiment };

/// A part of the window that is found again at the next start: its name in the document, what it keeps, how it takes
/// that in again. What is kept may have been changed by anyone: `restore` trusts nothing, and answers false, having
/// changed nothing, where it does not understand.
struct SessionPart {
    QString name;
    SessionScope scope = SessionScope::window;
    std::function<QJsonValue()> save;  ///< null: nothing to keep
    std::function<bool(const QJsonValue&)> restore;
};

/// All such parts. One line each: `m_sessionParts.add({"bookmarks", SessionScope::experiment, save, restore})`.
class SessionParts {
public:
    void add(SessionPart part) { m_parts.push_back(std::move(part)); }

    QJsonObject save() const;
    /// The names of the sections of this scope that were not understood.
    QStringList restore(SessionScope scope, const QJsonObject& sections) const;
    /// The names of the sections that no part has.
    QStringList strangers(const QJsonObject& sections) const;

private:
    std::vector<SessionPart> m_parts;
};

}  // namespace ui
