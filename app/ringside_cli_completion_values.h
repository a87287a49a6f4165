#pragma once

#include "app/ringside_cli_completion_script.h"

#include <string>

namespace cli {

/// Returns what a shell offers for the value of `option` ("--policies"; empty for an argument), which the help calls
/// `name`. Looks up `option` first, then `name`. The value of an unknown name, such as a number or a text, has no words
/// and no files. The names of own presets are read at the time of the call.
ShellValue shellValueOf(const std::string& option, const std::string& name);

}  // namespace cli
