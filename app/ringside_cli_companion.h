#pragma once

#include "app/ringside_cli_table.h"
#include "data/laboratory/laboratory.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace cli {

/// Returns a phrase for the companion: "an all-gather of 939.5 MB", "3 GEMMs 4096 x 1024 x 1024". Precondition:
/// the experiment has a companion.
std::string companionPhrase(const engine::Experiment& experiment);

/// Returns "GEMM 8192 x 8192 x 8192" for a GEMM of its own, otherwise "t-nlg/fc-2/tp8 t3-mca".
std::string ownPhrase(const engine::Experiment& experiment, const engine::Shape& shape);

/// Returns how much a ratio exceeds 1: "11.5 %"; negative if it is below 1. From 2 on, returns the ratio: "2.7 times".
std::string longerText(double slowdown);

/// Returns a share as a percentage: "85.0 %".
std::string shareText(double fraction);

/// Prints what a run and its companion cost each other: when each ended, its time alone, and the gain of running both
/// together.
void writeCompanion(const data::LaboratoryRun& run, std::ostream& out);

/// Prints the same for several runs, one line for each; prints nothing if none has a companion.
void writeCompanions(const std::vector<data::LaboratoryRun>& runs, const TimeScale& scale, std::ostream& out);

}  // namespace cli
