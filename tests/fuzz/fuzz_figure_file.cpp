// Gives whole or damaged files of figures to their reader: PDF, PNG, SVG, zip or JSON. It must return a list of
// problems, or a figure that is unchanged after it is written to each kind of file and read again.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/figure/figure_document.h"
#include "tests/fuzz/checks.h"
#include "ui/figure/embedded_text.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_metadata.h"

#include <QBuffer>
#include <QImage>
#include <QImageWriter>
#include <QXmlStreamWriter>

#include <cstdint>
#include <string>

namespace fuzz::figure_file {

QByteArray inPng(const QByteArray& document) {
    QImage image(1, 1, QImage::Format_RGB32);
    image.fill(Qt::white);
    image.setText(QLatin1String(ui::kSpecKey), QString::fromUtf8(document));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    require(QImageWriter(&buffer, "png").write(image), "an image is written");
    return bytes;
}

QByteArray inSvg(const QByteArray& document) {
    QByteArray bytes;
    QXmlStreamWriter xml(&bytes);
    xml.writeStartDocument();
    xml.writeStartElement(QStringLiteral("svg"));
    xml.writeTextElement(QLatin1String(ui::kFigureNamespace), QLatin1String(ui::kSpecElement),
                         QString::fromUtf8(document));
    xml.writeEndDocument();
    return bytes;
}

QByteArray inPdf(const QByteArray& document, bool packed) {
    constexpr qsizetype kLengthOfQt = 4;
    return "%PDF-1.6\n1 0 obj\n<< >>\nstream\n" + (packed ? qCompress(document).mid(kLengthOfQt) : document) +
           "\nendstream\nendobj\n";
}

/// Returns whether XML can contain all letters of the text. An SVG replaces the others.
bool isForXml(const QString& text) {
    for (const QChar letter : text) {
        const bool space = letter == u'\t' || letter == u'\n' || letter == u'\r';
        if ((letter.unicode() < 0x20 && !space) || letter.unicode() >= 0xFFFE)
            return false;
    }
    return true;
}

void checkCarried(const data::FigureSpec& figure, const QByteArray& file, const char* what) {
    const ui::FigureOpening again = ui::figureIn(file, QStringLiteral("carried"));
    checkMessages(again.problems);
    require(again.figure && *again.figure == figure, what, file.toStdString());
}

RINGSIDE_FUZZ_TARGET(fuzz_figure_file)(const std::uint8_t* bytes, std::size_t size) {
    const QByteArray file(reinterpret_cast<const char*>(bytes), static_cast<qsizetype>(size));
    const ui::FigureOpening opening = ui::figureIn(file, QStringLiteral("input"));
    checkMessages(opening.problems);
    require(opening.figure.has_value() == opening.problems.empty(), "a figure, or why there is none");
    if (!opening.figure)
        return 0;
    const QByteArray document = ui::specBytes(*opening.figure);
    checkCarried(*opening.figure, document, "a document carries the same figure");
    checkCarried(*opening.figure, inPdf(document, true), "a PDF carries the same figure");
    checkCarried(*opening.figure, inPdf(document, false), "a PDF that is not packed carries the same figure");
    checkCarried(*opening.figure, inPng(document), "a PNG carries the same figure");
    checkCarried(*opening.figure,
                 ui::zipOf({{QStringLiteral("a.csv"), "x\n"}, {QLatin1String(ui::kSpecFile), document}}),
                 "a zip carries the same figure");
    if (isForXml(QString::fromUtf8(document)))
        checkCarried(*opening.figure, inSvg(document), "an SVG carries the same figure");
    require(!ui::xmpOf(*opening.figure).isEmpty(), "a figure says where it is from");
    return 0;
}

}  // namespace fuzz::figure_file
