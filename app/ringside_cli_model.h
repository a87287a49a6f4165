#pragma once

#include "app/ringside_cli_command.h"

namespace cli {

/// `model`: the time of a training step, a prompt or a generated token of a whole model under several policies.
DeclaredCommand declareModel(CLI::App& app);

}  // namespace cli
