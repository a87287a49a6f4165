#pragma once

#include <QString>

#include <optional>

namespace data {
struct BesideTime;
}
namespace engine {
struct CompanionResult;
struct Experiment;
}  // namespace engine

namespace ui {

/// Describes the ratio of a kernel's time beside another kernel to its time alone: "12 % slower", "3 % faster", "2.7
/// times as long as alone", "as fast as alone".
QString slowdownText(double ratio);

/// Describes the own work or the companion: "waits 3.20 ms for a CU, then as fast as alone", or its slow-down if it did
/// not wait. Precondition: the slow-down is known.
QString besideText(const data::BesideTime& time);

/// Returns the name of the work that runs beside the companion: "GEMM", "all-gather" or "own work".
QString ownWord(const engine::Experiment& experiment);

/// Describes how much two kernels slowed each other down: "GEMM 12 % slower, all-gather 40 % slower; speed-up 1.31 over
/// running one after the other, 47 % of ideal". If the result does not have the times alone, the sentence says when
/// each kernel ended.
QString companySentence(const engine::Experiment& experiment, const engine::CompanionResult& result);

}  // namespace ui
