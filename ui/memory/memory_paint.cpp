// The part of MemoryView that paints.
#include "data/replay/shown_run.h"
#include "ui/look/colour_map.h"
#include "ui/look/fill_legend.h"
#include "ui/look/format.h"
#include "ui/look/texture.h"
#include "ui/look/widget_parts.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/memory_words.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr double kUseShade = 0.5;     // share of the colour in the area of utilisation
constexpr double kLineWidth = 0.12;   // of the line of efficiency, in lines of text
constexpr double kCamps = 4;          // where the dashed line of camping is
constexpr double kLeastDotted = 0.4;  // least height of a cell with a dot, in lines of text
constexpr double kSmall = 0.88;       // relative to the usual text size
constexpr double kScaleWidth = 8;     // of the bar of colours in the legend, in lines of text

/// Returns the smallest number of 1, 2 or 5 times a power of ten that is no less than `value`.
double niceAbove(double value) {
    if (value <= 0)
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0})
        if (power * step >= value * (1 - 1e-9))
            return power * step;
    return power * 10;
}

QColor useColor(const Palette& colors) { return Palette::mixed(colors.surface, colors.accent, kUseShade); }

std::vector<FillLegendEntry> unitEntries(const Palette& colors, bool collective) {
    const QColor gemm = colors.of(Role::gemm);
    std::vector<FillLegendEntry> entries{
        {MemoryView::tr("computing"), {gemm, gemm}},
        {MemoryView::tr("waiting"), {Palette::mixed(colors.surface, gemm, 0.35), colors.ink, Texture::falling}}};
    if (collective)
        entries.push_back({MemoryView::tr("collective"), {colors.of(Role::reduceScatter), colors.ink}});
    return entries;
}

}  // namespace

// Returns the part of a strip in which a period is; clipped to the strip.
QRectF MemoryView::columnsOf(const QRectF& strip, std::size_t period) const {
    const data::Periods& periods = m_lapse.periods();
    const double from = std::max(strip.left(), m_geometry.columnOf(periods.begin(period)));
    const double to = std::min(strip.right(), m_geometry.columnOf(periods.endOf(period)));
    return {from, strip.top(), std::max(0.0, to - from), strip.height()};
}

double MemoryView::mostHeat() const {
    const auto [first, end] = m_lapse.within(shownRange());
    double most = 0;
    for (std::size_t shown = 0; shown < m_layout.shownRows; ++shown)
        for (std::size_t period = first; period < end; ++period)
            most = std::max(most, heatOf(heatCell(shown, period), m_heat, m_lapse.periods().lengthOf(period)));
    return niceAbove(most);
}

