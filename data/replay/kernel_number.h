#pragma once

#include "engine/api/trace.h"

#include <cstdint>

namespace data {

/// Which kernel of a run with a companion something belongs to: the own GEMM, the own collective, or a copy of the
/// companion, counted from kFirstCopy on. A companion collective is one copy.
using KernelNumber = std::uint8_t;
inline constexpr KernelNumber kGemmKernel = 0, kCollectiveKernel = 1, kFirstCopy = 2;

/// True where a span belongs to the companion.
bool isOfCompanion(const engine::Span& span);

/// Returns the kernel that a workgroup, a load, a DRAM service or any span of the companion belongs to. Own DRAM traffic is
/// the GEMM's or the collective's by its stream.
KernelNumber kernelNumberOf(const engine::Span& span);

/// Returns how many kernel numbers a trace uses: 2 without a companion.
inline std::size_t kernelsOf(const engine::Trace& trace) { return std::size_t{kFirstCopy} + trace.companionCopies; }

/// Returns the chunk of the own work that `span` is about, as the trace counts; kNone where its second number is none.
std::uint32_t ownChunkOf(const engine::Span& span);

/// Returns the chunk of the companion that `span` is about, as GPU `gpu` counts; kNone where it is about none.
std::uint32_t companionChunkOn(const engine::Trace& trace, std::uint32_t gpu, const engine::Span& span);

}  // namespace data
