#pragma once

#include "app/ringside_cli_command.h"

namespace cli {

/// `convert`: a model's published configuration becomes a preset, which is printed, written to a file, or kept.
DeclaredCommand declareConvert(CLI::App& app);

}  // namespace cli
