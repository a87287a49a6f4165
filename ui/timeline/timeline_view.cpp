#include "ui/timeline/timeline_view.h"

#include "ui/shared/view_state.h"
#include "ui/timeline/minimap.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/row_labels.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QFocusEvent>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kLeastGutter = 8.6;                     // lines: "reduce-scatter" in a row of its own
constexpr std::array kDenseWeights{1.8, 1.4, 1.1, 0.9};  // lines
constexpr std::size_t kEnoughLanes = 3;
constexpr double kAxis = 2.9;  // lines: times and phases
constexpr double kLeastLanes = 2.5;
constexpr double kReach = 3;  // pixels to both sides in which a click still means a span

std::int64_t nowMs() {
    static const QElapsedTimer kClock = [] {
        QElapsedTimer clock;
        clock.start();
        return clock;
    }();
    return kClock.elapsed();
}

}  // namespace

TimelineView::TimelineView(ViewState& viewState, QWidget* parent)
    : QAbstractScrollArea(parent), m_viewState(viewState), m_minimap(new Minimap(viewState, this)) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline of all GPUs"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(leastSize());
    m_history.restart(m_viewState.range());
    connect(&m_viewState, &ViewState::rangeChanged, this, [this] {
        m_history.record(m_viewState.range(), nowMs());
        placeRange();
    });
    connect(&m_viewState, &ViewState::cursorChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&m_viewState, &ViewState::followedChunkChanged, this, [this] {
        m_imagesStale = true;
        viewport()->update();
    });
    connect(&m_viewState, &ViewState::selectionChanged, this, &TimelineView::speakSelection);
    relayout();
}

// Names, times, phases and legend, and a lane; the rest can be scrolled to.
QSize TimelineView::leastSize() const {
    const double line = QFontMetricsF(font()).height();
    const double lanes = m_dense ? 0 : kLeastLanes;
    const int above = m_dense ? 0 : m_minimap->sizeHint().height();
    return {static_cast<int>(line * (m_dense ? 19 : 25)),
            above + static_cast<int>(std::ceil(line * (kAxis * (m_dense ? 1 : 2) + lanes)))};
}

void TimelineView::setDense(bool dense) {
    m_dense = dense;
    m_minimap->setVisible(!dense);
    setMinimumSize(leastSize());
    relayout();
}

void TimelineView::showModel(TimelineModel model) {
    const std::int64_t before = m_model.end();
    m_model = std::move(model);
    if (m_model.end() != before && m_viewState.showsAll())
        m_history.restart(m_viewState.range());
    relayout();
    m_minimap->showModel(m_model);
}

const DrawList& TimelineView::drawList() {
    build();
    return m_scrolled.list;
}

QRectF TimelineView::rowsArea() const {
    return {0, m_axisHeight, static_cast<double>(viewport()->width()),
            std::max(0.0, viewport()->height() - m_axisHeight - m_footHeight)};
}

// A GPU's name stands in its first row, whose own name must find room beside it.
double TimelineView::ownGutter() const {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    double width = kLeastGutter * m_line;
    for (const Row& row : m_rows) {
        if (row.compact || m_model.isBound())
            continue;
        const double name =
            row.opensGroup ? QFontMetricsF(bold).horizontalAdvance(tr("GPU %1").arg(row.gpu)) + m_line * 1.4 : 0;
        width = std::max(width, name + QFontMetricsF(font()).horizontalAdvance(row.label) + m_line * 2);
    }
    return std::round(width);
}

void TimelineView::setLeastGutter(double least) {
    if (std::exchange(m_leastGutter, least) != least)
        placeRange();
}

