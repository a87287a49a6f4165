#include "app/ringside_cli_break_even.h"

#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/questions/break_even.h"
#include "data/results/metrics.h"
#include "data/store/store.h"
#include "engine/api/quantity.h"

#include <charconv>
#include <cmath>
#include <iostream>
#include <optional>
#include <vector>

namespace cli {
namespace {

struct BreakEvenArguments : CommonArguments {
    std::string parameter, from, to, metric, target, against, store;
    std::optional<double> tolerance;  // percent
    bool below = false, above = false;
};

/// Reads a number in the metric's unit: "160us", "1.5".
std::optional<double> numberIn(const data::Metric& metric, const std::string& text, engine::Problems& problems) {
    std::string_view rest = text;
    const auto decimal = engine::readDecimal(rest);
    while (!rest.empty() && rest.front() == ' ')
        rest.remove_prefix(1);
    if (decimal && rest.empty()) {
        const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
        double number = 0;
        if (std::from_chars(begin, text.data() + text.size(), number).ec == std::errc())
            return number;
    }
    if (const auto factor = engine::unitFactor(metric.unit, rest); decimal && factor)
        return static_cast<double>(engine::timesFactor(*decimal, *factor).value);
    std::string allowed;
    for (const engine::UnitName& unit : engine::unitNames(metric.unit)) {
        if (unit.shown)
            allowed += (allowed.empty() ? "" : ", ") + std::string(unit.text);
    }
    problems.push_back({"--target", text,
                        "not a number that " + metric.path + " can have; allowed: a number" +
                            (allowed.empty() ? std::string() : " with one of " + allowed)});
    return std::nullopt;
}

void readTarget(const BreakEvenArguments& arguments, data::BreakEvenQuestion& question, engine::Problems& problems) {
    const data::Metric* metric = data::findMetric(question.metric, data::ResultSubject::run);
    if (arguments.target.empty() && arguments.against.empty()) {
        problems.push_back(
            {"--target", "",
             "missing; allowed: the number to reach, or another policy to compare with, such as --against t3"});
        return;
    }
    if (metric == nullptr)
        return;  // check reports it
    question.below = arguments.below || (!arguments.above && metric->better != data::Better::larger);
    if (!arguments.against.empty()) {
        data::Metric factor;
        factor.path = "the factor on " + metric->path;
        question.target = arguments.target.empty() ? 1 : numberIn(factor, arguments.target, problems).value_or(1);
    } else if (const auto number = numberIn(*metric, arguments.target, problems)) {
        question.target = *number;
    }
}

data::BreakEvenQuestion questionOf(const BreakEvenArguments& arguments) {
    data::DraftReading reading = readDraft(arguments.experiment, arguments.settings);
    engine::Problems problems = std::move(reading.problems);
    data::BreakEvenQuestion question;
    question.draft = std::move(reading.draft);
    sayRemovedSettings(question.draft);
    question.parameter = arguments.parameter;
    question.metric = arguments.metric;
    question.against = arguments.against;
    if (arguments.tolerance)
        question.tolerance = *arguments.tolerance / 100;
    const std::size_t before = problems.size();
    if (const engine::Parameter* parameter = engine::findParameter(question.parameter)) {
        for (const auto& [text, end] : {std::pair{&arguments.from, &question.from}, {&arguments.to, &question.to}}) {
            if (auto value = engine::parseValue(*parameter, *text, problems))
                *end = std::move(*value);
        }
    }
    readTarget(arguments, question, problems);
    const bool endsRead = problems.size() == before;  // otherwise the problems would name a value that was not given
    for (engine::Problem& problem : data::check(question)) {
        if (!endsRead && (problem.path == "from" || problem.path == "to"))
            continue;
        problem.path.insert(0, "--");
        problems.push_back(std::move(problem));
    }
    data::refuseAny(std::move(problems));
    return question;
}

/// A question and its answer, for the two ways to print them.
struct Report {
    const data::BreakEvenQuestion& question;
    const data::BreakEven& answer;

