#pragma once

#include "ui/figure/figure_writers.h"

#include <QByteArray>
#include <QByteArrayView>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// Bytes as zlib packed them. Nothing where they are damaged, cut off, or unpack to more than `budget`, from which what is
/// unpacked is taken. Stops at once where the first letter that is not blank is another than `first`; 0 takes anything. What
/// follows the packed bytes does not matter.
std::optional<QByteArray> unpacked(QByteArrayView packed, std::size_t& budget, char first = 0);

/// The checksum that PNG puts behind a chunk.
std::uint32_t checksumOf(QByteArrayView bytes);

/// Whether the first letter that is not blank is this one.
bool beginsWith(QByteArrayView text, char first);

/// The document of a figure among the streams of a PDF, packed or plain. Looks at each stream by itself and at nothing of
/// what is written around them, so that a PDF that was cut off, or that another program has saved again, gives its
/// document all the same, and none can make it unpack more than `limit` in all. Encrypted ones give nothing.
std::optional<QByteArray> figureInPdf(const QByteArray& pdf, std::size_t limit);

/// The text that stands under `key` in a PNG, as UTF-8. Reads text chunks alone and never decodes the picture; nothing where
/// there is none, where its chunk is damaged, or where it would unpack to more than `limit`.
std::optional<QByteArray> textInPng(const QByteArray& png, const QByteArray& key, std::size_t limit);

/// The files as a zip. The same files give the same bytes: no dates, no owners.
QByteArray zipOf(const std::vector<FigureFile>& files);

/// The first file called `name`, in whichever folder of the zip. Nothing where there is none, where the zip is broken
/// before it, or where the file would unpack to more than `limit`.
std::optional<QByteArray> fileInZip(const QByteArray& zip, const QByteArray& name, std::size_t limit);

}  // namespace ui
