#include "ui/machine/machine_view.h"

#include "data/replay/ring_places.h"
#include "data/replay/shown_run.h"
#include "ui/look/direction.h"
#include "ui/look/format.h"
#include "ui/look/run_words.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kFlattest = 2.4;  // the flattest room for a card's picture; flatter pictures fit, too
constexpr double kSteepest = 1.3;
constexpr double kHeaderRow = 1.15;  // lines
constexpr double kRoomyHeight = 22;  // lines: in a lower view the header has one row, and a tool tip shows the rest
constexpr double kMostLegend =
    0.2;                          // of the height; without a legend, tool tips and the view Chunks explain the colours
constexpr double kCaption = 1.9;  // lines: height of a card without its picture
constexpr double kLinkReach = 0.35;  // lines: the largest distance at which the pointer is on a link

QString figureTr(const char* text) { return QCoreApplication::translate("MachineFigure", text); }

}  // namespace

MachineView::MachineView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : MomentPicture(viewState, moment,
                    {.name = QStringLiteral("machine"),
                     .spoken = tr("Machine: the GPUs and the links between them"),
                     .least = {34, 10},
                     .tipsAtOnce = true},
                    tr("A perfect overlap is calculated from isolated runs: there is nothing to play.\nChoose the "
                       "policy Sequential, T3 or T3-MCA and run it (Ctrl+Return) to see the machine at work."),
                    parent) {
    connect(&m_viewState, &ViewState::followedChunkChanged, this, qOverload<>(&QWidget::update));
    showRun();
}

void MachineView::showRun() {
    m_grid = {};
    m_scales = {};
    m_facts = {};
    m_use = {};
    m_pickedLink.reset();
    if (hasRun()) {
        const engine::Experiment experiment = data::asRun(m_moment.run()->run);
        m_facts = TopologyFacts(experiment, engine::topologyOf(experiment));
        m_use = LinkUse(m_moment.run()->run.result.trace, m_facts.topology());
        m_grid = data::outputGridOf(m_moment.log().trace().output, experiment.gemm);
        m_scales = GaugeScales(m_moment.log().trace(), experiment);
    }
    relayout();
}

bool MachineView::followsRing() const { return data::goesAroundRing(m_moment.run()->run.experiment); }

// Describes what a GPU does. If chunks do not go around a ring, the links show what is sent.
QStringList MachineView::doing(std::uint32_t gpu) const {
    data::GpuState state = m_moment.of(gpu);
    if (!followsRing()) {
        state.sendingChunk.reset();
        state.receivingChunk.reset();
    }
    const bool ended = m_moment.ps() >= m_viewState.runEnd();
    QStringList lines =
        doingLines(*m_moment.run()->index, scatterWord(m_moment.run()->run.experiment), gpu, state, ended);
    const QStringList links =
        followsRing() ? QStringList() : trafficLines(m_facts.topology(), m_use, gpu, m_moment.ps());
    if (!links.isEmpty() && lines.size() == 1 && lines.front() == idleLine(ended))
        lines.clear();
    return lines + links;
}

QString MachineView::doingText(std::uint32_t gpu) const {
    return tr("GPU %1: %2").arg(gpu).arg(doing(gpu).join(QStringLiteral(", ")));
}

double MachineView::figureHeight(double width) const {
    // In a narrow column of a page the texts are below the picture of the GPU in focus.
    return width < 320 ? width * 1.25 : width * 0.62;
}

MomentFigureWords MachineView::figureWords(const QString& run, const QString& when) const {
    QStringList sentences{figureTr("GPUs and the links between them, with the chunks in transit.")};
    for (std::uint32_t gpu = 0; hasRun() && gpu < m_moment.gpus(); ++gpu)
        sentences << doingText(gpu) + QLatin1Char('.');
    return {.word = figureTr("machine"),
            .title = figureTr("Machine %1, %2").arg(when, run),
            .caption = figureTr("The machine %1 of a run of %2: the output of every GPU by the state of its tiles, the "
                                "chunks in transit, and one GPU in detail. %3")
                           .arg(when, run, m_facts.headline()),
            .alternative = sentences.join(QLatin1Char(' '))};
}

