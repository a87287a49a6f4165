#include "ui/model/division_words.h"

#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/model/model_parts.h"

#include <QCoreApplication>
#include <QLocale>

namespace ui {
namespace {

QString divisionTr(const char* text) { return QCoreApplication::translate("Division", text); }

/// Returns a count as it is spoken: "15 billion", "1.556 billion", "596 million"; with all digits below a million.
QString countInWords(std::int64_t count) {
    constexpr std::int64_t kMillion = 1'000'000, kBillion = 1'000'000'000;
    const auto in = [count](std::int64_t unit) {
        return QLocale::c().toString(static_cast<double>(count) / static_cast<double>(unit), 'g', 4);
    };
    if (count >= kBillion)
        return divisionTr("%1 billion").arg(in(kBillion));
    return count >= kMillion ? divisionTr("%1 million").arg(in(kMillion)) : formatCount(count);
}

}  // namespace

QString divisionTitle(const ModelQuestion& question) {
    const engine::Experiment& experiment = question.experiment;
    const engine::DivisionConfig& division = experiment.division;
    const std::int64_t tp = experiment.parallel.tp;
    const QString model = division.weights ? divisionTr("%1 weights").arg(countInWords(*division.weights))
                                           : titleOfModel(experiment.workload.model);
    const std::int64_t gpus = tp * division.pp * division.dp;
    if (gpus == 1)
        return divisionTr("%1 of %2 on 1 GPU").arg(phaseTitle(question.phase), model);
    return divisionTr("%1 of %2 on %3 GPUs (tp %4 × pp %5 × dp %6)")
        .arg(phaseTitle(question.phase), model, formatCount(gpus), formatCount(tp), formatCount(division.pp),
             formatCount(division.dp));
}

QString shardingWord(engine::Sharding sharding) {
    engine::Experiment experiment;
    experiment.division.sharding = sharding;
    const engine::Parameter& parameter = *engine::findParameter("division.sharding");
    return text(engine::formatValue(parameter, parameter.read(experiment)));
}

}  // namespace ui
