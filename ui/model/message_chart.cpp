#include "ui/model/message_chart.h"

#include "data/document/value_places.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/division_words.h"
#include "ui/model/mark_shapes.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <ranges>

namespace ui {
namespace {

using engine::MessageGroup;
using engine::MessageRow;
using Panel = MessageChart::Panel;

constexpr double kRadius = 0.5;        // lines of text
constexpr double kReach = 1;           // greatest distance between the pointer and the mark that it hits
constexpr double kTallestRow = 2.6;    // lines of text
constexpr double kBarThickness = 0.6;  // share of a row

/// Returns the shape of a group's marks; figures use the same shapes.
MarkOutline shapeOf(MessageGroup group) { return static_cast<MarkOutline>(group); }

Fill fillOf(MessageGroup group, const Palette& colors) { return seriesFill(static_cast<std::size_t>(group), colors); }
QColor colourOf(MessageGroup group, const Palette& colors) { return fillOf(group, colors).color; }

/// Returns the first power of ten on an axis on which every n-th power has a tick.
int firstPower(double from, int every) { return static_cast<int>(std::ceil(from / every)) * every; }

QString powerText(int power) {
    if (power < 6)
        return formatCount(std::llround(std::pow(10, power)));
    static constexpr std::array kDigits{u'⁰', u'¹', u'²', u'³', u'⁴', u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    QString text = QStringLiteral("10");
    for (const QChar digit : QString::number(power))
        text += QChar(kDigits[static_cast<std::size_t>(digit.digitValue())]);
    return text;
}

}  // namespace

MessageChart::MessageChart(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("messageChart"), tr("Messages by size"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    keepKeys(*this, [](const QKeyEvent& key) { return isStepKey(key.key()) && isPlain(key); });
    showTipAt(*this, [this](QPoint place) { return tipAt(place); });
}

double MessageChart::line() const { return QFontMetricsF(font()).height(); }

QSize MessageChart::minimumSizeHint() const { return QSize(34, 12) * fontMetrics().height(); }

QSize MessageChart::sizeHint() const { return QSize(60, 22) * fontMetrics().height(); }

void MessageChart::showFacts(MessageFacts facts) {
    if (facts.messages.rows.size() != rows().size())
        m_chosen.reset();
    m_facts = std::move(facts);
    describe();
    update();
}

void MessageChart::choose(std::optional<std::size_t> row) {
    if (row && *row >= rows().size())
        row.reset();
    if (row == m_chosen)
        return;
    m_chosen = row;
    describe();
    update();
    Q_EMIT chosenChanged();
}

// Gives screen readers the chosen row, or all rows if none is chosen.
void MessageChart::describe() {
    QStringList said;
    for (std::size_t i = 0; i < rows().size(); ++i) {
        if (!m_chosen || *m_chosen == i)
            said << spokenOf(rows()[i]);
    }
    for (const TotalBar& total : totals()) {
        if (!m_chosen)
            said << tr("%1: %2").arg(total.name, formatBytes(total.sent.count));
    }
    setAccessibleDescription(said.join(QStringLiteral(". ")));
}

QRectF MessageChart::plotOf(Panel panel) const {
    const double unit = line();
    const double half = width() / 2.0;
    const double top = unit * 3.4, bottom = height() - unit * 4.4;
    if (panel == Panel::count)
        return {unit * 5, top, std::max(1.0, half - unit * 7), std::max(1.0, bottom - top)};
    const double left = half + namesWidth() + unit * 0.6;
    return {left, top, std::max(1.0, width() - left - unit * 5), std::max(1.0, bottom - top)};
}

std::vector<MessageChart::TotalBar> MessageChart::totals() const {
    std::vector<TotalBar> bars;
    if (rows().size() > 1)
        bars.push_back({tr("all"), m_facts.messages.sent(), true});
    if (m_facts.unsharded)
        bars.push_back({tr("without sharding"), *m_facts.unsharded, false});
    return bars;
}

double MessageChart::rowHeight() const {
    const auto places = static_cast<double>(std::max<std::size_t>(1, rows().size() + totals().size()));
    return std::min(line() * kTallestRow, plotOf(Panel::sent).height() / places);
}

double MessageChart::mostSent() const {
    engine::Bytes most{1};
    for (const MessageRow& row : rows())
        most = std::max(most, row.sent);
    for (const TotalBar& total : totals())
        most = std::max(most, total.sent);
    return static_cast<double>(most.count);
}

double MessageChart::namesWidth() const {
    const QFontMetricsF metrics(strongFont(font()));
    double widest = 0;
    for (const MessageRow& row : rows())
        widest = std::max(widest, metrics.horizontalAdvance(titleOf(row)));
    for (const TotalBar& total : totals())
        widest = std::max(widest, metrics.horizontalAdvance(total.name));
    return std::min(widest, width() * 0.22);
}

QRectF MessageChart::barOf(std::size_t place, engine::Bytes sent) const {
    const QRectF plot = plotOf(Panel::sent);
    const double height = rowHeight();
    return {plot.left(), plot.top() + height * (static_cast<double>(place) + (1 - kBarThickness) / 2),
            plot.width() * static_cast<double>(sent.count) / mostSent(), height * kBarThickness};
}

bool MessageChart::isDrawnBySize(std::size_t row) const {
    const std::vector<std::size_t> drawn = m_facts.rowsBySize();
    return std::ranges::find(drawn, row) != drawn.end();
}

// Adds some space at both ends, so that marks stay inside; an axis has at least one decade.
MessageChart::Decades MessageChart::decadesOf(double (*valueOf)(const MessageRow&)) const {
    constexpr double kBeyond = 0.08, kLeastBeyond = 0.35;
    const std::vector<std::size_t> drawn = m_facts.rowsBySize();
    if (drawn.empty())
        return {};
    const auto [least, most] = std::ranges::minmax(
        drawn | std::views::transform([&](std::size_t row) { return std::log10(valueOf(rows()[row])); }));
    const double beyond = std::max((most - least) * kBeyond, kLeastBeyond);
    return {least - beyond, std::max(most + beyond, least - beyond + 1)};
}

std::optional<QPointF> MessageChart::markOf(Panel panel, std::size_t row) const {
    if (panel == Panel::sent) {
        const QRectF bar = barOf(row, rows()[row].sent);
        return QPointF(bar.right(), bar.center().y());
    }
    if (!isDrawnBySize(row))
        return std::nullopt;
    const QRectF plot = plotOf(panel);
    const double x = decadesOf(sizeOf).shareOf(std::log10(sizeOf(rows()[row])));
    const double y = decadesOf(countOf).shareOf(std::log10(countOf(rows()[row])));
    return QPointF(plot.left() + plot.width() * x, plot.bottom() - plot.height() * y);
}

std::optional<std::size_t> MessageChart::rowAt(QPointF point) const {
    const QRectF bars = plotOf(Panel::sent);
    if (point.x() > width() / 2.0) {
        const double place = std::floor((point.y() - bars.top()) / rowHeight());
        return place >= 0 && place < static_cast<double>(rows().size()) ? std::optional(static_cast<std::size_t>(place))
                                                                        : std::nullopt;
    }
    std::optional<std::size_t> nearest;
    double best = line() * kReach;
    for (std::size_t row = 0; row < rows().size(); ++row) {
        const QPointF away = markOf(Panel::count, row).value_or(QPointF(-best, -best) * 2) - point;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < best) {
            best = distance;
            nearest = row;
        }
    }
    return nearest;
}

std::vector<std::size_t> MessageChart::order() const {
    std::vector<std::size_t> order(rows().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return std::pair(sizeOf(rows()[a]), countOf(rows()[a])) < std::pair(sizeOf(rows()[b]), countOf(rows()[b]));
    });
    return order;
}

Tip MessageChart::tipAt(QPoint place) const {
    const auto row = rowAt(place);
    return row ? Tip{spokenOf(rows()[*row]).replace(QStringLiteral("; "), QStringLiteral("\n")), {}} : Tip{};
}

void MessageChart::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(event->rect(), colors.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    if (rows().empty()) {
        painter.setPen(colors.inkSoft);
        painter.drawText(rect(), Qt::AlignCenter, tr("No messages: every group consists of a single GPU."));
        return;
    }
    paintLegend(painter, colors);
    paintCounts(painter, colors);
    paintBars(painter, colors);
    if (hasFocus())
        paintFocusFrame(painter, QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), colors.accent);
}

