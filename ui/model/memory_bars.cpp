#include "ui/model/memory_bars.h"

#include "data/document/value_places.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/plate.h"
#include "ui/look/widget_parts.h"
#include "ui/model/division_words.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kBarMargin = 0.6;  // lines of text
constexpr double kAbove = 2.6;      // label of the capacity, and the axis
constexpr double kLeastRow = 1.5;
constexpr double kMostRow = 4;
constexpr double kTotals = 5;
constexpr double kVerdicts = 6.5;
constexpr double kTickRoom = 6;     // least distance between two ticks
constexpr double kBarShare = 0.7;   // height of a bar, relative to its row
constexpr double kFarCapacity = 4;  // capacities over this multiple of the largest total are a label with an arrow

bool isBarKey(int key) { return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Home || key == Qt::Key_End; }

}  // namespace

MemoryBars::MemoryBars(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("memoryBars"), tr("Memory of a GPU: one bar for each stage or sharding"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    keepKeys(*this, [](const QKeyEvent& key) { return isBarKey(key.key()) && isPlain(key); });
    showTipAt(*this, [this](QPoint place) { return tipAt(place); });
}

void MemoryBars::showFacts(MemoryFacts facts) {
    const bool alike = facts.by == m_facts.by && facts.bars.size() == m_facts.bars.size();
    m_facts = std::move(facts);
    if (!alike)
        m_chosen.reset();
    describe();
    updateGeometry();
    update();
}

void MemoryBars::choose(std::optional<std::size_t> bar) {
    if (bar && *bar >= m_facts.bars.size())
        bar.reset();
    if (bar == m_chosen)
        return;
    m_chosen = bar;
    describe();
    update();
    Q_EMIT chosenChanged();
}

// Gives screen readers the chosen bar, or all bars if none is chosen.
void MemoryBars::describe() {
    QStringList rows;
    for (std::size_t i = 0; i < m_facts.bars.size(); ++i) {
        if (!m_chosen || *m_chosen == i)
            rows << spokenOf(m_facts.bars[i]);
    }
    setAccessibleDescription(rows.join(QStringLiteral(". ")));
}

QSize MemoryBars::minimumSizeHint() const {
    const double line = QFontMetricsF(font()).height();
    const auto rows = static_cast<double>(std::max<std::size_t>(1, m_facts.bars.size()));
    return {static_cast<int>(line * 34), static_cast<int>(line * (kAbove + kLeastRow * rows) + legendHeight(line))};
}

QSize MemoryBars::sizeHint() const { return minimumSizeHint(); }

std::vector<FillLegendEntry> MemoryBars::legend() const {
    std::vector<FillLegendEntry> entries;
    for (const std::size_t holder : holdersOf(m_facts))
        entries.push_back({titleOf(memoryHolders()[holder]), holderFill(holder, paletteOf(*this))});
    return entries;
}

double MemoryBars::legendHeight(double line) const {
    const QRectF area(line * kBarMargin, 0, std::max<double>(width(), line * 20) - line * kBarMargin * 2, line);
    return paintFillLegend(nullptr, area, legend(), font(), {}) + line * 0.6;
}

MemoryBars::Places MemoryBars::places() const {
    const QFontMetricsF metrics(font());
    Places at{};
    at.line = metrics.height();
    at.top = at.line * kAbove + legendHeight(at.line);
    const auto rows = static_cast<double>(std::max<std::size_t>(1, m_facts.bars.size()));
    at.row = std::clamp((height() - at.top - at.line * kBarMargin) / rows, at.line * kLeastRow, at.line * kMostRow);
    at.names = at.line * kBarMargin;
    double widest = at.line * 3;
    for (const MemoryBar& bar : m_facts.bars)
        widest = std::max(widest, metrics.horizontalAdvance(bar.name) * 1.08);
    at.left = at.names + widest + at.line;
    at.verdicts = width() - at.line * kBarMargin;
    at.totals = m_facts.capacity ? at.verdicts - at.line * kVerdicts : at.verdicts;
    at.right = std::max(at.left + at.line * 4, at.totals - at.line * kTotals);
    const engine::Bytes most = std::max(m_facts.largest(), m_facts.reach.value_or(engine::Bytes{}));
    const auto largest = static_cast<double>(std::max<std::int64_t>(1, most.count));
    const double capacity = m_facts.capacity ? static_cast<double>(m_facts.capacity->count) : 0;
    at.bytes = (capacity <= largest * kFarCapacity ? std::max(largest, capacity) : largest) * kMemoryHeadroom;
    return at;
}

double MemoryBars::xOf(const Places& at, double bytes) const {
    return at.left + (at.right - at.left) * bytes / at.bytes;
}

std::optional<double> MemoryBars::capacityX() const {
    const Places at = places();
    if (!m_facts.capacity || static_cast<double>(m_facts.capacity->count) > at.bytes)
        return std::nullopt;
    return xOf(at, static_cast<double>(m_facts.capacity->count));
}

QRectF MemoryBars::segment(std::size_t bar, std::size_t holder) const {
    const Places at = places();
    const engine::FootprintBytes& bytes = m_facts.bars[bar].stage.bytes;
    double before = 0;
    for (std::size_t i = 0; i < holder; ++i)
        before += static_cast<double>((bytes.*memoryHolders()[i].bytes).count);
    const double from = xOf(at, before);
    const double to = xOf(at, before + static_cast<double>((bytes.*memoryHolders()[holder].bytes).count));
    const double top = at.top + at.row * (static_cast<double>(bar) + (1 - kBarShare) / 2);
    return {from, top, to - from, at.row * kBarShare};
}

std::optional<std::size_t> MemoryBars::barAt(QPointF point) const {
    const Places at = places();
    const double row = std::floor((point.y() - at.top) / at.row);
    if (row < 0 || row >= static_cast<double>(m_facts.bars.size()))
        return std::nullopt;
    return static_cast<std::size_t>(row);
}

std::optional<std::size_t> MemoryBars::holderAt(std::size_t bar, QPointF point) const {
    for (std::size_t holder = 0; holder < kMemoryHolders; ++holder) {
        if (segment(bar, holder).contains(point))
            return holder;
    }
    return std::nullopt;
}

Tip MemoryBars::tipAt(QPoint place) const {
    const auto bar = barAt(place);
    if (!bar)
        return {};
    const auto holder = holderAt(*bar, place);
    if (!holder)
        return {spokenOf(m_facts.bars[*bar]), {}};
    const MemoryHolder& held = memoryHolders()[*holder];
    const engine::FootprintBytes& bytes = m_facts.bars[*bar].stage.bytes;
    const double share = static_cast<double>((bytes.*held.bytes).count) /
                         static_cast<double>(std::max<std::int64_t>(1, bytes.total().count));
    return {tr("%1, %2: %3, %4 of %5\n%6")
                .arg(m_facts.bars[*bar].name, titleOf(held), formatHeld(bytes.*held.bytes), formatPercent(share),
                     formatHeld(bytes.total()), meaningOf(held)),
            segment(*bar, *holder).toRect()};
}

void MemoryBars::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(event->rect(), colors.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_facts.bars.empty())
        return;
    const Places at = places();
    paintFillLegend(&painter,
                    QRectF(at.names, at.line * 0.4, width() - at.names - at.line * kBarMargin, legendHeight(at.line)),
                    legend(), font(), colors.ink);
    const auto rowsTo = static_cast<std::size_t>(std::max(0.0, (event->rect().bottom() - at.top) / at.row)) + 1;
    const auto rowsFrom = static_cast<std::size_t>(std::max(0.0, (event->rect().top() - at.top) / at.row));
    for (std::size_t bar = rowsFrom; bar < std::min(rowsTo, m_facts.bars.size()); ++bar) {
        if (bar == m_chosen) {
            const QRectF band(0, at.top + at.row * static_cast<double>(bar), width(), at.row);
            painter.fillRect(band, colors.stripe);
            painter.fillRect(QRectF(0, band.top(), at.line * 0.25, band.height()), colors.accent);
        }
    }
    paintAxis(painter, at);
    for (std::size_t bar = rowsFrom; bar < std::min(rowsTo, m_facts.bars.size()); ++bar)
        paintRow(painter, bar, at);
    paintCapacity(painter, at);
    for (std::size_t bar = rowsFrom; bar < std::min(rowsTo, m_facts.bars.size()); ++bar)
        paintValues(painter, bar, at);
}

