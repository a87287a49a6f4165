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

constexpr double kWaterfallLine = 1.45;  // lines of text
constexpr double kLeastWaterfallLine = 1.05;
constexpr double kBesideBar = 0.4;  // between a bar and its amount

/// Returns as many whole parts of the list as fit into the room; the tool tip shows all of them.
QString withinBox(const QString& list, const QFontMetricsF& metrics, QSizeF room) {
    const QString between = QStringLiteral(", ");
    QStringList parts = list.split(between);
    QString text = list;
    const auto fits = [&] {
        return metrics.boundingRect(QRectF(0, 0, room.width(), 1e4), Qt::TextWordWrap, text).height() <= room.height();
    };
    while (parts.size() > 1 && !fits()) {
        parts.removeLast();
        text = parts.join(between) + QStringLiteral(" …");
    }
    return text;
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

WaterfallView::WaterfallView(QWidget* parent) : QWidget(parent) {
    setNames(*this, QStringLiteral("waterfall"), tr("Why the runs differ"));
}

double WaterfallView::line() const { return QFontMetricsF(font()).height(); }

void WaterfallView::showColumns(std::vector<WaterfallColumn> columns) {
    m_columns = std::move(columns);
    m_lines = stepsOfAll(m_columns);
    QStringList spoken;
    for (const WaterfallColumn& column : m_columns)
        spoken << waterfallHeading(column.waterfall, column.from, column.to) + QStringLiteral(": ") +
                      waterfallReasons(column.waterfall);
    setAccessibleDescription(spoken.join(QLatin1Char('\n')));
    setToolTip(plainTip(spoken.join(QLatin1Char('\n'))));
    updateGeometry();
    update();
}

double WaterfallView::lineHeight() const {
    const double room = (height() - headHeight() - line() * 0.3) / static_cast<double>(m_lines.size() + 2);
    return std::clamp(room, line() * kLeastWaterfallLine, line() * kWaterfallLine * 1.3);
}

QSize WaterfallView::sizeHint() const {
    return {
        static_cast<int>(line() * 44),
        static_cast<int>(std::ceil(headHeight() + line() * kWaterfallLine * static_cast<double>(m_lines.size() + 2)))};
}

QSize WaterfallView::minimumSizeHint() const {
    const auto lines = static_cast<double>(m_lines.size() + 2);
    return {static_cast<int>(line() * 26),
            static_cast<int>(std::ceil(headHeight() + line() * (0.3 + kLeastWaterfallLine * lines)))};
}

double WaterfallView::gutter() const {
    double widest = line() * 3;
    for (const WaterfallStep& each : m_lines)
        widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(each.name));
    return widest + line() * 2.2;
}

WaterfallView::Scale WaterfallView::scaleOf(std::size_t i) const {
    const double cell = (width() - gutter()) / static_cast<double>(m_columns.size());
    Scale scale;
    scale.left = gutter() + cell * static_cast<double>(i) + line() * kBesideBar;
    scale.width = std::max(line(), cell - amountWidth() - line() * (3 * kBesideBar));
    scale.from = m_columns.front().waterfall.fromTotal;
    scale.to = scale.from + 1;
    for (const WaterfallColumn& column : m_columns) {
        for (const std::int64_t end : {column.waterfall.fromTotal, column.waterfall.toTotal}) {
            scale.from = std::min(scale.from, end);
            scale.to = std::max(scale.to, end);
        }
        for (const WaterfallStep& step : column.waterfall.steps) {
            scale.from = std::min(scale.from, step.from);
            scale.to = std::max(scale.to, step.from);
        }
    }
    return scale;
}

QColor WaterfallView::colourOf(const WaterfallStep& step) const {
    const Palette& colors = paletteOf(*this);
    return step.cause ? ui::colourOf(*step.cause, colors) : colors.of(step.role);
}

void WaterfallView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), paletteOf(*this).surface);
    if (m_columns.empty()) {
        painter.setPen(paletteOf(*this).inkSoft);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The reasons appear when two runs have finished."));
        return;
    }
    paintGutter(painter);
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        paintColumn(painter, i);
}

void WaterfallView::paintGutter(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    const double right = gutter() - line() * 0.6;
    double top = headHeight();
    painter.setFont(font());
    const auto name = [&](const QString& text) {
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(0, top, right, lineHeight()), Qt::AlignRight | Qt::AlignVCenter, text);
        top += lineHeight();
    };
    name(tr("from"));
    for (const WaterfallStep& each : m_lines) {
        const double side = line() * 0.7;
        const double width = QFontMetricsF(font()).horizontalAdvance(each.name);
        painter.fillRect(QRectF(right - width - side - line() * 0.4, top + (lineHeight() - side) / 2, side, side),
                         colourOf(each));
        name(each.name);
    }
    name(tr("to"));
}

