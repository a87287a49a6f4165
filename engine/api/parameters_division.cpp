#include "engine/api/parameter_field.h"
#include "engine/api/parameter_reading.h"

// The table's entries for the division of a whole model over GPUs, the operators of its layers, its training and the
// capacity of a node. A run of a sub-layer reads none of them. All are newer than the pinned version, so that the
// canonical form leaves them out while they have their defaults.

namespace engine {
namespace {

constexpr double kKilo = 1e3, kMega = 1e6;
constexpr double kMostElements = 1e12, kMostWeights = 1e15;
constexpr double kMiB = 1024.0 * 1024, kPiB = 1024 * 1024 * 1024 * kMiB;
constexpr std::string_view kSince = "0.4";
constexpr char kWholeStep[] = "one group of tensor-parallel GPUs and one pass, as before there was a division";

using enum SourceLabel;

void appendDivision(std::vector<Parameter>& table) {
    using S = DivisionConfig;
    constexpr auto s = &Experiment::division;
    const auto add = adder(table, ParameterGroup::division, {.byRun = reading::never});
    add(field::of<s, &S::dp>({
        .path = "division.dp",
        .label = "Data-parallel degree",
        .symbol = "d",
        .range = logarithmic(1, 65536),
        .meaning = "Replicas of the model, each of which works on sequences of its own. GPUs = tp x dp x pp.",
        .source = {chosen, kWholeStep},
        .since = kSince,
    }));
    add(field::of<s, &S::pp>({
        .path = "division.pp",
        .label = "Pipeline stages",
        .symbol = "p",
        .range = logarithmic(1, 10 * kKilo),
        .meaning = "Stages over which the layers of one replica are divided; at most workload.layers.",
        .source = {chosen, kWholeStep},
        .since = kSince,
    }));
    add(field::of<s, &S::microbatches>({
        .path = "division.microbatches",
        .label = "Micro-batches",
        .symbol = "m",
        .range = logarithmic(1, kMega),
        .meaning = "Micro-batches of one replica in one step, each of workload.batch sequences. Must be a multiple of "
                   "division.pp if stages are interleaved.",
        .source = {chosen, kWholeStep},
        .since = kSince,
    }));
    add(field::of<s, &S::schedule>({
        .path = "division.schedule",
        .label = "Schedule of the pipeline",
        .meaning = "1f1b: after a start-up each stage does one forward pass, then one backward pass. all-forward: all "
                   "forward passes come first, as in GPipe. zb-h1: like 1f1b, but the gradients of weights are passes "
                   "of their own, which fill gaps (arXiv 2401.10241). delayed, delayed-pipelined: each module goes "
                   "backward on an earlier mini-batch, all at once after the forward passes, or without waiting for "
                   "each other (Ouroboros, arXiv 1909.06695).",
        .source = {published, "Narayanan et al. (arXiv 2104.04473), section 2.2: 1F1B"},
        .since = kSince,
    }));
    add(field::of<s, &S::interleave>({
        .path = "division.interleave",
        .label = "Chunks of layers per stage",
        .symbol = "v",
        .range = logarithmic(1, 10 * kKilo),
        .meaning =
            "Number of chunks of layers that each stage has; above 1 only with division.schedule=1f1b. More chunks "
            "shorten the pipeline's bubble and need more messages.",
        .source = {published, "Narayanan et al. (arXiv 2104.04473), section 2.2: 1 is the schedule without chunks"},
        .since = kSince,
    }));
    add(field::of<s, &S::sharding>({
        .path = "division.sharding",
        .label = "Sharding",
        .meaning =
            "Model states of which each replica holds only a part: none; the optimizer's state; also the gradients; "
            "also the weights (ZeRO stages 0 to 3).",
        .source = {published, "ZeRO (arXiv 1910.02054), section 5: stage 0"},
        .since = kSince,
    }));
    add(field::of<s, &S::bucket>({
        .path = "division.bucket",
        .label = "Bucket",
        .range = logarithmic(1, kMostElements),
        .meaning = "Elements of one data-parallel message; the last message has the rest.",
        .source = {secondHand, "DeepSpeed's default, reduce_bucket_size"},
        .since = kSince,
    }));
    add(field::ofOptional<kModelWord, s, &S::weights>({
        .path = "division.weights",
        .label = "Weights",
        .range = logarithmic(1, kMostWeights),
        .meaning = "Number of weights of a model of which nothing else is known; only model states and data-parallel "
                   "messages are then computed. model: the number follows from the model.",
        .source = {chosen, "a model determines more than a number of weights"},
        .since = kSince,
    }));
}

void appendStep(std::vector<Parameter>& table) {
    using S = StepConfig;
    constexpr auto s = &Experiment::step;
    constexpr double kMostAhead = 4096;
    const auto add = adder(table, ParameterGroup::step, {.byRun = reading::never});
    add(field::ofOptional<kUnlimitedWord, s, &S::lookahead>({
        .path = "step.lookahead",
        .label = "Look-ahead",
        .symbol = "W",
        .range = logarithmic(1, kMostAhead),
        .meaning = "Of the operators of a layer, in their order, the first W unfinished ones may run at once, GEMMs "
                   "beside exposed collectives. 1: one after the other; 2: also the weight gradient beside the "
                   "collective of the input gradient, as in Megatron-LM; unlimited: as soon as inputs are there.",
        .source = {chosen, "the operators of a model one after the other"},
        .since = "0.5",
    }));
}

void appendOperators(std::vector<Parameter>& table) {
    using S = OperatorsConfig;
    constexpr auto s = &Experiment::operators;
    const auto add = adder(table, ParameterGroup::operators, {.byRun = reading::never});
    add(field::of<s, &S::attention>({
        .path = "operators.attention",
        .label = "Attention",
        .meaning = "fused: one kernel, whose scores never leave the chip. separate: scores, softmax and value are "
                   "operators of their own, and the scores are kept for the backward pass.",
        .source = {published, "FlashAttention (arXiv 2205.14135), section 3"},
        .since = kSince,
    }));
    add(field::of<s, &S::passes>({
        .path = "operators.passes",
        .label = "Passes of element-wise operators",
        .range = {1, 16},
        .meaning = "How often an element-wise operator of activations moves its bytes: frameworks cut it into several "
                   "kernels, each of which moves its tensors once more. GEMMs, the products of attention and the "
                   "optimizer are not affected.",
        .source = {assumed, "one kernel for each operator"},
        .since = "0.5",
    }));
    add(field::of<s, &S::dropout>({
        .path = "operators.dropout",
        .label = "Dropout",
        .meaning =
            "on: three dropouts in each layer in training, after attention's softmax, its output projection and the "
            "feed-forward part; with fused attention the last two. Each keeps a mask of one byte per element.",
        .source = {assumed, "models of today are trained without dropout"},
        .since = kSince,
    }));
    add(field::of<s, &S::recompute>({
        .path = "operators.recompute",
        .label = "Recomputation",
        .meaning = "Results that the backward pass computes again instead of reading stored ones. none; gathers: the "
                   "all-gathers of sequence parallelism; attention: also scores, softmax and value; layer: whole "
                   "layers, of which only the input is stored.",
        .source = {assumed, "what was gathered in the forward pass is kept for the backward pass"},
        .since = kSince,
    }));
    add(field::of<s, &S::elementBits>({
        .path = "operators.element_bits",
        .label = "Element size",
        .range = powersOfTwo(8, 32),
        .meaning = "Bits of an element of activations, weights and gradients, in runs and in whole models. The rate of "
                   "the compute units follows by cu.rate_8 and cu.rate_32; sums are kept in 32 bits.",
        .source = {published, "T3, section 5: fp16"},
        .since = kSince,
    }));
    add(field::ofOptional<kModelWord, s, &S::embeddingRows>({
        .path = "operators.embedding_rows",
        .label = "Multiple of vocabulary rows",
        .range = powersOfTwo(64, 128),
        .meaning = "Fills the vocabulary up with unused rows, so that each GPU's part is a multiple of 64 or 128. "
                   "model: as many rows as the model has.",
        .source = {chosen, "the model as it is; Megatron-LM fills up to 128"},
        .since = kSince,
    }));
}

void appendTraining(std::vector<Parameter>& table) {
    using S = TrainingConfig;
    constexpr auto s = &Experiment::training;
    const auto add = adder(table, ParameterGroup::training);
    add(field::of<s, &S::optimizer>({
        .path = "training.optimizer",
        .label = "Optimizer",
        .symbol = "K",
        .meaning =
            "adam, momentum, sgd or lamb: 12, 8, 4 or 12 bytes of state for each weight, its fp32 copy included, 4 "
            "less with elements of 32 bits. lamb reads the state in two passes, with a norm over all weights between "
            "them.",
        .source = {published, "ZeRO (arXiv 1910.02054), section 3.1: Adam in mixed precision, K = 12"},
        .since = kSince,
    }));
    add(field::of<s, &S::accounting>({
        .path = "training.accounting",
        .label = "Accounting",
        .meaning =
            "Convention for the bytes of a weight, of a gradient and of buffers. zero: one element each (2 and 2 bytes "
            "with 16 bits). megatron: one element and 4 bytes (16 and 32 bits only). deepspeed: 2 and 4 bytes and the "
            "buffers of its estimators, which cover only 16 bits and the shardings gradients and weights.",
        .source = {published, "ZeRO (arXiv 1910.02054), section 3.1"},
        .since = kSince,
    }));
    add(field::of<s, &S::copies>({
        .path = "training.copies",
        .label = "Copies of the weights",
        .range = {1, 256},
        .meaning = "Copies of the weights in other formats, which a GPU holds for training: mx9, mx6 or mx4 (blocks of "
                   "16 with a shared exponent, 9, 6 and 4 bits a weight) or bf16 (16 bits). A number behind a format "
                   "says how many: mx9:2,mx6:2 is two of each, one for each direction. At most 16. none: no copies.",
        .source = {assumed, "training in one format"},
        .since = "0.5",
    }));
    add(field::of<s, &S::quantise>({
        .path = "training.quantise",
        .label = "Making of the copies",
        .meaning = "stored: a GPU holds the copies of all its weights. just-in-time: they are made just before a layer "
                   "needs them, so that it holds those of two layers, or none if only the number of weights is known.",
        .source = {assumed, "two layers: one in use while the next is made"},
        .since = "0.5",
    }));
    add(field::ofOptional<kAutoWord, s, &S::states>({
        .path = "training.states",
        .label = "States of a weight",
        .range = {1, 64},
        .meaning = "Bytes of a weight, its gradient and the optimizer's state together. auto: as training.accounting "
                   "and training.optimizer have them. A number changes the optimizer's state alone.",
        .source = {chosen, "the states follow from accounting and optimizer"},
        .since = "0.5",
    }));
}

}  // namespace

void appendDivisionParameters(std::vector<Parameter>& table) {
    appendDivision(table);
    appendStep(table);
    appendOperators(table);
    appendTraining(table);
    using S = NodeConfig;
    constexpr auto s = &Experiment::node;
    const auto add = adder(table, ParameterGroup::node);
    add(field::of<s, &S::gpus>({
        .path = "node.gpus",
        .label = "GPUs of a node",
        .range = logarithmic(1, kKilo),
        .meaning = "GPUs of one node. Messages of a group that does not fit into one node go between nodes.",
        .source = {published, "HGX H100, HGX B200 and the MI300X platform: eight GPUs"},
        .since = kSince,
    }));
    add(field::ofOptional<kUnlimitedWord, s, &S::memory>({
        .path = "node.memory",
        .label = "Memory of a GPU",
        .range = logarithmic(kMiB, kPiB),
        .meaning = "Capacity of one GPU's DRAM, against which a footprint is compared. No run depends on it.",
        .source = {chosen, "T3's machine has no stated capacity"},
        .since = kSince,
    }));
}

}  // namespace engine
