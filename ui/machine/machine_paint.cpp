// The part of MachineView that paints.
#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/partial_paint.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"
#include "ui/machine/machine_view.h"
#include "ui/machine/tile_picture.h"
#include "ui/machine/topology_paint.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kTrackWidth = 0.7;  // lines
constexpr double kChevronEvery = 5;
constexpr double kDotSize = 0.6;  // of the dot for a chunk in transit, if there is no room for its number
constexpr qsizetype kMostLines = 3;
constexpr double kLeastNumber = 0.7;      // relative to the usual text size
constexpr std::size_t kRoomyLinks = 130;  // the chunks on links are numbered if there are at most this many links

/// Returns the font, made smaller if `text` would be wider or higher than `room`, but never smaller than legible.
QFont fitted(const QFont& font, const QString& text, QSizeF room) {
    const QFontMetricsF metrics(font);
    const double share = std::min(room.width() / metrics.horizontalAdvance(text), room.height() / metrics.ascent());
    const auto weight = static_cast<QFont::Weight>(font.weight());
    return share >= 1 ? font : scaledFont(font, std::max(kLeastNumber, share), weight);
}

Fill parcelFill(const Parcel& parcel, const Palette& colors) {
    return fillOf(parcel.gathering ? data::TileState::reduced : data::TileState::inFlight, colors);
}

}  // namespace

void MachineView::paintMoment(QPainter& painter, const QRegion& region) {
    if (!inShapes() && region.intersects(QRect(0, 0, width(), static_cast<int>(line() * 3))))
        paintHeader(painter);  // in a figure, the caption says this
    paintLinks(painter);
    for (std::uint32_t gpu = 0; gpu < m_cards.size(); ++gpu) {
        if (region.intersects(damageOf(m_map.cards[gpu])))
            paintCard(painter, gpu);
    }
    paintDetail(painter, region);
    paintParcels(painter);
}

void MachineView::paintBackground(QPainter& painter) {
    if (!m_map.track)
        paintTopology(painter, m_facts, m_map, look());
    else if (m_moment.gpus() > 1)
        paintTrack(painter);
    for (std::uint32_t gpu = 0; gpu < m_map.cards.size(); ++gpu)
        paintCardFrame(painter, gpu);
    painter.setFont(font());
    if (!m_legend.isEmpty())
        paintTileLegend(painter, m_legend, m_moment.tileWords(), colors());
    painter.setPen(colors().inkSoft);
    if (m_detail.caption.isEmpty())
        return;
    const QStringList output = outputTexts(m_grid, m_moment.run()->run.result.shape, m_large.cells().outerAcross);
    painter.drawText(m_detail.caption, Qt::AlignCenter | Qt::TextDontClip,
                     output[static_cast<int>(m_detail.captionText)]);
}

// Writes a summary of all links, and below it the ring's use of links or the facts of the selected link.
void MachineView::paintHeader(QPainter& painter) const {
    const QFontMetricsF metrics(font());
    const double margin = line() * 0.8;
    QRectF row(margin, line() * 0.35, width() - margin * 2, line() * 1.15);
    painter.setFont(font());
    const auto write = [&](const QString& text, const QColor& ink) {
        painter.setPen(ink);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, row.width()));
        row.translate(0, line() * 1.15);
    };
    const QString picked =
        m_pickedLink ? linkText(*m_pickedLink).split(QLatin1Char('\n')).join(QStringLiteral(" · ")) : QString();
    if (m_headerRows > 1 || picked.isEmpty())
        write(m_facts.headline(), colors().ink);
    if (!picked.isEmpty())
        write(picked, colors().ink);
    else if (m_headerRows > 1)
        write(m_facts.ringText(), colors().inkSoft);
}

// Highlights the links that carry data now. On a track the chunks themselves show it.
void MachineView::paintLinks(QPainter& painter) const {
    if (m_pickedLink)
        paintPickedLink(painter, m_map, *m_pickedLink, look());
    if (m_map.track && followsRing())
        return;
    const bool roomy = m_map.links.size() <= kRoomyLinks;
    const engine::Trace& trace = m_moment.log().trace();
    const bool gathers = m_moment.ps() >= trace.allGatherStart.ps && m_moment.ps() < trace.allGatherEnd.ps;
    for (std::uint32_t link = 0; link < m_map.links.size(); ++link) {
        const auto chunk = m_map.links[link].empty() ? std::nullopt : m_use.chunkOn(link, m_moment.ps());
        if (chunk)
            paintBusyLink(painter, m_facts, m_map, link, roomy && !followsRing() ? chunk : std::nullopt,
                          gathers ? Role::allGather : Role::reduceScatter, look());
    }
}

