#include "app/ringside_cli_command.h"
#include "app/ringside_cli_companion.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/experiment/scene_document.h"
#include "data/laboratory/broken_invariants.h"
#include "data/laboratory/laboratory.h"
#include "data/replay/time_lapse.h"
#include "data/results/result_json.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string>

// The command that shows the DRAM and the compute units of one GPU over time.

namespace cli {
namespace {

using data::Periods;
using data::TimeLapse;
using data::UnitLapse;

constexpr std::int64_t kLeastPeriod = 1000;
constexpr std::size_t kMostLapseCells = 1'000'000;

struct LapseArguments : CommonArguments {
    std::string period = "auto";
    std::string by = "channel";
    std::int64_t gpu = 0;
    std::optional<std::int64_t> channel;

    bool byBank() const { return by == "bank"; }
    bool byUnit() const { return by == "cu"; }
};

/// Returns the length that --period names; an empty optional for `auto`.
std::optional<std::int64_t> periodLength(const std::string& text, engine::Problems& problems) {
    const std::string allowed = "; allowed: auto, or a time of 1 ns or more, such as 10us";
    if (text == "auto")
        return std::nullopt;
    const auto moment = data::readMoment(text);
    if (!moment || moment->relative)
        problems.push_back({"--period", text, "not a time" + allowed});
    else if (moment->ps < kLeastPeriod)
        problems.push_back({"--period", text, "below 1 ns" + allowed});
    return moment ? std::optional(std::max<std::int64_t>(1, moment->ps)) : std::nullopt;
}

/// Adds a problem if an option does not have a number from 0 to below `count`.
void checkLapseNumber(const char* option, std::int64_t number, std::int64_t count, const std::string& what,
                      engine::Problems& problems) {
    if (number < 0 || number >= count)
        problems.push_back(
            {option, std::to_string(number), "no " + what + " of the run; allowed: 0 to " + std::to_string(count - 1)});
}

void checkRows(const LapseArguments& arguments, const engine::Experiment& experiment, engine::Problems& problems) {
    if (arguments.byBank() && experiment.memory.model != engine::DramModel::banks)
        problems.push_back({"--by", "bank",
                            "memory.model=sustained has no banks; allowed: channel, cu, or with --set "
                            "memory.model=banks"});
    checkLapseNumber("--gpu", arguments.gpu, experiment.parallel.tp, "GPU", problems);
    if (arguments.channel && !arguments.byBank())
        problems.push_back({"--channel", std::to_string(*arguments.channel), "only together with --by bank"});
    else if (arguments.channel)
        checkLapseNumber("--channel", *arguments.channel, experiment.detail.channels, "channel", problems);
}

/// Returns the periods of a run. Throws if there are too many of them for `rows`.
Periods periodsOf(const std::string& text, std::optional<std::int64_t> length, std::int64_t end, std::size_t rows) {
    const Periods periods = length ? Periods{*length, end} : data::usualPeriods(end);
    if (periods.count() > kMostLapseCells / rows) {
        const auto most = static_cast<std::int64_t>(std::max<std::size_t>(1, kMostLapseCells / rows));
        const std::int64_t least = (end + most - 1) / most;
        data::refuseAny({{"--period", text,
                          groupedText(periods.count()) + " periods x " + groupedText(rows) + " rows are more than " +
                              groupedText(kMostLapseCells) + "; allowed: auto, or a time of " +
                              std::to_string((least + 999) / 1000) + " ns or more"}});
    }
    return periods;
}

std::size_t rowsOf(const LapseArguments& arguments, const engine::Experiment& experiment) {
    return static_cast<std::size_t>(arguments.byUnit()   ? experiment.cu.count
                                    : arguments.byBank() ? experiment.dram.bankGroups * experiment.dram.banksPerGroup
                                                         : experiment.detail.channels);
}

/// A number of a row: absent where there is nothing to count, such as the row hits of a period without requests.
using LapseValue = std::optional<double>;

/// A row of CSV and JSON: the columns of `kMemoryColumns` or `kUnitColumns` after those that name it.
struct LapseRow {
    std::vector<std::int64_t> names;
    std::vector<LapseValue> numbers;
};

constexpr std::array kMemoryColumns{"requests", "bytes", "utilisation", "efficiency", "row_hits", "rows_opened"};
constexpr std::array kUnitColumns{"computing", "waiting", "collective", "empty"};

std::vector<std::string> nameColumns(const LapseArguments& arguments) {
    if (arguments.byUnit())
        return {"time_ps", "cu"};
    return arguments.byBank() ? std::vector<std::string>{"time_ps", "channel", "bank", "group"}
                              : std::vector<std::string>{"time_ps", "channel"};
}

std::vector<LapseValue> memoryNumbers(const TimeLapse& lapse, const TimeLapse::Cell& cell, double utilisation,
                                      double efficiency) {
    return {cell.requests,         static_cast<double>(cell.bytes),
            utilisation,           efficiency,
            data::rowHitsOf(cell), lapse.hasBanks() ? LapseValue(cell.rowsOpened) : std::nullopt};
}

std::vector<LapseValue> unitNumbers(const UnitLapse::Cell& cell) {
    const auto shareOf = [&](std::int64_t ps) {
        return LapseValue(static_cast<double>(ps) / static_cast<double>(cell.all()));
    };
    return {shareOf(cell.computing), shareOf(cell.waiting), shareOf(cell.collective), shareOf(cell.empty)};
}

/// The answer of the command, of memory or of compute units.
struct Lapse {
    const LapseArguments& arguments;
    const data::LaboratoryRun& run;
    std::optional<TimeLapse> memory{};
    std::optional<UnitLapse> units{};

