#pragma once

#include <QStringList>

namespace app {

/// Returns whether the words request `ringside completion`, which opens no window.
bool asksForCompletion(const QStringList& words);

/// Prints the script for a shell. Needs no application. Returns the exit code of the program.
int completionMain(const QStringList& words);

}  // namespace app
