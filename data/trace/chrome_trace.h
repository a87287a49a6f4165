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

/// What of a run goes into the file. All of it, unless somebody wants it smaller.
struct TraceChoice {
    std::array<bool, kLaneKinds> lanes;  ///< by LaneKind
    bool counters = true;
    bool arrows = true;  ///< from triggers to transfers to updates; between lanes that are there
    bool path = true;    ///< the critical path, where the run has one

    TraceChoice() { lanes.fill(true); }
    bool operator==(const TraceChoice&) const = default;
};

/// A part of the file that can be left out, for a dialog and the command line: "loads", "DRAM", "counters".
struct TracePart {
    std::string_view name;  ///< as the command line takes it: "dram"
    std::string_view text;  ///< as a person reads it: "DRAM requests"
    std::vector<engine::LaneKind> lanes;
    bool TraceChoice::*other = nullptr;  ///< for what is no lane
};
const std::vector<TracePart>& traceParts();
bool isChosen(const TraceChoice& choice, const TracePart& part);
void choose(TraceChoice& choice, const TracePart& part, bool chosen);

/// For whoever waits for a long writing.
struct TraceWatch {
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, about once a megabyte
};

/// Writes a run's event log as Chrome Trace Event JSON, which Perfetto and chrome://tracing open. One process a GPU,
/// one thread (tid) a lane; a lane whose spans may overlap becomes as many threads as it needs, because viewers drop
/// complete ("X") events that overlap on a thread. Counters are "C" events; arrows ("s", "t", "f") lead from a trigger over
/// its DMA transfer to the update on the GPU that it went to; the critical path is a process of its own. A trigger, which
/// takes no time, is drawn as long as its latency. The first line carries experiment and hash, so that the file can be
/// opened again (trace_file.h). The same run and choice give the same bytes.
/// Precondition: the run has a trace. Throws engine::RunStopped; a stream that fails is left for the caller to see.
void writeChromeTrace(const LaboratoryRun& run, std::ostream& out, const TraceChoice& choice = {},
                      const TraceWatch& watch = {});
/// The same, in pieces of about a megabyte.
void writeChromeTrace(const LaboratoryRun& run, const std::function<void(std::string_view)>& sink,
                      const TraceChoice& choice = {}, const TraceWatch& watch = {});

/// How large the file would be, without writing it: from the number of events of each kind and the size of some of them.
std::int64_t estimatedTraceSize(const LaboratoryRun& run, const TraceChoice& choice = {});

}  // namespace data
