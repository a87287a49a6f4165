#include "ui/inside/inside_view.h"

#include "data/replay/shown_run.h"
#include "ui/inside/inside_paint.h"
#include "ui/inside/inside_words.h"
#include "ui/look/direction.h"
#include "ui/look/drawing_recorder.h"
#include "ui/look/format.h"
#include "ui/look/glossary.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/moment_figure.h"
#include "ui/shared/view_state.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kMargin = 0.6, kHeaderRow = 1.5, kFootRow = 1.5;  // lines
constexpr double kPrintRatio = 8;  // pixels per unit for shapes: finer than 600 dpi at column width

bool isPage(int key) { return key == Qt::Key_PageUp || key == Qt::Key_PageDown; }

QString figureTr(const char* text) { return QCoreApplication::translate("InsideFigure", text); }

double heightFor(double width) { return width * 0.6; }

}  // namespace

InsideView::InsideView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : QWidget(parent), m_viewState(viewState), m_moment(moment) {
    setNames(*this, QStringLiteral("inside"), tr("Inside one GPU: its parts and the data that move between them"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_moment, &RingMoment::runChanged, this, &InsideView::relayout);
    connect(&m_moment, &RingMoment::changed, this, &InsideView::follow);
    connect(&m_viewState, &ViewState::focusedGpuChanged, this, &InsideView::relayout);
    connect(&m_viewState, &ViewState::selectionChanged, this, &InsideView::follow);
    onEvents(*this, {QEvent::Resize, QEvent::FontChange, QEvent::PaletteChange}, [this] { relayout(); });
    onEvents(*this, {QEvent::Show}, [this] { relayout(); });
    keepKeys(*this, [this](const QKeyEvent& key) {
        return hasRun() && key.modifiers() == Qt::NoModifier &&
               (isArrow(key.key()) || isEnter(key.key()) || isPage(key.key()));
    });
    showTipAt(*this, [this](QPoint position) -> Tip {
        const auto ref = hasRun() ? m_layout.at(position) : std::nullopt;
        return ref ? Tip{textOf(*ref), m_layout.boxOf(*ref).toAlignedRect()} : Tip{};
    });
    relayout();
}

QSize InsideView::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {line * 30, line * 12};
}

bool InsideView::hasRun() const { return m_moment.hasStates(); }

std::uint32_t InsideView::focusedGpu() const { return m_moment.focusedGpu(); }

std::uint32_t InsideView::chunks() const {
    return static_cast<std::uint32_t>(m_moment.of(focusedGpu()).chunkTiles.size());
}

InsideLook InsideView::look() const {
    return {paletteOf(*this), font(), m_line, 1 / (m_inShapes ? kPrintRatio : devicePixelRatioF())};
}

void InsideView::relayout() {
    m_background = {};
    update();
    m_layout = {};
    if (!hasRun() || (!isVisible() && !m_inShapes))
        return;
    m_line = QFontMetricsF(font()).height();
    const double margin = m_line * kMargin;
    const QRectF area = QRectF(rect()).adjusted(margin, margin * 0.5, -margin, -margin * 0.5);
    m_header = QRectF(area.left(), area.top(), area.width(), m_inShapes ? 0 : m_line * kHeaderRow);
    const double row = m_line * kFootRow, absent = absentParts(m_moment, focusedGpu()).isEmpty() ? 0 : row;
    const auto layOut = [&](double foot) {
        m_foot = QRectF(area.left(), area.bottom() - foot, area.width(), foot);
        m_layout = layoutInside({{area.left(), m_header.bottom(), area.width(), m_foot.top() - m_header.bottom()},
                                 m_line,
                                 chunks(),
                                 m_moment.insideIndex().inventory(focusedGpu())});
    };
    layOut(absent);
    if (m_layout.key.isEmpty())  // the legend is below the parts
        layOut(absent + row);
}

void InsideView::follow() {
    if (!isVisible())
        return;
    if (hasRun() && QAccessible::isActive())
        setAccessibleDescription(m_viewState.selectedPart() ? textOf(*m_viewState.selectedPart()) : description());
    update();
}

QString InsideView::textOf(data::GpuPartRef ref) const {
    QStringList lines{titleOf(ref)};
    const QString meaning = glossaryText(text(data::wordOf(ref.part)));
    if (!meaning.isEmpty())
        lines << meaning;
    const QString marks = markText(ref.part, m_moment.insideIndex().inventory(focusedGpu()));
    if (!marks.isEmpty())
        lines << marks;
    for (const PartFact& fact : partFacts(m_moment, focusedGpu(), ref))
        lines << tr("%1: %2").arg(fact.name, fact.value);
    return lines.join(QLatin1Char('\n'));
}

