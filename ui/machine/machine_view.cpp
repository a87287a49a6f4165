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

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kFlattest = 2.4;  // the flattest room for a card's picture; flatter pictures fit, too
constexpr double kSteepest = 1.3;
constexpr double kHeaderRow = 1.15;  // lines
constexpr double kRoomyHeight = 22;  // lines: in a lower view the header has one row, and a tool tip shows the rest
constexpr double kMostLegend =
    0.2;                           // of the height; without a legend, tool tips and the view Chunks explain the colours
constexpr double kCaption = 1.9;   // lines: height of a card without its picture
constexpr double kPrintRatio = 8;  // pixels per unit for shapes: finer than 600 dpi at column width
constexpr double kLinkReach = 0.35;  // lines: the largest distance at which the pointer is on a link

}  // namespace

MachineView::MachineView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_moment(moment) {
    setNames(*this, QStringLiteral("machine"), tr("Machine: the GPUs and the links between them"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_moment, &RingMoment::runChanged, this, &MachineView::showRun);
    connect(&m_moment, &RingMoment::changed, this, &MachineView::follow);
    connect(&m_viewState, &ViewState::followedChunkChanged, this, qOverload<>(&QWidget::update));
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, [this] {
        m_background = {};
        follow();
    });
    onEvents(*this, {QEvent::Resize, QEvent::FontChange, QEvent::PaletteChange}, [this] { relayout(); });
    // In views with a time axis the arrow keys pan; here they choose a GPU.
    keepKeys(*this, [this](const QKeyEvent& key) {
        return (isArrow(key.key()) || isEnter(key.key())) && key.modifiers() == Qt::NoModifier && hasRun();
    });
    showRun();
}

QSize MachineView::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {line * 34, line * 10};
}

bool MachineView::hasRun() const { return m_moment.hasStates() && m_grid.tiles() > 0; }

std::uint32_t MachineView::focusedGpu() const { return m_moment.focusedGpu(); }

void MachineView::showRun() {
    m_grid = {};
    m_scales = {};
    m_facts = {};
    m_use = {};
    m_pickedLink.reset();
    if (m_moment.hasStates()) {
        const engine::Experiment experiment = data::asRun(m_moment.run()->run);
        m_facts = TopologyFacts(experiment, engine::topologyOf(experiment));
        m_use = LinkUse(m_moment.run()->run.result.trace, m_facts.topology());
        m_grid = data::outputGridOf(m_moment.log().trace().output, experiment.gemm);
        m_scales = GaugeScales(m_moment.log().trace(), experiment);
    }
    relayout();
}

void MachineView::follow() {
    // A screen reader reads the texts of the large picture.
    if (isVisible())
        setAccessibleDescription(hasRun() ? doingText(focusedGpu()) : QString());
    const bool known = !m_background.isNull() && m_painted.gauges.size() == m_moment.gpus();
    if (!hasRun() || !known || showsLinks())
        update();
    else if (isVisible())
        update(changesTo(shownNow()));
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

QString MachineView::descriptionOfAll() const {
    QStringList sentences;
    for (std::uint32_t gpu = 0; hasRun() && gpu < m_moment.gpus(); ++gpu)
        sentences << doingText(gpu) + QLatin1Char('.');
    return sentences.join(QLatin1Char(' '));
}

double MachineView::ratio() const { return m_inShapes ? kPrintRatio : devicePixelRatioF(); }

double MachineView::snapped(double value) const { return std::round(value * ratio()) / ratio(); }

void MachineView::relayout() {
    m_line = QFontMetricsF(font()).height();
    const double margin = m_line * 0.8;
    const double legend = tileLegendHeight(m_moment.tileWords(), width() - margin * 2, QFontMetricsF(font()));
    m_hasLegend = m_inShapes || legend < height() * kMostLegend;
    m_legendTop = height() - m_line * 0.4 - (m_hasLegend ? legend : 0);
    m_headerRows = m_inShapes ? 0 : height() < m_line * kRoomyHeight ? 1 : 2;
    const double top = m_line * (0.6 + kHeaderRow * m_headerRows);
    const QRectF area(margin, top, width() - margin * 2, m_legendTop - top - (m_hasLegend ? m_line * 0.6 : 0));
    const double aspect = m_grid.tiles() > 0 ? std::max(m_grid.aspect(), 1 / m_grid.aspect()) : 2;
    const double number =
        QFontMetricsF(strongFont(font())).horizontalAdvance(QString::number(std::max(1u, m_moment.gpus()) - 1));
    const CardNeeds needs{std::clamp(aspect, kSteepest, kFlattest), m_line, m_line * kCaption, number};
    m_map = mapOf(m_facts.topology(), area, needs);
    m_numbersParcels = hasRoomForParcels();
    layOutDetail();
    if (showsInside()) {
        m_detail = {};
        m_inside->setGeometry(m_map.centre.toAlignedRect());
    }
    layOutPictures();
    m_background = {};
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
    needs.line = m_line;
    needs.pictureWithin = [this](QSizeF room) {
        return QSizeF(layoutTiles(m_grid, (room * ratio()).toSize()).size()) / ratio();
    };
    if (!hasRun())
        return needs;
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
        needs.gaugeWidth = std::max(needs.gaugeWidth, metrics.horizontalAdvance(gauge.title) + m_line +
                                                          std::max(amount, scale) + m_line * 0.4 + scale);
    }
    needs.gauges = gauges.size();
    return needs;
}

