#include "ui/compare/compare_foot.h"

#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <ranges>

namespace ui {
namespace {

constexpr double kTableHead = 1.7;  // lines
constexpr double kTableRow = 2.6;
constexpr double kLeastTableRow = 2.15;
constexpr double kNumberSize = 1.15;
// Indices into headlinesOf(), in the order in which columns are left out where there is little room.
constexpr std::array<std::size_t, 5> kLeastImportant{6, 3, 2, 4, 1};
constexpr double kKeyLines = 2.6;  // the letter and what surrounds it

QFont numberFont(const QFont& font) { return scaledFont(font, kNumberSize, QFont::DemiBold); }
QFont differenceFontOf(const QFont& font) { return scaledFont(font, 0.95, QFont::DemiBold); }

/// Returns the first candidate that fits into the room; if none fits, the last one, elided.
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
            if (row.headlines[i].isRatio)
                word += QLatin1Char(' ') + row.headlines[i].remark;  // names the base
            if (i < row.differences.size())
                word += QStringLiteral(" (%1)").arg(row.differences[i].text);
            words << word;
        }
        lines << QStringLiteral("%1, %2: %3").arg(row.letter, row.name, words.join(QStringLiteral(", ")));
    }
    setAccessibleDescription(lines.join(QLatin1Char('\n')));
    setToolTip(plainTip(lines.join(QLatin1Char('\n'))));
    updateGeometry();
    update();
}

const std::vector<Headline>* DifferenceTable::headlines() const {
    const auto there = std::ranges::find_if(m_rows, [](const auto& row) { return !row.headlines.empty(); });
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
        QStringList names{head.title, head.title == head.shownTitle() ? head.briefTitle() : head.title};
        // Speed-ups of runs with a companion are over serial execution, those of other runs over sequential.
        const auto hasCompanion = [column](const DifferenceRow& row) { return row.headlines[column].inCompany; };
        auto shown = m_rows | std::views::filter([](const DifferenceRow& row) { return !row.headlines.empty(); });
        if (head.isRatio && std::ranges::all_of(shown, hasCompanion))
            names = {tr("Speed-up over serial"), tr("Over serial"), head.briefTitle()};
        const QString title = fitting(metrics, cell - key - line() * 0.3, names);
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
                         Qt::AlignLeft | Qt::AlignVCenter, tr("the other runs are compared with this one"));
    }
}

FigureCanvas::Content waterfallContent(const std::vector<WaterfallColumn>& columns, data::FigureSpec figure) {
    FigureCanvas::Content content;
    content.figure = std::move(figure);
    RowOptions& rows = content.rows.emplace();
    rows.axis = false;
    const std::vector<WaterfallStep> steps = stepsOfAll(columns);
    rows.markers = steps.size();
    for (const WaterfallStep& each : steps)
        content.choices << (each.cause ? each.name + QStringLiteral("; ") + meaningOf(*each.cause) : each.name);
    content.choices << DifferenceTable::tr("total");
    QStringList spoken;
    for (const WaterfallColumn& column : columns) {
        const Waterfall& waterfall = column.waterfall;
        const QString heading = waterfallHeading(waterfall, column.from, column.to);
        const QString total = waterfall.amount(waterfall.shownTotal), reasons = waterfallReasons(waterfall);
        rows.heads.push_back(
            {{heading, waterfallBrief(waterfall, column.to), QStringLiteral("%1: %2").arg(column.to, total), column.to},
             reasons});
        RowOptions::Column& amounts = rows.columns.emplace_back();
        amounts.panel = rows.columns.size() - 1;
        for (const WaterfallStep& each : steps) {
            const WaterfallStep* own = waterfall.find(each.name);
            const std::int64_t shown = own == nullptr ? 0 : own->shown;
            amounts.cells.push_back(
                {own == nullptr ? QString() : waterfall.amount(shown), shown < 0   ? RowOptions::Tone::better
                                                                       : shown > 0 ? RowOptions::Tone::error
                                                                                   : RowOptions::Tone::plain});
        }
        amounts.cells.push_back({total});
        for (qsizetype row = 0; row < content.choices.size(); ++row) {
            const QString& amount = amounts.cells[static_cast<std::size_t>(row)].text;
            content.choices[row] +=
                QStringLiteral("; %1: %2")
                    .arg(column.to, amount.isEmpty() ? DifferenceTable::tr("no difference") : amount);
        }
        spoken << heading + QStringLiteral(": ") + reasons;
    }
    content.summary = spoken.join(QLatin1Char('\n'));
    return content;
}

}  // namespace ui
