#include "engine/api/parameter_field.h"
#include "engine/api/parameter_reading.h"

// The table's entries for the workload and the GPU: model, sub-layer, degree, machine preset, GEMM, compute units and
// caches. The limits are wide on purpose, because users may want limit cases; they keep every sum of times below 2^63
// ps and every table of the simulation small. Rules between several values are checked in validation.cpp.

namespace engine {
namespace {

constexpr double kMega = 1e6, kGiga = 1e9, kTera = 1e12;
constexpr double kMilli = 1e9;  // in picoseconds
constexpr double kKiB = 1024, kMiB = 1024.0 * 1024, kGiB = 1024.0 * 1024 * 1024;

using enum SourceLabel;

constexpr char kNotes[] = "T-NLG's hyper-parameters as read in notes about T3";

std::string whyNoTransformer(const Experiment& e) {
    return isNetwork(e) ? "the model is a network, which says its sizes itself (workload.network)" : std::string();
}

std::string whyNoSymbols(const Experiment& e) {
    return isNetwork(e) ? std::string() : "only a network has names for values (workload.network)";
}

// The sizes of a whole model besides its width. Of one sub-layer only the sliced side depends on some of them.
void appendTransformer(std::vector<Parameter>& table) {
    using S = WorkloadConfig;
    constexpr auto s = &Experiment::workload;
    const auto add = adder(table, ParameterGroup::model, {.whyNot = whyNoTransformer});
    add(field::of<s, &S::layers>({
        .path = "workload.layers",
        .label = "Layers",
        .range = logarithmic(1, 10000),
        .meaning = "Transformer layers of the whole model. A single sub-layer does not depend on it.",
        .source = {secondHand, kNotes},
    }));
    add(field::ofOptional<kAutoWord, s, &S::heads>({
        .path = "workload.heads",
        .label = "Query heads",
        .range = logarithmic(1, 4096),
        .meaning = "Attention heads of the queries. auto: one for each 128 of H.",
        .source = {assumed, "the usual size of a head"},
    }));
    add(field::ofOptional<kSameWord, s, &S::kvHeads>({
        .path = "workload.kv_heads",
        .label = "Key and value heads",
        .range = logarithmic(1, 4096),
        .meaning = "Heads of keys and of values; fewer than query heads in grouped-query attention, one in multi-query "
                   "attention. They make the input projection narrower.",
        .source = {assumed, "multi-head attention, as in T3's models"},
    }));
    add(field::ofOptional<kAutoWord, s, &S::headSize>({
        .path = "workload.head_size",
        .label = "Head size",
        .range = logarithmic(1, 4096),
        .meaning = "Columns of one head. auto: H over the number of query heads.",
        .source = {assumed, "multi-head attention, as in T3's models"},
    }));
    add(field::ofOptional<kAutoWord, s, &S::feedForward>({
        .path = "workload.feed_forward",
        .label = "Feed-forward width",
        .range = logarithmic(1, 1048576),
        .meaning = "Columns between the matrices of the feed-forward part. auto: 4H.",
        .source = {published, "T3, section 2: 4H"},
    }));
    add(field::of<s, &S::mlp>({
        .path = "workload.mlp",
        .label = "Feed-forward kind",
        .meaning = "plain: two matrices around an activation. gated: a third, whose product gates the activation "
                   "(SwiGLU, GeGLU); fc-1 is then twice as wide.",
        .source = {assumed, "T3's models: plain"},
    }));
    add(field::of<s, &S::vocabulary>({
        .path = "workload.vocabulary",
        .label = "Vocabulary",
        .range = logarithmic(1, 16777216),
        .meaning = "Number of different tokens of the whole model; the width of its last GEMM.",
        .source = {assumed, "GPT-2's 50,257, rounded up to a multiple of 1,024 as it is trained in parallel"},
    }));
    add(field::of<s, &S::experts>({
        .path = "workload.experts",
        .label = "Experts",
        .range = logarithmic(1, 4096),
        .meaning = "Feed-forward parts of each layer, of which each token uses only some; 1: dense.",
        .source = {assumed, "T3's models: dense"},
    }));
    add(field::of<s, &S::expertsPerToken>({
        .path = "workload.experts_per_token",
        .label = "Experts per token",
        .range = logarithmic(1, 4096),
        .meaning = "Number of experts that each token uses.",
        .source = {assumed, "T3's models: dense"},
        .reading = {.atAll = [](const Experiment& e) { return e.workload.experts > 1; }, .whyNot = whyNoTransformer},
    }));
}

void appendWorkload(std::vector<Parameter>& table) {
    using S = WorkloadConfig;
    constexpr auto s = &Experiment::workload;
    const auto addToModel = adder(table, ParameterGroup::model);
    const auto addToSubLayer = adder(table, ParameterGroup::sublayer);
    addToModel(field::of<s, &S::model>({
        .path = "workload.model",
        .label = "Model",
        .meaning =
            "Preset of the Transformer: sets hidden size, sequence length, batch, layers, heads and vocabulary. A "
            "collective or a GEMM alone does not read it.",
        .source = {published, "T3, section 5: one of the evaluated models"},
    }));
    addToSubLayer(field::of<s, &S::sublayer>({
        .path = "workload.sublayer",
        .label = "Sub-layer",
        .meaning =
            "The GEMM whose output is all-reduced: attention output projection (op, forward), second feed-forward "
            "(fc-2, forward), first feed-forward (fc-1, backward), attention input projection (ip, backward); or a "
            "collective alone, without a GEMM; or gemm, a GEMM of its own on each GPU (matrix.m, matrix.n, matrix.k), "
            "without a collective; or access, requests to memory alone (access.pattern). With collective.operation=all-gather it is the GEMM that consumes the gathered "
            "input: forward for fc-1 and ip, backward for op and fc-2.",
        .source = {published, "T3, section 2: the four sub-layers whose all-reduce is on the critical path"},
    }));
    addToModel(field::of<s, &S::hidden>({
        .path = "workload.hidden",
        .label = "Hidden size",
        .symbol = "H",
        .range = logarithmic(64, 262144),
        .meaning = "Width of the Transformer. The output has H columns; K is H/TP, 4H/TP or 3H/TP, by sub-layer.",
        .source = {secondHand, kNotes},
        .reading = {.whyNot = whyNoTransformer},
    }));
    addToModel(field::of<s, &S::sequence>({
        .path = "workload.sequence",
        .label = "Sequence length",
        .range = logarithmic(1, 1048576),
        .meaning = "Tokens of one sequence. The GEMM has sequence x batch rows (M).",
        .source = {secondHand, kNotes},
    }));
    addToModel(field::of<s, &S::batch>({
        .path = "workload.batch",
        .label = "Batch",
        .range = logarithmic(1, 65536),
        .meaning = "Sequences computed together. The GEMM has sequence x batch rows (M).",
        .source = {secondHand, kNotes},
    }));
    appendTransformer(table);
    addToModel(field::of<s, &S::network>({
        .path = "workload.network",
        .label = "Network",
        .range = {0, 65536},
        .words = {"none"},
        .meaning = "The operators of a model that is no Transformer, one a line (or divided by semicolons): \"ID: gemm "
                   "ROWS COLUMNS INNER [times T] [weights W]\", \"ID: work FLOPS BYTES out ELEMENTS\" or \"ID: "
                   "all-reduce BYTES\"; \"let NAME = EXPRESSION\" names a value. Of the other workload.* only batch, "
                   "sequence and symbols are then read. MODEL.md describes all of it.",
        .source = {chosen, "none: a Transformer"},
        .since = "0.5",
    }));
    addToModel(field::of<s, &S::symbols>({
        .path = "workload.symbols",
        .label = "Values of the network",
        .range = {0, 4096},
        .words = {"none"},
        .meaning = "Values that replace those of the network's lets: \"NAME=EXPRESSION, NAME=samples, …\".",
        .source = {chosen, "none: as the network says"},
        .since = "0.5",
        .reading = {.whyNot = whyNoSymbols},
    }));
    addToSubLayer(field::of<s, &S::bytes>({
        .path = "workload.bytes",
        .label = "Collective size",
        .symbol = "S",
        .range = logarithmic(4, 64 * kGiB),
        .meaning = "Bytes that a collective alone reduces or gathers, over all chunks; an even number, since elements "
                   "are fp16. A sub-layer's size follows from its GEMM instead.",
        .source = {chosen, "a size at which latency no longer dominates"},
        .reading = {.atAll = [](const Experiment& e) { return isCollectiveAlone(e.workload.sublayer); }},
    }));
}

void appendGemm(std::vector<Parameter>& table) {
    using S = GemmConfig;
    constexpr auto s = &Experiment::gemm;
    const auto add = adder(table, ParameterGroup::gemm, {.byRun = reading::hasGemm});
    add(field::of<s, &S::tileM>({
        .path = "gemm.tile_m",
        .label = "Macro-tile rows",
        .symbol = "m",
        .range = logarithmic(8, 65536),
        .meaning =
            "Rows of the output that one workgroup computes. Larger tiles re-read less input. At a ragged edge only "
            "existing elements are moved; tiles.padding sets what is computed.",
        .source = {calibrated, "256 x 128 gives the published GEMM reads; 128 x 128 is the alternative"},
        .reading = {.whyNot = reading::whyNoTile},
    }));
    add(field::of<s, &S::tileN>({
        .path = "gemm.tile_n",
        .label = "Macro-tile columns",
        .symbol = "n",
        .range = logarithmic(8, 65536),
        .meaning = "Columns of the output that one workgroup computes.",
        .source = {calibrated, "256 x 128 gives the published GEMM reads; 128 x 128 is the alternative"},
        .reading = {.whyNot = reading::whyNoTile},
    }));
    add(field::of<s, &S::kStep>({
        .path = "gemm.k_step",
        .label = "K-step",
        .symbol = "k",
        .range = logarithmic(8, 65536),
        .meaning = "Elements of K that a workgroup loads and multiplies at a time.",
        .source = {calibrated, "MODEL.md, Calibration"},
    }));
    add(field::ofOptional<kAutoWord, s, &S::prefetch>({
        .path = "gemm.prefetch",
        .label = "Prefetch",
        .range = logarithmic(8, 1048576),
        .meaning = "Elements of K whose loads a workgroup may have outstanding, in whole K-steps and at least one. "
                   "Deeper prefetch hides more of the latency of loads. auto: as many K-steps as cu.local_memory holds "
                   "for each workgroup of a CU, at least two; local memory then limits the workgroups of a CU, too.",
        .source = {derived, "CUTLASS chooses its number of stages so; for T3's machine it is 64, 2 K-steps of 32"},
    }));
    add(field::of<s, &S::epilogue>({
        .path = "gemm.epilogue",
        .label = "Epilogue",
        .range = {0, 10 * kMilli},
        .meaning = "Time between a workgroup's last multiplication and its first store.",
        .source = {assumed, "MODEL.md, What is modelled"},
    }));
    add(field::of<s, &S::group>({
        .path = "gemm.group",
        .label = "Tile rows in a group",
        .range = logarithmic(1, 65536),
        .meaning =
            "Workgroups take the tiles in groups of this many tile rows, column by column within a group, so that "
            "the workgroups of one wave share more of their inputs. Groups never cross a chunk. 1: row after row.",
        .source = {assumed, "work-group mapping of rocBLAS, tile swizzle of CUTLASS"},
        .since = "0.4",
    }));
    add(field::of<s, &S::multicast>({
        .path = "gemm.multicast",
        .label = "Multicast",
        .range = {1, 16},
        .meaning = "Workgroups, one after the other in the order of the tiles, for which an operand that they share "
                   "passes from the cache once. 1: each loads its own copy. Read only with llc.bandwidth.",
        .source = {published, "1: no multicast, as on GPUs before NVIDIA's thread block clusters"},
        .since = "0.5",
        .reading = {.whyNot = reading::whyNoSharedLoads},
    }));
    add(field::of<s, &S::accumulators>({
        .path = "gemm.accumulators",
        .label = "Accumulators",
        .range = {1, 2},
        .meaning =
            "Tiles whose accumulators the slot of a workgroup has room for. 1: the next workgroup starts when the "
            "stores of the tile have been taken. 2: it starts when the last K-step of the tile is done; at most "
            "one tile of a slot is being stored.",
        .source = {published, "1: accumulators in registers, as on GPUs before NVIDIA's tensor memory"},
        .since = "0.5",
    }));
}

void appendTiles(std::vector<Parameter>& table) {
    using S = TilesConfig;
    constexpr auto s = &Experiment::tiles;
    const auto add = adder(table, ParameterGroup::tiles, {.whyNot = reading::whyNoOwnGemm});
    add(field::of<s, &S::choice>({
        .path = "tiles.choice",
        .label = "Choice of the tile",
        .meaning =
            "fixed: gemm.tile_m and gemm.tile_n. best: the fastest of a list of seven tiles, as a GEMM library "
            "chooses by shape; the time with each tile is estimated from two simulated waves and the number of "
            "waves. shared: the tile with which the GEMM and its companion GEMMs together end first; both are "
            "simulated with each tile (GO-kernels of GOLDYLOC, arXiv 2409.02227). auto: best where the machine states "
            "llc.bandwidth and a tile of the list fits the output, otherwise fixed, because small tiles cost too "
            "little without that bandwidth.",
        .source = {chosen, "fixed on T3's machine: the tile that gives T3's published reads"},
        .since = "0.4",
        .leftOutValue = std::string("fixed"),
    }));
    add(field::of<s, &S::padding>({
        .path = "tiles.padding",
        .label = "Tiles at the edge",
        .meaning =
            "What a tile at the edge of the output computes. real: the elements that exist. full: a whole tile, as "
            "real kernels do; it loads and stores what exists. auto: full for GEMMs alone "
            "(workload.sublayer=gemm, companion.operation=gemm), real for sub-layers of models.",
        .source = {chosen, "real kernels; T3's sub-layers as they were"},
        .since = "0.4",
        .reading = {.whyNot = reading::whyNoPadding},
    }));
}

void appendComputeUnits(std::vector<Parameter>& table) {
    using S = CuConfig;
    constexpr auto s = &Experiment::cu;
    const auto add = adder(table, ParameterGroup::cu);
    add(field::of<s, &S::count>({
        .path = "cu.count",
        .label = "Compute units",
        .range = logarithmic(1, 4096),
        .meaning = "Compute units of one GPU. Together with slots they set how many workgroups make one wave.",
        .source = {published, "T3, table 1"},
    }));
    add(field::of<s, &S::clock>({
        .path = "cu.clock",
        .label = "Clock",
        .symbol = "f",
        .range = logarithmic(1 * kMega, 1000 * kGiga),
        .meaning = "Clock of the compute units.",
        .source = {published, "T3, table 1"},
        .reading = {.byRun = [](const Experiment& e) { return reading::hasGemm(e) && !e.cu.matrixClock; }},
    }));
    add(field::ofOptional<kSameWord, s, &S::matrixClock>({
        .path = "cu.matrix_clock",
        .label = "Clock under GEMMs",
        .range = logarithmic(1 * kMega, 1000 * kGiga),
        .meaning =
            "Clock of the compute units while a workgroup of a GEMM is resident on the GPU. GEMMs compute at this "
            "clock, and the pace of a collective kernel beside a GEMM falls with it. same: cu.clock.",
        .source = {assumed, "T3, table 1 names one clock"},
        .since = "0.5",
        .reading = {.byRun = reading::hasGemm, .whyNot = reading::whyNoMatrixClock},
    }));
    add(field::of<s, &S::flopsPerCycle>({
        .path = "cu.flops_per_cycle",
        .label = "Flops per cycle and CU",
        .range = logarithmic(1, 1 * kGiga),
        .meaning =
            "Peak fp16 operations of one compute unit in one cycle; a multiply-add counts as two. 1024 at 1.4 GHz "
            "on 80 CUs is 114.7 TFLOP/s.",
        .source = {assumed, "as recent matrix cores"},
    }));
    add(field::of<s, &S::rate32>({
        .path = "cu.rate_32",
        .label = "Rate with 32 bits",
        .range = logarithmic(0.001, 16),
        .meaning =
            "Peak operations with elements of 32 bits, relative to cu.flops_per_cycle, which is for 16 bits. Read with "
            "operators.element_bits=32.",
        .source = {assumed, "as the MI100's data sheet: 46.1 of 184.6 TFLOP/s"},
        .since = "0.4",
    }));
    add(field::of<s, &S::rate8>({
        .path = "cu.rate_8",
        .label = "Rate with 8 bits",
        .range = logarithmic(0.001, 16),
        .meaning =
            "Peak operations with elements of 8 bits, relative to cu.flops_per_cycle, which is for 16 bits. Read with "
            "operators.element_bits=8.",
        .source = {assumed, "as the MI100's data sheet: 184.6 of 184.6 TFLOP/s"},
        .since = "0.4",
    }));
    add(field::of<s, &S::residency>({
        .path = "cu.residency",
        .label = "Residency",
        .meaning =
            "How many workgroups are resident on one compute unit. They take turns on its tensor pipe, so that one "
            "computes while another waits for data or stores its tile. registers: as many as have room in "
            "cu.registers, at least one. slots: cu.slots.",
        .source = {derived, "the accumulators of a workgroup stay in registers from its first K-step to its last"},
        .since = "0.4",
    }));
    add(field::of<s, &S::registers>({
        .path = "cu.registers",
        .label = "Registers per CU",
        .range = logarithmic(1 * kKiB, 1 * kGiB),
        .meaning =
            "Vector registers of one compute unit. A workgroup needs them for the fp32 accumulators of its tile and "
            "for the operands of one K-step: 152 KiB for a tile of 256 x 128. Read only with "
            "cu.residency=registers.",
        .source = {published, "AMD GCN: 4 x 64 KiB of vector registers; NVIDIA: 64K registers of 32 bits per SM"},
        .since = "0.4",
    }));
    add(field::of<s, &S::localMemory>({
        .path = "cu.local_memory",
        .label = "Local memory per CU",
        .range = logarithmic(1 * kKiB, 64 * kMiB),
        .meaning = "Local memory of one compute unit (LDS, shared memory). It holds the K-steps that its workgroups "
                   "have loaded: 24 KiB for one K-step of a tile of 256 x 128 with 16 bits. Read only with "
                   "gemm.prefetch=auto.",
        .source = {published, "AMD CDNA white papers: 64 KiB of local data share"},
        .since = "0.5",
        .reading = {.whyNot = reading::whyNoLocalMemory},
    }));
    add(field::of<s, &S::slots>({
        .path = "cu.slots",
        .label = "Workgroups per CU",
        .range = {1, 64},
        .meaning = "Workgroups resident on one compute unit, whatever their registers. Read only with "
                   "cu.residency=slots.",
        .source = {calibrated, "MODEL.md, Calibration"},
    }));
    add(field::of<s, &S::tensorEfficiency>({
        .path = "cu.tensor_efficiency",
        .label = "Tensor efficiency",
        .range = {0.001, 1},
        .meaning =
            "Share of the peak rate that the tensor pipe reaches while it has data; instruction overheads, which are "
            "not simulated, cost the rest.",
        .source = {calibrated, "gives the published ratio of GEMM to reduce-scatter"},
    }));
    add(field::of<s, &S::startJitter>({
        .path = "cu.start_jitter",
        .label = "Start jitter",
        .range = {0, 10 * kMilli},
        .meaning =
            "Longest random delay of a workgroup's start. The delay follows from the seed and the workgroup's place in "
            "the order, alike on all GPUs.",
        .source = {calibrated, "MODEL.md, Calibration"},
        .reading = {.byRun = reading::hasGemm},
    }));
}

void appendLastLevelCache(std::vector<Parameter>& table) {
    using S = LlcConfig;
    constexpr auto s = &Experiment::llc;
    const auto add = adder(table, ParameterGroup::llc, {.byRun = reading::hasGemm});
    add(field::of<s, &S::size>({
        .path = "llc.size",
        .label = "Size",
        .range = logarithmic(64 * kKiB, 1024 * kGiB),
        .meaning =
            "Capacity of the last-level cache. GEMM inputs stay here between uses; a cached output displaces them, an "
            "uncached one does not.",
        .source = {published, "T3, table 1"},
    }));
    add(field::of<s, &S::latency>({
        .path = "llc.latency",
        .label = "Latency",
        .range = {0, 1 * kMilli},
        .meaning = "Time from a load to its data if they are in the cache; a miss adds the time of memory.",
        .source = {assumed, "MODEL.md, What is modelled"},
    }));
    add(field::of<s, &S::writeBack>({
        .path = "cache.write_back",
        .label = "Write-back",
        .meaning =
            "When cached output goes to memory. eager: an idle memory channel writes the oldest dirty data, and the "
            "rest is written at the end of the GEMM. at-end: before the end of the GEMM only evicted data are written, "
            "so that a larger cache makes the last burst longer. Read only with policy.output_caching=allocate.",
        .source = {assumed, "GPU caches write dirty lines back while memory is idle; how eagerly is not published"},
        .reading = {.byRun = [](const Experiment& e) { return e.policy.outputCaching == OutputCaching::allocate; }},
    }));
    add(field::ofOptional<kOffWord, s, &S::queue>({
        .path = "cache.queue",
        .label = "Cache queue",
        .range = logarithmic(64, 1024 * kGiB),
        .meaning = "Requests that the slices of the cache hold on their way to memory, all channels together. A slice "
                   "takes requests first in, first out: while more than this waits in the compute streams, a hit waits "
                   "for the misses and stores before it. off: a hit never waits.",
        .source = {assumed, "public GPU simulators block a slice at the head of its queue; its size is not published"},
        .since = "0.4",
    }));
    add(field::ofOptional<kUnlimitedWord, s, &S::bandwidth>({
        .path = "llc.bandwidth",
        .label = "Bandwidth",
        .range = logarithmic(1 * kGiga, 1000 * kTera),
        .meaning =
            "Bandwidth from the last-level cache to the compute units. Loads that hit, and loads whose data have "
            "come from memory, pass first in, first out, before llc.latency.",
        .source = {assumed, "T3's machine: not published, and never the limit with tiles of 256 x 128"},
        .since = "0.5",
    }));
}

}  // namespace

void appendWorkloadParameters(std::vector<Parameter>& table) {
    adder(table, ParameterGroup::machine)(field::through<std::string>(
        {
            .path = "machine",
            .label = "Machine",
            .meaning =
                "Preset of the whole machine: compute units, caches, memory and links. Values set by hand override it, "
                "in whatever order they are written.",
            .source = {published, "T3, table 1"},
        },
        [](const Experiment& e) { return ParameterValue{e.machine}; },
        [](Experiment& e, const ParameterValue& v) { e.machine = std::get<std::string>(v); }));
    appendWorkload(table);
    adder(table, ParameterGroup::parallelism)(field::of<&Experiment::parallel, &ParallelConfig::tp>({
        .path = "parallel.tp",
        .label = "Tensor-parallel degree",
        .symbol = "N",
        .range = {1, 64},
        .meaning = "GPUs that share the sub-layer. Must divide K before slicing (H, 4H, 4H or 3H for op, fc-2, fc-1 "
                   "and ip). 1 is for whole models only.",
        .source = {published, "T3, section 5: 8 and 16 for Mega-GPT-2 and T-NLG, 32 for the larger models"},
    }));
}

void appendMachineParameters(std::vector<Parameter>& table) {
    appendGemm(table);
    appendTiles(table);
    appendComputeUnits(table);
    appendLastLevelCache(table);
}

}  // namespace engine
