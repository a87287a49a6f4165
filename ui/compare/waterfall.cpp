#include "ui/compare/waterfall.h"

#include "data/document/names.h"
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

std::string meaningOf(const WaterfallStep& step) {
    return step.cause                ? "cause/" + std::string(engine::name(*step.cause))
           : step.role == Role::gemm ? "gemm"
                                     : "exposed";
}

/// Returns a waterfall: a bar for each step, which begins where the one before it ends, and the total.
data::FigurePanel panelOf(const WaterfallColumn& column, const std::vector<WaterfallStep>& steps,
                          const ScaledUnit& unit) {
    data::FigurePanel panel;
    panel.y.title = figureTr("Difference from %1").arg(column.from).toStdString();
    panel.y.unit = unit.name;
    data::FigureBar bar;
    const auto add = [&](const QString& name, std::string meaning, std::int64_t from, std::int64_t ps) {
        panel.categories.labels.push_back(name.toStdString());
        data::FigureSeries series{
            panel.categories.labels.back(), std::move(meaning), data::FigureValues(steps.size() + 1), {}, {}, 0};
        series.values[bar.stack.size()] = static_cast<double>(ps) / unit.size;
        bar.stack.push_back(std::move(series));
        bar.from.push_back(static_cast<double>(from) / unit.size);
    };
    std::int64_t level = 0;
    for (const WaterfallStep& each : steps) {
        const WaterfallStep* own = column.waterfall.find(each.name);
        add(each.name, meaningOf(each), level, own == nullptr ? 0 : own->ps);
        level += own == nullptr ? 0 : own->ps;
    }
    add(figureTr("total"), "policy/" + column.toPolicy, 0, level);
    panel.marks.emplace_back(data::BarMark{{std::move(bar)}, false});
    return panel;
}

/// Gives waterfalls side by side one scale.
void shareScale(std::vector<data::FigurePanel>& panels) {
    double least = 0, most = 0;
    for (const data::FigurePanel& panel : panels) {
        for (const double from : std::get<data::BarMark>(panel.marks.front()).bars.front().from) {
            least = std::min(least, from);
            most = std::max(most, from);
        }
        const auto& total = std::get<data::BarMark>(panel.marks.front()).bars.front().stack.back().values.back();
        least = std::min(least, *total);
        most = std::max(most, *total);
    }
    for (data::FigurePanel& panel : panels) {
        panel.y.from = least;
        panel.y.to = most > least ? most : least + 1;
    }
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

/// Returns the times by cause without what the GEMM loses by its pieces and beside copies.
engine::CauseTimes causesWithoutLoss(const engine::RunResult& result) {
    engine::CauseTimes causes = result.attribution->causes;
    if (result.loss)
        causes = causes - result.loss->decomposition - result.loss->contention.value_or(engine::CauseTimes{});
    return causes;
}

/// Adds the two parts of what a GEMM loses whose collective copies carry.
void addLosses(Waterfall& waterfall, const engine::RunResult& from, const engine::RunResult& to) {
    const auto decomposition = [](const engine::RunResult& result) {
        return result.loss ? result.loss->decomposition.total() : engine::Duration{};
    };
    const auto contention = [](const engine::RunResult& result) {
        return result.loss && result.loss->contention ? result.loss->contention->total() : engine::Duration{};
    };
    addStep(waterfall, {waterfallTr("decomposition of the GEMM"), std::nullopt, Role::gemm,
                        (decomposition(to) - decomposition(from)).ps});
    addStep(waterfall, {waterfallTr("contention beside copies"), std::nullopt, Role::exposed,
                        (contention(to) - contention(from)).ps});
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

const WaterfallStep* Waterfall::find(const QString& name) const {
    const auto found = std::ranges::find(steps, name, &WaterfallStep::name);
    return found == steps.end() ? nullptr : &*found;
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
        addLosses(waterfall, from, to);
        const engine::CauseTimes more = causesWithoutLoss(to) - causesWithoutLoss(from);
        for (std::size_t i = 0; i < engine::kCauses; ++i) {
            const auto cause = static_cast<engine::Cause>(i);
            addStep(waterfall, {textOf(cause), cause, Role::neutral, more[cause].ps});
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
    figure.legend = data::FigureLegend::none;  // the categories name the bars
    figure.columns = 0;
    QStringList says;
    for (const WaterfallColumn& column : columns) {
        figure.panels.push_back(panelOf(column, steps, unit));
        if (columns.size() > 1)
            figure.panels.back().title = column.to.toStdString();
        else
            std::get<data::BarMark>(figure.panels.back().marks.front()).valuesWritten = true;
        says << waterfallHeading(column.waterfall, column.from, column.to) + QStringLiteral(": ") +
                    waterfallReasons(column.waterfall) + QLatin1Char('.');
    }
    if (columns.size() > 1)
        shareScale(figure.panels);
    figure.provenance = provenanceOf(*runs.front(), {});
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const data::FigureProvenance more = provenanceOf(*runs[i], {});
        figure.provenance.experiments.insert(figure.provenance.experiments.end(), more.experiments.begin(),
                                             more.experiments.end());
        for (const engine::Notice& notice : more.notices)
            data::addOnce(figure.provenance.notices, notice);
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
