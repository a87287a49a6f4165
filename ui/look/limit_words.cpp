#include "ui/look/limit_words.h"

#include "data/laboratory/laboratory.h"
#include "data/results/run_limit.h"
#include "ui/look/cause_style.h"
#include "ui/look/format.h"

#include <QCoreApplication>

namespace ui {

QString limitSentence(const data::LaboratoryRun& run) {
    const auto limit = data::limitOf(run.experiment, run.result);
    if (!limit)
        return {};
    QString sentence = QCoreApplication::translate("LimitWords", "The run is bound by %1: %2 of its time.")
                           .arg(textOf(limit->cause), formatPercent(limit->share));
    if (!limit->advice.empty())
        sentence += QStringLiteral(" %1.").arg(QString::fromStdString(limit->advice));
    return sentence;
}

}  // namespace ui