    const engine::Parameter& parameter() const { return *engine::findParameter(question.parameter); }
    const data::Metric& metric() const { return *data::findMetric(question.metric); }
    std::string value(std::size_t step) const { return engine::formatValue(parameter(), answer.steps[step].value); }
    std::string number(double number) const { return data::formatMetric(metric(), number); }
    /// Two numbers that differ must not be printed as the same text.
    std::string numberOf(const data::BreakEvenStep& step) const {
        return data::formatApart(metric(), step.number, step.target);
    }
    std::string targetOf(const data::BreakEvenStep& step) const {
        return data::formatApart(metric(), step.target, step.number);
    }
    /// "82 (1.34)"
    std::string at(std::size_t step) const { return value(step) + " (" + numberOf(answer.steps[step]) + ")"; }
};

/// Returns an integer for a metric of integers, as in `run --output json`. A factor times another policy's number may
/// be fractional; it stays as it is.
Json numberJson(const Report& report, double number) {
    const bool whole = report.metric().whole && std::abs(number) < 9e15 && number == std::round(number);
    return whole ? Json(static_cast<std::int64_t>(number)) : Json(number);
}

Json documentOf(const Report& report) {
    const data::BreakEven& answer = report.answer;
    const auto pairs = [&](const std::vector<data::BreakEvenCrossing>& crossings) {
        return jsonList(crossings, [&](const data::BreakEvenCrossing& crossing) {
            return Json{{"from", jsonOf(answer.steps[crossing.before].value)},
                        {"to", jsonOf(answer.steps[crossing.after].value)},
                        {"holds_after", answer.steps[crossing.after].holds}};
        });
    };
    const auto stepJson = [&](const data::BreakEvenStep& step) {
        Json json{{"value", jsonOf(step.value)}};
        if (step.failure.empty()) {
            json.update({{"number", numberJson(report, step.number)},
                         {"target", numberJson(report, step.target)},
                         {"holds", step.holds},
                         {"reused", step.reused}});
        } else {
            json["failure"] = step.failure;
        }
        return json;
    };
    return Json{{"parameter", report.question.parameter},
                {"metric", report.question.metric},
                {"relation", report.question.below ? "at most" : "at least"},
                {"target", report.question.target},
                {"against", report.question.against.empty() ? Json(nullptr) : Json(report.question.against)},
                {"crossings", pairs(answer.crossings)},
                {"holds_everywhere", answer.holdsEverywhere()},
                {"monotone", answer.monotone()},
                {"reversals", pairs(answer.reversals)},
                {"steps", jsonList(answer.steps, stepJson)},
                {"ran", answer.ran},
                {"reused", answer.reused},
                {"wall_ns", answer.wall.count()}};
}

void writeSteps(const Report& report) {
    Table table(
        {{report.question.parameter}, {report.question.metric}, {"target"}, {"holds", Align::left}, {"", Align::left}});
    for (std::size_t i = 0; i < report.answer.steps.size(); ++i) {
        const data::BreakEvenStep& step = report.answer.steps[i];
        if (step.failure.empty()) {
            table.addRow({report.value(i), report.numberOf(step), report.targetOf(step), step.holds ? "yes" : "no",
                          step.reused ? "reused" : ""});
        } else {
            table.addRow({report.value(i), "", "", "", step.failure});
        }
    }
    table.write(std::cout);
}

void writeVerdict(const Report& report) {
    const data::BreakEven& answer = report.answer;
    const std::string relation =
        report.question.metric + (report.question.below ? " is at most " : " is at least ") +
        (report.question.against.empty()
             ? report.number(report.question.target)
             : (report.question.target == 1 ? std::string() : fixedText(report.question.target, 3) + " times ") +
                   "that of " + report.question.against);
    if (answer.crossings.empty()) {
        std::cout << relation << (answer.holdsEverywhere() ? " at all " : " at none of the ")
                  << data::answeredSteps(answer) << " values that were tried from " << report.at(0) << " to "
                  << report.at(answer.steps.size() - 1) << ": no break-even\n";
    } else {
        std::cout << relation << " " << data::stretchesText(answer, [&](std::size_t step) { return report.at(step); })
                  << "\n";
    }
    if (answer.crossings.size() > 1)
        std::cout << "not monotone: the answer changes " << answer.crossings.size() << " times\n";
    for (const data::BreakEvenCrossing& reversal : answer.reversals) {
        std::cout << "not monotone: the metric turns back between " << report.value(reversal.before) << " and "
                  << report.value(reversal.after) << "\n";
    }
    std::cout << answer.ran << (answer.ran == 1 ? " run, " : " runs, ") << answer.reused << " reused\n";
}

int breakEven(const BreakEvenArguments& arguments) {
    const data::BreakEvenQuestion question = questionOf(arguments);
    std::optional<data::Store> store;
    if (!arguments.store.empty())
        store.emplace(arguments.store);
    data::BreakEvenOptions options;
    options.store = store ? &*store : nullptr;
    options.threads = arguments.threads;
    const data::BreakEven answer = watched(options, [&] { return data::breakEven(question, options); });
    if (store)
        sayRunAgain(arguments.store, store->takeDamaged());
    const Report report{question, answer};
    if (arguments.output == Output::json) {
        printJson(breakEvenJson(question, answer), std::cout);
    } else {
        writeSteps(report);
        std::cout << "\n";
        writeVerdict(report);
    }
    if (!answer.keepFailure.empty())
        throw data::StoreError(answer.keepFailure);
    return worse(answer.crossings.empty() ? kDoesNotHold : kDone, sayBroken(answer.broken));
}

}  // namespace

Json breakEvenJson(const data::BreakEvenQuestion& question, const data::BreakEven& answer) {
    return documentOf(Report{question, answer});
}

void declareBreakEven(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "break-even", "Find the value of a parameter where a metric reaches a target",
        "\nExample, the link bandwidth from which at most 250 us of communication are exposed:\n"
        "  ringside-cli break-even t-nlg/fc-2/tp8 --set detail.level=interactive --parameter link.bandwidth --from "
        "10GB/s --to 1TB/s --metric time_ps.exposed --target 250us --db sweep.sqlite\n"
        "The size below which a kernel carries an all-gather faster than copies, which the host hands over 2 us apart:\n"
        "  ringside-cli break-even gemm/8192x8192x8192 --set machine=nvidia-h100 --set companion.operation=all-gather "
        "--set companion.issue=2us --set collective.algorithm=direct --set dispatch.rule=companion-first --set "
        "detail.level=interactive --parameter companion.bytes --from 64KiB --to 64MiB --metric companion.time_ps "
        "--against companion.by=dma --tolerance 5\n\n"
        "The exit code is 1 when there is no break-even: the target is reached at every value that was tried, or at "
        "none.",
        breakEven);
    addExperiment(command, arguments);
    addText(command, "--parameter", arguments.parameter, "Parameter to vary; it must have numbers as values", "PATH")
        .required();
    addText(command, "--from", arguments.from, "First value of the parameter, units allowed", "VALUE").required();
    addText(command, "--to", arguments.to, "Last value of the parameter", "VALUE").required();
    addText(command, "--metric", arguments.metric, "Metric: a number of `run --output json`", "PATH").required();
    addText(command, "--target", arguments.target,
            "Number that the metric has to reach, units allowed; with --against a factor", "NUMBER");
    addText(
        command, "--against", arguments.against,
        "Compare with the metric under this policy, or with another setting such as companion.by=dma, times --target "
        "(default: 1)",
        "POLICY");
    const Option below =
        command.flag("--below", arguments.below, "Look for at most the target (default for times and bytes)");
    command.flag("--above", arguments.above, "Look for at least the target (default for speed-up and rates)")
        .excludes(below);
    command.option("--tolerance", arguments.tolerance, "Accuracy of the answer (default: 1)")
        .percentage(100 * data::BreakEvenQuestion::kFinest, 100);
    addText(command, "--db", arguments.store, "Store in which runs are saved and looked up", "FILE");
    addSettings(command, arguments);
    addThreads(command, arguments, "Threads for each run (default: 1)");
    addForms(command, arguments.output, {"json", "table"});
}

}  // namespace cli
