#include "ui/measured/measured_figure.h"

#include "ui/look/format.h"
#include "ui/measured/measured_words.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

QString figureText(const char* text) { return QCoreApplication::translate("MeasuredFigure", text); }

}  // namespace

FigureOffer measuredFigure(const MeasuredSet& set) {
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
    add(figureText("Overlapped"), "overlapped", [](const Times& times) { return times.overlapped; });
    add(figureText("Exposed communication"), "exposed", [](const Times& times) { return times.exposed; });
    add(figureText("Memory"), "dma", [](const Times& times) { return times.memory; });
    add(figureText("Idle"), "neutral", [](const Times& times) { return times.idle; });
    panel.marks.emplace_back(data::BarMark{{std::move(bar)}, false});
    const QString headline = measuredHeadline(set);
    figure.caption = figureText("Measured time of each rank, by what runs. %1 Overlapped: compute and communication at "
                                "once, unions over all streams.")
                         .arg(headline)
                         .toStdString();
    figure.alternative = figureText("A stack of bars for each rank. %1").arg(headline).toStdString();
    figure.provenance.program = "Ringside " RINGSIDE_VERSION;
    return {std::move(figure), {}};
}

}  // namespace ui
