#include "engine/api/parameter_field.h"
#include "engine/api/parameter_reading.h"

// The table's entries for an access pattern (workload.sublayer=access). All are newer than the pinned version.

namespace engine {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr double kMostStreams = 16;
constexpr double kMostRequests = 1 << 24;
constexpr std::string_view kSince = "0.5";
constexpr char kQuestion[] = "a question to ask, not a property of the machine";

using enum SourceLabel;

std::string whyNoStreams(const Experiment& e) {
    const std::string why = reading::whyNoAccess(e);
    const bool isTrace = e.access.pattern == AccessPatternKind::trace;
    return why.empty() && isTrace ? "a request file has its own requests (access.pattern=trace)" : why;
}

std::string whyNoStride(const Experiment& e) {
    const std::string why = whyNoStreams(e);
    const bool isRandom = e.access.pattern == AccessPatternKind::random;
    return why.empty() && isRandom ? "turns begin at random places (access.pattern=random)" : why;
}

std::string whyNoTrace(const Experiment& e) {
    const std::string why = reading::whyNoAccess(e);
    const bool isTrace = e.access.pattern == AccessPatternKind::trace;
    return why.empty() && !isTrace ? "no request file is read; access.pattern=trace reads it" : why;
}

}  // namespace

void appendAccessParameters(std::vector<Parameter>& table) {
    using S = AccessConfig;
    constexpr auto s = &Experiment::access;
    const auto add = adder(table, ParameterGroup::access, {.whyNot = whyNoStreams});
    add(field::of<s, &S::pattern>({
        .path = "access.pattern",
        .label = "Pattern",
        .meaning = "Addresses of an access pattern (workload.sublayer=access). stride: the turns of a stream begin "
                   "access.stride apart. random: each turn begins at a random whole turn of the stream's region. "
                   "trace: the requests of a request file.",
        .source = {chosen, kQuestion},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoAccess},
    }));
    add(field::of<s, &S::reads>({
        .path = "access.reads",
        .label = "Streams of reads",
        .range = {0, kMostStreams},
        .meaning = "Streams that read. All streams take turns: those of reads, then of writes, then of updates.",
        .source = {chosen, "one stream that reads"},
        .since = kSince,
    }));
    add(field::of<s, &S::writes>({
        .path = "access.writes",
        .label = "Streams of writes",
        .range = {0, kMostStreams},
        .meaning = "Streams that write, after those of reads and before those of updates.",
        .source = {chosen, "one stream that reads"},
        .since = kSince,
    }));
    add(field::of<s, &S::updates>({
        .path = "access.updates",
        .label = "Streams of updates",
        .range = {0, kMostStreams},
        .meaning = "Streams of op-and-store updates, as near-memory reduction has them.",
        .source = {chosen, "one stream that reads"},
        .since = kSince,
    }));
    add(field::ofOptional<kGranuleWord, s, &S::turn>({
        .path = "access.turn",
        .label = "Turn",
        .range = logarithmic(32, 1024.0 * 1024),
        .meaning = "Bytes that a stream accesses in a row before the next stream has its turn; whole granules.",
        .source = {chosen, "the smallest turn"},
        .since = kSince,
    }));
    add(field::ofOptional<kTurnWord, s, &S::stride>({
        .path = "access.stride",
        .label = "Stride",
        .range = logarithmic(32, 64 * kGiB),
        .meaning = "Bytes from the start of a stream's turn to the start of its next one; whole granules. turn: turn "
                   "after turn.",
        .source = {chosen, "turn after turn"},
        .since = kSince,
        .reading = {.whyNot = whyNoStride},
    }));
    add(field::of<s, &S::footprint>({
        .path = "access.footprint",
        .label = "Region of a stream",
        .range = logarithmic(32, 64 * kGiB),
        .meaning = "Bytes of the region of each stream, after which the stream begins again; whole granules. The next "
                   "stream's region begins behind it, at a row of the first bank.",
        .source = {chosen, "larger than any cache"},
        .since = kSince,
    }));
    add(field::of<s, &S::skew>({
        .path = "access.skew",
        .label = "Skew",
        .range = {0, 64 * kGiB},
        .meaning = "Bytes by which each next region begins further away; whole granules. Without it, streams of one "
                   "pace access the same bank at the same time.",
        .source = {chosen, kQuestion},
        .since = kSince,
    }));
    add(field::of<s, &S::communication>({
        .path = "access.communication",
        .label = "Streams of communication",
        .range = {0, kMostStreams},
        .meaning = "The last so many streams are in the communication stream of the memory controller, the others in "
                   "the compute stream.",
        .source = {chosen, kQuestion},
        .since = kSince,
    }));
    add(field::of<s, &S::count>({
        .path = "access.count",
        .label = "Requests",
        .range = logarithmic(1, kMostRequests),
        .meaning = "Requests of all streams together. Each is one granule.",
        .source = {chosen, "more than a thousand for each channel"},
        .since = kSince,
    }));
    add(field::ofOptional<kAutoWord, s, &S::outstanding>({
        .path = "access.outstanding",
        .label = "Outstanding requests",
        .range = logarithmic(1, kMostRequests),
        .meaning = "Requests that are issued and not yet served, at most. auto: 64 for each channel.",
        .source = {chosen, "enough to fill the DRAM queues"},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoAccess},
    }));
    add(field::of<s, &S::trace>({
        .path = "access.trace",
        .label = "Request file",
        .range = {1, 64},
        .meaning = "SHA-256 of the request file whose requests are run (access.pattern=trace), or none. It is set from "
                   "the file.",
        .source = {chosen, kQuestion},
        .since = kSince,
        .reading = {.whyNot = whyNoTrace},
    }));
    add(field::of<s, &S::clock>({
        .path = "access.clock",
        .label = "Clock of the request file",
        .range = logarithmic(1e6, 100e9),
        .meaning = "Frequency of the cycles in a request file. A request is not issued before its cycle.",
        .source = {chosen, "a cycle is a nanosecond"},
        .since = kSince,
        .reading = {.whyNot = whyNoTrace},
    }));
}

}  // namespace engine
