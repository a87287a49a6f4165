#pragma once

#include "app/ringside_cli_command.h"

namespace cli {

/// `sensitivity`: by how much the total changes when each parameter does.
DeclaredCommand declareSensitivity(CLI::App& app);

}  // namespace cli
