#pragma once

#include <QByteArray>

#include <cstddef>
#include <optional>

namespace ui {

/// The document of a figure among the streams of a PDF, packed or plain. Looks at each stream by itself and at nothing of
/// what is written around them, so that a PDF that was cut off, or that another program has saved again, gives its
/// document all the same, and none can make it unpack more than `limit` in all. Encrypted ones give nothing.
std::optional<QByteArray> figureInPdf(const QByteArray& pdf, std::size_t limit);

}  // namespace ui
