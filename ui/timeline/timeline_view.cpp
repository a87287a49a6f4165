#include "ui/timeline/timeline_view.h"

#include "ui/look/widget_parts.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/minimap.h"
#include "ui/timeline/span_text.h"

#include <QAccessible>
#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kLeastLanes = 2.5;  // lines of text

}  // namespace

TimelineView::TimelineView(ViewState& viewState, QWidget* parent)
    : QAbstractScrollArea(parent), m_viewState(viewState), m_minimap(new Minimap(viewState, this)), m_layout(m_model),
      m_lanes(m_model, m_layout.rows(), viewState), m_navigation(viewState, m_layout, m_lanes),
      m_gestures(*this, viewState, m_layout, m_lanes, m_navigation), m_painter(*this, viewState, m_layout, m_lanes) {
    setNames(*this, QStringLiteral("timeline"), tr("Timeline of all GPUs"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(leastSize());
    connect(&m_viewState, &ViewState::rangeChanged, this, [this] {
        m_navigation.recordRange();
        placeRange();
    });
    connect(&m_viewState, &ViewState::cursorChanged, this, [this] {
        if (viewport()->isVisible())
            viewport()->update(m_painter.followCursor());
    });
    const auto redraw = [this] {
        m_painter.markImagesStale();
        viewport()->update();
    };
    connect(&m_viewState, &ViewState::followedChunkChanged, this, redraw);
    onEvents(*this, {QEvent::PaletteChange}, redraw);
    onEvents(*this, {QEvent::FocusIn, QEvent::FocusOut}, [picture = viewport()] { picture->update(); });
    onEvents(*this, {QEvent::FontChange}, [this] {
        setMinimumSize(leastSize());
        relayout();
    });
    connect(&m_viewState, &ViewState::selectionChanged, this, &TimelineView::speakSelection);
    connectParts();
    relayout();
}

void TimelineView::connectParts() {
    connect(&m_lanes, &LaneEditor::arrangementChanged, this, &TimelineView::relayout);
    connect(&m_lanes, &LaneEditor::focusChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&m_lanes, &LaneEditor::revealRequested, this,
            [this](std::size_t row) { verticalScrollBar()->setValue(m_layout.scrollShowing(row)); });
    connect(&m_gestures, &TimelineGestures::cursorRequested, this, &TimelineView::cursorRequested);
    // While a span is selected, the keys . and , step along its lane; otherwise they belong to the playback.
    keepKeys(*this, [this](const QKeyEvent& key) { return m_gestures.spanStep(key) != 0; });
}

// Returns the size at which names, times, phases, the legend and one lane are visible; other lanes can be scrolled to.
QSize TimelineView::leastSize() const {
    const double line = QFontMetricsF(font()).height();
    const bool dense = m_layout.isDense();
    const double lanes = dense ? 0 : kLeastLanes;
    const int above = dense ? 0 : m_minimap->sizeHint().height();
    return {static_cast<int>(line * (dense ? 19 : 25)),
            above + static_cast<int>(std::ceil(line * (TimelineLayout::kAxisLines * (dense ? 1 : 2) + lanes)))};
}

void TimelineView::setDense(bool dense) {
    m_layout.setDense(dense);
    m_minimap->setVisible(!dense);
    setMinimumSize(leastSize());
    relayout();
}

void TimelineView::showModel(TimelineModel model) {
    const std::int64_t before = m_model.end();
    m_model = std::move(model);
    if (m_model.end() != before && m_viewState.showsAll())
        m_navigation.restartHistory();
    relayout();
    m_minimap->showModel(m_model);
}

void TimelineView::setLeastGutter(double least) {
    if (std::exchange(m_leastGutter, least) != least)
        placeRange();
}

void TimelineView::setStrip(QWidget* strip) {
    m_strip = strip;
    m_strip->setParent(this);
    onEvents(
        *m_strip, {QEvent::ShowToParent, QEvent::HideToParent}, [this] { relayout(); }, this);
    m_strip->show();
    relayout();
}

// Qt may send a resize event when margins or scroll bars change. The function is then called again before the first
// call has returned.
void TimelineView::relayout() {
    m_layout.setFont(font());
    const bool dense = m_layout.isDense();
    const int overview = dense ? 0 : m_minimap->sizeHint().height();
    const int strip = m_strip != nullptr && !m_strip->isHidden() ? m_strip->sizeHint().height() : 0;
    setViewportMargins(0, overview + strip, 0, 0);
    m_minimap->setGeometry(0, 0, width(), overview);
    if (strip > 0)
        m_strip->setGeometry(0, overview, width(), strip);
    // A timeline below others does not scroll, unless the user has opened a lane's details and so wants to see all
    // rows.
    const bool scrolls = !dense || !m_lanes.arrangement().opened.empty();
    if (dense)
        setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    m_layout.setSize(viewport()->size());
    m_layout.setRows(m_model.rows(m_lanes.arrangement()), scrolls);
    const double room = m_layout.rowsArea().height();
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(m_layout.stack().height - room))));
    verticalScrollBar()->setPageStep(static_cast<int>(m_layout.rowsArea().height()));
    verticalScrollBar()->setSingleStep(static_cast<int>(m_layout.line()));
    if (m_layout.setReminder(m_lanes.hiddenReminder()))
        Q_EMIT hiddenReminderChanged(m_layout.reminder());
    placeRange();
}

void TimelineView::placeRange() {
    m_layout.setSize(viewport()->size());
    m_layout.setRange(m_viewState.range(), 1.0 / devicePixelRatioF(), m_leastGutter);
    m_minimap->setExtent(m_layout.geometry().left, m_layout.geometry().width);
    Q_EMIT extentChanged(m_layout.geometry().left, m_layout.geometry().width);
    refresh();
}

void TimelineView::refresh() {
    m_layout.setScroll(verticalScrollBar()->value());
    m_painter.markItemsStale();
    viewport()->update();
}

void TimelineView::addOverlay(const TimelineOverlay& overlay) {
    m_painter.addOverlay(overlay);
    viewport()->update();
}

void TimelineView::removeOverlay(const TimelineOverlay& overlay) {
    m_painter.removeOverlay(overlay);
    viewport()->update();
}

void TimelineView::speakSelection() {
    const std::optional<data::SpanRef> selected = m_viewState.selectedSpan();
    const QString words = selected && m_model.index() != nullptr ? spanInWords(m_model, *selected) : QString();
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void TimelineView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    m_painter.paint(painter, m_gestures.feedback(), event->region());
}

void TimelineView::hideEvent(QHideEvent* event) {
    QAbstractScrollArea::hideEvent(event);
    m_painter.forgetLayers();
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    if (const int step = m_gestures.spanStep(*event); step != 0) {
        m_navigation.selectNeighbour(step);
    } else {
        event->ignore();  // the base class would scroll with the arrow keys, which belong to commands
    }
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    m_gestures.wheel(*event);
    event->accept();
}

void TimelineView::scrollContentsBy(int, int) { refresh(); }

}  // namespace ui
