// The drawing functions of RooflineChart.
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/roofline_chart.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr double kLegendRow = 1.3;  // lines
constexpr int kMarkAlpha = 190;     // marks are translucent, so that those behind them are visible

/// Returns a power of ten as the label of a tick: "0.1", "10", "1 G".
QString tickText(int power) {
    static constexpr std::array kLetters{"", " k", " M", " G", " T", " P", " E"};
    if (power < 0)
        return QString::number(std::pow(10, power), 'f', -power);
    const auto thousands = std::min<std::size_t>(static_cast<std::size_t>(power / 3), kLetters.size() - 1);
    return QString::number(std::llround(std::pow(10, power - 3 * static_cast<int>(thousands)))) +
           QLatin1String(kLetters[thousands]);
}

QPen outline(const Palette& colors, double unit) { return {colors.ink, std::max(1.0, unit * 0.07)}; }

}  // namespace

void RooflineChart::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(event->rect(), colors.surface);
    if (!m_facts)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_stale)
        painter.setOpacity(0.45);
    paintLegend(&painter, colors);
    paintAxes(painter, colors);
    std::vector<QRectF> taken = paintRoof(painter, colors);
    for (const RooflineMark& mark : m_layout.marks())
        paintMark(painter, mark, colors);
    if (const RooflineMark* chosen = m_chosen ? m_layout.markOf(*m_chosen) : nullptr) {
        paintMark(painter, *chosen, colors);
        painter.setPen(QPen(colors.accent, std::max(2.0, line() * 0.15)));
        painter.setBrush(Qt::NoBrush);
        const double ring = chosen->radius * 1.25 + line() * 0.25;
        painter.drawEllipse(chosen->centre, ring, ring);
    }
    paintLabels(painter, std::move(taken), colors);
    if (hasFocus())
        paintFocusFrame(painter, QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), colors.accent);
}

double RooflineChart::paintLegend(QPainter* painter, const Palette& colors) const {
    if (!m_facts)
        return 0;
    const QFontMetricsF metrics(font());
    const double unit = metrics.height();
    double x = unit * 0.8, y = unit * 0.4;
    const auto place = [&](double wide) {
        if (x + wide > width() - unit * 0.4 && x > unit) {
            x = unit * 0.8;
            y += unit * kLegendRow;
        }
        const QPointF at(x, y);
        x += wide + unit * 0.9;
        return at;
    };
    const auto write = [&](QPointF at, const QString& words, const QColor& ink) {
        painter->setFont(font());
        painter->setPen(ink);
        painter->drawText(QRectF(at, QSizeF(metrics.horizontalAdvance(words) + 1, unit)),
                          Qt::AlignLeft | Qt::AlignVCenter, words);
    };
    for (const data::ClassTime& time : m_facts->classes) {
        if (time.operatorClass == engine::OperatorClass::collective)
            continue;
        const QString words = titleOf(time.operatorClass);
        const QPointF at = place(metrics.horizontalAdvance(words) + unit * 1.2);
        if (painter == nullptr)
            continue;
        painter->setPen(outline(colors, unit));
        painter->setBrush(fillOf(time.operatorClass, colors).color);
        painter->drawPath(markPath(shapeOf(time.operatorClass), at + QPointF(unit * 0.5, unit * 0.5), unit * 0.4));
        write(at + QPointF(unit * 1.2, 0), words, colors.ink);
    }
    const QString area = tr("area: time");
    const QPointF at = place(metrics.horizontalAdvance(area));
    if (painter != nullptr)
        write(at, area, colors.inkSoft);
    return y + unit * kLegendRow;
}

void RooflineChart::paintAxes(QPainter& painter, const Palette& colors) const {
    const double unit = line();
    const QRectF& plot = m_layout.plot();
    const auto everyOf = [](const RooflineLayout::Decades& axis, double length, double room) {
        const double most = std::max(1.0, length / room);
        return std::max(1, static_cast<int>(std::ceil((axis.to - axis.from) / most)));
    };
    const auto eachPower = [](const RooflineLayout::Decades& axis, int every, auto draw) {
        for (int power = static_cast<int>(std::ceil(axis.from / every)) * every; power <= axis.to; power += every)
            draw(power, axis.shareOf(power));
    };
    painter.setFont(font());
    eachPower(m_layout.across(), everyOf(m_layout.across(), plot.width(), unit * 3.5), [&](int power, double share) {
        const double x = plot.left() + plot.width() * share;
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(x - unit * 3, plot.bottom() + unit * 0.2, unit * 6, unit), Qt::AlignCenter,
                         tickText(power));
    });
    eachPower(m_layout.up(), everyOf(m_layout.up(), plot.height(), unit * 1.6), [&](int power, double share) {
        const double y = plot.bottom() - plot.height() * share;
        painter.setPen(QPen(colors.grid, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(plot.left() - unit * 4, y - unit * 0.5, unit * 3.7, unit),
                         Qt::AlignRight | Qt::AlignVCenter, tickText(power));
    });
    painter.setPen(QPen(colors.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plot);
    painter.setPen(colors.ink);
    painter.drawText(QRectF(plot.left(), plot.bottom() + unit * 1.4, plot.width(), unit * 1.2), Qt::AlignCenter,
                     tr("flops per byte of DRAM traffic, logarithmic"));
    painter.save();
    painter.translate(unit * 0.2, plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot.height() / 2, 0, plot.height(), unit * 1.2), Qt::AlignCenter,
                     tr("rate in FLOP/s, logarithmic"));
    painter.restore();
}

