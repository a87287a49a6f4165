// The part of SplitView that paints.
#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/split/split_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kNumberRoom = 0.94;                 // share of a cell's width that its number may take
constexpr double kOfAllRoom = 0.7;                   // the same for a number such as "3 of 8"
constexpr double kFormula = 1.15;                    // relative to the usual text size
constexpr double kChosenShade = 0.75;                // share of a matrix's colour in the selected strip
constexpr std::array<double, 2> kShades{0.15, 0.3};  // the same for the other strips, alternately

std::uint32_t distanceOf(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

QRect inPixels(const QRectF& box, double ratio) {
    const auto at = [ratio](double value) { return static_cast<int>(std::lround(value * ratio)); };
    return {QPoint(at(box.left()), at(box.top())), QPoint(at(box.right()) - 1, at(box.bottom()) - 1)};
}

}  // namespace

Fill fillOf(SumFill kind, const Palette& colors) {
    switch (kind) {
    case SumFill::own: return fillOf(data::TileState::stored, colors);
    case SumFill::others: return fillOf(data::TileState::oneUpdate, colors);
    case SumFill::sent: return fillOf(data::TileState::sent, colors);
    case SumFill::whole: return fillOf(data::TileState::reduced, colors);
    case SumFill::empty: break;
    }
    return fillOf(data::TileState::notProduced, colors);
}

std::vector<FillLegendEntry> SplitView::legend() const {
    const TileWords words = m_moment.tileWords();
    const bool sums = m_facts.plan.reduces();
    std::vector<FillLegendEntry> entries{{tr("not here yet"), fillOf(SumFill::empty, colors()), true},
                                         {sums ? tr("own partial sum") : tr("here"), fillOf(SumFill::own, colors())}};
    if (sums)
        entries.push_back({tr("partial sums of other GPUs"), fillOf(SumFill::others, colors())});
    if (m_facts.kind != SplitKind::whole) {
        entries.push_back({tr("sent on"), fillOf(SumFill::sent, colors())});
        entries.push_back({words.nameOf(data::TileState::reduced), fillOf(SumFill::whole, colors())});
    }
    if (m_ring)
        entries.push_back({tr("arrow: moving to the previous GPU"), {colors().surface, colors().surface}});
    return entries;
}

