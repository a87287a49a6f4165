#include "ui/look/pdf_date.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <utility>

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

/// Replaces the random identifier with which Qt 6.8 ends a PDF, "/ID [ <hexadecimal> <hexadecimal> ]", by one of the same
/// length that follows from the rest of the file.
void replaceIdentifier(QByteArray& pdf) {
    static const QByteArray kKey = "/ID [ <";
    const qsizetype begin = pdf.indexOf(kKey, std::max<qsizetype>(0, pdf.lastIndexOf("\ntrailer\n")));
    const qsizetype first = begin + kKey.size(), firstEnd = pdf.indexOf('>', first);
    const qsizetype second = pdf.indexOf('<', firstEnd) + 1, secondEnd = pdf.indexOf('>', second);
    if (begin < 0 || firstEnd < 0 || second <= 0 || secondEnd < 0)
        return;
    const QByteArray hash = QCryptographicHash::hash(pdf.left(begin), QCryptographicHash::Sha512).toHex();
    for (const auto& [from, to] : {std::pair{first, firstEnd}, {second, secondEnd}})
        pdf.replace(from, to - from, hash.left(to - from).leftJustified(to - from, '0'));
}

}  // namespace

QString dateOfDocuments() {
    bool isNumber = false;
    const qint64 epoch = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&isNumber);
    const QDateTime now =
        isNumber ? QDateTime::fromSecsSinceEpoch(epoch, QTimeZone::utc()) : QDateTime::currentDateTimeUtc();
    return now.date().toString(Qt::ISODate);
}

QByteArray withCreationDate(QByteArray pdf, const QString& made) {
    QDateTime date = QDateTime::fromString(made, Qt::ISODate);
    if (date.timeSpec() == Qt::LocalTime)
        date.setTimeZone(QTimeZone::utc());
    for (const QByteArray& key : {QByteArrayLiteral("/CreationDate ("), QByteArrayLiteral("/ModDate (")}) {
        const qsizetype begin = pdf.indexOf(key);
        const qsizetype end = pdf.indexOf(')', begin) + 1;
        if (begin < 0 || end <= begin)
            continue;
        QByteArray written;
        if (date.isValid())
            written = key + date.toUTC().toString(QStringLiteral("'D:'yyyyMMddHHmmss'Z)'")).toLatin1();
        pdf.replace(begin, end - begin, written);
        moveOffsets(pdf, begin, written.size() - (end - begin));
    }
    replaceIdentifier(pdf);
    return pdf;
}

}  // namespace ui
