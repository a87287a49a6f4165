#pragma once

#include "engine/api/units.h"
#include "engine/workload/gemm_shape.h"

#include <algorithm>
#include <cstdint>

// What the operators of a Transformer have in common: where their formulas come from, and how bytes are counted.

namespace engine {

inline constexpr double kElement = static_cast<double>(kElementBytes);

inline constexpr const char* kSlicedSource =
    "Megatron-LM (arXiv 1909.08053), section 3: columns of the first matrix of a pair are dealt out over the GPUs, so "
    "that nothing is communicated";
inline constexpr const char* kGradientSource =
    "Narayanan et al. (arXiv 2104.04473), appendix: the gradients of a GEMM's input and of its weights are a GEMM of as "
    "many flops each";
inline constexpr const char* kFeedingSource =
    "T3 (arXiv 2401.16677), section 2, and Megatron-LM (arXiv 1909.08053), section 3: each GPU has a part of K, so that "
    "its output is a partial sum";
inline constexpr const char* kMovedSource =
    "assumed: one kernel moves each tensor through DRAM once, 2 bytes an element";
inline constexpr const char* kReducedSource =
    "Megatron-LM (arXiv 1909.08053), section 3: the partial sums are all-reduced";
inline constexpr const char* kShareSource =
    "Korthikanti et al. (arXiv 2205.05198), section 4.2: sequence parallelism; assumed: what was gathered in the forward "
    "pass is kept for the backward pass";
inline constexpr const char* kExpertSource =
    "Switch Transformers (arXiv 2101.03961), section 2: whole experts are dealt out over the GPUs; assumed: all are "
    "chosen equally often";
inline constexpr const char* kDealtSource =
    "DeepSpeed-TED (arXiv 2303.06318), duplicate token dropping: tokens are dealt out before the experts and gathered "
    "after them";

inline double real(std::int64_t value) { return static_cast<double>(value); }

/// Sizes of a model that nobody can run may leave 63 bits; what runs it refuses them by their time.
inline Bytes clamped(double bytes) { return {static_cast<std::int64_t>(std::min(bytes, 9e18))}; }

}  // namespace engine
