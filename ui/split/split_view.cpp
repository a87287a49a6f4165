#include "ui/split/split_view.h"

#include "data/replay/ring_places.h"
#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/texture.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kNowLetters = 120;  // of the sentence about the current time; in a narrower view it has two lines
constexpr int kMostSplitRows = 3;

QString splitFigureTr(const char* text) { return QCoreApplication::translate("SplitFigure", text); }

}  // namespace

SplitView::SplitView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : MomentPicture(viewState, moment,
                    {.name = QStringLiteral("split"),
                     .spoken = tr("Split of the GEMM: which GPU has which part, and its partial sums"),
                     .least = {34, 12}},
                    tr("A perfect overlap is calculated from isolated runs: it has no partial sums.\nChoose the policy "
                       "Sequential, T3 or T3-MCA and run it (Ctrl+Return) to see them."),
                    parent) {
    connect(&m_viewState, &ViewState::followedChunkChanged, this, [this] { relayout(); });
    showRun();
}

std::optional<std::uint32_t> SplitView::followedChunk() const {
    const auto chunk = m_viewState.followedChunk();
    return chunk && *chunk < m_facts.chunks() ? chunk : std::nullopt;
}

void SplitView::showRun() {
    m_facts = {};
    m_ring = false;
    if (hasRun()) {
        m_facts = splitFactsOf(*m_moment.run());
        m_ring = m_facts.gpus > 1 && data::goesAroundRing(m_moment.run()->run.experiment);
    }
    relayout();
}

data::ChunkSums SplitView::sumsAt(std::uint32_t gpu, std::uint32_t chunk) const {
    return m_facts.sums(m_moment.of(gpu), gpu, chunk);
}

bool SplitView::sends(std::uint32_t gpu, std::uint32_t chunk) const {
    return m_ring && m_moment.of(gpu).sendingChunk == chunk;
}

bool SplitView::receives(std::uint32_t gpu, std::uint32_t chunk) const {
    return m_ring && m_moment.of(gpu).receivingChunk == chunk;
}

void SplitView::forCells(const std::function<void(std::uint32_t, std::uint32_t)>& act) const {
    for (std::uint32_t gpu = m_layout.firstGpu; gpu < m_layout.firstGpu + m_layout.shownGpus; ++gpu)
        for (std::uint32_t chunk = m_layout.firstChunk; chunk < m_layout.firstChunk + m_layout.shownChunks; ++chunk)
            act(gpu, chunk);
}

std::array<SplitView::Matrix, 3> SplitView::matrices() const {
    return {Matrix{'A', m_layout.a, m_layout.aLetter}, Matrix{'B', m_layout.b, m_layout.bLetter},
            Matrix{'C', m_layout.c, m_layout.cLetter}};
}

std::optional<bool> SplitView::cutOf(char matrix) const {
    const bool gathered = m_facts.kind == SplitKind::gathered;
    if (m_facts.kind == SplitKind::whole || (matrix == 'C' && !gathered))
        return std::nullopt;
    return gathered ? matrix != 'A' : matrix == 'A';
}

QString SplitView::splitWords() const { return hasRun() ? splitText(m_facts, focusedGpu()) : QString(); }

QString SplitView::momentWords() const {
    const auto chunk = followedChunk();
    return !hasRun() ? QString() : chunk ? chunkWords(focusedGpu(), *chunk) : gpuWords(focusedGpu());
}

QString SplitView::spokenText() const { return splitWords() + QLatin1Char(' ') + momentWords(); }

QString SplitView::chunkWords(std::uint32_t gpu, std::uint32_t chunk) const {
    QString words = chunkText(m_facts, gpu, chunk, sumsAt(gpu, chunk), m_moment.tileWords());
    if (sends(gpu, chunk))
        words += QLatin1Char(' ') + tr("It is being sent to GPU %1.").arg((gpu + m_facts.gpus - 1) % m_facts.gpus);
    if (receives(gpu, chunk))
        words += QLatin1Char(' ') + tr("It is being received from GPU %1.").arg((gpu + 1) % m_facts.gpus);
    return words;
}

QString SplitView::gpuWords(std::uint32_t gpu) const {
    std::vector<data::ChunkSums> sums;
    for (std::uint32_t chunk = 0; chunk < m_facts.chunks(); ++chunk)
        sums.push_back(sumsAt(gpu, chunk));
    return gpuText(m_facts, gpu, sums);
}

