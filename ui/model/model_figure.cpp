#include "ui/model/model_figure.h"

#include "data/presets/presets.h"
#include "ui/look/format.h"
#include "ui/model/model_parts.h"
#include "ui/shared/figure_offer.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("ModelFigure", text); }

/// "T3-MCA", as it is called beside other figures.
QString nameOf(engine::PolicyPreset policy) {
    const QString name = policyTitle(policy);
    const data::Preset* preset = data::findPolicy(name.toStdString());
    return preset != nullptr ? QString::fromStdString(preset->title) : name;
}

}  // namespace

data::FigureSpec modelFigure(const data::ModelRun& run, engine::ModelPhase phase) {
    std::int64_t longest = 1;
    for (const data::PolicyModelTime& policy : run.policies)
        longest = std::max(longest, policy.time.total().ps);
    const ScaledUnit& unit = unitFor(std::span(kTimeUnits).first<3>(), static_cast<double>(longest));
    data::FigureSpec figure;
    data::FigurePanel& panel = figure.panels.emplace_back();
    panel.y.title = tr("Time").toStdString();
    panel.y.unit = unit.name;
    panel.y.from = 0;
    data::FigureBar bar;
    for (const ModelPart& part : kModelParts) {
        data::FigureSeries series;
        series.name = titleOf(part).toStdString();
        series.meaning = part.meaning;
        std::int64_t sum = 0;
        for (const data::PolicyModelTime& policy : run.policies) {
            sum += (policy.time.*part.time).ps;
            series.values.emplace_back(static_cast<double>((policy.time.*part.time).ps) / unit.size);
        }
        if (sum > 0)
            bar.stack.push_back(std::move(series));
    }
    QStringList says;
    for (const data::PolicyModelTime& policy : run.policies) {
        panel.categories.labels.push_back(nameOf(policy.policy).toStdString());
        says << tr("%1: %2, of which %3 exposed communication")
                    .arg(nameOf(policy.policy), formatTime(policy.time.total().ps),
                         formatShare(policy.communicationShare));
    }
    panel.marks.emplace_back(data::BarMark{{std::move(bar)}, false});
    figure.provenance = provenanceOf(run.base, run.base.workload.model);
    const QString model = QString::fromStdString(run.base.workload.model);
    const QString what = phaseTitle(phase);
    figure.name = fileNameOf(tr("%1 %2").arg(model, what)).toStdString();
    figure.title = tr("%1 of %2").arg(what, model).toStdString();
    figure.caption =
        tr("%1 of %2 by policy: where the time goes. What of the communication hides behind GEMMs is in no part.")
            .arg(what, model)
            .toStdString();
    figure.alternative = (says.join(QStringLiteral(". ")) + QLatin1Char('.')).toStdString();
    figure.provenance.moment = what.toStdString();
    return figure;
}

}  // namespace ui