void MachineView::paintTrack(QPainter& painter) const {
    const RingLayout& ring = *m_map.track;
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::uint32_t gpu = 0; gpu < m_map.cards.size(); ++gpu) {
        painter.setPen(QPen(colors().line, line() * 0.16));
        painter.drawLine(ring.stems[gpu], ring.track.at(ring.ports[gpu]));
        painter.strokePath(pathAlong(ring.way(gpu)), QPen(colors().grid, line() * kTrackWidth));
        painter.setPen(QPen(colors().inkFaint, line() * 0.1, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const double length = ring.wayLength(gpu);
        const int chevrons = std::max(1, static_cast<int>(length / (line() * kChevronEvery)));
        for (int i = 0; i < chevrons; ++i) {
            const double share = (i + 0.5) / chevrons;
            const QPointF tip = ring.onWay(gpu, share + line() * 0.12 / length);
            const QPointF tail = ring.onWay(gpu, share - line() * 0.12 / length);
            const QPointF side = QPointF(tail.y() - tip.y(), tip.x() - tail.x());
            if (std::min(std::abs(side.x()), std::abs(side.y())) > 0.01)
                continue;  // in a bend an arrow would not point along the track
            painter.drawPolyline(QPolygonF{tail + side * 0.8, tip, tail - side * 0.8});
        }
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors().inkFaint);
    for (const double port : ring.ports)
        painter.drawEllipse(ring.track.at(port), line() * 0.22, line() * 0.22);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void MachineView::paintCardFrame(QPainter& painter, std::uint32_t gpu) const {
    const QRectF& card = m_map.cards[gpu];
    const bool focused = gpu == focusedGpu();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(focused ? colors().accent : colors().line, focused ? line() * 0.16 : 1));
    painter.setBrush(colors().window);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), line() * 0.3, line() * 0.3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(strongFont(font()));
    painter.setPen(colors().ink);
    const QString full = tr("GPU %1").arg(gpu);
    const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(full) < card.width() - line() * 0.6;
    if (isCompact()) {
        const QRectF room = m_cards.empty() ? card : card.adjusted(0, 0, line() * 1.6 - card.width(), 0);
        painter.setFont(fitted(painter.font(), QString::number(m_map.cards.size() - 1), room.size() - QSizeF(1, 1)));
        painter.drawText(room, Qt::AlignCenter | Qt::TextDontClip, QString::number(gpu));
        return;
    }
    painter.drawText(QRectF(card.left() + line() * 0.4, card.top(), card.width() - line() * 0.6, line() * 1.2),
                     Qt::AlignLeft | Qt::AlignVCenter, fits ? full : QString::number(gpu));
}

void MachineView::paintCard(QPainter& painter, std::uint32_t gpu) {
    TilePicture& picture = m_cards[gpu];
    const data::GpuState& state = m_moment.of(gpu);
    const QRectF room = cardRoom(gpu);
    const QRectF box = pictureBox(picture, room);
    paintPicture(painter, picture, box, state);
    paintFollowed(painter, picture, box);
    if (isCompact())
        return;
    paintSmallGauges(painter, smallGaugesRoom(gpu), m_gauges[gpu]);
}

void MachineView::paintPicture(QPainter& painter, TilePicture& picture, const QRectF& box,
                               const data::GpuState& state) const {
    if (inShapes())
        return paintTileShapes(painter, box.topLeft(), picture.cells(), m_grid, state.tiles, look());
    picture.show(m_grid, state.tiles);
    copyPixels(painter, box.topLeft(), picture.image());
}

// Paints the gauges of a card side by side, in the order of the large ones, and without names.
void MachineView::paintSmallGauges(QPainter& painter, const QRectF& box, const std::vector<Gauge>& gauges) const {
    const double count = std::max<double>(1, static_cast<double>(gauges.size()));
    const double gap = line() * 0.2;
    const double width = (box.width() - gap * (count - 1)) / count;
    double x = box.left();
    for (const Gauge& gauge : gauges) {
        const double left = snapped(x);
        const double right = snapped(x + width);
        painter.fillRect(QRectF(left, snapped(box.top()), right - left, snapped(box.height())), colors().grid);
        painter.fillRect(QRectF(left, snapped(box.top()), snapped((right - left) * gauge.share), snapped(box.height())),
                         colors().of(gauge.role));
        x += width + gap;
    }
}

