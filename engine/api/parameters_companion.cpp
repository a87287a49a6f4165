#include "engine/api/parameter_field.h"
#include "engine/api/parameter_reading.h"

// The table's entries for a GEMM alone, for the companion, and for the dispatch of CUs. All are newer than the pinned
// version, so that the canonical form leaves them out while they have their defaults.

namespace engine {
namespace {

constexpr double kMilli = 1e9;  // in picoseconds
constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr double kLongestSide = 2147483648.0;
constexpr std::string_view kSince = "0.4", kPassSince = "0.5";
constexpr char kAsOwn[] = "by default a second kernel of the same kind";

using enum SourceLabel;

void appendMatrix(std::vector<Parameter>& table) {
    using S = MatrixConfig;
    constexpr auto s = &Experiment::matrix;
    const auto add = adder(table, ParameterGroup::matrix);
    add(field::of<s, &S::batch>({
        .path = "matrix.batch",
        .label = "Batch",
        .symbol = "B",
        .range = logarithmic(1, 65536),
        .meaning =
            "Independent GEMMs of these sides that one kernel computes, on each GPU (workload.sublayer=gemm). Each "
            "has operands of its own. A companion GEMM beside them is a kernel of as many.",
        .source = {chosen, "one GEMM"},
        .since = kSince,
        .reading = {.whyNot = [](const Experiment& e) { return reading::whyNoMatrix(e, true); }},
    }));
    add(field::of<s, &S::m>({
        .path = "matrix.m",
        .label = "Rows",
        .symbol = "M",
        .range = logarithmic(1, kLongestSide),
        .meaning = "Rows of the output of a GEMM alone (workload.sublayer=gemm), on each GPU.",
        .source = {chosen, "a square GEMM of a usual size"},
        .since = kSince,
        .reading = {.whyNot = [](const Experiment& e) { return reading::whyNoMatrix(e, !e.companion.m); }},
    }));
    add(field::of<s, &S::n>({
        .path = "matrix.n",
        .label = "Columns",
        .symbol = "N",
        .range = logarithmic(1, kLongestSide),
        .meaning = "Columns of the output of a GEMM alone, on each GPU.",
        .source = {chosen, "a square GEMM of a usual size"},
        .since = kSince,
        .reading = {.whyNot = [](const Experiment& e) { return reading::whyNoMatrix(e, !e.companion.n); }},
    }));
    add(field::of<s, &S::k>({
        .path = "matrix.k",
        .label = "Inner side",
        .symbol = "K",
        .range = logarithmic(1, kLongestSide),
        .meaning = "The side over which a GEMM alone sums, on each GPU.",
        .source = {chosen, "a square GEMM of a usual size"},
        .since = kSince,
        .reading = {.whyNot = [](const Experiment& e) { return reading::whyNoMatrix(e, !e.companion.k); }},
    }));
}

void appendCompanionGemm(std::vector<Parameter>& table) {
    using S = CompanionConfig;
    constexpr auto s = &Experiment::companion;
    const auto add = adder(table, ParameterGroup::companion);
    add(field::ofOptional<kSameWord, s, &S::m>({
        .path = "companion.m",
        .label = "Rows",
        .range = logarithmic(1, kLongestSide),
        .meaning = "Rows of the output of a companion GEMM. same: those of the own GEMM.",
        .source = {chosen, kAsOwn},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoCompanionGemm},
    }));
    add(field::ofOptional<kSameWord, s, &S::n>({
        .path = "companion.n",
        .label = "Columns",
        .range = logarithmic(1, kLongestSide),
        .meaning = "Columns of the output of a companion GEMM. same: those of the own GEMM.",
        .source = {chosen, kAsOwn},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoCompanionGemm},
    }));
    add(field::ofOptional<kSameWord, s, &S::k>({
        .path = "companion.k",
        .label = "Inner side",
        .range = logarithmic(1, kLongestSide),
        .meaning = "The side over which a companion GEMM sums. same: that of the own GEMM.",
        .source = {chosen, kAsOwn},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoCompanionGemm},
    }));
    add(field::ofOptional<kSameWord, s, &S::tileM>({
        .path = "companion.tile_m",
        .label = "Tile rows",
        .range = logarithmic(8, 65536),
        .meaning = "Rows of the tile that one workgroup of a companion GEMM computes. same: gemm.tile_m.",
        .source = {chosen, kAsOwn},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoCompanionGemm},
    }));
    add(field::ofOptional<kSameWord, s, &S::tileN>({
        .path = "companion.tile_n",
        .label = "Tile columns",
        .range = logarithmic(8, 65536),
        .meaning = "Columns of the tile that one workgroup of a companion GEMM computes. same: gemm.tile_n.",
        .source = {chosen, kAsOwn},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoCompanionGemm},
    }));
    add(field::ofOptional<kSameWord, s, &S::slots>({
        .path = "companion.slots",
        .label = "Workgroups per CU",
        .range = {1, 16},
        .meaning =
            "Workgroups of a companion GEMM that fill one CU; each takes that share of it. same: as many as cu.slots "
            "or the registers of a CU hold.",
        .source = {chosen, kAsOwn},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoCompanionGemm},
    }));
    add(field::of<s, &S::copies>({
        .path = "companion.copies",
        .label = "Copies",
        .range = {1, 15},
        .meaning = "Number of equal companion GEMMs that run at the same time. A companion collective has one copy.",
        .source = {chosen, "one kernel beside another"},
        .since = kSince,
        // A companion collective has one kernel; validation refuses other numbers.
        .reading = {.atAll = [](const Experiment& e) { return e.companion.operation == CompanionOperation::gemm; },
                    .whyNot = reading::whyNoCompanion},
    }));
}

