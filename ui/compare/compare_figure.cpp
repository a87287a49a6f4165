#include "ui/compare/compare_figure.h"

#include "data/laboratory/laboratory.h"
#include "ui/look/format.h"
#include "ui/look/text.h"
#include "ui/shared/figure_offer.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdlib>

namespace ui {
namespace {

QString figureTr(const char* text) { return QCoreApplication::translate("CompareFigure", text); }

/// One for all bars, in which the largest is between 1 and 1000.
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
        const auto own = std::find_if(waterfall.steps.begin(), waterfall.steps.end(),
                                      [&](const auto& step) { return step.name == each.name; });
        series.values.emplace_back(own == waterfall.steps.end() ? 0 : static_cast<double>(own->ps) / unit);
    }
    series.values.emplace_back(static_cast<double>(waterfall.difference()) / unit);
    return {{}, {std::move(series)}};
}

/// The policy's colour, unless two of the runs have the same.
std::string meaningOf(const std::vector<WaterfallColumn>& columns, std::size_t index) {
    const auto same = std::count_if(columns.begin(), columns.end(),
                                    [&](const auto& each) { return each.toPolicy == columns[index].toPolicy; });
    return same == 1 ? "policy/" + columns[index].toPolicy : "series/" + std::to_string(index);
}

}  // namespace

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
    panel.y.title = figureTr("Difference to %1").arg(columns.front().from).toStdString();
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
    const bool byCause = std::all_of(columns.begin(), columns.end(),
                                     [](const WaterfallColumn& column) { return column.waterfall.byCause; });
    const QString caption =
        byCause
            ? figureTr("Time along the critical path of %1 by cause, more or less than under %2. Causes sum to the "
                       "total.")
            : figureTr(
                  "Time of %1 by part or by cause, more or less than under %2. They sum to the total; a perfect overlap "
                  "has no causes.");
    figure.caption = caption.arg(what, columns.front().from).toStdString();
    figure.alternative = says.join(QLatin1Char(' ')).toStdString();
    return figure;
}

}  // namespace ui
