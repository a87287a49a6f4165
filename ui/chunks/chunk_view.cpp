#include "ui/chunks/chunk_view.h"

#include "ui/look/format.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QStringList>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr double kWheelZoom = 1.2;
constexpr double kPrintRatio = 2;  // pixels per unit: finer steps over time would make outlines of thousands of points

QString chunksTr(const char* text) { return QCoreApplication::translate("ChunkFigure", text); }

}  // namespace

ChunkView::ChunkView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : MomentPicture(viewState, moment,
                    {.name = QStringLiteral("chunks"),
                     .spoken = tr("Chunk map: the state of every chunk on every GPU"),
                     .least = {28, 12},
                     .printRatio = kPrintRatio,
                     .tipsAtOnce = true},
                    tr("A perfect overlap is calculated from isolated runs: it moves no chunks.\nChoose the policy "
                       "Sequential, T3 or T3-MCA and run it (Ctrl+Return) to see them."),
                    parent) {
    connect(&m_viewState, &ViewState::rangeChanged, this, [this] { relayout(); });
    connect(&m_viewState, &ViewState::followedChunkChanged, this, qOverload<>(&QWidget::update));
}

// Returns the number of a chunk in the trace: a mirrored trace has the chunks of GPU 0.
std::uint32_t ChunkView::recordedChunk(std::uint32_t gpu, std::uint32_t chunk) const {
    const engine::Trace& trace = m_moment.log().trace();
    return trace.mirrored ? (chunk + trace.chunks - gpu % trace.chunks) % trace.chunks : chunk;
}

QString ChunkView::spokenText() const {
    const ChunkCounts all = sumOf(m_moment.of(focusedGpu()).chunkTiles);
    return tr("GPU %1: tiles %2").arg(focusedGpu()).arg(countsText(all, m_moment.tileWords()));
}

void ChunkView::layOut() {
    m_columns.clear();
    if (!hasRun())
        return;
    const QFontMetricsF metrics(font());
    const double margin = line() * 0.8;
    m_axis = std::round(line() * 2.6);
    m_legend = QRectF(margin, 0, width() - margin * 2, 0);
    m_legend.setTop(height() - tileLegendHeight(m_moment.tileWords(), m_legend.width(), metrics) - line() * 0.4);
    m_legend.setBottom(height());
    ChunkLayoutInput input;
    input.area = QRectF(margin, m_axis, m_legend.width(), std::max(1.0, m_legend.top() - line() * 0.6 - m_axis));
    input.gpus = m_moment.gpus();
    input.chunks = m_moment.log().trace().chunks;
    input.focused = focusedGpu();
    input.line = line();
    input.pixel = pixel();
    input.names = QFontMetricsF(strongFont(font())).horizontalAdvance(tr("GPU %1").arg(input.gpus - 1)) + line() * 0.8;
    m_layout = layoutChunks(input);
    m_geometry.range = m_viewState.range();
    m_geometry.pixel = pixel();
    m_geometry.left = m_layout.strips.left();
    m_geometry.width = std::max(1.0, m_layout.strips.width());
    m_ticks = timeTicks(m_geometry.range, static_cast<int>(m_geometry.width / (line() * 6)));
}

// While time goes by, cells change, the part of the strips after the cursor gets smaller, and the bubble with the time
// moves above the axis and hides other times.
std::vector<PartState> ChunkView::states() {
    const auto cursor = m_viewState.cursor();
    const double x = cursor ? m_geometry.xOf(*cursor) : -1;
    QRectF after = m_layout.strips;
    after.setLeft(std::min(x, after.right()));
    std::vector<PartState> states{{QRectF(0, 0, width(), m_axis), stateOf(cursor.has_value(), x)},
                                  {x < m_layout.strips.left() - 1 ? QRectF() : after, 0}};
    for (std::uint32_t gpu = 0; gpu < m_layout.rows.size(); ++gpu) {
        const std::vector<ChunkCounts>& chunks = m_moment.of(gpu).chunkTiles;
        for (std::uint32_t chunk = 0; chunk < std::min<std::size_t>(m_layout.chunks, chunks.size()); ++chunk)
            states.push_back({m_layout.momentCell(gpu, chunk), qHashRange(chunks[chunk].begin(), chunks[chunk].end())});
    }
    return states;
}

std::vector<Part> ChunkView::parts() {
    std::vector<Part> parts;
    const double overTime = m_layout.strips.left() - line() * 0.3;
    const auto seek = [this](QPointF at) {
        Q_EMIT cursorRequested(std::clamp<std::int64_t>(m_geometry.timeAt(at.x()), 0, m_viewState.runEnd()));
    };
    for (std::uint32_t gpu = 0; gpu < m_layout.rows.size(); ++gpu) {
        for (std::uint32_t chunk = 0; chunk < m_layout.chunks; ++chunk) {
            const auto text = [this, gpu, chunk](QPointF) {
                return tr("GPU %1, chunk %2, now\n%3")
                    .arg(gpu)
                    .arg(chunk)
                    .arg(countsText(m_moment.of(gpu).chunkTiles[chunk], m_moment.tileWords()));
            };
            parts.push_back({m_layout.momentCell(gpu, chunk), text, [this, chunk](QPointF) { toggleFollowed(chunk); }});
        }
        for (std::uint32_t strip = 0; strip < stripsOf(gpu); ++strip)
            parts.push_back({m_layout.strip(gpu, strip),
                             [this, gpu, strip](QPointF at) { return stripText(gpu, strip, at.x()); }, seek, seek});
        const ChunkRow& row = m_layout.rows[gpu];
        parts.push_back(
            {QRectF(0, row.top, overTime, row.height), {}, [this, gpu](QPointF) { m_viewState.setFocusedGpu(gpu); }});
    }
    for (std::uint32_t chunk = 0; chunk < m_layout.chunks; ++chunk) {
        const QRectF cell = m_layout.momentCell(0, chunk);
        parts.push_back(
            {QRectF(cell.left(), 0, cell.width(), m_axis), {}, [this, chunk](QPointF) { toggleFollowed(chunk); }});
    }
    parts.push_back({QRectF(overTime, 0, width() - overTime, height()), {}, seek, seek});
    return parts;
}

