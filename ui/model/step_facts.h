#pragma once

#include "ui/look/palette.h"
#include "ui/look/value_table.h"
#include "ui/model/step_layout.h"

#include <QString>

#include <optional>
#include <vector>

namespace ui {

/// The share of a row's height that the compute lane of operators has; the rest is the tensor lane.
inline constexpr double kComputeLane = 0.62;
/// From this width on, a layer shows its operators.
inline constexpr double kOperatorPixels = 40;

/// Returns "Stage 0 · 12 layers".
QString stageLabel(const data::ModelStep& step, std::int64_t stage);
/// Returns "1F1B", "1F1B with 2 chunks", "ZB-H1".
QString scheduleTitle(const engine::PipelineShape& shape);
/// Returns "8 stages, 64 micro-batches, 1F1B: 29.4 s, bubble 11.5 %", and the difference to a pinned step if there is
/// one.
QString stepHeadline(const data::ModelStep& step, const data::ModelStep* pinned = nullptr);
/// Returns "simulating 3 pairs of a GEMM and a message, here at full rates", or that they are not simulated.
QString missingPairsLine(std::size_t pairs, bool simulating);
/// Returns "Forward pass of micro-batch 3 on stage 2", and the chunk if the stage has several.
QString passName(const engine::PipelinePass& pass, const engine::PipelineShape& shape);
/// Returns "Forward pass of micro-batch 3 on stage 2: 1.2 ms, from 4.1 ms to 5.3 ms".
QString passLine(const data::ModelStep& step, const ShownPass& pass);
/// Returns the same with what the pass waited for and its operators, as rich text.
QString passHtml(const data::ModelRun& run, const data::ModelStep& step, const ShownPass& pass,
                 std::optional<std::int64_t> section, const Palette& colors);
/// Returns the text shown while nothing is chosen.
QString stepHtml(const data::ModelRun& run, const data::ModelStep& step);

/// A section of a pass in the time of the step.
struct PlacedSection {
    const data::SectionTime* section = nullptr;
    std::int64_t begin = 0, end = 0;
};
/// Returns the sections of a pass. A pass that messages slow down stretches its sections evenly.
std::vector<PlacedSection> placedSections(const data::ModelStep& step, const ShownPass& pass);
std::optional<PlacedSection> sectionNumbered(const data::ModelStep& step, const ShownPass& pass, std::int64_t number);
std::optional<PlacedSection> sectionAt(const data::ModelStep& step, const ShownPass& pass, std::int64_t ps);
/// Returns the operator of a lane at a time, by its index in the graph.
std::optional<std::size_t> operatorIn(const PlacedSection& section, std::int64_t ps, bool tensor);

/// Returns the table of the parts of each stage.
std::vector<ValueColumn> stageColumns();
std::vector<ValueRow> stageRowsOf(const data::ModelStep& step);

}  // namespace ui
