#include "ui/shared/collective_words.h"

#include "engine/api/experiment.h"

#include <QCoreApplication>

namespace ui {

bool exchangesOutput(const engine::Experiment& experiment) {
    if (engine::isCollectiveAlone(experiment.workload.sublayer))
        return experiment.workload.sublayer == engine::SubLayer::allToAll;
    return experiment.collective.operation == engine::CollectiveOperation::allToAll;
}

QString scatterWord(const engine::Experiment& experiment) {
    return exchangesOutput(experiment) ? QCoreApplication::translate("CollectiveWords", "all-to-all")
                                       : QCoreApplication::translate("CollectiveWords", "reduce-scatter");
}

}  // namespace ui