void MachineView::layOut() {
    m_cards.clear();
    if (!hasRun())
        return;
    const double margin = line() * 0.8;
    const double legend = tileLegendHeight(m_moment.tileWords(), width() - margin * 2, QFontMetricsF(font()));
    const bool hasLegend = inShapes() || legend < height() * kMostLegend;
    const double bottom = height() - line() * 0.4 - (hasLegend ? legend : 0);
    m_legend = hasLegend ? QRectF(margin, bottom, width() - margin * 2, height() - bottom) : QRectF();
    m_headerRows = inShapes() ? 0 : height() < line() * kRoomyHeight ? 1 : 2;
    const double top = line() * (0.6 + kHeaderRow * m_headerRows);
    const QRectF area(margin, top, width() - margin * 2, bottom - top - (hasLegend ? line() * 0.6 : 0));
    const double aspect = std::max(m_grid.aspect(), 1 / m_grid.aspect());
    const double number =
        QFontMetricsF(strongFont(font())).horizontalAdvance(QString::number(std::max(1u, m_moment.gpus()) - 1));
    m_map =
        mapOf(m_facts.topology(), area, {std::clamp(aspect, kSteepest, kFlattest), line(), line() * kCaption, number});
    m_numbersParcels = hasRoomForParcels();
    layOutDetail();
    if (showsInside()) {
        m_detail = {};
        m_inside->setGeometry(m_map.centre.toAlignedRect());
    }
    layOutPictures();
}

// Returns whether chunks in transit can show their numbers. On a path shorter than the width of a number, two numbers
// would overlap.
bool MachineView::hasRoomForParcels() const {
    if (m_map.hops.empty())
        return true;
    const auto shortest = std::min_element(m_map.hops.begin(), m_map.hops.end(),
                                           [](const Way& a, const Way& b) { return a.length() < b.length(); });
    return shortest->length() > numberedToken().width();
}

DetailNeeds MachineView::detailNeeds() const {
    const QFontMetricsF metrics(font());
    DetailNeeds needs;
    needs.line = line();
    needs.pictureWithin = [this](QSizeF room) {
        return QSizeF(layoutTiles(m_grid, (room * ratio()).toSize()).size()) / ratio();
    };
    const engine::Shape& shape = m_moment.run()->run.result.shape;
    for (int i = 0; i < outputTexts(m_grid, shape, true).size(); ++i) {
        double width = 0;
        for (const bool across : {false, true})
            width = std::max(width, metrics.horizontalAdvance(outputTexts(m_grid, shape, across)[i]));
        needs.captions.push_back(width);
    }
    const std::vector<Gauge> gauges = m_scales.gaugesOf(m_moment.of(focusedGpu()));
    const double amount = QFontMetricsF(strongFont(font())).horizontalAdvance(QStringLiteral("88.8 MB"));
    for (const Gauge& gauge : gauges) {
        const double scale = metrics.horizontalAdvance(gauge.scale);
        needs.gaugeWidth = std::max(needs.gaugeWidth, metrics.horizontalAdvance(gauge.title) + line() +
                                                          std::max(amount, scale) + line() * 0.4 + scale);
    }
    needs.gauges = gauges.size();
    return needs;
}

void MachineView::layOutDetail() {
    const QRectF room = m_map.centre.adjusted(line() * 0.6, line() * 0.2, -line() * 0.6, -line() * 0.2);
    DetailNeeds needs = detailNeeds();
    m_detail = layoutDetail(room, needs);
    // If chunks are below each other, their numbers are at their left.
    if (m_detail.numbers && !layoutTiles(m_grid, (m_detail.picture.size() * ratio()).toSize()).outerAcross) {
        needs.leftOfPicture = line() * 2.2;
        m_detail = layoutDetail(room, needs);
    }
}

void MachineView::layOutPictures() {
    m_tiles.clear();
    const TileStamps stamps = tileStamps(colors(), static_cast<int>(std::lround(textureSpacing(line()) * ratio())));
    const auto lay = [&](TilePicture& picture, const QRectF& room) {
        picture.layOut(m_grid, (room.size() * ratio()).toSize());
        picture.setLook(stamps, colors().inkFaint.rgb(), colors().line.rgb());
    };
    const bool room = !isCompact() || (cardRoom(0).width() > line() && cardRoom(0).height() > line() * 0.5);
    m_cards.resize(room ? m_moment.gpus() : 0);
    for (std::uint32_t gpu = 0; gpu < m_cards.size(); ++gpu)
        lay(m_cards[gpu], cardRoom(gpu));
    // The room is a little larger than the picture, because rounding must not shrink the picture.
    lay(m_large, m_detail.picture.adjusted(0, 0, pixel(), pixel()));
    for (std::uint32_t tile = 0; tile < m_grid.tiles(); ++tile)
        m_tiles.push_back(tileBox(tile));
}

bool MachineView::isCompact() const { return m_map.cards.front().height() < line() * kRoomyCard; }

