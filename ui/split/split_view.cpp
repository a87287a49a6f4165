#include "ui/split/split_view.h"

#include "data/replay/ring_places.h"
#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kPrintRatio = 8;    // pixels per unit for shapes, as in the machine view
constexpr double kNowLetters = 120;  // of the sentence about the current time; in a narrower view it has two lines
constexpr int kMostSplitRows = 3;

bool isChoice(const QKeyEvent& key) {
    const int code = key.key();
    return key.modifiers() == Qt::NoModifier &&
           (isArrow(code) || code == Qt::Key_Home || code == Qt::Key_End || isEnter(code));
}

}  // namespace

SplitView::SplitView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_moment(moment) {
    setNames(*this, QStringLiteral("split"), tr("Split of the GEMM: which GPU has which part, and its partial sums"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_moment, &RingMoment::runChanged, this, &SplitView::showRun);
    connect(&m_moment, &RingMoment::changed, this, &SplitView::follow);
    connect(&m_viewState, &ViewState::followedChunkChanged, this, &SplitView::relayout);
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, &SplitView::relayout);
    onEvents(*this, {QEvent::Resize, QEvent::FontChange, QEvent::PaletteChange}, [this] { relayout(); });
    keepKeys(*this, [this](const QKeyEvent& key) { return isChoice(key) && hasRun(); });
    showTipAt(*this, [this](QPoint position) { return Tip{tipText(position), {}}; });
    showRun();
}

QSize SplitView::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {line * 34, line * 12};
}

bool SplitView::hasRun() const { return m_moment.hasStates() && m_facts.grid.tiles() > 0; }

std::uint32_t SplitView::focusedGpu() const {
    return std::min(m_viewState.focusedGpu(), std::max(1u, m_facts.gpus) - 1);
}

std::optional<std::uint32_t> SplitView::followedChunk() const {
    const auto chunk = m_viewState.followedChunk();
    return chunk && *chunk < m_facts.chunks() ? chunk : std::nullopt;
}

void SplitView::showRun() {
    m_facts = {};
    m_ring = false;
    if (m_moment.hasStates()) {
        m_facts = splitFactsOf(*m_moment.run());
        m_ring = m_facts.gpus > 1 && data::goesAroundRing(m_moment.run()->run.experiment);
    }
    relayout();
}

data::ChunkSums SplitView::sumsAt(std::uint32_t gpu, std::uint32_t chunk) const {
    return m_facts.sums(m_moment.of(gpu), gpu, chunk);
}

SplitView::Cell SplitView::cellAt(std::uint32_t gpu, std::uint32_t chunk) const {
    const data::GpuState& state = m_moment.of(gpu);
    return {m_facts.sums(state, gpu, chunk), m_ring && state.sendingChunk == chunk,
            m_ring && state.receivingChunk == chunk};
}

QString SplitView::splitWords() const { return hasRun() ? splitText(m_facts, focusedGpu()) : QString(); }

QString SplitView::momentWords() const {
    if (!hasRun())
        return {};
    const std::uint32_t gpu = focusedGpu();
    if (const auto chunk = followedChunk())
        return chunkWords(gpu, *chunk);
    std::vector<data::ChunkSums> sums;
    for (std::uint32_t chunk = 0; chunk < m_facts.chunks(); ++chunk)
        sums.push_back(sumsAt(gpu, chunk));
    return gpuText(m_facts, gpu, sums);
}

QString SplitView::chunkWords(std::uint32_t gpu, std::uint32_t chunk) const {
    const Cell cell = cellAt(gpu, chunk);
    QString words = chunkText(m_facts, gpu, chunk, cell.sums, m_moment.tileWords());
    if (cell.sends)
        words += QLatin1Char(' ') + tr("It is being sent to GPU %1.").arg((gpu + m_facts.gpus - 1) % m_facts.gpus);
    if (cell.receives)
        words += QLatin1Char(' ') + tr("It is being received from GPU %1.").arg((gpu + 1) % m_facts.gpus);
    return words;
}

QString SplitView::descriptionOfAll() const {
    QStringList sentences;
    for (std::uint32_t gpu = 0; hasRun() && gpu < m_facts.gpus; ++gpu) {
        std::vector<data::ChunkSums> sums;
        for (std::uint32_t chunk = 0; chunk < m_facts.chunks(); ++chunk)
            sums.push_back(sumsAt(gpu, chunk));
        sentences << gpuText(m_facts, gpu, sums);
    }
    return sentences.join(QLatin1Char(' '));
}

