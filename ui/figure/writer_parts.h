#pragma once

#include "data/figure/figure_size.h"
#include "data/figure/figure_table.h"
#include "ui/drawing/display_list.h"
#include "ui/drawing/figure_sheet.h"
#include "ui/drawing/heat_scale.h"
#include "ui/drawing/mark_layout.h"
#include "ui/figure/figure_writers.h"

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ui {

/// Formats a number so that every text format can read it: no exponent, no trailing zeros, at most four decimals, never
/// "-0".
QString plainNumber(double value);

/// Names for the colours in a figure's source files, so that a co-author can change a colour in one line. A colour is
/// registered when its name is first asked for.
class ColourNames {
public:
    /// Returns the name of a colour. A new colour is named after `meaning` ("reduceScatterLight" for
    /// "reduce-scatter/light") or after its value ("c404040").
    QString nameOf(const QColor& colour, const QString& meaning = {});

    /// Returns the registered colours in the order of registration, as "#rrggbb".
    const std::vector<std::pair<QString, QString>>& known() const { return m_known; }

private:
    std::vector<std::pair<QString, QString>> m_known;
};

/// The columns of a series in its mark's table.
struct SeriesColumns {
    std::size_t bar = 0;  ///< index of the bar; 0 for other marks
    const data::FigureSeries* series = nullptr;
    std::size_t value = 0;
    std::optional<std::size_t> low, high;
    std::optional<std::size_t> from;  ///< of a floating bar: where its stack begins
};

/// Returns the columns of bars, lines and areas in the order of the table; empty for other marks. Must agree with
/// data::tablesOf.
std::vector<SeriesColumns> columnsOf(const data::FigurePanel& panel, const data::FigureMark& mark);

/// The position of a bar or group in each category, in units of x.
struct BarColumn {
    std::vector<double> middles;
    double width = 0;
};
BarColumn barColumn(const PanelPlace& place, std::size_t mark, std::size_t bar);

/// Returns whether a panel can be written as plots of its tables: it has room, no drawing, and its tables tell the order
/// of its categories.
bool hasPlots(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables, std::size_t panel);

/// The titles of a panel as they are drawn.
struct PanelTitles {
    QStringList y;  ///< its lines
    QPointF yAt;    ///< on the baseline of the last line, in the middle
    const TextItem* x = nullptr;
    const TextItem* above = nullptr;
    const TextItem* colours = nullptr;  ///< of the colour bar
};

/// The part of a y axis that is left out. It takes the room of `gap` units of the rest.
struct AxisBreak {
    double from = 0, to = 0, gap = 0;
};

/// A reference value in the units of the axes.
struct ReferenceLine {
    bool across = false;  ///< across the whole panel, else from x to x
    double value = 0, from = 0, to = 0;
    FigurePen pen;
};

/// A text of a reference or an annotation, and the point in the units of the axes that it belongs to.
struct PlacedNote {
    TextItem text;
    double x = 0, y = 0;
    bool follows = false;  ///< the point is in a category, not at a position along x
    QPointF offset;        ///< of the text from the point, in points to the right and downwards
    std::optional<FigurePen> leader;
    QPointF leaderEnd;  ///< offset of the other end of the leader, which begins at the point
    std::optional<QColor> patch;
};

/// A line, an arrow or a band that an author placed, in the units of the axes.
struct OwnNote {
    data::FigureAnnotation::Kind kind{};
    double x = 0, y = 0, toX = 0, toY = 0;
    bool joined = false;             ///< a line or an arrow leads from one point to the other
    const TextItem* text = nullptr;  ///< at the first point or, of a band, at its top
    double textX = 0;                ///< of a band: the middle of the text
};

/// The base class of panels that are written as plots of their tables: where everything is, in the units of the axes.
class PanelPlot {
protected:
    PanelPlot(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables, std::size_t panel);

    /// Returns the table of a mark, or null.
    const data::FigureTable* tableOf(std::size_t mark) const;

    PanelKind kind() const { return m_plan.kind; }
    bool categorical() const { return m_plan.categorical; }
    double perUnit() const { return m_plan.perUnit(); }
    CategoryNames namesPlan() const;
    RowPlan rowsPlan() const;
    /// Returns whether the x axis reaches just over the values of the panel, or over them and a margin for markers. Else
    /// its range is set: by the author, or because panels share it.
    bool isWholeX() const;
    bool isPaddedX() const;
    bool numbersBelow() const;  ///< the ticks of a numeric x axis have labels

    /// Returns the break of the y axis, if it has one.
    std::optional<AxisBreak> axisBreak() const;
    /// Returns the ticks of a broken axis, and some above them, in case the axis becomes longer.
    static std::vector<double> ticksBeyond(const AxisPlace& place);

    /// Returns the number of intervals for which the nice step is that of the ticks.
    static int intervalsOf(const AxisPlace& place);
    /// Returns how many decades lie between two ticks of a logarithmic axis; 0 if it is not a whole number.
    static int decadesOf(const AxisPlace& place);
    /// Returns whether the ticks of a logarithmic axis are at 1, 2 and 5 of each decade.
    static bool stepsInDecades(const AxisPlace& place);

    /// Returns the category at a position along x; an empty optional without categories.
    std::optional<std::size_t> categoryAt(double x) const;
    /// Returns the name of a category, that of its group, and how many of these names there are before.
    std::tuple<std::string, std::string, std::size_t> keyOf(std::size_t category) const;

    std::vector<ReferenceLine> referenceLines() const;
    std::vector<PlacedNote> notes() const;  ///< texts with nothing but a leader
    std::vector<OwnNote> ownNotes() const;
    PanelTitles titles() const;

    /// Returns half the width of an error bar's cap, in points, over a bar of this width in units of x.
    double halfOfCap(double width) const { return std::min(width * perUnit() * 0.3, m_measure.of(2)); }

    /// Returns the colours of evenly spaced positions on the colour bar of a heat map, as `styles` writes them.
    template <class Styles>
    QStringList heatColours(const HeatScale& scale, Styles& styles) const {
        constexpr int kSteps = 32;
        QStringList colours;
        for (int i = 0; i <= kSteps; ++i)
            colours << styles.colour(scale.colourAt(double(i) / kSteps), QStringLiteral("heat%1").arg(i));
        return colours;
    }

    const data::FigureSpec& m_spec;
    const std::vector<data::FigureTable>& m_tables;
    const data::FigurePanel& m_panel;
    const PanelPlace& m_place;
    FigureMeasure m_measure;
    std::vector<const DisplayItem*> m_items;  ///< of the panel

private:
    QPointF unitsOf(const QPointF& point) const;
    OwnNote ownNote(std::size_t index) const;
    bool isOwn(const DisplayItem& item) const;
    QPointF anchorOf(const DisplayItem& item, const TextItem& text, bool& follows) const;

    PanelPlan m_plan;
};

/// The legend of a figure and where it is drawn.
struct PlacedLegend {
    explicit PlacedLegend(const ReadyFigure& figure);

    LegendPlan plan;
    QRectF box;           ///< from the first symbol to the end of the last name
    double baseline = 0;  ///< of the first row
};

/// Returns the sentence in the head of exported sources about what may be done with them.
inline QString exportTerms() {
    return QStringLiteral(
        "This file and its tables are their author's own: they may be used, changed and passed on under "
        "any terms.");
}

/// Returns a text for LaTeX: special characters are escaped, and symbols become commands that every font has. The micro
/// sign is \figuremicro, which the document defines. Characters that LaTeX cannot set become "?".
QString latexText(const QString& text);

}  // namespace ui
