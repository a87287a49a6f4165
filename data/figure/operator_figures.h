#pragma once

#include "data/figure/figure_spec.h"
#include "data/model/class_times.h"
#include "data/model/model_run.h"

#include <string>

namespace data {

inline constexpr double kTera = 1e12;  ///< operations in the unit of rates, TFLOP/s

/// Returns the meaning of the colour and marker of an operator class, which is its name: "gemm", "batched-gemm".
std::string meaningOf(engine::OperatorClass operatorClass);

/// Returns whether an operator is in the roofline plot: it has flops and bytes and takes time. A collective is not,
/// because its bytes go over links.
bool isPlotted(const ModelRun& run, const OperatorPoint& point);

/// Returns a roofline plot: rate over flops per byte, both logarithmic, under the machine's roof. Each operator that
/// has flops has a marker whose area is its share of the phase. `policy` is one of run.policies, or run.sequential.
FigurePanel rooflinePanel(const ModelRun& run, const PolicyModelTime& policy);

/// Returns bars of the share of the phase by operator class, for classes that have operators.
FigurePanel classPanel(const ModelRun& run, const PolicyModelTime& policy);

/// Returns a figure with both panels, caption and alternative text; the caller sets name, title and provenance.
FigureSpec operatorFigure(const ModelRun& run, const PolicyModelTime& policy);

/// Returns the sentence of a caption about the roof: "The roof is 750 GB/s of DRAM and 100.9 TFLOP/s, its ridge at
/// 134.6 FLOP/B."
std::string roofSentence(const ModelRun& run);

/// Return a description of each panel, for captions and for readers who cannot see them.
std::string rooflineText(const ModelRun& run, const PolicyModelTime& policy);
std::string classText(const ModelRun& run, const PolicyModelTime& policy);

}  // namespace data