void MessageChart::paintCounts(QPainter& painter, const Palette& colors) const {
    const QRectF plot = plotOf(Panel::count);
    paintAxes(painter, plot, colors);
    for (std::size_t row = 0; row < rows().size(); ++row) {
        if (const auto mark = markOf(Panel::count, row))
            paintMark(painter, *mark, row, colors);
    }
    paintLabels(painter, plot, colors);
}

void MessageChart::paintTitle(QPainter& painter, const QRectF& plot, const QString& words,
                              const Palette& colors) const {
    painter.setPen(colors.ink);
    painter.setFont(strongFont(font()));
    painter.drawText(QRectF(plot.left(), plot.top() - line() * 1.5, plot.width(), line() * 1.3),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(plot.width())));
}

void MessageChart::paintAxes(QPainter& painter, const QRectF& plot, const Palette& colors) const {
    const double unit = line();
    const Decades across = decadesOf(sizeOf), up = decadesOf(countOf);
    const auto everyOf = [](const Decades& axis, double length, double room) {
        const double most = std::max(1.0, length / room);
        return std::max(1, static_cast<int>(std::ceil((axis.to - axis.from) / most)));
    };
    const int everyX = everyOf(across, plot.width(), unit * 4.2), everyY = everyOf(up, plot.height(), unit * 1.6);
    painter.setFont(font());
    for (int power = firstPower(across.from, everyX); power <= across.to; power += everyX) {
        const double x = plot.left() + plot.width() * across.shareOf(power);
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(x - unit * 3, plot.bottom() + unit * 0.2, unit * 6, unit), Qt::AlignCenter,
                         formatRound(std::llround(std::pow(10, power))));
    }
    for (int power = firstPower(up.from, everyY); power <= up.to; power += everyY) {
        const double y = plot.bottom() - plot.height() * up.shareOf(power);
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(plot.left() - unit * 5, y - unit * 0.5, unit * 4.7, unit),
                         Qt::AlignRight | Qt::AlignVCenter, powerText(power));
    }
    painter.setPen(QPen(colors.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plot);
    painter.setPen(colors.ink);
    painter.drawText(QRectF(plot.left(), plot.bottom() + unit * 1.4, plot.width(), unit * 1.2), Qt::AlignCenter,
                     tr("size of a message, logarithmic"));
    painter.setPen(colors.inkSoft);
    painter.drawText(
        QRectF(unit, plot.bottom() + unit * 2.7, plot.right() - unit, unit * 1.2), Qt::AlignRight | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_facts.notDrawn(), Qt::ElideRight, static_cast<int>(plot.right() - unit)));
    paintTitle(painter, plot, tr("Messages in a step, logarithmic"), colors);
}

