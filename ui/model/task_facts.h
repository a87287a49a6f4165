#pragma once

#include "ui/look/timeline_geometry.h"
#include "ui/look/value_table.h"
#include "ui/model/opened_tasks.h"

#include <QString>

#include <optional>
#include <vector>

namespace ui {

/// What a colour stands for in the timetable of a document.
struct TaskLook {
    engine::PassKind kind{};
    QString title;   ///< "sequential piece"
    QString column;  ///< the title of its column of the table; empty: it has none
};
/// Returns the looks that tasks of a document have.
std::vector<TaskLook> looksOf(const OpenedTasks& tasks);
/// Returns the word for the time in which a place does nothing: "bubble" or "idle".
QString idleWord(const OpenedTasks& tasks);

/// Returns "cores 3"; "stage 3" in a pipeline, and the name of a pool that has one place.
QString placeLabel(const OpenedTasks& tasks, std::size_t row);
/// Returns the text in the box of a task: the number of its iteration or its id.
QString boxText(const OpenedTasks& tasks, engine::TaskIndex task);
/// Returns the title of the document and the sentences that `ringside-cli timetable` prints.
QString tasksHeadline(const OpenedTasks& tasks);
/// Returns "Iteration 12, piece 2 on cores 3: 5 cycles, from 1,205 to 1,210".
QString taskLine(const OpenedTasks& tasks, engine::TaskIndex task);
/// Returns the same with what the task waited for, as rich text.
QString taskHtml(const OpenedTasks& tasks, engine::TaskIndex task);
/// Returns the text shown while nothing is chosen.
QString tasksHtml(const OpenedTasks& tasks);
/// Returns ticks in whole units of the document.
std::vector<Tick> unitTicks(const OpenedTasks& tasks, data::TimeRange range, int most);

/// Returns the table of the parts of each place that has a row.
std::vector<ValueColumn> placeColumns(const OpenedTasks& tasks);
std::vector<ValueRow> placeRows(const OpenedTasks& tasks);

}  // namespace ui
