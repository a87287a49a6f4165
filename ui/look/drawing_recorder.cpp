#include "ui/look/drawing_recorder.h"

#include <QFontInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QScreen>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace ui {
namespace {

constexpr int kMostPixels = 96;  // along an image's longer side, to limit the number of shapes

data::DrawingColour colourOf(const QColor& colour, double opacity) {
    QColor seen = colour.toRgb();
    seen.setAlphaF(static_cast<float>(seen.alphaF() * opacity));
    return seen.rgba();
}

QColor colourOf(const QBrush& brush) {
    const QGradient* gradient = brush.gradient();
    if (gradient == nullptr || gradient->stops().isEmpty())
        return brush.color();
    return gradient->stops()[gradient->stops().size() / 2].second;
}

/// Returns the part of a line inside a box, by clipping the range of the line's parameter; nullopt if the line is
/// outside.
std::optional<QLineF> within(const QLineF& line, const QRectF& box) {
    double from = 0;
    double to = 1;
    const auto cut = [&](double start, double step, double least, double most) {
        if (step == 0)
            return start >= least && start <= most;
        const double a = (least - start) / step;
        const double b = (most - start) / step;
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
        return from <= to;
    };
    if (!cut(line.x1(), line.dx(), box.left(), box.right()) || !cut(line.y1(), line.dy(), box.top(), box.bottom()))
        return std::nullopt;
    return QLineF(line.pointAt(from), line.pointAt(to));
}

/// Returns the parts of a polyline that are inside a box.
std::vector<QPolygonF> within(const QPolygonF& line, const QRectF& box) {
    std::vector<QPolygonF> parts;
    bool joined = false;
    for (qsizetype i = 1; i < line.size(); ++i) {
        const QLineF whole(line[i - 1], line[i]);
        const std::optional<QLineF> part = within(whole, box);
        if (!part) {
            joined = false;
            continue;
        }
        if (!joined || parts.back().back() != part->p1())
            parts.push_back({part->p1()});
        parts.back() << part->p2();
        joined = part->p2() == whole.p2();
    }
    return parts;
}

/// Returns whether a box contains another one. Unlike QRectF::contains() it works for boxes without width or height,
/// such as those of lines.
bool holds(const QRectF& box, const QRectF& extent) {
    return extent.left() >= box.left() && extent.right() <= box.right() && extent.top() >= box.top() &&
           extent.bottom() <= box.bottom();
}

data::DrawingText::Weight weightOf(const QFont& font) {
    return font.weight() >= QFont::Bold       ? data::DrawingText::Weight::bold
           : font.weight() >= QFont::DemiBold ? data::DrawingText::Weight::semiBold
                                              : data::DrawingText::Weight::regular;
}

}  // namespace

class DrawingRecorder::Engine final : public QPaintEngine {
public:
    explicit Engine(QSizeF size)
        : QPaintEngine(AllFeatures), m_scale(pointsPerDot()), m_page(QPointF(), size * m_scale) {
        m_drawing.width = m_page.width();
        m_drawing.height = m_page.height();
    }

    const data::DrawingMark& drawing() const { return m_drawing; }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}  // drawing functions ask the painter for its state
    Type type() const override { return User; }

    void drawPath(const QPainterPath& path) override {
        fill(path);
        stroke(path);
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        QPolygonF polygon(QList<QPointF>(points, points + count));
        QPainterPath path;
        if (mode != PolylineMode) {
            polygon << polygon.front();
            path.addPolygon(polygon);
            return drawPath(path);
        }
        path.addPolygon(polygon);
        stroke(path);
    }
    void drawPolygon(const QPoint* points, int count, PolygonDrawMode mode) override {
        const QList<QPointF> exact(points, points + count);
        drawPolygon(exact.data(), count, mode);
    }
    void drawRects(const QRectF* rects, int count) override {
        for (int i = 0; i < count; ++i) {
            QPainterPath path;
            path.addRect(rects[i]);
            drawPath(path);
        }
    }
    void drawRects(const QRect* rects, int count) override {
        for (int i = 0; i < count; ++i) {
            const QRectF exact(rects[i]);
            drawRects(&exact, 1);
        }
    }
    void drawLines(const QLineF* lines, int count) override {
        for (int i = 0; i < count; ++i) {
            QPainterPath path(lines[i].p1());
            path.lineTo(lines[i].p2());
            stroke(path);
        }
    }
    void drawLines(const QLine* lines, int count) override {
        for (int i = 0; i < count; ++i) {
            const QLineF exact(lines[i]);
            drawLines(&exact, 1);
        }
    }
    void drawPoints(const QPointF* points, int count) override {
        for (int i = 0; i < count; ++i) {
            const QLineF line(points[i], points[i] + QPointF(0.01, 0));
            drawLines(&line, 1);
        }
    }
    void drawPoints(const QPoint* points, int count) override {
        const QList<QPointF> exact(points, points + count);
        drawPoints(exact.data(), count);
    }

    void drawTextItem(const QPointF& at, const QTextItem& item) override;
    void drawPixmap(const QRectF& box, const QPixmap& pixmap, const QRectF& source) override {
        drawImage(box, pixmap.toImage(), source, Qt::AutoColor);
    }
    void drawTiledPixmap(const QRectF& box, const QPixmap&, const QPointF&) override { drawRects(&box, 1); }
    void drawImage(const QRectF& box, const QImage& image, const QRectF& source, Qt::ImageConversionFlags) override;

