#pragma once

#include "data/measured/trace_instant.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace data {

/// What a kernel, copy or fill of a measured trace does. The words are those of kernel-classes.json.
enum class KernelClass : std::uint8_t {
    gemm,
    attention,
    convolution,
    elementWise,
    communication,
    copy,
    fill,
    other,
};
inline constexpr std::array<std::string_view, 8> kKernelClassWords{
    "gemm", "attention", "convolution", "element-wise", "communication", "copy", "fill", "other"};
constexpr std::string_view wordOf(KernelClass kernelClass) {
    return kKernelClassWords.at(static_cast<std::size_t>(kernelClass));
}

/// Which communication a span of class communication is.
enum class MeasuredOperation : std::uint8_t {
    unknown,
    allReduce,
    reduceScatter,
    allGather,
    allToAll,
    broadcast,
    reduce,
    gather,
    scatter,
    send,
    receive,
    barrier,
};
inline constexpr std::array<std::string_view, 12> kMeasuredOperationWords{
    "unknown", "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast",
    "reduce",  "gather",     "scatter",        "send",       "receive",    "barrier"};
constexpr std::string_view wordOf(MeasuredOperation operation) {
    return kMeasuredOperationWords.at(static_cast<std::size_t>(operation));
}
/// Returns the operation that a library's name means: "allreduce", "_reduce_scatter_base", "nccl:all_gather"; unknown if
/// it means none.
MeasuredOperation operationNamed(std::string_view name);

/// What the trace of a GPU calls the span.
enum class SpanKind : std::uint8_t { kernel, copy, fill };

/// Remarks about one span, as bits of MeasuredSpan::notes.
enum SpanNote : std::uint8_t {
    kOfGraph = 1,         ///< launched by a graph: its operator is unknown
    kNoLaunchCall = 2,    ///< its launch call is not in the trace, so it belongs to no step
    kAssumedClass = 4,    ///< its class is likely, not certain
    kSharesOperator = 8,  ///< its operator launched several GEMM kernels, so the shape of each is unknown
};

inline constexpr std::uint32_t kNoIndex = 0xffff'ffff;
inline constexpr std::int32_t kNoStep = -1;

/// A kernel, copy or fill on a GPU. There may be ten million of them, so numbers that many spans share are kept once, in
/// the tables of MeasuredTrace.
struct MeasuredSpan {
    std::int64_t start = 0;           ///< in ps after MeasuredTrace::origin; may be negative
    std::int64_t duration = 0;        ///< in ps
    std::uint32_t name = 0;           ///< index into MeasuredTrace::names
    std::uint32_t launch = kNoIndex;  ///< index into MeasuredTrace::launches
    std::uint32_t facts = kNoIndex;   ///< index into MeasuredTrace::facts: its operator, or its collective
    std::int32_t step = kNoStep;      ///< the n of ProfilerStep#n in which its launch call began
    std::uint32_t stream = 0;         ///< index into MeasuredTrace::streams
    KernelClass kernelClass = KernelClass::other;
    MeasuredOperation operation = MeasuredOperation::unknown;
    SpanKind kind = SpanKind::kernel;
    std::uint8_t notes = 0;  ///< bits of SpanNote

    std::int64_t end() const { return start + duration; }
    bool has(SpanNote note) const { return (notes & note) != 0; }
    bool isCommunication() const { return kernelClass == KernelClass::communication; }
    /// Copies and fills count as memory; all that is neither that nor communication counts as compute.
    bool isMemory() const { return kernelClass == KernelClass::copy || kernelClass == KernelClass::fill; }
    bool isCompute() const { return !isCommunication() && !isMemory(); }
};
static_assert(sizeof(MeasuredSpan) <= 48);

/// How a kernel was launched, or how many bytes were copied. Numbers that the trace does not have are -1.
struct SpanLaunch {
    std::array<std::int64_t, 3> grid{-1, -1, -1};  ///< workgroups, also on AMD
    std::array<std::int64_t, 3> block{-1, -1, -1};
    std::int64_t registers = -1;  ///< of a thread
    std::int64_t shared = -1;     ///< bytes of a workgroup
    std::int64_t bytes = -1;      ///< of a copy or fill

    bool operator==(const SpanLaunch&) const = default;
    /// Returns the product of the three numbers; an empty optional if one is missing or the product is out of range.
    static std::optional<std::int64_t> productOf(const std::array<std::int64_t, 3>& sides);
    std::optional<std::int64_t> workgroups() const { return productOf(grid); }
    std::optional<std::int64_t> threads() const { return productOf(block); }
};

