#include "ui/machine/machine_view.h"

#include "ui/shared/collective_words.h"
#include "ui/shared/format.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/ring_places.h"
#include "ui/shared/shown_run.h"
#include "ui/shared/tile_legend.h"
#include "ui/shared/tile_style.h"
#include "ui/shared/view_state.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kFlattest = 2.4;  // aspect of the room for a card's picture; what is flatter still fits in it
constexpr double kSteepest = 1.3;
constexpr double kWords = 19;  // lines
constexpr double kWordsHeight = 20;
constexpr double kLeastPicture = 14;
constexpr double kHeaderLines = 2.4;
constexpr double kCaption = 1.9;     // lines of a card that are not picture
constexpr double kPrintRatio = 8;    // pixels that shapes fall on: finer than 600 dpi at column width
constexpr double kLinkReach = 0.35;  // lines: nearer than that the pointer is on a link

bool isArrow(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

}  // namespace

MachineView::MachineView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_moment(moment) {
    setObjectName(QStringLiteral("machine"));
    setAccessibleName(tr("Machine: the GPUs and the links between them"));
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
}

QSize MachineView::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {line * 28, line * 16};
}

bool MachineView::hasRun() const { return m_moment.hasStates() && m_grid.tiles() > 0; }

std::uint32_t MachineView::focusedGpu() const {
    return std::min(m_viewState.focusedGpu(), std::max(1u, m_moment.gpus()) - 1);
}

void MachineView::showRun() {
    m_grid = {};
    m_scales = {};
    m_facts = {};
    m_use = {};
    m_pickedLink.reset();
    if (m_moment.hasStates()) {
        const engine::Experiment& experiment = m_moment.run()->run.experiment;
        m_facts = TopologyFacts(experiment, engine::topologyOf(experiment));
        m_use = LinkUse(m_moment.run()->run.result.trace, m_facts.topology());
        m_grid = outputGridOf(m_moment.log().trace().output, experiment.gemm);
        m_scales = GaugeScales(m_moment.log().trace(), experiment);
    }
    relayout();
}

void MachineView::follow() {
    if (isVisible())
        describe();
    update();
}

// What a screen reader says is what the large picture shows.
void MachineView::describe() {
    if (!hasRun()) {
        setAccessibleDescription({});
        return;
    }
    setAccessibleDescription(doingText(focusedGpu()));
}

bool MachineView::followsRing() const { return goesAroundRing(m_moment.run()->run.experiment); }