// Paints the frame of a strip, its name, and the values at its top and bottom edges.
void MemoryView::paintStrip(QPainter& painter, const QRectF& strip, const QString& name, const QString& top,
                            const QString& bottom) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().grid, pixel()));
    for (const double y : {strip.top(), strip.bottom()})
        painter.drawLine(QPointF(strip.left(), y), QPointF(strip.right(), y));
    const QRectF names(0, strip.top(), strip.left() - line() * 0.5, strip.height());
    painter.setFont(font());
    painter.setPen(colors().ink);
    painter.drawText(names.adjusted(line() * 0.6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setFont(scaledFont(font(), kSmall));
    painter.setPen(colors().inkSoft);
    painter.drawText(names, Qt::AlignRight | Qt::AlignTop, top);
    painter.drawText(names, Qt::AlignRight | Qt::AlignBottom, bottom);
}

void MemoryView::paintUse(QPainter& painter) const {
    const QRectF& strip = m_layout.utilisation;
    paintStrip(painter, strip, tr("utilisation"), QStringLiteral("100 %"), QStringLiteral("0"));
    const data::TimeLapse& memory = m_lapse.memory();
    const auto [first, end] = m_lapse.within(shownRange());
    QPolygonF efficiency;
    for (std::size_t period = first; period < end; ++period) {
        const QRectF column = columnsOf(strip, period);
        const double height = strip.height() * memory.utilisation(period);
        painter.fillRect(QRectF(column.left(), strip.bottom() - height, column.width(), height), useColor(colors()));
        const double y = strip.bottom() - strip.height() * memory.efficiency(period);
        efficiency << QPointF(column.left(), y) << QPointF(column.right(), y);
    }
    painter.setPen(QPen(colors().ink, std::max(pixel(), line() * kLineWidth * 0.7)));
    painter.drawPolyline(efficiency);
}

void MemoryView::paintHits(QPainter& painter) const {
    const QRectF& strip = m_layout.hits;
    if (strip.isEmpty())
        return;
    paintStrip(painter, strip, tr("row hits"), QStringLiteral("100 %"), QStringLiteral("0"));
    const auto [first, end] = m_lapse.within(shownRange());
    const QColor area = Palette::mixed(colors().surface, colors().inkSoft, 0.3);
    for (std::size_t period = first; period < end; ++period) {
        const auto hits = data::rowHitsOf(m_lapse.memory().sumAt(period));
        if (!hits)
            continue;
        const QRectF column = columnsOf(strip, period);
        const double height = strip.height() * *hits;
        painter.fillRect(QRectF(column.left(), strip.bottom() - height, column.width(), height), area);
        painter.fillRect(
            QRectF(column.left(), strip.bottom() - height, column.width(), std::max(pixel(), line() * 0.08)),
            colors().ink);
    }
}

// Paints the cells as one image with a pixel for each, scaled without smoothing.
void MemoryView::paintHeat(QPainter& painter) const {
    const auto [first, end] = m_lapse.within(shownRange());
    const data::Periods& periods = m_lapse.periods();
    const double most = mostHeat();
    QImage image(static_cast<int>(end - first), static_cast<int>(m_layout.shownRows), QImage::Format_RGB32);
    for (std::size_t shown = 0; shown < m_layout.shownRows; ++shown) {
        auto* const pixels = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(shown)));
        for (std::size_t period = first; period < end; ++period)
            pixels[period - first] =
                viridis(heatOf(heatCell(shown, period), m_heat, periods.lengthOf(period)) / most).rgb();
    }
    // The last period may be shorter; the image has all of them at the same length.
    const double from = m_geometry.xOf(periods.begin(first));
    const double to = m_geometry.xOf(periods.begin(first) + static_cast<std::int64_t>(end - first) * periods.length);
    painter.save();
    painter.setClipRect(
        QRectF(m_layout.heat.topLeft(), QPointF(columnsOf(m_layout.heat, end - 1).right(), m_layout.heat.bottom())));
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(QRectF(from, m_layout.heat.top(), to - from, m_layout.heat.height()), image,
                      QRectF(image.rect()));
    painter.restore();
    paintHeatMarks(painter);
    paintRowNames(painter);
}

// Paints a dot where more than half of the requests opened a row, or the value where a cell has room for it.
void MemoryView::paintHeatMarks(QPainter& painter) const {
    const auto [first, end] = m_lapse.within(shownRange());
    const data::Periods& periods = m_lapse.periods();
    const double height = m_layout.row(0).height(), width = columnsOf(m_layout.heat, first).width();
    const QFont small = scaledFont(font(), kSmall);
    const QFontMetricsF metrics(small);
    const bool hasValues =
        width >= metrics.horizontalAdvance(QStringLiteral("100%")) + line() * 0.3 && height >= metrics.height() * 0.9;
    const bool hasDots = m_lapse.memory().hasBanks() && height >= line() * kLeastDotted && width >= 3 * pixel();
    if (!hasValues && !hasDots)
        return;
    const double most = mostHeat(),
                 dot = std::max(pixel(), std::floor(std::min(width, height) * 0.3 / pixel()) * pixel());
    painter.setFont(small);
    for (std::size_t shown = 0; shown < m_layout.shownRows; ++shown)
        for (std::size_t period = first; period < end; ++period) {
            const data::TimeLapse::Cell cell = heatCell(shown, period);
            const double value = heatOf(cell, m_heat, periods.lengthOf(period));
            const QRectF box = columnsOf(m_layout.row(shown), period);
            const QColor ink = Palette::inkOn(viridis(value / most));
            if (hasDots && cell.opening > cell.requests / 2)
                painter.fillRect(QRectF(snapped(box.center().x() - dot / 2),
                                        snapped(hasValues ? box.top() + dot / 2 : box.center().y() - dot / 2), dot,
                                        dot),
                                 ink);
            if (!hasValues || box.width() < width * 0.5)
                continue;
            painter.setPen(ink);
            const QString text =
                m_heat == Heat::bytes
                    ? QStringLiteral("%1%").arg(std::lround(100 * m_lapse.memory().utilisation(rowOf(shown), period)))
                    : QString::number(value, 'g', 3);
            painter.drawText(box, Qt::AlignCenter, text);
        }
}

