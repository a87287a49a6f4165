#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_sheet.h"
#include "ui/figure/panel_plan.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

#include <string>
#include <vector>

namespace ui {

/// Stacks where the plan has placed them, error bars with caps over them.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark);

/// The numbers at the bars' ends, as far as they find room.
void writeBarValues(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark);

/// A vertical line with a short one at each end, `half` as wide to each side.
void drawErrorBar(FigureSheet& sheet, double x, double low, double high, double half);

/// Boxes with whiskers where the plan has placed them.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BoxMark& mark);

/// Lines, broken where a value is missing, with markers and error bars. No more points than print can show.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::LineMark& mark);

/// Areas upon each other from zero; broken where a value is missing.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::AreaMark& mark);

/// Of each column of `width` points the first, lowest, highest and last point, in order: what print can show of a line.
QPolygonF thinned(const QPolygonF& points, double width);

/// One dot at 600 dpi.
inline constexpr double kPrintDot = 72.0 / 600;

/// The scale of the panel's heat map; nothing where it has none.
std::optional<ColourScalePlan> planColourScale(const data::FigurePanel& panel, double height,
                                               const FigureMeasure& measure);

/// Cells by row and column, missing ones hatched; the scale at the right of the plot.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::HeatMark& mark);
void drawColourScale(FigureSheet& sheet, const PanelPlan& plan);

/// Spans as boxes in their lanes, with their text where it fits. Spans too short for print become one with neighbours of
/// the same meaning; where meanings alternate faster than that, the one that takes most of a dot stands for it.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::TimelineMark& mark);

/// The drawing scaled to the plot without distortion, in its middle.
void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::DrawingMark& mark);

/// Numbers to compare with: lines across the panel, short marks over a category or a bar.
void drawReferences(FigureSheet& sheet, const PanelPlan& plan);

/// Their texts, each where it covers nothing; after everything that they could cover.
void writeReferences(FigureSheet& sheet, const PanelPlan& plan);

/// Words at points; moved off what they would cover, with a thin line back to their point.
void drawAnnotations(FigureSheet& sheet, const PanelPlan& plan);

/// One panel, from back to front: grid, marks, axes, names, values, references, words, titles.
void drawPanel(FigureSheet& sheet, const PanelPlan& plan);

/// One thing that a legend explains.
struct LegendEntry {
    enum class Symbol : std::uint8_t { swatch, line, lineAndMarker, marker, reference };
    QString name;
    std::string meaning;
    Symbol symbol{};
    double width = 0;  ///< of symbol and name
};

/// The legend of a whole figure: series of the same name and meaning share an entry.
struct LegendPlan {
    std::vector<std::vector<LegendEntry>> rows;
    std::vector<double> columns;  ///< widths, where entries stand one below the other
    bool leftAligned = false;     ///< else rows are centred
    QSizeF size;
    bool empty() const { return rows.empty(); }
};

/// In as few rows as `width` allows, the rows as even as can be; at the right one entry in each row, top of a stack first.
LegendPlan planLegend(const data::FigureSpec& figure, double width, const FigureMeasure& measure);

/// With its upper left corner there.
void drawLegend(FigureSheet& sheet, const LegendPlan& plan, const QPointF& corner);

/// What short marks over bars are called where several have it before a colon ("Published: 1.30"); else nothing.
QString sharedNameOf(const std::vector<data::FigureReference>& references);

}  // namespace ui
