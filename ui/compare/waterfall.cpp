#include "ui/compare/waterfall.h"

#include "data/laboratory/laboratory.h"
#include "engine/api/run_times.h"
#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/shared/figure_offer.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace ui {
namespace {

QString figureTr(const char* text) { return QCoreApplication::translate("CompareFigure", text); }

/// Returns one unit for all bars, in which the largest amount is between 1 and 1000.
const ScaledUnit& unitOf(const std::vector<WaterfallColumn>& columns) {
    std::int64_t most = 1;
    for (const WaterfallColumn& column : columns) {
        most = std::max(most, std::abs(column.waterfall.difference()));
        for (const WaterfallStep& step : column.waterfall.steps)
            most = std::max(most, std::abs(step.ps));
    }
    return unitFor(std::span(kTimeUnits).subspan<1>(), static_cast<double>(most));
}

data::FigureBar barOf(const WaterfallColumn& column, const std::vector<WaterfallStep>& steps, double unit,
                      const std::string& meaning) {
    data::FigureSeries series;
    series.name = column.to.toStdString();
    series.meaning = meaning;
    const Waterfall& waterfall = column.waterfall;
    for (const WaterfallStep& each : steps) {
        const auto own = std::ranges::find(waterfall.steps, each.name, &WaterfallStep::name);
        series.values.emplace_back(own == waterfall.steps.end() ? 0 : static_cast<double>(own->ps) / unit);
    }
    series.values.emplace_back(static_cast<double>(waterfall.difference()) / unit);
    return {{}, {std::move(series)}};
}

/// Returns the meaning for the policy's colour, or for a colour of its own if several runs have the same policy.
std::string meaningOf(const std::vector<WaterfallColumn>& columns, std::size_t index) {
    const auto same = std::count_if(columns.begin(), columns.end(),
                                    [&](const auto& each) { return each.toPolicy == columns[index].toPolicy; });
    return same == 1 ? "policy/" + columns[index].toPolicy : "series/" + std::to_string(index);
}

constexpr std::size_t kMostReasons = 4;

QString waterfallTr(const char* text) { return QCoreApplication::translate("Waterfall", text); }

std::int64_t floorDiv(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

std::int64_t nearest(std::int64_t ps, std::int64_t quantum) { return floorDiv(2 * ps + quantum, 2 * quantum); }

/// Sets the unit of the largest amount for all amounts, and a quantum that shows three digits of the largest.
void chooseScale(Waterfall& waterfall) {
    std::int64_t most = std::abs(waterfall.difference());
    for (const WaterfallStep& step : waterfall.steps)
        most = std::max(most, std::abs(step.ps));
    waterfall.unit = static_cast<std::int64_t>(unitFor(kTimeUnits, static_cast<double>(most)).size);
    waterfall.quantum = waterfall.unit;
    while (waterfall.quantum > 1 && waterfall.quantum * 100 > most)
        waterfall.quantum /= 10;
}

void addStep(Waterfall& waterfall, WaterfallStep step) {
    if (step.ps == 0)
        return;
    step.from = waterfall.steps.empty() ? waterfall.fromTotal : waterfall.steps.back().from + waterfall.steps.back().ps;
    waterfall.steps.push_back(std::move(step));
}

bool explains(const engine::RunResult& result) {
    return result.attribution && result.attribution->causes.total() == result.last.time.total;
}

}  // namespace

std::vector<std::int64_t> roundedTogether(const std::vector<std::int64_t>& parts, std::int64_t quantum) {
    std::vector<std::int64_t> rounded;
    for (const std::int64_t part : parts)
        rounded.push_back(floorDiv(part, quantum));
    const std::int64_t sum = nearest(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), quantum);
    auto missing = static_cast<std::size_t>(sum - std::accumulate(rounded.begin(), rounded.end(), std::int64_t{0}));
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return parts[a] - rounded[a] * quantum > parts[b] - rounded[b] * quantum;
    });
    // The parts that lost most by rounding down are rounded up.
    for (std::size_t i = 0; i < missing && i < order.size(); ++i)
        ++rounded[order[i]];
    return rounded;
}

QString Waterfall::magnitude(std::int64_t quanta) const {
    const int decimals =
        static_cast<int>(std::lround(std::log10(static_cast<double>(unit) / static_cast<double>(quantum))));
    const double value =
        static_cast<double>(std::abs(quanta)) * static_cast<double>(quantum) / static_cast<double>(unit);
    return QLocale::c().toString(value, 'f', decimals) + QChar(0xa0) +
           QString::fromUtf8(unitFor(kTimeUnits, static_cast<double>(unit)).name);
}

QString Waterfall::amount(std::int64_t quanta) const {
    const QString sign = quanta < 0 ? QStringLiteral("−") : quanta > 0 ? QStringLiteral("+") : QString();
    return sign + magnitude(quanta);
}

std::vector<WaterfallStep> stepsOfAll(const std::vector<WaterfallColumn>& columns) {
    std::vector<WaterfallStep> all;
    for (const WaterfallColumn& column : columns) {
        for (const WaterfallStep& step : column.waterfall.steps) {
            if (std::none_of(all.begin(), all.end(), [&](const auto& each) { return each.name == step.name; }))
                all.push_back(step);
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cause < b.cause; });
    return all;
}

