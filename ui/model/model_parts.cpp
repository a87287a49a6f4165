#include "ui/model/model_parts.h"

#include "data/figure/figure_meaning.h"
#include "engine/api/parameters.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <map>
#include <string_view>

namespace ui {
namespace {

QString partTr(const char* text) { return QCoreApplication::translate("Model", text); }

}  // namespace

QString titleOf(const ModelPart& part) { return partTr(part.title); }

QColor colorOf(const ModelPart& part, const Palette& colors) {
    static const std::map<std::string_view, Role> kRoles{{"gemm", Role::gemm},
                                                         {"attention", Role::tracker},
                                                         {"element-wise", Role::neutral},
                                                         {"all-gather", Role::allGather},
                                                         {"reduce-scatter", Role::reduceScatter},
                                                         {"all-to-all", Role::dma}};
    const auto meaning = data::readMeaning(part.meaning);
    const QColor color = colors.of(kRoles.at(meaning->name));
    return meaning->light ? Palette::mixed(color, colors.surface, 0.5) : color;
}

const ModelPart& partOf(const engine::Operator& op, const data::OperatorTime& time) {
    if (op.kind != engine::OperatorKind::collective)
        return data::partOf(op.kind);
    const auto longer = [&](const ModelPart& a, const ModelPart& b) { return time.time.*a.time < time.time.*b.time; };
    const auto exposed = std::find_if(kModelParts.begin(), kModelParts.end(), isExposed);
    return *std::max_element(exposed, kModelParts.end(), longer);
}

QString phaseTitle(engine::ModelPhase phase) {
    switch (phase) {
    case engine::ModelPhase::training: return partTr("Training step");
    case engine::ModelPhase::prompt: return partTr("Prompt");
    case engine::ModelPhase::generation: return partTr("Generation of a token");
    }
    return {};
}

QString policyTitle(engine::PolicyPreset policy) {
    const std::string_view name = engine::name(policy);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString formatFactor(double factor) { return QLocale::c().toString(factor, 'f', 3) + QStringLiteral("×"); }

QString formatShare(double share) {
    constexpr double kLeast = 0.001;
    if (share > 0 && share < kLeast)
        return partTr("< 0.1 %");
    return QLocale::c().toString(share * 100, 'f', 1) + QChar(0x00a0) + QLatin1Char('%');
}

}  // namespace ui
