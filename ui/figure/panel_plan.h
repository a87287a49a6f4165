#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_axes.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_sheet.h"

#include <QMarginsF>
#include <QRectF>
#include <QSizeF>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// One row of names under the x axis. Names are level where they fit, else broken into lines, else turned; never cut short.
struct LabelLevel {
    struct Name {
        QString text;
        double centre = 0, left = 0, right = 0;  ///< in units of x
        QStringList lines;                       ///< as broken
    };
    std::vector<Name> names;
    bool bracketed = false;  ///< of groups: a thin line above says what belongs to it
    bool apart = false;      ///< each keeps to its own room, whatever its neighbours leave free

    double size = 7;
    bool turned = false;
    std::size_t every = 1;  ///< 2: every other name was left out for want of room
    double height = 0;
};

/// Decides size, direction and breaks. `perUnit` is how many points one unit of x takes.
void fitLevel(LabelLevel& level, double perUnit, const FigureMeasure& measure);

/// Everything that is written under one x axis: levels below each other, and names that stand for a group of one, such as a
/// mean, beside the last levels.
struct CategoryNames {
    std::vector<LabelLevel> levels;
    LabelLevel apart;
    std::size_t apartFrom = 0;  ///< the level beside which they begin
    bool empty() const { return levels.empty() && apart.names.empty(); }
};

double heightOf(const CategoryNames& names, const FigureMeasure& measure);

/// Draws them from `top` down. `xAt` gives the point of a unit of x.
void drawNames(FigureSheet& sheet, const CategoryNames& names, double top, const std::function<double(double)>& xAt);

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

/// Whether bars have names written under them: stacks side by side do, whose series alone would not tell them apart.
bool namesBars(const data::BarMark& mark);

/// What is written under the x axis: bars, categories, groups of categories.
void planNames(PanelPlan& plan, double perUnit, const FigureMeasure& measure);

/// What is written at the left of a heat map or a timeline of this height, and the axis of its rows: row i stands at i.
void planRows(PanelPlan& plan, double height, const FigureMeasure& measure);

/// How many categories the panel has, named or not.
std::size_t categoriesOf(const data::FigurePanel& panel);
DataReach reachOfX(const data::FigurePanel& panel);
/// Of the values alone.
DataReach valuesOfY(const data::FigurePanel& panel);
/// With the room that written values and marks need above bars that are `perUnit` points wide for each unit of x.
DataReach reachOfY(const PanelPlan& plan, double perUnit, const FigureMeasure& measure);

/// The sum of a stack's positive and of its negative values in a category; nothing where all are missing.
struct StackEnds {
    double above = 0, below = 0;
    bool any = false;
};
StackEnds stackEnds(const data::FigureBar& bar, std::size_t category);

/// How the values of a mark's bars are written: level where the widest fits beside its neighbours, else turned, else not.
struct ValueDirection {
    bool written = true;
    bool turned = false;
    double along = 0;  ///< what the longest takes in the direction of y
};
ValueDirection directionOfValues(const PanelPlan& plan, std::size_t mark, double perUnit, const FigureMeasure& measure);

/// What is written at a stack's end: its positive sum, or its negative one where there is nothing else.
double writtenValue(const StackEnds& ends);

}  // namespace ui