void MachineView::paintFollowed(QPainter& painter, const TilePicture& picture, const QRectF& box) const {
    const auto chunk = m_viewState.followedChunk();
    if (!chunk || *chunk >= m_grid.chunks())
        return;
    const QRect pixels = picture.cells().chunkBox(m_grid, *chunk);
    const QRectF frame(box.topLeft() + QPointF(pixels.topLeft()) / ratio(), QSizeF(pixels.size()) / ratio());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().surface, line() * 0.24));
    painter.drawRect(frame);
    painter.setPen(QPen(colors().ink, line() * 0.14));
    painter.drawRect(frame);
}

QSizeF MachineView::numberedToken() const {
    const QFontMetricsF metrics(strongFont(font()));
    const QString longest = QString::number(std::max(1u, m_grid.chunks()) - 1);
    const double height = line() * 1.2;
    return {std::max(height, metrics.horizontalAdvance(longest) + line() * 0.6), height};
}

QRectF MachineView::tokenBox(const Parcel& parcel) const {
    QRectF box(QPointF(), m_numbersParcels ? numberedToken() : QSizeF(line(), line()) * kDotSize);
    box.moveCenter(m_map.hops[parcel.sender].at(parcel.share));
    return box;
}

void MachineView::paintParcels(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Parcel& parcel : m_parcels) {
        QColor color = parcelFill(parcel, colors()).color;
        color.setAlphaF(parcel.moving ? 1.0F : 0.45F);
        const std::vector<QPointF> way = m_map.hops[parcel.sender].upTo(parcel.share);
        painter.strokePath(pathAlong(way), QPen(color, line() * 0.34, Qt::SolidLine, Qt::FlatCap));
    }
    // Chunks that move are painted over chunks that wait.
    for (const bool moving : {false, true}) {
        for (const Parcel& parcel : m_parcels) {
            if (parcel.moving == moving)
                paintToken(painter, parcel);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void MachineView::paintToken(QPainter& painter, const Parcel& parcel) const {
    const QRectF box = tokenBox(parcel);
    const QColor color = parcel.moving ? parcelFill(parcel, colors()).color : colors().surface;
    const bool followed = m_viewState.followedChunk() == parcel.chunk;
    painter.setBrush(color);
    painter.setPen(QPen(followed        ? colors().ink
                        : parcel.moving ? colors().surface
                                        : parcelFill(parcel, colors()).color,
                        line() * (followed ? 0.2 : 0.12)));
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    if (!m_numbersParcels)
        return;
    painter.setFont(strongFont(font()));
    painter.setPen(Palette::inkOn(color));
    painter.drawText(box, Qt::AlignCenter, QString::number(parcel.chunk));
}

void MachineView::paintDetail(QPainter& painter, const QRegion& region) {
    const std::uint32_t gpu = focusedGpu();
    const data::GpuState& state = m_moment.of(gpu);
    const QRectF box = largeBox();
    if (region.intersects(damageOf(largeAndNumbers()))) {
        paintPicture(painter, m_large, box, state);
        if (m_detail.numbers)
            paintChunkNumbers(painter, state);
        paintFollowed(painter, m_large, box);
    }
    if (m_detail.words.isEmpty())
        return;
    if (region.intersects(damageOf(m_detail.words)))
        paintWords(painter);
    const std::vector<Gauge>& gauges = m_gauges[gpu];
    for (std::size_t i = 0; i < std::min(gauges.size(), m_detail.gauges.size()); ++i) {
        if (region.intersects(damageOf(m_detail.gauges[i].adjusted(0, 0, 0, line()))))
            paintGauge(painter, m_detail.gauges[i], gauges[i]);
    }
}

// Writes the name of the focused GPU and its current work: one item in a line, or all in one line.
void MachineView::paintWords(QPainter& painter) const {
    QRectF room = m_detail.words;
    QStringList lines = m_doing;
    const QString name = tr("GPU %1").arg(focusedGpu());
    const QFont title = scaledFont(font(), m_detail.brief ? 1 : 1.4, QFont::DemiBold);
    painter.setFont(title);
    painter.setPen(colors().ink);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignTop, name);
    if (m_detail.brief) {
        room.setLeft(room.left() + QFontMetricsF(title).horizontalAdvance(name) + line());
        lines = {lines.join(QStringLiteral(" · "))};
    } else {
        room.setTop(room.top() + line() * 1.9);
    }
    // The number of lines is limited, so that the gauges keep their place.
    if (lines.size() > kMostLines) {
        lines = lines.mid(0, kMostLines);
        lines.back() += QStringLiteral(" …");
    }
    painter.setFont(font());
    painter.setPen(colors().inkSoft);
    const QFontMetricsF metrics(font());
    for (const QString& words : lines) {
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(words, Qt::ElideRight, room.width()));
        room.setTop(room.top() + line() * 1.2);
    }
}