void SplitView::paintMoment(QPainter& painter, const QRegion& region) {
    forCells([&](std::uint32_t gpu, std::uint32_t chunk) {
        if (region.intersects(insideOf(gpu, chunk).toAlignedRect()))
            paintCell(painter, gpu, chunk);
    });
    painter.setFont(font());
    painter.setPen(colors().ink);
    painter.drawText(nowBox(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_now);
    if (!inShapes())  // the selection is of no interest to a figure's reader
        paintChosen(painter);
}

// Returns whether there is room for numbers such as "3 of 8". All cells have them or none, and they never hide most of
// a cell.
bool SplitView::hasRoomForAll() const {
    const QString parts = QString::number(m_facts.plan.parts());
    const QString longest = tr("%1 of %2").arg(QStringLiteral("%1–%1").arg(parts), parts);
    const double width = insideOf(m_layout.firstGpu, m_layout.firstChunk).width();
    return QFontMetricsF(font()).horizontalAdvance(longest) < width * kOfAllRoom;
}

// Paints the filled places of a cell: for a figure as shapes, otherwise pixel by pixel.
void SplitView::paintPlaces(QPainter& painter, const std::vector<std::pair<QRectF, SumFill>>& places) const {
    if (inShapes()) {
        for (const auto& [box, kind] : places)
            paintFill(painter, box, fillOf(kind, colors()), textureSpacing(line()));
        return;
    }
    painter.save();
    painter.scale(pixel(), pixel());
    painter.setBrushOrigin(m_layout.cells.topLeft() * ratio());
    for (const auto& [box, kind] : places)
        painter.fillRect(inPixels(box, ratio()), m_stamps[static_cast<std::size_t>(kind)]);
    painter.restore();
}

// Paints the places, the frame and the number of a cell. An arrow at the left: the chunk is being sent to the GPU before;
// an arrow at the right: it is being received from the GPU after.
void SplitView::paintCell(QPainter& painter, std::uint32_t gpu, std::uint32_t chunk) {
    ++m_paintedCells;
    const QRectF box = insideOf(gpu, chunk);
    const data::ChunkSums sums = sumsAt(gpu, chunk);
    painter.setFont(font());
    paintPlaces(painter, fillsOf(box, sums));
    const double pixel = m_layout.pixel;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().inkFaint, pixel));
    painter.drawRect(box.adjusted(pixel / 2, pixel / 2, -pixel / 2, -pixel / 2));
    const QFontMetricsF metrics(font());
    const bool counts = m_facts.plan.reduces();
    const bool leaves = sends(gpu, chunk), arrives = receives(gpu, chunk);
    const auto there = sums.in.empty() ? 0 : sums.in[0] + sums.sent + sums.whole;
    const QString number =
        counts ? shortSumsText(sums) : formatPercent(static_cast<double>(there) / std::max(1u, sums.tiles));
    const QString ofAll = counts && hasRoomForAll() ? tr("%1 of %2").arg(number).arg(m_facts.plan.parts()) : number;
    const double arrow = std::min({line() * 0.5, box.height() * 0.4, box.width() * 0.16});
    const double arrows = leaves || arrives ? arrow * 2 : 0;
    for (const QString& text : {ofAll, number}) {
        QRectF plate(0, 0, metrics.horizontalAdvance(text) + line() * 0.15, line() * 1.02);
        if (plate.width() > box.width() * kNumberRoom - arrows || plate.height() > box.height())
            continue;
        plate.moveCenter(box.center());
        painter.fillRect(plate, Palette::seeThrough(colors().surface, inShapes() ? 255 : 225));
        painter.setPen(colors().ink);
        painter.drawText(plate, Qt::AlignCenter, text);
        break;
    }
    painter.setPen(QPen(colors().surface, pixel));
    painter.setBrush(colors().ink);
    const double y = box.center().y();
    const auto point = [&](double tip) {
        painter.drawPolygon(
            QPolygonF{QPointF(tip, y), QPointF(tip + arrow, y - arrow), QPointF(tip + arrow, y + arrow)});
    };
    painter.setRenderHint(QPainter::Antialiasing);
    if (leaves)
        point(box.left() + pixel);
    if (arrives)
        point(box.right() - arrow - pixel);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void SplitView::paintBackground(QPainter& painter) {
    const double row = m_layout.words.height() / (m_splitRows + m_nowRows);
    painter.setFont(strongFont(font()));
    painter.setPen(colors().ink);
    painter.drawText(QRectF(m_layout.words.topLeft(), QSizeF(m_layout.words.width(), row * m_splitRows)),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, splitWords());
    painter.setFont(font());
    if (!m_layout.a.isEmpty())
        paintMatrices(painter);
    paintNames(painter);
    paintMore(painter);
    paintFillLegend(&painter, m_layout.legend, legend(), font(), colors().inkSoft);
}

// Writes the numbers of strips. If there is not room for all, only every n-th is written, and none that would overlap
// the number of the selected strip.
void SplitView::paintNumbers(QPainter& painter, const NumberedStrips& strips) const {
    const QFontMetricsF metrics(strongFont(font()));
    const double needed = strips.leftToRight
                              ? metrics.horizontalAdvance(QString::number(strips.count - 1)) + line() * 0.2
                              : metrics.ascent() + 1;
    const auto every =
        std::max(1u, static_cast<std::uint32_t>(std::ceil(needed * strips.count / std::max(1.0, strips.length))));
    for (std::uint32_t i = 0; i < strips.count; ++i) {
        const bool chosen = strips.chosen == i;
        if (!chosen && (i % every != 0 || (strips.chosen && distanceOf(i, *strips.chosen) < every)))
            continue;
        painter.setFont(chosen ? strongFont(font()) : font());
        painter.setPen(chosen ? Palette::inkOn(strips.chosenColor) : colors().inkSoft);
        painter.drawText(strips.boxOf(i), Qt::AlignCenter | Qt::TextDontClip, QString::number(i));
    }
}