QRectF MachineView::cardRoom(std::uint32_t gpu) const {
    if (isCompact())
        return m_map.cards[gpu].adjusted(line() * 1.6, line() * 0.2, -line() * 0.2, -line() * 0.2);
    return m_map.cards[gpu].adjusted(line() * 0.25, line() * 1.15, -line() * 0.25, -line() * 0.55);
}

QRectF MachineView::pictureBox(const TilePicture& picture, const QRectF& room) const {
    const QSizeF size = QSizeF(picture.cells().size()) / ratio();
    return {QPointF(snapped(room.center().x() - size.width() / 2), snapped(room.center().y() - size.height() / 2)),
            size};
}

QRectF MachineView::smallGaugesRoom(std::uint32_t gpu) const {
    const QRectF room = cardRoom(gpu);
    return {room.left(), room.bottom() + line() * 0.12, room.width(), line() * 0.28};
}

QRectF MachineView::largeAndNumbers() const {
    return largeBox().adjusted(-line() * 3.4, -line() * 1.4, line(), line());
}

QRectF MachineView::tileBox(std::uint32_t tile) const {
    const QRect inside = m_large.cells().inside(m_grid, tile);
    return {largeBox().topLeft() + QPointF(inside.topLeft()) / ratio(), QSizeF(inside.size()) / ratio()};
}

// A link that shows what is sent, or that is selected, may lead to any part of the picture.
bool MachineView::showsLinks() const { return m_pickedLink || !m_map.track || !followsRing(); }

std::vector<PartState> MachineView::states() {
    const std::uint32_t gpus = m_moment.gpus();
    const data::GpuState& focused = m_moment.of(focusedGpu());
    m_gauges.clear();
    m_parcels.clear();
    m_doing = doing(focusedGpu());
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        m_gauges.push_back(m_scales.gaugesOf(m_moment.of(gpu)));
        if (gpu >= m_map.hops.size() || !followsRing())
            continue;
        const auto sent = parcelsOf(gpu, m_moment.of(gpu), m_moment.of((gpu + gpus - 1) % gpus));
        m_parcels.insert(m_parcels.end(), sent.begin(), sent.end());
    }
    if (showsLinks())
        return {};
    const auto stateOfGauge = [](const Gauge& gauge) { return stateOf(gauge.value, gauge.share); };
    std::vector<PartState> states{{m_detail.words, stateOf(m_doing)},
                                  // The number of the chunk that is being sent is bold.
                                  {largeAndNumbers(), stateOf(focused.sendingChunk.value_or(engine::kNone))}};
    for (std::uint32_t gpu = 0; gpu < m_cards.size(); ++gpu) {
        const std::vector<data::TileState>& tiles = m_moment.of(gpu).tiles;
        states.push_back({pictureBox(m_cards[gpu], cardRoom(gpu)), qHashBits(tiles.data(), tiles.size())});
        std::size_t all = 0;
        for (const Gauge& gauge : m_gauges[gpu])
            all = stateOf(all, stateOfGauge(gauge));
        states.push_back({smallGaugesRoom(gpu), all});
    }
    const std::vector<Gauge>& gauges = m_gauges[focusedGpu()];
    for (std::size_t i = 0; i < std::min(gauges.size(), m_detail.gauges.size()); ++i)
        states.push_back({m_detail.gauges[i].adjusted(0, 0, 0, line()), stateOfGauge(gauges[i])});
    for (std::size_t tile = 0; tile < std::min(m_tiles.size(), focused.tiles.size()); ++tile)
        states.push_back({m_tiles[tile], static_cast<std::size_t>(focused.tiles[tile])});
    // The path that a chunk has covered is added segment by segment, because the bounding box of a path around a corner
    // would cover half the picture.
    for (const Parcel& parcel : m_parcels) {
        const std::size_t state = stateOf(parcel.sender, parcel.chunk, parcel.share, parcel.gathering, parcel.moving);
        const double margin = line() * 0.4;
        states.push_back({tokenBox(parcel).adjusted(-margin, -margin, margin, margin), state});
        const std::vector<QPointF> way = m_map.hops[parcel.sender].upTo(parcel.share);
        for (std::size_t i = 1; i < way.size(); ++i)
            states.push_back(
                {QRectF(way[i - 1], way[i]).normalized().adjusted(-margin, -margin, margin, margin), state});
    }
    return states;
}