double SplitView::figureHeight(double width) const {
    return width < 320 ? width * 1.6 : width * 0.58;  // in a narrow column of a page the matrices are above the cells
}

MomentFigureWords SplitView::figureWords(const QString& run, const QString& when) const {
    QStringList sentences{splitFigureTr("Matrices with their cuts, and a cell for each GPU and chunk.")};
    for (std::uint32_t gpu = 0; hasRun() && gpu < m_facts.gpus; ++gpu)
        sentences << gpuWords(gpu);
    return {.word = splitFigureTr("split"),
            .title = splitFigureTr("Split of the GEMM %1, %2").arg(when, run),
            .caption = splitFigureTr("How %1 is distributed over its GPUs, and %2 the partial sums of each chunk on "
                                     "each GPU: a place for each partial sum, filled by the share of tiles that have "
                                     "it. %3")
                           .arg(run, when, splitWords()),
            .alternative = sentences.join(QLatin1Char(' '))};
}

MomentTable::Content SplitView::table() const {
    if (!hasRun())
        return {tr("No partial sums: there is no run yet, or the run is a perfect overlap, which is calculated.")};
    const std::uint32_t gpu = focusedGpu();
    MomentTable::Content content{
        .title = tr("Partial sums on GPU %1").arg(gpu),
        .columns = {{tr("chunk"), false, tr("The chunks, in their order in the output")},
                    {tr("for GPU"), false, tr("The GPU that has the complete sum after the reduce-scatter")},
                    {tr("partial sums"), false, tr("Number of partial sums in each tile of the chunk")},
                    {tr("own"), false, tr("Tiles that have this GPU's own partial sum")},
                    {tr("sent on"), false, tr("Tiles that have been sent to another GPU")},
                    {tr("whole"), false, tr("Tiles that are final on this GPU")},
                    {tr("tiles"), false, tr("Number of tiles in the chunk")}}};
    for (std::uint32_t chunk = 0; chunk < m_facts.chunks(); ++chunk) {
        const data::ChunkSums sums = sumsAt(gpu, chunk);
        const std::uint32_t keeper = m_facts.plan.keeperOf(chunk);
        content.rows.push_back(
            {{QString::number(chunk), keeper < m_facts.gpus ? QString::number(keeper) : QStringLiteral("–"),
              m_facts.plan.reduces() ? sumsText(sums, m_facts.plan.parts()) : QStringLiteral("–"),
              formatCount(sums.in[0] + sums.sent + sums.whole), formatCount(sums.sent), formatCount(sums.whole),
              formatCount(sums.tiles)}});
    }
    const auto followed = followedChunk();
    content.chosen = followed ? std::vector<std::size_t>{*followed} : std::vector<std::size_t>();
    return content;
}

MomentTable* newSplitTable(ViewState& viewState, RingMoment& moment, const SplitView& view) {
    return new MomentTable(
        viewState, moment,
        {.name = QStringLiteral("splitTable"),
         .spoken = SplitView::tr("Partial sums of the chunks on the GPU in focus"),
         .title = QStringLiteral("splitTitle"),
         .content = [&view] { return view.table(); },
         .choose = [&viewState](std::size_t row) { viewState.setFollowedChunk(static_cast<std::uint32_t>(row)); }});
}

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
    needs.line = line();
    needs.pixel = pixel();
    const QString last = QString::number(std::max(needs.gpus, needs.chunks) - 1);
    needs.names = std::max(metrics.horizontalAdvance(tr("chunk %1").arg(last)),
                           m_facts.plan.reduces() ? metrics.horizontalAdvance(tr("for GPU %1").arg(last)) : 0.0);
    needs.wordRows = m_splitRows + m_nowRows;
    needs.legend = paintFillLegend(nullptr, QRectF(0, 0, width() - line() * 1.6, 0), legend(), font(), {});
    return needs;
}

void SplitView::layOut() {
    if (!hasRun())
        return;
    const QFontMetricsF metrics(font());
    const double room = std::max(1.0, width() - line() * 1.6);
    const QRectF words = metrics.boundingRect(QRectF(0, 0, room, 1e5), Qt::TextWordWrap, splitWords());
    m_splitRows = std::clamp(static_cast<int>(std::ceil(words.height() / line() - 0.1)), 1, kMostSplitRows);
    m_nowRows = metrics.averageCharWidth() * kNowLetters > room ? 2 : 1;
    m_layout = layoutSplit(needs());
    const int spacing = static_cast<int>(std::lround(textureSpacing(line()) * ratio()));
    for (std::size_t kind = 0; kind < kSumFills; ++kind)
        m_stamps[kind] = fillStamp(fillOf(static_cast<SumFill>(kind), colors()), spacing);
}

