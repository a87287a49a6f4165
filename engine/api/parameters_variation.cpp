#include "engine/api/parameter_field.h"

// The table's entries for differences between GPUs. If any of them is set, all GPUs are simulated.

namespace engine {
namespace {

constexpr double kTera = 1e12;
constexpr double kMilli = 1e9, kSecond = 1e12;  // in picoseconds

using enum SourceLabel;

}  // namespace

void appendVariationParameters(std::vector<Parameter>& table) {
    using S = VariationConfig;
    constexpr auto s = &Experiment::variation;
    const auto add = adder(table, ParameterGroup::variation);
    constexpr char kWhatIf[] = "a question to ask, not a property of the machine";
    add(field::ofOptional<kNoneWord, s, &S::gpu>({
        .path = "variation.gpu",
        .label = "GPU that differs",
        .range = {0, 63},
        .meaning = "The GPU to which link factor, clock factor, skew and background traffic apply, counted from 0.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::linkFactor>({
        .path = "variation.link_factor",
        .label = "Its link",
        .range = logarithmic(0.001, 1000),
        .meaning = "Bandwidth of that GPU's outgoing links relative to link.bandwidth: 0.5 is half the bandwidth.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::clockFactor>({
        .path = "variation.clock_factor",
        .label = "Its clock",
        .range = logarithmic(0.01, 100),
        .meaning = "Clocks of that GPU's compute units relative to cu.clock and cu.matrix_clock.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::startSkew>({
        .path = "variation.start_skew",
        .label = "Its start skew",
        .range = {0, 1 * kSecond},
        .meaning = "Time by which that GPU begins later than the others.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::backgroundTraffic>({
        .path = "variation.background_traffic",
        .label = "Its background traffic",
        .range = {0, 100 * kTera},
        .meaning =
            "Rate of DRAM reads by other software on that GPU, in the compute stream, until the GPU has ended. No "
            "count of bytes includes them.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::jitter>({
        .path = "variation.jitter",
        .label = "Jitter per GPU",
        .range = {0, 100 * kMilli},
        .meaning =
            "Longest random delay of a workgroup's start, in addition to cu.start_jitter. It is drawn from the seed "
            "separately for each GPU; cu.start_jitter is drawn alike on all GPUs.",
        .source = {chosen, kWhatIf},
    }));
}

}  // namespace engine
