#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace data {
class RunLog;
class TraceIndex;
}  // namespace data

namespace ui {

/// What GPU `gpu` does at a moment, in words, read from the trace:
/// "GPU 0: wave 3 of 7 computing · chunk 5 leaving by DMA · DRAM 61 %".
/// Utilisation is told over `window` picoseconds around the moment.
/// `scatter`: what its reduce-scatter is called.
QString captionAt(const data::TraceIndex& index, std::uint32_t gpu, std::int64_t ps, std::int64_t window,
                  const QString& scatter = QStringLiteral("reduce-scatter"));

/// What happens at the cursor, in a few words for each of GEMM, tracker and transfers, read from the log:
/// "GPU 0: finished tile 45 of chunk 3", "tracker set 12 reached 131 072 of 131 072 B", "DMA block 17 goes to GPU 7".
/// Told are the latest of each within `window` picoseconds before the moment; where `events` says that only some of the
/// moment's events have happened, the last of these comes first, and it is told of the GPU that it happens on.
/// Empty where nothing has happened for so long.
QStringList narrate(const data::RunLog& log, std::uint32_t gpu, std::int64_t ps, std::optional<std::uint64_t> events,
                    std::int64_t window);

}  // namespace ui
