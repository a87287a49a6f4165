#include "ui/workbench/window_settings.h"

#include <QSettings>

#include <initializer_list>
#include <utility>

namespace ui {
namespace {

// Raised when docks or their names change, so that an older layout is ignored instead of misread.
constexpr int kLayoutVersion = 1;
constexpr qsizetype kMostSettingBytes = 64 * 1024;
constexpr qsizetype kMostKeys = 1'000;
constexpr qsizetype kMostFinishedLessons = 100;

QVariant valueOf(const QString& file, const char* key, const QVariant& usual = {}) {
    return file.isEmpty() ? usual : QSettings(file, QSettings::IniFormat).value(QLatin1String(key), usual);
}

void keep(const QString& file, std::initializer_list<std::pair<const char*, QVariant>> values) {
    if (file.isEmpty())
        return;
    QSettings settings(file, QSettings::IniFormat);
    for (const auto& [key, value] : values)
        settings.setValue(QLatin1String(key), value);
}

QByteArray bytesOf(const QString& file, const char* key) {
    if (valueOf(file, "layout/version").toInt() != kLayoutVersion)
        return {};
    const QByteArray bytes = valueOf(file, key).toByteArray();
    return bytes.size() <= kMostSettingBytes ? bytes : QByteArray();
}

/// Returns the state of a switch: on if the settings do not contain it or it cannot be read.
bool isOn(const QString& file, const char* key) {
    return valueOf(file, key, true).toString() != QLatin1String("false");
}

}  // namespace

QByteArray WindowSettings::geometry() const { return bytesOf(m_file, "layout/geometry"); }

QByteArray WindowSettings::docks() const { return bytesOf(m_file, "layout/docks"); }

Theme WindowSettings::theme() const {
    return valueOf(m_file, "theme").toString() == QLatin1String("dark") ? Theme::dark : Theme::light;
}

void WindowSettings::remember(const QByteArray& geometry, const QByteArray& docks) const {
    keep(m_file, {{"layout/version", kLayoutVersion}, {"layout/geometry", geometry}, {"layout/docks", docks}});
}

void WindowSettings::rememberTheme(Theme theme) const {
    keep(m_file, {{"theme", QLatin1String(theme == Theme::dark ? "dark" : "light")}});
}

bool WindowSettings::runsWhileEditing() const { return isOn(m_file, "run/whileEditing"); }

void WindowSettings::rememberRunsWhileEditing(bool runs) const { keep(m_file, {{"run/whileEditing", runs}}); }

bool WindowSettings::welcomes() const { return isOn(m_file, "welcome"); }

void WindowSettings::rememberWelcome(bool welcomes) const { keep(m_file, {{"welcome", welcomes}}); }

bool WindowSettings::reducesMotion() const {
    if (m_file.isEmpty())
        return m_reducesMotionToday;
    return valueOf(m_file, "motion/reduced").toString() == QLatin1String("true");
}

void WindowSettings::rememberReducedMotion(bool reduces) {
    m_reducesMotionToday = reduces;
    keep(m_file, {{"motion/reduced", reduces}});
}

QStringList WindowSettings::finishedLessons() const {
    return m_file.isEmpty() ? m_lessonsOfToday
                            : valueOf(m_file, "lessons/finished").toStringList().mid(0, kMostFinishedLessons);
}

void WindowSettings::rememberFinishedLesson(const QString& name) {
    m_lessonsOfToday = finishedLessons();
    if (m_lessonsOfToday.contains(name))
        return;
    m_lessonsOfToday << name;
    keep(m_file, {{"lessons/finished", m_lessonsOfToday}});
}

void WindowSettings::forgetFinishedLessons() {
    m_lessonsOfToday.clear();
    keep(m_file, {{"lessons/finished", QStringList()}});
}

QStringList WindowSettings::recentFiles() const {
    if (m_file.isEmpty())
        return m_filesOfToday;
    QStringList files = valueOf(m_file, "files/recent").toStringList();
    files.removeIf([](const QString& file) { return !file.startsWith(QLatin1Char('/')); });
    return files.mid(0, kMostRecentFiles);
}

void WindowSettings::rememberRecentFile(const QString& file) {
    QStringList files = recentFiles();
    files.removeAll(file);
    files.prepend(file);
    m_filesOfToday = files.mid(0, kMostRecentFiles);
    keep(m_file, {{"files/recent", m_filesOfToday}});
}

QString WindowSettings::keyLayout() const { return valueOf(m_file, "keys/layout").toString(); }

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
