#include "ui/memory/memory_words.h"

#include "ui/look/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QString memoryTr(const char* text) { return QCoreApplication::translate("MemoryView", text); }

QString oneDecimal(double value) { return QString::number(value, 'f', value < 100 ? 1 : 0); }

QString orNone(const std::optional<double>& share) { return share ? formatPercent(*share) : memoryTr("none"); }

}  // namespace

QString rowName(const data::TimeLapse& lapse, std::size_t row) {
    if (!lapse.areBanks())
        return memoryTr("channel %1").arg(row);
    const data::BankPlace place = lapse.bankAt(row);
    return memoryTr("bank %1 of group %2").arg(place.bank).arg(place.group);
}

QString rowNames(const data::TimeLapse& lapse, std::size_t first, std::size_t end) {
    if (end - first == 1)
        return rowName(lapse, first);
    return lapse.areBanks() ? memoryTr("%1 to %2").arg(rowName(lapse, first), rowName(lapse, end - 1))
                            : memoryTr("channels %1 to %2").arg(first).arg(end - 1);
}

QString nameOf(Heat heat) {
    switch (heat) {
    case Heat::rowsOpened: return memoryTr("rows opened");
    case Heat::waiting: return memoryTr("waiting requests");
    case Heat::bytes: break;
    }
    return memoryTr("bytes");
}

QString periodName(std::int64_t ps) {
    const ScaledUnit& unit = unitFor(kTimeUnits, static_cast<double>(ps));
    return QStringLiteral("%1 %2").arg(static_cast<double>(ps) / unit.size).arg(QString::fromUtf8(unit.name));
}

QString heatText(double value, Heat heat) {
    switch (heat) {
    case Heat::rowsOpened: return memoryTr("%1 rows").arg(formatCount(std::llround(value)));
    case Heat::waiting: return memoryTr("%1 requests").arg(oneDecimal(value));
    case Heat::bytes: break;
    }
    return formatBytes(std::llround(value));
}

QString timesText(const data::Periods& periods, std::size_t period) {
    return memoryTr("%1 to %2")
        .arg(formatTimeSteady(periods.begin(period), periods.end),
             formatTimeSteady(periods.endOf(period), periods.end));
}

QString campingText(const data::TimeLapse& lapse, std::size_t period) {
    const auto camping = lapse.camping(period);
    return camping ? memoryTr("%1 times the mean").arg(QString::number(*camping, 'f', 2))
                   : memoryTr("too few requests");
}

QString rowHitsText(const data::TimeLapse::Cell& cell) { return orNone(data::rowHitsOf(cell)); }

QString unitsText(const data::UnitLapse& units, std::size_t period) {
    const data::UnitLapse::Cell cell = units.sumAt(period);
    const auto shareOf = [&](std::int64_t ps) {
        return formatPercent(static_cast<double>(ps) / static_cast<double>(std::max<std::int64_t>(1, cell.all())));
    };
    QStringList parts{memoryTr("computing %1").arg(shareOf(cell.computing)),
                      memoryTr("waiting %1").arg(shareOf(cell.waiting))};
    if (cell.collective > 0)
        parts << memoryTr("collective %1").arg(shareOf(cell.collective));
    parts << memoryTr("empty %1").arg(shareOf(cell.empty));
    return parts.join(QStringLiteral(", "));
}

QString periodText(const LapseWindow& window, std::size_t period, std::optional<std::size_t> row) {
    const data::TimeLapse& lapse = window.memory();
    const data::TimeLapse::Cell& cell = row ? lapse.at(*row, period) : lapse.sumAt(period);
    QStringList lines{timesText(lapse.periods(), period)};
    if (row)
        lines << rowName(lapse, *row);
    lines << memoryTr("requests: %1").arg(oneDecimal(cell.requests))
          << memoryTr("bytes: %1").arg(formatBytes(cell.bytes))
          << memoryTr("utilisation: %1")
                 .arg(formatPercent(row ? lapse.utilisation(*row, period) : lapse.utilisation(period)))
          << memoryTr("efficiency: %1")
                 .arg(formatPercent(row ? lapse.efficiency(*row, period) : lapse.efficiency(period)));
    if (lapse.hasBanks())
        lines << memoryTr("row hits: %1").arg(rowHitsText(cell))
              << memoryTr("rows opened: %1").arg(oneDecimal(cell.rowsOpened));
    lines << memoryTr("waiting requests: %1 on average")
                 .arg(oneDecimal(heatOf(cell, Heat::waiting, lapse.periods().lengthOf(period))));
    if (!row && lapse.rows() > 1)
        lines << memoryTr("camping: %1").arg(campingText(lapse, period));
    if (!row)
        lines << memoryTr("compute units: %1").arg(unitsText(window.units(), period));
    return lines.join(QLatin1Char('\n'));
}

MomentTable::Content memoryTable(const LapseWindow& window, data::TimeRange range) {
    MomentTable::Content content;
    if (window.isEmpty())
        return content;
    const data::TimeLapse& lapse = window.memory();
    content.title = lapse.areBanks() ? memoryTr("Banks of a channel together") : memoryTr("All channels together");
    content.columns = {{memoryTr("From"), false},
                       {memoryTr("Requests"), false},
                       {memoryTr("Bytes"), false},
                       {memoryTr("Utilisation"), false},
                       {memoryTr("Efficiency"), false}};
    if (lapse.hasBanks()) {
        content.columns.push_back({memoryTr("Row hits"), false});
        content.columns.push_back({memoryTr("Rows opened"), false});
    }
    content.columns.push_back(
        {memoryTr("Camping"), false, memoryTr("Bytes of the busiest, divided by the mean of all")});
    const auto [first, end] = window.within(range);
    for (std::size_t period = first; period < std::min(end, first + kMostTableRows); ++period) {
        const data::TimeLapse::Cell& cell = lapse.sumAt(period);
        QStringList cells{formatTimeSteady(lapse.periods().begin(period), lapse.periods().end),
                          formatCount(std::llround(cell.requests)), formatBytes(cell.bytes),
                          formatPercent(lapse.utilisation(period)), formatPercent(lapse.efficiency(period))};
        if (lapse.hasBanks())
            cells << rowHitsText(cell) << formatCount(std::llround(cell.rowsOpened));
        const auto camping = lapse.camping(period);
        cells << (camping ? QString::number(*camping, 'f', 2) : QString());
        content.rows.push_back({.cells = cells});
    }
    return content;
}

std::optional<DramPage> dramPageOf(const QString& name) {
    if (name == QLatin1String("channels"))
        return DramPage{};
    const QString banks = QStringLiteral("banks/");
    if (!name.startsWith(banks))
        return std::nullopt;
    bool isNumber = false;
    const unsigned channel = name.mid(banks.size()).toUInt(&isNumber);
    return isNumber ? std::optional(DramPage::banks(channel)) : std::nullopt;
}

QString nameOf(const DramPage& page) {
    return page.banksOf() ? QStringLiteral("banks/%1").arg(*page.banksOf()) : QStringLiteral("channels");
}

}  // namespace ui
