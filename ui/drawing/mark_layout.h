#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/figure_sheet.h"
#include "ui/drawing/panel_plan.h"
#include "ui/drawing/thinned.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace ui {

/// Draws stacks at their planned places, and error bars with caps over them.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark);

/// Returns the part of a bar between two values.
QRectF barBox(const PanelPlan& plan, const BarPlace& place, double from, double to);

/// Draws what stands beside, over and in place of bars in rows: columns, references and texts of gaps.
void drawRowTexts(FigureSheet& sheet, const PanelPlan& plan);
/// Writes the number of a part of a stack in the part, on a plate of its colour, if there is room.
void writePart(FigureSheet& sheet, const QRectF& box, double value, const QColor& background);

/// Writes the values at the bars' ends where they fit.
void writeBarValues(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark);

/// Draws an error bar: a vertical line with caps that extend `half` to each side.
void drawErrorBar(FigureSheet& sheet, double x, double low, double high, double half);

/// Draws boxes with whiskers at their planned places.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BoxMark& mark);

/// Draws lines, interrupted where a value is missing, with markers and error bars, and with no more points than print
/// can show.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::LineMark& mark);

/// Draws stacked areas from zero, interrupted where a value is missing.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::AreaMark& mark);

/// One dot at 600 dpi.
inline constexpr double kPrintDot = 72.0 / 600;

/// Returns the scale of the panel's heat map; an empty optional if it has none.
std::optional<ColourScalePlan> planColourScale(const data::FigurePanel& panel, double height,
                                               const FigureMeasure& measure);

/// Draws the cells of a heat map by row and column, missing ones hatched, and the scale at the right of the plot.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::HeatMark& mark);
void drawColourScale(FigureSheet& sheet, const PanelPlan& plan);

/// Draws spans as boxes in their lanes, with their text where it fits. Spans too short for print are merged with
/// neighbours of the same meaning; where meanings alternate faster than that, the meaning that takes most of a dot is
/// drawn.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::TimelineMark& mark);

/// How much of the height of a lane its spans take, above and below its middle.
inline constexpr double kLaneFilled = 0.76;

/// Returns the spans that the layout draws, in units of the panel's x axis: those in sight, cut at the ends of the axis,
/// with short ones merged.
std::vector<data::TimelineMark::Span> drawnSpans(const PanelPlan& plan, const data::TimelineMark& mark);

/// Returns the size of the texts on spans in lanes of this height in points; an empty optional if there is no room.
std::optional<TextSize> sizeOfSpanText(double laneHeight, const FigureMeasure& measure);

/// Draws the drawing centred in the plot and scaled without distortion.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::DrawingMark& mark);

/// How far a reference's mark extends beyond each side of its bar, at text of 7 points, if there is room.
inline constexpr double kMarkBeyond = 2;

/// Returns the pen of such a mark, in the panel and in the legend.
FigurePen shortReferencePen(const FigureMeasure& measure);

/// Draws the reference values of categories and bars as short marks. Call this before the bars are drawn: a mark over a
/// bar would hide the end that it is compared with.
void drawShortReferences(FigureSheet& sheet, const PanelPlan& plan);

/// Draws the other reference values as lines across the panel.
void drawReferences(FigureSheet& sheet, const PanelPlan& plan);

/// Writes the texts of references in free places. Call this after everything else is drawn.
void writeReferences(FigureSheet& sheet, const PanelPlan& plan);

/// Writes annotations at their points. A text that would cover something is moved, and a thin line connects it to its
/// point.
void drawAnnotations(FigureSheet& sheet, const PanelPlan& plan);
inline constexpr float kBandOpacity = 0.15F;
/// Draws the bands of spans, which lie under the marks.
void drawBands(FigureSheet& sheet, const PanelPlan& plan);

/// Draws one panel, from back to front: grid, marks, axes, names, values, references, annotations, titles.
void drawPanel(FigureSheet& sheet, const PanelPlan& plan);

/// One entry of a legend.
struct LegendEntry {
    enum class Symbol : std::uint8_t {
        swatch,
        line,
        lineAndMarker,
        marker,
        reference,
        referenceLine,
        heading,  ///< of the entries after it, without a sample
        dash      ///< a dash that lines of any colour have
    };
    QString name;
    std::string meaning;
    Symbol symbol{};
    double width = 0;  ///< width of symbol and name
};

/// The legend of a whole figure: series with the same name and meaning share an entry. Lines of an ordered axis and of
/// several policies ("T3, TP degree = 8") have two groups of entries in place of their product: colours of the values,
/// with the axis as heading, and dashes of the policies.
struct LegendPlan {
    std::vector<std::vector<LegendEntry>> rows;
    std::vector<double> columns;  ///< column widths if entries are below each other
    bool leftAligned = false;     ///< false: rows are centred
    QSizeF size;
    bool empty() const { return rows.empty(); }
};

/// Returns whether any bars or areas stand on one another: a legend at the right then has the top of a stack first.
bool stacks(const data::FigureSpec& figure);

/// Lays out the legend in as few rows as `width` allows, with rows of similar width. At the right of the figure each
/// row has one entry, the top of a stack first.
LegendPlan planLegend(const data::FigureSpec& figure, double width, const FigureMeasure& measure);

/// Draws the legend with its upper left corner at `corner`.
void drawLegend(FigureSheet& sheet, const LegendPlan& plan, const QPointF& corner);

/// Returns the name of a panel's references in the legend, or an empty text if they have none: "Published" for published
/// values, which have a label; else the name that all marks have, before a colon ("Measured: 1.30").
QString legendNameOf(const std::vector<data::FigureReference>& references);

/// Returns what is written at a reference if the legend has this name: "1.30", or an empty text if the legend says all.
QString textBeside(const data::FigureReference& reference, const QString& legendName);

}  // namespace ui
