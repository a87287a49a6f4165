#include "ui/why/ribbon_view.h"

#include "ui/look/cause_style.h"
#include "ui/look/palette.h"
#include "ui/look/partial_paint.h"
#include "ui/look/ribbon_columns.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/view_state.h"
#include "ui/why/cause_shares.h"
#include "ui/why/reason_chain.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace ui {
namespace {

constexpr double kBand = 2.0;    // lines of text, as are the next four
constexpr double kLegend = 1.1;  // the row of colours with their names, below the band
constexpr double kGap = 0.18;    // above and below the band
constexpr double kSlice = 0.8;   // a narrower change of cause does not end a labelled stretch
constexpr double kTexture = 0.4;
constexpr double kMostly = 0.5;  // least share of a stretch that one cause needs to label the stretch
constexpr double kRibbonWheelZoom = 1.2;
constexpr double kLegendSize = 0.88;  // relative to the usual text size

}  // namespace

RibbonView::RibbonView(ViewState& viewState, QWidget* parent) : QWidget(parent), m_viewState(viewState) {
    setNames(*this, QStringLiteral("ribbon"), tr("Ribbon: what the end of the run waited for, over time"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_viewState, &ViewState::rangeChanged, this, &RibbonView::refresh);
    connect(&m_viewState, &ViewState::cursorChanged, this, [this] {
        update(damageOf(m_paintedCursor));
        update(damageOf(cursorBox()));
    });
    onEvents(*this, {QEvent::Resize, QEvent::FontChange, QEvent::PaletteChange}, [this] { refresh(); });
    // Keeps the keys from the commands of the view, which would pan.
    keepKeys(*this, [](const QKeyEvent& key) {
        const int which = key.key();
        const bool ours = which == Qt::Key_Left || which == Qt::Key_Right || which == Qt::Key_Home ||
                          which == Qt::Key_End || isEnter(which);
        return ours && isPlain(key);
    });
}

QSize RibbonView::sizeHint() const {
    return {200, static_cast<int>(std::round(fontMetrics().height() * (kBand + kLegend)))};
}

QSize RibbonView::minimumSizeHint() const { return {60, sizeHint().height()}; }

void RibbonView::showRun(std::shared_ptr<const ReasonChain> chain) {
    m_chain = std::move(chain);
    m_marked.reset();
    setAccessibleDescription(hasCauses() ? summary() : emptyReason());
    refresh();
}

void RibbonView::setExtent(double left, double width) {
    if (left == m_left && width == m_width)
        return;
    m_left = left;
    m_width = width;
    refresh();
}

void RibbonView::setMarked(std::optional<data::TimeRange> marked) {
    if (marked == m_marked)
        return;
    m_marked = marked;
    update();
}

const RibbonColumns& RibbonView::columns() {
    build();
    return m_columns;
}

const std::vector<RibbonStretch>& RibbonView::stretches() {
    build();
    return m_stretches;
}

QString RibbonView::emptyReason() const {
    if (hasCauses())
        return {};
    if (!m_chain)
        return tr("No run yet.");
    if (!m_chain->run().index)
        return tr("A perfect overlap is calculated from isolated runs, so it has no critical path. Choose another "
                  "policy, such as T3-MCA.");
    return tr("No critical path was recorded for this run. Run it again (Ctrl+Return).");
}

// Returns the shares of causes in the whole run for screen readers: "compute 43.9 %, link 38.0 %, …".
QString RibbonView::summary() const {
    QStringList lines;
    const data::CauseIndex& causes = m_chain->causes();
    for (const ShareRow& row : shareRows(causes, {0, causes.end()}, ShareKind::cause)) {
        if (row.tenths > 0)
            lines << tr("%1 %2").arg(row.name, formatTenths(row.tenths));
    }
    return lines.join(QStringLiteral(", "));
}

QString RibbonView::legend() const {
    const Palette& colors = paletteOf(*this);
    QString lines = QStringLiteral("<p style='white-space:pre'><b>%1</b></p><table>")
                        .arg(tr("What the end of the run waited for").toHtmlEscaped());
    for (std::size_t i = 0; i < engine::kCauses; ++i) {
        const auto cause = static_cast<engine::Cause>(i);
        lines +=
            QStringLiteral("<tr><td style='background-color:%1'>&nbsp;&nbsp;&nbsp;</td>"
                           "<td style='padding-left:6px; white-space:pre'><b>%2</b>  %3</td></tr>")
                .arg(colourOf(cause, colors).name(), textOf(cause).toHtmlEscaped(), meaningOf(cause).toHtmlEscaped());
    }
    return lines + QStringLiteral("</table>");
}

TimelineGeometry RibbonView::geometry() const {
    return {m_viewState.range(), m_left, m_width, 1.0 / devicePixelRatioF()};
}

QRectF RibbonView::band() const {
    const double pixel = 1.0 / devicePixelRatioF();
    const double gap = std::round(fontMetrics().height() * kGap / pixel) * pixel;
    return QRectF(m_left, gap, m_width, std::max(4.0, fontMetrics().height() * kBand - 2 * gap));
}

QRectF RibbonView::legendRow() const {
    const double top = fontMetrics().height() * kBand;
    return QRectF(m_left, top, m_width, std::max(0.0, height() - top));
}

void RibbonView::refresh() {
    m_stale = true;
    update();
}

void RibbonView::build() {
    if (!std::exchange(m_stale, false))
        return;
    m_columns = hasCauses() ? ribbonColumns(m_chain->causes(), geometry()) : RibbonColumns{};
    m_stretches = ribbonStretches(m_columns, geometry(), fontMetrics().height() * kSlice);
    const double ratio = devicePixelRatioF();
    const int height = std::max(1, static_cast<int>(std::lround(band().height() * ratio)));
    const int spacing = std::max(4, static_cast<int>(std::lround(fontMetrics().height() * kTexture * ratio)));
    m_image = ribbonImage(m_columns, height, ratio, spacing, paletteOf(*this));
    buildLegend();
}

// Names the causes of the whole run, those with the largest shares first, as many as fit into one row.
void RibbonView::buildLegend() {
    m_legend.clear();
    if (!hasCauses())
        return;
    const data::CauseIndex& causes = m_chain->causes();
    std::vector<ShareRow> rows = shareRows(causes, {0, causes.end()}, ShareKind::cause);
    std::erase_if(rows, [](const ShareRow& row) { return row.total == 0; });
    std::ranges::stable_sort(rows, std::greater(), &ShareRow::total);
    for (const ShareRow& row : rows)
        m_legend.push_back({row.name, fillOf(*row.cause, paletteOf(*this))});
    const QFont small = scaledFont(font(), kLegendSize);
    const auto height = [&](const std::vector<FillLegendEntry>& entries) {
        return paintFillLegend(nullptr, legendRow(), entries, small, {});
    };
    while (m_legend.size() > 1 && height(m_legend) > height({m_legend.front()}))
        m_legend.pop_back();
}

QStringList RibbonView::legendNames() {
    build();
    QStringList names;
    for (const FillLegendEntry& entry : m_legend)
        names << entry.text;
    return names;
}

void RibbonView::paintEvent(QPaintEvent* event) {
    build();
    m_paintedCursor = cursorBox();
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(rect(), colors.surface);
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    painter.drawText(QRectF(0, band().top(), m_left - fontMetrics().height() * 0.5, band().height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("waits for"));
    if (!hasCauses())
        return paintEmpty(painter);
    const double pixel = 1.0 / devicePixelRatioF();
    copyPixels(painter, QPointF(static_cast<double>(m_columns.first) * pixel, band().top()), m_image);
    paintWords(painter, event->rect());
    paintFillLegend(&painter, legendRow(), m_legend, scaledFont(font(), kLegendSize), colors.inkSoft);
    paintMarked(painter);
    paintCursor(painter);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

// Paints the labels on plates in the cause's colour, because the stretch may contain thin parts of other causes.
void RibbonView::paintWords(QPainter& painter, const QRect& part) const {
    const Palette& colors = paletteOf(*this);
    const QFont bold = strongFont(font());
    painter.setFont(bold);
    const QFontMetricsF metrics(bold);
    const double margin = metrics.height() * 0.35;
    for (const RibbonStretch& stretch : m_stretches) {
        const QString words = textOf(stretch.cause);
        const double needed = metrics.horizontalAdvance(words) + 2 * margin;
        if (stretch.share < kMostly || stretch.right - stretch.left < needed)
            continue;
        const QColor color = colourOf(stretch.cause, colors);
        QRectF plate(0, 0, needed, std::min(band().height(), metrics.height() * 1.1));
        plate.moveCenter(QPointF((stretch.left + stretch.right) / 2, band().center().y()));
        if (!damageOf(plate).intersects(part))
            continue;
        painter.fillRect(plate, color);
        painter.setPen(Palette::inkOn(color));
        painter.drawText(plate, Qt::AlignCenter, words);
    }
}

// Returns the box of the cursor with its bright edges; null if the cursor is not visible. It ends above the legend, whose
// antialiased colours would change when only a part of them is painted anew.
QRectF RibbonView::cursorBox() const {
    if (!m_viewState.cursor())
        return {};
    const double x = geometry().xOf(*m_viewState.cursor());
    return x < m_left || x > m_left + m_width ? QRectF() : QRectF(std::floor(x) - 1.5, 0, 4, band().bottom());
}

void RibbonView::paintCursor(QPainter& painter) const {
    const QRectF box = cursorBox();
    if (box.isNull())
        return;
    const Palette& colors = paletteOf(*this);
    painter.fillRect(box, colors.surface);
    painter.fillRect(box.adjusted(1, 0, -1, 0), colors.cursor);
}

void RibbonView::paintMarked(QPainter& painter) const {
    if (!m_marked)
        return;
    const Palette& colors = paletteOf(*this);
    const double left = std::max(geometry().xOf(m_marked->start), m_left);
    const double right = std::min(geometry().xOf(m_marked->end), m_left + m_width);
    if (right < left)
        return;
    // The outline of a short link is widened to be visible.
    const double wide = std::max(right - left, 4.0);
    const QRectF box((left + right - wide) / 2 - 1.5, 1.5, wide + 3, legendRow().top() - 3.0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors.surface, 5));
    painter.drawRect(box);
    painter.setPen(QPen(colors.ink, 2));
    painter.drawRect(box);
}

void RibbonView::paintEmpty(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    painter.fillRect(band(), colors.stripe);
    painter.setPen(colors.inkSoft);
    const QRectF room = band().adjusted(fontMetrics().height() * 0.5, 0, -4, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(emptyReason(), Qt::ElideRight, static_cast<int>(room.width())));
}

void RibbonView::goTo(std::int64_t ps) {
    Q_EMIT cursorRequested(ps);
    m_viewState.revealCursor();
}

// Moves the cursor to the end of the next or previous link of the cause chain, at which the wait ended.
void RibbonView::step(int by) {
    const std::vector<ReasonLink>& links = m_chain->links();
    const std::int64_t end = m_chain->causes().end();
    const std::int64_t at = m_viewState.cursor().value_or(by > 0 ? 0 : end);
    std::size_t link = m_chain->linkAt(at);
    if (by > 0 && at >= links[link].range.end && link + 1 < links.size())
        ++link;
    else if (by < 0 && at > 0 && link > 0)
        --link;
    goTo(links[link].range.end);
    setMarked(links[link].range);
    speak(link);
}

void RibbonView::speak(std::size_t link) {
    setAccessibleDescription(reasonInFull(*m_chain, link));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void RibbonView::keyPressEvent(QKeyEvent* event) {
    if (!hasCauses() || !isPlain(*event))
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return step(-1);
    case Qt::Key_Right: return step(1);
    case Qt::Key_Home: return goTo(0);
    case Qt::Key_End: return goTo(m_chain->causes().end());
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT chainRequested(m_viewState.cursor().value_or(m_chain->causes().end())); return;
    default: QWidget::keyPressEvent(event);
    }
}

void RibbonView::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (event->button() != Qt::LeftButton || !hasCauses() || x > m_left + m_width)
        return;
    if (x < m_left || event->position().y() > legendRow().top()) {
        Q_EMIT legendRequested();
        return;
    }
    Q_EMIT chainRequested(std::clamp<std::int64_t>(geometry().timeAt(x), 0, m_chain->causes().end()));
}

void RibbonView::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    const std::int64_t at = geometry().timeAt(x);
    const bool onLegend = hasCauses() && (x < m_left || event->position().y() > legendRow().top());
    const bool within = hasCauses() && !onLegend && x <= m_left + m_width && at >= 0 && at <= m_chain->causes().end();
    setCursor(within || onLegend ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const QString words = within     ? reasonInFull(*m_chain, m_chain->linkOfStep(m_chain->causes().stepAt(at)))
                          : onLegend ? legend()
                                     : emptyReason();
    QToolTip::showText(event->globalPosition().toPoint() + QPoint(14, 14), words, this);
}

void RibbonView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    const bool pans = (event->modifiers() & Qt::ShiftModifier) != 0 || delta.y() == 0;
    m_viewState.setRange(
        pans ? geometry().panned(-notches * 0.1 * m_width, m_viewState.runEnd())
             : geometry().zoomed(event->position().x(), std::pow(kRibbonWheelZoom, notches), m_viewState.runEnd()));
    event->accept();
}

}  // namespace ui
