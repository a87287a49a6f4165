#pragma once

#include "data/laboratory/laboratory.h"
#include "engine/api/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace data {

using engine::kLaneKinds;

/// The parts of a run that are written to the file; by default all of them.
struct TraceChoice {
    std::array<bool, kLaneKinds> lanes;  ///< by LaneKind
    bool counters = true;
    bool arrows = true;  ///< from triggers to transfers to updates, between lanes that are written
    bool path = true;    ///< the critical path, if the run has one

    TraceChoice() { lanes.fill(true); }
    bool operator==(const TraceChoice&) const = default;
};

/// A part of the file that can be left out, for the dialog and the command line: "loads", "DRAM", "counters".
struct TracePart {
    std::string_view name;  ///< as the command line takes it: "dram"
    std::string_view text;  ///< as a person reads it: "DRAM requests"
    std::vector<engine::LaneKind> lanes;
    bool TraceChoice::*other = nullptr;  ///< set for a part that is not a lane
};
const std::vector<TracePart>& traceParts();
bool isChosen(const TraceChoice& choice, const TracePart& part);
void choose(TraceChoice& choice, const TracePart& part, bool chosen);

/// Stop token and progress for a long write.
struct TraceWatch {
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done; called about once a megabyte
};

/// Writes a run's event log as Chrome Trace Event JSON, which Perfetto and chrome://tracing open.
///
/// Each GPU is a process, each lane a thread (tid), and the critical path a process of its own. A lane whose spans may
/// overlap becomes as many threads as it needs, because viewers drop complete ("X") events that overlap on a thread.
/// Counters are "C" events. Arrows ("s", "t", "f") lead from a trigger through its DMA transfer to the update on the
/// receiving GPU. A trigger takes no time but is drawn with the length of its latency. A piece of a GEMM is drawn from
/// its launch until its output is in memory. The first line contains the experiment and its hash, so that Ringside can
/// open the file again (trace_file.h). The same run and choice give the same bytes.
///
/// Precondition: the run has a trace. Throws engine::RunStopped; the caller checks the stream for errors.
void writeChromeTrace(const LaboratoryRun& run, std::ostream& out, const TraceChoice& choice = {},
                      const TraceWatch& watch = {});
/// Writes the same to a sink, in pieces of about a megabyte.
void writeChromeTrace(const LaboratoryRun& run, const std::function<void(std::string_view)>& sink,
                      const TraceChoice& choice = {}, const TraceWatch& watch = {});

/// Returns an estimate of the file's size without writing it, from the number of events of each kind and the size of
/// some of them.
std::int64_t estimatedTraceSize(const LaboratoryRun& run, const TraceChoice& choice = {});

}  // namespace data