QString InsideView::description() const {
    QStringList sentences;
    const auto values = hasRun() ? partValues(m_moment, focusedGpu()) : std::array<QString, data::kGpuParts>{};
    for (std::size_t i = 0; i < data::kGpuParts; ++i)
        if (m_layout.has(static_cast<data::GpuPart>(i)) && !values[i].isEmpty())
            sentences << tr("%1: %2.").arg(nameOf(static_cast<data::GpuPart>(i)), values[i]);
    return sentences.join(QLatin1Char(' '));
}

QString InsideView::emptyHint() const {
    if (!m_moment.run())
        return noRunHint();
    if (!hasRun())
        return tr("A perfect overlap is calculated from isolated runs: nothing moves inside a GPU.\n"
                  "Choose another policy, such as T3-MCA.");
    return m_layout.has(data::GpuPart::arbiter) ? QString()
                                                : tr("Too small for the parts of a GPU: enlarge the window.");
}

void InsideView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (const QString hint = emptyHint(); !hint.isEmpty()) {
        painter.fillRect(rect(), paletteOf(*this).surface);
        painter.setPen(paletteOf(*this).inkSoft);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, hint);
        return;
    }
    if (m_background.isNull())
        buildBackground();
    painter.drawPixmap(0, 0, m_background);
    paintMoment(painter);
}

std::optional<data::DrawingMark> InsideView::drawing() {
    if (!hasRun())
        return std::nullopt;
    const bool shapes = std::exchange(m_inShapes, true);
    relayout();
    const data::DrawingMark drawing = recordedDrawing(size(), font(), [this](QPainter& painter) {
        paintBackground(painter);
        paintMoment(painter);
    });
    m_inShapes = shapes;
    relayout();
    return drawing;
}

void InsideView::buildBackground() {
    m_background = QPixmap(size() * devicePixelRatioF());
    m_background.setDevicePixelRatio(devicePixelRatioF());
    m_background.fill(paletteOf(*this).surface);
    QPainter painter(&m_background);
    painter.setFont(font());
    paintBackground(painter);
}

void InsideView::paintBackground(QPainter& painter) const {
    paintInsideFrames(painter, m_layout, look(), m_moment.insideIndex().inventory(focusedGpu()));
    paintFoot(painter);
}

void InsideView::paintFoot(QPainter& painter) const {
    const double row = m_line * kFootRow;
    const bool companion = engine::hasCompanion(m_moment.run()->run.experiment);
    const QRectF last(m_foot.left(), m_foot.bottom() - row, m_foot.width(), row);
    paintInsideKey(painter, m_layout.key.isEmpty() ? last : m_layout.key, look(), m_moment.tileWords(),
                   m_moment.insideIndex().inventory(focusedGpu()), companion);
    const QString absent = absentParts(m_moment, focusedGpu()).join(tr("; "));
    if (absent.isEmpty())
        return;
    painter.setFont(font());
    painter.setPen(paletteOf(*this).inkSoft);
    const QRectF line(m_foot.left(), m_foot.top(), m_foot.width(), row);
    painter.drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(font()).elidedText(tr("Not in this run: %1.").arg(absent), Qt::ElideRight, line.width()));
}

void InsideView::paintMoment(QPainter& painter) const {
    const std::uint32_t gpu = focusedGpu();
    if (!m_inShapes)
        paintHeader(painter);
    InsideMoment moment{m_moment.insideIndex().inventory(focusedGpu()),
                        m_moment.inside(gpu),
                        m_moment.of(gpu),
                        m_moment.insideIndex().mostWaiting(),
                        m_moment.insideIndex().chunkParts(gpu),
                        partValues(m_moment, gpu),
                        m_viewState.selectedPart()};
    paintInsideMoment(painter, m_layout, look(), moment);
}

void InsideView::paintHeader(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    const data::GpuInside& inside = m_moment.inside(focusedGpu());
    painter.setFont(strongFont(font()));
    painter.setPen(colors.ink);
    const QString title = tr("Inside GPU %1").arg(focusedGpu());
    painter.drawText(m_header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const double left = QFontMetricsF(painter.font()).horizontalAdvance(title) + m_line;
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    const QString when = m_viewState.cursor()
                             ? tr("at %1 · rates are averaged over the last %2")
                                   .arg(formatTimeSteady(inside.ps, m_viewState.runEnd()), formatTime(inside.window, 2))
                             : tr("at the end of the run: press Space to play it");
    const QRectF room = m_header.adjusted(left, 0, 0, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font()).elidedText(when, Qt::ElideRight, room.width()));
}

