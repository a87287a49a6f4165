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

/// Describes what a GPU does at a time, read from the trace: "GPU 0: wave 3 of 7 computing · chunk 5 leaving by DMA ·
/// DRAM 61 %". Utilisation is averaged over `window` picoseconds around the time. `scatter` is the name of the
/// collective before the all-gather.
QString captionAt(const data::TraceIndex& index, std::uint32_t gpu, std::int64_t ps, std::int64_t window,
                  const QString& scatter = QStringLiteral("reduce-scatter"));

/// Describes what happens at the cursor, in a few words for each of GEMM, tracker and transfers, read from the log:
/// "GPU 0: finished tile 45 of chunk 3", "tracker set 12 reached 131 072 of 131 072 B", "DMA block 17 goes to GPU 7".
/// Each text is about the latest event of its kind within `window` picoseconds before the time. If `events` says that
/// only some of the events at that time have happened, the last of these comes first, whichever GPU it happens on.
/// Empty if nothing has happened within the window.
QStringList narrate(const data::RunLog& log, std::uint32_t gpu, std::int64_t ps, std::optional<std::uint64_t> events,
                    std::int64_t window);

}  // namespace ui
