#include "ui/memory/memory_view.h"

#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/memory/memory_words.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QStringList>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kMargin = 0.6;        // lines
constexpr double kPixelsOfPeriod = 3;  // at least
constexpr double kMostPeriods = 800;   // shorter periods of a wide picture have too few requests for camping
constexpr double kWheelZoom = 1.2, kWheelPan = 0.1;

QString memoryFigureTr(const char* text) { return QCoreApplication::translate("MemoryFigure", text); }

}  // namespace

MemoryView::MemoryView(ViewState& viewState, RingMoment& moment, QWidget* parent)
    : MomentPicture(viewState, moment,
                    {.name = QStringLiteral("memory"),
                     .spoken = tr("Memory over time: use of the channels and banks of one GPU"),
                     .least = {40, 12}},
                    tr("A perfect overlap is calculated from isolated runs: it has no requests to memory.\nChoose the "
                       "policy Sequential, T3 or T3-MCA and run it (Ctrl+Return) to see them."),
                    parent),
      m_heatChoice(new QComboBox(this)) {
    setNames(*m_heatChoice, QStringLiteral("heatChoice"), tr("What the colours of the heat map stand for"));
    m_heatChoice->setToolTip(m_heatChoice->accessibleName());
    for (std::size_t heat = 0; heat < kHeats; ++heat)
        m_heatChoice->addItem(nameOf(static_cast<Heat>(heat)));
    m_heatChoice->setFocusPolicy(Qt::TabFocus);
    m_heatChoice->hide();
    new ControlKeyFilter(*this);
    connect(m_heatChoice, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_heat = static_cast<Heat>(std::max(0, index));
        repaintAll();
        Q_EMIT pageChanged();
    });
    connect(&m_viewState, &ViewState::rangeChanged, this, [this] { relayout(); });
    connect(&m_viewState, &ViewState::selectionChanged, this, [this] { follow(); });
    showRun();
}

const engine::Experiment& MemoryView::experiment() const { return m_moment.run()->run.experiment; }

std::uint32_t MemoryView::channels() const { return static_cast<std::uint32_t>(experiment().detail.channels); }

bool MemoryView::hasBanks() const { return experiment().memory.model == engine::DramModel::banks; }

// An access pattern has no compute units.
bool MemoryView::hasUnits() const {
    return m_lapse.units().units() > 0 && experiment().workload.sublayer != engine::SubLayer::access;
}

// A page of banks stays if the run has such banks.
void MemoryView::showRun() {
    m_lapse.clear();
    m_bank.reset();
    m_pressedRow.reset();
    if (hasRun() && m_page.banksOf() && (!hasBanks() || *m_page.banksOf() >= channels()))
        showPage({});
    relayout();
    Q_EMIT tableChanged();
}

void MemoryView::showFocus() {
    relayout();
    Q_EMIT tableChanged();
}

bool MemoryView::showPage(const DramPage& page) {
    if (page.banksOf() && hasRun() && (!hasBanks() || *page.banksOf() >= channels()))
        return false;
    if (m_page == page)
        return true;
    m_page = page;
    m_bank.reset();
    relayout();
    Q_EMIT pageChanged();
    Q_EMIT tableChanged();
    return true;
}

void MemoryView::setHeat(Heat heat) {
    const auto index = static_cast<int>(heat);
    // Without banks no row is opened, and the list leaves that out.
    m_heatChoice->setCurrentIndex(index);
}

void MemoryView::setLeft(double left) {
    if (m_left == left)
        return;
    m_left = left;
    relayout();
}

data::TimeRange MemoryView::shownRange() const {
    return withinRun(m_viewState.range(), data::lapseEnd(m_moment.log().trace(), focusedGpu()));
}

double MemoryView::namesWidth() const {
    const QFontMetricsF metrics(font());
    const QString longest = m_page.banksOf() ? tr("bank %1 of group %2").arg(88).arg(88) : tr("channel %1").arg(888);
    return std::ceil(std::max(metrics.horizontalAdvance(longest), metrics.horizontalAdvance(tr("utilisation"))) +
                     line() * 4);
}

void MemoryView::showLapse() {
    const data::TimeRange range = shownRange();
    if (range.start < range.end)
        m_lapse.show(*m_moment.run(), focusedGpu(), m_page, range,
                     std::min(kMostPeriods, m_geometry.width / kPixelsOfPeriod) * static_cast<double>(range.span()) /
                         static_cast<double>(m_viewState.range().span()));
    else
        m_lapse.clear();
}

