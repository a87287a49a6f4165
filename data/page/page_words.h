#pragma once

#include "data/laboratory/laboratory.h"
#include "data/results/headline_numbers.h"

#include <string>
#include <string_view>
#include <vector>

namespace data {

// The words of a web page. Those of headlines are the words of the window (ui/look/headlines); a test compares them.

/// Returns the title of a headline: "GEMM"; "Lost" for hidden time of a run that is slower than sequential.
std::string_view titleOf(const HeadlineNumber& number);

/// Returns what a headline's number is a part of or relative to: "47 % of communication"; empty if there is nothing to
/// say.
std::string remarkOf(const HeadlineNumber& number, const engine::RunResult& result);

/// Returns the name of the colour of a headline: "gemm"; empty if it has none.
std::string_view roleOf(const HeadlineNumber& number);

/// Returns the name of the collective before the all-gather: "reduce-scatter" or "all-to-all".
std::string_view scatterNameOf(const engine::Experiment& experiment);

/// Returns the formula of a bound: "max(GEMM, reduce-scatter) + all-gather".
std::string formulaOf(const engine::Experiment& experiment);

/// Returns the names of the kernels of a run by number (data/replay/kernel_number): the own GEMM, the own collective, and
/// each copy of the companion.
std::vector<std::string> kernelNames(const engine::Experiment& experiment);

/// Returns the experiment in words: "T-NLG, Second feed-forward, 8 GPUs, T3-MCA, machine T3, table 1".
std::string experimentInWords(const LaboratoryRun& run);

/// Returns what happens in a step of the critical path: "DRAM serves earlier requests of its own stream".
std::string_view nameOf(engine::PathAct act);

}  // namespace data
