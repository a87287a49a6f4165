#include "ui/timeline/minimap.h"

#include "ui/look/kernel_style.h"
#include "ui/look/palette.h"
#include "ui/look/partial_paint.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/row_items.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kHeight = 1.7;  // lines of text
constexpr double kGapSpacing = 4;
constexpr double kEdgeGrip = 5;  // pixels on both sides of an edge in which a press grips the edge

}  // namespace

Minimap::Minimap(ViewState& viewState, QWidget* parent) : QWidget(parent), m_viewState(viewState) {
    setNames(*this, QStringLiteral("minimap"), tr("Overview of the whole run"));
    setToolTip(
        tr("The whole run. Drag the window or its edges to choose the visible range; double-click to show the whole "
           "run."));
    setMouseTracking(true);
    connect(&m_viewState, &ViewState::runEndChanged, this, &Minimap::build);
    connect(&m_viewState, &ViewState::rangeChanged, this, &Minimap::redraw);
    connect(&m_viewState, &ViewState::cursorChanged, this, [this] {
        update(damageOf(m_paintedCursor));
        update(damageOf(cursorBox()));
    });
    onEvents(*this, {QEvent::Resize}, [this] { build(); });
    onEvents(*this, {QEvent::PaletteChange}, [this] { redraw(); });
}

QSize Minimap::sizeHint() const { return {200, static_cast<int>(std::round(fontMetrics().height() * kHeight))}; }

void Minimap::showModel(const TimelineModel& model) {
    m_model = &model;
    build();
}

void Minimap::setExtent(double left, double width) {
    if (left == m_left && width == m_width)
        return;
    m_left = left;
    m_width = width;
    build();
}

// Paints plain colours, because textures would not be visible at this height.
void Minimap::paintArea(QPainter& painter, const DrawArea& area, const Palette& colors) const {
    const double pixel = 1.0 / devicePixelRatioF();
    for (std::size_t i = 0; i < area.layers.size(); ++i) {
        const DrawArea::Layer& layer = area.layers[i];
        const QColor color = layer.kernel ? fillOf(*layer.kernel, colors).color : colors.of(layer.role);
        for (std::size_t column = 0; column < layer.tops.size(); ++column) {
            const int below = i == 0 ? 0 : area.layers[i - 1].tops[column];
            const double x = static_cast<double>(area.firstColumn + static_cast<std::int64_t>(column)) * pixel;
            painter.fillRect(QRectF(x, area.top + area.height - layer.tops[column] * pixel, pixel,
                                    (layer.tops[column] - below) * pixel),
                             color);
        }
    }
}

TimelineGeometry Minimap::geometry() const {
    return {{0, m_viewState.runEnd()}, m_left, m_width, 1.0 / devicePixelRatioF()};
}

QRectF Minimap::mapBox() const { return QRectF(m_left, 3, m_width, std::max(4, height() - 5)); }

QRectF Minimap::windowBox() const {
    const TimelineGeometry whole = geometry();
    const data::TimeRange range = m_viewState.range();
    const QRectF map = mapBox();
    const double left = whole.xOf(range.start);
    // The window is wide enough to be seen and dragged, however short the visible range is.
    return QRectF(left, map.top(), std::max(6.0, whole.xOf(range.end) - left), map.height());
}

// Collects GPU 0's compute and, below it, its collectives, or the parts of a bound. This is enough for orientation.
void Minimap::build() {
    m_list = {};
    if (m_model != nullptr && m_model->hasRun() && m_width > 1) {
        const TimelineGeometry whole = geometry();
        const PixelColumns columns(whole, 0, m_model->end());
        const QRectF map = mapBox();
        const double half = std::floor(map.height() * 0.55);
        const auto append = [&](RowKind kind, bool above) {
            const RowBox box = above ? RowBox{map.top(), half} : RowBox{map.top() + half, map.height() - half};
            appendRow(*m_model, {kind, 0, above, true, {}}, box, whole, columns, m_list);
        };
        append(m_model->isBound() ? RowKind::boundGemm : RowKind::waves, true);
        append(m_model->isBound() ? RowKind::boundReduceScatter : RowKind::collective, false);
        if (m_model->isBound())
            append(RowKind::boundAllGather, false);
        else if (!m_model->has({0, RowKind::collective}) && m_model->has({0, RowKind::companion}))
            append(RowKind::companion, false);
    }
    redraw();
}

void Minimap::redraw() {
    m_drawn = {};
    update();
}

QRectF Minimap::cursorBox() const {
    if (!m_viewState.cursor())
        return {};
    const QRectF map = mapBox();
    return {std::floor(geometry().xOf(*m_viewState.cursor())) - 0.5, map.top(), 2, map.height()};
}

