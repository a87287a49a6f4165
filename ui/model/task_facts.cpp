#include "ui/model/task_facts.h"

#include "data/document/value_places.h"
#include "data/tasks/task_text.h"
#include "ui/look/format.h"
#include "ui/model/model_parts.h"
#include "ui/model/step_facts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <string>
#include <variant>

namespace ui {
namespace {

using engine::PassKind;
using engine::TaskIndex;
using engine::TaskWait;

QString tasksTr(const char* text) { return QCoreApplication::translate("ui::StepPage", text); }

bool isPipeline(const OpenedTasks& tasks) { return tasks.shape() != nullptr; }

QString number(std::int64_t value) { return text(data::groupedNumber(value)); }

QString units(const OpenedTasks& tasks, std::int64_t amount) { return text(data::unitsText(tasks.document(), amount)); }

std::vector<std::string> sentencesOf(const OpenedTasks& tasks) {
    return data::taskSentences(tasks.document(), tasks.result());
}

QString capitalised(const QString& text) { return text.left(1).toUpper() + text.mid(1); }

QString placeName(const OpenedTasks& tasks, std::uint32_t pool, std::int64_t place) {
    const engine::TaskPool& of = tasks.document().graph.pools[pool];
    return of.places == 1 ? text(of.name) : text(of.name) + QLatin1Char(' ') + number(place);
}

/// Returns "b on cores 3".
QString namedOnPlace(const OpenedTasks& tasks, TaskIndex task) {
    const QString place = placeName(tasks, tasks.document().graph.tasks[task].pool, tasks.span(task).place);
    return tasksTr("%1 on %2").arg(text(tasks.nameOf(task)), place);
}

QString waitSentence(const OpenedTasks& tasks, TaskIndex task) {
    const engine::TaskSpan& span = tasks.span(task);
    if (span.wait.kind == TaskWait::Kind::nothing)
        return tasksTr("It waited for nothing.");
    const QString from = namedOnPlace(tasks, span.wait.task);
    const std::int64_t end = tasks.span(span.wait.task).end;
    switch (span.wait.kind) {
    case TaskWait::Kind::input: {
        const QString sentence =
            tasksTr("It waited last for the result of %1, which ended at %2").arg(from, number(end));
        return sentence + (span.begin > end
                               ? tasksTr("; the result arrived %1 later.").arg(units(tasks, span.begin - end))
                               : QStringLiteral("."));
    }
    case TaskWait::Kind::place:
        return tasksTr("It waited last for its place, until %1 ended at %2.").arg(from, number(end));
    case TaskWait::Kind::order:
    case TaskWait::Kind::nothing: break;
    }
    return tasksTr("It waited last for the look-ahead to reach it, until %1 ended at %2.").arg(from, number(end));
}

/// What the tasks of one place add up to.
struct PlaceSums {
    std::int64_t tasks = 0, busy = 0;
    std::array<std::int64_t, 3> byLook{};  ///< by engine::PassKind
};

std::vector<PlaceSums> sumsOf(const OpenedTasks& tasks) {
    std::vector<PlaceSums> sums(tasks.places().size());
    for (TaskIndex task = 0; task < tasks.document().graph.tasks.size(); ++task) {
        const auto row = tasks.rowOf(task);
        if (!row)
            continue;
        const std::int64_t time = tasks.span(task).end - tasks.span(task).begin;
        sums[*row].tasks += 1;
        sums[*row].busy += time;
        sums[*row].byLook[static_cast<std::size_t>(tasks.lookOf(task))] += time;
    }
    return sums;
}

}  // namespace

std::vector<TaskLook> looksOf(const OpenedTasks& tasks) {
    if (std::holds_alternative<data::TaskList>(tasks.document().work))
        return {{PassKind::forward, tasksTr("task"), {}}};
    std::vector<TaskLook> looks;
    if (const auto* loop = std::get_if<data::TaskLoop>(&tasks.document().work)) {
        const auto has = [loop](bool sequential) {
            return std::ranges::any_of(loop->shape.pieces, [&](const auto& of) { return of.sequential == sequential; });
        };
        if (has(false))
            looks.push_back({PassKind::forward, tasksTr("parallel piece"), tasksTr("Parallel")});
        if (has(true))
            looks.push_back({PassKind::backward, tasksTr("sequential piece"), tasksTr("Sequential")});
        return looks;
    }
    looks = {{PassKind::forward, tasksTr("forward pass"), tasksTr("Forward")},
             {PassKind::backward, tasksTr("backward pass"), tasksTr("Backward")}};
    if (engine::splitsBackward(tasks.shape()->schedule))
        looks.push_back({PassKind::weight, tasksTr("weight pass"), tasksTr("Weights")});
    return looks;
}

QString idleWord(const OpenedTasks& tasks) { return isPipeline(tasks) ? tasksTr("bubble") : tasksTr("idle"); }

QString placeLabel(const OpenedTasks& tasks, std::size_t row) {
    const OpenedTasks::Place& place = tasks.places()[row];
    const QString name = placeName(tasks, place.pool, place.place);
    return isPipeline(tasks) ? capitalised(name) : name;
}

QString boxText(const OpenedTasks& tasks, TaskIndex task) {
    if (const engine::PipelinePlan* plan = tasks.plan())
        return number(plan->passes[task].step.microbatch + 1);
    if (const auto* loop = std::get_if<data::TaskLoop>(&tasks.document().work))
        return number(static_cast<std::int64_t>(task / loop->shape.pieces.size()));
    return text(tasks.nameOf(task));
}

QString tasksHeadline(const OpenedTasks& tasks) {
    QStringList lines{text(tasks.document().title)};
    for (const std::string& sentence : sentencesOf(tasks))
        lines << text(sentence);
    return lines.join(QLatin1Char('\n'));
}

QString taskLine(const OpenedTasks& tasks, TaskIndex task) {
    const engine::TaskSpan& span = tasks.span(task);
    QString name = namedOnPlace(tasks, task);
    if (const engine::PipelinePlan* plan = tasks.plan())
        name = passName(plan->passes[task], *tasks.shape());
    else if (std::holds_alternative<data::TaskLoop>(tasks.document().work))
        name = capitalised(name);
    return tasksTr("%1: %2, from %3 to %4")
        .arg(name, units(tasks, span.end - span.begin), number(span.begin), number(span.end));
}

QString taskHtml(const OpenedTasks& tasks, TaskIndex task) {
    return paragraph(QStringLiteral("<b>%1</b>").arg(taskLine(tasks, task).toHtmlEscaped())) +
           paragraph(waitSentence(tasks, task).toHtmlEscaped());
}

QString tasksHtml(const OpenedTasks& tasks) {
    QString html = paragraph(QStringLiteral("<b>%1</b>").arg(text(tasks.document().title).toHtmlEscaped()));
    if (tasks.hiddenPlaces() > 0)
        html +=
            paragraph(tasksTr("The first %1 places have a row; %2 more are not drawn.")
                          .arg(number(static_cast<std::int64_t>(tasks.places().size())), number(tasks.hiddenPlaces())));
    html +=
        paragraph(tasksTr("Choose a task with the mouse or the arrow keys; Return zooms to it, Escape goes back up. "
                          "The wheel, W and S zoom, Y shows the critical chain."));
    return html + paragraph(tasksTr("Another experiment, or a change in the form, shows the step of the model again."));
}

std::vector<Tick> unitTicks(const OpenedTasks& tasks, data::TimeRange range, int most) {
    const std::int64_t step = data::wholeNiceStep(range.span(), most, tasks.fineness());
    std::vector<Tick> ticks;
    for (std::int64_t at = (range.start + step - 1) / step * step; at <= range.end; at += step)
        ticks.push_back({at, number(at / tasks.fineness())});
    return ticks;
}

std::vector<ValueColumn> placeColumns(const OpenedTasks& tasks) {
    const bool pipeline = isPipeline(tasks);
    std::vector<ValueColumn> columns{{pipeline ? tasksTr("Stage") : tasksTr("Place"), true},
                                     {pipeline ? tasksTr("Passes") : tasksTr("Tasks")},
                                     {tasksTr("Busy"), false, tasksTr("Time in which the place works on a task.")}};
    if (pipeline)
        columns.insert(columns.end(),
                       {{tasksTr("Bubble"), false, tasksTr("Time in which the stage waits for another stage.")},
                        {tasksTr("Bubble share")},
                        {tasksTr("In flight"), false, tasksTr("Micro-batches whose activations are held at once.")}});
    else
        columns.insert(columns.end(), {{tasksTr("Idle"), false, tasksTr("Time in which the place has no task.")},
                                       {tasksTr("Idle share")}});
    for (const TaskLook& look : looksOf(tasks)) {
        if (!look.column.isEmpty())
            columns.push_back({look.column, false, tasksTr("Busy time of the kind: %1.").arg(look.title)});
    }
    return columns;
}

std::vector<ValueRow> placeRows(const OpenedTasks& tasks) {
    const std::vector<PlaceSums> sums = sumsOf(tasks);
    const std::vector<TaskLook> looks = looksOf(tasks);
    const std::int64_t whole = tasks.result().timetable.makespan;
    const auto shareOf = [whole](std::int64_t time) {
        return static_cast<double>(time) / static_cast<double>(std::max<std::int64_t>(1, whole));
    };
    std::vector<ValueRow> rows;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::int64_t idle = whole - sums[i].busy;
        ValueRow row;
        row.cells << placeLabel(tasks, i) << number(sums[i].tasks) << units(tasks, sums[i].busy) << units(tasks, idle)
                  << text(data::percentText(shareOf(idle)));
        if (tasks.result().pipeline)
            row.cells << QLocale::c().toString(tasks.result().pipeline->inFlight[i], 'g', 4);
        for (const TaskLook& look : looks) {
            if (!look.column.isEmpty())
                row.cells << units(tasks, sums[i].byLook[static_cast<std::size_t>(look.kind)]);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace ui
