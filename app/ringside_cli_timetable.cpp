#include "app/ringside_cli_command.h"
#include "app/ringside_cli_table.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/tasks/task_result.h"
#include "data/tasks/task_text.h"
#include "data/trace/timetable_trace.h"

#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

namespace cli {
namespace {

struct TimetableArguments : CommonArguments {
    std::string file, trace;
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
        std::cout << data::joined(data::taskSentences(document, result), "\n") << "\n";
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
