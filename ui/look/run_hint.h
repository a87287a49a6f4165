#pragma once

#include <QString>

namespace ui {

/// Tells how to get a first run. It holds whether the Run button can be pressed or an entry in the form keeps it from
/// that.
QString runHint();

/// Returns what every picture says before the first run.
QString noRunHint();

}  // namespace ui
