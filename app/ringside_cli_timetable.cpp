#include "app/ringside_cli_command.h"
#include "app/ringside_cli_companion.h"
#include "app/ringside_cli_table.h"
#include "data/document/names.h"
#include "data/document/parameter_words.h"
#include "data/document/problem_list.h"
#include "data/tasks/task_result.h"
#include "data/trace/timetable_trace.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

struct TimetableArguments : CommonArguments {
    std::string file, trace;
};

constexpr int kRatioDecimals = 3, kUnitDecimals = 4;

/// Returns a number of units: "10,000", "5.5", "6.5625".
std::string unitsText(double amount) {
    if (amount == std::floor(amount) && std::abs(amount) <= static_cast<double>(engine::kMostTaskTime))
        return groupedText(static_cast<std::int64_t>(amount));
    std::string text = fixedText(amount, kUnitDecimals);
    return text.erase(text.find_last_not_of('0') + 1);
}

std::string gainText(double ratio) { return fixedText(ratio, kRatioDecimals) + " x"; }

/// Joins texts with commas; says how many more there are after the first ones.
std::string listText(std::vector<std::string> texts) {
    constexpr std::size_t kMostWritten = 16;
    const std::size_t count = texts.size();
    texts.resize(std::min(count, kMostWritten));
    return data::joined(texts, ", ") +
           (count > kMostWritten ? " and " + groupedText(static_cast<std::int64_t>(count - kMostWritten)) + " more"
                                 : "");
}

template <class Numbers, class Text>
std::string numbersText(const Numbers& numbers, const Text& text) {
    std::vector<std::string> texts;
    texts.reserve(numbers.size());
    for (const auto number : numbers)
        texts.push_back(text(number));
    return listText(std::move(texts));
}

class TimetableText {
public:
    TimetableText(const data::TaskDocument& document, const data::TaskResult& result, std::ostream& out)
        : m_document(document), m_result(result), m_out(out) {}

    void write() const {
        std::visit([this](const auto& work) { writeWork(work); }, m_document.work);
    }

private:
    std::string units(double amount) const { return unitsText(amount) + " " + m_document.unit; }
    std::string units(std::int64_t amount) const { return groupedText(amount) + " " + m_document.unit; }

    void writeWork(const data::TaskLoop& loop) const {
        const engine::LoopFormulas& formulas = *m_result.loop;
        m_out << groupedText(loop.shape.iterations) << " iterations of " << units(formulas.work) << " on "
              << groupedText(loop.shape.cores) << " " << loop.shape.pool << ": " << units(m_result.timetable.makespan);
        if (m_result.speedup)
            m_out << ", " << gainText(*m_result.speedup);
        m_out << "; a long loop " << gainText(formulas.speedup) << "\none iteration every " << units(formulas.interval)
              << ", bound by ";
        if (formulas.bound)
            m_out << "the sequential piece " << *formulas.bound + 1 << " ("
                  << groupedText(loop.shape.pieces[*formulas.bound].time) << " + " << groupedText(loop.shape.latency)
                  << ")\n";
        else
            m_out << "the " << groupedText(loop.shape.cores) << " " << loop.shape.pool << "\n";
        if (loop.coverage < 1)
            m_out << "a program that spends " << shareText(loop.coverage)
                  << " of its time in the loop: " << gainText(formulas.programSpeedup(loop.coverage)) << "\n";
    }

    void writeWork(const data::TaskPipeline& pipeline) const {
        const engine::PipelineShape& shape = pipeline.shape;
        const engine::PipelineFindings& findings = *m_result.pipeline;
        const std::string stages = groupedText(shape.stages) + (shape.stages == 1 ? " stage" : " stages") +
                                   (shape.chunks > 1 ? " of " + groupedText(shape.chunks) + " chunks" : "");
        const std::string& schedule = data::wordAt("division.schedule", shape.schedule);
        if (engine::isDelayed(shape.schedule))
            m_out << stages << ", " << schedule << ": one mini-batch every " << units(findings.total);
        else
            m_out << groupedText(shape.microbatches) << (shape.microbatches == 1 ? " micro-batch" : " micro-batches")
                  << " through " << stages << ", " << schedule << ": " << units(findings.total);
        m_out << "; bubble " << shareText(findings.bubbleShare) << ", " << shareText(findings.bubbleOverIdeal)
              << " over the ideal time\nin flight at most, by stage: " << numbersText(findings.inFlight, unitsText)
              << "\n";
        if (m_result.staleness.empty())
            return;
        const auto step = [](std::int64_t tau) { return fixedText(engine::stableStep(tau), kRatioDecimals); };
        m_out << "staleness by module: "
              << numbersText(m_result.staleness, [](std::int64_t tau) { return groupedText(tau); })
              << "; largest stable step of descent on a quadratic: " << numbersText(m_result.staleness, step) << "\n";
    }

