#pragma once

#include <QStringList>

#include <cstdint>
#include <optional>

namespace data {
class RunLog;
}  // namespace data

namespace ui {

/// What happens at the cursor, in a few words for each of GEMM, tracker and transfers, read from the log:
/// "GPU 0: finished tile 45 of chunk 3", "tracker set 12 reached 131 072 of 131 072 B", "DMA block 17 goes to GPU 7".
/// Told are the latest of each within `window` picoseconds before the moment; where `events` says that only some of the
/// moment's events have happened, the last of these comes first, and it is told of the GPU that it happens on.
/// Empty where nothing has happened for so long.
QStringList narrate(const data::RunLog& log, std::uint32_t gpu, std::int64_t ps, std::optional<std::uint64_t> events,
                    std::int64_t window);

}  // namespace ui
