#include "ui/model/division_words.h"

#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/model/model_parts.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>

namespace ui {
namespace {

QString divisionTr(const char* text) { return QCoreApplication::translate("Division", text); }

struct SeriesStyle {
    Role role;
    Texture texture;
};
constexpr std::array<SeriesStyle, 6> kSeries{{{Role::gemm, Texture::plain},
                                              {Role::reduceScatter, Texture::rising},
                                              {Role::allGather, Texture::falling},
                                              {Role::dma, Texture::rows},
                                              {Role::link, Texture::crossed},
                                              {Role::exposed, Texture::dots}}};

}  // namespace

QString divisionTitle(const ModelQuestion& question) {
    const engine::Experiment& experiment = question.experiment;
    const engine::DivisionConfig& division = experiment.division;
    const std::int64_t tp = experiment.parallel.tp;
    const QString model = division.weights ? divisionTr("%1 weights").arg(formatCount(*division.weights))
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

QString formatRound(std::int64_t bytes) {
    static const QRegularExpression kZeros(QStringLiteral("\\.0+(?=\\D)"));
    return formatBytes(bytes).remove(kZeros);
}

Fill seriesFill(std::size_t n, const Palette& colors) {
    const SeriesStyle& style = kSeries.at(n);
    const QColor color = colors.of(style.role);
    return {color, Palette::mixed(color, Palette::inkOn(color), 0.6), style.texture};
}

}  // namespace ui
