#include "data/presets/node_presets.h"

#include <utility>

namespace data {
namespace {

using engine::ParameterValue;
using engine::SourceLabel;

constexpr std::int64_t kMega = 1'000'000, kGiga = 1'000'000'000;
constexpr std::int64_t kMiB = std::int64_t{1024} * 1024;

ParameterValue whole(std::int64_t value) { return value; }

struct SourcedValue {
    std::string path;
    ParameterValue value;
    SourceLabel label;
    std::string source;
};

/// "published, AMD's data sheet: cu.count, cu.clock; assumed, T3's 500 ns: link.latency", in the order of the values.
std::string sourceText(const std::vector<SourcedValue>& values) {
    std::vector<std::pair<std::string, std::string>> parts;
    for (const SourcedValue& value : values) {
        const std::string source = std::string(engine::name(value.label)) + ", " + value.source;
        if (parts.empty() || parts.back().first != source)
            parts.emplace_back(source, value.path);
        else
            parts.back().second += ", " + value.path;
    }
    std::string text;
    for (const auto& [source, paths] : parts)
        text += (text.empty() ? "" : "; ") + source + ": " + paths;
    return text;
}

Preset node(const char* name, const char* title, const char* notes, std::vector<SourcedValue> values) {
    const std::string kept = "as calibrated for T3's machine";
    values.push_back({"cu.tensor_efficiency", 0.88, SourceLabel::assumed, kept});
    Preset machine;
    machine.name = name;
    machine.title = title;
    machine.sourceLabel = SourceLabel::published;
    machine.source = sourceText(values) + "; all else assumed, as on T3's machine";
    machine.notes = notes;
    for (SourcedValue& value : values) {
        machine.settings.emplace(value.path, std::move(value.value));
        machine.sources.emplace(std::move(value.path), ValueSource{value.label, std::move(value.source)});
    }
    return machine;
}

ParameterValue word(const char* value) { return std::string(value); }

constexpr const char* kThroughSwitch =
    "NVSwitch: every GPU reaches every other at its full rate; one switch stands for all";
constexpr const char* kHops = "250 ns to the switch and 250 ns from it, together T3's 500 ns";
constexpr const char* kPeakOverSms = "the data sheet's dense fp16 peak over SMs and operations per cycle";
constexpr const char* kStacks = "stacks x 32, JESD238; read with memory.model=banks only";

Preset mi300x() {
    using enum SourceLabel;
    const std::string sheet = "AMD Instinct MI300X data sheet (1,307.4 TFLOP/s dense fp16)";
    return node(
        "amd-mi300x", "AMD Instinct MI300X, fully connected",
        "304 CUs at 2.1 GHz, 1,307 TFLOP/s, 256 MB LLC (Infinity Cache), 5.3 TB/s DRAM (192 GB HBM3); 8 GPUs joined "
        "each to each by 64 GB/s per direction; collectives go straight to their owners (algorithm direct)",
        {{"cu.count", whole(304), published, sheet},
         {"cu.clock", whole(2100 * kMega), published, sheet},
         {"llc.size", whole(256 * kMiB), published, sheet},
         {"memory.bandwidth", whole(5300 * kGiga), published, sheet},
         {"link.bandwidth", whole(64 * kGiga), published,
          sheet + ", 7 Infinity Fabric links of 128 GB/s in both directions together"},
         {"topology.kind", word("fully-connected"), published,
          "AMD Instinct MI300X platform: each of eight GPUs joined to each other"},
         {"collective.algorithm", word("direct"), chosen,
          "a ring uses one of the seven links of a GPU, direct all of them"},
         {"cu.flops_per_cycle", whole(2048), published, "AMD CDNA 3 white paper: fp16 per CU and cycle"},
         {"dram.pseudo_channels", whole(256), derived, std::string("8 ") + kStacks},
         {"link.latency", whole(500'000), assumed, "T3's 500 ns"}});
}

/// What is common to NVIDIA's eight-GPU boards. `fabric` is the rate of one
/// GPU's links together, per direction.
std::vector<SourcedValue> boardOf(std::int64_t fabric, const std::string& sheet) {
    using enum SourceLabel;
    return {{"link.bandwidth", whole(fabric), published, sheet + ", NVLink, half of what it gives for both directions"},
            {"topology.kind", word("switch"), published, kThroughSwitch},
            {"link.latency", whole(250'000), assumed, kHops}};
}

Preset hopper(const char* name, const char* title, const char* notes, std::int64_t bandwidth, std::int64_t stacks,
              const std::string& sheet) {
    using enum SourceLabel;
    const std::string paper = "NVIDIA H100 white paper, the SXM5 board";
    std::vector<SourcedValue> values{
        {"cu.count", whole(132), published, paper},
        {"llc.size", whole(50 * kMiB), published, paper},
        {"cu.flops_per_cycle", whole(4096), published, paper},
        {"cu.clock", whole(1830 * kMega), derived, kPeakOverSms},
        {"memory.bandwidth", whole(bandwidth), published, sheet},
        {"dram.pseudo_channels", whole(stacks * 32), derived, std::to_string(stacks) + " " + kStacks}};
    for (SourcedValue& value : boardOf(450 * kGiga, sheet))
        values.push_back(std::move(value));
    return node(name, title, notes, std::move(values));
}

Preset b200() {
    using enum SourceLabel;
    const std::string sheet = "NVIDIA HGX B200 data sheet (2.25 PFLOP/s dense fp16)";
    const std::string query = "what the driver reports of a B200, in public benchmarks";
    std::vector<SourcedValue> values{{"memory.bandwidth", whole(8000 * kGiga), published, sheet},
                                     {"cu.count", whole(148), secondHand, query},
                                     {"llc.size", whole(253 * kMiB / 2), secondHand, query},
                                     {"cu.flops_per_cycle", whole(8192), assumed, "twice those of an SM of the H100"},
                                     {"cu.clock", whole(1856 * kMega), derived, kPeakOverSms},
                                     {"dram.pseudo_channels", whole(256), derived, std::string("8 ") + kStacks}};
    for (SourcedValue& value : boardOf(900 * kGiga, sheet))
        values.push_back(std::move(value));
    return node("nvidia-b200", "NVIDIA HGX B200, NVSwitch",
                "148 SMs at 1.86 GHz, 2,250 TFLOP/s, 126.5 MB LLC (L2), 8 TB/s "
                "DRAM (HBM3E); 8 GPUs through a switch, 900 GB/s per direction",
                std::move(values));
}

}  // namespace

std::vector<Preset> nodePresets() {
    return {mi300x(),
            hopper("nvidia-h100", "NVIDIA HGX H100, NVSwitch",
                   "132 SMs at 1.83 GHz, 989 TFLOP/s, 50 MB LLC (L2), 3.35 TB/s "
                   "DRAM (80 GB HBM3); 8 GPUs through a switch, 450 GB/s per direction",
                   3350 * kGiga, 5, "NVIDIA H100 SXM data sheet (989 TFLOP/s dense fp16)"),
            hopper("nvidia-h200", "NVIDIA HGX H200, NVSwitch",
                   "132 SMs at 1.83 GHz, 989 TFLOP/s, 50 MB LLC (L2), 4.8 TB/s "
                   "DRAM (141 GB HBM3E); 8 GPUs through a switch, 450 GB/s per direction",
                   4800 * kGiga, 6,
                   "NVIDIA H200 SXM data sheet (989 TFLOP/s dense fp16, the "
                   "H100's GPU)"),
            b200()};
}

}  // namespace data
