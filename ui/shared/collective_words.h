#pragma once

#include <QString>

namespace engine {
struct Experiment;
}

namespace ui {

/// True where what follows the GEMM, or runs alone, is an all-to-all.
bool exchangesOutput(const engine::Experiment& experiment);

/// What a trace's reduce-scatter lanes hold: "reduce-scatter" or "all-to-all".
QString scatterWord(const engine::Experiment& experiment);

}  // namespace ui