void appendCompanion(std::vector<Parameter>& table) {
    using S = CompanionConfig;
    constexpr auto s = &Experiment::companion;
    const auto add = adder(table, ParameterGroup::companion);
    add(field::of<s, &S::operation>({
        .path = "companion.operation",
        .label = "Companion",
        .meaning =
            "Work that begins together with the experiment's own work on each GPU and does not depend on it: a "
            "collective or GEMMs. in-memory: a pass inside memory, whose processors at the banks work on "
            "companion.bytes, piece by piece, without CUs and buses (pass.*). none: the GPUs run the experiment's "
            "own work only.",
        .source = {chosen, "one experiment, one kernel at a time"},
        .since = kSince,
    }));
    add(field::of<s, &S::bytes>({
        .path = "companion.bytes",
        .label = "Size",
        .range = logarithmic(4, 64 * kGiB),
        .meaning =
            "Bytes that a companion collective reduces, gathers or exchanges, over all chunks; an even number, since "
            "elements have two bytes. Of a pass inside memory, all that it reads and writes in the banks once.",
        .source = {chosen, "workload.bytes has the same"},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoCompanionBytes},
    }));
    appendCompanionGemm(table);
    add(field::of<s, &S::by>({
        .path = "companion.by",
        .label = "Carried by",
        .meaning =
            "kernel: a companion collective runs on CUs. dma: DMA engines with a tracker of their own carry it and "
            "take no CU; a reduction then needs collective.reduction=nmc.",
        .source = {published, "ConCCL (arXiv 2412.14335): collectives on DMA engines"},
        .since = kSince,
        .reading = {.byRun = hasCompanionCollective, .whyNot = reading::whyNoCompanionCollective},
    }));
    add(field::of<s, &S::workgroups>({
        .path = "companion.workgroups",
        .label = "Workgroups",
        .range = logarithmic(1, 4096),
        .meaning =
            "Workgroups of a companion's collective kernel. Each takes a whole CU until the kernel ends and sends at "
            "collective.cu_bandwidth.",
        .source = {secondHand, "NCCL and RCCL; 16 x 13.3 GB/s fill a link of 150 GB/s"},
        .since = kSince,
        .reading = {.byRun = reading::hasKernelCompanion, .whyNot = reading::whyNoCompanionKernel},
    }));
    add(field::ofOptional<kUnlimitedWord, s, &S::window>({
        .path = "companion.window",
        .label = "Window",
        .range = logarithmic(64, kGiB),
        .meaning =
            "Bytes for each link that a companion collective may have read and not yet sent. Without a limit the "
            "sender that reads faster occupies a link, because links take packets first in, first out.",
        .source = {assumed, "more than a link's bandwidth times the latencies of memory"},
        .since = kSince,
        .reading = {.byRun = hasCompanionCollective, .whyNot = reading::whyNoCompanionCollective},
    }));
    add(field::of<s, &S::issue>({
        .path = "companion.issue",
        .label = "Issue of a copy",
        .range = {0, 1 * kMilli},
        .meaning =
            "Time that the host takes to hand over one DMA copy to one destination, with companion.by=dma. Copies "
            "that a tracker triggers cost the host nothing.",
        .source = {assumed, "commands that wait in the engines' queues"},
        .since = kSince,
        .reading = {.whyNot = reading::whyNoCompanionDma},
    }));
}