void SplitView::paintFrames(QPainter& painter, const QRectF& whole, const QRectF& chosen) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().inkFaint, m_layout.pixel));
    painter.drawRect(whole);
    if (chosen.isEmpty())
        return;
    painter.setPen(QPen(colors().ink, std::max(m_layout.pixel, line() * 0.1)));
    painter.drawRect(chosen);
}

// Paints the strips of a matrix, one for each GPU. The strip of the focused GPU is darker and framed.
void SplitView::paintStrips(QPainter& painter, const QRectF& box, bool leftToRight) const {
    const auto stripAt = [&](std::uint32_t gpu) {
        return stripOf(box, gpu, m_facts.gpus, leftToRight, m_layout.pixel);
    };
    const auto colorOf = [&](double share) { return Palette::mixed(colors().surface, colors().of(Role::gemm), share); };
    const std::uint32_t focused = focusedGpu();
    for (std::uint32_t gpu = 0; gpu < m_facts.gpus; ++gpu)
        painter.fillRect(stripAt(gpu), colorOf(gpu == focused ? kChosenShade : kShades[gpu % 2]));
    paintNumbers(painter, {.count = m_facts.gpus,
                           .chosen = focused,
                           .chosenColor = colorOf(kChosenShade),
                           .leftToRight = leftToRight,
                           .length = leftToRight ? box.width() : box.height(),
                           .boxOf = stripAt});
    paintFrames(painter, box, stripAt(focused));
}

// Paints the chunks of the output at their positions in the matrix C.
void SplitView::paintChunkBands(QPainter& painter) const {
    const QColor base = fillOf(SumFill::whole, colors()).color;
    const auto colorOf = [&](double share) { return Palette::mixed(colors().surface, base, share); };
    const auto chosen = followedChunk();
    for (std::uint32_t chunk = 0; chunk < m_facts.chunks(); ++chunk)
        painter.fillRect(bandOf(chunk), colorOf(chosen == chunk ? kChosenShade : kShades[chunk % 2]));
    const bool across = !m_facts.grid.rowsAreOuter;
    paintNumbers(painter, {.count = m_facts.chunks(),
                           .chosen = chosen,
                           .chosenColor = colorOf(kChosenShade),
                           .leftToRight = across,
                           .length = across ? m_layout.c.width() : m_layout.c.height(),
                           .boxOf = [this](std::uint32_t chunk) { return bandOf(chunk); }});
    paintFrames(painter, m_layout.c, chosen ? bandOf(*chosen) : QRectF());
}

void SplitView::paintMatrices(QPainter& painter) const {
    for (const Matrix& matrix : matrices()) {
        if (const auto leftToRight = cutOf(matrix.letter)) {
            paintStrips(painter, matrix.box, *leftToRight);
        } else if (m_facts.kind != SplitKind::whole) {
            paintChunkBands(painter);
        } else {
            const Role role = matrix.letter == 'C' ? Role::allGather : Role::gemm;
            painter.fillRect(matrix.box, Palette::mixed(colors().surface, colors().of(role), kShades[1]));
            paintFrames(painter, matrix.box, {});
        }
    }
    painter.setFont(strongFont(font()));
    painter.setPen(colors().ink);
    for (const Matrix& matrix : matrices())
        painter.drawText(matrix.letterBox, Qt::AlignCenter, QString(QLatin1Char(matrix.letter)));
    paintFormula(painter);
    painter.setFont(font());
    painter.setPen(colors().inkSoft);
    const QFontMetricsF metrics(font());
    QRectF row(m_layout.captions.topLeft(), QSizeF(m_layout.captions.width(), m_layout.captions.height() / 3));
    for (const char letter : {'A', 'B', 'C'}) {
        QString text = matrixText(m_facts, letter);
        if (letter == 'C' && !m_layout.toScale)
            text += tr(" (lengths not to scale)");
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, row.width()));
        row.translate(0, row.height());
    }
}

// Writes the formula of C as a sum of products in the corner above A and left of B.
void SplitView::paintFormula(QPainter& painter) const {
    if (m_facts.kind != SplitKind::alongK)
        return;
    const QString text = sumFormula(m_facts.gpus);
    painter.setFont(scaledFont(font(), kFormula));
    const QRectF corner(m_layout.a.left(), m_layout.b.top(), m_layout.a.width(), m_layout.b.height());
    const QFontMetricsF metrics(painter.font());
    if (metrics.horizontalAdvance(text) > corner.width() - line() || metrics.height() > corner.height())
        return;
    painter.setPen(colors().ink);
    painter.drawText(corner, Qt::AlignCenter, text);
}

