#pragma once

#include <QByteArray>
#include <QString>

namespace ui {

/// Returns the date for the metadata of documents, in UTC and in ISO 8601: the day of SOURCE_DATE_EPOCH, as reproducible
/// builds set it, or today.
QString dateOfDocuments();

/// Replaces what differs between two PDFs of Qt with the same pages: the dates of creation and of the last change, for
/// which Qt writes the current time of the local zone, and the random identifier of Qt 6.8. `made` is a date or a time
/// in ISO 8601, in UTC unless it names a zone; without one, the PDF has no dates. The bytes depend neither on the time
/// nor on the zone.
QByteArray withCreationDate(QByteArray pdf, const QString& made);

}  // namespace ui
