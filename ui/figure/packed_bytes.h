#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ui {

/// Bytes as zlib packed them. Nothing where they are damaged, cut off, or unpack to more than `budget`, from which what is
/// unpacked is taken. Stops at once where the first letter that is not blank is another than `first`; 0 takes anything. What
/// follows the packed bytes does not matter.
std::optional<QByteArray> unpacked(QByteArrayView packed, std::size_t& budget, char first = 0);

/// The checksum that PNG puts behind a chunk.
std::uint32_t checksumOf(QByteArrayView bytes);

/// Whether the first letter that is not blank is this one.
bool beginsWith(QByteArrayView text, char first);

}  // namespace ui