std::vector<QRectF> RooflineChart::paintRoof(QPainter& painter, const Palette& colors) const {
    const double unit = line();
    const QRectF& plot = m_layout.plot();
    const QFontMetricsF metrics(font());
    const QPolygonF roof = m_layout.roof();
    painter.save();
    painter.setClipRect(plot);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors.inkFaint, 1, Qt::DashLine));
    painter.drawLine(roof[1], QPointF(roof[1].x(), plot.bottom()));
    painter.setPen(QPen(colors.ink, std::max(1.5, unit * 0.12), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawPolyline(roof);
    painter.setPen(colors.inkSoft);
    painter.setFont(font());
    std::vector<QRectF> taken;
    const QString flat = flatText(*m_facts), slope = slopeText(*m_facts);
    const QString ridge = tr("ridge %1").arg(formatIntensity(m_facts->roof.ridge()));
    const double flatWide = metrics.horizontalAdvance(flat);
    // At the top, above the marks that extend over the roof.
    taken.emplace_back(std::max(plot.left(), plot.right() - flatWide - unit * 0.4), plot.top() + unit * 0.15, flatWide,
                       unit);
    painter.drawText(taken.back(), Qt::AlignRight | Qt::AlignVCenter, flat);
    const double ridgeWide = metrics.horizontalAdvance(ridge);
    const bool left = roof[1].x() + unit * 0.4 + ridgeWide > plot.right();
    taken.emplace_back(left ? roof[1].x() - unit * 0.4 - ridgeWide : roof[1].x() + unit * 0.4,
                       plot.bottom() - unit * 1.2, ridgeWide + 1, unit);
    painter.drawText(taken.back(), Qt::AlignLeft | Qt::AlignVCenter, ridge);
    const double slopeWide = metrics.horizontalAdvance(slope) + 1;
    if (const auto along = m_layout.alongSlope(slopeWide)) {
        painter.translate(along->from);
        painter.rotate(along->degrees);
        painter.drawText(QRectF(0, -unit * 1.15, slopeWide, unit), Qt::AlignLeft | Qt::AlignVCenter, slope);
        taken.insert(taken.end(), along->boxes.begin(), along->boxes.end());
    } else {
        // Without room between the marks, the label is in the empty corner over the slope.
        const QString words = tr("slope: %1").arg(slope);
        taken.emplace_back(plot.left() + unit * 0.4, plot.top() + unit * 0.15, metrics.horizontalAdvance(words) + 1,
                           unit);
        painter.drawText(taken.back(), Qt::AlignLeft | Qt::AlignVCenter, words);
    }
    painter.restore();
    return taken;
}

void RooflineChart::paintMark(QPainter& painter, const RooflineMark& mark, const Palette& colors) const {
    const engine::OperatorClass operatorClass = m_facts->at(mark.row).operatorClass;
    painter.setPen(outline(colors, line()));
    painter.setBrush(Palette::seeThrough(fillOf(operatorClass, colors).color, kMarkAlpha));
    painter.drawPath(markPath(shapeOf(operatorClass), mark.centre, mark.radius));
}

void RooflineChart::paintLabels(QPainter& painter, std::vector<QRectF> taken, const Palette& colors) const {
    for (const RooflineLabel& label : m_layout.labels(*m_facts, m_chosen, strongFont(font()), std::move(taken))) {
        const bool chosen = label.row == m_chosen;
        painter.setFont(chosen ? strongFont(font()) : font());
        painter.setPen(chosen ? colors.ink : colors.inkSoft);
        painter.drawText(label.box, Qt::AlignCenter | Qt::TextDontClip, label.words);
    }
}

}  // namespace ui