// Where chunks do not go around a ring, links tell what is sent.
QStringList MachineView::doing(std::uint32_t gpu) const {
    GpuState state = m_moment.of(gpu);
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

QString MachineView::descriptionOfAll() {
    showRun();
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
    m_legendTop = height() - legend - m_line * 0.4;
    const double top = m_line * (0.5 + (m_inShapes ? 0 : kHeaderLines));
    const QRectF area(margin, top, width() - margin * 2, m_legendTop - top - m_line * 0.6);
    const double aspect = m_grid.tiles() > 0 ? std::max(m_grid.aspect(), 1 / m_grid.aspect()) : 2;
    m_map = mapOf(m_facts.topology(), area, std::clamp(aspect, kSteepest, kFlattest), m_line, m_line * kCaption);
    layOutDetail();
    layOutPictures();
    m_background = {};
}

// Picture and words side by side, together in the middle, or the words beneath where it is narrow and high; they go where
// there is no room for both.
void MachineView::layOutDetail() {
    const QRectF room = m_map.centre.adjusted(m_line * 0.6, m_line * 0.2, -m_line * 0.6, -m_line * 0.2);
    const bool beside = room.width() > m_line * (kWords + kLeastPicture);
    const bool beneath = !beside && room.height() > m_line * (kWordsHeight + kLeastPicture * 0.6);
    const double words = beside ? m_line * kWords : 0;
    const double gap = beside ? m_line * 2 : 0;
    const double numbers = m_line * 1.3;
    const double caption = m_line * 1.3;
    QRectF picture = room.adjusted(0, numbers, -words - gap, beneath ? -caption - m_line * kWordsHeight : -caption);
    TileCells cells = layoutTiles(m_grid, picture.size().toSize());
    const double left = cells.outerAcross ? 0 : m_line * 2.2;  // chunks one under the other are numbered at their left
    if (left > 0)
        cells = layoutTiles(m_grid, QSizeF(picture.width() - left, picture.height()).toSize());
    const double width = std::min(picture.width(), std::max(cells.size().width() + left, m_line * kLeastPicture));
    picture.moveLeft(snapped(room.left() + (picture.width() - width) / 2));
    picture.setWidth(width);
    picture.translate(0, beneath ? 0 : snapped((picture.height() - cells.size().height()) / 2));
    picture.setHeight(cells.size().height());
    m_detail.caption = QRectF(room.left(), picture.bottom(), room.width() - words - gap, caption);
    m_detail.caption.moveCenter({picture.center().x(), m_detail.caption.center().y()});
    m_detail.picture = picture.adjusted(left, 0, 0, 0);
    if (beneath) {
        m_detail.words =
            QRectF(room.left(), m_detail.caption.bottom() + m_line * 0.6, room.width(), m_line * kWordsHeight)
                .intersected(room);
        return;
    }
    // Level with the chunks' numbers, but never so low that gauges would be cut off.
    const double top =
        std::clamp(picture.top() - numbers, room.top(), std::max(room.top(), room.bottom() - m_line * kWordsHeight));
    m_detail.words = QRectF(QPointF(picture.right() + gap, top), QPointF(picture.right() + gap + words, room.bottom()));
}

void MachineView::layOutPictures() {
    m_cards.clear();
    if (!hasRun())
        return;
    const Palette& colors = paletteOf(*this);
    const int spacing = static_cast<int>(std::lround(textureSpacing(m_line) * ratio()));
    TilePicture::Stamps stamps;
    for (const TileState state : kAllTileStates)
        stamps[static_cast<std::size_t>(state)] = fillStamp(fillOf(state, colors), spacing);
    const auto lay = [&](TilePicture& picture, const QRectF& room) {
        picture.layOut(m_grid, (room.size() * ratio()).toSize());
        picture.setLook(stamps, colors.inkFaint.rgb(), colors.line.rgb());
    };
    const bool room = !isCompact() || cardRoom(0).width() > m_line;
    m_cards.resize(room ? m_moment.gpus() : 0);
    for (std::uint32_t gpu = 0; gpu < m_cards.size(); ++gpu)
        lay(m_cards[gpu], cardRoom(gpu));
    lay(m_large, m_detail.picture);
}

bool MachineView::isCompact() const { return !m_map.track && m_map.cards.front().height() < m_line * 2.8; }

QRectF MachineView::cardRoom(std::uint32_t gpu) const {
    if (isCompact())
        return m_map.cards[gpu].adjusted(m_line * 1.6, m_line * 0.2, -m_line * 0.2, -m_line * 0.2);
    return m_map.cards[gpu].adjusted(m_line * 0.25, m_line * 1.15, -m_line * 0.25, -m_line * 0.55);
}

QRectF MachineView::pictureBox(const TilePicture& picture, const QRectF& room) const {
    const QSizeF size = QSizeF(picture.cells().size()) / ratio();
    const double top = &picture == &m_large ? room.top() : room.center().y() - size.height() / 2;
    return {QPointF(snapped(room.center().x() - size.width() / 2), snapped(top)), size};
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
    const auto found = std::find_if(m_parcels.rbegin(), m_parcels.rend(),
                                    [&](const Parcel& parcel) { return tokenBox(parcel).contains(position); });
    return found == m_parcels.rend() ? std::nullopt : std::optional(*found);
}

QString MachineView::hoverText(QPointF position) const {
    if (!hasRun())
        return {};
    if (const auto parcel = parcelAt(position)) {
        const std::uint32_t gpus = m_moment.gpus();
        return tr("chunk %1 from GPU %2 to GPU %3\n%4: %5 has gone over")
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
    if (position.y() < m_line * kHeaderLines)
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

bool MachineView::event(QEvent* event) {
    // The arrows pan where there is a time axis; here they choose a GPU.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (isArrow(key->key()) && key->modifiers() == Qt::NoModifier && hasRun())
            key->accept();
    }
    return QWidget::event(event);
}

void MachineView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayout();
}

void MachineView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        relayout();
}

// The nearest card in the direction of the key; going straight counts more than going far.
std::optional<std::uint32_t> MachineView::neighbourTowards(int key) const {
    const QPointF from = m_map.cards[focusedGpu()].center();
    std::optional<std::uint32_t> best;
    double least = 0;
    for (std::uint32_t gpu = 0; gpu < m_map.cards.size(); ++gpu) {
        const QPointF way = m_map.cards[gpu].center() - from;
        const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
        const double ahead = (across ? way.x() : way.y()) * (key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1);
        const double aside = std::abs(across ? way.y() : way.x());
        if (ahead < 1)
            continue;
        const double cost = ahead + aside * 2;
        if (!best || cost < least) {
            best = gpu;
            least = cost;
        }
    }
    return best;
}

void MachineView::keyPressEvent(QKeyEvent* event) {
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
    const QString text = hoverText(event->position());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

void MachineView::leaveEvent(QEvent* event) {
    QToolTip::hideText();
    QWidget::leaveEvent(event);
}

}  // namespace ui
