#include "ui/why/cause_table.h"

#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"

#include <QHeaderView>

#include <algorithm>

namespace ui {
namespace {

// All causes and the total. There may be many more GPUs, to which the table scrolls.
constexpr int kMostRowsShown = static_cast<int>(engine::kCauses) + 1;
constexpr double kRow = 1.45;  // lines of text

std::vector<ValueColumn> causeColumns() {
    return {{CauseTable::tr("name"), true}, {}, {CauseTable::tr("time")}, {CauseTable::tr("share")}};
}

/// Returns a mark in the colour of a cause: a swatch, as a legend for the ribbon, or a part of a bar.
ValueMark markOf(CauseTable::Column column, engine::Cause cause, std::optional<double> share) {
    const auto fill = [](int which, const Palette& colors) {
        return fillOf(static_cast<engine::Cause>(which), colors);
    };
    return {.column = column, .which = static_cast<int>(cause), .fill = fill, .share = share};
}

/// Returns a row of a table in which times add up to `sum`, and the bar of a row with the time `most` fills its cell.
ValueRow rowOf(const ShareRow& share, std::int64_t sum, std::int64_t most) {
    const QString time =
        share.total == 0 ? QStringLiteral("–") : formatTimeSteady(share.total, std::max<std::int64_t>(sum, 1));
    const QString percent = formatTenths(share.tenths);
    ValueRow row{.cells = {share.name, {}, time, percent},
                 .spoken = CauseTable::tr("%1: %2, %3").arg(share.name, time, percent)};
    if (share.cause) {
        row.meaning = meaningOf(*share.cause);
        row.marks.push_back(markOf(CauseTable::nameColumn, *share.cause, {}));
    }
    for (std::size_t i = 0; i < engine::kCauses; ++i) {
        const auto cause = static_cast<engine::Cause>(i);
        if (const std::int64_t ps = share.times[cause].ps; ps > 0)
            row.marks.push_back(
                markOf(CauseTable::barColumn, cause, static_cast<double>(ps) / static_cast<double>(most)));
    }
    return row;
}

}  // namespace

CauseTable::CauseTable(QWidget* parent) : ValueTable(parent) {
    setObjectName(QStringLiteral("causeTable"));
    setRowHeight(kRow);
    setAlternatingRowColors(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    verticalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->hide();
    horizontalHeader()->setMinimumSectionSize(8);
    showRows(causeColumns(), {});
    horizontalHeader()->setSectionResizeMode(nameColumn, QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(barColumn, QHeaderView::Stretch);
    onEvents(*this, {QEvent::FontChange}, [this] { fitColumns(); });
}

void CauseTable::showShares(std::vector<ShareRow> shares, const QString& heading) {
    m_shares = std::move(shares);
    ShareRow sum{.name = tr("total")};
    std::int64_t most = 1;
    for (const ShareRow& share : m_shares) {
        sum.total += share.total;
        sum.tenths += share.tenths;
        most = std::max(most, share.total);
    }
    std::vector<ValueRow> rows;
    for (const ShareRow& share : m_shares)
        rows.push_back(rowOf(share, sum.total, most));
    if (!rows.empty()) {
        rows.push_back(rowOf(sum, sum.total, most));
        rows.back().strong = true;
    }
    setAccessibleName(heading);
    setAccessibleDescription(rows.empty() ? QString() : rows.back().spoken);
    showRows(causeColumns(), std::move(rows));
}

void CauseTable::fitColumns() {
    const int space = fontMetrics().height();
    const QFontMetrics strong(strongFont(font()));
    const auto widest = [&](qsizetype column) {
        int width = 0;
        for (const ValueRow& row : rows())
            width = std::max(width, strong.horizontalAdvance(row.cells[column]));
        return width;
    };
    const int name = widest(nameColumn) + space * 7 / 4, time = widest(timeColumn) + space;
    const int share = strong.horizontalAdvance(QStringLiteral("100.0\u00a0%")) + space;
    setColumnWidth(nameColumn, name);
    setColumnWidth(timeColumn, time);
    setColumnWidth(shareColumn, share);
    // A narrow panel hides first the bar, then the times; the shares are the most important.
    const int room = viewport()->width() - name - share;
    setColumnHidden(timeColumn, room < time);
    setColumnHidden(barColumn, room >= time && room - time < 2 * space);
    updateGeometry();
}

QSize CauseTable::sizeHint() const {
    const int shown = std::clamp(model()->rowCount(), 1, kMostRowsShown);
    return {fontMetrics().averageCharWidth() * 40, shown * verticalHeader()->defaultSectionSize() + 2};
}

QSize CauseTable::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 24, sizeHint().height()}; }

void CauseTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

}  // namespace ui