private:
    QTransform toPage() const { return painter()->combinedTransform() * QTransform::fromScale(m_scale, m_scale); }
    QPainterPath clip() const { return toPage().map(painter()->clipPath()); }
    QRectF clipBox() const { return painter()->hasClipping() ? clip().boundingRect() & m_page : m_page; }
    void fill(const QPainterPath& path);
    void stroke(const QPainterPath& path);
    void add(const QPolygonF& points, bool closed, std::optional<data::DrawingColour> fill,
             std::optional<data::DrawingPen> pen);
    data::DrawingPen penOnPage() const;

    double m_scale;
    QRectF m_page;
    data::DrawingMark m_drawing;
};

void DrawingRecorder::Engine::add(const QPolygonF& points, bool closed, std::optional<data::DrawingColour> fill,
                                  std::optional<data::DrawingPen> pen) {
    data::DrawingShape shape;
    const bool repeats = closed && points.size() > 1 && points.front() == points.back();
    for (qsizetype i = 0; i < points.size() - (repeats ? 1 : 0); ++i)
        shape.points.emplace_back(points[i].x(), points[i].y());
    shape.closed = closed;
    shape.fill = fill;
    shape.pen = std::move(pen);
    m_drawing.items.emplace_back(std::move(shape));
}

void DrawingRecorder::Engine::fill(const QPainterPath& path) {
    const QBrush& brush = painter()->brush();
    const data::DrawingColour colour = colourOf(colourOf(brush), painter()->opacity());
    if (brush.style() == Qt::NoBrush || qAlpha(colour) == 0)
        return;
    QPainterPath onPage = toPage().map(path);
    // Intersecting paths is expensive, and few shapes of a view extend over an edge.
    if (painter()->hasClipping()) {
        if (const QPainterPath cut = clip(); !cut.contains(onPage.boundingRect()))
            onPage = onPage.intersected(cut);
    }
    if (!holds(m_page, onPage.boundingRect())) {
        QPainterPath edge;
        edge.addRect(m_page);
        onPage = onPage.intersected(edge);
    }
    for (const QPolygonF& polygon : onPage.toFillPolygons()) {
        const QRectF extent = polygon.boundingRect();
        if (polygon.size() > 2 && extent.width() > 1e-6 && extent.height() > 1e-6)
            add(polygon, true, colour, std::nullopt);
    }
}

data::DrawingPen DrawingRecorder::Engine::penOnPage() const {
    const QPen& pen = painter()->pen();
    const double zoom = pen.isCosmetic() ? 1 : std::sqrt(std::abs(painter()->combinedTransform().determinant()));
    data::DrawingPen result;
    result.width = (pen.widthF() > 0 ? pen.widthF() : 1) * zoom * m_scale;
    result.colour = colourOf(colourOf(pen.brush()), painter()->opacity());
    if (pen.style() != Qt::SolidLine) {
        for (const double length : pen.dashPattern())
            result.dash.push_back(length * result.width);
    }
    return result;
}

