#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/document/value_places.h"
#include "data/evaluations/latex_rows.h"
#include "data/evaluations/measured_answer.h"
#include "data/evaluations/measured_file.h"
#include "data/evaluations/reproduce.h"
#include "data/experiment/own_presets.h"
#include "data/laboratory/laboratory.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>

namespace cli {
namespace {

struct ReproduceArguments : CommonArguments {
    std::string evaluation;
    std::vector<std::string> items;
    bool all = false, rowsOnly = false;
    std::string store, measured;
    std::optional<double> tolerance;
};

std::string signedPercent(double fraction) { return data::signedNumber(fraction * 100, 1) + " %"; }

/// Returns the number that stands beside ours: the published one, or what the item claims.
std::string besideText(const data::ReproducedItem& item) {
    return item.publishedText.empty() ? item.boundText : item.publishedText;
}

/// Returns the difference or what stands in its place: a note, or whether a claim holds.
std::string outcomeText(const data::ReproducedItem& item) {
    std::string text = std::isnan(item.difference) ? item.note : signedPercent(item.difference);
    if (!item.boundText.empty() && !item.valueText.empty() && item.holds())
        text += (text.empty() ? "" : "; ") + std::string(*item.holds() ? "holds" : "does not hold");
    return text;
}

void writeItems(const data::Reproduction& reproduction, const data::Evaluation& evaluation, std::ostream& out) {
    Table table({{"item", Align::left},
                 {"ours"},
                 {"published"},
                 {"difference"},
                 {"role", Align::left},
                 {"label", Align::left},
                 {"what", Align::left}});
    const auto orDash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
    const auto isMeasured = [&](const data::ReproducedItem& item) {
        const std::string id = data::itemIdOf(item);
        return std::ranges::any_of(evaluation.measured,
                                   [&](const auto& measured) { return evaluation.items[measured.item].id == id; });
    };
    if (std::ranges::all_of(reproduction.items, isMeasured))
        return;
    for (const data::ReproducedItem& item : reproduction.items) {
        if (isMeasured(item))
            continue;
        table.addRow({item.published.id, orDash(item.valueText), orDash(besideText(item)), orDash(outcomeText(item)),
                      std::string(data::name(item.role)), orDash(item.published.label), item.published.what});
    }
    table.write(out);
    out << "\nDifference is ours / published - 1; for percentages ours - published.\n";
}

/// Prints what the rows of measured tables show together.
void writeMeasured(const data::Reproduction& reproduction, std::ostream& out) {
    if (reproduction.measured.empty())
        return;
    Table table({{"measured rows", Align::left},
                 {"machine", Align::left},
                 {"n"},
                 {"bias"},
                 {"median error"},
                 {"90 % within"},
                 {"rank"},
                 {"worst"},
                 {"target", Align::left},
                 {"worst row", Align::left}});
    const auto orDash = [](double number, const std::string& text) { return std::isnan(number) ? "-" : text; };
    for (const data::MeasuredAnswer& answer : reproduction.measured) {
        const std::string n = std::to_string(answer.n);
        table.addRow({answer.table + (answer.target.empty() ? "" : " " + answer.target),
                      answer.machine.empty() ? "all" : answer.machine,
                      answer.n == answer.rows ? n : n + " of " + std::to_string(answer.rows),
                      orDash(answer.bias, signedPercent(answer.bias - 1)),
                      orDash(answer.median, fixedText(answer.median * 100, 1) + " %"),
                      orDash(answer.p90, fixedText(answer.p90 * 100, 1) + " %"),
                      orDash(answer.rank, fixedText(answer.rank, 3)), orDash(answer.worst, signedPercent(answer.worst)),
                      !answer.holds   ? "-"
                      : *answer.holds ? "holds"
                                      : "does not hold",
                      answer.worstRow.empty() ? "-" : answer.worstRow});
    }
    table.write(out);
    out << "\nBias is the geometric mean of ours / measured - 1, an error |ours / measured - 1|; rank is the rank "
           "correlation.\n";
}

using Cases = std::vector<const data::ReproducedCase*>;

/// The cases of one sweep.
Cases casesOf(const data::Reproduction& reproduction, std::size_t sweep) {
    Cases cases;
    for (const data::ReproducedCase& one : reproduction.cases) {
        if (one.sweep == sweep)
            cases.push_back(&one);
    }
    return cases;
}

bool isSamePlace(const data::ReproducedCase& one, const data::ReproducedCase& other) {
    return one.model == other.model && one.sublayer == other.sublayer && one.tp == other.tp && one.axes == other.axes;
}

/// Returns the same case under another policy; null if it has no result.
const data::ReproducedCase* caseUnder(const Cases& cases, const data::ReproducedCase& like, const std::string& policy) {
    const auto found = std::find_if(cases.begin(), cases.end(), [&](const data::ReproducedCase* one) {
        return one->policy == policy && isSamePlace(*one, like);
    });
    return found == cases.end() ? nullptr : *found;
}

std::string caseText(const data::ReproducedCase& one) {
    std::string text = data::caseName(one.experiment);
    for (const auto& [path, value] : one.axes)
        text += " " + path + "=" + value;
    return text;
}

void writeSpeedups(const Cases& cases, const std::vector<std::string>& policies, std::ostream& out) {
    Table table({{"speed-up over sequential", Align::left}});
    for (const std::string& policy : policies)
        table.addColumn(policy);
    for (const data::ReproducedCase* one : cases) {
        if (one->policy != "sequential")
            continue;
        std::vector<std::string> row{caseText(*one)};
        for (const std::string& policy : policies) {
            const data::ReproducedCase* other = caseUnder(cases, *one, policy);
            row.push_back(other == nullptr ? "-" : fixedText(other->speedup, 3));
        }
        table.addRow(std::move(row));
    }
    table.write(out);
}

void writeDistribution(const Cases& cases, std::ostream& out) {
    Table table({{"sequential runtime", Align::left}, {"total", Align::right, "µs"}});
    for (const char* part : {"GEMM", "RS", "AG"})
        table.addColumn(part, Align::right, "%");
    for (const data::ReproducedCase* one : cases) {
        if (one->policy != "sequential")
            continue;
        const auto share = [&](engine::Duration part) {
            return fixedText(100 * static_cast<double>(part.ps) / static_cast<double>(one->time.total.ps), 1);
        };
        table.addRow({caseText(*one), fixedText(static_cast<double>(one->time.total.ps) / 1e6, 1),
                      share(one->time.gemm), share(one->time.reduceScatter), share(one->time.allGather)});
    }
    table.write(out);
}

/// Prints the traffic of the sequential runs, and of those under one other policy.
void writeDram(const Cases& cases, const std::string& policy, std::ostream& out) {
    Table table({{"DRAM traffic, MB", Align::left}, {"policy", Align::left}});
    for (const char* stream : {"GEMM read", "GEMM write", "RS read", "RS write", "AG read", "AG write", "total"})
        table.addColumn(stream);
    for (const data::ReproducedCase* one : cases) {
        if (!one->dram || (one->policy != "sequential" && one->policy != policy))
            continue;
        const engine::DramResult& dram = *one->dram;
        table.addRow({caseText(*one), one->policy, megabytesText(dram.gemmRead), megabytesText(dram.gemmWrite),
                      megabytesText(dram.rsRead), megabytesText(dram.rsWrite), megabytesText(dram.agRead),
                      megabytesText(dram.agWrite), megabytesText(dram.total)});
    }
    table.write(out);
}

/// Prints the cases of a sweep with sequential runs: the gain of each policy, where the time goes, and the traffic of
/// the last policy that has any.
void writeCases(const data::Reproduction& reproduction, const data::Evaluation& evaluation, std::size_t sweep,
                std::ostream& out) {
    const Cases cases = casesOf(reproduction, sweep);
    const auto isSequential = [](const data::ReproducedCase* one) { return one->policy == "sequential"; };
    // The time of a GEMM of its own has no parts.
    const auto isGemm = [](const data::ReproducedCase* one) {
        return one->experiment.workload.sublayer == engine::SubLayer::gemm;
    };
    if (std::none_of(cases.begin(), cases.end(), isSequential) || std::all_of(cases.begin(), cases.end(), isGemm))
        return;
    std::vector<std::string> policies = evaluation.sweeps[sweep].sweep.policies;
    std::erase(policies, "sequential");
    if (!policies.empty()) {
        out << '\n';
        writeSpeedups(cases, policies, out);
    }
    out << '\n';
    writeDistribution(cases, out);
    std::string last;
    for (const std::string& policy : policies) {
        if (std::any_of(cases.begin(), cases.end(), [&](const data::ReproducedCase* one) {
                return one->policy == policy && one->dram.has_value();
            }))
            last = policy;
    }
    out << '\n';
    writeDram(cases, last, out);
}

void writeTraffic(const std::string& of, const data::TrafficProfile& profile, std::ostream& out) {
    const auto rate = [&](engine::Bytes bytes) {
        return fixedText(static_cast<double>(bytes.count) / static_cast<double>(profile.slice.ps) * 1000, 0);
    };
    Table table({{of + " " + profile.policy, Align::left, "from µs"}});
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

/// The first column has the evaluation's name if there are several.
void writeCsvRows(const data::Reproduction& reproduction, const std::string& evaluation, std::ostream& out) {
    const auto number = [](double value) { return std::isnan(value) ? std::string() : fixedText(value, 6); };
    for (const data::ReproducedItem& item : reproduction.items) {
        std::vector<std::string> cells{
            item.published.id,    number(item.value),  number(item.published.value),      number(item.difference),
            item.published.label, item.published.what, std::string(data::name(item.role))};
        if (!evaluation.empty())
            cells.insert(cells.begin(), evaluation);
        out << csvLine(cells);
    }
}

/// Returns the constants that were fitted to published numbers: "gemm.tile_m, memory.update_cost".
std::string calibratedText(const data::Evaluation& evaluation) {
    std::string text;
    for (const data::CalibratedParameter& one : evaluation.calibrated)
        text += (text.empty() ? "" : ", ") + one.parameter;
    return text;
}

/// `rowsOnly`: the cases behind the rows, and notices, are left out.
void writeText(const data::Reproduction& reproduction, const data::Evaluation& evaluation, bool rowsOnly,
               std::ostream& out) {
    out << (evaluation.source.empty() ? evaluation.title : evaluation.source) << "\n\n";
    writeItems(reproduction, evaluation, out);
    if (evaluation.items.size() > evaluation.measured.size() && !reproduction.measured.empty())
        out << '\n';
    writeMeasured(reproduction, out);
    out << "Constants " << reproduction.constants << ", engine " << engine::engineVersion();
    if (const std::string calibrated = calibratedText(evaluation); !calibrated.empty())
        out << "; calibrated: " << calibrated;
    out << ".\n";
    if (rowsOnly)
        return;
    for (std::size_t sweep = 0; sweep < evaluation.sweeps.size(); ++sweep)
        writeCases(reproduction, evaluation, sweep, out);
    for (const data::TrafficProfile& profile : reproduction.traffic) {
        out << '\n';
        writeTraffic(reproduction.trafficCase, profile, out);
    }
    if (!reproduction.notices.empty())
        out << '\n';
    writeNotices(reproduction.notices, out);
}

/// A requested evaluation with its result.
struct Reproduced {
    const data::Evaluation* evaluation = nullptr;
    data::Reproduction reproduction;
};

/// Returns "gemms visible nvidia-a100".
std::string nameOf(const data::Evaluation& evaluation, const data::MeasuredAnswer& answer) {
    return evaluation.name + " " + answer.table + (answer.target.empty() ? "" : " " + answer.target) + " " +
           (answer.machine.empty() ? "all machines" : answer.machine);
}

void write(const std::vector<Reproduced>& all, const ReproduceArguments& arguments, std::ostream& out) {
    const bool named = arguments.all;
    const Output output = arguments.output;
    if (output == Output::json && !named) {
        out << data::writeReproduction(all.front().reproduction);
    } else if (output == Output::json) {
        std::vector<std::pair<std::string, data::Reproduction>> documents;
        documents.reserve(all.size());
        for (const Reproduced& one : all)
            documents.emplace_back(one.evaluation->name, one.reproduction);
        out << data::writeReproductions(documents);
    } else if (output == Output::csv) {
        out << (named ? "evaluation," : "") << "id,value,published,difference,label,what,role\n";
        for (const Reproduced& one : all)
            writeCsvRows(one.reproduction, named ? one.evaluation->name : "", out);
        out.flush();
        for (const Reproduced& one : all)
            std::cerr << one.evaluation->name << ": constants " << one.reproduction.constants << "\n";
        for (const Reproduced& one : all)
            writeNotices(one.reproduction.notices, std::cerr);
        for (const Reproduced& one : all) {
            for (const data::MeasuredAnswer& answer : one.reproduction.measured)
                std::cerr << nameOf(*one.evaluation, answer) << ": " << data::sentenceOf(answer) << "\n";
        }
    } else if (output == Output::latex) {
        for (const Reproduced& one : all) {
            out << (&one == all.data() ? "" : "\n")
                << data::latexRows(*one.evaluation, one.reproduction, arguments.rowsOnly);
        }
    } else {
        for (const Reproduced& one : all) {
            out << (&one == all.data() ? "" : "\n\n");
            writeText(one.reproduction, *one.evaluation, arguments.rowsOnly, out);
        }
    }
}

/// Prints on standard error which exact rows, which rows with a tolerance and which targets of measured tables do not
/// hold. Returns whether all hold.
bool sayWhatFails(const Reproduced& one) {
    bool holds = true;
    for (const data::ReproducedItem& item : one.reproduction.items) {
        if (item.holds().value_or(true))
            continue;
        holds = false;
        std::cout.flush();
        std::cerr << one.evaluation->name << " " << item.published.id << ": ";
        const bool isClaim = !item.boundText.empty();
        if (item.valueText.empty())
            std::cerr << item.note
                      << (isClaim ? "; allowed: " + item.boundText : "; published is " + item.publishedText) << "\n";
        else
            std::cerr << item.valueText << (isClaim ? "" : ", published is " + item.publishedText)
                      << "; allowed: " << item.allowedText << "\n";
    }
    for (const data::MeasuredAnswer& answer : one.reproduction.measured) {
        if (answer.holds.value_or(true))
            continue;
        holds = false;
        std::cout.flush();
        std::cerr << nameOf(*one.evaluation, answer) << ": " << answer.failure << "\n";
    }
    return holds;
}

/// Returns whether no number differs by more than `percent`.
bool isWithin(const data::Reproduction& reproduction, double percent) {
    return std::all_of(reproduction.items.begin(), reproduction.items.end(), [&](const data::ReproducedItem& item) {
        return std::isnan(item.difference) || std::abs(item.difference) * 100 <= percent;
    });
}

bool isFileName(const std::string& word) {
    return word == "-" || word.ends_with(".json") || word.find('/') != std::string::npos;
}

/// The evaluations that the words of the command line name. `own` is an evaluation that was read from a file or has
/// measured numbers of a file.
struct Asked {
    std::vector<const data::Evaluation*> evaluations;
    std::vector<std::string> items;
    std::optional<data::Evaluation> own;
};

/// Attaches the measured numbers of a file to the only evaluation.
void readMeasured(const ReproduceArguments& arguments, Asked& asked, engine::Problems& problems) {
    if (arguments.measured.empty() || !problems.empty())
        return;
    if (arguments.all)
        return problems.push_back(
            {"--measured", arguments.measured, "belongs to one evaluation; name it in place of --all"});
    data::Evaluation attached = data::withMeasuredFile(*asked.evaluations.front(), arguments.measured, problems);
    asked.own = std::move(attached);
    asked.evaluations = {&*asked.own};
}

void readWords(const ReproduceArguments& arguments, Asked& asked, engine::Problems& problems) {
    asked.items = arguments.items;
    const std::string& word = arguments.evaluation;
    if (arguments.all) {
        if (!word.empty())
            problems.push_back({"--all", word, "runs every evaluation whole; leave out EVALUATION and ITEM"});
        for (const data::Evaluation& evaluation : data::evaluations())
            asked.evaluations.push_back(&evaluation);
        return;
    }
    if (const data::Evaluation* named = data::findEvaluation(word)) {
        asked.evaluations = {named};
    } else if (isFileName(word)) {
        data::EvaluationReading reading = data::readEvaluationFile(word, data::OwnPresets(data::usualPresetFolder()));
        data::append(problems, reading.problems);
        asked.own = std::move(reading.evaluation);
        asked.evaluations = {&*asked.own};
    } else {
        asked.evaluations = {&data::publishedEvaluation()};
        if (!word.empty())
            asked.items.insert(asked.items.begin(), word);
    }
    if (!problems.empty())
        return;
    for (engine::Problem& problem : data::checkItems(*asked.evaluations.front(), asked.items)) {
        if (problem.value == word)
            problem.text +=
                "; evaluations: " + data::joined(data::namesOf(data::evaluations(), &data::Evaluation::name), ", ");
        problems.push_back(std::move(problem));
    }
}

void sayHowToGoOn(const ReproduceArguments& arguments) {
    std::cerr << "interrupted; rows without a value were not reached";
    if (!arguments.store.empty())
        std::cerr << "; finished runs are kept in " << arguments.store << ": the same command continues";
    std::cerr << std::endl;
}

int reproduce(const ReproduceArguments& arguments) {
    engine::Problems problems;
    Asked asked;
    readWords(arguments, asked, problems);
    readMeasured(arguments, asked, problems);
    data::ReproduceOptions options;
    options.settings = readSettings(arguments.settings, problems);
    data::refuseAny(std::move(problems));
    options.items = asked.items;
    options.threads = arguments.threads;
    options.store = arguments.store;
    std::vector<Reproduced> all;
    const bool stopped = watched(options, [&] {
        for (const data::Evaluation* evaluation : asked.evaluations) {
            all.push_back({evaluation, data::reproduce(*evaluation, options)});
            if (all.back().reproduction.stopped)
                return true;
        }
        return false;
    });
    write(all, arguments, std::cout);
    std::cout.flush();
    ExitCode code = kDone;
    for (const Reproduced& one : all) {
        sayRunAgain(arguments.store, one.reproduction.damaged);
        for (const std::string& failure : one.reproduction.failures)
            std::cerr << "ringside-cli: " << failure << "\n";
        const bool holds =
            sayWhatFails(one) && (!arguments.tolerance || isWithin(one.reproduction, *arguments.tolerance));
        code = worse(code, one.reproduction.failures.empty() ? kDone : kInputWrong);
        code = worse(code, holds ? kDone : kDoesNotHold);
    }
    if (stopped) {
        sayHowToGoOn(arguments);
        code = kInterrupted;
    }
    for (const Reproduced& one : all)
        code = worse(code, sayBroken(one.reproduction.broken));
    return code;
}

}  // namespace

void declareReproduce(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "reproduce", "Compare published numbers with ours, and list the constants that were fitted to them",
        "\nExamples:\n  ringside-cli reproduce t3 t3-mca-geomean dram-reduction-max --tolerance 5\n"
        "  ringside-cli reproduce --all --db runs.sqlite --output json\n"
        "  ringside-cli reproduce resources/examples/held-by-sharding.json --measured "
        "resources/examples/held-published.csv\n"
        "  ringside-cli reproduce t3 --output latex",
        reproduce);
    command.option("EVALUATION", arguments.evaluation,
                   "One of `list evaluations` or a FILE.json (default: t3); a word that is neither is an ITEM of t3");
    command.option("ITEM", arguments.items, "Published numbers by id (default: all)");
    command.flag("--all", arguments.all, "Run every bundled evaluation");
    command.flag(
        "--rows-only", arguments.rowsOnly,
        "Table: only the rows, without the runs behind them and their notices; latex: only the lines of the table");
    constexpr double kWidest = 1000;
    command
        .option("--tolerance", arguments.tolerance,
                "Exit with 1 when a number differs from the published one by more than this")
        .percentage(0, kWidest);
    addText(command, "--measured", arguments.measured,
            "CSV file with the measured numbers for items that wait for them, joined by key", "FILE");
    addText(command, "--db", arguments.store, "Store in which runs are saved and looked up", "FILE");
    addSettings(command, arguments, kSettingsHelp);
    addThreads(command, arguments);
    addForms(command, arguments.output, {"json", "table", "csv", "latex"});
}

}  // namespace cli
