// Gives any bytes to the reader of traces. It must return a list of problems, or an experiment whose trace, when
// written again, has the same description. The events of the file are also compared with one small run.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/whole_file.h"
#include "data/laboratory/laboratory.h"
#include "data/trace/trace_file.h"
#include "tests/fuzz/checks.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace fuzz::trace {

constexpr int kMostReports = 8;  // a report comes about every 16,000 events; then the run is stopped

engine::RunOptions traced(bool withPath) {
    engine::RunOptions options;
    options.recordTrace = true;
    options.attribution = withPath;
    return options;
}

/// Returns a run with a trace of a few kilobytes.
const data::LaboratoryRun& tinyRun() {
    static const data::LaboratoryRun kRun = [] {
        data::ExperimentDraft draft;
        engine::Problems problems;
        for (const char* setting : {"workload.model=small", "workload.sublayer=fc-2", "workload.hidden=64",
                                    "workload.sequence=32", "workload.batch=1", "parallel.tp=2", "gemm.tile_m=32",
                                    "gemm.tile_n=32", "cu.count=2", "detail.granule=4096", "detail.channels=1"})
            data::applySetting(setting, draft, problems);
        require(problems.empty(), "the tiny run is one", problems.empty() ? "" : engine::describe(problems.front()));
        return data::Laboratory().run(draft, traced(true));
    }();
    return kRun;
}

std::string_view afterFirstLine(std::string_view text) {
    const std::size_t end = text.find('\n');
    return end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
}

/// Compares the file with the tiny run. The comparison must find the first byte that differs.
void checkComparison(const std::string& path, std::string_view text) {
    static const std::string kWritten = [] {
        std::string written;
        data::writeChromeTrace(tinyRun(), [&written](std::string_view piece) { written += piece; });
        return written;
    }();
    const std::string_view here = afterFirstLine(kWritten), there = afterFirstLine(text);
    const data::TraceComparison comparison = data::compareTrace(tinyRun(), path, {});
    require(comparison.same == (here == there), "a trace is the run's when each byte is", std::string(there));
    const auto agree = std::mismatch(here.begin(), here.end(), there.begin(), there.end()).first - here.begin();
    require(comparison.bytes == agree, "as many bytes agree as are counted", std::string(there));
    require(comparison.line == 2 + std::count(here.begin(), here.begin() + agree, '\n'), "the line is theirs",
            std::string(there));
}

void checkWriting(const data::TraceHead& head, const ScratchFolder& folder) {
    std::stop_source stop;
    int reports = 0;
    engine::RunOptions options = traced(head.choice.path);
    options.baselines = false;
    options.stop = stop.get_token();
    options.progress = [&](double) {
        if (++reports > kMostReports)
            stop.request_stop();
    };
    const data::LaboratoryRun run = data::Laboratory().run(head.draft, options);
    const std::string path = folder.file("written");
    data::writeTraceFile(run, path, head.choice);
    const data::TraceReading again = data::readTraceFile(path);
    checkMessages(again.problems);
    require(data::isTraceFile(path), "what Ringside writes is known as a trace", readFile(path));
    data::TraceChoice choice = head.choice;
    choice.path = choice.path && run.result.path != nullptr;
    require(again.problems.empty() && again.head.hash == head.hash && again.head.choice == choice,
            "a trace written anew says the same of itself", readFile(path));
    require(data::compareTrace(run, path, head.choice).same, "a trace agrees with its own run", path);
}

RINGSIDE_FUZZ_TARGET(fuzz_trace)(const std::uint8_t* bytes, std::size_t size) {
    static const ScratchFolder kFolder;
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const std::string path = kFolder.file("input");
    writeFile(path, text);
    data::isTraceFile(path);
    checkComparison(path, text);
    const data::TraceReading reading = data::readTraceFile(path);
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return 0;
    const data::Expansion expansion = data::expand(reading.head.draft);
    require(expansion.runnable(), "what a trace is of can be run", std::string(text));
    require(data::experimentHash(expansion.experiment) == reading.head.hash, "its hash is that of its experiment",
            std::string(text));
    try {
        if (isSmall(expansion.experiment))
            checkWriting(reading.head, kFolder);
    } catch (const engine::RunStopped&) {
    } catch (const engine::Deadlock&) {}  // a run that deadlocks has no trace
    return 0;
}

}  // namespace fuzz::trace
