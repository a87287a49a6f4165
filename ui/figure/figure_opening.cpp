#include "data/document/document_reader.h"
#include "data/figure/figure_document.h"
#include "ui/figure/embedded_text.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_metadata.h"

#include <QFile>
#include <QFileInfo>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

constexpr qint64 kLargestFile = qint64{128} * 1024 * 1024;

struct FileFormat {
    const char* what;  ///< "a PDF"
    std::optional<QByteArray> (*documentIn)(const QByteArray& bytes);
};

std::optional<QByteArray> documentInPdf(const QByteArray& bytes) {
    return figureInPdf(bytes, 2 * data::kLargestDocument);
}
std::optional<QByteArray> documentInZip(const QByteArray& bytes) {
    return fileInZip(bytes, kSpecFile, data::kLargestDocument);
}

std::optional<QByteArray> documentInPng(const QByteArray& bytes) {
    return textInPng(bytes, kSpecKey, data::kLargestDocument);
}

std::optional<QByteArray> documentInSvg(const QByteArray& bytes) {
    QXmlStreamReader xml(bytes);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.namespaceUri() == QLatin1String(kFigureNamespace) &&
            xml.name() == QLatin1String(kSpecElement)) {
            const QByteArray text = xml.readElementText().toUtf8();
            return xml.hasError() ? std::nullopt : std::optional(text);
        }
    }
    return std::nullopt;
}

/// Detects the format from a file's first bytes, because the name says only what the file should be.
std::optional<FileFormat> formatOf(const QByteArray& bytes) {
    const QByteArray head = bytes.left(1024);
    if (head.contains("%PDF-"))
        return FileFormat{"a PDF", documentInPdf};
    if (head.startsWith("\x89PNG\r\n\x1a\n"))
        return FileFormat{"a PNG image", documentInPng};
    if (head.startsWith("PK\x03\x04"))
        return FileFormat{"a zip", documentInZip};
    const QByteArray text = (head.startsWith("\xEF\xBB\xBF") ? head.mid(3) : head).trimmed();
    if (text.startsWith('<'))
        return FileFormat{"an SVG or another XML file", documentInSvg};
    if (text.startsWith('{'))
        return FileFormat{"a JSON document", [](const QByteArray& document) { return std::optional(document); }};
    return std::nullopt;
}

FigureOpening refused(const QString& path, const QString& value, const QString& text) {
    return {std::nullopt, {{path.toStdString(), value.toStdString(), text.toStdString()}}};
}

const QString kAllowed =
    QStringLiteral("allowed is a spec.json of a figure, or an unchanged PDF, SVG, PNG or zip that Ringside wrote");

}  // namespace

FigureOpening openFigure(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile())
        return refused(path, {}, QFileInfo::exists(path) ? "not a regular file" : "there is no such file");
    if (file.size() > kLargestFile)
        return refused(
            path, QStringLiteral("%1 MiB").arg(file.size() / (1024 * 1024)),
            QStringLiteral("too large: files of at most %1 MiB can be opened").arg(kLargestFile / (1024 * 1024)));
    if (!file.open(QIODevice::ReadOnly))
        return refused(path, {}, QStringLiteral("cannot be read: %1").arg(file.errorString()));
    return figureIn(file.read(kLargestFile), path);
}

FigureOpening figureIn(const QByteArray& bytes, const QString& path) {
    const std::optional<FileFormat> format = formatOf(bytes);
    if (!format)
        return refused(path, bytes.isEmpty() ? "empty" : "unknown file format", kAllowed);
    const std::optional<QByteArray> document = format->documentIn(bytes);
    if (!document)
        return refused(path, QStringLiteral("%1 without a figure").arg(QLatin1String(format->what)), kAllowed);
    data::FigureReading reading =
        data::readFigure({document->constData(), static_cast<std::size_t>(document->size())}, path.toStdString());
    return {std::move(reading.figure), std::move(reading.problems)};
}

bool mayCarryFigure(const QString& path) {
    static const std::array kSuffixes{"pdf", "svg", "png", "zip", "json"};
    const QString suffix = QFileInfo(path).suffix().toLower();
    return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                       [&](const char* known) { return suffix == QLatin1String(known); });
}

}  // namespace ui
