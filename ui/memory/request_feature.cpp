#include "ui/memory/request_feature.h"

#include "data/trace/request_file.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/run_controller.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/workbench.h"

#include <QFileInfo>
#include <QJsonValue>

#include <utility>

namespace ui {

RequestFeature::RequestFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs,
                               std::shared_ptr<data::RequestBook> book)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_book(std::move(book)) {
    workbench.documents().add(data::DocumentKind::requests, [this](const QString& file) { open(file); });
    // An experiment names the digest of its requests only; the session has their file.
    workbench.session().add({QStringLiteral("requests"), SessionScope::window,
                             [this]() -> QJsonValue { return m_file.isEmpty() ? QJsonValue() : QJsonValue(m_file); },
                             [this](const QJsonValue& kept) {
                                 if (!kept.isString())
                                     return false;
                                 read(kept.toString(), false);
                                 return true;
                             }});
}

std::string RequestFeature::read(const QString& file, bool reports) {
    data::RequestReading reading =
        data::readRequestFile(file.toStdString(), m_experiment.expansion().experiment.detail.granule);
    if (!reading.problems.empty()) {
        if (reports)
            m_workbench.documents().reportUnreadable(file, reading.problems);
        return {};
    }
    m_book->add({reading.digest, std::move(reading.requests)});
    m_file = QFileInfo(file).absoluteFilePath();
    return reading.digest;
}

void RequestFeature::open(const QString& file) {
    m_runs.commit();
    const std::string digest = read(file, true);
    if (digest.empty())
        return;
    data::ExperimentDraft draft = data::withRequests(m_experiment.draft(), digest);
    // An access pattern has no companion, and no policy that is calculated.
    draft.explicitValues.erase("companion.operation");
    if (engine::isIdeal(m_experiment.expansion().experiment.policy.preset))
        draft.explicitValues.insert_or_assign("policy.preset", std::string("sequential"));
    m_experiment.replaceDraft(std::move(draft), tr("Open %1").arg(QFileInfo(file).fileName()));
    m_workbench.documents().remember(file);
    m_workbench.session().noteChange();
    m_runs.run();
}

}  // namespace ui
