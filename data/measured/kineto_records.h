#pragma once

#include "data/measured/measured_trace.h"

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace data {

/// What one trace may have. Reading stops there, and the part that was read is reported.
struct MeasuredLimits {
    std::uint64_t text = 2'000'000'000;  ///< bytes, unpacked
    std::uint64_t events = 50'000'000;   ///< of all kinds
    std::uint64_t spans = 10'000'000;    ///< kernels, copies and fills
    std::uint64_t token = 64'000'000;    ///< bytes of one text or number
    std::uint64_t longestName = 4'096;   ///< bytes; the rest of a longer name is dropped
};

inline constexpr std::int64_t kNoCorrelation = -1;

/// What joins a span to its launch call and its operator. Dropped after the join.
struct PendingSpan {
    std::int64_t correlation = kNoCorrelation;
    std::int64_t external = 0;  ///< "External id"; 0: none
    std::uint32_t thread = 0;   ///< index of its process and thread in the trace, which stand for GPU and stream
};

/// A call of the CPU that launches kernels or copies.
struct LaunchCall {
    std::int64_t correlation = kNoCorrelation;
    std::int64_t external = 0;
    std::int64_t start = 0;  ///< in ps after the origin
    std::uint32_t thread = 0;
    bool isGraph = false;
};
static_assert(sizeof(LaunchCall) <= 32);

/// An operator on the CPU, with the operators that it calls inside its time.
struct CpuOperator {
    std::int64_t start = 0, end = 0;
    std::int64_t external = 0;
    std::uint32_t thread = 0;
    std::uint32_t facts = kNoIndex;
};
static_assert(sizeof(CpuOperator) <= 32);

/// A range on a stream that names what runs in it: "nccl:all_reduce".
struct GpuAnnotation {
    std::int64_t start = 0, end = 0;
    std::uint32_t thread = 0;
    MeasuredOperation operation = MeasuredOperation::unknown;
};

/// A trace as its file has it, before spans are joined to operators and classified.
struct KinetoRecords {
    MeasuredTrace trace;               ///< its spans stand in the order of the file, each with its own `facts` or none
    std::vector<PendingSpan> pending;  ///< one for each span
    std::vector<LaunchCall> launchCalls;
    std::vector<CpuOperator> operators;
    std::vector<GpuAnnotation> annotations;
};

/// How the reading of a text ended.
struct KinetoEnd {
    std::string reason;  ///< why it ended before its end; empty if it did not
    std::uint64_t byte = 0;
    bool isTrace = false;  ///< a list of events has begun
};

/// What the parser and the stream that it reads tell each other.
struct KinetoState {
    std::uint64_t tokens = 0;  ///< read by the parser, so that the stream can see whether one text never ends
    double part = 0;           ///< of the file that the stream has read, from 0 to 1; 0 if unknown
};

/// Reads the events of a Chrome trace as Kineto writes them: an object with the list `traceEvents`, or a bare list.
/// Passes over what Ringside does not need. Never throws because of the text.
KinetoEnd readKineto(std::istream& text, const MeasuredLimits& limits, KinetoState& state, KinetoRecords& records);

}  // namespace data
