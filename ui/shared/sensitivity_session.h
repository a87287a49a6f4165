#pragma once

#include "data/sensitivity.h"
#include "ui/shared/newest_job.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ui {

/// How sensitivities are found. Fixed before the session starts.
struct SensitivitySessionConfig {
    using Find = std::function<data::SensitivityReport(const engine::Experiment&, const data::SensitivityOptions&)>;

    int threads = 0;  ///< 0: as many as there are processors
    Find find{};      ///< empty: data::sensitivityOf
};

/// Finds how the total answers to each parameter, on one thread of its own; only the newest request counts, as
/// NewestJob says. Remembers the last reports, so that going back to an experiment costs nothing.
class SensitivitySession final : public QObject {
    Q_OBJECT

public:
    explicit SensitivitySession(SensitivitySessionConfig config = {}, QObject* parent = nullptr);

    /// Replaces what is under way.
    void start(const engine::Experiment& experiment);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel() { m_job.cancel(); }
    bool isRunning() const { return m_job.isRunning(); }

Q_SIGNALS:
    void started();
    /// `secondsLeft` is negative while nobody can tell.
    void progressChanged(double fraction, int secondsLeft);
    void found(std::shared_ptr<const data::SensitivityReport> report);
    void failed(const QString& text);

private:
    using Report = std::shared_ptr<const data::SensitivityReport>;
    void find(const engine::Experiment& experiment, const NewestJob::Ticket& ticket);
    void remember(const engine::Experiment& experiment, const Report& report);
    void tellProgress();

    SensitivitySessionConfig m_config;
    QElapsedTimer m_time;
    std::vector<std::pair<engine::Experiment, Report>> m_remembered;  // the newest last
    NewestJob m_job;                                                  // last: it ends first
};

}  // namespace ui
