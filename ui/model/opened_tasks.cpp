#include "ui/model/opened_tasks.h"

#include "ui/look/timeline_geometry.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace ui {

OpenedTasks::OpenedTasks(data::TaskDocument document)
    : m_document(std::move(document)), m_result(data::resultOf(m_document)), m_names(m_document),
      m_chain(engine::criticalChain(m_result.timetable)) {
    if (const engine::PipelineShape* pipeline = shape())
        m_plan = engine::planOf(*pipeline);
    // The shortest range that the picture shows is one unit, unless its numbers would then be too large.
    if (m_result.timetable.makespan <= engine::kMostTaskTime / TimelineGeometry::kShortestRange)
        m_fineness = TimelineGeometry::kShortestRange;
    for (std::uint32_t pool = 0; pool < m_document.graph.pools.size(); ++pool) {
        const std::int64_t places = m_document.graph.pools[pool].places;
        m_firstRow.push_back(m_places.size());
        const auto room = static_cast<std::int64_t>(kMostRows - m_places.size());
        for (std::int64_t place = 0; place < std::min(places, room); ++place)
            m_places.push_back({pool, place});
        m_hiddenPlaces += std::max<std::int64_t>(0, places - room);
    }
}

const engine::PipelineShape* OpenedTasks::shape() const {
    const auto* pipeline = std::get_if<data::TaskPipeline>(&m_document.work);
    return pipeline != nullptr ? &pipeline->shape : nullptr;
}

engine::PassKind OpenedTasks::lookOf(engine::TaskIndex task) const {
    if (m_plan)
        return m_plan->passes[task].step.kind;
    const auto* loop = std::get_if<data::TaskLoop>(&m_document.work);
    const bool isSequential = loop != nullptr && loop->shape.pieces[task % loop->shape.pieces.size()].sequential;
    return isSequential ? engine::PassKind::backward : engine::PassKind::forward;
}

std::optional<std::size_t> OpenedTasks::rowOf(engine::TaskIndex task) const {
    const std::size_t row = m_firstRow[m_document.graph.tasks[task].pool] + span(task).place;
    return row < m_places.size() ? std::optional(row) : std::nullopt;
}

}  // namespace ui
