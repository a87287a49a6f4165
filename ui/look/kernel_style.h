#pragma once

#include "data/replay/kernel_number.h"
#include "ui/look/texture.h"

#include <QString>

namespace engine {
struct Experiment;
}

namespace ui {

struct Palette;

/// "all-gather", "GEMM": what runs beside an experiment's own work. Precondition: something does.
QString companionWord(const engine::Experiment& experiment);

/// The kernels of a run with a companion as every view names them: "own GEMM", "own reduce-scatter", "companion
/// all-gather", "companion GEMM"; of several copies "companion copy 2".
QString kernelName(const engine::Experiment& experiment, data::KernelNumber kernel);

/// How every view fills a kernel. The own GEMM has the colour of its lane and no texture. No two others have the same
/// texture in the same hue, and copies that follow each other differ in both. `shaded`: a second tint for neighbours.
Fill fillOf(data::KernelNumber kernel, const Palette& palette, bool shaded = false);

/// How every view fills the workgroup slots that a GEMM's last wave leaves empty: lines on the ground, without a
/// colour.
Fill emptySlotFill(const Palette& palette);

}  // namespace ui
