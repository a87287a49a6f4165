#pragma once

#include "data/sweep/sweep_document.h"

#include <QString>

namespace ui {

/// A sweep and the file that it was read from; empty: none.
struct OpenedSweep {
    data::Sweep sweep;
    QString file;
};

}  // namespace ui