std::vector<Part> MachineView::parts() {
    std::vector<Part> parts;
    const auto toggle = [this] { showInside(!showsInside()); };
    for (auto parcel = m_parcels.rbegin(); parcel != m_parcels.rend(); ++parcel)
        parts.push_back({tokenBox(*parcel),
                         [this, it = *parcel](QPointF) { return parcelTip(it); },
                         [this, chunk = parcel->chunk](QPointF) { toggleFollowed(chunk); },
                         {},
                         toggle});
    for (std::uint32_t gpu = 0; gpu < m_map.cards.size(); ++gpu)
        parts.push_back({m_map.cards[gpu],
                         [this, gpu](QPointF at) {
                             const auto tile =
                                 gpu < m_cards.size() ? tileAt(at, m_cards[gpu], cardRoom(gpu)) : std::nullopt;
                             return tile ? tileTip(gpu, *tile) : doingText(gpu);
                         },
                         [this, gpu](QPointF) { m_viewState.setFocusedGpu(gpu); },
                         {},
                         [this, gpu] { showInside(!showsInside() || gpu != focusedGpu()); }});
    parts.push_back({largeBox(),
                     [this](QPointF at) {
                         const auto tile = tileAt(at, m_large, m_detail.picture);
                         return tile ? tileTip(focusedGpu(), *tile) : QString();
                     },
                     [this](QPointF at) {
                         if (const auto tile = tileAt(at, m_large, m_detail.picture))
                             toggleFollowed(m_grid.chunkOf(*tile));
                     },
                     {},
                     toggle});
    parts.push_back({rect(),
                     [this](QPointF at) { return placeTip(at); },
                     [this](QPointF at) { m_pickedLink = linkAt(at); },
                     {},
                     toggle});
    return parts;
}

std::optional<std::uint32_t> MachineView::tileAt(QPointF at, const TilePicture& picture, const QRectF& room) const {
    const QPointF place = (at - pictureBox(picture, room).topLeft()) * ratio();
    return picture.cells().tileAt(m_grid, QPoint(qFloor(place.x()), qFloor(place.y())));
}

QString MachineView::tileTip(std::uint32_t gpu, std::uint32_t tile) const {
    return tileText(m_grid, m_moment.tileWords(), gpu, tile, m_moment.of(gpu),
                    m_moment.log().tileSince(gpu, tile, m_moment.ps()));
}

QString MachineView::parcelTip(const Parcel& parcel) const {
    const std::uint32_t gpus = m_moment.gpus();
    return tr("chunk %1 from GPU %2 to GPU %3\n%4: %5 transferred")
        .arg(parcel.chunk)
        .arg(parcel.sender)
        .arg((parcel.sender + gpus - 1) % gpus)
        .arg(parcel.gathering ? tr("all-gather") : scatterWord(m_moment.run()->run.experiment),
             formatPercent(parcel.share));
}

// Describes the link at a position, or the topology in the header.
QString MachineView::placeTip(QPointF at) const {
    if (const auto link = linkAt(at))
        return linkText(*link);
    return at.y() < line() * (0.5 + kHeaderRow * m_headerRows)
               ? m_facts.headline() + QLatin1Char('\n') + m_facts.ringText()
               : QString();
}

std::optional<std::uint32_t> MachineView::linkAt(QPointF at) const {
    return wayAt(m_map.links, at, line() * kLinkReach);
}

QString MachineView::linkText(std::uint32_t link) const {
    QString text = m_facts.linkText(link);
    if (const auto busy = m_use.busyShare(link))
        text += QLatin1Char('\n') + tr("busy %1 of the run").arg(formatPercent(*busy));
    if (const auto chunk = m_use.chunkOn(link, m_moment.ps()))
        text += QLatin1Char('\n') + tr("now: chunk %1").arg(*chunk);
    return text;
}

void MachineView::goTowards(int key) {
    std::vector<QPointF> cards;
    cards.reserve(m_map.cards.size());
    for (const QRectF& card : m_map.cards)
        cards.push_back(card.center());
    if (const auto gpu = nearestTowards(key, cards[focusedGpu()], cards))
        m_viewState.setFocusedGpu(static_cast<std::uint32_t>(*gpu));
}

std::function<void()> MachineView::actionOf(int key) {
    if (isEnter(key))
        return [this] { showInside(!showsInside()); };
    return isArrow(key) ? std::function<void()>([this, key] { goTowards(key); }) : std::function<void()>();
}

void MachineView::setInside(QWidget* inside) {
    m_inside = inside;
    m_inside->setParent(this);
    m_inside->hide();
}

void MachineView::showInside(bool shows) {
    if (m_inside == nullptr || shows == showsInside())
        return;
    m_inside->setVisible(shows && hasRun());
    relayout();
    (showsInside() ? m_inside : this)->setFocus();
    update();
    Q_EMIT insideShown(showsInside());
}

// A click on anything but a link lets the selected link go.
void MachineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        m_pickedLink.reset();
    MomentPicture::mousePressEvent(event);
    update();
}

}  // namespace ui