std::vector<PartState> SplitView::states() {
    m_now = momentWords();
    std::vector<PartState> states{{nowBox(), stateOf(m_now)}};
    forCells([&](std::uint32_t gpu, std::uint32_t chunk) {
        const data::ChunkSums sums = sumsAt(gpu, chunk);
        states.push_back(
            {m_layout.cell(gpu, chunk),
             stateOf(sums.whole, sums.sent, sums.least, sums.most, qHashRange(sums.in.begin(), sums.in.end()),
                     qHashRange(sums.gone.begin(), sums.gone.end()), sends(gpu, chunk), receives(gpu, chunk))});
    });
    return states;
}

std::vector<Part> SplitView::parts() {
    std::vector<Part> parts;
    forCells([&](std::uint32_t gpu, std::uint32_t chunk) {
        parts.push_back({m_layout.cell(gpu, chunk), [this, gpu, chunk](QPointF) { return chunkWords(gpu, chunk); },
                         [this, gpu, chunk](QPointF) {
                             m_viewState.setFocusedGpu(gpu);
                             toggleFollowed(chunk);
                         }});
    });
    for (std::uint32_t gpu = m_layout.firstGpu; gpu < m_layout.firstGpu + m_layout.shownGpus; ++gpu)
        parts.push_back({m_layout.head(gpu), [this, gpu](QPointF) { return splitText(m_facts, gpu); },
                         [this, gpu](QPointF) { m_viewState.setFocusedGpu(gpu); }});
    for (std::uint32_t chunk = m_layout.firstChunk; chunk < m_layout.firstChunk + m_layout.shownChunks; ++chunk)
        parts.push_back({m_layout.name(chunk), {}, [this, chunk](QPointF) { m_viewState.setFollowedChunk(chunk); }});
    parts.push_back({m_layout.words, [this](QPointF) { return splitWords() + QLatin1Char('\n') + momentWords(); }});
    for (const Matrix& matrix : matrices()) {
        const std::uint32_t strips = cutOf(matrix.letter) ? m_facts.gpus : 1;
        for (std::uint32_t gpu = 0; gpu < strips; ++gpu)
            parts.push_back({stripOf(matrix.box, gpu, strips, cutOf(matrix.letter).value_or(true), pixel()),
                             [this, letter = matrix.letter, gpu](QPointF) {
                                 const QString text = matrixText(m_facts, letter);
                                 return cutOf(letter) ? text + QLatin1Char('\n') + splitText(m_facts, gpu) : text;
                             }});
    }
    return parts;
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
    return cell.adjusted(0, 0, -snap(std::min(line() * 0.4, cell.width() * 0.12)),
                         -snap(std::min(line() * 0.22, cell.height() * 0.14)));
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
        parts > 1 && place > line() * 0.35 ? std::max(pixel, std::round(line() * 0.06 / pixel) * pixel) : 0;
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

// Follows the next or previous chunk. If no chunk is followed, down goes to the first chunk and up to the last.
void SplitView::chooseChunk(int by) {
    const std::uint32_t last = m_facts.chunks() - 1;
    const auto chunk = followedChunk();
    if (!chunk)
        return m_viewState.setFollowedChunk(by > 0 ? 0 : last);
    if (by > 0 ? *chunk < last : *chunk > 0)
        m_viewState.setFollowedChunk(by > 0 ? *chunk + 1 : *chunk - 1);
}

std::function<void()> SplitView::actionOf(int key) {
    const int all = static_cast<int>(m_facts.gpus);
    switch (key) {
    case Qt::Key_Left: return [this] { moveFocus(-1); };
    case Qt::Key_Right: return [this] { moveFocus(1); };
    case Qt::Key_Home: return [this, all] { moveFocus(-all); };
    case Qt::Key_End: return [this, all] { moveFocus(all); };
    case Qt::Key_Up: return [this] { chooseChunk(-1); };
    case Qt::Key_Down: return [this] { chooseChunk(1); };
    case Qt::Key_Return:
    case Qt::Key_Enter: return [this] { Q_EMIT tableRequested(); };
    default: return {};
    }
}

}  // namespace ui
