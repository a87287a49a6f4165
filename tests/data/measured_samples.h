#pragma once

#include "data/measured/measured_report.h"
#include "data/measured/trace_reading.h"
#include "tests/data/kineto_text.h"
#include "tests/data/said.h"

#include <string>
#include <utility>
#include <vector>

// Traces of the examples in the design of measured traces, and readers of texts.

namespace tests {

constexpr std::int64_t kUs = 1'000;          ///< nanoseconds, for KinetoText
constexpr std::int64_t kPsOfUs = 1'000'000;  ///< picoseconds

inline data::MeasuredReading readTrace(const std::string& text, data::MeasuredOptions options = {},
                                       const std::string& file = "trace.json") {
    return data::readMeasuredTrace(data::bytesOfText(text), file, options);
}

/// Returns the trace of a text; prints its problems if it has some.
inline data::MeasuredTrace traceOf(const std::string& text, const data::MeasuredOptions& options = {},
                                   const std::string& file = "trace.json") {
    data::MeasuredReading reading = readTrace(text, options, file);
    if (!reading.problems.empty())
        qWarning("%s", described(reading.problems).c_str());
    return std::move(reading.trace);
}

inline data::IntervalReport intervalsOf(const data::MeasuredTrace& trace, const data::StepChoice& steps = {}) {
    return data::intervalReportOf(data::unionsOf(trace, steps));
}

inline const std::string kGemmName = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize2x1x1";
inline const std::string kAllReduceName = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

/// Example A: one rank. All times in microseconds: compute [100,150), [150,180), [190,220); all-reduce [160,200),
/// [240,250); copy [195,235).
inline KinetoText exampleA(KinetoLayout layout = {}) {
    KinetoText trace(layout);
    trace.kernel(kGemmName, 100 * kUs, 50 * kUs);
    trace.kernel("vectorized_elementwise_kernel", 150 * kUs, 30 * kUs);
    trace.kernel("layer_norm", 190 * kUs, 30 * kUs);
    trace.kernel(kAllReduceName, 160 * kUs, 40 * kUs, {}, 8);
    trace.kernel(kAllReduceName, 240 * kUs, 10 * kUs, {}, 8);
    trace.copy("Memcpy HtoD (Pinned -> Device)", 195 * kUs, 40 * kUs);
    return trace;
}

/// Example B: all-reduces of 16,777,216 Float on two ranks. `without` leaves one of a rank's three out.
inline KinetoText exampleB(int rank, int without = -1, bool sequences = false) {
    KinetoText trace;
    trace.rank(rank, 2);
    const std::vector<std::pair<int, int>> times{{rank == 0 ? 100 : 300, 600}, {700, 800}, {900, 1000}};
    for (int i = 0; i < 3; ++i) {
        if (i == without)
            continue;
        const auto& [start, end] = times[static_cast<std::size_t>(i)];
        trace.kernel(kAllReduceName, start * kUs, (end - start) * kUs,
                     collective("allreduce", 16'777'216, 16'777'216, "Float", 2, "[0, 1]", sequences ? i : -1), 8);
    }
    return trace;
}

inline data::MeasuredTrace traceB(KinetoText text, int rank) {
    return traceOf(text.text(), {}, "rank-" + std::to_string(rank) + ".json");
}

inline KinetoArgs gemmLaunch(std::int64_t correlation) {
    return correlated(correlation, {{"grid", "[132, 1, 1]"},
                                    {"block", "[384, 1, 1]"},
                                    {"registers per thread", "168"},
                                    {"shared memory", "200000"}});
}

/// Example C: a GEMM alone, one beside an all-gather, and one of a graph launch.
inline KinetoText exampleC() {
    KinetoText trace;
    trace.device();
    const KinetoArgs inputs{{"Input Dims", "[[4096, 1024], [1024, 4096]]"},
                            {"Input type", "[\"c10::BFloat16\", \"c10::BFloat16\"]"}};
    for (int i = 0; i < 2; ++i) {
        trace.op("aten::matmul", (10 + i * 20) * kUs, 12 * kUs, 20 + i, inputs);
        trace.op("aten::mm", (11 + i * 20) * kUs, 10 * kUs, 30 + i, inputs);
        trace.launch((12 + i * 20) * kUs, 100 + i, 30 + i);
    }
    trace.launch(60 * kUs, 200, 0, "cudaGraphLaunch");
    trace.kernel(kGemmName, 1000 * kUs, 100 * kUs, gemmLaunch(100));
    trace.kernel(kGemmName, 2000 * kUs, 125 * kUs, gemmLaunch(101));
    trace.kernel("ncclDevKernel_AllGather_RING_LL", 1990 * kUs, 200 * kUs, {}, 8);
    trace.kernel(kGemmName, 3000 * kUs, 100 * kUs, gemmLaunch(200));
    trace.kernel("vectorized_elementwise_kernel", 3100 * kUs, 10 * kUs, correlated(200));
    return trace;
}

}  // namespace tests
