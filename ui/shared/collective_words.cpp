#include "ui/shared/collective_words.h"

#include "engine/api/experiment.h"

#include <QCoreApplication>

namespace ui {

bool exchangesOutput(const engine::Experiment& experiment) {
    if (engine::isCollectiveAlone(experiment.workload.sublayer))
        return experiment.workload.sublayer == engine::SubLayer::allToAll;
    return experiment.collective.operation == engine::CollectiveOperation::allToAll;
}

bool scattersOutput(const engine::Experiment& experiment) {
    return engine::isCollectiveAlone(experiment.workload.sublayer)
               ? experiment.workload.sublayer != engine::SubLayer::allGather
               : !engine::consumesAllGather(experiment);
}

bool startsWithData(const engine::Experiment& experiment) {
    return engine::isCollectiveAlone(experiment.workload.sublayer) || engine::consumesAllGather(experiment) ||
           experiment.policy.start == engine::CommunicationStart::concurrent;
}

QString scatterWord(const engine::Experiment& experiment) {
    return exchangesOutput(experiment) ? QCoreApplication::translate("CollectiveWords", "all-to-all")
                                       : QCoreApplication::translate("CollectiveWords", "reduce-scatter");
}

QString boundFormula(const engine::Experiment& experiment, const BoundTimeTexts& times) {
    const auto part = [](const QString& name, const QString& time) {
        return time.isEmpty() ? name : name + QChar(0x00a0) + time;
    };
    const QString gather = part(QCoreApplication::translate("CollectiveWords", "all-gather"), times.gather);
    const bool feeds = engine::consumesAllGather(experiment);
    const QString hidden = feeds ? gather : part(scatterWord(experiment), times.scatter);
    const QString formula = QStringLiteral("max(%1, %2)").arg(part(QStringLiteral("GEMM"), times.gemm), hidden);
    const bool gathersAfter = !feeds && experiment.collective.operation == engine::CollectiveOperation::allReduce;
    return gathersAfter ? formula + QStringLiteral(" + ") + gather : formula;
}

}  // namespace ui
