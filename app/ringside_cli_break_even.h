#pragma once

#include "app/ringside_cli_command.h"

namespace cli {

/// `break-even`: from which value of a parameter on a number is reached.
DeclaredCommand declareBreakEven(CLI::App& app);

}  // namespace cli
