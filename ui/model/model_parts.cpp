#include "ui/model/model_parts.h"

#include "engine/api/parameters.h"

#include <QCoreApplication>
#include <QLocale>

namespace ui {
namespace {

QString partTr(const char* text) { return QCoreApplication::translate("Model", text); }

}  // namespace

engine::Duration partOf(const data::ModelTime& time, ModelPart part) {
    switch (part) {
    case ModelPart::feedingGemm: return time.feedingGemm;
    case ModelPart::gemm: return time.gemm;
    case ModelPart::attention: return time.attention;
    case ModelPart::elementWise: return time.elementWise;
    case ModelPart::reduceScatter: return time.reduceScatter;
    case ModelPart::allGather: return time.allGather;
    case ModelPart::allToAll: return time.allToAll;
    }
    return {};
}

bool isExposed(ModelPart part) { return part >= ModelPart::reduceScatter; }

QString titleOf(ModelPart part) {
    switch (part) {
    case ModelPart::feedingGemm: return partTr("GEMM that feeds a collective");
    case ModelPart::gemm: return partTr("other GEMM");
    case ModelPart::attention: return partTr("attention");
    case ModelPart::elementWise: return partTr("element-wise");
    case ModelPart::reduceScatter: return partTr("reduce-scatter, exposed");
    case ModelPart::allGather: return partTr("all-gather, exposed");
    case ModelPart::allToAll: return partTr("all-to-all, exposed");
    }
    return {};
}

QColor colorOf(ModelPart part, const Palette& colors) {
    switch (part) {
    case ModelPart::feedingGemm: return colors.of(Role::gemm);
    case ModelPart::gemm: return Palette::mixed(colors.of(Role::gemm), colors.surface, 0.5);
    case ModelPart::attention: return colors.of(Role::tracker);
    case ModelPart::elementWise: return colors.of(Role::neutral);
    case ModelPart::reduceScatter: return colors.of(Role::reduceScatter);
    case ModelPart::allGather: return colors.of(Role::allGather);
    case ModelPart::allToAll: return colors.of(Role::dma);
    }
    return {};
}

ModelPart partOf(const engine::Operator& op, const data::OperatorTime& time) {
    switch (op.kind) {
    case engine::OperatorKind::feedingGemm: return ModelPart::feedingGemm;
    case engine::OperatorKind::gemm: return ModelPart::gemm;
    case engine::OperatorKind::attention: return ModelPart::attention;
    case engine::OperatorKind::elementWise: return ModelPart::elementWise;
    case engine::OperatorKind::collective: break;
    }
    if (time.time.allToAll.ps > 0)
        return ModelPart::allToAll;
    return time.time.allGather > time.time.reduceScatter ? ModelPart::allGather : ModelPart::reduceScatter;
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