void appendPass(std::vector<Parameter>& table) {
    using S = PassConfig;
    constexpr auto s = &Experiment::pass;
    constexpr double kKiB = 1024, kMost = 64;
    const auto add = adder(table, ParameterGroup::companion, {.whyNot = reading::whyNoPass});
    add(field::of<s, &S::rate>({
        .path = "pass.rate",
        .label = "Bandwidth inside memory",
        .range = {1, kMost},
        .meaning = "Bandwidth at which the processors at the banks move data, relative to memory.bandwidth.",
        .source = {secondHand, "Samsung's press texts on HBM-PIM: four times the bandwidth of the bus"},
        .since = kPassSince,
    }));
    add(field::of<s, &S::cost>({
        .path = "pass.cost",
        .label = "Passes over the data",
        .range = {1, kMost},
        .meaning =
            "How often a pass inside memory moves each of its bytes: blocks with a shared exponent are read once "
            "for their exponent and once for their mantissas.",
        .source = {assumed, "one pass for exponents, one for mantissas"},
        .since = kPassSince,
    }));
    add(field::of<s, &S::switchTime>({
        .path = "pass.switch",
        .label = "Switch of a channel",
        .range = {0, 1 * kMilli},
        .meaning = "Time that a channel takes to change from requests to the pass, and to change back.",
        .source = {assumed, "closing all rows and setting a mode register takes hundreds of nanoseconds"},
        .since = kPassSince,
    }));
    add(field::of<s, &S::piece>({
        .path = "pass.piece",
        .label = "Piece",
        .range = logarithmic(64 * kKiB, 8 * kKiB * kKiB),
        .meaning = "Bytes of all channels together on which the pass works before requests can have their turn. No "
                   "request interrupts a piece.",
        .source = {assumed, "the largest piece: few switches"},
        .since = kPassSince,
    }));
}

void appendDispatch(std::vector<Parameter>& table) {
    using S = DispatchConfig;
    constexpr auto s = &Experiment::dispatch;
    const auto add = adder(table, ParameterGroup::dispatch);
    add(field::of<s, &S::rule>({
        .path = "dispatch.rule",
        .label = "Rule",
        .meaning =
            "Kernel whose workgroup gets the next room on a CU. in-order: the kernel launched first. companion-first: "
            "the companion while it has workgroups left. round-robin: the kernels in turn. reserved: the last CUs take "
            "workgroups of collectives only, all others those of GEMMs only. auto: reserved where a "
            "collective kernel of the own work runs beside the GEMM (policy.start=concurrent, by-piece with "
            "collective.by=kernel, or when-ready with policy.mapping=local), otherwise in-order.",
        .source =
            {assumed,
             "vendors do not publish the order of their hardware; in-order: the base case of C3 (arXiv 2412.14335)"},
        .since = kSince,
        .reading = {.byRun = hasCompanion, .whyNot = reading::whyNoDispatch},
    }));
    add(field::ofOptional<kWorkgroupsWord, s, &S::reserved>({
        .path = "dispatch.reserved",
        .label = "Reserved CUs",
        .range = logarithmic(1, 4095),
        .meaning = "CUs that take workgroups of collectives only, under the rule reserved. workgroups: as many as the "
                   "collective kernel has workgroups.",
        .source = {secondHand, "C3 (arXiv 2412.14335): CU masks"},
        .since = kSince,
        .reading = {.byRun = [](const Experiment& e) { return dispatchRuleOf(e) == DispatchRule::reserved; },
                    .whyNot = reading::whyNoReservedCus},
    }));
}

void appendLaunch(std::vector<Parameter>& table) {
    using S = LaunchConfig;
    const auto add = adder(table, ParameterGroup::launch);
    add(field::of<&Experiment::launch, &S::kernel>({
        .path = "launch.kernel",
        .label = "Launch of a kernel",
        .range = {0, 10 * kMilli},
        .meaning = "Time from launching a kernel to its first workgroup, for every kernel.",
        .source = {assumed, "kernels follow each other from a queue that never runs dry"},
        .since = kSince,
    }));
}

}  // namespace

void appendMatrixParameters(std::vector<Parameter>& table) { appendMatrix(table); }

void appendCompanionParameters(std::vector<Parameter>& table) {
    appendCompanion(table);
    appendPass(table);
}

void appendDispatchParameters(std::vector<Parameter>& table) {
    appendDispatch(table);
    appendLaunch(table);
}

}  // namespace engine
