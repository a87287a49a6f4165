#pragma once

#include "app/ringside_cli_table.h"
#include "data/laboratory/laboratory.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace cli {

/// "an all-gather of 939.5 MB", "3 GEMMs 4096 x 1024 x 1024": what runs beside the experiment. Precondition: something
/// does.
std::string companionPhrase(const engine::Experiment& experiment, const engine::Shape& shape);

/// "GEMM 8192 x 8192 x 8192" of a GEMM of its own, else "t-nlg/fc-2/tp8 t3-mca".
std::string ownPhrase(const engine::Experiment& experiment, const engine::Shape& shape);

/// "11.5 %": how much longer than 1; negative where it is shorter.
std::string longerText(double slowdown);

/// "85.0 %"
std::string shareText(double fraction);

/// What a run and its companion lost to each other: when each ended, beside its time alone, and what both together gain.
void writeCompanion(const data::LaboratoryRun& run, std::ostream& out);

/// The same of several runs, a line for each; nothing where none has a companion.
void writeCompanions(const std::vector<data::LaboratoryRun>& runs, const TimeScale& scale, std::ostream& out);

}  // namespace cli
