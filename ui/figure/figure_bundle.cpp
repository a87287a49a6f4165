#include "ui/figure/figure_bundle.h"

#include "data/document/whole_file.h"
#include "ui/figure/zip_archive.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace ui {
namespace {

void writeFile(const QString& path, const QByteArray& content) {
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        throw data::FileError(folder.toStdString() +
                              ": cannot be made: a file is in the way, or it may not be written");
    data::writeWholeFile(QFile::encodeName(path).toStdString(),
                         {content.constData(), static_cast<std::size_t>(content.size())});
}

}  // namespace

void writeBundle(const QString& path, const std::vector<FigureFile>& files) {
    if (path.endsWith(QLatin1String(".zip"), Qt::CaseInsensitive)) {
        writeFile(path, zipOf(files));
        return;
    }
    if (!QDir().mkpath(path))
        throw data::FileError(path.toStdString() + ": cannot be made: a file is in the way, or it may not be written");
    for (const FigureFile& file : files)
        writeFile(QDir(path).filePath(file.name), file.content);
}

}  // namespace ui
