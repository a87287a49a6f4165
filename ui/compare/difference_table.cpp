#include "ui/compare/difference_table.h"

#include "ui/look/widget_parts.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ui {
namespace {

constexpr double kTableHead = 1.7;  // lines
constexpr double kTableRow = 2.6;
constexpr double kLeastTableRow = 2.15;
constexpr double kNumberSize = 1.15;
// Of headlinesOf: what the others tell as well goes first where there is little room.
constexpr std::array<std::size_t, 5> kLeastImportant{6, 3, 2, 4, 1};
constexpr double kKeyLines = 2.6;  // the letter and what surrounds it

QFont numberFont(const QFont& font) { return scaledFont(font, kNumberSize, QFont::DemiBold); }
QFont differenceFontOf(const QFont& font) { return scaledFont(font, 0.95, QFont::DemiBold); }

/// The longest of what may be said that there is room for.
QString fitting(const QFontMetricsF& metrics, double room, const QStringList& candidates) {
    for (const QString& candidate : candidates) {
        if (metrics.horizontalAdvance(candidate) <= room)
            return candidate;
    }
    return metrics.elidedText(candidates.back(), Qt::ElideRight, room);
}

QString numberTextOf(const Headline& headline) {
    return headline.isLost ? DifferenceTable::tr("lost %1").arg(headline.quantity.text()) : headline.quantity.text();
}

}  // namespace

DifferenceTable::DifferenceTable(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("differenceTable"), tr("Differences between the runs"));
}

double DifferenceTable::line() const { return QFontMetricsF(font()).height(); }

double DifferenceTable::rowHeight() const {
    const double room = (height() - line() * kTableHead) / static_cast<double>(std::max<std::size_t>(1, m_rows.size()));
    return std::clamp(room, line() * kLeastTableRow, line() * kTableRow * 1.3);
}

QSize DifferenceTable::sizeHint() const {
    const double rows = static_cast<double>(std::max<std::size_t>(2, m_rows.size()));
    return {static_cast<int>(line() * 36), static_cast<int>(std::ceil(line() * (kTableHead + kTableRow * rows)))};
}

QSize DifferenceTable::minimumSizeHint() const {
    const double rows = static_cast<double>(std::max<std::size_t>(2, m_rows.size()));
    return {static_cast<int>(line() * 26), static_cast<int>(std::ceil(line() * (kTableHead + kLeastTableRow * rows)))};
}

