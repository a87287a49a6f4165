#pragma once

#include "data/document/whole_file.h"
#include "data/trace/chrome_trace.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cli {

/// --trace-without PART,…: what is left out of a trace.
void addTraceWithout(CLI::App& command, std::vector<std::string>& without);

/// The file of --trace. Opened before the run, so that a mistyped folder does not cost the run; a run that fails or a
/// writing that is interrupted leaves no half file.
class TraceOutput {
public:
    /// Nothing is written for an empty path. Throws data::FileError and engine::InvalidExperiment (a part of another name).
    TraceOutput(const std::string& path, const std::vector<std::string>& without);

    /// A large one is told of beforehand, with what would make it smaller. Ctrl+C ends it with engine::RunStopped.
    void write(const data::LaboratoryRun& run);

private:
    std::optional<data::WholeFile> m_file;
    data::TraceChoice m_choice;
};

}  // namespace cli
