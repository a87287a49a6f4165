#pragma once

#include <QString>

namespace engine {
struct Experiment;
}

namespace ui {

/// What a trace's reduce-scatter lanes hold: "reduce-scatter" or "all-to-all".
QString scatterWord(const engine::Experiment& experiment);

/// The times of a bound's parts in words, behind the names of its parts; all empty where only the formula is told.
struct BoundTimeTexts {
    QString gemm, scatter, gather;
};

/// What the bound of perfect overlap adds up: "max(GEMM, reduce-scatter) + all-gather", with `times` "max(GEMM 1.559 ms,
/// reduce-scatter 450 µs) + all-gather 415 µs". An all-gather that feeds the GEMM is hidden behind it.
QString boundFormula(const engine::Experiment& experiment, const BoundTimeTexts& times = {});

}  // namespace ui