// Shows the time of the cursor. A hidden view computes nothing; showEvent() brings it up to date.
void SplitView::follow() {
    if (!isVisible() || !hasRun()) {
        update();
        return;
    }
    const QString now = momentWords();
    if (now != m_now) {
        m_now = now;
        setAccessibleDescription(splitWords() + QLatin1Char(' ') + now);
        update(nowBox().toAlignedRect());
    }
    if (m_cells.empty())
        return;
    std::size_t index = 0;
    for (std::uint32_t i = 0; i < m_layout.shownGpus; ++i) {
        for (std::uint32_t j = 0; j < m_layout.shownChunks; ++j, ++index) {
            const std::uint32_t gpu = m_layout.firstGpu + i;
            const std::uint32_t chunk = m_layout.firstChunk + j;
            Cell cell = cellAt(gpu, chunk);
            if (cell == m_cells[index])
                continue;
            paintCellPixels(gpu, chunk, cell);
            m_cells[index] = std::move(cell);
            update(m_layout.cell(gpu, chunk).toAlignedRect());
        }
    }
}

void SplitView::showEvent(QShowEvent* event) {
    follow();
    QWidget::showEvent(event);
}

double SplitView::ratio() const { return m_inShapes ? kPrintRatio : devicePixelRatioF(); }

SplitNeeds SplitView::needs() const {
    const QFontMetricsF metrics(font());
    SplitNeeds needs;
    needs.area = QRectF(rect());
    needs.m = static_cast<double>(m_facts.m);
    needs.n = static_cast<double>(m_facts.n);
    needs.k = static_cast<double>(m_facts.k);
    needs.gpus = m_facts.gpus;
    needs.chunks = m_facts.chunks();
    needs.focusedGpu = focusedGpu();
    needs.followedChunk = followedChunk().value_or(0);
    needs.line = m_line;
    needs.pixel = 1 / ratio();
    const QString last = QString::number(std::max(needs.gpus, needs.chunks) - 1);
    needs.names = std::max(metrics.horizontalAdvance(tr("chunk %1").arg(last)),
                           m_facts.plan.reduces() ? metrics.horizontalAdvance(tr("for GPU %1").arg(last)) : 0.0);
    needs.wordRows = m_splitRows + m_nowRows;
    needs.legend = paintFillLegend(nullptr, QRectF(0, 0, width() - m_line * 1.6, 0), legend(), font(), {});
    return needs;
}

void SplitView::relayout() {
    const QFontMetricsF metrics(font());
    m_line = metrics.height();
    const double room = std::max(1.0, width() - m_line * 1.6);
    m_background = {};
    m_cells.clear();
    m_cellImage = {};
    if (hasRun()) {
        const QRectF words = metrics.boundingRect(QRectF(0, 0, room, 1e5), Qt::TextWordWrap, splitWords());
        m_splitRows = std::clamp(static_cast<int>(std::ceil(words.height() / m_line - 0.1)), 1, kMostSplitRows);
        m_nowRows = metrics.averageCharWidth() * kNowLetters > room ? 2 : 1;
        m_layout = layoutSplit(needs());
        if (!m_inShapes)
            follow();
    }
    update();
}

// Returns the room of the sentence about the current time, below the text about the split.
QRectF SplitView::nowBox() const {
    const QRectF& words = m_layout.words;
    const double row = words.height() / (m_splitRows + m_nowRows);
    return words.adjusted(0, row * m_splitRows, 0, 0);
}

// Returns a cell without the gap to the next cells.
QRectF SplitView::insideOf(std::uint32_t gpu, std::uint32_t chunk) const {
    const QRectF cell = m_layout.cell(gpu, chunk);
    const double pixel = m_layout.pixel;
    const auto snap = [pixel](double value) { return std::max(pixel, std::round(value / pixel) * pixel); };
    return cell.adjusted(0, 0, -snap(std::min(m_line * 0.4, cell.width() * 0.12)),
                         -snap(std::min(m_line * 0.22, cell.height() * 0.14)));
}

// Returns the filled parts of a cell. It has a place for each partial sum from left to right, the GPU's own first. Each
// is filled from below: complete tiles, tiles that were sent on, and the other tiles that have this partial sum.
std::vector<std::pair<QRectF, SumFill>> SplitView::fillsOf(const QRectF& box, const data::ChunkSums& sums) const {
    std::vector<std::pair<QRectF, SumFill>> fills{{box, SumFill::empty}};
    const double pixel = m_layout.pixel;
    const double tiles = std::max(1u, sums.tiles);
    const auto parts = static_cast<std::uint32_t>(sums.in.size());
    // The gap is the same in all cells, although their widths differ by a pixel.
    const double place = insideOf(m_layout.firstGpu, m_layout.firstChunk).width() / std::max(1u, parts);
    const double gap =
        parts > 1 && place > m_line * 0.35 ? std::max(pixel, std::round(m_line * 0.06 / pixel) * pixel) : 0;
    const auto y = [&](double below) {
        return std::round((box.bottom() - box.height() * below / tiles) / pixel) * pixel;
    };
    for (std::uint32_t i = 0; i < parts; ++i) {
        QRectF strip = stripOf(box, i, parts, true, pixel);
        if (i + 1 < parts)
            strip.setRight(strip.right() - gap);
        double below = 0;
        const auto add = [&](std::uint32_t count, SumFill kind) {
            if (count == 0)
                return;
            fills.emplace_back(QRectF(QPointF(strip.left(), y(below + count)), QPointF(strip.right(), y(below))), kind);
            below += count;
        };
        add(sums.whole, SumFill::whole);
        add(sums.gone[i], SumFill::sent);
        add(sums.in[i], i == 0 ? SumFill::own : SumFill::others);
    }
    return fills;
}