void MessageChart::paintBars(QPainter& painter, const Palette& colors) const {
    const QRectF plot = plotOf(Panel::sent);
    const double unit = line(), height = rowHeight(), left = width() / 2.0;
    if (m_chosen) {
        const QRectF band(left, plot.top() + height * static_cast<double>(*m_chosen), width() - left - unit * 0.5,
                          height);
        painter.fillRect(band, colors.stripe);
        painter.fillRect(QRectF(band.left(), band.top(), unit * 0.25, height), colors.accent);
    }
    paintBarAxis(painter, plot, colors);
    for (std::size_t row = 0; row < rows().size(); ++row) {
        paintFill(painter, barOf(row, rows()[row].sent), fillOf(rows()[row].group, colors), unit * 0.5);
        paintBarTexts(painter, row, titleOf(rows()[row]), rows()[row].sent, row == m_chosen, colors);
    }
    std::size_t place = rows().size();
    for (const TotalBar& total : totals()) {
        if (total.byGroup) {
            engine::Bytes before;
            for (const MessageRow& row : rows()) {
                QRectF box = barOf(place, before + row.sent);
                box.setLeft(barOf(place, before).right());
                paintFill(painter, box, fillOf(row.group, colors), unit * 0.5);
                before = before + row.sent;
            }
        } else {
            painter.setPen(QPen(colors.inkSoft, 1, Qt::DashLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(barOf(place, total.sent));
        }
        paintBarTexts(painter, place, total.name, total.sent, true, colors);
        ++place;
    }
}

void MessageChart::paintBarAxis(QPainter& painter, const QRectF& plot, const Palette& colors) const {
    const double unit = line(), most = mostSent();
    const auto places = static_cast<double>(rows().size() + totals().size());
    const double bottom = plot.top() + rowHeight() * places;
    const double step = std::max(1.0, data::niceStep(most / std::max(2.0, plot.width() / (unit * 5))));
    painter.setFont(font());
    for (double bytes = 0; bytes <= most; bytes += step) {
        const double x = plot.left() + plot.width() * bytes / most;
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, bottom));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(x - unit * 3, bottom + unit * 0.2, unit * 6, unit), Qt::AlignCenter,
                         formatRound(std::llround(bytes)));
    }
    paintTitle(painter, plot.adjusted(0, 0, unit * 4, 0), tr("Bytes sent in a step"), colors);
}

void MessageChart::paintBarTexts(QPainter& painter, std::size_t place, const QString& name, engine::Bytes sent,
                                 bool strong, const Palette& colors) const {
    const QRectF bar = barOf(place, sent);
    const double unit = line(), left = width() / 2.0 + unit * 0.4;
    painter.setFont(strong ? strongFont(font()) : font());
    painter.setPen(colors.ink);
    const QRectF names(left, bar.center().y() - unit, bar.left() - unit * 0.4 - left, unit * 2);
    painter.drawText(names, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(names.width() + 1)));
    painter.drawText(QRectF(bar.right() + unit * 0.3, bar.center().y() - unit, unit * 5, unit * 2),
                     Qt::AlignLeft | Qt::AlignVCenter, formatBytes(sent.count));
}

