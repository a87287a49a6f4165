#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/figure_layout.h"
#include "ui/drawing/figure_sheet.h"

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

/// The extent of the data along one axis.
struct DataReach {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double leastPositive = std::numeric_limits<double>::infinity();
    bool fromZero = false;  ///< bars, unless they float, and areas begin at zero
    bool padded = false;    ///< markers need a margin at the ends
    bool tight = false;     ///< the axis ends where the data end
    bool unusable = false;  ///< there are values at or below zero, which a logarithmic axis cannot show

    /// The free space needed beyond a value, in points, for a number that is written there.
    struct Headroom {
        double value = 0, points = 0;
    };
    std::vector<Headroom> headroom, footroom;  ///< above and below

    void include(double value);
    bool empty() const { return most < least; }
};

/// An axis with its labels and title.
struct AxisPlan {
    AxisPlace place;
    std::vector<QString> labels;  ///< of place.ticks
    std::vector<double> minor;    ///< ticks without a label
    QString title;                ///< including its unit
};

/// Plans an axis. Its range is the author's or else that of the data; ticks are at steps of 1, 2 or 5, with at most
/// `mostIntervals` intervals.
AxisPlan planAxis(const data::FigureAxis& axis, const DataReach& reach, double length, int mostIntervals);

/// Returns how many intervals between ticks fit on a vertical axis of this length.
int intervalsFor(double length, const FigureMeasure& measure);

/// Returns the title of an axis: "Time (µs)", "Runtime (normalised to Sequential)".
QString titleOf(const data::FigureAxis& axis);

/// Returns the position of a value, 0 at the axis' start and 1 at its end; an empty optional if a logarithmic axis
/// cannot show it.
std::optional<double> shareOf(const AxisPlace& axis, double value);

/// Returns the value at a position of an axis, the inverse of shareOf().
double valueAtShare(const AxisPlace& axis, double share);

/// Formats a tick with as many decimals as are needed to distinguish values `step` apart; from 10 000 on with k, M, G,
/// T or P.
QString tickLabel(double value, double step, double largest);

/// Formats a value that is written beside its mark: three significant digits.
QString valueLabel(double value);
/// Formats it with the author's number of decimals, if there is one.
QString valueLabel(double value, std::optional<int> decimals);

/// One row of names below the x axis. Names are horizontal if they fit, else broken into lines, else rotated; they are
/// never shortened.
struct LabelLevel {
    struct Name {
        QString text;
        double centre = 0, left = 0, right = 0;  ///< in units of x
        QStringList lines;                       ///< after line breaking
    };
    std::vector<Name> names;
    bool bracketed = false;  ///< names of groups: a thin line above each shows its extent
    bool apart = false;      ///< each name stays within its own room, even if its neighbours leave room free

    TextSize size;
    bool turned = false;
    std::size_t every = 1;  ///< 2: every other name was left out for lack of room
    double height = 0;
};

/// All names below one x axis: levels below each other, and names of single-member groups, such as a mean, beside the
/// last levels.
struct CategoryNames {
    std::vector<LabelLevel> levels;
    LabelLevel apart;
    std::size_t apartFrom = 0;  ///< the level beside which these names begin
    bool empty() const { return levels.empty() && apart.names.empty(); }
};

double heightOf(const CategoryNames& names, const FigureMeasure& measure);

/// Draws the names downwards from `top`. `xAt` converts units of x to points.
void drawNames(FigureSheet& sheet, const CategoryNames& names, double top, const std::function<double(double)>& xAt);

/// The names of rows at the left of a heat map or a timeline, and of their groups.
struct RowPlan {
    struct Group {
        QString label;
        std::size_t first = 0, count = 0;
    };
    std::vector<QString> labels;
    std::vector<Group> groups;
    TextSize size;
    std::size_t every = 1;
    bool groupsTurned = false;
    double labelWidth = 0, groupWidth = 0;
};

/// The colour scale beside a heat map.
struct ColourScalePlan {
    AxisPlan axis;
    double width = 0;  ///< including its labels
};

enum class PanelKind : std::uint8_t { plain, cells, lanes, rows, drawing };

