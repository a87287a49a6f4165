#include "ui/workbench/window_settings.h"

#include <QSettings>

namespace ui {
namespace {

// Raised when docks or their names change, so that an older layout is ignored instead of misread.
constexpr int kLayoutVersion = 1;
constexpr qsizetype kMostSettingBytes = 64 * 1024;
constexpr qsizetype kMostKeys = 1'000;

QByteArray bytesOf(const QString& file, const QString& key) {
    if (file.isEmpty())
        return {};
    const QSettings settings(file, QSettings::IniFormat);
    if (settings.value(QStringLiteral("layout/version")).toInt() != kLayoutVersion)
        return {};
    const QByteArray bytes = settings.value(key).toByteArray();
    return bytes.size() <= kMostSettingBytes ? bytes : QByteArray();
}

}  // namespace

QByteArray WindowSettings::geometry() const { return bytesOf(m_file, QStringLiteral("layout/geometry")); }

QByteArray WindowSettings::docks() const { return bytesOf(m_file, QStringLiteral("layout/docks")); }

Theme WindowSettings::theme() const {
    if (m_file.isEmpty())
        return Theme::light;
    const QSettings settings(m_file, QSettings::IniFormat);
    return settings.value(QStringLiteral("theme")).toString() == QLatin1String("dark") ? Theme::dark : Theme::light;
}

void WindowSettings::remember(const QByteArray& geometry, const QByteArray& docks) const {
    if (m_file.isEmpty())
        return;
    QSettings settings(m_file, QSettings::IniFormat);
    settings.setValue(QStringLiteral("layout/version"), kLayoutVersion);
    settings.setValue(QStringLiteral("layout/geometry"), geometry);
    settings.setValue(QStringLiteral("layout/docks"), docks);
}

void WindowSettings::rememberTheme(Theme theme) const {
    if (m_file.isEmpty())
        return;
    QSettings settings(m_file, QSettings::IniFormat);
    settings.setValue(QStringLiteral("theme"), theme == Theme::dark ? QStringLiteral("dark") : QStringLiteral("light"));
}

bool WindowSettings::runsWhileEditing() const {
    if (m_file.isEmpty())
        return true;
    const QSettings settings(m_file, QSettings::IniFormat);
    return settings.value(QStringLiteral("run/whileEditing"), true).toString() != QLatin1String("false");
}

void WindowSettings::rememberRunsWhileEditing(bool runs) const {
    if (m_file.isEmpty())
        return;
    QSettings settings(m_file, QSettings::IniFormat);
    settings.setValue(QStringLiteral("run/whileEditing"), runs);
}

bool WindowSettings::welcomes() const {
    if (m_file.isEmpty())
        return true;
    const QSettings settings(m_file, QSettings::IniFormat);
    return settings.value(QStringLiteral("welcome"), true).toString() != QLatin1String("false");
}

void WindowSettings::rememberWelcome(bool welcomes) const {
    if (m_file.isEmpty())
        return;
    QSettings settings(m_file, QSettings::IniFormat);
    settings.setValue(QStringLiteral("welcome"), welcomes);
}

QStringList WindowSettings::recentFiles() const {
    if (m_file.isEmpty())
        return m_filesOfToday;
    const QSettings settings(m_file, QSettings::IniFormat);
    QStringList files = settings.value(QStringLiteral("files/recent")).toStringList();
    files.removeIf([](const QString& file) { return !file.startsWith(QLatin1Char('/')); });
    return files.mid(0, kMostRecentFiles);
}

void WindowSettings::rememberRecentFile(const QString& file) {
    QStringList files = recentFiles();
    files.removeAll(file);
    files.prepend(file);
    files = files.mid(0, kMostRecentFiles);
    m_filesOfToday = files;
    if (m_file.isEmpty())
        return;
    QSettings settings(m_file, QSettings::IniFormat);
    settings.setValue(QStringLiteral("files/recent"), files);
}

QString WindowSettings::keyLayout() const {
    if (m_file.isEmpty())
        return {};
    return QSettings(m_file, QSettings::IniFormat).value(QStringLiteral("keys/layout")).toString();
}

QMap<QString, QString> WindowSettings::ownKeys() const {
    QMap<QString, QString> own;
    if (m_file.isEmpty())
        return own;
    QSettings settings(m_file, QSettings::IniFormat);
    settings.beginGroup(QStringLiteral("ownKeys"));
    for (const QString& id : settings.childKeys().mid(0, kMostKeys))
        own.insert(id, settings.value(id).toString());
    return own;
}

void WindowSettings::rememberKeys(const QString& layout, const QMap<QString, QString>& own) const {
    if (m_file.isEmpty())
        return;
    QSettings settings(m_file, QSettings::IniFormat);
    settings.setValue(QStringLiteral("keys/layout"), layout);
    settings.remove(QStringLiteral("ownKeys"));
    settings.beginGroup(QStringLiteral("ownKeys"));
    for (auto entry = own.begin(); entry != own.end(); ++entry)
        settings.setValue(entry.key(), entry.value());
}

}  // namespace ui