void InsideView::keyPressEvent(QKeyEvent* event) {
    if (!hasRun() || event->modifiers() != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    if (isEnter(event->key()))
        enterOrLeave();
    else if (isPage(event->key())) {
        const std::uint32_t step = event->key() == Qt::Key_PageDown ? 1 : m_moment.gpus() - 1;
        m_viewState.setFocusedGpu((focusedGpu() + step) % m_moment.gpus());
    } else if (isArrow(event->key())) {
        if (m_viewState.selectedPart() && m_viewState.selectedPart()->unit)
            chooseUnit(event->key());
        else
            choosePart(event->key());
    } else {
        QWidget::keyPressEvent(event);
    }
}

void InsideView::choosePart(int key) {
    const auto selected = m_viewState.selectedPart();
    if (!selected || !m_layout.has(selected->part)) {
        for (std::size_t i = 0; i < data::kGpuParts; ++i)
            if (m_layout.parts[i].isValid())
                return m_viewState.selectPart({static_cast<data::GpuPart>(i), std::nullopt});
        return;
    }
    std::vector<QPointF> places;
    for (const QRectF& box : m_layout.parts)
        places.push_back(box.isEmpty() ? QPointF(std::nan(""), std::nan("")) : box.center());
    if (const auto found = nearestTowards(key, m_layout.box(selected->part).center(), places))
        m_viewState.selectPart({static_cast<data::GpuPart>(*found), std::nullopt});
}

void InsideView::chooseUnit(int key) {
    const data::GpuPartRef selected = *m_viewState.selectedPart();
    const std::uint32_t units = unitsOf(m_moment.insideIndex().inventory(focusedGpu()), chunks(), selected.part);
    std::vector<QPointF> places;
    for (std::uint32_t unit = 0; unit < units; ++unit)
        places.push_back(m_layout.boxOf({selected.part, unit}).center());
    if (const auto found = nearestTowards(key, m_layout.boxOf(selected).center(), places))
        m_viewState.selectPart({selected.part, static_cast<std::uint32_t>(*found)});
}

void InsideView::enterOrLeave() {
    const auto selected = m_viewState.selectedPart();
    if (!selected)
        return choosePart(Qt::Key_Right);
    if (selected->unit)
        return m_viewState.selectPart({selected->part, std::nullopt});
    if (unitsOf(m_moment.insideIndex().inventory(focusedGpu()), chunks(), selected->part) > 0)
        m_viewState.selectPart({selected->part, 0});
}

void InsideView::mousePressEvent(QMouseEvent* event) {
    const auto ref = hasRun() && event->button() == Qt::LeftButton ? m_layout.at(event->position()) : std::nullopt;
    if (ref)
        m_viewState.selectPart(*ref);
    else
        m_viewState.clearSelection();
}

std::optional<FigureOffer> insideFigure(const ViewState& viewState, const RingMoment& moment) {
    if (!moment.hasStates())
        return std::nullopt;
    const auto frozen = std::make_shared<MomentSnapshot>(viewState, moment);
    FigureOffer offer = momentFigure<InsideView>(frozen, heightFor);
    const QString when = frozen->viewState.cursor() ? figureTr("at %1").arg(formatTime(*frozen->viewState.cursor()))
                                                    : figureTr("at the end");
    const QString name = QString::fromStdString(moment.run()->run.name);
    const InsideView view(frozen->viewState, frozen->moment);
    const QString title = figureTr("Inside GPU %1").arg(view.focusedGpu());
    data::FigureSpec& figure = offer.figure;
    figure.name = fileNameOf(figureTr("inside %1 %2").arg(name, when)).toStdString();
    figure.title = figureTr("%1 %2, %3").arg(title, when, name).toStdString();
    figure.caption =
        figureTr("%1 %2 of a run of %3: compute units, last-level cache, tracker, memory channels with the "
                 "streams of compute and communication, DMA engines and links. The width of a stream shows its "
                 "rate, averaged over the last %4.")
            .arg(title, when, name, formatTime(frozen->moment.insideIndex().window(), 2))
            .toStdString();
    QStringList facts;
    for (const PartFact& fact : partFacts(frozen->moment, view.focusedGpu()))
        facts << figureTr("%1, %2: %3.").arg(titleOf(fact.ref), fact.name, fact.value);
    figure.alternative = figureTr("A block diagram of one GPU. %1").arg(facts.join(QLatin1Char(' '))).toStdString();
    figure.provenance = provenanceOf(*moment.run(), when);
    return offer;
}

}  // namespace ui