void MessageChart::paintMark(QPainter& painter, QPointF centre, std::size_t row, const Palette& colors) const {
    const MessageGroup group = rows()[row].group;
    const double radius = line() * kRadius;
    if (row == m_chosen) {
        painter.setPen(QPen(colors.accent, std::max(2.0, line() * 0.15)));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(centre, radius * 1.9, radius * 1.9);
    }
    painter.setPen(QPen(colors.ink, std::max(1.0, line() * 0.07)));
    painter.setBrush(colourOf(group, colors));
    painter.drawPath(markPath(shapeOf(group), centre, radius));
}

// Paints a label beside each mark if it covers no mark and no other label; otherwise only the table names the row.
void MessageChart::paintLabels(QPainter& painter, const QRectF& plot, const Palette& colors) const {
    painter.setFont(font());
    const QFontMetricsF metrics(font());
    const double unit = metrics.height();
    std::vector<QRectF> taken;
    for (const std::size_t row : m_facts.rowsBySize()) {
        const QPointF mark = *markOf(Panel::count, row);
        taken.emplace_back(mark.x() - unit * kRadius, mark.y() - unit * kRadius, unit * kRadius * 2,
                           unit * kRadius * 2);
    }
    std::vector<std::size_t> first = order();
    std::erase_if(first, [this](std::size_t row) { return !isDrawnBySize(row); });
    std::stable_partition(first.begin(), first.end(), [this](std::size_t row) { return row == m_chosen; });
    for (const std::size_t row : first) {
        const double away = unit * kRadius * (row == m_chosen ? 2.4 : 1.7);
        const QString words = titleOf(rows()[row]);
        const QFont type = row == m_chosen ? strongFont(font()) : font();
        const double wide = QFontMetricsF(type).horizontalAdvance(words) + unit * 0.4;
        const QPointF mark = *markOf(Panel::count, row);
        const double middle = mark.y() - unit / 2, centred = mark.x() - wide / 2;
        const std::array<QPointF, 8> corners{QPointF{mark.x() + away, middle},
                                             {mark.x() - away - wide, middle},
                                             {centred, mark.y() - away - unit},
                                             {centred, mark.y() + away},
                                             {mark.x() + away * 0.6, mark.y() - away - unit * 0.8},
                                             {mark.x() - away * 0.6 - wide, mark.y() - away - unit * 0.8},
                                             {mark.x() + away * 0.6, mark.y() + away * 0.8},
                                             {mark.x() - away * 0.6 - wide, mark.y() + away * 0.8}};
        for (const QPointF corner : corners) {
            const QRectF label(corner, QSizeF(wide, unit));
            if (!plot.contains(label) ||
                std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(label); }))
                continue;
            taken.push_back(label);
            painter.setPen(row == m_chosen ? colors.ink : colors.inkSoft);
            painter.setFont(type);
            painter.drawText(label, Qt::AlignCenter | Qt::TextDontClip, words);
            break;
        }
    }
}

void MessageChart::paintLegend(QPainter& painter, const Palette& colors) const {
    const QFontMetricsF metrics(font());
    const double unit = metrics.height();
    double x = plotOf(Panel::count).left();
    for (const MessageGroup group : engine::kMessageGroups) {
        if (std::ranges::find(rows(), group, &MessageRow::group) == rows().end())
            continue;
        const QString words = text(engine::name(group));
        painter.setPen(QPen(colors.ink, std::max(1.0, unit * 0.07)));
        painter.setBrush(colourOf(group, colors));
        painter.drawPath(markPath(shapeOf(group), QPointF(x + unit * kRadius, unit), unit * kRadius * 0.85));
        painter.setPen(colors.ink);
        painter.drawText(QRectF(x + unit * 1.3, unit * 0.4, unit * 10, unit * 1.2), Qt::AlignLeft | Qt::AlignVCenter,
                         words);
        x += metrics.horizontalAdvance(words) + unit * 2.6;
    }
}

void MessageChart::keyPressEvent(QKeyEvent* event) {
    if (rows().empty() || !isStepKey(event->key()) || !isPlain(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::vector<std::size_t> all = order();
    std::optional<std::size_t> at;
    if (m_chosen)
        at = static_cast<std::size_t>(std::find(all.begin(), all.end(), *m_chosen) - all.begin());
    choose(all[steppedBy(event->key(), at, all.size())]);
}

void MessageChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        choose(rowAt(event->position()));
}

}  // namespace ui
