#include "ui/chunks/chunk_view.h"

#include "ui/look/format.h"
#include "ui/look/partial_paint.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr double kWheelZoom = 1.2;
constexpr double kPrintPixel = 0.5;  // for shapes: finer steps over time would make outlines of thousands of points

}  // namespace

ChunkView::ChunkView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_moment(moment) {
    setNames(*this, QStringLiteral("chunks"), tr("Chunk map: the state of every chunk on every GPU"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_moment, &RingMoment::runChanged, this, &ChunkView::relayout);
    connect(&m_moment, &RingMoment::changed, this, &ChunkView::followMoment);
    connect(&m_viewState, &ViewState::rangeChanged, this, &ChunkView::forgetStrips);
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, &ChunkView::relayout);
    connect(&m_viewState, &ViewState::followedChunkChanged, this, qOverload<>(&QWidget::update));
    onEvents(*this, {QEvent::Resize, QEvent::FontChange, QEvent::PaletteChange}, [this] { relayout(); });
    keepKeys(*this, [this](const QKeyEvent& key) {
        const bool upOrDown = key.key() == Qt::Key_Up || key.key() == Qt::Key_Down;
        return upOrDown && key.modifiers() == Qt::NoModifier && hasRun();
    });
}

QSize ChunkView::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {line * 28, line * 12};
}

bool ChunkView::hasRun() const { return m_moment.hasStates() && m_moment.log().trace().output.tiles() > 0; }

std::uint32_t ChunkView::focusedGpu() const { return m_moment.focusedGpu(); }

// Returns the number of a chunk in the trace: a mirrored trace has the chunks of GPU 0.
std::uint32_t ChunkView::recordedChunk(std::uint32_t gpu, std::uint32_t chunk) const {
    const engine::Trace& trace = m_moment.log().trace();
    return trace.mirrored ? (chunk + trace.chunks - gpu % trace.chunks) % trace.chunks : chunk;
}

double ChunkView::pixel() const { return m_inShapes ? kPrintPixel : 1 / devicePixelRatioF(); }

void ChunkView::speak() {
    if (!hasRun() || !isVisible())
        return;
    const ChunkCounts all = sumOf(m_moment.of(focusedGpu()).chunkTiles);
    setAccessibleDescription(tr("GPU %1: tiles %2").arg(focusedGpu()).arg(countsText(all, m_moment.tileWords())));
}

void ChunkView::showMoment() {
    speak();
    update();
}

void ChunkView::followMoment() {
    const Shown now = shownNow();
    if (now.cursor.has_value() != m_painted.cursor.has_value() || now.counts.size() != m_painted.counts.size())
        return showMoment();
    speak();
    for (std::uint32_t gpu = 0; gpu < now.counts.size(); ++gpu) {
        const std::size_t chunks = std::min(now.counts[gpu].size(), m_painted.counts[gpu].size());
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            if (now.counts[gpu][chunk] != m_painted.counts[gpu][chunk])
                update(damageOf(m_layout.momentCell(gpu, chunk)));
        }
    }
    if (now.cursor == m_painted.cursor)
        return;
    const double left = m_layout.strips.left() - 1;
    if ((*now.cursor < left) != (*m_painted.cursor < left))
        return update();                                                // all strips become bright, or faint
    update(QRect(0, 0, width(), static_cast<int>(std::ceil(m_axis))));  // the cursor's time hides other times
    const double from = std::min(*now.cursor, *m_painted.cursor);
    const double to = std::max(*now.cursor, *m_painted.cursor);
    update(damageOf(QRectF(from, m_axis, to - from, m_layout.strips.bottom() - m_axis)));
}

ChunkView::Shown ChunkView::shownNow() const {
    Shown shown;
    if (!hasRun())
        return shown;
    if (m_viewState.cursor())
        shown.cursor = m_geometry.xOf(*m_viewState.cursor());
    for (std::uint32_t gpu = 0; isVisible() && gpu < m_moment.gpus(); ++gpu)
        shown.counts.push_back(m_moment.of(gpu).chunkTiles);
    return shown;
}