void SplitView::paintNames(QPainter& painter) const {
    painter.setFont(font());
    painter.setPen(colors().inkSoft);
    const QString what = m_facts.kind == SplitKind::gathered     ? tr("A on")
                         : m_facts.kind == SplitKind::collective ? tr("data on")
                                                                 : tr("C on");
    painter.drawText(
        QRectF(m_layout.names.left(), m_layout.heads.top(), m_layout.names.width(), m_layout.heads.height()),
        Qt::AlignRight | Qt::AlignVCenter, what);
    for (std::uint32_t gpu = m_layout.firstGpu; gpu < m_layout.firstGpu + m_layout.shownGpus; ++gpu) {
        const bool focused = gpu == focusedGpu();
        QRectF head = m_layout.head(gpu);
        head.setRight(insideOf(gpu, m_layout.firstChunk).right());
        painter.setFont(focused ? strongFont(font()) : font());
        painter.setPen(focused ? colors().ink : colors().inkSoft);
        const QString name = tr("GPU %1").arg(gpu);
        const bool roomy = QFontMetricsF(painter.font()).horizontalAdvance(name) < head.width();
        painter.drawText(head, Qt::AlignCenter, roomy ? name : QString::number(gpu));
    }
    for (std::uint32_t chunk = m_layout.firstChunk; chunk < m_layout.firstChunk + m_layout.shownChunks; ++chunk) {
        const bool followed = followedChunk() == chunk;
        QRectF name = m_layout.name(chunk);
        name.setBottom(insideOf(m_layout.firstGpu, chunk).bottom());
        painter.setFont(followed ? strongFont(font()) : font());
        painter.setPen(followed ? colors().ink : colors().inkSoft);
        const std::uint32_t keeper = m_facts.plan.keeperOf(chunk);
        QString text = tr("chunk %1").arg(chunk);
        if (m_facts.plan.reduces() && keeper < m_facts.gpus && name.height() > line() * 2.1)
            text += QLatin1Char('\n') + tr("for GPU %1").arg(keeper);
        painter.drawText(name, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, text);
    }
}

void SplitView::paintMore(QPainter& painter) const {
    if (m_layout.more.isEmpty())
        return;
    QStringList parts;
    if (m_layout.shownGpus < m_facts.gpus)
        parts << tr("%1 more GPUs (left and right arrow)").arg(m_facts.gpus - m_layout.shownGpus);
    if (m_layout.shownChunks < m_facts.chunks())
        parts << tr("%1 more chunks (up and down arrow)").arg(m_facts.chunks() - m_layout.shownChunks);
    painter.setFont(font());
    painter.setPen(colors().inkSoft);
    painter.drawText(
        m_layout.more, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(font()).elidedText(parts.join(QStringLiteral(", ")), Qt::ElideRight, m_layout.more.width()));
}

// Marks the selection: a bar above the column of the focused GPU, a bar beside the row of the followed chunk, and a
// frame around their common cell.
void SplitView::paintChosen(QPainter& painter) const {
    const std::uint32_t gpu = focusedGpu();
    const QRectF head = m_layout.head(gpu);
    const double width = insideOf(gpu, m_layout.firstChunk).width();
    painter.fillRect(QRectF(head.left(), head.bottom() - line() * 0.18, width, line() * 0.14), colors().accent);
    const auto chunk = followedChunk();
    if (!chunk || !m_layout.shows(gpu, *chunk))
        return;
    const QRectF name = m_layout.name(*chunk);
    painter.fillRect(QRectF(name.right() + line() * 0.12, name.top(), line() * 0.14, insideOf(gpu, *chunk).height()),
                     colors().accent);
    const double pen = std::max(m_layout.pixel, line() * 0.14);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().surface, pen * 2));
    const QRectF box = insideOf(gpu, *chunk).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2);
    painter.drawRect(box);
    painter.setPen(QPen(colors().ink, pen));
    painter.drawRect(box);
}

}  // namespace ui
