#pragma once

#include "ui/look/palette.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace ui {

/// The settings that the window remembers between starts, in an INI file. Invalid entries are ignored, so a damaged
/// file never keeps the window from opening.
class WindowSettings {
public:
    explicit WindowSettings(QString file) : m_file(std::move(file)) {}

    QByteArray geometry() const;
    QByteArray docks() const;
    Theme theme() const;
    bool runsWhileEditing() const;        ///< true unless switched off
    bool welcomes() const;                ///< true unless switched off
    bool reducesMotion() const;           ///< false unless switched on
    QStringList finishedLessons() const;  ///< names of bundled lessons
    QString keyLayout() const;
    QMap<QString, QString> ownKeys() const;  ///< changed shortcuts as portable text, by command id

    static constexpr int kMostRecentFiles = 6;
    QStringList recentFiles() const;  ///< absolute paths, the latest first

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
    QStringList m_filesOfToday;    ///< recent files of this session, if no settings are kept
    QStringList m_lessonsOfToday;  ///< finished lessons of this session, if no settings are kept
    bool m_reducesMotionToday = false;
};

}  // namespace ui