/// What an operator, or the collective of a span, says about its work. Texts are indices into MeasuredTrace::names.
struct SpanFacts {
    std::uint32_t name = kNoIndex;   ///< of the operator: "aten::mm"
    std::uint32_t dims = kNoIndex;   ///< "Input Dims" as JSON without blanks: "[[4096,1024],[1024,4096]]"
    std::uint32_t types = kNoIndex;  ///< "Input type", joined by semicolons
    std::uint32_t collective = kNoIndex;
    std::uint32_t dtype = kNoIndex;
    std::uint32_t groupName = kNoIndex;
    std::uint32_t groupRanks = kNoIndex;  ///< as written: "[0, 1]", or cut: "[0, 1, ..."
    std::int64_t in = -1, out = -1;       ///< elements
    std::int64_t groupSize = -1;
    std::int64_t source = -1, destination = -1;  ///< ranks
    std::int64_t sequence = -1;                  ///< "Seq"

    bool operator==(const SpanFacts&) const = default;
};

/// One row of a picture: a stream of a GPU.
struct MeasuredStream {
    std::int64_t device = 0;
    std::int64_t stream = 0;
    bool operator==(const MeasuredStream&) const = default;
};

/// A GPU as `deviceProperties` describes it; 0 where a number is missing.
struct MeasuredDevice {
    std::int64_t id = 0;
    std::string name;
    std::int64_t multiprocessors = 0;
    std::int64_t maxThreads = 0;  ///< of a multiprocessor
    std::int64_t registers = 0;   ///< of a multiprocessor
    std::int64_t shared = 0;      ///< bytes of a multiprocessor
    std::int64_t memory = 0;      ///< bytes
};

/// A step of the training loop on the CPU: ProfilerStep#n.
struct MeasuredStep {
    std::int32_t number = 0;
    std::int64_t start = 0, end = 0;  ///< in ps after the origin
};

/// A process group of `pg_config`.
struct MeasuredGroup {
    std::string name;
    std::int64_t size = 0;
    std::vector<std::int64_t> ranks;
};

/// What was read and left out.
struct MeasuredCounts {
    std::uint64_t events = 0;       ///< of all kinds
    std::uint64_t text = 0;         ///< bytes, unpacked
    std::uint64_t badTime = 0;      ///< spans whose `ts` is missing, no number or out of range
    std::uint64_t badDuration = 0;  ///< spans whose `dur` is missing, no number or negative
};

/// The GPU's side of a trace that a profiler wrote, of one rank. A value: nothing in it refers to the file.
struct MeasuredTrace {
    std::string file;  ///< as the caller named it
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> worldSize;
    TraceInstant origin;               ///< the first time in the file, to which all others refer
    std::int64_t baseNanoseconds = 0;  ///< baseTimeNanoseconds, which newer traces subtract from all their times
    std::vector<MeasuredSpan> spans;   ///< sorted by start
    std::vector<std::string> names;
    std::vector<SpanLaunch> launches;
    std::vector<SpanFacts> facts;
    std::vector<MeasuredStream> streams;  ///< sorted by device and stream
    std::vector<MeasuredDevice> devices;
    std::vector<MeasuredGroup> groups;
    std::vector<MeasuredStep> steps;  ///< sorted by start
    MeasuredCounts counts;
    bool wholeMicroseconds = false;  ///< all its times are rounded to 1 µs
    bool isAmd = false;
    std::string
        endsEarly;  ///< why the rest of the file was not read: "ends at event 12, byte 3456: ..."; empty if it was

    /// Returns the trace's name in sentences: "rank 3", or its file if the rank is unknown.
    std::string title() const { return rank ? "rank " + std::to_string(*rank) : file; }
    std::string_view nameOf(std::uint32_t index) const {
        return index < names.size() ? std::string_view(names[index]) : std::string_view();
    }
    const SpanLaunch* launchOf(const MeasuredSpan& span) const {
        return span.launch < launches.size() ? &launches[span.launch] : nullptr;
    }
    const SpanFacts* factsOf(const MeasuredSpan& span) const {
        return span.facts < facts.size() ? &facts[span.facts] : nullptr;
    }
    /// Returns the GPU of a span: the one with its number, or the first if all GPUs are of one kind (AMD numbers agents);
    /// null if it is unknown.
    const MeasuredDevice* deviceOf(const MeasuredSpan& span) const;
    /// Returns the process group with this name, or null.
    const MeasuredGroup* groupNamed(std::string_view name) const;
};

/// Which steps of a trace are meant.
struct StepChoice {
    enum class Kind { all, allButLast, range };
    Kind kind = Kind::all;
    std::int32_t first = 0, last = 0;  ///< of a range

    bool operator==(const StepChoice&) const = default;
};

/// Reads "all", "all-but-last", "4" or "4-6"; an empty optional for anything else.
std::optional<StepChoice> stepChoiceOf(std::string_view text);
/// Returns the steps as they are written.
std::string textOf(const StepChoice& choice);

/// Says which spans of one trace belong to the chosen steps.
class ChosenSteps {
public:
    ChosenSteps(const MeasuredTrace& trace, const StepChoice& choice);
    bool has(const MeasuredSpan& span) const { return m_all || (span.step >= m_first && span.step <= m_last); }
    bool isAll() const { return m_all; }

private:
    bool m_all = false;
    std::int32_t m_first = 0, m_last = -2;  ///< no step
};

}  // namespace data
