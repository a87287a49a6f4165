#pragma once

#include "data/figure/figure_spec.h"
#include "data/model/class_times.h"
#include "data/model/model_run.h"

#include <string>

namespace data {

/// The meaning of a class' colour and marker, which is its name: "gemm", "batched-gemm".
std::string meaningOf(engine::OperatorClass operatorClass);

/// Returns whether an operator stands in a roofline plot: it has flops and bytes and takes time. A collective does not:
/// its bytes go over links.
bool isPlotted(const ModelRun& run, const OperatorPoint& point);

/// A roofline plot: rate over flops per byte, both logarithmic, a marker for each operator that has flops with its
/// share of the phase as area, under the machine's roof. `policy`: of run.policies, or run.sequential.
FigurePanel rooflinePanel(const ModelRun& run, const PolicyModelTime& policy);

/// Bars of the share of the phase by operator class, only of those that have operators.
FigurePanel classPanel(const ModelRun& run, const PolicyModelTime& policy);

/// Both panels with caption and alternative text; name, title and provenance are the caller's.
FigureSpec operatorFigure(const ModelRun& run, const PolicyModelTime& policy);

/// "The roof is 750 GB/s of DRAM and 100.9 TFLOP/s, its ridge at 134.6 FLOP/B.": for captions.
std::string roofSentence(const ModelRun& run);

/// What both panels say in words, for captions and for readers who cannot see them.
std::string rooflineText(const ModelRun& run, const PolicyModelTime& policy);
std::string classText(const ModelRun& run, const PolicyModelTime& policy);

}  // namespace data
