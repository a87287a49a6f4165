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
        .meaning = "The GPU that link and clock factor, skew and background traffic concern, counted from 0.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::linkFactor>({
        .path = "variation.link_factor",
        .label = "Its link",
        .range = logarithmic(0.001, 1000),
        .meaning = "Bandwidth of that GPU's outgoing link, times link.bandwidth: 0.5 is a link at half speed.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::clockFactor>({
        .path = "variation.clock_factor",
        .label = "Its clock",
        .range = logarithmic(0.01, 100),
        .meaning = "Clock of that GPU's compute units, times cu.clock.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::startSkew>({
        .path = "variation.start_skew",
        .label = "Its start skew",
        .range = {0, 1 * kSecond},
        .meaning = "How much later that GPU begins than the others.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::backgroundTraffic>({
        .path = "variation.background_traffic",
        .label = "Its background traffic",
        .range = {0, 100 * kTera},
        .meaning = "DRAM reads of something else on that GPU, at this rate, in the compute stream, until the GPU has "
                   "ended. They are in no count of bytes.",
        .source = {chosen, kWhatIf},
    }));
    add(field::of<s, &S::jitter>({
        .path = "variation.jitter",
        .label = "Jitter per GPU",
        .range = {0, 100 * kMilli},
        .meaning = "Added to each workgroup's start, drawn from the seed for each GPU apart: 0 to this. "
                   "cu.start_jitter is drawn alike on all GPUs.",
        .source = {chosen, kWhatIf},
    }));
}

}  // namespace engine
