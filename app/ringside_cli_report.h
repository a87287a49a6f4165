#pragma once

#include "data/experiment/own_presets.h"
#include "data/laboratory/laboratory.h"
#include "engine/api/runner.h"

#include <iosfwd>
#include <string_view>
#include <vector>

namespace cli {

enum class Output { table, json, csv, markdown };

/// What `run` prints.
void writeRun(const data::LaboratoryRun& run, Output output, std::ostream& out);

/// What `compare` prints: a line a policy.
void writeComparison(const std::vector<data::LaboratoryRun>& runs, Output output, std::ostream& out);

/// What `verify` prints.
void writeChecks(const engine::Experiment& experiment, const std::vector<engine::Check>& checks, Output output,
                 std::ostream& out);

/// What `list` prints, the bundled presets first and then the own ones; the kinds are those of listKinds().
void writeList(std::string_view kind, const data::OwnPresets& own, Output output, std::ostream& out);
const std::vector<std::string>& listKinds();

/// What `parameters` prints.
void writeParameters(Output output, std::ostream& out);

}  // namespace cli
