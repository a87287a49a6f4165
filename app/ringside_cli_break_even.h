#pragma once

#include "app/ringside_cli_command.h"
#include "data/questions/break_even.h"

namespace cli {

/// Returns what `break-even --output json` prints about an answer.
Json breakEvenJson(const data::BreakEvenQuestion& question, const data::BreakEven& answer);

}  // namespace cli