void MemoryView::paintRowNames(QPainter& painter) const {
    const QFont small = scaledFont(font(), kSmall);
    const double needed = QFontMetricsF(small).height() * 0.95, height = m_layout.row(0).height();
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(needed / std::max(0.1, height))));
    painter.setFont(small);
    painter.setPen(colors().inkSoft);
    for (std::size_t shown = 0; shown < m_layout.shownRows; shown += every) {
        const auto [first, end] = rowsOf(shown);
        QRectF box = m_layout.row(shown);
        box = QRectF(0, box.center().y() - needed / 2, m_layout.heat.left() - line() * 0.5, needed);
        painter.drawText(box.adjusted(line() * 0.6, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
                         rowNames(m_lapse.memory(), first, end));
    }
}

void MemoryView::paintCamping(QPainter& painter) const {
    const QRectF& strip = m_layout.camping;
    if (strip.isEmpty())
        return;
    const data::TimeLapse& memory = m_lapse.memory();
    const double most = std::max(kCamps, static_cast<double>(memory.rows()));
    const auto yOf = [&](double camping) {
        return strip.bottom() - strip.height() * std::log(std::max(1.0, camping)) / std::log(most);
    };
    paintStrip(painter, strip, tr("camping"), QStringLiteral("× %1").arg(std::lround(most)), QStringLiteral("× 1"));
    painter.setPen(QPen(colors().inkSoft, pixel(), Qt::DashLine));
    const double dashed = snapped(yOf(kCamps)) + pixel() / 2;
    if (most > kCamps)
        painter.drawLine(QPointF(strip.left(), dashed), QPointF(strip.right(), dashed));
    const auto [first, end] = m_lapse.within(shownRange());
    for (std::size_t period = first; period < end; ++period) {
        const auto camping = memory.camping(period);
        if (!camping)
            continue;
        const QRectF column = columnsOf(strip, period);
        const double y = snapped(yOf(*camping));
        painter.fillRect(QRectF(column.left(), y, column.width(), strip.bottom() - y),
                         Palette::mixed(colors().surface, colors().of(Role::exposed), 0.35));
        painter.fillRect(QRectF(column.left(), y, column.width(), std::max(pixel(), line() * 0.1)), colors().ink);
    }
}

void MemoryView::paintUnits(QPainter& painter) const {
    const QRectF& strip = m_layout.units;
    if (strip.isEmpty())
        return;
    paintStrip(painter, strip, tr("compute units"), QStringLiteral("100 %"), QStringLiteral("0"));
    const std::vector<FillLegendEntry> fills = unitEntries(colors(), true);
    const auto [first, end] = m_lapse.within(shownRange());
    for (std::size_t period = first; period < end; ++period) {
        const data::UnitLapse::Cell cell = m_lapse.units().sumAt(period);
        const QRectF column = columnsOf(strip, period);
        const std::array shares{cell.computing, cell.waiting, cell.collective};
        double bottom = strip.bottom();
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double height = strip.height() * static_cast<double>(shares[i]) /
                                  static_cast<double>(std::max<std::int64_t>(1, cell.all()));
            if (height > 0)
                paintFill(painter, QRectF(column.left(), bottom - height, column.width(), height), fills[i].fill,
                          textureSpacing(line()));
            bottom -= height;
        }
    }
}

