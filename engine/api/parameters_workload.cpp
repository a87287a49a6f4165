#include "engine/api/parameter_field.h"

// The table's entries for what is computed: model, sub-layer, degree, machine preset, GEMM, compute units and caches.
// Limits are wide on purpose (limit cases are part of what a person may ask for); they keep every sum of times below
// 2^63 ps and every table of the simulation small. What only holds between values is checked in validation.cpp.

namespace engine {
namespace {

constexpr double kMega = 1e6, kGiga = 1e9;
constexpr double kMilli = 1e9;  // in picoseconds
constexpr double kKiB = 1024, kGiB = 1024.0 * 1024 * 1024;

using enum SourceLabel;

template <auto Member>
ParameterValue readText(const Experiment& e) {
    return e.*Member;
}
template <auto Member>
void writeText(Experiment& e, const ParameterValue& v) {
    e.*Member = std::get<std::string>(v);
}

Parameter machinePreset() {
    return field::withDefault({
        .path = "machine",
        .label = "Machine",
        .group = ParameterGroup::machine,
        .kind = ParameterKind::text,
        .meaning = "Preset of the whole machine: compute units, caches, memory and links. Values set by hand win over "
                   "it, whatever the order they are written in.",
        .sourceLabel = published,
        .source = "T3, table 1",
        .read = &readText<&Experiment::machine>,
        .write = &writeText<&Experiment::machine>,
    });
}

// What a whole model is made of besides its width. Of one sub-layer only the sliced side depends on some of it.
void appendTransformer(std::vector<Parameter>& table) {
    using S = WorkloadConfig;
    constexpr auto s = &Experiment::workload;
    constexpr auto group = ParameterGroup::model;
    constexpr auto kNotes = "model.md, section 1: T-NLG's hyper-parameters as read in notes about T3";
    table.push_back(field::of<s, &S::layers>({
        .path = "workload.layers",
        .label = "Layers",
        .group = group,
        .minimum = 1,
        .maximum = 10000,
        .logarithmic = true,
        .meaning = "Transformer layers of the whole model. A single sub-layer does not depend on it.",
        .sourceLabel = secondHand,
        .source = kNotes,
    }));
    table.push_back(field::ofOptional<kAutoWord, s, &S::heads>({
        .path = "workload.heads",
        .label = "Query heads",
        .group = group,
        .minimum = 1,
        .maximum = 4096,
        .logarithmic = true,
        .meaning = "Attention heads of the queries. auto: one for each 128 of H.",
        .sourceLabel = assumed,
        .source = "the usual size of a head",
    }));
    table.push_back(field::ofOptional<kSameWord, s, &S::kvHeads>({
        .path = "workload.kv_heads",
        .label = "Key and value heads",
        .group = group,
        .minimum = 1,
        .maximum = 4096,
        .logarithmic = true,
        .meaning = "Heads of keys and of values; fewer than query heads in grouped-query attention, one in multi-query "
                   "attention. They make the input projection narrower.",
        .sourceLabel = assumed,
        .source = "multi-head attention, as in T3's models",
    }));
    table.push_back(field::ofOptional<kAutoWord, s, &S::headSize>({
        .path = "workload.head_size",
        .label = "Head size",
        .group = group,
        .minimum = 1,
        .maximum = 4096,
        .logarithmic = true,
        .meaning = "Columns of one head. auto: H over the number of query heads.",
        .sourceLabel = assumed,
        .source = "multi-head attention, as in T3's models",
    }));
    table.push_back(field::ofOptional<kAutoWord, s, &S::feedForward>({
        .path = "workload.feed_forward",
        .label = "Feed-forward width",
        .group = group,
        .minimum = 1,
        .maximum = 1048576,
        .logarithmic = true,
        .meaning = "Columns between the matrices of the feed-forward part. auto: 4H.",
        .sourceLabel = published,
        .source = "T3, section 2: 4H",
    }));
    table.push_back(field::of<s, &S::mlp>({
        .path = "workload.mlp",
        .label = "Feed-forward kind",
        .group = group,
        .meaning = "plain: two matrices around an activation. gated: a third, whose product gates the activation "
                   "(SwiGLU, GeGLU); fc-1 is then twice as wide.",
        .sourceLabel = assumed,
        .source = "T3's models: plain",
    }));
    table.push_back(field::of<s, &S::vocabulary>({
        .path = "workload.vocabulary",
        .label = "Vocabulary",
        .group = group,
        .minimum = 1,
        .maximum = 16777216,
        .logarithmic = true,
        .meaning = "Tokens that the whole model tells apart; the width of its last GEMM.",
        .sourceLabel = assumed,
        .source = "GPT-2's 50,257, rounded up to a multiple of 1,024 as it is trained in parallel",
    }));
    table.push_back(field::of<s, &S::experts>({
        .path = "workload.experts",
        .label = "Experts",
        .group = group,
        .minimum = 1,
        .maximum = 4096,
        .logarithmic = true,
        .meaning = "Feed-forward parts of each layer of which a token uses some; 1: dense.",
        .sourceLabel = assumed,
        .source = "T3's models: dense",
    }));
    table.push_back(field::of<s, &S::expertsPerToken>({
        .path = "workload.experts_per_token",
        .label = "Experts per token",
        .group = group,
        .minimum = 1,
        .maximum = 4096,
        .logarithmic = true,
        .meaning = "How many of the experts each token uses.",
        .sourceLabel = assumed,
        .source = "T3's models: dense",
    }));
}

void appendWorkload(std::vector<Parameter>& table) {
    using S = WorkloadConfig;
    constexpr auto s = &Experiment::workload;
    table.push_back(field::of<s, &S::model>({
        .path = "workload.model",
        .label = "Model",
        .group = ParameterGroup::model,
        .meaning =
            "Preset of the Transformer: sets hidden size, sequence length, batch, layers, heads and vocabulary. Unused "
            "by a collective alone.",
        .sourceLabel = published,
        .source = "T3, section 5: one of the evaluated models",
    }));
    table.push_back(field::of<s, &S::sublayer>({
        .path = "workload.sublayer",
        .label = "Sub-layer",
        .group = ParameterGroup::sublayer,
        .meaning =
            "The GEMM whose output is all-reduced: attention output projection (op, forward), second feed-forward "
            "(fc-2, forward), first feed-forward (fc-1, backward), attention input projection (ip, backward); or "
            "a collective alone, without a GEMM. With collective.operation=all-gather the GEMM that consumes the "
            "gathered input instead: forward for fc-1 and ip, backward for op and fc-2.",
        .sourceLabel = published,
        .source = "T3, section 2: the four sub-layers whose all-reduce is on the critical path",
    }));
    table.push_back(field::of<s, &S::hidden>({
        .path = "workload.hidden",
        .label = "Hidden size",
        .symbol = "H",
        .group = ParameterGroup::model,
        .minimum = 64,
        .maximum = 262144,
        .logarithmic = true,
        .meaning = "Width of the Transformer. The output has H columns; K is H/TP, 4H/TP or 3H/TP, by sub-layer.",
        .sourceLabel = secondHand,
        .source = "model.md, section 1: T-NLG's hyper-parameters as read in notes about T3",
    }));
    table.push_back(field::of<s, &S::sequence>({
        .path = "workload.sequence",
        .label = "Sequence length",
        .group = ParameterGroup::model,
        .minimum = 1,
        .maximum = 1048576,
        .logarithmic = true,
        .meaning = "Tokens of one sequence. The GEMM has sequence x batch rows (M).",
        .sourceLabel = secondHand,
        .source = "model.md, section 1: T-NLG's hyper-parameters as read in notes about T3",
    }));
    table.push_back(field::of<s, &S::batch>({
        .path = "workload.batch",
        .label = "Batch",
        .group = ParameterGroup::model,
        .minimum = 1,
        .maximum = 65536,
        .logarithmic = true,
        .meaning = "Sequences computed together. The GEMM has sequence x batch rows (M).",
        .sourceLabel = secondHand,
        .source = "model.md, section 1: T-NLG's hyper-parameters as read in notes about T3",
    }));
    appendTransformer(table);
    table.push_back(field::of<s, &S::bytes>({
        .path = "workload.bytes",
        .label = "Collective size",
        .symbol = "S",
        .group = ParameterGroup::sublayer,
        .minimum = 4,
        .maximum = 64 * kGiB,
        .logarithmic = true,
        .meaning = "Bytes that a collective alone reduces or gathers, over all chunks; an even number, since elements "
                   "are fp16. A sub-layer's size follows from its GEMM instead.",
        .sourceLabel = chosen,
        .source = "a size at which latency no longer dominates",
    }));
}

void appendGemm(std::vector<Parameter>& table) {
    using S = GemmConfig;
    constexpr auto s = &Experiment::gemm;
    constexpr auto group = ParameterGroup::gemm;
    table.push_back(field::of<s, &S::tileM>({
        .path = "gemm.tile_m",
        .label = "Macro-tile rows",
        .symbol = "m",
        .group = group,
        .minimum = 8,
        .maximum = 65536,
        .logarithmic = true,
        .meaning = "Rows of the output that one workgroup computes. Larger tiles re-read less input; a ragged edge "
                   "computes and moves only what exists.",
        .sourceLabel = calibrated,
        .source = "model.md, section 2: 256 x 128 gives the published GEMM reads; 128 x 128 is the alternative",
    }));
    table.push_back(field::of<s, &S::tileN>({
        .path = "gemm.tile_n",
        .label = "Macro-tile columns",
        .symbol = "n",
        .group = group,
        .minimum = 8,
        .maximum = 65536,
        .logarithmic = true,
        .meaning = "Columns of the output that one workgroup computes.",
        .sourceLabel = calibrated,
        .source = "model.md, section 2: 256 x 128 gives the published GEMM reads; 128 x 128 is the alternative",
    }));
    table.push_back(field::of<s, &S::kStep>({
        .path = "gemm.k_step",
        .label = "K-step",
        .symbol = "k",
        .group = group,
        .minimum = 8,
        .maximum = 65536,
        .logarithmic = true,
        .meaning = "Elements of K that a workgroup loads and multiplies at a time.",
        .sourceLabel = calibrated,
        .source = "model.md, section 2",
    }));
    table.push_back(field::of<s, &S::prefetch>({
        .path = "gemm.prefetch",
        .label = "Prefetch",
        .group = group,
        .minimum = 8,
        .maximum = 1048576,
        .logarithmic = true,
        .meaning = "Elements of K whose loads a workgroup may have outstanding, in whole K-steps and at least one. "
                   "Deeper prefetch hides more of the memory contention with communication.",
        .sourceLabel = calibrated,
        .source = "model.md, section 2: 2 K-steps of 32",
    }));
    table.push_back(field::of<s, &S::epilogue>({
        .path = "gemm.epilogue",
        .label = "Epilogue",
        .group = group,
        .minimum = 0,
        .maximum = 10 * kMilli,
        .meaning = "Time between a workgroup's last multiplication and its first store.",
        .sourceLabel = assumed,
        .source = "model.md, section 2",
    }));
}

void appendComputeUnits(std::vector<Parameter>& table) {
    using S = CuConfig;
    constexpr auto s = &Experiment::cu;
    constexpr auto group = ParameterGroup::cu;
    table.push_back(field::of<s, &S::count>({
        .path = "cu.count",
        .label = "Compute units",
        .group = group,
        .minimum = 1,
        .maximum = 4096,
        .logarithmic = true,
        .meaning = "Compute units of one GPU. Together with slots they set how many workgroups make one wave.",
        .sourceLabel = published,
        .source = "T3, table 1",
    }));
    table.push_back(field::of<s, &S::clock>({
        .path = "cu.clock",
        .label = "Clock",
        .symbol = "f",
        .group = group,
        .minimum = 1 * kMega,
        .maximum = 1000 * kGiga,
        .logarithmic = true,
        .meaning = "Clock of the compute units.",
        .sourceLabel = published,
        .source = "T3, table 1",
    }));
    table.push_back(field::of<s, &S::flopsPerCycle>({
        .path = "cu.flops_per_cycle",
        .label = "Flops per cycle and CU",
        .group = group,
        .minimum = 1,
        .maximum = 1 * kGiga,
        .logarithmic = true,
        .meaning =
            "Peak fp16 operations of one compute unit in one cycle; a multiply-add counts as two. 1024 at 1.4 GHz "
            "on 80 CUs is 114.7 TFLOP/s.",
        .sourceLabel = assumed,
        .source = "model.md, section 2: as recent matrix cores",
    }));
    table.push_back(field::of<s, &S::slots>({
        .path = "cu.slots",
        .label = "Workgroups per CU",
        .group = group,
        .minimum = 1,
        .maximum = 64,
        .meaning = "Workgroups resident on one compute unit. They take turns on its tensor pipe, so that one computes "
                   "while another waits for data or stores its tile.",
        .sourceLabel = calibrated,
        .source = "model.md, section 2",
    }));
    table.push_back(field::of<s, &S::tensorEfficiency>({
        .path = "cu.tensor_efficiency",
        .label = "Tensor efficiency",
        .group = group,
        .minimum = 0.001,
        .maximum = 1,
        .meaning = "Share of the peak rate that the tensor pipe reaches while it has data: what instruction overheads "
                   "cost that the simulation does not follow.",
        .sourceLabel = calibrated,
        .source = "model.md, section 2: gives the published ratio of GEMM to reduce-scatter",
    }));
    table.push_back(field::of<s, &S::startJitter>({
        .path = "cu.start_jitter",
        .label = "Start jitter",
        .group = group,
        .minimum = 0,
        .maximum = 10 * kMilli,
        .meaning = "Each workgroup starts late by up to this much; how much follows from the seed and its place in the "
                   "order, alike on all GPUs.",
        .sourceLabel = calibrated,
        .source = "model.md, section 2",
    }));
}

void appendLastLevelCache(std::vector<Parameter>& table) {
    using S = LlcConfig;
    constexpr auto s = &Experiment::llc;
    table.push_back(field::of<s, &S::size>({
        .path = "llc.size",
        .label = "Size",
        .group = ParameterGroup::llc,
        .minimum = 64 * kKiB,
        .maximum = 1024 * kGiB,
        .logarithmic = true,
        .meaning = "Capacity of the last-level cache. GEMM inputs live here between uses; a cached output displaces "
                   "them, an uncached one does not.",
        .sourceLabel = published,
        .source = "T3, table 1",
    }));
    table.push_back(field::of<s, &S::latency>({
        .path = "llc.latency",
        .label = "Latency",
        .group = ParameterGroup::llc,
        .minimum = 0,
        .maximum = 1 * kMilli,
        .meaning = "From a load to its data when they are in the cache; a miss adds the memory's time to it.",
        .sourceLabel = assumed,
        .source = "model.md, section 2",
    }));
    table.push_back(field::of<s, &S::writeBack>({
        .path = "cache.write_back",
        .label = "Write-back",
        .group = ParameterGroup::llc,
        .meaning = "When cached output goes to memory. eager: a memory channel with nothing else to do writes what "
                   "became dirty first; at the end of the GEMM the rest is written. at-end: only what is evicted is "
                   "written before the end of the GEMM, so that a larger cache makes that last burst longer. Read "
                   "only with policy.output_caching=allocate.",
        .sourceLabel = assumed,
        .source = "GPU caches write dirty lines back while memory is idle; how eagerly is not published",
    }));
}

}  // namespace

void appendWorkloadParameters(std::vector<Parameter>& table) {
    table.push_back(machinePreset());
    appendWorkload(table);
    table.push_back(field::of<&Experiment::parallel, &ParallelConfig::tp>({
        .path = "parallel.tp",
        .label = "Tensor-parallel degree",
        .symbol = "N",
        .group = ParameterGroup::parallelism,
        .minimum = 2,
        .maximum = 64,
        .meaning = "GPUs that share the sub-layer, joined in a ring. Must divide K before slicing (H, 4H, 4H or 3H for "
                   "op, fc-2, fc-1 and ip).",
        .sourceLabel = published,
        .source = "T3, section 5: 8 and 16 for Mega-GPT-2 and T-NLG, 32 for the larger models",
    }));
}

void appendMachineParameters(std::vector<Parameter>& table) {
    appendGemm(table);
    appendComputeUnits(table);
    appendLastLevelCache(table);
}

}  // namespace engine
