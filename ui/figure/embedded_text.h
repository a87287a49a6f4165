#pragma once

#include "ui/figure/figure_writers.h"

#include <QByteArray>
#include <QByteArrayView>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// Decompresses zlib data. Returns an empty optional if the data are damaged, cut off, or decompress to more than
/// `budget`; the decompressed size is subtracted from `budget`. If `first` is not 0, decompression stops at once when
/// the first non-blank character is a different one. Bytes after the compressed data are ignored.
std::optional<QByteArray> unpacked(QByteArrayView packed, std::size_t& budget, char first = 0);

/// Returns the CRC checksum of a PNG chunk.
std::uint32_t checksumOf(QByteArrayView bytes);

/// Returns whether the first non-blank character is `first`.
bool beginsWith(QByteArrayView text, char first);

/// Finds the document of a figure in the streams of a PDF, compressed or plain. Reads each stream by itself and ignores
/// the structure around the streams, so it also works for a PDF that was cut off or saved again by another program, and
/// never decompresses more than `limit` bytes in all. Returns an empty optional for an encrypted PDF.
std::optional<QByteArray> figureInPdf(const QByteArray& pdf, std::size_t limit);

/// Returns the UTF-8 text stored under `key` in a PNG. Reads text chunks only and never decodes the picture. Returns an
/// empty optional if there is no such text, if its chunk is damaged, or if it would decompress to more than `limit`
/// bytes.
std::optional<QByteArray> textInPng(const QByteArray& png, const QByteArray& key, std::size_t limit);

/// Packs the files into a zip. The same files give the same bytes, because the zip contains no dates and no owners.
QByteArray zipOf(const std::vector<FigureFile>& files);

/// Returns the first file called `name`, in any folder of the zip. Returns an empty optional if there is none, if the
/// zip is damaged before it, or if the file would decompress to more than `limit` bytes.
std::optional<QByteArray> fileInZip(const QByteArray& zip, const QByteArray& name, std::size_t limit);

}  // namespace ui
