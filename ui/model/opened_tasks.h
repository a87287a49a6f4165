#pragma once

#include "data/tasks/task_result.h"
#include "engine/api/pipeline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// A document of tasks with its timetable, as the picture of a step shows it: a row for each place of each pool.
///
/// The picture zooms to a range of whole numbers, so its times are finer than the unit of the document.
class OpenedTasks {
public:
    /// More rows are not drawn: they would be lower than a line of text, and their picture larger than any screen.
    static constexpr std::size_t kMostRows = 256;

    explicit OpenedTasks(data::TaskDocument document);
    OpenedTasks(const OpenedTasks&) = delete;
    OpenedTasks& operator=(const OpenedTasks&) = delete;

    const data::TaskDocument& document() const { return m_document; }
    const data::TaskResult& result() const { return m_result; }
    const engine::TaskSpan& span(engine::TaskIndex task) const { return m_result.timetable.spans[task]; }
    const std::vector<engine::TaskIndex>& chain() const { return m_chain; }
    /// Returns the passes of a pipeline, one for each task; null for other documents.
    const engine::PipelinePlan* plan() const { return m_plan ? &*m_plan : nullptr; }
    const engine::PipelineShape* shape() const;
    std::string nameOf(engine::TaskIndex task) const { return m_names(task); }

    /// Returns whether the picture draws the task as a forward pass, or as one of the other kinds: the sequential pieces
    /// of a loop look like backward passes.
    engine::PassKind lookOf(engine::TaskIndex task) const;

    /// One place of a pool.
    struct Place {
        std::uint32_t pool = 0;
        std::int64_t place = 0;
    };
    /// Returns the places that have a row, from the first place of the first pool.
    const std::vector<Place>& places() const { return m_places; }
    std::int64_t hiddenPlaces() const { return m_hiddenPlaces; }
    /// Returns the row on which a task runs, or an empty optional if its place has none.
    std::optional<std::size_t> rowOf(engine::TaskIndex task) const;

    std::int64_t fine(std::int64_t units) const { return units * m_fineness; }
    /// Returns how many units of the picture's time are one unit of the document.
    std::int64_t fineness() const { return m_fineness; }

private:
    data::TaskDocument m_document;
    data::TaskResult m_result;
    data::TaskNames m_names;
    std::optional<engine::PipelinePlan> m_plan;
    std::vector<engine::TaskIndex> m_chain;
    std::vector<Place> m_places;
    std::vector<std::size_t> m_firstRow;  // by pool
    std::int64_t m_hiddenPlaces = 0;
    std::int64_t m_fineness = 1;
};

}  // namespace ui