// Writes the chunk numbers above the chunks, or left of them if the chunks are below each other.
void MachineView::paintChunkNumbers(QPainter& painter, const data::GpuState& state) const {
    const QRectF box = largeBox();
    const bool across = m_large.cells().outerAcross;
    const QFontMetricsF metrics(strongFont(font()));
    const double widest = metrics.horizontalAdvance(tr("chunk %1").arg(m_grid.chunks())) + line() * 0.5;
    const bool words = across && box.width() / std::max(1u, m_grid.chunks()) > widest;
    // If the chunks are narrower than their numbers, only every n-th chunk is numbered.
    const double number = metrics.horizontalAdvance(QString::number(m_grid.chunks())) + line() * 0.3;
    const double apart = (across ? box.width() : box.height()) / std::max(1u, m_grid.chunks());
    const auto every = static_cast<std::uint32_t>(std::max(1.0, std::ceil((across && !words ? number
                                                                           : across         ? 0
                                                                                            : line() * 0.9) /
                                                                          std::max(1.0, apart))));
    for (std::uint32_t chunk = 0; chunk < m_grid.chunks(); chunk += every) {
        const QRect pixels = m_large.cells().chunkBox(m_grid, chunk);
        if (pixels.isEmpty())
            continue;
        const QRectF band(box.topLeft() + QPointF(pixels.topLeft()) / ratio(), QSizeF(pixels.size()) / ratio());
        const QRectF place = across ? QRectF(band.left(), box.top() - line() * 1.2, band.width(), line() * 1.2)
                                    : QRectF(box.left() - line() * 2.2, band.top(), line() * 1.9, band.height());
        const bool sends = state.sendingChunk == chunk;
        const bool strong = sends || m_viewState.followedChunk() == chunk;
        painter.setFont(scaledFont(font(), 1, strong ? QFont::Bold : QFont::Normal));
        painter.setPen(strong ? colors().ink : colors().inkSoft);
        const QString text = words ? tr("chunk %1").arg(chunk) : QString::number(chunk);
        painter.drawText(place.adjusted(-line(), 0, across ? line() : 0, 0),
                         (across ? Qt::AlignHCenter : Qt::AlignRight) | Qt::AlignVCenter, text);
    }
}

void MachineView::paintGauge(QPainter& painter, const QRectF& room, const Gauge& gauge) const {
    const QRectF words(room.left(), room.top(), room.width(), line() * 1.2);
    painter.setBrush(Qt::NoBrush);
    painter.setFont(font());
    painter.setPen(colors().inkSoft);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, gauge.title);
    painter.setFont(scaledFont(font(), 0.88));
    painter.setPen(colors().inkFaint);
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, gauge.scale);
    const double scale = QFontMetricsF(painter.font()).horizontalAdvance(gauge.scale) + line() * 0.35;
    painter.setFont(strongFont(font()));
    painter.setPen(colors().ink);
    painter.drawText(words.adjusted(0, 0, -scale, 0), Qt::AlignRight | Qt::AlignVCenter, gauge.value);
    const double height = std::clamp(room.height() - line() * 1.7, line() * 0.3, line() * 0.7);
    const QRectF bar(snapped(room.left()), snapped(words.bottom()), snapped(room.width()), snapped(height));
    painter.fillRect(bar, colors().grid);
    painter.fillRect(QRectF(bar.topLeft(), QSizeF(snapped(bar.width() * gauge.share), bar.height())),
                     colors().of(gauge.role));
    painter.setPen(colors().line);
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
}

}  // namespace ui
