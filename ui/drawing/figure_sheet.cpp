#include "ui/drawing/figure_sheet.h"

#include "data/figure/figure_size.h"
#include "ui/drawing/figure_text.h"

#include <QTransform>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui {

namespace {

// Returns the factor for pens and textures: those of dark slides are made for text of 18 points, those of the other
// themes for 7.
double scaleOf(const FigureMeasure& measure) { return measure.textSize / (measure.ground.isSlide() ? 18 : 7); }

bool meets(const std::vector<QRectF>& boxes, const QRectF& box) {
    return std::any_of(boxes.begin(), boxes.end(), [&box](const QRectF& other) { return other.intersects(box); });
}

/// Returns small boxes along a line.
std::vector<QRectF> boxesAlong(const QLineF& line) {
    constexpr double kSide = 0.8;  // points
    const int count = 1 + static_cast<int>(line.length() / kSide);
    std::vector<QRectF> boxes;
    for (int i = 0; i <= count; ++i)
        boxes.emplace_back(line.pointAt(static_cast<double>(i) / count) - QPointF(kSide, kSide) / 2,
                           QSizeF(kSide, kSide));
    return boxes;
}

constexpr double kArm = 0.38;  // thickness of the arms of cross and plus, relative to their size

QPolygonF cornersOf(Marker shape) {
    switch (shape) {
    case Marker::none:
    case Marker::circle: break;
    case Marker::square: return QPolygonF{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    case Marker::triangle: return QPolygonF{{0, -1}, {0.95, 0.75}, {-0.95, 0.75}};
    case Marker::diamond: return QPolygonF{{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    case Marker::cross:
        return QPolygonF{{-1 + kArm, -1}, {0, -kArm}, {1 - kArm, -1}, {1, -1 + kArm}, {kArm, 0},  {1, 1 - kArm},
                         {1 - kArm, 1},   {0, kArm},  {-1 + kArm, 1}, {-1, 1 - kArm}, {-kArm, 0}, {-1, -1 + kArm}};
    case Marker::plus:
        return QPolygonF{{-kArm, -1}, {kArm, -1}, {kArm, -kArm}, {1, -kArm}, {1, kArm},   {kArm, kArm},
                         {kArm, 1},   {-kArm, 1}, {-kArm, kArm}, {-1, kArm}, {-1, -kArm}, {-kArm, -kArm}};
    }
    return {};
}

double areaOf(const QPolygonF& polygon) {
    double twice = 0;
    for (qsizetype i = 0; i < polygon.size(); ++i) {
        const QPointF& from = polygon[i];
        const QPointF& to = polygon[(i + 1) % polygon.size()];
        twice += from.x() * to.y() - to.x() * from.y();
    }
    return std::abs(twice) / 2;
}

}  // namespace

FigureMeasure measureOf(const data::FigureSpec& figure) {
    return {.textSize = {data::presetOf(figure.size).textSize, figure.font}, .ground = figure.theme};
}

FigurePen FigureMeasure::pen(FigurePen pen) const {
    const double scale = scaleOf(*this);
    pen.width *= scale;
    for (double& length : pen.dash)
        length *= scale;
    if (screen)
        pen.width = std::max(1.0, pen.width);
    return pen;
}

MarkStyle FigureMeasure::style(std::string_view meaning) const {
    MarkStyle style = styleOf(meaning, ground);
    style.fill.spacing *= scaleOf(*this);
    style.fill.lineWidth *= scaleOf(*this);
    style.outline = pen(style.outline);
    style.line = pen(style.line);
    if (screen && screen->solid)
        style.line.dash.clear();
    return style;
}

void FigureSheet::at(std::optional<std::size_t> panel, std::optional<std::size_t> mark) {
    m_panel = panel;
    m_mark = mark;
    m_value.reset();
    m_meaning.clear();
    m_clip.reset();
}

DisplayItem& FigureSheet::add(FigurePart part) {
    DisplayItem& item = m_list.items.emplace_back();
    item.part = part;
    item.panel = m_panel;
    item.mark = m_mark;
    item.value = m_value;
    item.meaning = m_meaning;
    item.clip = m_clip;
    item.note = m_note;
    return item;
}

void FigureSheet::rect(FigurePart part, const QRectF& box, std::optional<FigureFill> fill,
                       std::optional<FigurePen> pen) {
    add(part).shape = RectItem{box, std::move(fill), std::move(pen)};
}

void FigureSheet::line(FigurePart part, const QPolygonF& points, const FigurePen& pen) {
    add(part).shape = PolylineItem{points, pen};
}

void FigureSheet::line(FigurePart part, const QPointF& from, const QPointF& to, const FigurePen& pen) {
    QPolygonF ends{from, to};
    // Lines of the screen's grid and axes are on whole pixels.
    for (QPointF& end : ends) {
        if (m_measure.screen && part != FigurePart::mark && from.x() == to.x())
            end.setX(std::floor(end.x()) + 0.5);
        if (m_measure.screen && part != FigurePart::mark && from.y() == to.y())
            end.setY(std::floor(end.y()) + 0.5);
    }
    line(part, ends, pen);
}

void FigureSheet::polygon(FigurePart part, const QPolygonF& points, std::optional<FigureFill> fill,
                          std::optional<FigurePen> pen) {
    add(part).shape = PolygonItem{points, std::move(fill), std::move(pen)};
}

void FigureSheet::ellipse(FigurePart part, const QRectF& box, std::optional<FigureFill> fill,
                          std::optional<FigurePen> pen) {
    add(part).shape = EllipseItem{box, std::move(fill), std::move(pen)};
}

void FigureSheet::image(FigurePart part, const QRectF& box, const QImage& image) {
    add(part).shape = ImageItem{box, image};
}

void FigureSheet::marker(FigurePart part, const QPointF& at, const MarkStyle& style, double scale) {
    const double r = m_measure.of(1.6) * scale;
    const FigureFill fill{.colour = style.line.colour};
    const FigurePen rim{m_measure.colours().background, m_measure.of(0.3), {}};
    const FigurePen stroke{style.line.colour, m_measure.of(0.9), {}};
    switch (style.marker) {
    case Marker::none: return;
    case Marker::circle: return ellipse(part, QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r), fill, rim);
    case Marker::square: return rect(part, QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r), fill, rim);
    case Marker::triangle:
        return polygon(part, {at + QPointF(0, -1.3 * r), at + QPointF(1.2 * r, r), at + QPointF(-1.2 * r, r)}, fill,
                       rim);
    case Marker::diamond: {
        const double d = 1.35 * r;
        return polygon(part, {at + QPointF(0, -d), at + QPointF(d, 0), at + QPointF(0, d), at + QPointF(-d, 0)}, fill,
                       rim);
    }
    case Marker::cross:
        line(part, at + QPointF(-r, -r), at + QPointF(r, r), stroke);
        return line(part, at + QPointF(-r, r), at + QPointF(r, -r), stroke);
    case Marker::plus:
        line(part, at + QPointF(-1.2 * r, 0), at + QPointF(1.2 * r, 0), stroke);
        return line(part, at + QPointF(0, -1.2 * r), at + QPointF(0, 1.2 * r), stroke);
    }
}

void FigureSheet::solidMarker(FigurePart part, const QPointF& at, const MarkStyle& style, double radius) {
    constexpr int kAlpha = 190;  // markers behind others are visible
    FigureFill fill{.colour = style.line.colour};
    fill.colour.setAlpha(kAlpha);
    const FigurePen rim{m_measure.colours().ink, m_measure.of(0.5), {}};
    const QPolygonF corners = cornersOf(style.marker);
    if (corners.isEmpty()) {
        const QRectF box(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius);
        const double corner = radius * 0.15;  // a text may be in the corner of a circle's box
        cover(box.adjusted(corner, corner, -corner, -corner));
        return ellipse(part, box, fill, rim);
    }
    const double scale = radius * std::sqrt(std::numbers::pi / areaOf(corners));
    const QPolygonF shape = QTransform(scale, 0, 0, scale, at.x(), at.y()).map(corners);
    cover(shape.boundingRect());
    polygon(part, shape, fill, rim);
}

TextItem FigureSheet::text(const QPointF& at, const QString& text, TextSize size, TextAlign align, double angle,
                           TextWeight weight) const {
    return {at, text, size, weight, align, angle, m_measure.colours().ink, textWidth(text, size, weight)};
}

void FigureSheet::put(FigurePart part, const TextItem& text) {
    if (text.text.isEmpty())
        return;
    DisplayItem& item = add(part);
    item.shape = text;
    item.clip.reset();
    cover(text.box());
    m_texts.push_back(text.box());
}

void FigureSheet::putAlong(FigurePart part, const TextItem& text) {
    DisplayItem& item = add(part);
    item.shape = text;
    item.clip.reset();
    const QLineF line = QLineF::fromPolar(text.width, -text.angle).translated(text.at);
    const double cap = capHeightOf(text.size);
    const QPointF over = QPointF(line.dy(), -line.dx()) / line.length() * (cap / 2);
    for (double at = 0; at <= text.width; at += cap / 2) {
        m_texts.emplace_back(line.pointAt(at / text.width) + over - QPointF(cap, cap) / 2, QSizeF(cap, cap));
        cover(m_texts.back());
    }
}

bool FigureSheet::covered(const QRectF& box) const { return meets(m_covered, box) || meets(m_lines, box); }
bool FigureSheet::coveredBeside(const QLineF& line, const QRectF& box) const {
    return meets(m_covered, box) || std::ranges::any_of(m_lines, [&](const QRectF& other) {
               const QPointF away = other.center() - line.p1();
               const double distance = std::abs(away.x() * line.dy() - away.y() * line.dx()) / line.length();
               return other.intersects(box) && distance > 1e-3;
           });
}

bool FigureSheet::coveredByText(const QRectF& box) const { return meets(m_texts, box); }

bool FigureSheet::crossesText(const QLineF& line) const {
    return std::ranges::any_of(boxesAlong(line), [&](const QRectF& box) { return coveredByText(box); });
}

void FigureSheet::coverLeader(const QLineF& line) {
    for (const QRectF& box : boxesAlong(line)) {
        coverLine(box);
        m_leaders.push_back(box);
    }
}

bool FigureSheet::coveredByLeader(const QRectF& box) const { return meets(m_leaders, box); }

bool FigureSheet::free(const TextItem& text, const QRectF& within) const {
    return within.contains(text.box()) && !covered(text.box());
}

void FigureSheet::fallShort(std::size_t panel, const QString& what) { m_shortfalls.push_back({panel, what}); }

}  // namespace ui