void ChunkView::relayout() {
    const QFontMetricsF metrics(font());
    m_line = metrics.height();
    const double margin = m_line * 0.8;
    m_axis = std::round(m_line * 2.6);
    m_legendTop = height() - tileLegendHeight(m_moment.tileWords(), width() - margin * 2, metrics) - m_line * 0.4;
    const std::uint32_t gpus = std::max(1u, m_moment.gpus());
    ChunkLayoutInput input;
    input.area = QRectF(margin, m_axis, width() - margin * 2, std::max(1.0, m_legendTop - m_line * 0.6 - m_axis));
    input.gpus = gpus;
    input.chunks = hasRun() ? m_moment.log().trace().chunks : 1;
    input.focused = focusedGpu();
    input.line = m_line;
    input.pixel = pixel();
    input.names = QFontMetricsF(strongFont(font())).horizontalAdvance(tr("GPU %1").arg(gpus - 1)) + m_line * 0.8;
    m_layout = layoutChunks(input);
    m_columns.clear();
    forgetStrips();
    showMoment();
}

void ChunkView::forgetStrips() {
    m_geometry.range = m_viewState.range();
    m_geometry.pixel = pixel();
    m_geometry.left = m_layout.strips.left();
    m_geometry.width = std::max(1.0, m_layout.strips.width());
    m_ticks = timeTicks(m_geometry.range, static_cast<int>(m_geometry.width / (m_line * 6)));
    m_strips = {};
    m_columns.clear();
    update();
}

// Computes one column for each device pixel: the state in the middle of the pixel's time.
void ChunkView::buildColumns() {
    const data::RunLog& log = m_moment.log();
    const auto count = static_cast<std::size_t>(std::ceil(m_geometry.width / m_geometry.pixel));
    std::vector<std::int64_t> moments(count);
    for (std::size_t i = 0; i < count; ++i)
        moments[i] = m_geometry.timeAt(m_geometry.left + (static_cast<double>(i) + 0.5) * m_geometry.pixel);
    const engine::TiledOutput& output = log.trace().output;
    std::vector<std::uint32_t> chunkOfTile(output.tiles());
    for (std::uint32_t chunk = 0; chunk + 1 < output.chunkTile.size(); ++chunk) {
        std::fill(chunkOfTile.begin() + output.chunkTile[chunk], chunkOfTile.begin() + output.chunkTile[chunk + 1],
                  chunk);
    }
    const std::uint32_t recorded = log.trace().mirrored ? 1 : log.gpus();
    for (std::uint32_t gpu = 0; gpu < recorded; ++gpu) {
        m_columns.emplace_back(log.stateOf(gpu, log.beginning()).chunkTiles, chunkOfTile, log.tileChanges(gpu),
                               moments);
    }
}

void ChunkView::buildStrips() {
    if (m_columns.empty())
        buildColumns();
    const Palette& colors = paletteOf(*this);
    const double ratio = devicePixelRatioF();
    m_strips = QImage((m_layout.strips.size() * ratio).toSize(), QImage::Format_RGB32);
    m_strips.setDevicePixelRatio(ratio);
    m_strips.fill(colors.surface);
    const int spacing = static_cast<int>(std::lround(textureSpacing(m_line) * ratio));
    const TileStamps stamps = tileStamps(colors, spacing);
    for (std::uint32_t gpu = 0; gpu < m_layout.rows.size(); ++gpu)
        fillRow(gpu, stamps);
}

// Returns the counts of a chunk by column, or of all chunks if the row has a single strip.
std::vector<ChunkCounts> ChunkView::countsOf(std::uint32_t gpu, std::uint32_t strip) const {
    const ChunkColumns& columns = m_columns[m_moment.log().trace().mirrored ? 0 : gpu];
    std::vector<ChunkCounts> counts(columns.columns());
    for (std::size_t x = 0; x < counts.size(); ++x)
        counts[x] = m_layout.rows[gpu].perChunk ? columns.at(x, recordedChunk(gpu, strip)) : columns.sum(x);
    return counts;
}

void ChunkView::fillRow(std::uint32_t gpu, const TileStamps& stamps) {
    const double ratio = devicePixelRatioF();
    const bool perChunk = m_layout.rows[gpu].perChunk;
    const std::uint32_t strips = perChunk ? m_layout.chunks : 1;
    const int period = stamps[0].width();
    for (std::uint32_t chunk = 0; chunk < strips; ++chunk) {
        const QRectF box = m_layout.strip(gpu, chunk);
        const int top = static_cast<int>(std::lround((box.top() - m_layout.strips.top()) * ratio));
        int bottom = static_cast<int>(std::lround((box.bottom() - m_layout.strips.top()) * ratio));
        if (perChunk && bottom - top >= 5)
            --bottom;  // a thin line between chunks
        const std::vector<ChunkCounts> counts = countsOf(gpu, chunk);
        const auto width = std::min<std::size_t>(counts.size(), static_cast<std::size_t>(m_strips.width()));
        for (int y = std::max(0, top); y < std::min(bottom, m_strips.height()); ++y) {
            auto* line = reinterpret_cast<QRgb*>(m_strips.scanLine(y));
            const double share = (bottom - y - 0.5) / (bottom - top);
            std::array<const QRgb*, data::kTileStates> texture{};
            for (std::size_t state = 0; state < data::kTileStates; ++state)
                texture[state] = reinterpret_cast<const QRgb*>(stamps[state].constScanLine(y % period));
            for (std::size_t x = 0; x < width; ++x)
                line[x] = texture[static_cast<std::size_t>(stateAt(counts[x], share))][x % period];
        }
    }
}