void TimelineView::relayout() {
    m_line = QFontMetricsF(font()).height();
    m_axisHeight = std::round(m_line * kAxis);
    m_footHeight = m_dense ? 0 : std::round(m_line * 2.9);
    const int overview = m_dense ? 0 : m_minimap->sizeHint().height();
    const int strip = m_strip != nullptr && !m_strip->isHidden() ? m_strip->sizeHint().height() : 0;
    setViewportMargins(0, overview + strip, 0, 0);
    m_minimap->setGeometry(0, 0, width(), overview);
    if (strip > 0)
        m_strip->setGeometry(0, overview, width(), strip);
    m_rows = m_model.rows(m_arrangement);
    if (m_dense)
        thinOut();
    m_layout = layoutRows(m_rows, rowsArea().height(), m_line);
    const int hidden = static_cast<int>(std::ceil(m_layout.height - rowsArea().height()));
    verticalScrollBar()->setRange(0, std::max(0, hidden));
    verticalScrollBar()->setPageStep(static_cast<int>(rowsArea().height()));
    verticalScrollBar()->setSingleStep(static_cast<int>(m_line));
    const int count = m_model.hiddenRows(m_arrangement);
    const QString reminder = count == 0   ? QString()
                             : count == 1 ? tr("1 lane hidden")
                                          : tr("%1 lanes hidden").arg(count);
    if (reminder != m_reminder) {
        m_reminder = reminder;
        Q_EMIT hiddenReminderChanged(m_reminder);
    }
    placeRange();
}

// Beneath others lanes are low, lower still where that keeps three of them, and the last ones give way before any would
// have to be scrolled to; the phases above them always stay. Whoever opens a lane's details wants to see all of them.
void TimelineView::thinOut() {
    const bool scrolls = !m_arrangement.opened.empty();
    setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    const std::vector<Row> all = m_rows;
    for (const double most : kDenseWeights) {
        m_rows = all;
        for (Row& row : m_rows)
            row.weight = std::min(row.weight, most);
        while (!scrolls && !m_rows.empty() &&
               layoutRows(m_rows, rowsArea().height(), m_line).height > rowsArea().height())
            m_rows.pop_back();
        if (scrolls || m_rows.size() >= std::min(kEnoughLanes, all.size()))
            return;
    }
}

void TimelineView::placeRange() {
    m_geometry.range = m_viewState.range();
    m_geometry.pixel = 1.0 / devicePixelRatioF();
    m_geometry.left = std::max(ownGutter(), m_leastGutter);
    m_geometry.width = std::max(50.0, std::floor(viewport()->width() - m_geometry.left - m_line));
    m_minimap->setExtent(m_geometry.left, m_geometry.width);
    Q_EMIT extentChanged(m_geometry.left, m_geometry.width);
    refresh();
}

void TimelineView::setStrip(QWidget* strip) {
    m_strip = strip;
    m_strip->setParent(this);
    m_strip->installEventFilter(this);
    m_strip->show();
    relayout();
}

bool TimelineView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_strip && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent))
        relayout();
    return QAbstractScrollArea::eventFilter(watched, event);
}

void TimelineView::refresh() {
    m_itemsStale = true;
    viewport()->update();
}

void TimelineView::build() {
    if (!std::exchange(m_itemsStale, false))
        return;
    m_imagesStale = true;
    m_ticks = timeTicks(m_geometry.range, static_cast<int>(m_geometry.width / (m_line * 6)));
    const QRectF rows = rowsArea();
    const double split = std::min(m_layout.pinnedHeight, rows.height());
    m_pinned.area = QRectF(m_geometry.left, rows.top(), rows.width() - m_geometry.left, split);
    m_scrolled.area = m_pinned.area.adjusted(0, split, 0, rows.height() - split);
    const PixelColumns columns(m_geometry, 0, m_model.end());
    buildPane(m_pinned, true, columns);
    buildPane(m_scrolled, false, columns);
    buildPhases();
    buildTags();
}

void TimelineView::buildPane(Pane& pane, bool pinned, const PixelColumns& columns) {
    pane.list = {};
    const QFontMetricsF metrics(font());
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox box = shownBox(i);
        if (m_rows[i].pinned != pinned || box.bottom() <= pane.area.top() || box.top >= pane.area.bottom())
            continue;
        const std::size_t firstItem = pane.list.items.size();
        appendRow(m_model, m_rows[i], box, m_geometry, columns, pane.list);
        appendRowLabels(m_model, m_rows[i], box, m_geometry, metrics, firstItem, pane.list);
    }
}

