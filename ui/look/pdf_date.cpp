#include "ui/look/pdf_date.h"

#include <QDateTime>

namespace ui {
namespace {

/// Moves the offsets in the cross-reference table of a PDF whose bytes after `from` have moved by `by`. Each entry is a
/// line of 20 bytes that begins with an offset of ten digits.
void moveOffsets(QByteArray& pdf, qsizetype from, qsizetype by) {
    static const QByteArray kStart = "\nstartxref\n", kTable = "xref\n";
    constexpr qsizetype kDigits = 10, kEntry = 20;
    const qsizetype start = pdf.lastIndexOf(kStart) + kStart.size();
    const qsizetype lineEnd = pdf.indexOf('\n', start);
    if (start < kStart.size() || lineEnd < 0)
        return;
    const qsizetype table = pdf.mid(start, lineEnd - start).toLongLong() + by;
    pdf.replace(start, lineEnd - start, QByteArray::number(table));
    const qsizetype first = pdf.indexOf('\n', table + kTable.size()) + 1;  // behind the line "0 27"
    if (pdf.mid(table, kTable.size()) != kTable || first <= 0)
        return;
    for (qsizetype at = first; at + kEntry <= pdf.size() && pdf.at(at) >= '0' && pdf.at(at) <= '9'; at += kEntry) {
        const qint64 offset = pdf.mid(at, kDigits).toLongLong();
        if (offset > from)
            pdf.replace(at, kDigits, QByteArray::number(offset + by).rightJustified(kDigits, '0'));
    }
}

}  // namespace

QString dateOfDocuments() {
    bool isNumber = false;
    const qint64 epoch = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&isNumber);
    const QDateTime now = isNumber ? QDateTime::fromSecsSinceEpoch(epoch, Qt::UTC) : QDateTime::currentDateTimeUtc();
    return now.date().toString(Qt::ISODate);
}

QByteArray withCreationDate(QByteArray pdf, const QString& made) {
    static const QByteArray kKey = "/CreationDate (";
    const qsizetype begin = pdf.indexOf(kKey);
    const qsizetype end = pdf.indexOf(')', begin) + 1;
    if (begin < 0 || end <= begin)
        return pdf;
    QDateTime date = QDateTime::fromString(made, Qt::ISODate);
    if (date.timeSpec() == Qt::LocalTime)
        date.setTimeSpec(Qt::UTC);
    QByteArray written;
    if (date.isValid())
        written = kKey + date.toUTC().toString(QStringLiteral("'D:'yyyyMMddHHmmss'Z)'")).toLatin1();
    pdf.replace(begin, end - begin, written);
    moveOffsets(pdf, begin, written.size() - (end - begin));
    return pdf;
}

}  // namespace ui
