#pragma once

#include "engine/api/problem.h"

class QCommandLineParser;

namespace app {

/// Returns a problem for each option and argument of a parsed command line whose value is empty: an unset variable of a
/// script must not mean "no store". `argument` is what the help calls the positional argument.
engine::Problems emptyValues(const QCommandLineParser& parser, const char* argument);

}  // namespace app
