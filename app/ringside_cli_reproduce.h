#pragma once

#include "app/ringside_cli_report.h"
#include "data/evaluations/reproduce.h"

#include <iosfwd>

namespace cli {

/// What `reproduce` prints: published figures beside ours, then every case, then traffic over time.
void writeReproduction(const data::Reproduction& reproduction, Output output, std::ostream& out);

/// True when no figure differs by more than `percent`.
bool withinTolerance(const data::Reproduction& reproduction, double percent);

}  // namespace cli
