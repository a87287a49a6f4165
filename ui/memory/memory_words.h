#pragma once

#include "ui/memory/lapse_window.h"
#include "ui/workbench/moment_table.h"

#include <QString>

#include <optional>

namespace ui {

/// Returns the name of a row of a time-lapse: "channel 3", "bank 1 of group 2".
QString rowName(const data::TimeLapse& lapse, std::size_t row);
/// Returns the same for rows that share a row of the heat map: "channels 4 to 7".
QString rowNames(const data::TimeLapse& lapse, std::size_t first, std::size_t end);
QString nameOf(Heat heat);
/// Returns the length of a period, such as 10 µs.
QString periodName(std::int64_t ps);
/// Returns a value of the heat map with its unit: "12.3 KB", "4 rows", "3.2 requests".
QString heatText(double value, Heat heat);

/// Returns the measures of a period, one in each line: of a row, or of all rows together.
QString periodText(const LapseWindow& window, std::size_t period, std::optional<std::size_t> row);
/// Returns what the compute units do in a period: "computing 71.2 %, waiting 20.1 %, ...".
QString unitsText(const data::UnitLapse& units, std::size_t period);
QString campingText(const data::TimeLapse& lapse, std::size_t period);
QString rowHitsText(const data::TimeLapse::Cell& cell);
/// Returns "from 410 us to 415 us".
QString timesText(const data::Periods& periods, std::size_t period);

/// Returns the table Memory over time: a row for each period of the range.
MomentTable::Content memoryTable(const LapseWindow& window, data::TimeRange range);
/// Returns the first period of that table.
inline constexpr std::size_t kMostTableRows = 2000;

/// Returns the page with a name, "channels" or "banks/5"; an empty optional for any other name.
std::optional<DramPage> dramPageOf(const QString& name);
QString nameOf(const DramPage& page);

}  // namespace ui
