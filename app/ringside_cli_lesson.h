#pragma once

#include "app/ringside_cli_command.h"

namespace cli {

/// `lesson check`: the claims of lessons against simulation.
DeclaredCommand declareLesson(CLI::App& app);

}  // namespace cli
