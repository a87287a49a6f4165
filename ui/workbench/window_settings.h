#pragma once

#include "ui/look/palette.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace ui {

/// What the window remembers from one start to the next, in an INI file whose path it is given.
/// Whatever cannot be understood is as if it were not there: a broken file can never keep the window from opening.
class WindowSettings {
public:
    explicit WindowSettings(QString file) : m_file(std::move(file)) {}

    QByteArray geometry() const;
    QByteArray docks() const;
    Theme theme() const;
    bool runsWhileEditing() const;        ///< true unless it was switched off
    bool welcomes() const;                ///< likewise
    bool reducesMotion() const;           ///< false unless it was switched on
    QStringList finishedLessons() const;  ///< names of bundled lessons
    QString keyLayout() const;
    QMap<QString, QString> ownKeys() const;  ///< keys that were changed, as portable text, by a command's id

    static constexpr int kMostRecentFiles = 6;
    QStringList recentFiles() const;  ///< absolute paths, the last one first

    void rememberRecentFile(const QString& file);
    void remember(const QByteArray& geometry, const QByteArray& docks) const;
    void rememberTheme(Theme theme) const;
    void rememberRunsWhileEditing(bool runs) const;
    void rememberWelcome(bool welcomes) const;
    void rememberReducedMotion(bool reduces);
    void rememberFinishedLesson(const QString& name);
    void forgetFinishedLessons();
    void rememberKeys(const QString& layout, const QMap<QString, QString>& own) const;

private:
    QString m_file;                ///< empty: nothing is read or written
    QStringList m_filesOfToday;    ///< recent files where nothing is remembered
    QStringList m_lessonsOfToday;  ///< finished ones likewise
    bool m_reducesMotionToday = false;
};

}  // namespace ui