void DifferenceTable::showRows(std::vector<DifferenceRow> rows) {
    m_rows = std::move(rows);
    QStringList lines;
    for (const DifferenceRow& row : m_rows) {
        QStringList words;
        for (std::size_t i = 0; i < row.headlines.size(); ++i) {
            QString word = row.headlines[i].shownTitle() + QLatin1Char(' ') + row.headlines[i].quantity.text();
            if (i < row.differences.size())
                word += QStringLiteral(" (%1)").arg(row.differences[i].text);
            words << word;
        }
        lines << QStringLiteral("%1, %2: %3").arg(row.letter, row.name, words.join(QStringLiteral(", ")));
    }
    setAccessibleDescription(lines.join(QLatin1Char('\n')));
    setToolTip(lines.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

const std::vector<Headline>* DifferenceTable::headlines() const {
    const auto there =
        std::find_if(m_rows.begin(), m_rows.end(), [](const auto& row) { return !row.headlines.empty(); });
    return there == m_rows.end() ? nullptr : &there->headlines;
}

double DifferenceTable::neededCell() const {
    const QFontMetricsF numbers(numberFont(font())), differences(differenceFontOf(font()));
    double needed = 0;
    for (const DifferenceRow& row : m_rows) {
        for (const Headline& headline : row.headlines)
            needed = std::max(needed, numbers.horizontalAdvance(numberTextOf(headline)));
        for (const Difference& difference : row.differences)
            needed = std::max(needed, differences.horizontalAdvance(difference.brief));
    }
    return needed + line() * 0.5;
}

std::vector<std::size_t> DifferenceTable::columns() const {
    if (headlines() == nullptr)
        return {};
    const auto room = static_cast<std::size_t>(std::max(1.0, (width() - line() * (kKeyLines + 0.4)) / neededCell()));
    std::vector<std::size_t> shown(headlines()->size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    for (const std::size_t least : kLeastImportant) {
        if (shown.size() > room)
            std::erase(shown, least);
    }
    return shown;
}

void DifferenceTable::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& colors = paletteOf(*this);
    painter.fillRect(rect(), colors.surface);
    if (headlines() == nullptr)
        return;
    const double left = line() * kKeyLines;
    const double cell = (width() - left - line() * 0.4) / static_cast<double>(columns().size());
    paintHead(painter, left, cell);
    double top = line() * kTableHead;
    for (const DifferenceRow& row : m_rows) {
        painter.fillRect(QRectF(0, top, width(), 1), colors.grid);
        paintRow(painter, row, QRectF(0, top, width(), rowHeight()), left, cell);
        top += rowHeight();
    }
}

void DifferenceTable::paintHead(QPainter& painter, double left, double cell) const {
    const Palette& colors = paletteOf(*this);
    const QFontMetricsF metrics(font());
    painter.setFont(font());
    double x = left;
    for (const std::size_t column : columns()) {
        const Headline& head = (*headlines())[column];
        const double key = head.role ? line() * 0.5 : 0;
        if (head.role)
            painter.fillRect(QRectF(x, line() * 0.55, line() * 0.3, line() * 0.75), colors.of(*head.role));
        painter.setPen(colors.inkSoft);
        const QString title = fitting(metrics, cell - key - line() * 0.3,
                                      {head.title, head.title == head.shownTitle() ? head.briefTitle() : head.title});
        painter.drawText(QRectF(x + key, line() * 0.3, cell, line() * 1.25), Qt::AlignLeft | Qt::AlignVCenter, title);
        x += cell;
    }
}

void DifferenceTable::paintRow(QPainter& painter, const DifferenceRow& row, const QRectF& box, double left,
                               double cell) const {
    const Palette& colors = paletteOf(*this);
    const QColor own = colors.ofPolicy(row.policy);
    const double top = box.top() + (box.height() - line() * 2.05) / 2;
    QRectF badge(line() * 0.5, top + line() * 0.05, line() * 1.35, line() * 1.25);
    painter.fillRect(badge, own);
    painter.setPen(Palette::inkOn(own));
    painter.setFont(scaledFont(font(), 1, QFont::Bold));
    painter.drawText(badge, Qt::AlignCenter, row.letter);
    const QFont number = numberFont(font()), small = differenceFontOf(font());
    const double room = cell - line() * 0.3;
    double x = left;
    for (const std::size_t column : row.headlines.empty() ? std::vector<std::size_t>{} : columns()) {
        painter.setFont(number);
        painter.setPen(colors.ink);
        painter.drawText(QRectF(x, top, cell, line() * 1.3), Qt::AlignLeft | Qt::AlignVCenter,
                         fitting(QFontMetricsF(number), room, {numberTextOf(row.headlines[column])}));
        if (column < row.differences.size()) {
            const Difference& difference = row.differences[column];
            painter.setFont(small);
            painter.setPen(difference.verdict == Difference::Verdict::better  ? colors.better
                           : difference.verdict == Difference::Verdict::worse ? colors.error
                                                                              : colors.inkFaint);
            painter.drawText(QRectF(x, top + line() * 1.15, cell, line()), Qt::AlignLeft | Qt::AlignVCenter,
                             fitting(QFontMetricsF(small), room, {difference.text, difference.brief}));
        }
        x += cell;
    }
    if (!row.headlines.empty() && row.differences.empty()) {
        painter.setFont(scaledFont(font(), 0.95));
        painter.setPen(colors.inkFaint);
        painter.drawText(QRectF(left, top + line() * 1.15, box.width() - left, line()),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("the others are measured by this run"));
    }
}

}  // namespace ui
