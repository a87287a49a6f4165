#pragma once

#include <QStringList>

namespace app {

/// Returns whether the words request `ringside figure`, which opens no window.
bool asksForFigure(const QStringList& words);

/// Runs `ringside figure`: reads the words, makes the figures and writes them. Needs no display. Returns the exit code
/// of the program.
int figureMain(int& count, char** values, const QStringList& words);

}  // namespace app
