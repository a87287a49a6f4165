#pragma once

#include "app/ringside_cli_completion_script.h"

#include <string>

namespace cli {

/// Returns what a shell offers for the value of `option` ("--policies"; empty for an argument), which the help calls
/// `name`: the option decides, or else that name. A number or a text has no words and no files. Own presets are those
/// of now.
ShellValue shellValueOf(const std::string& option, const std::string& name);

}  // namespace cli
