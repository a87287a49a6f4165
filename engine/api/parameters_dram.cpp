#include "engine/api/parameter_field.h"
#include "engine/api/parameter_reading.h"

// The table's entries for the bank model of DRAM, read only when memory.model is banks.

namespace engine {
namespace {

constexpr double kMicro = 1e6, kMilli = 1e9;  // in picoseconds
constexpr double kKiB = 1024;
constexpr char kNoLimit[] = "0: only precharge and activate take time";
constexpr char kHbm2[] = "HBM2, JESD235; typical speed bins";

using enum SourceLabel;
using S = DramConfig;
constexpr auto kSection = &Experiment::dram;

ParameterEntry entry(const char* path, const char* label, const char* symbol, double minimum, double maximum,
                     const char* meaning, SourceLabel sourceLabel = assumed, const char* source = kHbm2) {
    return {.path = path,
            .label = label,
            .symbol = symbol,
            .range = {minimum, maximum},
            .meaning = meaning,
            .source = {sourceLabel, source}};
}

}  // namespace

void appendDramParameters(std::vector<Parameter>& table) {
    const auto add = adder(table, ParameterGroup::dram, {.byRun = reading::hasBanks, .atAll = reading::hasBanks});
    const auto addShape =
        adder(table, ParameterGroup::dram, {.byRun = reading::hasBanksOrMapping, .atAll = reading::hasBanksOrMapping});
    addShape(field::of<kSection, &S::pseudoChannels>(
        entry("dram.pseudo_channels", "Pseudo-channels", "", 1, 4096,
              "Pseudo-channels of one GPU. Those of one simulated channel work in lock step, each with its share of "
              "every request.",
              derived, "1 TB/s in pseudo-channels of 16 GB/s")));
    addShape(field::of<kSection, &S::bankGroups>(entry(
        "dram.bank_groups", "Bank groups", "", 1, 64,
        "Consecutive column accesses in one group wait for the long column delay; consecutive accesses in different "
        "groups wait only for the bus.")));
    addShape(field::of<kSection, &S::banksPerGroup>(
        entry("dram.banks_per_group", "Banks per group", "", 1, 64, "Each bank has one open row.")));
    ParameterEntry row =
        entry("dram.row", "Row", "", 64, 64 * kKiB, "Bytes of one row of one bank of one pseudo-channel.");
    row.range.powerOfTwo = true;
    addShape(field::of<kSection, &S::row>(row));
    ParameterEntry burst = entry("dram.burst", "Burst", "", 8, 256, "Bytes of one column access.");
    burst.range.powerOfTwo = true;
    addShape(field::of<kSection, &S::burst>(burst));
    ParameterEntry run =
        entry("dram.group_run", "Bank-group run", "", 8, 64 * kKiB,
              "Consecutive bytes of one pseudo-channel that lie in one bank group; runs of one request in different "
              "groups take turns. One burst or less: consecutive bursts alternate between the groups.",
              assumed, "256 B, as common address maps of HBM have it");
    run.range.powerOfTwo = true;
    run.since = "0.4";
    run.reading = {.byRun = reading::hasBanksWithoutMapping, .atAll = reading::hasBanksWithoutMapping};
    add(field::of<kSection, &S::groupRun>(run));
    add(field::of<kSection, &S::columnDelay>(entry("dram.column_delay", "Column delay", "tCCD_L", 0, 1 * kMicro,
                                                   "Time between two column accesses of one bank group.")));
    ParameterEntry updateDelay =
        entry("dram.update_column_delay", "Column delay of updates", "", 0, 1 * kMicro,
              "Time between two column accesses of one bank group after an op-and-store update, which occupies the "
              "group longer than a write.",
              secondHand, "T3, section 5.1: updates are charged a longer column-to-column delay; twice is assumed");
    updateDelay.reading.byRun = reading::updatesBanks;
    add(field::of<kSection, &S::updateColumnDelay>(updateDelay));
    add(field::of<kSection, &S::activate>(entry("dram.activate", "Activate", "tRCD", 0, 1 * kMicro,
                                                "Time from opening a row to its first column access.")));
    add(field::of<kSection, &S::precharge>(entry("dram.precharge", "Precharge", "tRP", 0, 1 * kMicro,
                                                 "Time to close a row before another can be opened.")));
    add(field::of<kSection, &S::writeRecovery>(entry("dram.write_recovery", "Write recovery", "tWR", 0, 1 * kMicro,
                                                     "Time from the last write or update of a row to its precharge.")));
    add(field::of<kSection, &S::writeToRead>(entry("dram.write_to_read", "Write to read", "tWTR", 0, 1 * kMicro,
                                                   "Time of the bus turnaround after writes and updates.")));
    add(field::of<kSection, &S::readToWrite>(entry("dram.read_to_write", "Read to write", "tRTW", 0, 1 * kMicro,
                                                   "Time of the bus turnaround after reads.")));
    add(field::of<kSection, &S::refreshInterval>(entry("dram.refresh_interval", "Refresh interval", "tREFI", 1 * kMicro,
                                                       1 * kMilli, "Time between two refreshes.")));
    add(field::of<kSection, &S::refreshTime>(
        entry("dram.refresh_time", "Refresh time", "tRFC", 0, 0.9 * kMicro,
              "Time for which a refresh stops all banks; 0 leaves refreshes out.")));
    const auto addNew = [&](auto make, ParameterEntry limit) {
        limit.since = "0.5";
        add(make(limit));
    };
    addNew(field::of<kSection, &S::rowCycle>,
           entry("dram.row_cycle", "Row cycle", "tRC", 0, 1 * kMicro,
                 "Time between two activations of one bank; 0 leaves this limit out.", chosen, kNoLimit));
    addNew(field::of<kSection, &S::activateSpacing>,
           entry("dram.activate_spacing", "Activate spacing", "tRRD", 0, 1 * kMicro,
                 "Time between two activations of one channel; 0 leaves this limit out.", chosen, kNoLimit));
    addNew(field::of<kSection, &S::fourActivates>,
           entry("dram.four_activates", "Four activates", "tFAW", 0, 1 * kMicro,
                 "Time in which a channel activates at most four rows; 0 leaves this limit out.", chosen, kNoLimit));
    addNew(field::of<kSection, &S::lookAhead>,
           entry("dram.look_ahead", "Look-ahead", "", 1, 64,
                 "Requests at the head of a stream among which the controller chooses: it takes the one whose first "
                 "burst could start first, and of several the oldest. A head that was overtaken that many times is "
                 "next. 1: requests of a stream are served in order.",
                 chosen, "1: requests of a stream are served in order"));
}

}  // namespace engine