    void writeWork(const data::TaskList& list) const {
        const engine::TaskBounds& bounds = m_result.bounds;
        m_out << groupedText(static_cast<std::int64_t>(list.ids.size())) << (list.ids.size() == 1 ? " task" : " tasks")
              << ", look-ahead "
              << (list.lookahead == engine::kUnlimitedLookahead ? "unlimited" : groupedText(list.lookahead)) << ": "
              << units(m_result.timetable.makespan) << "; no order takes less than " << units(bounds.lower);
        if (bounds.upper)
            m_out << ", and firing when ready takes at most " << units(*bounds.upper);
        m_out << "\nbusy: " << busyText() << "\ncritical chain: "
              << numbersText(engine::criticalChain(m_result.timetable), data::TaskNames(m_document)) << "\n";
    }

    std::string busyText() const {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < m_document.graph.pools.size(); ++i) {
            const engine::TaskPool& pool = m_document.graph.pools[i];
            const auto whole = static_cast<double>(m_result.timetable.makespan) * static_cast<double>(pool.places);
            std::string text = pool.name + " " + units(m_result.bounds.busy[i]);
            if (whole > 0)
                text += " (" + shareText(static_cast<double>(m_result.bounds.busy[i]) / whole) +
                        (pool.places > 1 ? " of " + groupedText(pool.places) + " places)" : ")");
            texts.push_back(std::move(text));
        }
        return listText(std::move(texts));
    }

    const data::TaskDocument& m_document;
    const data::TaskResult& m_result;
    std::ostream& m_out;
};

void writeTimetableCsv(const data::TaskDocument& document, const data::TaskResult& result, std::ostream& out) {
    const data::TaskNames nameOf(document);
    out << "task,pool,place,begin,end\n";
    for (engine::TaskIndex task = 0; task < document.graph.tasks.size(); ++task) {
        const engine::TaskSpan& span = result.timetable.spans[task];
        out << csvLine({nameOf(task), document.graph.pools[document.graph.tasks[task].pool].name,
                        std::to_string(span.place), std::to_string(span.begin), std::to_string(span.end)});
    }
}

int timetable(const TimetableArguments& arguments) {
    const data::TaskReading reading = data::readTaskFile(arguments.file, arguments.settings);
    data::refuseAny(reading.problems);
    const data::TaskDocument& document = reading.document;
    const data::TaskResult result = data::resultOf(document);
    if (!arguments.trace.empty())
        data::writeTimetableFile(document.graph, result.timetable,
                                 {document.title, document.unit, data::psPerUnit(document.unit, result.timetable),
                                  data::TaskNames(document)},
                                 arguments.trace);
    if (arguments.output == Output::json)
        printJson(data::taskResultJson(document, result), std::cout);
    else if (arguments.output == Output::csv)
        writeTimetableCsv(document, result, std::cout);
    else
        TimetableText(document, result, std::cout).write();
    return 0;
}

}  // namespace

void declareTimetable(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "timetable", "Schedule tasks on pools of places: a loop, a pipeline, or tasks by name",
        "\nExample:\n  ringside-cli timetable resources/examples/loop.json --set loop.latency=10", timetable);
    command.option("FILE", arguments.file, "A document of tasks, - for standard input").required();
    command.option("--set", arguments.settings, "Replace a value of the document: loop.latency=10 (repeatable)")
        .type("KEY=VALUE")
        .repeatable();
    addText(command, "--trace", arguments.trace, "Write the timetable as Chrome Trace Event JSON (opens in Perfetto)",
            "FILE");
    addForms(command, arguments.output);
}

}  // namespace cli
