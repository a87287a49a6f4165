#pragma once

#include "ui/shared/figure_offer.h"

#include <QString>

namespace app {

/// Returns a function that makes a figure again with the command `figure --again` of `program`, in a process of its own: a
/// view needs a window that nobody sees, and the user's window goes on meanwhile. `store` keeps the runs of sweeps and
/// evaluations; empty: none does.
ui::FigureAgain figureAgain(const QString& program, const QString& store);

}  // namespace app
