#include "ui/inside/inside_view.h"

#include "data/replay/shown_run.h"
#include "ui/inside/inside_paint.h"
#include "ui/inside/inside_words.h"
#include "ui/look/direction.h"
#include "ui/look/format.h"
#include "ui/look/glossary.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/moment_table.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kMargin = 0.6, kHeaderRow = 1.5, kFootRow = 1.5;  // lines

QString figureTr(const char* text) { return QCoreApplication::translate("InsideFigure", text); }

/// Returns the facts of all parts of the focused GPU, after those of the selected unit.
std::vector<PartFact> shownFacts(const ViewState& viewState, const RingMoment& moment) {
    if (!moment.hasStates())
        return {};
    std::vector<PartFact> facts = partFacts(moment, moment.focusedGpu());
    if (const auto part = viewState.selectedPart(); part && part->unit) {
        const std::vector<PartFact> unit = partFacts(moment, moment.focusedGpu(), *part);
        facts.insert(facts.begin(), unit.begin(), unit.end());
    }
    return facts;
}

bool isMemoryChannel(data::GpuPartRef ref) {
    const bool isPart = ref.part == data::GpuPart::channels || ref.part == data::GpuPart::arbiter ||
                        ref.part == data::GpuPart::nearMemory;
    return isPart && ref.unit.has_value();
}

}  // namespace

InsideView::InsideView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : MomentPicture(viewState, moment,
                    {.name = QStringLiteral("inside"),
                     .spoken = tr("Inside one GPU: its parts and the data that move between them"),
                     .least = {30, 12}},
                    tr("A perfect overlap is calculated from isolated runs: nothing moves inside a GPU.\n"
                       "Choose another policy, such as T3-MCA."),
                    parent) {
    connect(&m_viewState, &ViewState::selectionChanged, this, [this] { follow(); });
}

const data::GpuInventory& InsideView::inventory() const { return m_moment.insideIndex().inventory(focusedGpu()); }

std::uint32_t InsideView::chunks() const {
    return static_cast<std::uint32_t>(m_moment.of(focusedGpu()).chunkTiles.size());
}

QString InsideView::emptyText() const {
    const QString text = MomentPicture::emptyText();
    return !text.isEmpty() || m_layout.has(data::GpuPart::arbiter)
               ? text
               : tr("Too small for the parts of a GPU: enlarge the window.");
}

void InsideView::layOut() {
    m_layout = {};
    if (!hasRun())
        return;
    const double margin = line() * kMargin;
    const QRectF area = QRectF(rect()).adjusted(margin, margin * 0.5, -margin, -margin * 0.5);
    m_header = QRectF(area.left(), area.top(), area.width(), inShapes() ? 0 : line() * kHeaderRow);
    const double row = line() * kFootRow, absent = absentParts(m_moment, focusedGpu()).isEmpty() ? 0 : row;
    const auto layOutOver = [&](double foot) {
        m_foot = QRectF(area.left(), area.bottom() - foot, area.width(), foot);
        m_layout = layoutInside({{area.left(), m_header.bottom(), area.width(), m_foot.top() - m_header.bottom()},
                                 line(),
                                 chunks(),
                                 inventory()});
    };
    layOutOver(absent);
    if (m_layout.key.isEmpty())  // the legend is below the parts
        layOutOver(absent + row);
}

std::vector<Part> InsideView::parts() {
    std::vector<Part> parts;
    for (const InsideLayout::Place& place : m_layout.places())
        parts.push_back({place.box,
                         [this, ref = place.ref](QPointF) { return textOf(ref); },
                         [this, ref = place.ref](QPointF) { m_viewState.selectPart(ref); },
                         {},
                         [this, ref = place.ref] { openBanksOf(ref); }});
    parts.push_back({rect(), {}, [this](QPointF) { m_viewState.clearSelection(); }});
    return parts;
}

QString InsideView::spokenText() const {
    if (!QAccessible::isActive())
        return {};
    return m_viewState.selectedPart() ? textOf(*m_viewState.selectedPart()) : description();
}

QString InsideView::textOf(data::GpuPartRef ref) const {
    QStringList lines{titleOf(ref)};
    const QString meaning = glossaryText(text(data::wordOf(ref.part)));
    if (!meaning.isEmpty())
        lines << meaning;
    const QString marks = markText(ref.part, inventory());
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

void InsideView::paintBackground(QPainter& painter) {
    paintInsideFrames(painter, m_layout, look(), inventory());
    const double row = line() * kFootRow;
    const InsideKeyParts shown{engine::hasCompanion(m_moment.run()->run.experiment),
                               !m_layout.channels.empty() && m_layout.channels.front().banks.count > 0};
    const QRectF last(m_foot.left(), m_foot.bottom() - row, m_foot.width(), row);
    paintInsideKey(painter, m_layout.key.isEmpty() ? last : m_layout.key, look(), m_moment.tileWords(), inventory(),
                   shown);
    const QString absent = absentParts(m_moment, focusedGpu()).join(tr("; "));
    if (absent.isEmpty())
        return;
    painter.setFont(font());
    painter.setPen(colors().inkSoft);
    const QRectF line(m_foot.left(), m_foot.top(), m_foot.width(), row);
    painter.drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(font()).elidedText(tr("Not in this run: %1.").arg(absent), Qt::ElideRight, line.width()));
}

