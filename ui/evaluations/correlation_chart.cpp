#include "ui/evaluations/correlation_chart.h"

#include "data/presets/presets.h"
#include "data/results/metrics.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace ui {
namespace {

constexpr double kBandShare = 0.1;
constexpr double kAroundMarks = 1.5;  // factor between the outermost marks and the ends of the axes
constexpr double kMarkSize = 0.42;    // lines of text
constexpr double kMarkReach = 1;      // lines of text between the pointer and the mark that it hits
constexpr double kLegendRow = 1.4, kLegendLeft = 2.6, kLegendGap = 2.4;  // of the legend, in lines
constexpr double kLeastPlot = 6;                                         // lines of text along a side
constexpr double kTickRoom = 3.2;                                        // lines of text for a label along x
constexpr std::array kMachineRoles{Role::gemm, Role::reduceScatter, Role::allGather,
                                   Role::dma,  Role::link,          Role::exposed};

bool isCorrelationKey(const QKeyEvent& key) { return isPlain(key) && (isStepKey(key.key()) || isEnter(key.key())); }

QString machineTitle(const std::string& machine) {
    const data::Preset* preset = data::findMachine(machine);
    return text(preset == nullptr ? machine : preset->title);
}

/// Returns the label of a tick, "10 µs": the number without zeros at the end.
QString tickText(const std::string& metric, double value) {
    const data::Metric* found = data::findMetric(metric);
    QString label = found == nullptr ? QString::number(value) : text(data::formatMetric(*found, value));
    const qsizetype blank = label.indexOf(QLatin1Char(' ')), end = blank < 0 ? label.size() : blank;
    QString number = label.left(end);
    while (number.contains(QLatin1Char('.')) &&
           (number.endsWith(QLatin1Char('0')) || number.endsWith(QLatin1Char('.'))))
        number.chop(1);
    return QString(number + label.mid(end)).replace(QLatin1Char(' '), QChar(0x00a0));
}

}  // namespace

