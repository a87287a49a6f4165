#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/evaluations/reproduce.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>

namespace cli {
namespace {

struct ReproduceArguments : CommonArguments {
    std::vector<std::string> items;
    std::optional<double> tolerance;
};

std::string signedPercent(double fraction) {
    return (fraction < 0 ? "-" : "+") + fixedText(std::abs(fraction) * 100, 1) + " %";
}

std::string valueText(const data::ReproducedItem& item, double value) {
    return item.isFraction ? fixedText(value * 100, 1) + " %" : fixedText(value, 3);
}

void writeItems(const data::Reproduction& reproduction, std::ostream& out) {
    Table table({{"figure", Align::left},
                 {"ours"},
                 {"published"},
                 {"difference"},
                 {"label", Align::left},
                 {"what", Align::left}});
    for (const data::ReproducedItem& item : reproduction.items)
        table.addRow({item.published.id, valueText(item, item.value), valueText(item, item.published.value),
                      signedPercent(item.difference), item.published.label, item.published.what});
    table.write(out);
}

const data::ReproducedCase& caseOf(const data::Reproduction& reproduction, const data::ReproducedCase& like,
                                   const std::string& policy) {
    return *std::find_if(reproduction.cases.begin(), reproduction.cases.end(), [&](const data::ReproducedCase& one) {
        return one.model == like.model && one.sublayer == like.sublayer && one.tp == like.tp && one.policy == policy;
    });
}

std::string caseText(const data::ReproducedCase& one) {
    return one.model + "/" + one.sublayer + "/tp" + std::to_string(one.tp);
}

void writeSpeedups(const data::Reproduction& reproduction, std::ostream& out) {
    Table table(
        {{"speed-up over sequential", Align::left}, {"t3"}, {"t3-mca"}, {"ideal-overlap"}, {"ideal-overlap-nmc"}});
    for (const data::ReproducedCase& one : reproduction.cases) {
        if (one.policy != "sequential")
            continue;
        std::vector<std::string> row{caseText(one)};
        for (const char* policy : {"t3", "t3-mca", "ideal-overlap", "ideal-overlap-nmc"})
            row.push_back(fixedText(caseOf(reproduction, one, policy).speedup, 3));
        table.addRow(std::move(row));
    }
    table.write(out);
}

void writeDistribution(const data::Reproduction& reproduction, std::ostream& out) {
    Table table({{"sequential runtime", Align::left}, {"total", Align::right, "µs"}});
    for (const char* part : {"GEMM", "RS", "AG"})
        table.addColumn(part, Align::right, "%");
    for (const data::ReproducedCase& one : reproduction.cases) {
        if (one.policy != "sequential")
            continue;
        const auto share = [&](engine::Duration part) {
            return fixedText(100 * static_cast<double>(part.ps) / static_cast<double>(one.time.total.ps), 1);
        };
        table.addRow({caseText(one), fixedText(static_cast<double>(one.time.total.ps) / 1e6, 1), share(one.time.gemm),
                      share(one.time.reduceScatter), share(one.time.allGather)});
    }
    table.write(out);
}

void writeDram(const data::Reproduction& reproduction, std::ostream& out) {
    Table table({{"DRAM traffic, MB", Align::left}, {"policy", Align::left}});
    for (const char* stream : {"GEMM read", "GEMM write", "RS read", "RS write", "AG read", "AG write", "total"})
        table.addColumn(stream);
    for (const data::ReproducedCase& one : reproduction.cases) {
        if (!one.dram || one.policy == "t3")
            continue;
        const engine::DramResult& dram = *one.dram;
        table.addRow({caseText(one), one.policy, megabytesText(dram.gemmRead), megabytesText(dram.gemmWrite),
                      megabytesText(dram.rsRead), megabytesText(dram.rsWrite), megabytesText(dram.agRead),
                      megabytesText(dram.agWrite), megabytesText(dram.total)});
    }
    table.write(out);
}

void writeTraffic(const data::TrafficProfile& profile, std::ostream& out) {
    const auto rate = [&](engine::Bytes bytes) {
        return fixedText(static_cast<double>(bytes.count) / static_cast<double>(profile.slice.ps) * 1000, 0);
    };
    Table table({{"t-nlg/fc-2/tp8 " + profile.policy, Align::left, "from µs"}});
    for (const char* stream : {"GEMM read", "GEMM write", "comm. read", "comm. write"})
        table.addColumn(stream, Align::right, "GB/s");
    for (std::size_t i = 0; i < profile.slices.size(); ++i) {
        const data::TrafficProfile::Slice& slice = profile.slices[i];
        table.addRow({fixedText(static_cast<double>(profile.slice.ps) * static_cast<double>(i) / 1e6, 1),
                      rate(slice.gemmRead), rate(slice.gemmWrite), rate(slice.rsRead + slice.agRead),
                      rate(slice.rsWrite + slice.agWrite)});
    }
    table.write(out);
}

void writeCsv(const data::Reproduction& reproduction, std::ostream& out) {
    out << "id,value,published,difference,label,what\n";
    for (const data::ReproducedItem& item : reproduction.items)
        out << csvLine({item.published.id, fixedText(item.value, 6), fixedText(item.published.value, 6),
                        fixedText(item.difference, 6), item.published.label, item.published.what});
}

void write(const data::Reproduction& reproduction, Output output, std::ostream& out) {
    if (output == Output::json) {
        out << data::writeReproduction(reproduction);
        return;
    }
    if (output == Output::csv)
        return writeCsv(reproduction, out);
    out << data::publishedSource() << "\n\n";
    writeItems(reproduction, out);
    out << "\nDifference is ours / published - 1; for percentages ours - published.\n\n";
    writeSpeedups(reproduction, out);
    out << '\n';
    writeDistribution(reproduction, out);
    out << '\n';
    writeDram(reproduction, out);
    for (const data::TrafficProfile& profile : reproduction.traffic) {
        out << '\n';
        writeTraffic(profile, out);
    }
}

/// True when no figure differs by more than `percent`.
bool isWithin(const data::Reproduction& reproduction, double percent) {
    return std::all_of(reproduction.items.begin(), reproduction.items.end(),
                       [&](const data::ReproducedItem& item) { return std::abs(item.difference) * 100 <= percent; });
}

int reproduce(const ReproduceArguments& arguments) {
    data::ReproduceOptions options;
    options.items = arguments.items;
    options.threads = arguments.threads;
    engine::Problems problems = data::checkItems(arguments.items);
    options.settings = readSettings(arguments.settings, problems);
    data::refuseAny(std::move(problems));
    const data::Reproduction reproduction = watched(options, [&] { return data::reproduce(options); });
    write(reproduction, arguments.output, std::cout);
    const bool holds = !arguments.tolerance || isWithin(reproduction, *arguments.tolerance);
    return worse(holds ? kDone : kDoesNotHold, sayBroken(reproduction.broken));
}

}  // namespace

void declareReproduce(Commands& commands) {
    const auto [command, arguments] =
        commands.add("reproduce", "The published evaluation, ours beside theirs",
                     "\nExample:\n  ringside-cli reproduce t3-mca-geomean dram-reduction-max --tolerance 5", reproduce);
    command.add_option("ITEM", arguments.items, "Published figures by id (default: all)");
    constexpr double kWidest = 1000;
    limitPercentage(
        *command.add_option("--tolerance", arguments.tolerance, "Exit with 1 when a figure differs by more than this"),
        0, kWidest);
    addSettings(command, arguments, kSettingsHelp);
    addThreads(command, arguments);
    addForms(command, arguments.output);
}

}  // namespace cli