void MachineView::layOutDetail() {
    const QRectF room = m_map.centre.adjusted(m_line * 0.6, m_line * 0.2, -m_line * 0.6, -m_line * 0.2);
    DetailNeeds needs = detailNeeds();
    m_detail = layoutDetail(room, needs);
    // If chunks are below each other, their numbers are at their left.
    if (m_detail.numbers && !layoutTiles(m_grid, (m_detail.picture.size() * ratio()).toSize()).outerAcross) {
        needs.leftOfPicture = m_line * 2.2;
        m_detail = layoutDetail(room, needs);
    }
}

void MachineView::layOutPictures() {
    m_cards.clear();
    if (!hasRun())
        return;
    const Palette& colors = paletteOf(*this);
    const int spacing = static_cast<int>(std::lround(textureSpacing(m_line) * ratio()));
    const TileStamps stamps = tileStamps(colors, spacing);
    const auto lay = [&](TilePicture& picture, const QRectF& room) {
        picture.layOut(m_grid, (room.size() * ratio()).toSize());
        picture.setLook(stamps, colors.inkFaint.rgb(), colors.line.rgb());
    };
    const bool room = !isCompact() || (cardRoom(0).width() > m_line && cardRoom(0).height() > m_line * 0.5);
    m_cards.resize(room ? m_moment.gpus() : 0);
    for (std::uint32_t gpu = 0; gpu < m_cards.size(); ++gpu)
        lay(m_cards[gpu], cardRoom(gpu));
    // The room is a little larger than the picture, because rounding must not shrink the picture.
    lay(m_large, m_detail.picture.adjusted(0, 0, 1 / ratio(), 1 / ratio()));
}

bool MachineView::isCompact() const { return m_map.cards.front().height() < m_line * kRoomyCard; }

QRectF MachineView::cardRoom(std::uint32_t gpu) const {
    if (isCompact())
        return m_map.cards[gpu].adjusted(m_line * 1.6, m_line * 0.2, -m_line * 0.2, -m_line * 0.2);
    return m_map.cards[gpu].adjusted(m_line * 0.25, m_line * 1.15, -m_line * 0.25, -m_line * 0.55);
}

QRectF MachineView::pictureBox(const TilePicture& picture, const QRectF& room) const {
    const QSizeF size = QSizeF(picture.cells().size()) / ratio();
    return {QPointF(snapped(room.center().x() - size.width() / 2), snapped(room.center().y() - size.height() / 2)),
            size};
}

QRectF MachineView::tileBox(std::uint32_t tile) const {
    const QRectF box = pictureBox(m_large, m_detail.picture);
    const QRect inside = m_large.cells().inside(m_grid, tile);
    const double ratio = devicePixelRatioF();
    return {box.topLeft() + QPointF(inside.topLeft()) / ratio, QSizeF(inside.size()) / ratio};
}

std::optional<std::uint32_t> MachineView::cardAt(QPointF position) const {
    const auto card =
        std::find_if(m_map.cards.begin(), m_map.cards.end(), [&](const QRectF& box) { return box.contains(position); });
    return card == m_map.cards.end() ? std::nullopt
                                     : std::optional(static_cast<std::uint32_t>(card - m_map.cards.begin()));
}