void MemoryView::layOut() {
    m_layout = {};
    if (!hasRun()) {
        m_heatChoice->hide();
        return placeBar();
    }
    const double margin = line() * kMargin;
    const QRectF area = QRectF(rect()).adjusted(margin, margin * 0.5, -margin, -margin * 0.5);
    const double left = std::round(std::max(m_left, namesWidth()));
    m_geometry = {m_viewState.range(), left, std::max(50.0, std::floor(area.right() - line() - left)), pixel()};
    showLapse();
    const bool isEmpty = m_lapse.isEmpty();
    MemoryNeeds needs{.area = area, .line = line(), .pixel = pixel(), .left = left};
    needs.rows = isEmpty ? 1 : m_lapse.memory().rows();
    needs.hasRowHits = hasBanks();
    needs.hasUnits = !isEmpty && hasUnits();
    needs.bar = m_bar.widget != nullptr && !inShapes() ? std::ceil(m_bar.lines * line()) : 0;
    needs.key = line();
    m_layout = layoutMemory(needs);
    if (!isEmpty) {
        needs.key = paintKey(nullptr, m_layout.key);
        m_layout = layoutMemory(needs);
    }
    placeHeatChoice();
    placeBar();
}

void MemoryView::setBar(QWidget& bar, double lines, std::function<void(double)> setLeft) {
    m_bar = {&bar, lines, std::move(setLeft)};
    bar.setParent(this);
    relayout();
}

void MemoryView::placeBar() {
    if (m_bar.widget == nullptr)
        return;
    m_bar.widget->setVisible(!m_layout.bar.isEmpty());
    if (m_layout.bar.isEmpty())
        return;
    m_bar.widget->setGeometry(
        QRect(0, static_cast<int>(m_layout.bar.top()), width(), static_cast<int>(std::ceil(m_layout.bar.height()))));
    m_bar.setLeft(m_layout.utilisation.left());
}

void MemoryView::placeHeatChoice() {
    m_heatChoice->setVisible(!inShapes());
    const QSize size = m_heatChoice->sizeHint();
    const QRectF& header = m_layout.header;
    m_heatChoice->setGeometry(static_cast<int>(header.right()) - size.width(), static_cast<int>(header.top()),
                              size.width(), static_cast<int>(std::ceil(header.height())));
}

std::pair<std::size_t, std::size_t> MemoryView::rowsOf(std::size_t shown) const {
    const std::size_t first = shown * m_layout.rowsTogether;
    return {first, std::min(m_lapse.memory().rows(), first + m_layout.rowsTogether)};
}

data::TimeLapse::Cell MemoryView::heatCell(std::size_t shown, std::size_t period) const {
    const auto [first, end] = rowsOf(shown);
    data::TimeLapse::Cell sum = m_lapse.memory().at(first, period);
    for (std::size_t row = first + 1; row < end; ++row) {
        const data::TimeLapse::Cell& cell = m_lapse.memory().at(row, period);
        sum.bytes += cell.bytes;
        sum.waitingPs += cell.waitingPs;
        sum.requests += cell.requests;
        sum.opening += cell.opening;
        sum.rowsOpened += cell.rowsOpened;
    }
    return sum;
}

std::optional<std::size_t> MemoryView::selectedRow() const {
    if (m_page.banksOf())
        return m_bank;
    const auto part = m_viewState.selectedPart();
    return part && part->part == data::GpuPart::channels && part->unit && *part->unit < channels()
               ? std::optional<std::size_t>(*part->unit)
               : std::nullopt;
}

std::optional<std::size_t> MemoryView::currentPeriod() const {
    if (m_lapse.isEmpty())
        return std::nullopt;
    const data::Periods& periods = m_lapse.periods();
    const std::int64_t ps = std::min(m_moment.ps(), data::lapseEnd(m_moment.log().trace(), focusedGpu()) - 1);
    return periods.has(ps) ? std::optional(periods.at(ps)) : std::nullopt;
}

