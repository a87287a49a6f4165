#include "ui/export/picture_file.h"

#include "data/document/whole_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QImageWriter>

namespace ui {
namespace {

// A quarter larger than the smallest, in a fifth of its time.
constexpr int kPngCompression = 20;

QByteArray formatOf(const QString& path) {
    const QByteArray suffix = QFileInfo(path).suffix().toLower().toLatin1();
    return suffix.isEmpty() ? QByteArrayLiteral("png") : suffix;
}

}  // namespace

void writePicture(const QImage& picture, const QString& path) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImageWriter writer(&buffer, formatOf(path));
    if (writer.format() == "png")
        writer.setCompression(kPngCompression);
    if (!writer.write(picture))
        throw data::FileError((path + QStringLiteral(": cannot be written: ") + writer.errorString()).toStdString());
    data::writeWholeFile(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QString problemOfPictureName(const QString& path) {
    const QList<QByteArray> formats = QImageWriter::supportedImageFormats();
    if (formats.contains(formatOf(path)))
        return {};
    return QCoreApplication::translate("ui::PictureFile", "%1: %2 is no format of pictures, one of %3")
        .arg(path, QString::fromLatin1(formatOf(path)), QString::fromLatin1(formats.join(", ")));
}

}  // namespace ui
