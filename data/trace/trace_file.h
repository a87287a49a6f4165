#pragma once

#include "data/experiment/experiment_document.h"
#include "data/trace/chrome_trace.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <string>

namespace data {

/// Writes the run's complete trace to a file, or leaves the file as it was. Throws FileError (for example if the disk
/// is full) and engine::RunStopped.
void writeTraceFile(const LaboratoryRun& run, const std::string& path, const TraceChoice& choice = {},
                    const TraceWatch& watch = {});

/// Returns whether the file is a Chrome trace, written by any program and packed with gzip or not. Reads only its
/// beginning; a profiler's trace is known by its first keys, because its events may begin far behind them.
bool isTraceFile(const std::string& path);
/// Returns whether the file is a trace that carries an experiment, so Ringside wrote it. Reads only its beginning.
bool isOwnTraceFile(const std::string& path);

/// The first line of a trace that Ringside wrote.
struct TraceHead {
    ExperimentDraft draft;      ///< of the experiment that was run; the complete experiment if presets have changed
                                ///< since
    std::string hash;           ///< of the experiment, computed by this engine
    std::string engineVersion;  ///< the engine that wrote the file
    TraceChoice choice;
};

struct TraceReading {
    TraceHead head;
    engine::Problems problems;
};

/// Reads only the first line. Reports traces of other programs, traces of a later version and damaged traces with
/// different messages.
TraceReading readTraceFile(const std::string& path);

/// The result of comparing a file with the trace of a run, byte by byte from the second line on, where the events
/// begin.
struct TraceComparison {
    bool same = false;
    std::int64_t bytes = 0;    ///< bytes that agree
    std::int64_t line = 0;     ///< the first line that differs, counted from 1
    std::string inFile, here;  ///< that line on both sides; empty if that side has ended
};

/// Compares a file with the trace of a run. Precondition: the run has a trace. Throws FileError if the file cannot be
/// read, and engine::RunStopped.
TraceComparison compareTrace(const LaboratoryRun& run, const std::string& path, const TraceChoice& choice,
                             const TraceWatch& watch = {});

}  // namespace data