QString MemoryView::headerWords() const {
    if (m_lapse.isEmpty())
        return tr("The run ends before the visible range.");
    QStringList parts{m_page.banksOf() ? tr("Channel %1 of GPU %2").arg(*m_page.banksOf()).arg(focusedGpu())
                                       : tr("Memory of GPU %1").arg(focusedGpu())};
    parts << (m_viewState.cursor() ? tr("at %1").arg(formatTimeSteady(m_moment.ps(), m_viewState.runEnd()))
                                   : tr("at the end"))
          << tr("period %1").arg(periodName(m_lapse.periods().length));
    if (const auto period = currentPeriod()) {
        const data::TimeLapse& memory = m_lapse.memory();
        parts << tr("utilisation %1").arg(formatPercent(memory.utilisation(*period)))
              << tr("efficiency %1").arg(formatPercent(memory.efficiency(*period)));
        if (m_layout.hits.isEmpty() && memory.hasBanks())
            parts << tr("row hits %1").arg(rowHitsText(memory.sumAt(*period)));
        if (const auto camping = memory.camping(*period); camping && m_layout.camping.isEmpty())
            parts << tr("camping %1").arg(QString::number(*camping, 'f', 2));
        if (m_layout.units.isEmpty() && hasUnits())
            parts << tr("compute units: %1").arg(unitsText(m_lapse.units(), *period));
    }
    return parts.join(QStringLiteral(", "));
}

std::vector<Part> MemoryView::parts() {
    std::vector<Part> parts;
    for (const QRectF& strip :
         {m_layout.utilisation, m_layout.hits, m_layout.heat, m_layout.camping, m_layout.units, m_layout.axis}) {
        if (strip.isEmpty() || m_lapse.isEmpty())
            continue;
        const auto press = [this, strip](QPointF at) { pressAt(strip, at); };
        Part part{strip, [this, strip](QPointF at) { return tipAt(strip, at); }, press, press};
        if (strip == m_layout.heat)
            part.open = [this] { openBanks(m_pressedRow); };
        parts.push_back(std::move(part));
    }
    if (!m_lapse.isEmpty())  // the names of the rows
        parts.push_back({QRectF(0, m_layout.heat.top(), m_layout.heat.left(), m_layout.heat.height()),
                         [this](QPointF at) { return tipAt(m_layout.heat, at); },
                         [this](QPointF at) { selectRow(rowOf(m_layout.rowAt(at.y()))); },
                         {},
                         [this] { openBanks(selectedRow()); }});
    return parts;
}

QString MemoryView::tipAt(const QRectF& strip, QPointF at) const {
    const bool ofRow = strip == m_layout.heat;
    const std::int64_t ps = at.x() < strip.left() ? m_moment.ps() : m_geometry.timeAt(at.x());
    if (!m_lapse.periods().has(ps))
        return {};
    const std::size_t period = m_lapse.periods().at(ps);
    if (!ofRow)
        return periodText(m_lapse, period, std::nullopt);
    const auto [first, end] = rowsOf(m_layout.rowAt(at.y()));
    return end - first == 1 ? periodText(m_lapse, period, first)
                            : tr("%1\n%2: %3")
                                  .arg(timesText(m_lapse.periods(), period), rowNames(m_lapse.memory(), first, end),
                                       heatText(heatOf(heatCell(first / m_layout.rowsTogether, period), m_heat,
                                                       m_lapse.periods().lengthOf(period)),
                                                m_heat));
}

void MemoryView::pressAt(const QRectF& strip, QPointF at) {
    if (strip == m_layout.heat) {
        m_pressedRow = rowOf(m_layout.rowAt(at.y()));
        selectRow(*m_pressedRow);
    }
    const std::int64_t end = m_viewState.runEnd();
    Q_EMIT cursorRequested(std::clamp<std::int64_t>(m_geometry.timeAt(at.x()), 0, end));
}

void MemoryView::selectRow(std::size_t row) {
    if (m_page.banksOf()) {
        m_bank = row;
        return follow();
    }
    m_viewState.selectPart({data::GpuPart::channels, static_cast<std::uint32_t>(row)});
}

void MemoryView::moveRow(int by) {
    const auto last = static_cast<std::ptrdiff_t>(m_lapse.memory().rows()) - 1;
    const auto selected = selectedRow();
    const std::ptrdiff_t row = selected ? static_cast<std::ptrdiff_t>(*selected) + by : by > 0 ? 0 : last;
    selectRow(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(row, 0, last)));
}

