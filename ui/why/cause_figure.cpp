#include "ui/why/cause_figure.h"

#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/shared/figure_offer.h"
#include "ui/why/cause_shares.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace ui {
namespace {

QString figureTr(const char* text) { return QCoreApplication::translate("CauseFigure", text); }

// In the order of engine::Cause.
constexpr std::array<const char*, engine::kCauses> kCauseMeanings{
    "gemm", "dma/light", "dma",     "tracker/light", "exposed",   "reduce-scatter",
    "link", "tracker",   "neutral", "neutral/light", "all-gather"};

/// Returns the title of a run's policy, as other figures show it: "T3-MCA".
QString runTitle(const data::ShownRun& run) { return titleOfPolicy(engine::name(run.run.experiment.policy.preset)); }

QString inWords(const data::ShownRun& run) {
    const data::CauseIndex causes(run.run.result.path);
    QStringList parts;
    for (const ShareRow& row : shareRows(causes, {0, causes.end()}, ShareKind::cause)) {
        if (row.total > 0)
            parts << figureTr("%1 %2").arg(row.name, formatTenths(row.tenths));
    }
    return figureTr("%1: %2 in all, %3").arg(runTitle(run), formatTime(causes.end()), parts.join(QStringLiteral(", ")));
}

struct AttributedRun {
    std::shared_ptr<const data::ShownRun> run;
    engine::CauseTimes times;
};

std::vector<AttributedRun> withPath(const std::vector<std::shared_ptr<const data::ShownRun>>& runs) {
    std::vector<AttributedRun> attributed;
    for (const auto& run : runs) {
        if (!run || !run->run.result.path || run->run.result.path->steps.empty())
            continue;
        const data::CauseIndex causes(run->run.result.path);
        attributed.push_back({run, causes.until(causes.end())});
    }
    return attributed;
}

std::int64_t lengthOf(const AttributedRun& attributed) { return attributed.run->run.result.path->steps.back().end.ps; }

data::FigureBar stackOf(const std::vector<AttributedRun>& runs, double unit) {
    data::FigureBar bar;
    for (std::size_t i = 0; i < engine::kCauses; ++i) {
        const auto cause = static_cast<engine::Cause>(i);
        data::FigureSeries series;
        series.name = textOf(cause).toStdString();
        series.meaning = kCauseMeanings[i];
        bool any = false;
        for (const AttributedRun& attributed : runs) {
            series.values.emplace_back(static_cast<double>(attributed.times[cause].ps) / unit);
            any |= attributed.times[cause].ps > 0;
        }
        if (any)
            bar.stack.push_back(std::move(series));
    }
    return bar;
}

}  // namespace

std::optional<data::FigureSpec> causeFigure(const std::vector<std::shared_ptr<const data::ShownRun>>& runs) {
    const std::vector<AttributedRun> attributed = withPath(runs);
    if (attributed.empty())
        return std::nullopt;
    std::int64_t longest = 1;
    for (const AttributedRun& each : attributed)
        longest = std::max(longest, lengthOf(each));
    const ScaledUnit& unit = unitFor(std::span(kTimeUnits).subspan<1, 3>(), static_cast<double>(longest));
    data::FigureSpec figure;
    data::FigurePanel& panel = figure.panels.emplace_back();
    panel.y.title = figureTr("Time").toStdString();
    panel.y.unit = unit.name;
    panel.y.from = 0;
    panel.marks.emplace_back(data::BarMark{{stackOf(attributed, unit.size)}, false});
    QStringList words;
    // If the policies of the runs are equal, the names of the runs distinguish them.
    const bool alike = attributed.size() > 1 && runTitle(*attributed.front().run) == runTitle(*attributed.back().run);
    for (const AttributedRun& each : attributed) {
        panel.categories.labels.push_back(alike ? each.run->run.name : runTitle(*each.run).toStdString());
        words << inWords(*each.run);
    }
    figure.provenance = provenanceOf(*attributed.front().run, {});
    const QString name = QString::fromStdString(attributed.front().run->run.name);
    figure.name = fileNameOf(figureTr("%1 waits for").arg(name)).toStdString();
    figure.title = figureTr("What %1 waits for").arg(name).toStdString();
    figure.caption =
        figureTr("What the end of the run waited for along its critical path; the parts add up to the total time.")
            .toStdString();
    figure.alternative = (words.join(QStringLiteral(". ")) + QLatin1Char('.')).toStdString();
    return figure;
}

}  // namespace ui