// Returns the width of the longest amount; all amounts are to the right of their bars.
double WaterfallView::amountWidth() const {
    const QFontMetricsF metrics(strongFont(font()));
    double widest = 0;
    for (const WaterfallColumn& column : m_columns) {
        for (const std::int64_t total : {column.waterfall.fromTotal, column.waterfall.toTotal})
            widest = std::max(widest, metrics.horizontalAdvance(formatTime(total)));
        for (const WaterfallStep& step : column.waterfall.steps)
            widest = std::max(widest, metrics.horizontalAdvance(column.waterfall.amount(step.shown)));
    }
    return widest;
}

// Returns one font for all headings: the large one only if every heading fits into `room`.
QFont WaterfallView::headingFont(double room) const {
    const QFont big = scaledFont(font(), 1.2, QFont::DemiBold);
    const bool fits = std::all_of(m_columns.begin(), m_columns.end(), [&](const WaterfallColumn& column) {
        return QFontMetricsF(big).horizontalAdvance(waterfallHeading(column.waterfall, column.from, column.to)) <= room;
    });
    return fits ? big : strongFont(font());
}

void WaterfallView::paintColumn(QPainter& painter, std::size_t i) const {
    const Palette& colors = paletteOf(*this);
    const WaterfallColumn& column = m_columns[i];
    const double cell = (width() - gutter()) / static_cast<double>(m_columns.size());
    const double left = i == 0 ? line() * 0.6 : gutter() + cell * static_cast<double>(i);
    const QRectF head(left, line() * 0.35, gutter() + cell * static_cast<double>(i + 1) - left - line() * 0.6,
                      headHeight());
    if (i > 0)
        painter.fillRect(QRectF(left - line() * 0.5, line() * 0.4, 1, height() - line() * 0.8), colors.grid);
    painter.setPen(colors.ink);
    const QString heading = waterfallHeading(column.waterfall, column.from, column.to);
    const QFont big = headingFont(cell - line() * 1.2);
    painter.setFont(big);
    const QFontMetricsF metrics(big);
    const QString words =
        fitting(metrics, head.width(),
                {heading, waterfallBrief(column.waterfall, column.to),
                 QStringLiteral("%1: %2").arg(column.to, column.waterfall.amount(column.waterfall.shownTotal))});
    painter.drawText(head.adjusted(0, 0, 0, -head.height() + line() * 1.35), Qt::AlignLeft | Qt::AlignVCenter, words);
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    const QRectF reasons = head.adjusted(0, line() * 1.4, 0, -line() * 0.3);
    painter.drawText(reasons, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     withinBox(waterfallReasons(column.waterfall), QFontMetricsF(font()), reasons.size()));
    const Scale scale = scaleOf(i);
    paintTotal(painter, scale, column.waterfall.fromTotal, headHeight(), column.fromPolicy);
    paintSteps(painter, column, scale);
    paintTotal(painter, scale, column.waterfall.toTotal,
               headHeight() + lineHeight() * static_cast<double>(m_lines.size() + 1), column.toPolicy);
}

// Marks the total with a line and not with a bar, because the scale does not begin at zero.
void WaterfallView::paintTotal(QPainter& painter, const Scale& scale, std::int64_t ps, double top,
                               const std::string& policy) const {
    const Palette& colors = paletteOf(*this);
    const double x = scale.xOf(ps);
    painter.fillRect(QRectF(x - 1.5, top + 2, 3, lineHeight() - 4), colors.ofPolicy(policy));
    const QFont bold = strongFont(font());
    const QString total = formatTime(ps);
    painter.setFont(bold);
    painter.setPen(colors.ink);
    painter.drawText(QRectF(x + line() * kBesideBar, top, amountWidth() + 2, lineHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter, total);
}

void WaterfallView::paintSteps(QPainter& painter, const WaterfallColumn& column, const Scale& scale) const {
    const Palette& colors = paletteOf(*this);
    std::int64_t level = column.waterfall.fromTotal;
    double top = headHeight();
    for (const WaterfallStep& each : m_lines) {
        top += lineHeight();
        const double before = scale.xOf(level);
        // A thin line carries the level down from the row above, also past causes in which the two runs do not differ.
        painter.fillRect(QRectF(std::floor(before), top - lineHeight() * 0.2, 1, lineHeight() * 0.4), colors.line);
        const auto& steps = column.waterfall.steps;
        const auto step = std::ranges::find(steps, each.name, &WaterfallStep::name);
        if (step == steps.end()) {
            painter.fillRect(QRectF(std::floor(before), top, 1, lineHeight()), colors.line);
            continue;
        }
        level += step->ps;
        const double after = scale.xOf(level);
        const QRectF bar(std::min(before, after), top + lineHeight() * 0.14, std::max(1.0, std::abs(after - before)),
                         lineHeight() * 0.72);
        painter.fillRect(bar, colourOf(*step));
        const QString amount = column.waterfall.amount(step->shown);
        painter.setFont(strongFont(font()));
        painter.setPen(step->ps < 0 ? colors.better : colors.error);
        painter.drawText(QRectF(bar.right() + line() * kBesideBar, top, amountWidth() + 2, lineHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, amount);
    }
}

}  // namespace ui