QRectF SplitView::bandOf(std::uint32_t chunk) const {
    const QRectF& c = m_layout.c;
    const double tiles = std::max(1u, m_facts.grid.tiles());
    const double from = m_facts.grid.chunkFirstTile[chunk] / tiles;
    const double to = m_facts.grid.chunkFirstTile[chunk + 1] / tiles;
    return m_facts.grid.rowsAreOuter
               ? QRectF(c.left(), c.top() + c.height() * from, c.width(), c.height() * (to - from))
               : QRectF(c.left() + c.width() * from, c.top(), c.width() * (to - from), c.height());
}

QString SplitView::matrixTip(QPointF position) const {
    for (const auto& [box, letter] :
         {std::pair(m_layout.a, 'A'), std::pair(m_layout.b, 'B'), std::pair(m_layout.c, 'C')}) {
        if (!box.contains(position))
            continue;
        const bool leftToRight = letter == 'A' ? m_facts.kind != SplitKind::gathered : letter == 'C';
        const bool cut = m_facts.kind != SplitKind::whole && (letter != 'C' || m_facts.kind == SplitKind::gathered);
        if (!cut)
            return matrixText(m_facts, letter);
        const bool across = leftToRight || (letter == 'B' && m_facts.kind == SplitKind::gathered);
        const double share =
            across ? (position.x() - box.left()) / box.width() : (position.y() - box.top()) / box.height();
        const auto gpu = std::min(m_facts.gpus - 1, static_cast<std::uint32_t>(share * m_facts.gpus));
        return matrixText(m_facts, letter) + QLatin1Char('\n') + splitText(m_facts, gpu);
    }
    return {};
}

QString SplitView::tipText(QPointF position) const {
    if (!hasRun())
        return {};
    const auto gpu = m_layout.gpuAt(position.x());
    const auto chunk = m_layout.chunkAt(position.y());
    if (gpu && chunk)
        return chunkWords(*gpu, *chunk);
    if (gpu && m_layout.heads.contains(position))
        return splitText(m_facts, *gpu);
    if (m_layout.words.contains(position))
        return splitWords() + QLatin1Char('\n') + momentWords();
    return matrixTip(position);
}

// Follows the next or previous chunk. If no chunk is followed, down goes to the first chunk and up to the last.
void SplitView::chooseChunk(int by) {
    const std::uint32_t last = m_facts.chunks() - 1;
    const auto chunk = followedChunk();
    if (!chunk)
        return m_viewState.setFollowedChunk(by > 0 ? 0 : last);
    if (by > 0 ? *chunk < last : *chunk > 0)
        m_viewState.setFollowedChunk(by > 0 ? *chunk + 1 : *chunk - 1);
}

void SplitView::keyPressEvent(QKeyEvent* event) {
    if (!hasRun() || !isChoice(*event))
        return QWidget::keyPressEvent(event);
    const std::uint32_t gpu = focusedGpu();
    switch (event->key()) {
    case Qt::Key_Left: return m_viewState.setFocusedGpu(gpu == 0 ? 0 : gpu - 1);
    case Qt::Key_Right: return m_viewState.setFocusedGpu(std::min(gpu + 1, m_facts.gpus - 1));
    case Qt::Key_Home: return m_viewState.setFocusedGpu(0);
    case Qt::Key_End: return m_viewState.setFocusedGpu(m_facts.gpus - 1);
    case Qt::Key_Up: return chooseChunk(-1);
    case Qt::Key_Down: return chooseChunk(1);
    default: Q_EMIT tableRequested();
    }
}

void SplitView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !hasRun())
        return QWidget::mousePressEvent(event);
    const QPointF at = event->position();
    const auto gpu = m_layout.gpuAt(at.x());
    const auto chunk = m_layout.chunkAt(at.y());
    if (gpu && (chunk || m_layout.heads.contains(at)))
        m_viewState.setFocusedGpu(*gpu);
    if (chunk && (gpu || m_layout.names.contains(at)))
        m_viewState.setFollowedChunk(m_viewState.followedChunk() == chunk && gpu == focusedGpu() ? std::nullopt
                                                                                                 : chunk);
}

}  // namespace ui
