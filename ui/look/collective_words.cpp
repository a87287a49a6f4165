#include "ui/look/collective_words.h"

#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"

#include <QCoreApplication>

namespace ui {

QString scatterWord(const engine::Experiment& experiment) {
    return engine::runPartsOf(experiment).allToAll ? QCoreApplication::translate("CollectiveWords", "all-to-all")
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