void MemoryView::moveCursor(int by) {
    const data::Periods& periods = m_lapse.periods();
    const std::int64_t ps = m_viewState.cursor().value_or(by > 0 ? 0 : m_viewState.runEnd());
    Q_EMIT cursorRequested(std::clamp<std::int64_t>(ps + by * periods.length, 0, m_viewState.runEnd()));
    m_viewState.revealCursor();
}

void MemoryView::openBanks(std::optional<std::size_t> row) {
    if (!m_page.banksOf() && row)
        showPage(DramPage::banks(static_cast<std::uint32_t>(*row)));
}

std::function<void()> MemoryView::actionOf(int key) {
    if (m_lapse.isEmpty())
        return {};
    switch (key) {
    case Qt::Key_Up: return [this] { moveRow(-1); };
    case Qt::Key_Down: return [this] { moveRow(1); };
    case Qt::Key_Left: return [this] { moveCursor(-1); };
    case Qt::Key_Right: return [this] { moveCursor(1); };
    case Qt::Key_Escape:
        if (m_page.banksOf())
            return [this] { showPage({}); };
        return {};
    default: break;
    }
    if (isEnter(key) && !m_page.banksOf() && hasBanks())
        return [this] { openBanks(selectedRow().value_or(0)); };
    return {};
}

void MemoryView::wheelEvent(QWheelEvent* event) {
    if (!hasRun())
        return event->ignore();
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    const std::int64_t end = m_viewState.runEnd();
    if ((event->modifiers() & Qt::ShiftModifier) != 0 || delta.y() == 0)
        m_viewState.setRange(m_geometry.panned(-notches * kWheelPan * m_geometry.width, end));
    else
        m_viewState.setRange(m_geometry.zoomed(event->position().x(), std::pow(kWheelZoom, notches), end));
    event->accept();
}

QString MemoryView::spokenText() const {
    if (m_lapse.isEmpty())
        return headerWords();
    const auto period = currentPeriod();
    if (!period)
        return headerWords();
    return headerWords() + QLatin1Char('\n') + periodText(m_lapse, *period, selectedRow());
}

MomentTable::Content MemoryView::table() const {
    if (!hasRun() || m_lapse.isEmpty())
        return {};
    return memoryTable(m_lapse, shownRange());
}

void MemoryView::chooseTableRow(std::size_t row) {
    if (m_lapse.isEmpty())
        return;
    const data::Periods& periods = m_lapse.periods();
    const std::size_t period = m_lapse.within(shownRange()).first + row;
    if (period < periods.count())
        Q_EMIT cursorRequested(periods.begin(period) + periods.lengthOf(period) / 2);
}

MomentFigureWords MemoryView::wordsOfFigure(const QString& run) const {
    const data::TimeRange range = shownRange();
    const QString when = m_viewState.showsAll() ? memoryFigureTr("the whole run")
                                                : memoryFigureTr("%1 to %2")
                                                      .arg(formatTimeSteady(range.start, m_viewState.runEnd()),
                                                           formatTimeSteady(range.end, m_viewState.runEnd()));
    return figureWords(run, when);
}

MomentFigureWords MemoryView::figureWords(const QString& run, const QString& when) const {
    const QString what = m_page.banksOf()
                             ? memoryFigureTr("Banks of channel %1 of GPU %2").arg(*m_page.banksOf()).arg(focusedGpu())
                             : memoryFigureTr("Memory of GPU %1").arg(focusedGpu());
    const QString hits = hasBanks() ? memoryFigureTr(" row hits,") : QString();
    return {.word = memoryFigureTr("memory"),
            .title = memoryFigureTr("%1, %2, %3").arg(what, when, run),
            .caption = memoryFigureTr("%1 in a run of %2, %3: utilisation (of the peak bandwidth), efficiency (of the "
                                      "same in the time with requests),%4 and %5 by row.")
                           .arg(what, run, when, hits, nameOf(m_heat)),
            .alternative = memoryFigureTr("%1. %2").arg(what, headerWords()),
            .moment = when};
}

MomentTable* newMemoryTable(ViewState& viewState, RingMoment& moment, MemoryView& view) {
    return new MomentTable(viewState, moment,
                           {.name = QStringLiteral("memoryTable"),
                            .spoken = MemoryView::tr("Memory over time, a row for each period in sight"),
                            .title = QStringLiteral("memoryTableTitle"),
                            .content = [&view] { return view.table(); },
                            .choose = [&view](std::size_t row) { view.chooseTableRow(row); },
                            .followsTime = false});
}

}  // namespace ui
