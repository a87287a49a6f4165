#pragma once

#include "engine/api/parameters.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace data {

struct LessonTraces;

/// The numbers that the traces of a step say, or why they say none.
struct LessonTraceReport {
    /// By their paths in `trace --output json`: "ranks.0.overlap", "collectives.1.busbw", "pair.measured.gemm_ps". Lists
    /// count from 0. In base units.
    std::map<std::string, double, std::less<>> numbers;
    std::string failure;
};

/// Reads the traces and evaluates all their steps. A pair is not simulated. Throws engine::RunStopped after a request to
/// stop.
LessonTraceReport lessonTraceReport(const LessonTraces& traces, const std::stop_token& stop);

/// Returns the number at a path, or why there is none, with the paths that are most like it.
std::optional<double> lessonTraceNumber(const LessonTraceReport& report, std::string_view path, std::string& failure);

/// Returns the unit of a number by the end of its path: of "_ps" picoseconds.
engine::ParameterUnit lessonTraceUnit(std::string_view path);

}  // namespace data
