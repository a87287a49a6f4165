#pragma once

#include "data/questions/sensitivity.h"
#include "ui/shared/worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThread>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ui {

/// How sensitivities are found. Fixed before the session starts.
struct SensitivitySessionConfig {
    using Find = std::function<data::SensitivityReport(const engine::Experiment&, const data::SensitivityOptions&)>;

    using Look = std::function<data::SensitivityOutlook(const engine::Experiment&, const data::SensitivityOptions&)>;

    int threads = QThread::idealThreadCount();
    Find find{};  ///< empty: data::sensitivityOf
    Look look{};  ///< what `find` would take; empty: data::outlookOf, nothing where `find` is given
    std::chrono::milliseconds unasked{2'000};  ///< work that nobody has asked for ends after this
};

/// Finds how the total answers to each parameter, on one thread of its own; only the newest request counts.
/// Remembers the last reports, so that going back to an experiment costs nothing.
class SensitivitySession final : public QObject {
    Q_OBJECT

public:
    explicit SensitivitySession(SensitivitySessionConfig config = {}, QObject* parent = nullptr);

    enum class Asked { no, yes };

    /// Replaces what is under way. What nobody has asked for and takes longer than a moment ends with `takesLong`.
    void start(const engine::Experiment& experiment, Asked asked);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel() { m_worker.cancel(); }
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void started();
    /// `secondsLeft` is negative while nobody can tell.
    void progressChanged(double fraction, int secondsLeft);
    void found(std::shared_ptr<const data::SensitivityReport> report);
    void failed(const QString& text);
    /// Nothing is under way any more: somebody has to ask for it.
    void takesLong(const data::SensitivityOutlook& outlook);

private:
    using Report = std::shared_ptr<const data::SensitivityReport>;
    void find(const engine::Experiment& experiment, Asked asked, const Worker::Ticket& ticket);
    void remember(const engine::Experiment& experiment, const Report& report);
    void tellProgress(double fraction);

    SensitivitySessionConfig m_config;
    QElapsedTimer m_time;
    Asked m_asked = Asked::no;
    std::vector<std::pair<engine::Experiment, Report>> m_remembered;  // the newest last
    Worker m_worker;                                                  // last: it ends first
};

}  // namespace ui