Waterfall waterfallOf(const engine::RunResult& from, const engine::RunResult& to) {
    Waterfall waterfall;
    const engine::TimeResult &a = engine::timesOfRun(from), &b = engine::timesOfRun(to);
    waterfall.fromTotal = a.total.ps;
    waterfall.toTotal = b.total.ps;
    waterfall.byCause = explains(from) && explains(to);
    if (waterfall.byCause) {
        for (std::size_t i = 0; i < engine::kCauses; ++i) {
            const auto cause = static_cast<engine::Cause>(i);
            addStep(waterfall, {textOf(cause), cause, Role::neutral,
                                (to.attribution->causes[cause] - from.attribution->causes[cause]).ps});
        }
    } else if (from.companion && to.companion) {
        addStep(waterfall,
                {waterfallTr("own work"), std::nullopt, Role::gemm, (to.companion->own - from.companion->own).ps});
        addStep(waterfall, {waterfallTr("companion after own work"), std::nullopt, Role::exposed,
                            (b.total - to.companion->own).ps - (a.total - from.companion->own).ps});
    } else {
        addStep(waterfall, {waterfallTr("GEMM"), std::nullopt, Role::gemm, (b.gemm - a.gemm).ps});
        addStep(waterfall, {waterfallTr("outside the GEMM"), std::nullopt, Role::exposed,
                            (b.total - b.gemm).ps - (a.total - a.gemm).ps});
    }
    chooseScale(waterfall);
    std::vector<std::int64_t> parts;
    for (const WaterfallStep& step : waterfall.steps)
        parts.push_back(step.ps);
    const std::vector<std::int64_t> shown = roundedTogether(parts, waterfall.quantum);
    for (std::size_t i = 0; i < shown.size(); ++i)
        waterfall.steps[i].shown = shown[i];
    waterfall.shownTotal = nearest(waterfall.difference(), waterfall.quantum);
    return waterfall;
}

QString waterfallHeading(const Waterfall& waterfall, const QString& from, const QString& to) {
    if (waterfall.difference() == 0)
        return waterfallTr("%1 takes exactly as long as %2").arg(to, from);
    const QString much = waterfall.shownTotal == 0 ? waterfallTr("less than %1").arg(waterfall.magnitude(1))
                                                   : waterfall.magnitude(waterfall.shownTotal);
    return (waterfall.difference() < 0 ? waterfallTr("%1 is %2 faster than %3")
                                       : waterfallTr("%1 is %2 slower than %3"))
        .arg(to, much, from);
}

QString waterfallBrief(const Waterfall& waterfall, const QString& to) {
    if (waterfall.difference() == 0)
        return waterfallTr("%1: no difference").arg(to);
    return (waterfall.difference() < 0 ? waterfallTr("%1: %2 faster") : waterfallTr("%1: %2 slower"))
        .arg(to, waterfall.magnitude(waterfall.shownTotal));
}

QString waterfallReasons(const Waterfall& waterfall) {
    std::vector<const WaterfallStep*> order;
    for (const WaterfallStep& step : waterfall.steps) {
        if (step.shown != 0)
            order.push_back(&step);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return std::abs(a->shown) > std::abs(b->shown); });
    QStringList reasons;
    std::int64_t rest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        // A single step is named instead of being summarised as "others".
        if (i < kMostReasons || order.size() == kMostReasons + 1)
            reasons << waterfall.amount(order[i]->shown) + QLatin1Char(' ') + order[i]->name;
        else
            rest += order[i]->shown;
    }
    if (rest != 0)
        reasons << waterfall.amount(rest) + QLatin1Char(' ') + waterfallTr("others");
    return reasons.join(QStringLiteral(", "));
}

std::optional<data::FigureSpec> waterfallFigure(const std::vector<WaterfallColumn>& columns,
                                                const std::vector<std::shared_ptr<const data::ShownRun>>& runs) {
    if (columns.empty() || runs.empty())
        return std::nullopt;
    const ScaledUnit& unit = unitOf(columns);
    const std::vector<WaterfallStep> steps = stepsOfAll(columns);
    data::FigureSpec figure;
    data::FigurePanel& panel = figure.panels.emplace_back();
    for (const WaterfallStep& step : steps)
        panel.categories.labels.push_back(step.name.toStdString());
    panel.categories.labels.push_back(figureTr("total").toStdString());
    panel.y.title = figureTr("Difference from %1").arg(columns.front().from).toStdString();
    panel.y.unit = unit.name;
    data::BarMark mark;
    QStringList says;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        mark.bars.push_back(barOf(columns[i], steps, unit.size, meaningOf(columns, i)));
        says << waterfallHeading(columns[i].waterfall, columns[i].from, columns[i].to) + QStringLiteral(": ") +
                    waterfallReasons(columns[i].waterfall) + QLatin1Char('.');
    }
    mark.valuesWritten = columns.size() == 1;
    panel.marks.emplace_back(std::move(mark));
    figure.provenance = provenanceOf(*runs.front(), {});
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const data::FigureProvenance more = provenanceOf(*runs[i], {});
        figure.provenance.experiments.insert(figure.provenance.experiments.end(), more.experiments.begin(),
                                             more.experiments.end());
    }
    const QString what = text(data::caseName(runs.front()->run.experiment));
    figure.name = fileNameOf(figureTr("%1 differences").arg(what)).toStdString();
    figure.title = figureTr("Why runs of %1 differ from %2").arg(what, columns.front().from).toStdString();
    const bool byCause = std::ranges::all_of(columns, [](const auto& column) { return column.waterfall.byCause; });
    const QString caption =
        byCause
            ? figureTr("Difference in time along the critical path of %1 by cause, compared with %2. The causes add up "
                       "to the total difference.")
            : figureTr("Difference in the time of %1 by part or by cause, compared with %2. The bars add up to the "
                       "total difference; a perfect overlap has no causes.");
    figure.caption = caption.arg(what, columns.front().from).toStdString();
    figure.alternative = says.join(QLatin1Char(' ')).toStdString();
    return figure;
}

}  // namespace ui