void MemoryBars::paintAxis(QPainter& painter, const Places& at) const {
    const Palette& colors = paletteOf(*this);
    const double most = std::max(1.0, (at.right - at.left) / (at.line * kTickRoom));
    const double step = std::max(1.0, data::niceStep(at.bytes / most));
    const double bottom = at.top + at.row * static_cast<double>(m_facts.bars.size());
    painter.setFont(font());
    for (double bytes = 0; bytes <= at.bytes; bytes += step) {
        const double x = xOf(at, bytes);
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(x, at.top), QPointF(x, bottom));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(x - at.line * 4, at.top - at.line * 1.25, at.line * 8, at.line),
                         Qt::AlignHCenter | Qt::AlignVCenter, formatRound(std::llround(bytes)));
    }
}

void MemoryBars::paintCapacity(QPainter& painter, const Places& at) const {
    if (!m_facts.capacity)
        return;
    const Palette& colors = paletteOf(*this);
    const auto x = capacityX();
    const QString words = x ? tr("capacity %1").arg(formatHeld(*m_facts.capacity))
                            : tr("capacity %1 →").arg(formatHeld(*m_facts.capacity));
    painter.setFont(strongFont(font()));
    const double wide = QFontMetricsF(painter.font()).horizontalAdvance(words) + at.line;
    const double end = std::max(at.right + at.line * kTotals, at.left + wide);
    const double left = std::clamp(x.value_or(end) - wide / 2, at.left, end - wide);
    const QRectF plate(left, at.top - at.line * 2.55, wide, at.line * 1.2);
    const double bottom = at.top + at.row * static_cast<double>(m_facts.bars.size());
    if (x) {
        QPen pen(colors.surface, at.line * 0.28);  // an outline that separates the line from the bars behind it
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        painter.drawLine(QPointF(*x, at.top), QPointF(*x, bottom));
        painter.setPen(QPen(colors.error, std::max(2.0, at.line * 0.13), Qt::DashLine));
        painter.drawLine(QPointF(*x, at.top), QPointF(*x, bottom));
    }
    painter.setPen(colors.error);
    painter.drawText(plate, Qt::AlignCenter, words);
}