void TimelineView::drawPane(Pane& pane, bool pinned) {
    if (pane.area.height() < 1)
        return;
    LaneGround ground{pane.area, m_geometry.pixel, {}, {}};
    const double right = m_geometry.left + m_geometry.width;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox box = shownBox(i);
        // The full height of an area lane, so that a low area reads as a share of something.
        if (m_rows[i].pinned == pinned && hasGround(m_rows[i]))
            ground.fills.emplace_back(QPointF(m_geometry.left, box.top), QPointF(right, box.bottom()));
    }
    for (const Tick& tick : m_ticks)
        ground.ticks.push_back(m_geometry.columnOf(tick.ps));
    pane.image.draw(pane.list, ground, paletteOf(*this), m_viewState.followedChunk());
}

RowBox TimelineView::shownBox(std::size_t row) const {
    const RowBox& box = m_layout.boxes[row];
    return {box.top + m_axisHeight - (m_rows[row].pinned ? 0 : verticalScrollBar()->value()), box.height};
}

std::pair<std::size_t, std::size_t> TimelineView::blockOf(std::size_t row) const {
    std::size_t first = row, last = row;
    if (!m_rows[row].compact)
        return {row, row};
    while (first > 0 && !m_rows[first].opensGroup)
        --first;
    while (last + 1 < m_rows.size() && m_rows[last + 1].compact && !m_rows[last + 1].opensGroup)
        ++last;
    return {first, last};
}

std::optional<std::size_t> TimelineView::rowAt(QPointF position) const {
    if (!rowsArea().contains(position))
        return std::nullopt;
    const bool pinned = position.y() < m_axisHeight + m_layout.pinnedHeight;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox box = shownBox(i);
        if (m_rows[i].pinned == pinned && position.y() >= box.top && position.y() < box.bottom())
            return i;
    }
    return std::nullopt;
}

std::optional<TimelineView::Spot> TimelineView::spotAt(QPointF position) const {
    const std::optional<std::size_t> row = rowAt(position);
    if (!row || position.x() < m_geometry.left)
        return std::nullopt;
    const RowBox box = shownBox(*row);
    return Spot{*row, (position.y() - box.top) / box.height, m_geometry.timeAt(position.x())};
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
    const QRectF rows = rowsArea();
    TimelinePicture picture{m_geometry, {},      QRectF(m_geometry.left, rows.top(), m_geometry.width, rows.height()),
                            m_line,     m_model, paletteOf(*this)};
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox box = shownBox(i);
        picture.rows.push_back({m_rows[i], {m_geometry.left, box.top, m_geometry.width, box.height}});
    }
    return picture;
}

std::optional<data::SpanRef> TimelineView::spanAt(QPointF position) const {
    const std::optional<Spot> spot = spotAt(position);
    if (!spot)
        return std::nullopt;
    const auto reach = static_cast<std::int64_t>(std::ceil(m_geometry.psPerPixel() / m_geometry.pixel * kReach));
    return spanUnder(m_model, m_rows[spot->row], spot->heightShare, spot->ps, reach);
}

std::optional<QRectF> TimelineView::boxOf(data::SpanRef span) const {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const std::optional<ShownSpan> shown = shownIn(m_model, m_rows[i], span);
        if (!shown)
            continue;
        const RowBox box = shownBox(i);
        const double left = m_geometry.columnOf(shown->span.start.ps);
        const double right = std::max(left + m_geometry.pixel, m_geometry.xOf(shown->span.end.ps));
        return QRectF(QPointF(left, box.top + shown->top * box.height),
                      QPointF(right, box.top + shown->bottom * box.height));
    }
    return std::nullopt;
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
    if (m_dense)
        return;  // they stand in the foot
    const QFontMetricsF metrics(font());
    const double top = viewport()->height() - m_footHeight + std::round(m_line * 0.1);
    const std::vector<TimelineMarker>& markers = m_model.markers();
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

void TimelineView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void TimelineView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        setMinimumSize(leastSize());
        relayout();
    }
    if (event->type() == QEvent::PaletteChange) {
        m_imagesStale = true;
        viewport()->update();
    }
}

void TimelineView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

}  // namespace ui
