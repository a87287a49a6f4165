#pragma once

#include "engine/api/timetable.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace data {

/// What a trace says about a timetable besides its tasks.
struct TimetableTrace {
    std::string title, unit;  ///< the unit of all times, in words
    /// How long one unit is in the trace. A viewer shows nothing below a nanosecond.
    std::int64_t psPerUnit = 1;
    std::function<std::string(engine::TaskIndex)> nameOf;  ///< the name of a task
};

/// Returns the picoseconds that a trace takes for one unit: as many as the unit has if it is a time ("us"), otherwise a
/// microsecond, as for cycles. Fewer, by a power of ten, if the timetable were too long for the numbers of the trace.
std::int64_t psPerUnit(std::string_view unit, const engine::Timetable& timetable);

/// Writes a timetable as Chrome Trace Event JSON, which Perfetto and chrome://tracing open. Each pool is a process, and
/// each of its places on which a task runs is a thread. The same timetable gives the same bytes.
void writeTimetableTrace(const engine::TaskGraph& graph, const engine::Timetable& timetable,
                         const TimetableTrace& trace, const std::function<void(std::string_view)>& sink);

/// Writes it to a file, or leaves the file as it was. Throws FileError.
void writeTimetableFile(const engine::TaskGraph& graph, const engine::Timetable& timetable, const TimetableTrace& trace,
                        const std::string& path);

}  // namespace data