void DrawingRecorder::Engine::stroke(const QPainterPath& path) {
    if (painter()->pen().style() == Qt::NoPen)
        return;
    const data::DrawingPen pen = penOnPage();
    const QRectF box = clipBox();
    if (qAlpha(pen.colour) == 0 || box.isEmpty())
        return;
    for (const QPolygonF& line : path.toSubpathPolygons(toPage())) {
        if (line.size() < 2)
            continue;
        if (holds(box, line.boundingRect())) {
            add(line, line.size() > 3 && line.isClosed(), std::nullopt, pen);
            continue;
        }
        for (const QPolygonF& part : within(line, box))
            add(part, false, std::nullopt, pen);
    }
}

// Draws a text if its middle is visible: half a word would be worse than none, and a clip hardly ever cuts a word.
void DrawingRecorder::Engine::drawTextItem(const QPointF& at, const QTextItem& item) {
    const QString shown = item.text();
    const data::DrawingColour colour = colourOf(painter()->pen().color(), painter()->opacity());
    if (shown.trimmed().isEmpty() || qAlpha(colour) == 0)
        return;
    const QTransform page = toPage();
    const QPointF middle = page.map(at + QPointF(item.width() / 2, -item.ascent() / 3));
    if (!m_page.contains(middle) || (painter()->hasClipping() && !clip().contains(middle)))
        return;
    const QFont font = item.font();
    const double points = font.pointSizeF() > 0 ? font.pointSizeF() : font.pixelSize() * m_scale;
    const QTransform& turn = painter()->combinedTransform();
    data::DrawingText text;
    const QPointF start = page.map(at);
    text.x = start.x();
    text.y = start.y();
    text.text = shown.toStdString();
    text.size = points * std::sqrt(std::abs(turn.determinant()));
    text.weight = weightOf(font);
    text.colour = colour;
    text.angle = std::atan2(turn.m12(), turn.m11()) * 180 / std::numbers::pi;
    m_drawing.items.emplace_back(std::move(text));
}

// Draws an image as rectangles. Neighbouring pixels of a row that are equal become one rectangle.
void DrawingRecorder::Engine::drawImage(const QRectF& box, const QImage& whole, const QRectF& source,
                                        Qt::ImageConversionFlags) {
    QImage image = whole.copy(source.toAlignedRect()).convertToFormat(QImage::Format_ARGB32);
    if (image.isNull() || box.isEmpty())
        return;
    if (std::max(image.width(), image.height()) > kMostPixels)
        image = image.scaled(kMostPixels, kMostPixels, Qt::KeepAspectRatio);
    const double width = box.width() / image.width();
    const double height = box.height() / image.height();
    painter()->save();
    painter()->setPen(Qt::NoPen);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0, end = 0; x < image.width(); x = end) {
            const QRgb pixel = image.pixel(x, y);
            for (end = x + 1; end < image.width() && image.pixel(end, y) == pixel; ++end) {}
            painter()->setBrush(QColor::fromRgba(pixel));
            const QRectF run(box.left() + x * width, box.top() + y * height, (end - x) * width, height);
            drawRects(&run, 1);
        }
    }
    painter()->restore();
}

DrawingRecorder::DrawingRecorder(QSizeF size) : m_size(size), m_engine(std::make_unique<Engine>(size)) {}

DrawingRecorder::~DrawingRecorder() = default;

double DrawingRecorder::dotsPerInch() {
    const QScreen* screen = QGuiApplication::primaryScreen();
    return screen != nullptr ? std::round(screen->logicalDotsPerInchY()) : 96;
}

const data::DrawingMark& DrawingRecorder::drawing() const { return m_engine->drawing(); }

QPaintEngine* DrawingRecorder::paintEngine() const { return m_engine.get(); }

int DrawingRecorder::metric(PaintDeviceMetric metric) const {
    const auto rounded = [](double value) { return static_cast<int>(std::lround(value)); };
    switch (metric) {
    case PdmWidth: return rounded(m_size.width());
    case PdmHeight: return rounded(m_size.height());
    case PdmWidthMM: return rounded(m_size.width() / dotsPerInch() * 25.4);
    case PdmHeightMM: return rounded(m_size.height() / dotsPerInch() * 25.4);
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY: return rounded(dotsPerInch());
    case PdmDevicePixelRatio: return 1;
    case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
    default: return QPaintDevice::metric(metric);
    }
}

data::DrawingMark recordedDrawing(QSizeF size, const QFont& font, const std::function<void(QPainter&)>& paint) {
    DrawingRecorder recorder(size);
    QPainter painter(&recorder);
    painter.setFont(font);
    paint(painter);
    painter.end();
    return recorder.drawing();
}

}  // namespace ui