void InsideView::paintMoment(QPainter& painter, const QRegion&) {
    const std::uint32_t gpu = focusedGpu();
    if (!inShapes())
        paintHeader(painter);
    paintInsideMoment(painter, m_layout, look(),
                      {inventory(), m_moment.inside(gpu), m_moment.of(gpu), m_moment.insideIndex().mostWaiting(),
                       m_moment.insideIndex().chunkParts(gpu), partValues(m_moment, gpu), m_viewState.selectedPart()});
}

void InsideView::paintHeader(QPainter& painter) const {
    const data::GpuInside& inside = m_moment.inside(focusedGpu());
    painter.setFont(strongFont(font()));
    painter.setPen(colors().ink);
    const QString title = tr("Inside GPU %1").arg(focusedGpu());
    painter.drawText(m_header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const double left = QFontMetricsF(painter.font()).horizontalAdvance(title) + line();
    painter.setFont(font());
    painter.setPen(colors().inkSoft);
    const QString when = m_viewState.cursor()
                             ? tr("at %1 · rates are averaged over the last %2")
                                   .arg(formatTimeSteady(inside.ps, m_viewState.runEnd()), formatTime(inside.window, 2))
                             : tr("at the end of the run: press Space to play it");
    const QRectF room = m_header.adjusted(left, 0, 0, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font()).elidedText(when, Qt::ElideRight, room.width()));
}

std::function<void()> InsideView::actionOf(int key) {
    if (isEnter(key))
        return [this] { enterOrLeave(); };
    if (key == Qt::Key_PageUp || key == Qt::Key_PageDown)
        return [this, step = key == Qt::Key_PageDown ? 1 : m_moment.gpus() - 1] {
            m_viewState.setFocusedGpu((focusedGpu() + step) % m_moment.gpus());
        };
    const auto selected = m_viewState.selectedPart();
    if (key == Qt::Key_O && selected && isMemoryChannel(*selected))
        return [this, channel = *selected] { openBanksOf(channel); };
    if (!isArrow(key))
        return {};
    return selected && selected->unit ? std::function<void()>([this, key] { chooseUnit(key); })
                                      : [this, key] { choosePart(key); };
}

void InsideView::openBanksOf(data::GpuPartRef ref) {
    if (isMemoryChannel(ref))
        Q_EMIT banksRequested(*ref.unit);
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
    places.reserve(m_layout.parts.size());
    for (const QRectF& box : m_layout.parts)
        places.push_back(box.isEmpty() ? QPointF(std::nan(""), std::nan("")) : box.center());
    if (const auto found = nearestTowards(key, m_layout.box(selected->part).center(), places))
        m_viewState.selectPart({static_cast<data::GpuPart>(*found), std::nullopt});
}

void InsideView::chooseUnit(int key) {
    const data::GpuPartRef selected = *m_viewState.selectedPart();
    std::vector<QPointF> places;
    for (const QRectF& box : m_layout.unitBoxes(selected.part))
        places.push_back(box.center());
    if (const auto found = nearestTowards(key, m_layout.boxOf(selected).center(), places))
        m_viewState.selectPart({selected.part, static_cast<std::uint32_t>(*found)});
}

void InsideView::enterOrLeave() {
    const auto selected = m_viewState.selectedPart();
    if (!selected)
        return choosePart(Qt::Key_Right);
    if (selected->unit)
        return m_viewState.selectPart({selected->part, std::nullopt});
    if (unitsOf(inventory(), chunks(), selected->part) > 0)
        m_viewState.selectPart({selected->part, 0});
}

MomentFigureWords InsideView::figureWords(const QString& run, const QString& when) const {
    const QString title = figureTr("Inside GPU %1").arg(focusedGpu());
    QStringList sentences{figureTr("A block diagram of one GPU.")};
    for (const PartFact& fact : partFacts(m_moment, focusedGpu()))
        sentences << figureTr("%1, %2: %3.").arg(titleOf(fact.ref), fact.name, fact.value);
    return {.word = figureTr("inside"),
            .title = figureTr("%1 %2, %3").arg(title, when, run),
            .caption = figureTr("%1 %2 of a run of %3: compute units, last-level cache, tracker, memory channels with "
                                "the streams of compute and communication, DMA engines and links. The width of a "
                                "stream shows its rate, averaged over the last %4.")
                           .arg(title, when, run, formatTime(m_moment.insideIndex().window(), 2)),
            .alternative = sentences.join(QLatin1Char(' '))};
}

MomentTable* newPartTable(ViewState& viewState, RingMoment& moment) {
    const auto show = [&viewState, &moment] {
        MomentTable::Content content{.columns = {{InsideView::tr("Part"), true},
                                                 {InsideView::tr("Number"), true},
                                                 {InsideView::tr("Value"), false}},
                                     .chosen = std::vector<std::size_t>()};
        for (const PartFact& fact : shownFacts(viewState, moment)) {
            if (fact.ref == viewState.selectedPart())
                content.chosen->push_back(content.rows.size());
            content.rows.push_back({.cells = {titleOf(fact.ref), fact.name, fact.value}});
        }
        return content;
    };
    const auto choose = [&viewState, &moment](std::size_t row) {
        const std::vector<PartFact> facts = shownFacts(viewState, moment);
        if (row < facts.size())
            viewState.selectPart(facts[row].ref);
    };
    return new MomentTable(viewState, moment,
                           {.name = QStringLiteral("partTable"),
                            .spoken = InsideView::tr("Numbers of the parts of one GPU"),
                            .content = show,
                            .choose = choose});
}

}  // namespace ui
