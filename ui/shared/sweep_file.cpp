#include "ui/shared/sweep_file.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace ui {
namespace {

constexpr qint64 kMostSweepBytes = 16 * 1024 * 1024;  // as of every document

}  // namespace

bool isSweepFile(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || file.size() > kMostSweepBytes || !file.open(QIODevice::ReadOnly))
        return false;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll());
    return document.object().value(QStringLiteral("format")).toString() == QLatin1String("ringside-sweep");
}

}  // namespace ui
