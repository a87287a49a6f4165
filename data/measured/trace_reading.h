#pragma once

#include "data/document/unpacked_text.h"
#include "data/measured/kernel_classes.h"
#include "data/measured/kineto_records.h"
#include "data/measured/measured_trace.h"
#include "engine/api/problem.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// How a measured trace is read.
struct MeasuredOptions {
    KernelClasses classes = bundledKernelClasses();
    MeasuredLimits limits;
    std::function<void(double)>
        progress;          ///< called with the part of the file that was read, from 0 to 1; may be empty
    std::stop_token stop;  ///< ends reading; what was read is kept
    std::size_t piece = std::size_t{256} << 10;  ///< bytes that are read and unpacked at once
    bool readAhead = true;                       ///< a second thread reads and unpacks while this one parses
};

/// A measured trace, or why the file is none.
struct MeasuredReading {
    MeasuredTrace trace;
    engine::Problems problems;  ///< empty if the trace has spans, even if it was read in part only (endsEarly)
};

/// Before the name of a trace that comes with the program: "bundled:trace-rank-0" is
/// resources/examples/trace-rank-0.json.
inline constexpr std::string_view kBundledTrace = "bundled:";

/// Reads the trace of a profiler: Chrome's JSON as Kineto writes it, packed with gzip or not. `path` is that of a file or
/// names a bundled trace. Throws FileError if the machine fails; a file that is not there is a problem.
MeasuredReading readMeasuredFile(const std::string& path, const MeasuredOptions& options = {});
/// Does the same for any source of bytes. `file` names it; `size` is its number of bytes, for the progress, or 0.
MeasuredReading readMeasuredTrace(const ByteSource& source, const std::string& file,
                                  const MeasuredOptions& options = {}, std::uint64_t size = 0);

/// Traces of some ranks, by rank.
struct MeasuredTraces {
    std::vector<MeasuredTrace> traces;
    engine::Problems problems;  ///< of all files, and of ranks that do not belong together; empty if there are none
};
/// Reads traces, one for each rank, and sorts them by rank. After a request to stop, those that were read are kept.
/// Throws FileError.
MeasuredTraces readMeasuredFiles(std::span<const std::string> files, const MeasuredOptions& options = {});

/// Returns the rank that a file's name states: "rank-3.json", "rank3_trace.json.gz"; an empty optional if there is none.
std::optional<std::int64_t> rankInName(std::string_view path);

}  // namespace data
