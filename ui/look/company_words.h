#pragma once

#include <QString>

#include <optional>

namespace engine {
struct CompanionResult;
struct Experiment;
}  // namespace engine

namespace ui {

/// "12 % slower", "3 % faster", "as fast": a time beside another kernel against the time alone, as their ratio.
QString slowdownText(double ratio);

/// "GEMM", "all-gather" or "own work": what runs beside the companion.
QString ownWord(const engine::Experiment& experiment);

/// What two kernels lost to each other: "GEMM 12 % slower, all-gather 40 % slower; speed-up 1.31 over one after the other,
/// 47 % of ideal". Without the times alone it tells when each ended.
QString companySentence(const engine::Experiment& experiment, const engine::CompanionResult& result);

}  // namespace ui
