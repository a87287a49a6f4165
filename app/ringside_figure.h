#pragma once

#include <QStringList>

namespace app {

/// Whether the words ask for `ringside figure`, which opens no window.
bool asksForFigure(const QStringList& words);

/// All of it: reads the words, makes the figures and writes them. Needs no display. Returns the exit code of the program.
int figureMain(int& count, char** values, const QStringList& words);

}  // namespace app