    const Periods& periods() const { return memory ? memory->periods() : units->periods(); }
    std::size_t rows() const { return memory ? memory->rows() : units->units(); }

    LapseRow row(std::size_t period, std::size_t row) const {
        std::vector<std::int64_t> names{periods().begin(period)};
        if (units)
            return {{names[0], static_cast<std::int64_t>(row)}, unitNumbers(units->at(row, period))};
        if (memory->areBanks()) {
            const data::BankPlace place = memory->bankAt(row);
            names.insert(names.end(), {arguments.channel.value_or(0), place.bank, place.group});
        } else {
            names.push_back(static_cast<std::int64_t>(row));
        }
        return {std::move(names), memoryNumbers(*memory, memory->at(row, period), memory->utilisation(row, period),
                                                memory->efficiency(row, period))};
    }

    template <class Take>
    void eachRow(const Take& take) const {
        for (std::size_t period = 0; period < periods().count(); ++period)
            for (std::size_t each = 0; each < rows(); ++each)
                take(row(period, each));
    }
};

std::vector<std::string> numberColumns(const Lapse& lapse) {
    return lapse.units ? std::vector<std::string>(kUnitColumns.begin(), kUnitColumns.end())
                       : std::vector<std::string>(kMemoryColumns.begin(), kMemoryColumns.end());
}

void writeCsv(const Lapse& lapse) {
    std::vector<std::string> heading = nameColumns(lapse.arguments);
    for (const std::string& column : numberColumns(lapse))
        heading.push_back(column);
    std::cout << csvLine(heading);
    lapse.eachRow([](const LapseRow& row) {
        std::vector<std::string> cells;
        for (const std::int64_t name : row.names)
            cells.push_back(std::to_string(name));
        for (const LapseValue& number : row.numbers)
            cells.push_back(number ? engine::shortestText(*number) : "");
        std::cout << csvLine(cells);
    });
}

/// Returns a number as JSON; whole ones without a fraction.
Json lapseNumber(const LapseValue& number) {
    if (!number)
        return nullptr;
    const auto whole = static_cast<std::int64_t>(*number);
    return static_cast<double>(whole) == *number ? Json(whole) : Json(*number);
}

void writeJson(const Lapse& lapse) {
    const std::vector<std::string> names = nameColumns(lapse.arguments), columns = numberColumns(lapse);
    Json document{{"engine_version", engine::engineVersion()},
                  {"name", lapse.run.name},
                  {"gpu", lapse.arguments.gpu},
                  {"period_ps", lapse.periods().length},
                  {"rows", Json::array()}};
    Json& rows = document["rows"];
    lapse.eachRow([&](const LapseRow& row) {
        Json json;
        for (std::size_t i = 0; i < names.size(); ++i)
            json[names[i]] = row.names[i];
        for (std::size_t i = 0; i < columns.size(); ++i)
            json[columns[i]] = lapseNumber(row.numbers[i]);
        rows.push_back(std::move(json));
    });
    if (lapse.memory)
        if (const auto camping = data::campingOf(*lapse.memory))
            document["camping"] = {
                {"mean", camping->mean}, {"max", camping->max}, {"share_above_4", camping->shareAbove4}};
    document["notices"] = data::noticesJson(lapse.run.result.notices);
    printJson(document, std::cout);
}

std::string numberText(const LapseValue& number, std::string (*text)(double)) { return number ? text(*number) : "-"; }

std::string lapseCount(double value) { return groupedText(static_cast<std::size_t>(value + 0.5)); }

std::string campingRatio(double value) { return fixedText(value, 2); }

/// "32 channels", "the 16 banks of channel 3", "80 compute units"
std::string lapseRows(const Lapse& lapse) {
    const std::string count = std::to_string(lapse.rows());
    if (lapse.units)
        return count + " compute units";
    return lapse.memory->areBanks()
               ? "the " + count + " banks of channel " + std::to_string(lapse.arguments.channel.value_or(0))
               : count + (lapse.rows() == 1 ? " channel" : " channels");
}

/// Returns the cells of all rows together in a period, without the time.
std::vector<std::string> lapseCells(const Lapse& lapse, std::size_t period) {
    std::vector<std::string> cells;
    if (lapse.units) {
        for (const LapseValue& share : unitNumbers(lapse.units->sumAt(period)))
            cells.push_back(numberText(share, shareText));
        return cells;
    }
    const TimeLapse& memory = *lapse.memory;
    const TimeLapse::Cell& sum = memory.sumAt(period);
    cells = {lapseCount(sum.requests), megabytesText({sum.bytes}), shareText(memory.utilisation(period)),
             shareText(memory.efficiency(period))};
    if (memory.hasBanks()) {
        cells.push_back(numberText(data::rowHitsOf(sum), shareText));
        cells.push_back(lapseCount(sum.rowsOpened));
    }
    cells.push_back(numberText(memory.camping(period), campingRatio));
    return cells;
}

Table tableOf(const Lapse& lapse, const TimeScale& scale) {
    Table table({{"from", Align::right, std::string(scale.unit)}});
    if (lapse.units) {
        for (const char* const column : kUnitColumns)
            table.addColumn(column);
        return table;
    }
    table.addColumn("requests");
    table.addColumn("bytes", Align::right, "MB");
    table.addColumn("utilisation");
    table.addColumn("efficiency");
    if (lapse.memory->hasBanks()) {
        table.addColumn("row hits");
        table.addColumn("rows opened");
    }
    table.addColumn("camping");
    return table;
}

void writeTable(const Lapse& lapse) {
    const Periods& periods = lapse.periods();
    const TimeScale scale = TimeScale::forLongest({periods.end});
    std::cout << lapse.run.name << ", GPU " << lapse.arguments.gpu << ": " << lapseRows(lapse) << " together, "
              << groupedText(periods.count()) << " periods of " << data::writeMoment({periods.length, 0, false})
              << "\n";
    Table table = tableOf(lapse, scale);
    for (std::size_t period = 0; period < periods.count(); ++period) {
        std::vector<std::string> cells{scale.text({periods.begin(period)})};
        for (std::string& cell : lapseCells(lapse, period))
            cells.push_back(std::move(cell));
        table.addRow(std::move(cells));
    }
    table.write(std::cout);
    if (lapse.units) {
        std::cout << "waiting: for data, or until the stores of a tile are taken; --output csv has each compute unit\n";
        return;
    }
    const std::string rows = lapse.memory->areBanks() ? "bank" : "channel";
    std::cout << "utilisation: of the peak bandwidth in the period; efficiency: in the time with requests\n"
              << "camping: bytes of the busiest " << rows << " / mean of all; --output csv has each " << rows << "\n";
    if (const auto camping = data::campingOf(*lapse.memory))
        std::cout << "camping over the periods: mean " << campingRatio(camping->mean) << ", most "
                  << campingRatio(camping->max) << ", above 4 in " << shareText(camping->shareAbove4) << "\n";
}

int lapse(const LapseArguments& arguments) {
    data::DraftReading reading = readDraft(arguments.experiment, arguments.settings);
    sayRemovedSettings(reading.draft);
    data::Expansion expansion = data::expand(reading.draft);
    engine::Problems problems = std::move(reading.problems);
    data::append(problems, std::move(expansion.problems));
    const auto length = periodLength(arguments.period, problems);
    if (problems.empty())
        checkRows(arguments, expansion.experiment, problems);
    if (problems.empty() && engine::isIdeal(expansion.experiment.policy.preset))
        problems.push_back(engine::problemOfFormula(expansion.experiment.policy.preset));
    data::refuseAny(std::move(problems));

    engine::RunOptions options;
    options.threads = arguments.threads;
    options.recordTrace = true;
    options.baselines = false;
    const data::LaboratoryRun run = watched(options, [&] { return data::Laboratory().run(reading.draft, options); });
    const engine::Experiment experiment = data::asRun(run);
    const engine::Trace& trace = *run.result.trace;
    const auto gpu = static_cast<std::uint32_t>(arguments.gpu);
    const Periods periods =
        periodsOf(arguments.period, length, data::lapseEnd(trace, gpu), rowsOf(arguments, experiment));
    Lapse answer{arguments, run};
    if (arguments.byUnit())
        answer.units.emplace(trace, experiment, gpu, periods);
    else
        answer.memory.emplace(trace, experiment,
                              TimeLapse::Rows{gpu, arguments.byBank() ? std::optional(static_cast<std::uint32_t>(
                                                                            arguments.channel.value_or(0)))
                                                                      : std::nullopt},
                              periods);
    if (arguments.output == Output::json)
        writeJson(answer);
    else if (arguments.output == Output::csv)
        writeCsv(answer);
    else
        writeTable(answer);
    if (arguments.output == Output::table)
        writeNotices(run.result.notices, std::cout);
    data::BrokenInvariants broken;
    broken.add(run.experiment, run.result.invariants);
    return sayBroken(broken);
}

}  // namespace

void declareLapse(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "lapse", "Show the DRAM or the compute units of a GPU over the time of a run",
        "\nExample:\n  ringside-cli lapse t-nlg/fc-2/tp8 --set memory.model=banks --period 10us --by channel --output csv",
        lapse);
    addExperiment(command, arguments);
    addSettings(command, arguments);
    addText(command, "--period", arguments.period, "Length of a period; auto: a five-hundredth of the run (default)",
            "TIME");
    command
        .option("--by", arguments.by,
                "What the rows are: the channels of DRAM (default), the banks of one "
                "channel, or the compute units")
        .among({"channel", "bank", "cu"})
        .type("ROWS");
    command.option("--gpu", arguments.gpu, "The GPU (default: 0)").type("N");
    command.option("--channel", arguments.channel, "With --by bank: the channel (default: 0)").type("N");
    addThreads(command, arguments);
    addForms(command, arguments.output);
}

}  // namespace cli
