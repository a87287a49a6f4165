#include "ui/timeline/timeline_view.h"

#include "ui/shared/format.h"
#include "ui/shared/view_state.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kLeastGutter = 8.6;  // lines: "reduce-scatter" in a row of its own
constexpr double kReach = 3;          // pixels to both sides in which a click still means a span
constexpr double kLeastLabel = 0.55;  // of a line: smaller blocks carry no words

Role roleOf(RowKind kind) {
    switch (kind) {
    case RowKind::waves:
    case RowKind::boundGemm: return Role::gemm;
    case RowKind::reduceScatter:
    case RowKind::collective:
    case RowKind::boundReduceScatter: return Role::reduceScatter;
    case RowKind::allGather:
    case RowKind::boundAllGather: return Role::allGather;
    case RowKind::dma: return Role::dma;
    case RowKind::link: return Role::link;
    case RowKind::dram: return Role::gemm;
    }
    return Role::neutral;
}

}  // namespace

TimelineView::TimelineView(ViewState& viewState, QWidget* parent)
    : QAbstractScrollArea(parent), m_viewState(viewState) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline of all GPUs"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(420, 220);
    connect(&m_viewState, &ViewState::rangeChanged, this, &TimelineView::rebuild);
    connect(&m_viewState, &ViewState::cursorChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&m_viewState, &ViewState::followedChunkChanged, viewport(), qOverload<>(&QWidget::update));
    relayout();
}

void TimelineView::showModel(TimelineModel model) {
    m_model = std::move(model);
    relayout();
}

void TimelineView::zoomBy(double factor) {
    const double x =
        m_viewState.cursor() ? m_geometry.xOf(*m_viewState.cursor()) : m_geometry.left + m_geometry.width / 2;
    m_viewState.setRange(m_geometry.zoomed(x, factor, m_viewState.runEnd()));
}

void TimelineView::panBy(double share) {
    m_viewState.setRange(m_geometry.panned(share * m_geometry.width, m_viewState.runEnd()));
}

void TimelineView::setExpanded(std::uint32_t gpu, bool expanded) {
    if (expanded) {
        m_expanded.insert(gpu);
    } else {
        m_expanded.erase(gpu);
    }
    relayout();
}

QRectF TimelineView::rowsArea() const {
    return {0, m_axisHeight, static_cast<double>(viewport()->width()),
            std::max(0.0, viewport()->height() - m_axisHeight - m_footHeight)};
}

// A GPU's name stands in its first row, whose own name must find room beside it.
double TimelineView::gutterWidth() const {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    double width = kLeastGutter * m_line;
    for (const Row& row : m_rows) {
        if (!row.opensGroup || row.compact || m_model.isBound())
            continue;
        const double name = QFontMetricsF(bold).horizontalAdvance(tr("GPU %1").arg(row.gpu));
        width = std::max(width, name + QFontMetricsF(font()).horizontalAdvance(row.label) + m_line * 2.6);
    }
    return width;
}

void TimelineView::relayout() {
    m_line = QFontMetricsF(font()).height();
    m_axisHeight = std::round(m_line * 2.9);
    m_footHeight = std::round(m_line * 2.9);
    m_rows = m_model.rows(m_expanded);
    m_layout = layoutRows(m_rows, rowsArea().height(), m_line);
    const int hidden = static_cast<int>(std::ceil(m_layout.height - rowsArea().height()));
    verticalScrollBar()->setRange(0, std::max(0, hidden));
    verticalScrollBar()->setPageStep(static_cast<int>(rowsArea().height()));
    verticalScrollBar()->setSingleStep(static_cast<int>(m_line));
    rebuild();
}

void TimelineView::rebuild() {
    m_geometry.range = m_viewState.range();
    m_geometry.pixel = 1.0 / devicePixelRatioF();
    m_geometry.left = std::round(gutterWidth());
    m_geometry.width = std::max(50.0, std::floor(viewport()->width() - m_geometry.left - m_line));
    m_ticks = timeTicks(m_geometry.range, static_cast<int>(m_geometry.width / (m_line * 6)));
    m_drawList = {};
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const std::size_t firstItem = m_drawList.items.size();
        buildRow(m_rows[i], m_layout.boxes[i]);
        labelChunks(firstItem, Role::reduceScatter);
        labelChunks(firstItem, Role::allGather);
        if (m_model.isBound())
            labelBound(m_rows[i], m_layout.boxes[i]);
        if (m_rows[i].kind == RowKind::waves && !m_rows[i].compact)
            labelWaves(m_rows[i], m_layout.boxes[i], firstItem);
    }
    buildPhases();
    buildTags();
    viewport()->update();
}