void MemoryView::paintAxis(QPainter& painter) const {
    const QRectF& axis = m_layout.axis;
    painter.setFont(scaledFont(font(), kSmall));
    painter.setPen(colors().inkSoft);
    const QFontMetricsF metrics(painter.font());
    for (const Tick& tick : timeTicks(m_viewState.range(), static_cast<int>(axis.width() / (line() * 6)))) {
        const double x = m_geometry.columnOf(tick.ps);
        painter.fillRect(QRectF(x, axis.top(), pixel(), line() * 0.3), colors().line);
        const double width = metrics.horizontalAdvance(tick.label) + 4;
        const double left = std::clamp(x - width / 2, 0.0, std::max(0.0, rect().width() - width));
        painter.drawText(QRectF(left, axis.top() + line() * 0.3, width, axis.height() - line() * 0.3),
                         Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
}

// Paints the legend: the scale of the heat map, then fills. Returns its height; without a painter it only measures.
double MemoryView::paintKey(QPainter* painter, const QRectF& area) const {
    const QFont small = scaledFont(font(), kSmall);
    const QFontMetricsF metrics(small);
    const double row = line() * 1.2;
    const QString from = tr("%1 in a period: 0").arg(nameOf(m_heat)), to = heatText(mostHeat(), m_heat);
    const double fromWidth = metrics.horizontalAdvance(from), toWidth = metrics.horizontalAdvance(to);
    const QRectF scale(area.left() + fromWidth + line() * 0.4, area.top() + row * 0.2, line() * kScaleWidth, row * 0.6);
    const double used = scale.right() - area.left() + line() * 0.4 + toWidth + line() * 1.2;
    std::vector<FillLegendEntry> entries{{tr("utilisation"), {useColor(colors()), colors().ink}}};
    entries.push_back(
        {tr("line: efficiency, in the time with requests"), {colors().surface, colors().ink, Texture::rows}});
    if (m_lapse.memory().hasBanks())
        entries.push_back({tr("more than half of the requests opened a row"),
                           {viridis(0.6), Palette::inkOn(viridis(0.6)), Texture::dots}});
    if (!m_layout.units.isEmpty())
        for (FillLegendEntry& entry : unitEntries(colors(), true))
            entries.push_back(std::move(entry));
    const bool beside = area.width() - used > line() * 30;
    const QRectF rest = beside ? area.adjusted(used, 0, 0, 0) : area.adjusted(0, row, 0, 0);
    const double height = paintFillLegend(painter, rest, entries, small, colors().inkSoft);
    if (painter != nullptr) {
        painter->setFont(small);
        painter->setPen(colors().inkSoft);
        painter->drawText(QRectF(area.left(), area.top(), fromWidth + 1, row), Qt::AlignLeft | Qt::AlignVCenter, from);
        painter->drawText(QRectF(scale.right() + line() * 0.4, area.top(), toWidth + 1, row),
                          Qt::AlignLeft | Qt::AlignVCenter, to);
        constexpr int kSteps = 64;
        for (int step = 0; step < kSteps; ++step)
            painter->fillRect(QRectF(scale.left() + scale.width() * step / kSteps, scale.top(),
                                     scale.width() / kSteps + pixel(), scale.height()),
                              viridis((step + 0.5) / kSteps));
    }
    return std::max(row, beside ? height : row + height);
}

void MemoryView::paintBackground(QPainter& painter) {
    if (m_lapse.isEmpty())
        return;
    paintUse(painter);
    paintHits(painter);
    paintHeat(painter);
    paintCamping(painter);
    paintUnits(painter);
    paintAxis(painter);
    paintKey(&painter, m_layout.key);
}

QRectF MemoryView::cursorBox() const {
    if (!m_viewState.cursor() || m_lapse.isEmpty())
        return {};
    const double x = m_geometry.xOf(*m_viewState.cursor());
    const QRectF strips = m_layout.strips();
    if (x < strips.left() || x > strips.right())
        return {};
    return {std::floor(x) - 1, strips.top(), 3, strips.height()};
}

QRectF MemoryView::selectedBox() const {
    const auto row = selectedRow();
    if (!row || m_lapse.isEmpty() || *row >= m_lapse.memory().rows())
        return {};
    return m_layout.row(*row / m_layout.rowsTogether).adjusted(-line() * 0.25, 0, line() * 0.25, 0);
}

std::vector<PartState> MemoryView::states() {
    m_header = headerWords();
    return {{m_layout.header, stateOf(m_header)}, {cursorBox(), 1}, {selectedBox(), 1}};
}

void MemoryView::paintMoment(QPainter& painter, const QRegion&) {
    painter.setFont(strongFont(font()));
    painter.setPen(colors().ink);
    const double right = inShapes() ? m_layout.header.right() : m_heatChoice->geometry().left() - line();
    const QRectF header(m_layout.header.left(), m_layout.header.top(), right - m_layout.header.left(),
                        m_layout.header.height());
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(m_header, Qt::ElideRight, header.width()));
    if (inShapes())
        return;
    if (const QRectF box = selectedBox(); !box.isEmpty()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors().surface, 4 * pixel()));
        painter.drawRect(box);
        painter.setPen(QPen(colors().ink, 2 * pixel()));
        painter.drawRect(box);
    }
    if (const QRectF box = cursorBox(); !box.isEmpty()) {
        painter.fillRect(box, colors().surface);
        painter.fillRect(box.adjusted(1, 0, -1, 0), colors().cursor);
    }
}

}  // namespace ui
