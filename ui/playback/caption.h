#pragma once

#include <QString>

#include <cstdint>

namespace data {
class TraceIndex;
}  // namespace data

namespace ui {

/// What GPU `gpu` does at a moment, in words, read from the trace:
/// "GPU 0: wave 3 of 7 computing · chunk 5 leaving by DMA · DRAM 61 %".
/// Utilisation is told over `window` picoseconds around the moment.
/// `scatter`: what its reduce-scatter is called.
QString captionAt(const data::TraceIndex& index, std::uint32_t gpu, std::int64_t ps, std::int64_t window,
                  const QString& scatter = QStringLiteral("reduce-scatter"));

}  // namespace ui
