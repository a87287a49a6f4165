#include "data/presets/machine_presets.h"

#include "data/presets/node_presets.h"

namespace data {
namespace {

using engine::ParameterValue;
using engine::SourceLabel;

constexpr std::int64_t kMega = 1'000'000, kGiga = 1'000'000'000;
constexpr std::int64_t kMiB = std::int64_t{1024} * 1024;

ParameterValue whole(std::int64_t value) { return value; }

/// What T3's table 1 says and what was calibrated with it; everything else is the parameter table's default.
Preset tableOne() {
    Preset machine;
    machine.name = "t3-table-1";
    machine.title = "T3, table 1";
    machine.settings = {
        {"cu.count", whole(80)},
        {"cu.clock", whole(1400 * kMega)},
        {"cu.tensor_efficiency", 0.88},
        {"llc.size", whole(16 * kMiB)},
        {"memory.bandwidth", whole(1000 * kGiga)},
        {"link.bandwidth", whole(150 * kGiga)},
        {"link.latency", whole(500'000)},
    };
    machine.sourceLabel = SourceLabel::published;
    machine.source = "T3, table 1; the 150 GB/s read as per direction, tensor efficiency calibrated";
    machine.notes = "80 CUs at 1.4 GHz, 16 MB LLC, 1 TB/s DRAM, ring of 150 GB/s per direction and 500 ns";
    return machine;
}

/// T3's machine with something else about it.
Preset changed(const char* name, const char* title, const Settings& changes, SourceLabel label, const char* source,
               const char* notes) {
    Preset machine = tableOne();
    machine.name = name;
    machine.title = title;
    for (const auto& [path, value] : changes)
        machine.settings.insert_or_assign(path, value);
    machine.sourceLabel = label;
    machine.source = source;
    machine.notes = notes;
    return machine;
}

std::vector<Preset> futures() {
    constexpr SourceLabel derived = SourceLabel::derived;
    constexpr const char* kCompute = "T3, section 7: compute that grows faster than the network";
    constexpr const char* kLinks = "T3, table 1, with other links; tensor efficiency as calibrated with 150 GB/s";
    constexpr const char* kCache = "T3, table 1, with another cache; its latency is kept";
    return {
        changed("t3-2x-cu", "T3, table 1, twice the CUs", {{"cu.count", whole(160)}}, derived, kCompute,
                "160 CUs, all else equal"),
        changed("t3-4x-cu", "T3, table 1, four times the CUs", {{"cu.count", whole(320)}}, derived, kCompute,
                "320 CUs, all else equal"),
        changed("t3-half-link", "T3, table 1, half the link", {{"link.bandwidth", whole(75 * kGiga)}}, derived, kLinks,
                "links of 75 GB/s per direction, all else equal (t3-table-1-75 also has the tensor efficiency that "
                "goes with them)"),
        changed("t3-2x-link", "T3, table 1, twice the link", {{"link.bandwidth", whole(300 * kGiga)}}, derived, kLinks,
                "links of 300 GB/s per direction, all else equal"),
        changed("t3-4x-link", "T3, table 1, four times the link", {{"link.bandwidth", whole(600 * kGiga)}}, derived,
                kLinks, "links of 600 GB/s per direction, all else equal"),
        changed("t3-llc-8", "T3, table 1, 8 MB LLC", {{"llc.size", whole(8 * kMiB)}}, derived, kCache,
                "8 MB LLC, all else equal"),
        changed("t3-llc-32", "T3, table 1, 32 MB LLC", {{"llc.size", whole(32 * kMiB)}}, derived, kCache,
                "32 MB LLC, all else equal"),
        changed("t3-llc-64", "T3, table 1, 64 MB LLC", {{"llc.size", whole(64 * kMiB)}}, derived, kCache,
                "64 MB LLC, all else equal"),
        changed("t3-hbm3", "T3, table 1, HBM3",
                {{"memory.bandwidth", whole(3'276'800 * kMega)}, {"dram.pseudo_channels", whole(128)}}, derived,
                "four stacks, as many as HBM2 takes for T3's 1 TB/s, of HBM3: JESD238, 6.4 Gb/s on 1,024 pins and 32 "
                "pseudo-channels each. Bank timings are kept (assumed), as is the efficiency",
                "3.28 TB/s DRAM in 128 pseudo-channels, all else equal"),
    };
}

}  // namespace

std::vector<Preset> bundledMachines() {
    std::vector<Preset> machines{
        tableOne(),
        changed("t3-table-1-75", "T3, table 1, 75 GB/s per direction",
                {{"link.bandwidth", whole(75 * kGiga)}, {"cu.tensor_efficiency", 0.62}}, SourceLabel::assumed,
                "the second reading of \"150 GB/s bi-directional\"; tensor efficiency calibrated with it",
                "links of 75 GB/s per direction, tensor efficiency 0.62, all else equal")};
    for (std::vector<Preset> more : {futures(), nodePresets()})
        machines.insert(machines.end(), more.begin(), more.end());
    return machines;
}

}  // namespace data