void TimelineView::buildRow(const Row& row, const RowBox& box) {
    std::vector<DrawItem>& items = m_drawList.items;
    const Band band{box.top, box.height, roleOf(row.kind)};
    if (m_model.isBound()) {
        const std::vector<engine::Span> whole{m_model.boundSpan(row.kind)};
        appendSpans(
            whole, m_geometry, band, [](const engine::Span&) { return engine::kNone; }, items);
        return;
    }
    const TraceIndex& index = *m_model.index();
    const TraceIndex::Gpu& gpu = index.gpu(row.gpu);
    const auto chunkOf = [&](const engine::Span& span) { return index.chunkOn(row.gpu, span.second); };
    const auto appendLane = [&](const PackedLane& lane, Role role) {
        const auto tracks = static_cast<double>(lane.tracks.size());
        const double height = std::floor(band.height / std::max(1.0, tracks));
        for (std::size_t i = 0; i < lane.tracks.size(); ++i) {
            const double gap = tracks > 1 ? 1 : 0;
            appendSpans(lane.tracks[i].spans(), m_geometry,
                        {band.top + static_cast<double>(i) * height, height - gap, role}, chunkOf, items);
        }
    };
    switch (row.kind) {
    case RowKind::waves:
        appendWaves(m_model.waves(row.gpu).spans, gpu.runningWorkgroups, gpu.mostWorkgroups, m_geometry, band, items);
        break;
    case RowKind::reduceScatter: appendLane(gpu.reduceScatter, Role::reduceScatter); break;
    case RowKind::allGather: appendLane(gpu.allGather, Role::allGather); break;
    case RowKind::collective:
        appendSpans(m_model.steps(row.gpu).spans, m_geometry, band, chunkOf, items);
        appendLane(gpu.allGather, Role::allGather);
        break;
    case RowKind::dma:
        appendUtilisation({{&gpu.dmaUnderWay, Role::dma}}, m_geometry, band, m_model.end(), items);
        break;
    case RowKind::link: appendUtilisation({{&gpu.link, Role::link}}, m_geometry, band, m_model.end(), items); break;
    case RowKind::dram:
        appendUtilisation({{&gpu.dramCompute, Role::gemm}, {&gpu.dramCommunication, Role::reduceScatter}}, m_geometry,
                          band, m_model.end(), items);
        break;
    case RowKind::boundGemm:
    case RowKind::boundReduceScatter:
    case RowKind::boundAllGather: break;
    }
}

bool TimelineView::placeLabel(const QRectF& box, const QString& text, Role role) {
    if (QFontMetricsF(font()).horizontalAdvance(text) + 6 > box.width())
        return false;
    m_drawList.labels.push_back({box, text, role});
    return true;
}

void TimelineView::labelChunks(std::size_t firstItem, Role role) {
    const QFontMetricsF metrics(font());
    std::vector<const DrawItem*> blocks;
    int roomy = 0;
    int narrow = 0;
    for (std::size_t i = firstItem; i < m_drawList.items.size(); ++i) {
        const DrawItem& item = m_drawList.items[i];
        if (item.role != role || item.chunk == engine::kNone || item.height < kLeastLabel * m_line)
            continue;
        blocks.push_back(&item);
        roomy += metrics.horizontalAdvance(tr("chunk %1").arg(item.chunk)) + 6 <= item.width ? 1 : 0;
        narrow += metrics.horizontalAdvance(QString::number(item.chunk)) + 6 > item.width ? 1 : 0;
    }
    // One form for all of a kind in a row, and none where most would miss theirs: a few numbers among many blocks only confuse.
    const auto count = static_cast<int>(blocks.size());
    if (narrow * 2 > count)
        return;
    const bool words = roomy * 5 >= count * 4;
    for (const DrawItem* item : blocks) {
        const QRectF box(item->x, item->y, item->width, item->height);
        const bool placed = words && placeLabel(box, tr("chunk %1").arg(item->chunk), item->role);
        if (!placed && !item->merged)
            placeLabel(box, QString::number(item->chunk), item->role);
    }
}

void TimelineView::labelBound(const Row& row, const RowBox& box) {
    const engine::Span span = m_model.boundSpan(row.kind);
    const auto [left, right] = visible(span);
    placeLabel({left, box.top, right - left, box.height}, formatTime((span.end - span.start).ps), roleOf(row.kind));
}

std::pair<double, double> TimelineView::visible(const engine::Span& span) const {
    return {std::max(m_geometry.left, m_geometry.xOf(span.start.ps)),
            std::min(m_geometry.left + m_geometry.width, m_geometry.xOf(span.end.ps))};
}

void TimelineView::labelWaves(const Row& row, const RowBox& box, std::size_t firstItem) {
    const double height = std::min(box.height, m_line * 1.3);
    const std::uint32_t firstWave = m_model.index()->gpu(row.gpu).firstWave;
    for (const engine::Span& wave : m_model.waves(row.gpu).spans) {
        auto [left, right] = visible(wave);
        // Only as far as the area carries the words: a GEMM's last wave runs out slowly.
        for (std::size_t i = firstItem; i < m_drawList.items.size(); ++i) {
            const DrawItem& item = m_drawList.items[i];
            if (item.first == wave.first && item.height < height * 0.85)
                right = std::min(right, item.x);
        }
        const QRectF place(left, box.bottom() - height, right - left, height);
        const std::uint32_t number = wave.first - firstWave + 1;
        if (!placeLabel(place, tr("wave %1").arg(number), Role::gemm))
            placeLabel(place, QString::number(number), Role::gemm);
    }
}

