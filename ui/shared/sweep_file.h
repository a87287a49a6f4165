#pragma once

#include "data/sweep_document.h"

#include <QString>

namespace ui {

/// A sweep and the file that it was read from; empty: none.
struct OpenedSweep {
    data::Sweep sweep;
    QString file;
};

/// Whether a file says that it is a sweep document; what else is right or wrong with it, its reader tells. False for
/// whatever cannot be read.
bool isSweepFile(const QString& file);

}  // namespace ui
