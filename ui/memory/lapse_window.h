#pragma once

#include "data/replay/time_lapse.h"
#include "data/replay/time_range.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace data {
struct ShownRun;
}

namespace ui {

/// Which part of the memory of a GPU is shown: all channels, or the banks of one channel.
struct DramPage {
    static DramPage banks(std::uint32_t channel) { return {true, channel}; }
    /// Returns the channel whose banks are shown; an empty optional for all channels.
    std::optional<std::uint32_t> banksOf() const { return showsBanks ? std::optional(channel) : std::nullopt; }

    bool showsBanks = false;
    std::uint32_t channel = 0;
    bool operator==(const DramPage&) const = default;
};

/// The heat map's colours stand for one of these.
enum class Heat : std::uint8_t { bytes, rowsOpened, waiting };
inline constexpr std::size_t kHeats = 3;

/// Returns the value of a cell, in bytes, rows or requests; waiting requests are the mean over the period.
double heatOf(const data::TimeLapse::Cell& cell, Heat heat, std::int64_t periodPs);

/// The time-lapse of a stretch of a run around the visible range. It is computed again only when the range leaves that
/// stretch or needs periods of another length.
class LapseWindow {
public:
    /// Forgets the run.
    void clear() { m_made.reset(); }
    /// Shows a range of a run with at most `periods` periods, each 1, 2 or 5 times a power of ten nanoseconds long.
    /// Precondition: the run has a trace.
    void show(const data::ShownRun& run, std::uint32_t gpu, const DramPage& page, data::TimeRange range,
              double periods);

    bool isEmpty() const { return !m_made.has_value(); }
    const data::TimeLapse& memory() const { return m_made->memory; }
    const data::UnitLapse& units() const { return m_made->units; }
    const data::Periods& periods() const { return m_made->memory.periods(); }
    /// Returns the first period of a range and the one after its last.
    std::pair<std::size_t, std::size_t> within(data::TimeRange range) const;

private:
    struct Made {
        const data::ShownRun* run = nullptr;
        std::uint32_t gpu = 0;
        DramPage page;
        data::TimeLapse memory;
        data::UnitLapse units;
    };
    std::optional<Made> m_made;
};

/// Returns the shortest period of 1, 2 or 5 times a power of ten nanoseconds of which `span` has at most `periods`.
std::int64_t periodFor(std::int64_t span, double periods);

}  // namespace ui
