#pragma once

namespace tests {

/// The claims of one step of a lesson: a metric, a metric under another policy with a tolerance, a difference, a ratio
/// and a setting.
inline constexpr auto kClaims = R"("claims": {
    "a": {"metric": "time_ps.total", "value": "2.40 ms"},
    "b": {"metric": "time_ps.gemm", "policy": "sequential", "value": "1.6 ms", "tolerance": "10 %"},
    "c": {"difference": ["a", "b"], "value": "800 µs"},
    "d": {"ratio": ["b", "a"], "value": "67 %"},
    "e": {"parameter": "link.bandwidth", "value": "150 GB/s"}})";

}  // namespace tests
