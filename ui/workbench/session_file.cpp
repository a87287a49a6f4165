#include "ui/workbench/session_file.h"

#include "data/document/whole_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

#include <algorithm>

namespace ui {
namespace {

constexpr int kVersion = 1;
constexpr qint64 kMostBytes = 4 * 1024 * 1024;
const QString kFormat = QStringLiteral("ringside-session");

QString sessionTr(const char* text) { return QCoreApplication::translate("ui::SessionFile", text); }

}  // namespace

SessionFile::Reading SessionFile::read() const {
    QFile file(m_path);
    if (m_path.isEmpty() || !file.exists())
        return {};
    // Opening a named pipe would wait for a program that writes to it.
    if (!QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly))
        return {{}, sessionTr("the file cannot be read")};
    const QByteArray bytes = file.read(kMostBytes + 1);
    if (bytes.size() > kMostBytes)
        return {{}, sessionTr("the file is too long")};
    QJsonParseError error;
    const QJsonObject document = QJsonDocument::fromJson(bytes, &error).object();
    if (error.error != QJsonParseError::NoError)
        return {{}, sessionTr("the file is not a JSON document")};
    if (document.value(QStringLiteral("format")).toString() != kFormat)
        return {{}, sessionTr("the file is not a session of Ringside")};
    if (document.value(QStringLiteral("version")).toInt() != kVersion)
        return {{}, sessionTr("the file was written by another version")};
    if (!document.value(QStringLiteral("sections")).isObject())
        return {{}, sessionTr("the file has no sections")};
    return {document.value(QStringLiteral("sections")).toObject(), {}};
}

bool SessionFile::write(const QJsonObject& sections) const {
    if (m_path.isEmpty())
        return true;
    QDir().mkpath(QFileInfo(m_path).path());
    QSaveFile file(m_path);
    const QJsonObject document{{QStringLiteral("format"), kFormat},
                               {QStringLiteral("version"), kVersion},
                               {QStringLiteral("sections"), sections}};
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(document).toJson()) >= 0 && file.commit();
}

QString SessionFile::mark() const { return m_path + QStringLiteral(".starting"); }

bool SessionFile::lastStartFailed() const { return !m_path.isEmpty() && QFile::exists(mark()); }

void SessionFile::beginStart() const {
    if (m_path.isEmpty())
        return;
    QDir().mkpath(QFileInfo(m_path).path());
    try {
        data::writeWholeFile(mark().toStdString(), {});
    } catch (const data::FileError&) {}  // the start goes on, but a failed start will not be noticed
}

void SessionFile::endStart() const {
    if (!m_path.isEmpty())
        QFile::remove(mark());
}

QJsonObject SessionParts::save() const {
    QJsonObject sections;
    for (const SessionPart& part : m_parts) {
        const QJsonValue kept = part.save();
        if (!kept.isNull() && !kept.isUndefined())
            sections.insert(part.name, kept);
    }
    return sections;
}

QStringList SessionParts::restore(SessionScope scope, const QJsonObject& sections) const {
    QStringList left;
    for (const SessionPart& part : m_parts) {
        const auto kept = sections.find(part.name);
        if (part.scope == scope && kept != sections.end() && !part.restore(*kept))
            left << part.name;
    }
    return left;
}

QStringList SessionParts::strangers(const QJsonObject& sections) const {
    QStringList left;
    for (const QString& name : sections.keys()) {
        if (std::ranges::find(m_parts, name, &SessionPart::name) == m_parts.end())
            left << name;
    }
    return left;
}

}  // namespace ui