std::function<void()> ChunkView::actionOf(int key) {
    if (key != Qt::Key_Up && key != Qt::Key_Down)
        return {};
    return [this, by = key == Qt::Key_Up ? -1 : 1] { moveFocus(by); };
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

QImage ChunkView::stripPixels() const {
    QImage image((m_layout.strips.size() * ratio()).toSize(), QImage::Format_RGB32);
    image.fill(colors().surface);
    const TileStamps stamps = tileStamps(colors(), static_cast<int>(std::lround(textureSpacing(line()) * ratio())));
    for (std::uint32_t gpu = 0; gpu < m_layout.rows.size(); ++gpu)
        fillRow(image, gpu, stamps);
    return image;
}

// Returns the counts of a chunk by column, or of all chunks if the row has a single strip.
std::vector<ChunkCounts> ChunkView::countsOf(std::uint32_t gpu, std::uint32_t strip) const {
    const ChunkColumns& columns = m_columns[m_moment.log().trace().mirrored ? 0 : gpu];
    std::vector<ChunkCounts> counts(columns.columns());
    for (std::size_t x = 0; x < counts.size(); ++x)
        counts[x] = m_layout.rows[gpu].perChunk ? columns.at(x, recordedChunk(gpu, strip)) : columns.sum(x);
    return counts;
}

void ChunkView::fillRow(QImage& image, std::uint32_t gpu, const TileStamps& stamps) const {
    const int period = stamps[0].width();
    for (std::uint32_t chunk = 0; chunk < stripsOf(gpu); ++chunk) {
        const QRectF box = m_layout.strip(gpu, chunk);
        const int top = static_cast<int>(std::lround((box.top() - m_layout.strips.top()) * ratio()));
        int bottom = static_cast<int>(std::lround((box.bottom() - m_layout.strips.top()) * ratio()));
        if (m_layout.rows[gpu].perChunk && bottom - top >= 5)
            --bottom;  // a thin line between chunks
        const std::vector<ChunkCounts> counts = countsOf(gpu, chunk);
        const auto width = std::min<std::size_t>(counts.size(), static_cast<std::size_t>(image.width()));
        for (int y = std::max(0, top); y < std::min(bottom, image.height()); ++y) {
            auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
            const double share = (bottom - y - 0.5) / (bottom - top);
            std::array<const QRgb*, data::kTileStates> texture{};
            for (std::size_t state = 0; state < data::kTileStates; ++state)
                texture[state] = reinterpret_cast<const QRgb*>(stamps[state].constScanLine(y % period));
            for (std::size_t x = 0; x < width; ++x)
                pixels[x] = texture[static_cast<std::size_t>(stateAt(counts[x], share))][x % period];
        }
    }
}

// Describes the tiles of a strip at a time.
QString ChunkView::stripText(std::uint32_t gpu, std::uint32_t strip, double x) const {
    ChunkCounts counts{};
    if (!m_columns.empty()) {
        const ChunkColumns& columns = m_columns[m_moment.log().trace().mirrored ? 0 : gpu];
        const auto last = static_cast<double>(columns.columns()) - 1;
        const auto column = static_cast<std::size_t>(std::clamp((x - m_geometry.left) / m_geometry.pixel, 0.0, last));
        counts = m_layout.rows[gpu].perChunk ? columns.at(column, recordedChunk(gpu, strip)) : columns.sum(column);
    }
    const QString when = formatTime(m_geometry.timeAt(x)), text = countsText(counts, m_moment.tileWords());
    return m_layout.rows[gpu].perChunk ? tr("GPU %1, chunk %2, at %3\n%4").arg(gpu).arg(strip).arg(when, text)
                                       : tr("GPU %1, all chunks, at %2\n%3").arg(gpu).arg(when, text);
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

double ChunkView::figureHeight(double width) const {
    return std::clamp(m_moment.gpus() * 26.0 + 60, width * 0.4,
                      320.0);  // rows high enough to read, at most half a page
}

MomentFigureWords ChunkView::figureWords(const QString& run, const QString& when) const {
    const data::TimeRange shown = m_viewState.range();
    const QString range = m_viewState.showsAll()
                              ? chunksTr("the whole run")
                              : chunksTr("from %1 to %2").arg(formatTime(shown.start), formatTime(shown.end));
    QStringList sentences{chunksTr("Chunk map %1, tiles by state.").arg(when)};
    for (std::uint32_t gpu = 0; gpu < m_moment.gpus(); ++gpu)
        sentences << chunksTr("GPU %1: %2.")
                         .arg(gpu)
                         .arg(countsText(sumOf(m_moment.of(gpu).chunkTiles), m_moment.tileWords()));
    return {.word = chunksTr("chunks"),
            .title = chunksTr("Chunk map, %1").arg(run),
            .caption = chunksTr("The state of every chunk on every GPU in a run of %1: %2 at the left, and over time "
                                "(%3) at the right. Cells are filled from below, with the most advanced state at the "
                                "bottom.")
                           .arg(run, when, range),
            .alternative = sentences.join(QLatin1Char(' ')),
            .moment = when + QStringLiteral(", ") + range};
}

}  // namespace ui
