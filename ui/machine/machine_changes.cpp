// Finds the parts of the machine's picture that a change of time affects, so that playback repaints only those.
#include "ui/look/partial_paint.h"
#include "ui/machine/machine_view.h"
#include "ui/shared/ring_moment.h"

#include <algorithm>

namespace ui {
namespace {

constexpr std::size_t kManyTiles = 64;  // if more tiles change, the whole picture is repainted

QRectF around(QPointF a, QPointF b, double margin) {
    return QRectF(a, b).normalized().adjusted(-margin, -margin, margin, margin);
}

}  // namespace

MachineView::Shown MachineView::shownNow() const {
    Shown shown;
    const std::uint32_t gpus = m_moment.gpus();
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        shown.gauges.push_back(m_scales.gaugesOf(m_moment.of(gpu)));
        if (gpu >= m_map.hops.size() || !followsRing())
            continue;
        const auto sent = parcelsOf(gpu, m_moment.of(gpu), m_moment.of((gpu + gpus - 1) % gpus));
        shown.parcels.insert(shown.parcels.end(), sent.begin(), sent.end());
    }
    shown.doing = doing(focusedGpu());
    shown.sendingChunk = m_moment.of(focusedGpu()).sendingChunk;
    return shown;
}

QRegion MachineView::changesTo(const Shown& now) const {
    QRegion changes;
    for (std::uint32_t gpu = 0; gpu < m_cards.size(); ++gpu) {
        if (!m_cards[gpu].changedTiles(m_moment.of(gpu).tiles).empty())
            changes += damageOf(pictureBox(m_cards[gpu], cardRoom(gpu)));
        if (now.gauges[gpu] != m_painted.gauges[gpu])
            changes += damageOf(smallGaugesRoom(gpu));
    }
    return changes + changesOfDetail(now) + changesOfParcels(now);
}

QRegion MachineView::changesOfDetail(const Shown& now) const {
    QRegion changes;
    const QRectF picture = pictureBox(m_large, m_detail.picture);
    const std::vector<std::uint32_t> tiles = m_large.changedTiles(m_moment.of(focusedGpu()).tiles);
    if (tiles.size() > kManyTiles)
        changes += damageOf(picture);
    else
        std::ranges::for_each(tiles, [&](std::uint32_t tile) { changes += damageOf(tileBox(tile)); });
    if (now.sendingChunk != m_painted.sendingChunk)  // the number of the chunk being sent is bold
        changes += damageOf(picture.adjusted(-m_line * 3.4, -m_line * 1.4, m_line, m_line));
    if (now.doing != m_painted.doing)
        changes += damageOf(m_detail.words);
    const std::vector<Gauge>& gauges = now.gauges[focusedGpu()];
    const std::vector<Gauge>& before = m_painted.gauges[focusedGpu()];
    for (std::size_t i = 0; i < m_detail.gauges.size(); ++i) {
        if (i >= gauges.size() || i >= before.size() || gauges[i] != before[i])
            changes += damageOf(m_detail.gauges[i].adjusted(0, 0, 0, m_line));
    }
    return changes;
}

QRegion MachineView::changesOfParcels(const Shown& now) const {
    QRegion changes;
    const auto appendMissing = [&](const std::vector<Parcel>& parcels, const std::vector<Parcel>& from) {
        for (const Parcel& parcel : parcels) {
            if (std::ranges::find(from, parcel) == from.end())
                changes += placeOf(parcel);
        }
    };
    appendMissing(now.parcels, m_painted.parcels);
    appendMissing(m_painted.parcels, now.parcels);
    return changes;
}

// Returns the area of the chunk's token and of the path that it has covered. The path is added segment by segment,
// because the bounding box of a path around a corner would cover half the picture.
QRegion MachineView::placeOf(const Parcel& parcel) const {
    const double margin = m_line * 0.4;
    QRegion place(damageOf(tokenBox(parcel).adjusted(-margin, -margin, margin, margin)));
    const std::vector<QPointF> way = m_map.hops[parcel.sender].upTo(parcel.share);
    for (std::size_t i = 1; i < way.size(); ++i)
        place += damageOf(around(way[i - 1], way[i], margin));
    return place;
}

// Returns whether links show what is sent, or a link is selected: then a change may affect any part of the picture.
bool MachineView::showsLinks() const { return m_pickedLink || !m_map.track || !followsRing(); }

}  // namespace ui