std::optional<MachineView::TilePlace> MachineView::tileAt(QPointF position) const {
    const auto in = [&](const TilePicture& picture, const QRectF& room) {
        const QPointF pixel = (position - pictureBox(picture, room).topLeft()) * devicePixelRatioF();
        return picture.cells().tileAt(m_grid, QPoint(qFloor(pixel.x()), qFloor(pixel.y())));
    };
    if (const auto tile = in(m_large, m_detail.picture))
        return TilePlace{focusedGpu(), *tile};
    const auto gpu = cardAt(position);
    if (!gpu || *gpu >= m_cards.size())
        return std::nullopt;
    const auto tile = in(m_cards[*gpu], cardRoom(*gpu));
    return tile ? std::optional(TilePlace{*gpu, *tile}) : std::nullopt;
}

std::optional<Parcel> MachineView::parcelAt(QPointF position) const {
    const std::vector<Parcel>& parcels = m_painted.parcels;
    const auto found = std::find_if(parcels.rbegin(), parcels.rend(),
                                    [&](const Parcel& parcel) { return tokenBox(parcel).contains(position); });
    return found == parcels.rend() ? std::nullopt : std::optional(*found);
}

QString MachineView::hoverText(QPointF position) const {
    if (!hasRun())
        return {};
    if (const auto parcel = parcelAt(position)) {
        const std::uint32_t gpus = m_moment.gpus();
        return tr("chunk %1 from GPU %2 to GPU %3\n%4: %5 transferred")
            .arg(parcel->chunk)
            .arg(parcel->sender)
            .arg((parcel->sender + gpus - 1) % gpus)
            .arg(parcel->gathering ? tr("all-gather") : scatterWord(m_moment.run()->run.experiment),
                 formatPercent(parcel->share));
    }
    if (const auto place = tileAt(position))
        return tileText(m_grid, m_moment.tileWords(), place->gpu, place->tile, m_moment.of(place->gpu),
                        m_moment.log().tileSince(place->gpu, place->tile, m_moment.ps()));
    if (const auto gpu = cardAt(position))
        return doingText(*gpu);
    if (const auto link = linkAt(position))
        return linkText(*link);
    if (position.y() < m_line * (0.5 + kHeaderRow * m_headerRows))
        return m_facts.headline() + QLatin1Char('\n') + m_facts.ringText();
    return {};
}

std::optional<std::uint32_t> MachineView::linkAt(QPointF position) const {
    return wayAt(m_map.links, position, m_line * kLinkReach);
}

QString MachineView::linkText(std::uint32_t link) const {
    QString text = m_facts.linkText(link);
    if (const auto busy = m_use.busyShare(link))
        text += QLatin1Char('\n') + tr("busy %1 of the run").arg(formatPercent(*busy));
    if (const auto chunk = m_use.chunkOn(link, m_moment.ps()))
        text += QLatin1Char('\n') + tr("now: chunk %1").arg(*chunk);
    return text;
}

std::optional<std::uint32_t> MachineView::neighbourTowards(int key) const {
    std::vector<QPointF> cards;
    for (const QRectF& card : m_map.cards)
        cards.push_back(card.center());
    const auto found = nearestTowards(key, cards[focusedGpu()], cards);
    return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
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

void MachineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && hasRun())
        showInside(!showsInside() || (cardAt(event->position()) && *cardAt(event->position()) != focusedGpu()));
}

void MachineView::keyPressEvent(QKeyEvent* event) {
    if (isEnter(event->key()) && hasRun())
        return showInside(!showsInside());
    if (!isArrow(event->key()) || !hasRun()) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (const auto gpu = neighbourTowards(event->key()))
        m_viewState.setFocusedGpu(*gpu);
}

void MachineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !hasRun())
        return QWidget::mousePressEvent(event);
    const QPointF at = event->position();
    const auto followOrLetGo = [this](std::uint32_t chunk) {
        m_viewState.setFollowedChunk(m_viewState.followedChunk() == chunk ? std::nullopt : std::optional(chunk));
    };
    m_pickedLink.reset();
    if (const auto parcel = parcelAt(at)) {
        followOrLetGo(parcel->chunk);
    } else if (const auto gpu = cardAt(at)) {
        m_viewState.setFocusedGpu(*gpu);
    } else if (const auto place = tileAt(at)) {
        followOrLetGo(m_grid.chunkOf(place->tile));
    } else if (const auto link = linkAt(at)) {
        m_pickedLink = link;
    }
    update();
}

void MachineView::mouseMoveEvent(QMouseEvent* event) {
    QToolTip::showText(event->globalPosition().toPoint(), hoverText(event->position()), this);
}

}  // namespace ui
