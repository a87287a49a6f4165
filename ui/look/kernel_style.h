#pragma once

#include "data/replay/kernel_number.h"
#include "ui/look/texture.h"

#include <QString>

namespace engine {
struct Experiment;
}

namespace ui {

struct Palette;

/// Returns the name of the work that runs beside an experiment's own work: "all-gather", "GEMM". Precondition: the
/// experiment has a companion.
QString companionWord(const engine::Experiment& experiment);

/// Returns the name of a kernel in a run with a companion, the same in every view: "own GEMM", "own reduce-scatter",
/// "companion all-gather", "companion GEMM"; with several copies "companion copy 2".
QString kernelName(const engine::Experiment& experiment, data::KernelNumber kernel);

/// Returns the fill of a kernel, the same in every view. The own GEMM has the colour of its lane and no texture. No two
/// other kernels have the same texture in the same hue, and consecutive copies differ in both. `shaded` gives a second
/// tint to distinguish neighbours.
Fill fillOf(data::KernelNumber kernel, const Palette& palette, bool shaded = false);

/// Returns the fill for the workgroup slots that a GEMM's last wave leaves empty: lines on the background, without a
/// colour.
Fill emptySlotFill(const Palette& palette);

}  // namespace ui
