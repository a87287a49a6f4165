#include "engine/api/parameter_field.h"

// The table's entries for what makes one GPU differ from the others; any of them needs all GPUs simulated.

namespace engine {
namespace {

constexpr double kTera = 1e12;
constexpr double kMilli = 1e9, kSecond = 1e12;  // in picoseconds

using enum SourceLabel;

}  // namespace

void appendVariationParameters(std::vector<Parameter>& table) {
    using S = VariationConfig;
    constexpr auto s = &Experiment::variation;
    constexpr auto group = ParameterGroup::variation;
    constexpr char kWhatIf[] = "a question to ask, not a property of the machine";
    table.push_back(field::ofOptional<kNoneWord, s, &S::gpu>({
        .path = "variation.gpu",
        .label = "GPU that differs",
        .group = group,
        .minimum = 0,
        .maximum = 63,
        .meaning = "The GPU that link and clock factor, skew and background traffic concern, counted from 0.",
        .sourceLabel = chosen,
        .source = kWhatIf,
    }));
    table.push_back(field::of<s, &S::linkFactor>({
        .path = "variation.link_factor",
        .label = "Its link",
        .group = group,
        .minimum = 0.001,
        .maximum = 1000,
        .logarithmic = true,
        .meaning = "Bandwidth of that GPU's outgoing link, times link.bandwidth: 0.5 is a link at half speed.",
        .sourceLabel = chosen,
        .source = kWhatIf,
    }));
    table.push_back(field::of<s, &S::clockFactor>({
        .path = "variation.clock_factor",
        .label = "Its clock",
        .group = group,
        .minimum = 0.01,
        .maximum = 100,
        .logarithmic = true,
        .meaning = "Clock of that GPU's compute units, times cu.clock.",
        .sourceLabel = chosen,
        .source = kWhatIf,
    }));
    table.push_back(field::of<s, &S::startSkew>({
        .path = "variation.start_skew",
        .label = "Its start skew",
        .group = group,
        .minimum = 0,
        .maximum = 1 * kSecond,
        .meaning = "How much later that GPU begins than the others.",
        .sourceLabel = chosen,
        .source = kWhatIf,
    }));
    table.push_back(field::of<s, &S::backgroundTraffic>({
        .path = "variation.background_traffic",
        .label = "Its background traffic",
        .group = group,
        .minimum = 0,
        .maximum = 100 * kTera,
        .meaning = "DRAM reads of something else on that GPU, at this rate, in the compute stream, until the GPU has "
                   "ended. They are in no count of bytes.",
        .sourceLabel = chosen,
        .source = kWhatIf,
    }));
    table.push_back(field::of<s, &S::jitter>({
        .path = "variation.jitter",
        .label = "Jitter per GPU",
        .group = group,
        .minimum = 0,
        .maximum = 100 * kMilli,
        .meaning = "Added to each workgroup's start, drawn from the seed for each GPU apart: 0 to this. "
                   "cu.start_jitter is drawn alike on all GPUs.",
        .sourceLabel = chosen,
        .source = kWhatIf,
    }));
}

}  // namespace engine
