#pragma once

#include <QJsonObject>
#include <QString>

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

}  // namespace ui