// Draws the image over which the cursor moves.
void Minimap::draw() {
    const double ratio = devicePixelRatioF();
    m_drawn = QImage(size() * ratio, QImage::Format_RGB32);
    m_drawn.setDevicePixelRatio(ratio);
    const Palette& colors = paletteOf(*this);
    m_drawn.fill(colors.surface);
    QPainter painter(&m_drawn);
    const QRectF map = mapBox();
    painter.fillRect(map, colors.stripe);
    for (const DrawArea& area : m_list.areas)
        paintArea(painter, area, colors);
    for (const DrawItem& item : m_list.items)
        painter.fillRect(QRectF(item.x, item.y, item.width, item.height),
                         item.kernel   ? fillOf(*item.kernel, colors, item.shaded).color
                         : item.shaded ? colors.shaded(item.role)
                                       : colors.of(item.role));
    for (const DrawGap& gap : m_list.gaps)
        paintFill(painter, gap.box(), emptySlotFill(colors), kGapSpacing);
    const QRectF window = windowBox();
    const QColor dimming = Palette::seeThrough(colors.surface, 165);
    painter.fillRect(QRectF(map.left(), map.top(), window.left() - map.left(), map.height()), dimming);
    painter.fillRect(QRectF(window.right(), map.top(), map.right() - window.right(), map.height()), dimming);
}

void Minimap::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    if (m_model == nullptr || !m_model->hasRun()) {
        painter.fillRect(rect(), colors.surface);
        return;
    }
    if (m_drawn.size() != size() * devicePixelRatioF())
        draw();
    copyPixels(painter, {}, m_drawn, pixelsOf(event->rect(), devicePixelRatioF()));
    m_paintedCursor = cursorBox();
    painter.fillRect(m_paintedCursor, colors.cursor);
    const QRectF window = windowBox();
    painter.setPen(QPen(m_viewState.showsAll() ? colors.line : colors.accent, m_viewState.showsAll() ? 1 : 2));
    painter.drawRect(window.adjusted(0, 0, -1, 0));
    painter.setPen(colors.inkSoft);
    painter.drawText(QRectF(0, mapBox().top(), m_left - fontMetrics().height() * 0.5, mapBox().height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("whole run"));
}

Minimap::Grip Minimap::gripAt(QPointF position) const {
    const QRectF window = windowBox();
    if (position.x() < m_left - kEdgeGrip || position.x() > m_left + m_width + kEdgeGrip)
        return Grip::none;
    // In a small window the edges reach less far inwards, so that there is room between them to drag the window.
    const double inside = std::min(kEdgeGrip, window.width() / 4);
    if (position.x() > window.left() - kEdgeGrip && position.x() < window.left() + inside)
        return Grip::start;
    if (position.x() > window.right() - inside && position.x() < window.right() + kEdgeGrip)
        return Grip::end;
    return Grip::whole;
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_grip = gripAt(event->position());
    const std::int64_t at = geometry().timeAt(event->position().x());
    const data::TimeRange range = m_viewState.range();
    const bool beside = at < range.start || at > range.end;
    if (m_grip == Grip::whole && beside) {
        const std::int64_t start = at - range.span() / 2;
        m_viewState.setRange({start, start + range.span()});
    }
    m_pressedAt = at - m_viewState.range().start;
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    const std::int64_t at = geometry().timeAt(event->position().x());
    const data::TimeRange range = m_viewState.range();
    switch (m_grip) {
    case Grip::start: m_viewState.setRange({std::min(at, range.end - ViewState::kShortestRange), range.end}); break;
    case Grip::end: m_viewState.setRange({range.start, std::max(at, range.start + ViewState::kShortestRange)}); break;
    case Grip::whole: m_viewState.setRange({at - m_pressedAt, at - m_pressedAt + range.span()}); break;
    case Grip::none: {
        const Grip over = gripAt(event->position());
        setCursor(over == Grip::start || over == Grip::end ? Qt::SizeHorCursor
                  : over == Grip::whole                    ? Qt::OpenHandCursor
                                                           : Qt::ArrowCursor);
        break;
    }
    }
}

void Minimap::mouseReleaseEvent(QMouseEvent*) { m_grip = Grip::none; }

void Minimap::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        m_viewState.showAll();
}

void Minimap::wheelEvent(QWheelEvent* event) {
    // Zooms around the middle of the window, because the pointer need not be on it.
    const data::TimeRange range = m_viewState.range();
    const double factor = std::pow(1.2, event->angleDelta().y() / 120.0);
    const auto span = static_cast<std::int64_t>(static_cast<double>(range.span()) / factor);
    const std::int64_t start = range.start + (range.span() - span) / 2;
    m_viewState.setRange({start, start + span});
    event->accept();
}

}  // namespace ui