ChunkCounts ChunkView::countsAt(std::uint32_t gpu, std::optional<std::uint32_t> chunk, double x) const {
    if (m_columns.empty())
        return {};
    const ChunkColumns& columns = m_columns[m_moment.log().trace().mirrored ? 0 : gpu];
    const double column = (x - m_geometry.left) / m_geometry.pixel;
    const auto last = static_cast<double>(columns.columns()) - 1;
    const auto index = static_cast<std::size_t>(std::clamp(column, 0.0, last));
    return chunk ? columns.at(index, recordedChunk(gpu, *chunk)) : columns.sum(index);
}

QString ChunkView::hoverText(QPointF position) const {
    if (!hasRun())
        return {};
    const auto gpu = m_layout.gpuAt(position.y());
    if (!gpu)
        return {};
    if (const auto chunk = m_layout.chunkAtMoment(position.x())) {
        return tr("GPU %1, chunk %2, now\n%3")
            .arg(*gpu)
            .arg(*chunk)
            .arg(countsText(m_moment.of(*gpu).chunkTiles[*chunk], m_moment.tileWords()));
    }
    if (position.x() < m_layout.strips.left() || position.x() >= m_layout.strips.right())
        return {};
    const QString when = formatTime(m_geometry.timeAt(position.x()));
    const auto chunk = m_layout.chunkAtStrip(*gpu, position.y());
    const QString counts = countsText(countsAt(*gpu, chunk, position.x()), m_moment.tileWords());
    return chunk ? tr("GPU %1, chunk %2, at %3\n%4").arg(*gpu).arg(*chunk).arg(when, counts)
                 : tr("GPU %1, all chunks, at %2\n%3").arg(*gpu).arg(when, counts);
}

void ChunkView::wheelEvent(QWheelEvent* event) {
    if (!hasRun())
        return;
    const QPoint turned = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y())) {
        const int by = turned.x() != 0 ? turned.x() : turned.y();
        m_viewState.setRange(m_geometry.panned(-by * 0.5, m_viewState.runEnd()));
    } else if (turned.y() != 0) {
        const double factor = std::pow(kWheelZoom, turned.y() / 120.0);
        m_viewState.setRange(m_geometry.zoomed(event->position().x(), factor, m_viewState.runEnd()));
    }
    event->accept();
}

void ChunkView::keyPressEvent(QKeyEvent* event) {
    const bool up = event->key() == Qt::Key_Up;
    if (!hasRun() || (!up && event->key() != Qt::Key_Down)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::uint32_t gpu = focusedGpu();
    if (up && gpu > 0)
        m_viewState.setFocusedGpu(gpu - 1);
    if (!up && gpu + 1 < m_moment.gpus())
        m_viewState.setFocusedGpu(gpu + 1);
}

void ChunkView::seekTo(double x) {
    Q_EMIT cursorRequested(std::clamp<std::int64_t>(m_geometry.timeAt(x), 0, m_viewState.runEnd()));
}

void ChunkView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !hasRun())
        return QWidget::mousePressEvent(event);
    const QPointF at = event->position();
    m_scrubs = at.x() >= m_layout.strips.left() - m_line * 0.3;
    if (m_scrubs)
        return seekTo(at.x());
    const auto gpu = m_layout.gpuAt(at.y());
    if (const auto chunk = m_layout.chunkAtMoment(at.x()); chunk && (gpu || at.y() < m_axis)) {
        m_viewState.setFollowedChunk(m_viewState.followedChunk() == chunk ? std::nullopt : chunk);
        return;
    }
    if (gpu)
        m_viewState.setFocusedGpu(*gpu);
}

void ChunkView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) {
        if (m_scrubs && hasRun())
            seekTo(event->position().x());
        return;
    }
    QToolTip::showText(event->globalPosition().toPoint(), hoverText(event->position()), this);
}

}  // namespace ui
