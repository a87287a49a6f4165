#pragma once

#include "data/experiment/experiment_document.h"
#include "data/trace/chrome_trace.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <string>

namespace data {

/// Writes the run's trace to a file: all of it or nothing, whatever ends it early. Throws FileError (a full disk says so)
/// and engine::RunStopped.
void writeTraceFile(const LaboratoryRun& run, const std::string& path, const TraceChoice& choice = {},
                    const TraceWatch& watch = {});

/// Whether the file is a trace in this format, of whichever program: a look at its beginning.
bool isTraceFile(const std::string& path);

/// What a trace that Ringside wrote says of itself in its first line.
struct TraceHead {
    ExperimentDraft draft;      ///< of the experiment that was run; the complete one where presets have changed since
    std::string hash;           ///< of the experiment, as this engine has it
    std::string engineVersion;  ///< that wrote the file
    TraceChoice choice;
};

struct TraceReading {
    TraceHead head;
    engine::Problems problems;
};

/// Reads the first line and nothing else of it. Traces of other programs, of a later version and damaged ones are told
/// apart.
TraceReading readTraceFile(const std::string& path);

/// Whether the file is, byte for byte, what this run would write; from the second line on, which is all of its events.
struct TraceComparison {
    bool same = false;
    std::int64_t bytes = 0;    ///< that agree
    std::int64_t line = 0;     ///< where they differ first, counted from 1
    std::string inFile, here;  ///< both lines there; empty where one has ended
};

/// Precondition: the run has a trace. Throws FileError where the file cannot be read, and engine::RunStopped.
TraceComparison compareTrace(const LaboratoryRun& run, const std::string& path, const TraceChoice& choice,
                             const TraceWatch& watch = {});

}  // namespace data