/// The plan of one panel: axes, names, and the room that they need around the plot.
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
    QStringList yTitle;  ///< after line breaking
    bool yTitleShown = true, xTitleShown = true, namesShown = true;
    bool legendShown = true;    ///< and with it the name that references share
    bool rowNamesShown = true;  ///< of bars in rows
    QMarginsF need;
    double titleBelow = 0;  ///< how far the panels that share the y title reach below this plot
    double titleDrop = 0;   ///< how far the y title's centre is below the middle of the plot
    double titleLeft = 0;   ///< how far left of the plot the y title begins
    QRectF plot;

    /// Converts x to page coordinates in points; an empty optional if a logarithmic axis cannot show it.
    std::optional<double> xAt(double x) const;
    std::optional<double> yAt(double y) const;
    double xCentre(std::size_t category) const;
    /// Returns the y of the middle of a row of cells, lanes or bars, in units of the y axis.
    double rowCentre(std::size_t row) const { return kind == PanelKind::rows ? xCentre(row) : double(row); }
    double perUnit() const { return plot.width() / (x.place.to - x.place.from); }
    PanelPlace place() const;
};

/// Returns the kind of a panel on paper.
PanelKind kindOf(const data::FigurePanel& panel);
/// Returns the number of rows of a heat map or a timeline.
std::size_t rowsOf(const data::FigurePanel& panel);

/// Plans a panel for a plot of about this size; settings about what the plan shows or leaves out (`yTitleShown`, ...)
/// are kept.
void planPanel(PanelPlan& plan, const QSizeF& plot, const FigureMeasure& measure);

/// Returns whether bars have names below them. Adjacent stacks have names, because they share the colours of their
/// series.
bool namesBars(const data::BarMark& mark);

/// Plans the names below the x axis: of bars, categories, and groups of categories.
void planNames(PanelPlan& plan, double perUnit, const FigureMeasure& measure);

/// Returns whether the bars of the panel lie in rows.
bool liesInRows(const data::FigurePanel& panel, const FigureMeasure& measure);
/// Returns the extent of values in rows, with a reference that is not far beyond them.
DataReach reachOfRows(const data::FigurePanel& panel, const FigureMeasure& measure);
/// Returns the room of the columns beside rows, and of the line above them with titles and texts of references.
double widthOfColumns(const PanelPlan& plan, const FigureMeasure& measure);
double heightOverRows(const PanelPlan& plan, const FigureMeasure& measure);
/// Returns how high the plot of rows can be.
double mostHeightOfRows(const data::FigurePanel& panel, const FigureMeasure& measure);

/// Plans the names at the left of a heat map, a timeline or bars in rows of this height, and the axis of its rows: row
/// i is at i, or at the centre of its category.
void planRows(PanelPlan& plan, double height, const FigureMeasure& measure);

/// Returns the number of categories of the panel, named or not.
std::size_t categoriesOf(const data::FigurePanel& panel);
DataReach reachOfX(const data::FigurePanel& panel);
/// Returns the extent of the values, without room for texts.
DataReach valuesOfY(const data::FigurePanel& panel);
/// Returns the extent, with room for the values and references above bars. `perUnit` is the width of one unit of x in
/// points.
DataReach reachOfY(const PanelPlan& plan, double perUnit, const FigureMeasure& measure);

/// Returns the value with this index; an empty optional beyond the last one.
inline std::optional<double> valueAt(const data::FigureValues& values, std::size_t index) {
    return index < values.size() ? values[index] : std::nullopt;
}

/// Where a stack begins in a category, and the sums of its positive and of its negative values.
struct StackEnds {
    double from = 0;
    double above = 0, below = 0;
    bool any = false;  ///< false: all values are missing
};
StackEnds stackEnds(const data::FigureBar& bar, std::size_t category);

/// How the values of a mark's bars are written: horizontal if the widest fits beside its neighbours, else rotated, else
/// not at all.
struct ValueDirection {
    bool written = true;
    bool turned = false;
    double along = 0;  ///< length of the longest value in the direction of y
};
ValueDirection directionOfValues(const PanelPlan& plan, std::size_t mark, double perUnit, const FigureMeasure& measure);

/// Returns the value written at a stack's end, counted from its beginning: its positive sum, or the negative one if
/// there is no positive one.
double writtenValue(const StackEnds& ends);

}  // namespace ui
