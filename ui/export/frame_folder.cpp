#include "ui/export/frame_folder.h"

#include "data/document/whole_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QImageWriter>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

// A quarter larger than the smallest, in a fifth of its time.
constexpr int kPngCompression = 20;

QByteArray formatOf(const QString& path) {
    const QByteArray suffix = QFileInfo(path).suffix().toLower().toLatin1();
    return suffix.isEmpty() ? QByteArrayLiteral("png") : suffix;
}

constexpr auto kFramesFormat = "ringside-frames";

QString tr(const char* text) { return QCoreApplication::translate("ui::FrameFolder", text); }

/// Also one that was being written when the program was killed.
bool isFrame(const QString& name) {
    static const QRegularExpression kPattern(QStringLiteral("^frame-\\d{6,}\\.png(\\.part\\d+)?$"));
    return kPattern.match(name).hasMatch();
}

bool isRecord(const QString& file) {
    QFile record(file);
    if (!record.open(QIODevice::ReadOnly))
        return false;
    constexpr qint64 kLongestRecord = 64 << 20;
    return QJsonDocument::fromJson(record.read(kLongestRecord)).object().value(QStringLiteral("format")).toString() ==
           QLatin1String(kFramesFormat);
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

QString FrameFolder::prepare() {
    const QFileInfo folder(m_path);
    if (folder.exists() && !folder.isDir())
        return tr("%1: a file, and no folder to put frames into").arg(m_path);
    if (!QDir().mkpath(m_path))
        return tr("%1: this folder cannot be made").arg(m_path);
    QDir inside(m_path);
    const QStringList names = inside.entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    QStringList others;
    for (const QString& name : names) {
        if (!isFrame(name) && name != QLatin1String("frames.json"))
            others << name;
    }
    if (!others.isEmpty())
        return tr("%1: holds other files (%2); choose an empty folder or one with frames that Ringside wrote")
            .arg(m_path, others.size() > 3 ? others.mid(0, 3).join(QStringLiteral(", ")) + QStringLiteral(", …")
                                           : others.join(QStringLiteral(", ")));
    if (!names.isEmpty() && !isRecord(record()))
        return tr("%1: holds frames without the frames.json of Ringside; choose an empty folder").arg(m_path);
    for (const QString& name : names) {
        if (isFrame(name) && !inside.remove(name))
            return tr("%1: %2 cannot be taken away").arg(m_path, name);
    }
    return {};
}

QString FrameFolder::frame(int number) const {
    return m_path + QStringLiteral("/frame-%1.png").arg(number, 6, 10, QLatin1Char('0'));
}

QString FrameFolder::record() const { return m_path + QStringLiteral("/frames.json"); }

bool FrameFolder::write(QJsonObject about, const std::vector<std::int64_t>& moments, int finished) const {
    QJsonArray times;
    for (const std::int64_t moment : moments)
        times << qint64{moment};
    about.insert(QStringLiteral("format"), QLatin1String(kFramesFormat));
    about.insert(QStringLiteral("version"), 1);
    about.insert(QStringLiteral("frames"), static_cast<qint64>(moments.size()));
    about.insert(QStringLiteral("finished"), finished);
    about.insert(QStringLiteral("moments_ps"), times);
    try {
        data::writeWholeFile(record().toStdString(), QJsonDocument(about).toJson().toStdString());
    } catch (const data::FileError&) { return false; }
    return true;
}

std::vector<std::int64_t> frameMoments(std::int64_t from, std::int64_t to, double perSecond, double seconds) {
    const auto count = std::max<std::int64_t>(2, std::llround(perSecond * seconds));
    std::vector<std::int64_t> moments;
    moments.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        moments.push_back(from + std::llround(share * static_cast<double>(to - from)));
    }
    return moments;
}

}  // namespace ui
