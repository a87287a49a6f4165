#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/display_list.h"
#include "ui/drawing/figure_layout.h"
#include "ui/drawing/figure_style.h"

#include <QLineF>
#include <QString>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// The sizes that all parts of a figure share. Lengths are given for text of 7 points and scale with the text: `of(2)`
/// is two points in a paper's column and more on a slide.
struct FigureMeasure {
    TextSize textSize;
    Ground ground = data::FigureTheme::paper;
    const ScreenSheet* screen = nullptr;  ///< null: paper
    double of(double points) const { return points * textSize / 7; }
    /// Returns another size of the figure's font.
    TextSize sized(double points) const { return {points, textSize.font}; }
    /// Returns the text size of values and references: a little smaller on paper, but at least 6 points.
    TextSize smallSize() const { return screen ? textSize : sized(std::max(6.0, textSize * 6 / 7)); }
    /// Returns the least size of names: 6 points on paper, which publishers require, and 12 on a slide.
    TextSize leastSize() const {
        return sized(std::min<double>(textSize, screen ? 6.0 : std::max(6.0, textSize * 2 / 3)));
    }
    FigurePen pen(FigurePen pen) const;
    MarkStyle style(std::string_view meaning) const;  ///< with pens and hatches of this size
    /// Returns the size of the marker of a point, relative to that of a point of a line: larger on the screen.
    double pointScale() const { return screen ? 2 : 1; }
    const ThemeStyle& colours() const { return styleOf(ground); }
    double strip() const { return screen ? screen->strip : 0; }
};

/// Returns the sizes of a figure on paper.
FigureMeasure measureOf(const data::FigureSpec& figure);

/// Collects the items of a display list, from back to front. Each item gets the panel, mark, value, meaning and clip
/// that were set last. Records the covered area, so that text can be put in free places.
class FigureSheet {
public:
    explicit FigureSheet(const FigureMeasure& measure) : m_measure(measure) {}

    void at(std::optional<std::size_t> panel, std::optional<std::size_t> mark = std::nullopt);
    void clipTo(std::optional<QRectF> clip) { m_clip = clip; }
    void mean(const std::string& meaning) { m_meaning = QString::fromStdString(meaning); }
    void show(std::optional<ItemValue> value) { m_value = value; }
    void note(std::optional<std::size_t> annotation) { m_note = annotation; }

    void rect(FigurePart part, const QRectF& box, std::optional<FigureFill> fill, std::optional<FigurePen> pen);
    void line(FigurePart part, const QPolygonF& points, const FigurePen& pen);
    void line(FigurePart part, const QPointF& from, const QPointF& to, const FigurePen& pen);
    void polygon(FigurePart part, const QPolygonF& points, std::optional<FigureFill> fill,
                 std::optional<FigurePen> pen);
    void ellipse(FigurePart part, const QRectF& box, std::optional<FigureFill> fill, std::optional<FigurePen> pen);
    void image(FigurePart part, const QRectF& box, const QImage& image);
    /// Draws a marker; `scale` is relative to its usual radius.
    void marker(FigurePart part, const QPointF& at, const MarkStyle& style, double scale = 1);
    /// Draws a translucent marker with an outline, whose area is that of a circle of this radius, and covers its place.
    void solidMarker(FigurePart part, const QPointF& at, const MarkStyle& style, double radius);

    TextItem text(const QPointF& at, const QString& text, TextSize size, TextAlign align, double angle = 0,
                  TextWeight weight = TextWeight::regular) const;
    void put(FigurePart part, const TextItem& text);  ///< never clipped
    /// Puts a text that slopes, which covers less than the box around it.
    void putAlong(FigurePart part, const TextItem& text);

    void cover(const QRectF& box) { m_covered.push_back(box); }
    void coverLine(const QRectF& box) { m_lines.push_back(box); }  ///< a box along a line
    bool covered(const QRectF& box) const;
    /// Returns whether a box is covered by anything but this line.
    bool coveredBeside(const QLineF& line, const QRectF& box) const;
    bool coveredByText(const QRectF& box) const;
    /// Returns whether a line to a text would go through another text.
    bool crossesText(const QLineF& line) const;
    void coverLeader(const QLineF& line);  ///< keeps later texts off a leader, which may slope
    bool coveredByLeader(const QRectF& box) const;
    /// Returns whether a text would be inside `within` and overlap no covered area.
    bool free(const TextItem& text, const QRectF& within) const;

    void fallShort(std::size_t panel, const QString& what);
    const FigureMeasure& measure() const { return m_measure; }
    DisplayList& list() { return m_list; }
    std::vector<LaidOutFigure::Shortfall>& shortfalls() { return m_shortfalls; }

private:
    DisplayItem& add(FigurePart part);

    FigureMeasure m_measure;
    DisplayList m_list;
    std::vector<QRectF> m_covered, m_lines, m_texts, m_leaders;
    std::vector<LaidOutFigure::Shortfall> m_shortfalls;
    std::optional<std::size_t> m_panel, m_mark, m_note;
    std::optional<ItemValue> m_value;
    std::optional<QRectF> m_clip;
    QString m_meaning;
};

}  // namespace ui
