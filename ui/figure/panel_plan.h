#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/category_labels.h"
#include "ui/figure/figure_axes.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_sheet.h"

#include <QMarginsF>
#include <QRectF>
#include <QSizeF>

#include <cstddef>
#include <optional>
#include <vector>

namespace ui {

/// Names of rows at the left of a heat map or a timeline, and what they are grouped into.
struct RowPlan {
    struct Group {
        QString label;
        std::size_t first = 0, count = 0;
    };
    std::vector<QString> labels;
    std::vector<Group> groups;
    double size = 7;
    std::size_t every = 1;
    bool groupsTurned = false;
    double labelWidth = 0, groupWidth = 0;
};

/// The colour scale beside a heat map.
struct ColourScalePlan {
    AxisPlan axis;
    double width = 0;  ///< with its labels
};

enum class PanelKind : std::uint8_t { plain, cells, lanes, drawing };

/// One panel, planned: axes, names, and the room that they need around the plot.
struct PanelPlan {
    const data::FigurePanel* panel = nullptr;
    std::size_t index = 0;
    PanelKind kind{};
    bool categorical = false;
    AxisPlan x, y;
    std::vector<double> centres;
    std::vector<BarPlace> bars;
    CategoryNames names;
    RowPlan rows;
    std::optional<ColourScalePlan> colours;
    QStringList yTitle;  ///< as broken into lines
    bool yTitleShown = true, xTitleShown = true, namesShown = true;
    QMarginsF need;
    double titleBelow = 0;  ///< how far under the plot those panels reach that share the title of y
    double titleDrop = 0;   ///< how far under the plot's middle the title of y is centred
    double titleLeft = 0;   ///< how far left of the plot the title of y begins
    QRectF plot;

    /// Points of the page. Nothing for what a logarithmic axis cannot show.
    std::optional<double> xAt(double x) const;
    std::optional<double> yAt(double y) const;
    double xCentre(std::size_t category) const;
    double perUnit() const { return plot.width() / (x.place.to - x.place.from); }
    PanelPlace place() const;
};

PanelKind kindOf(const data::FigurePanel& panel);
/// Of a heat map or a timeline.
std::size_t rowsOf(const data::FigurePanel& panel);

/// Plans for a plot of about this size; what the plan shows or leaves out (`yTitleShown`, ...) is kept.
void planPanel(PanelPlan& plan, const QSizeF& plot, const FigureMeasure& measure);

}  // namespace ui