void TimelineView::buildPhases() {
    m_phaseItems.clear();
    const QFontMetricsF metrics(font());
    const double top = std::round(m_line * 1.55);
    const double height = std::round(m_line * 1.2);
    for (const Phase& phase : m_model.phases()) {
        const double left = std::max(m_geometry.left, m_geometry.columnOf(phase.start));
        const double right = std::min(m_geometry.left + m_geometry.width, m_geometry.columnOf(phase.end));
        if (right <= left)
            continue;
        QString text;
        for (const QString& candidate : {phase.label, phase.shortLabel}) {
            // Stripes must be seen beside the plate that the words stand on.
            const double room = phase.role == Role::overlapped ? m_line * 4 : 10;
            if (metrics.horizontalAdvance(candidate) + room > right - left)
                continue;
            text = candidate;
            break;
        }
        m_phaseItems.push_back({QRectF(left, top, right - left, height), phase.role, text});
    }
}

void TimelineView::buildTags() {
    m_tags.clear();
    const QFontMetricsF metrics(font());
    const double top = viewport()->height() - m_footHeight + std::round(m_line * 0.1);
    const std::vector<Marker>& markers = m_model.markers();
    double limit = m_geometry.left + m_geometry.width;  // where the tag on the right begins
    for (std::size_t i = markers.size(); i-- > 0;) {
        const double x = m_geometry.xOf(markers[i].ps);
        if (x < m_geometry.left || x > m_geometry.left + m_geometry.width + 1)
            continue;
        const double width = metrics.horizontalAdvance(markers[i].label) + 10;
        if (!m_tags.empty() && std::abs(m_tags.back().x - x) < 3) {
            // Two ends at one moment share a tag.
            m_tags.back().text = markers[i].label + QStringLiteral(" · ") + m_tags.back().text;
            m_tags.back().box.setLeft(m_tags.back().box.left() - width);
            limit = m_tags.back().box.left();
            continue;
        }
        // Left of its line, unless it would stand on the line before and there is room on the right.
        const double before = i > 0 ? m_geometry.xOf(markers[i - 1].ps) : 0;
        const bool crosses = x - width < before && before < x - 3;
        const bool right = crosses && x + width + 6 < limit;
        const double left = right ? x + 1 : std::min(x, limit - 6) - width;
        m_tags.push_back({x, QRectF(left, top, width, m_line * 1.15), markers[i].role, markers[i].label});
        limit = left;
    }
}

std::optional<TimelineView::Spot> TimelineView::spotAt(QPointF position) const {
    if (!rowsArea().contains(position) || position.x() < m_geometry.left)
        return std::nullopt;
    const double y = position.y() - m_axisHeight + verticalScrollBar()->value();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox& box = m_layout.boxes[i];
        if (y >= box.top && y < box.bottom())
            return Spot{i, (y - box.top) / box.height, m_geometry.timeAt(position.x())};
    }
    return std::nullopt;
}

void TimelineView::addOverlay(const TimelineOverlay& overlay) {
    m_overlays.push_back(&overlay);
    viewport()->update();
}

void TimelineView::removeOverlay(const TimelineOverlay& overlay) {
    std::erase(m_overlays, &overlay);
    viewport()->update();
}

TimelinePicture TimelineView::picture() const {
    TimelinePicture picture{
        m_geometry,
        {},
        rowsArea().adjusted(m_geometry.left, 0, m_geometry.left + m_geometry.width - viewport()->width(), 0),
        m_line,
        m_model,
        paletteOf(*this)};
    const double offset = m_axisHeight - verticalScrollBar()->value();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox& box = m_layout.boxes[i];
        picture.rows.push_back({m_rows[i], {m_geometry.left, box.top + offset, m_geometry.width, box.height}});
    }
    return picture;
}

std::optional<SpanRef> TimelineView::spanAt(QPointF position) const {
    const std::optional<Spot> spot = spotAt(position);
    if (!spot)
        return std::nullopt;
    const auto reach = static_cast<std::int64_t>(std::ceil(m_geometry.psPerPixel() / m_geometry.pixel * kReach));
    return spanUnder(m_model, m_rows[spot->row], spot->heightShare, spot->ps, reach);
}

std::optional<QRectF> TimelineView::boxOf(SpanRef span) const {
    const double offset = m_axisHeight - verticalScrollBar()->value();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const std::optional<ShownSpan> shown = shownIn(m_model, m_rows[i], span);
        if (!shown)
            continue;
        const RowBox& box = m_layout.boxes[i];
        const double left = m_geometry.columnOf(shown->span.start.ps);
        const double right = std::max(left + m_geometry.pixel, m_geometry.xOf(shown->span.end.ps));
        return QRectF(QPointF(left, box.top + offset + shown->top * box.height),
                      QPointF(right, box.top + offset + shown->bottom * box.height));
    }
    return std::nullopt;
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void TimelineView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        relayout();
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

}  // namespace ui
