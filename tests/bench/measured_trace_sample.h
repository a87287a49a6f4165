#pragma once

#include "data/measured/measured_trace.h"

#include <cstdint>
#include <string>

namespace tests {

/// Returns a rank with so many spans: kernels of 2,000 names on two streams, and a collective for every hundred.
inline data::MeasuredTrace measuredTraceOf(std::int64_t spans) {
    constexpr std::int64_t kUs = 1'000'000;
    constexpr std::uint32_t kNames = 2'000;
    data::MeasuredTrace trace;
    for (std::uint32_t i = 0; i < kNames; ++i)
        trace.names.push_back("kernel_" + std::to_string(i));
    trace.streams = {{0, 7}, {0, 20}};
    trace.launches.resize(1);
    for (std::int64_t i = 0; i < spans; ++i) {
        data::MeasuredSpan span;
        span.start = i * 10 * kUs;
        span.duration = (5 + i % 9) * kUs;
        span.name = static_cast<std::uint32_t>(i % kNames);
        span.launch = 0;
        span.kernelClass = i % 3 == 0 ? data::KernelClass::gemm : data::KernelClass::elementWise;
        if (i % 100 == 0) {
            span.kernelClass = data::KernelClass::communication;
            span.operation = data::MeasuredOperation::allReduce;
            span.stream = 1;
        }
        trace.spans.push_back(span);
    }
    return trace;
}

}  // namespace tests
