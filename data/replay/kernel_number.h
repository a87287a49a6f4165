#pragma once

#include "engine/api/trace.h"

#include <cstdint>

namespace data {

/// The number of a kernel in a run with a companion: the own GEMM, the own collective, or a copy of the companion,
/// counted from kFirstCopy. A companion collective is one copy.
using KernelNumber = std::uint8_t;
inline constexpr KernelNumber kGemmKernel = 0, kCollectiveKernel = 1, kFirstCopy = 2;

/// Returns whether a span belongs to the companion.
bool isOfCompanion(const engine::Span& span);

/// Returns the kernel of a workgroup, a load, a DRAM service or any span of the companion. Own DRAM traffic belongs to
/// the GEMM or to the collective by its stream.
KernelNumber kernelNumberOf(const engine::Span& span);

/// Returns how many kernel numbers a trace uses: 2 without a companion.
inline std::size_t kernelsOf(const engine::Trace& trace) { return std::size_t{kFirstCopy} + trace.companionCopies; }

/// Returns the chunk of the own work that `span` is about, as the trace numbers it; kNone if its second number is not a
/// chunk.
std::uint32_t ownChunkOf(const engine::Span& span);

/// Returns the chunk of the companion that `span` is about, as GPU `gpu` numbers it; kNone if it is about no chunk.
std::uint32_t companionChunkOn(const engine::Trace& trace, std::uint32_t gpu, const engine::Span& span);

}  // namespace data