CorrelationChart::CorrelationChart(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("correlationChart"), tr("Ours over measured"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    keepKeys(*this, isCorrelationKey);
    showTipAt(*this, [this](QPoint place) { return tipAt(place); });
}

double CorrelationChart::line() const { return QFontMetricsF(font()).height(); }

QSize CorrelationChart::minimumSizeHint() const { return QSize(18, 14) * fontMetrics().height(); }

QSize CorrelationChart::sizeHint() const { return QSize(26, 22) * fontMetrics().height(); }

void CorrelationChart::showFacts(CorrelationFacts facts) {
    m_facts = std::move(facts);
    m_machines.clear();
    m_machineOf.clear();
    for (const data::MeasuredPair& pair : m_facts.pairs) {
        const auto known = std::ranges::find(m_machines, pair.machine);
        m_machineOf.push_back(static_cast<std::size_t>(known - m_machines.begin()));
        if (known == m_machines.end())
            m_machines.push_back(pair.machine);
    }
    if (!m_facts.pairs.empty()) {
        double least = m_facts.pairs.front().ours, most = least;
        for (const data::MeasuredPair& pair : m_facts.pairs) {
            least = std::min({least, pair.ours, pair.measured});
            most = std::max({most, pair.ours, pair.measured});
        }
        m_from = least / kAroundMarks;
        m_to = most * kAroundMarks;
    }
    if (m_chosen && !markOf(*m_chosen))
        m_chosen.reset();
    describe();
    update();
}

void CorrelationChart::choose(std::optional<std::size_t> row) {
    if (row && !markOf(*row))
        row.reset();
    if (row == m_chosen)
        return;
    m_chosen = row;
    describe();
    update();
}

void CorrelationChart::chooseByHand(std::optional<std::size_t> row) {
    const auto before = m_chosen;
    choose(row);
    if (m_chosen != before)
        Q_EMIT chosenChanged();
}

// Gives screen readers the chosen mark, or the number of marks if none is chosen.
void CorrelationChart::describe() {
    QString said = tr("%1 marks").arg(formatCount(static_cast<std::int64_t>(m_facts.pairs.size())));
    for (std::size_t i = 0; i < m_facts.pairs.size(); ++i) {
        if (m_facts.pairs[i].row == m_chosen)
            said = m_facts.texts[i];
    }
    setAccessibleDescription(said);
}

QRectF CorrelationChart::plot() const {
    const double unit = line();
    const double legend = unit * kLegendRow * static_cast<double>(legendRows());
    const QRectF room(unit * 5.5, legend + unit * 1.2, width() - unit * 7, height() - legend - unit * 4.2);
    const double side = std::max(1.0, std::min(room.width(), room.height()));
    return {room.left(), room.top(), side, side};
}

bool CorrelationChart::hasRoom(const QRectF& room) const { return room.width() >= line() * kLeastPlot; }

double CorrelationChart::placeOf(double value, double from, double length) const {
    return from + length * std::log(value / m_from) / std::log(m_to / m_from);
}

QPointF CorrelationChart::pointOf(const QRectF& room, double measured, double ours) const {
    return {placeOf(measured, room.left(), room.width()), placeOf(ours, room.bottom(), -room.height())};
}

std::optional<QPointF> CorrelationChart::markOf(std::size_t row) const {
    const auto pair = std::ranges::find(m_facts.pairs, row, &data::MeasuredPair::row);
    return pair == m_facts.pairs.end() ? std::nullopt : std::optional(pointOf(plot(), pair->measured, pair->ours));
}

QPolygonF CorrelationChart::band() const {
    const double above = 1 + kBandShare, below = 1 / above;
    const QRectF room = plot();
    const auto at = [&](double measured, double ours) { return pointOf(room, measured, ours); };
    return QPolygonF({at(m_from, m_from), at(m_from, m_from * above), at(m_to * below, m_to), at(m_to, m_to),
                      at(m_to, m_to * below), at(m_from * above, m_from)});
}

std::optional<std::size_t> CorrelationChart::pairAt(QPointF point) const {
    const QRectF room = plot();
    if (!hasRoom(room))
        return std::nullopt;
    std::optional<std::size_t> nearest;
    double best = line() * kMarkReach;
    for (std::size_t i = 0; i < m_facts.pairs.size(); ++i) {
        const QPointF away = pointOf(room, m_facts.pairs[i].measured, m_facts.pairs[i].ours) - point;
        if (const double distance = std::hypot(away.x(), away.y()); distance < best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

/// Returns the pairs from the least measured value to the greatest.
std::vector<std::size_t> CorrelationChart::order() const {
    std::vector<std::size_t> order(m_facts.pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return m_facts.pairs[a].measured < m_facts.pairs[b].measured;
    });
    return order;
}

Tip CorrelationChart::tipAt(QPoint place) const {
    const auto pair = pairAt(place);
    return pair ? Tip{m_facts.texts[*pair], {}} : Tip{};
}

void CorrelationChart::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(event->rect(), colors.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    if (m_facts.pairs.empty()) {
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(rect()).adjusted(line(), 0, -line(), 0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_facts.empty);
        return;
    }
    const QRectF room = plot();
    if (!hasRoom(room)) {
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(rect()).adjusted(line(), 0, -line(), 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Too small for the picture. Enlarge the window; the table has all numbers."));
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(Palette::mixed(colors.surface, colors.inkSoft, 0.18));
    painter.drawPolygon(band());
    paintAxes(painter, room, colors);
    painter.setPen(QPen(colors.inkSoft, 1));
    painter.drawLine(pointOf(room, m_from, m_from), pointOf(room, m_to, m_to));
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < m_facts.pairs.size(); ++i) {
        const data::MeasuredPair& pair = m_facts.pairs[i];
        if (pair.row == m_chosen)
            chosen = i;
        paintMark(painter, pointOf(room, pair.measured, pair.ours), m_machineOf[i], colors, kMarkSize);
    }
    if (chosen) {
        const QPointF centre = pointOf(room, m_facts.pairs[*chosen].measured, m_facts.pairs[*chosen].ours);
        painter.setPen(QPen(colors.accent, std::max(2.0, line() * 0.15)));
        painter.setBrush(colors.surface);
        painter.drawEllipse(centre, line() * 0.8, line() * 0.8);
        paintMark(painter, centre, m_machineOf[*chosen], colors, kMarkSize * 1.3);
    }
    paintLegend(painter, colors);
    if (hasFocus())
        paintFocusFrame(painter, QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), colors.accent);
}

void CorrelationChart::paintAxes(QPainter& painter, const QRectF& room, const Palette& colors) const {
    const double unit = line();
    painter.setFont(font());
    for (const double value : ticks(room.width())) {
        const QPointF place = pointOf(room, value, value);
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(place.x(), room.top()), QPointF(place.x(), room.bottom()));
        painter.drawLine(QPointF(room.left(), place.y()), QPointF(room.right(), place.y()));
        painter.setPen(colors.inkSoft);
        const QString label = tickText(m_facts.metric, value);
        painter.drawText(QRectF(place.x() - unit * 3, room.bottom() + unit * 0.2, unit * 6, unit), Qt::AlignCenter,
                         label);
        painter.drawText(QRectF(0, place.y() - unit * 0.5, room.left() - unit * 0.3, unit),
                         Qt::AlignRight | Qt::AlignVCenter, label);
    }
    painter.setPen(QPen(colors.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(room);
    painter.setPen(colors.ink);
    painter.drawText(QRectF(room.center().x() - unit * 5, room.bottom() + unit * 1.3, unit * 10, unit * 1.2),
                     Qt::AlignCenter, tr("measured; band: 10 %"));
    painter.drawText(QRectF(unit * 0.3, room.top() - unit * 1.3, unit * 8, unit * 1.2),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("ours"));
}

// Returns powers of ten, or 1, 2 and 5 times each of them if there is room for their labels.
std::vector<double> CorrelationChart::ticks(double length) const {
    constexpr double kLeastGap = 0.3;  // decades from 1 to 2 and from 5 to 10
    const double decades = std::log10(m_to / m_from), label = line() * kTickRoom;
    const int every = std::max(1, static_cast<int>(std::ceil(decades * label / length)));
    const bool fine = kLeastGap * length / decades > label;
    std::vector<double> values;
    for (int power = static_cast<int>(std::floor(std::log10(m_from) / every)) * every; std::pow(10, power) <= m_to;
         power += every)
        for (const double times : {1.0, 2.0, 5.0})
            if (const double value = times * std::pow(10, power);
                (fine || times == 1) && value >= m_from && value <= m_to)
                values.push_back(value);
    return values;
}

void CorrelationChart::paintMark(QPainter& painter, QPointF centre, std::size_t machine, const Palette& colors,
                                 double size) const {
    const double half = line() * size;
    const QColor colour = colors.of(kMachineRoles.at(machine % kMachineRoles.size()));
    painter.setPen(QPen(colors.surface, 1));
    painter.setBrush(colour);
    switch (machine % 3) {
    case 0: painter.drawEllipse(centre, half, half); break;
    case 1: painter.drawRect(QRectF(centre.x() - half * 0.9, centre.y() - half * 0.9, half * 1.8, half * 1.8)); break;
    default:
        painter.drawPolygon(QPolygonF({centre + QPointF(0, -half * 1.2), centre + QPointF(half * 1.2, 0),
                                       centre + QPointF(0, half * 1.2), centre + QPointF(-half * 1.2, 0)}));
    }
}

// Returns the rows of the legend: one, or one for each machine if they do not fit beside each other.
std::size_t CorrelationChart::legendRows() const {
    const QFontMetricsF metrics(font());
    double length = line() * kLegendLeft;
    for (const std::string& name : m_machines)
        length += metrics.horizontalAdvance(machineTitle(name)) + line() * kLegendGap;
    return length <= width() ? 1 : std::max<std::size_t>(1, m_machines.size());
}

void CorrelationChart::paintLegend(QPainter& painter, const Palette& colors) const {
    const QFontMetricsF metrics(font());
    const double unit = line();
    const bool stacked = legendRows() > 1;
    double x = unit * kLegendLeft, y = unit * 0.3;
    for (std::size_t i = 0; i < m_machines.size(); ++i) {
        const double room = width() - x - unit * 1.2;
        const QString words = metrics.elidedText(machineTitle(m_machines[i]), Qt::ElideRight, room);
        paintMark(painter, QPointF(x + unit * 0.5, y + unit * 0.6), i, colors, kMarkSize);
        painter.setPen(colors.ink);
        painter.drawText(QRectF(x + unit * 1.2, y, room, unit * 1.2), Qt::AlignLeft | Qt::AlignVCenter, words);
        if (stacked)
            y += unit * kLegendRow;
        else
            x += metrics.horizontalAdvance(words) + unit * kLegendGap;
    }
}

void CorrelationChart::keyPressEvent(QKeyEvent* event) {
    if (m_facts.pairs.empty() || !isCorrelationKey(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (isEnter(event->key())) {
        if (m_chosen)
            Q_EMIT openRequested(*m_chosen);
        return;
    }
    const std::vector<std::size_t> all = order();
    const auto isChosen = [this](std::size_t pair) { return m_facts.pairs[pair].row == m_chosen; };
    const auto found = std::ranges::find_if(all, isChosen);
    std::optional<std::size_t> at;
    if (found != all.end())
        at = static_cast<std::size_t>(found - all.begin());
    chooseByHand(m_facts.pairs[all[steppedBy(event->key(), at, all.size())]].row);
}

void CorrelationChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto pair = pairAt(event->position()))
        chooseByHand(m_facts.pairs[*pair].row);
}

void CorrelationChart::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto pair = pairAt(event->position());
    if (event->button() == Qt::LeftButton && pair)
        Q_EMIT openRequested(m_facts.pairs[*pair].row);
}

}  // namespace ui
