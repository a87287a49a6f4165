#include "ui/measured/measured_figure.h"

#include "ui/look/format.h"
#include "ui/measured/measured_words.h"
#include "ui/measured/pair_card.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

QString figureText(const char* text) { return QCoreApplication::translate("MeasuredFigure", text); }

/// Adds the measured and simulated times of a pair, side by side.
void addPair(data::FigureSpec& figure, const ComparedPair& compared) {
    const data::TracePair& pair = compared.pair;
    data::FigurePanel& panel = figure.panels.emplace_back();
    panel.title = pair.name;
    const std::int64_t longest = std::max(pair.measured.together, compared.simulated.together);
    const ScaledUnit& unit = unitFor(kTimeUnits, static_cast<double>(longest));
    panel.y.title = figureText("Time").toStdString();
    panel.y.unit = unit.name;
    panel.y.from = 0;
    data::FigureBar measured, simulated;
    const auto seriesOf = [](const QString& name, const char* meaning) {
        return data::FigureSeries{name.toStdString(), meaning, {}, {}, {}, 0};
    };
    measured.stack.push_back(seriesOf(figureText("Measured"), "series/0"));
    simulated.stack.push_back(seriesOf(figureText("Simulated, %1").arg(compared.policy), "series/1"));
    const auto add = [&](const char* name, std::int64_t data::PairTimes::*time) {
        if (pair.measured.*time == 0)
            return;
        panel.categories.labels.push_back(figureText(name).toStdString());
        measured.stack[0].values.emplace_back(static_cast<double>(pair.measured.*time) / unit.size);
        simulated.stack[0].values.emplace_back(static_cast<double>(compared.simulated.*time) / unit.size);
    };
    add("GEMM alone", &data::PairTimes::gemm);
    add("Collective alone", &data::PairTimes::collective);
    if (pair.kind == data::PairKind::dependent || pair.kind == data::PairKind::independent)
        add("Both together", &data::PairTimes::together);
    panel.marks.emplace_back(data::BarMark{{std::move(measured), std::move(simulated)}, true});
    figure.caption += figureText(" Below: the pair %1, measured and simulated (%2). %3")
                          .arg(text(pair.name), compared.policy,
                               differenceText(data::differenceOf(pair.measured, compared.simulated, pair.kind)))
                          .toStdString();
    figure.provenance = compared.provenance;
}

}  // namespace

FigureOffer measuredFigure(const MeasuredSet& set, const std::optional<ComparedPair>& compared) {
    data::FigureSpec figure;
    figure.name = "measured-overlap";
    figure.title = figureText("Measured overlap by rank").toStdString();
    data::FigurePanel& panel = figure.panels.emplace_back();
    std::int64_t longest = 1;
    for (const data::MeasuredRank& rank : set.report.ranks) {
        panel.categories.labels.push_back(rank.rank
                                              ? figureText("Rank %1").arg(*rank.rank).toStdString()
                                              : QFileInfo(QString::fromStdString(rank.file)).fileName().toStdString());
        longest = std::max(longest, rank.intervals.span);
    }
    const ScaledUnit& unit = unitFor(kTimeUnits, static_cast<double>(longest));
    panel.y.title = figureText("Time").toStdString();
    panel.y.unit = unit.name;
    panel.y.from = 0;
    data::FigureBar bar;
    const auto add = [&](const QString& name, const char* meaning, auto timeOf) {
        data::FigureSeries series{name.toStdString(), meaning, {}, {}, {}, 0};
        for (const data::MeasuredRank& rank : set.report.ranks)
            series.values.emplace_back(static_cast<double>(timeOf(rank.intervals)) / unit.size);
        bar.stack.push_back(std::move(series));
    };
    using Times = data::IntervalReport;
    add(figureText("Compute alone"), "gemm", [](const Times& times) { return times.compute - times.overlapped; });
    add(figureText("Overlapped"), "reduce-scatter/light", [](const Times& times) { return times.overlapped; });
    add(figureText("Exposed communication"), "reduce-scatter", [](const Times& times) { return times.exposed; });
    add(figureText("Memory"), "dma", [](const Times& times) { return times.memory; });
    add(figureText("Idle"), "neutral/light", [](const Times& times) { return times.idle; });
    panel.marks.emplace_back(data::BarMark{{std::move(bar)}, false});
    const QString headline = measuredHeadline(set);
    figure.caption = figureText("Measured time of each rank, by what runs. %1 Overlapped: compute and communication at "
                                "once, unions over all streams.")
                         .arg(headline)
                         .toStdString();
    figure.alternative = figureText("A stack of bars for each rank. %1").arg(headline).toStdString();
    figure.provenance.program = "Ringside " RINGSIDE_VERSION;
    if (compared)
        addPair(figure, *compared);
    return {std::move(figure), {}};
}

}  // namespace ui
