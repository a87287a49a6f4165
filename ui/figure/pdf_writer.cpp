#include "data/figure/figure_table.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"

#include <QBuffer>
#include <QDateTime>
#include <QMarginsF>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

namespace ui {
namespace {

constexpr int kUnitsInAnInch = 1200;
constexpr double kPointsInAnInch = 72;

void attachDocuments(QPdfWriter& writer, const data::FigureSpec& spec) {
    writer.addFileAttachment(QLatin1String(kSpecFile), specBytes(spec), QStringLiteral("application/json"));
    for (const data::FigureTable& table : data::tablesOf(spec))
        writer.addFileAttachment(QString::fromStdString(table.fileName),
                                 QByteArray::fromStdString(data::writeCsv(table)), QStringLiteral("text/csv"));
}

/// Qt writes the time of writing. What the figure says takes its place, letter for letter because the file counts its
/// bytes; where it says nothing, blanks do, so that two exports are equal.
void replaceDate(QByteArray& pdf, const std::string& made) {
    static const QByteArray kKey = "/CreationDate (";
    const qsizetype begin = pdf.indexOf(kKey);
    const qsizetype end = pdf.indexOf(')', begin) + 1;
    if (begin < 0 || end <= begin)
        return;
    const QDateTime date = QDateTime::fromString(QString::fromStdString(made), Qt::ISODate);
    QByteArray written;
    if (date.isValid())
        written = kKey + date.toUTC().toString(QStringLiteral("'D:'yyyyMMddHHmmss'Z)'")).toLatin1();
    if (written.size() > end - begin)
        written.clear();
    pdf.replace(begin, end - begin, written.leftJustified(end - begin, ' '));
}

}  // namespace

QByteArray pdfOf(const ReadyFigure& figure) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(titleOf(figure.spec));
        writer.setCreator(QString::fromStdString(figure.spec.provenance.program));
        writer.setDocumentXmpMetadata(xmpOf(figure.spec));
        writer.setResolution(kUnitsInAnInch);
        const QPageSize size(figure.laidOut.list.page, QPageSize::Point, QString(), QPageSize::ExactMatch);
        writer.setPageLayout(QPageLayout(size, QPageLayout::Portrait, QMarginsF()));
        attachDocuments(writer, figure.spec);
        QPainter painter(&writer);
        painter.scale(kUnitsInAnInch / kPointsInAnInch, kUnitsInAnInch / kPointsInAnInch);
        paint(painter, figure.laidOut.list);
    }
    buffer.close();
    replaceDate(bytes, figure.spec.provenance.made);
    return bytes;
}

}  // namespace ui
