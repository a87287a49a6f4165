#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_sheet.h"

#include <QMarginsF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace ui {

/// How far the data reach along one axis.
struct DataReach {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double leastPositive = std::numeric_limits<double>::infinity();
    bool fromZero = false;  ///< bars and areas stand on zero
    bool padded = false;    ///< markers need room at the ends
    bool tight = false;     ///< ends where the data end
    bool unusable = false;  ///< values at or below zero, which a logarithmic axis leaves out

    /// What must stay free beyond a value, in points: a number that is written there.
    struct Headroom {
        double value = 0, points = 0;
    };
    std::vector<Headroom> headroom, footroom;  ///< above and below

    void include(double value);
    bool empty() const { return most < least; }
};

/// An axis with what is written along it.
struct AxisPlan {
    AxisPlace place;
    std::vector<QString> labels;  ///< of place.ticks
    std::vector<double> minor;    ///< ticks without a label
    QString title;                ///< with its unit
};

/// Takes the range from the author, else from the data, and ticks at 1-2-5. No more than `mostIntervals` between them.
AxisPlan planAxis(const data::FigureAxis& axis, const DataReach& reach, double length, int mostIntervals);

/// "Time (µs)", "Runtime (normalised to Sequential)".
QString titleOf(const data::FigureAxis& axis);

/// 0 at the axis's start and 1 at its end. Nothing for what a logarithmic axis cannot show.
std::optional<double> shareOf(const AxisPlace& axis, double value);

/// Numbers with as many decimals as tell neighbours `step` apart; from 10 000 on with k, M, G, T or P.
QString tickLabel(double value, double step, double largest);

/// For one value written beside its mark: three significant digits.
QString valueLabel(double value);

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

/// The value in a place; nothing beyond the last one.
inline std::optional<double> valueAt(const data::FigureValues& values, std::size_t index) {
    return index < values.size() ? values[index] : std::nullopt;
}

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