void MemoryBars::paintRow(QPainter& painter, std::size_t bar, const Places& at) const {
    const Palette& colors = paletteOf(*this);
    const MemoryBar& shown = m_facts.bars[bar];
    const QRectF row(0, at.top + at.row * static_cast<double>(bar), width(), at.row);
    if (bar == m_chosen && hasFocus())
        paintFocusFrame(painter, row.adjusted(1, 0.5, -1.5, -0.5), colors.accent);
    const bool isOwn = bar == m_facts.own;
    painter.setFont(isOwn ? strongFont(font()) : font());
    painter.setPen(colors.ink);
    painter.drawText(QRectF(at.names, row.top(), at.left - at.names, at.row), Qt::AlignLeft | Qt::AlignVCenter,
                     shown.name);
    if (!shown.problem.isEmpty())
        return;
    for (const std::size_t holder : holdersOf(m_facts)) {
        const QRectF box = segment(bar, holder);
        paintFill(painter, box, holderFill(holder, colors), at.line * 0.5);
        if (box.width() > 0)
            painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), colors.surface);
    }
    painter.setFont(strongFont(font()));
    painter.setPen(colors.ink);
    painter.drawText(QRectF(at.totals - at.line * kTotals, row.top(), at.line * kTotals, at.row),
                     Qt::AlignRight | Qt::AlignVCenter, formatHeld(shown.stage.bytes.total()));
    if (shown.fits) {
        painter.setPen(*shown.fits ? colors.better : colors.error);
        painter.drawText(QRectF(at.verdicts - at.line * kVerdicts, row.top(), at.line * kVerdicts, at.row),
                         Qt::AlignRight | Qt::AlignVCenter, verdictOf(shown));
    }
}

// Paints each value in its part of the bar if there is room, on a plate of the part's colour, because textures make
// letters hard to read.
void MemoryBars::paintValues(QPainter& painter, std::size_t bar, const Places& at) const {
    painter.setFont(font());
    const QFontMetricsF metrics(font());
    if (!m_facts.bars[bar].problem.isEmpty())
        return paintProblem(painter, bar, at);
    for (const std::size_t holder : holdersOf(m_facts)) {
        const QRectF box = segment(bar, holder);
        const QString value = formatHeld(m_facts.bars[bar].stage.bytes.*memoryHolders()[holder].bytes);
        QRectF plate(0, 0, metrics.horizontalAdvance(value) + metrics.height() * 0.6,
                     std::min(box.height(), metrics.height() * 1.05));
        plate.moveCenter(box.center());
        if (box.width() > plate.width() + 2 && box.height() >= metrics.height())
            paintPlate(painter, plate, metrics.height() * 0.2, holderFill(holder, paletteOf(*this)).color, value);
    }
}

void MemoryBars::paintProblem(QPainter& painter, std::size_t bar, const Places& at) const {
    const Palette& colors = paletteOf(*this);
    const QFontMetricsF metrics(font());
    const QString words = metrics.elidedText(tr("not computed: %1").arg(m_facts.bars[bar].problem), Qt::ElideRight,
                                             at.verdicts - at.left);
    const QRectF room(at.left, at.top + at.row * static_cast<double>(bar) + (at.row - at.line) / 2,
                      metrics.horizontalAdvance(words) + at.line * 0.3, at.line);
    painter.fillRect(room, bar == m_chosen ? colors.stripe : colors.surface);  // interrupts the line of the capacity
    painter.setPen(colors.inkSoft);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, words);
}

void MemoryBars::keyPressEvent(QKeyEvent* event) {
    if (m_facts.bars.empty() || !isBarKey(event->key()) || !isPlain(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = m_facts.bars.size() - 1;
    switch (event->key()) {
    case Qt::Key_Home: choose(0); break;
    case Qt::Key_End: choose(last); break;
    case Qt::Key_Up: choose(m_chosen && *m_chosen > 0 ? *m_chosen - 1 : 0); break;
    default: choose(m_chosen ? std::min(*m_chosen + 1, last) : 0); break;
    }
}

void MemoryBars::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        choose(barAt(event->position()));
}

}  // namespace ui
