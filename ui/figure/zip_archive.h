#pragma once

#include "ui/figure/figure_writers.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace ui {

/// The files as a zip. The same files give the same bytes: no dates, no owners.
QByteArray zipOf(const std::vector<FigureFile>& files);

/// The first file called `name`, in whichever folder of the zip. Nothing where there is none, where the zip is broken
/// before it, or where the file would unpack to more than `limit`.
std::optional<QByteArray> fileInZip(const QByteArray& zip, const QByteArray& name, std::size_t limit);

}  // namespace ui
