#pragma once

#include "ui/charts/chart_drawing.h"
#include "ui/shared/figure_offer.h"

#include <memory>
#include <optional>

namespace ui {

/// What a chart is made a figure from: a table and what the reader chose.
struct ChartFigureInput {
    std::shared_ptr<const data::SweepTable> table;
    ChartPlan plan;
    std::size_t metric = 0;
    ValueScale scale = ValueScale::automatic;
    bool published = false;
};

/// A chart of a sweep as a figure, from its numbers: lines and small multiples, heat maps, two metrics against each other
/// with their front, and what each axis does around the base point. Points without a result are gaps, and the caption
/// counts them. Parallel coordinates, which figures have no mark for, are drawn as they are. Nothing without points.
std::optional<FigureOffer> chartFigure(const ChartFigureInput& input);

}  // namespace ui
