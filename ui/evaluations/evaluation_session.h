#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "ui/shared/worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// How evaluations are run and where their points are kept. Fixed before the session starts.
struct EvaluationSessionConfig {
    using Run = std::function<data::Reproduction(const data::Evaluation&, const data::ReproduceOptions&)>;

    std::string storePath;
    int threads = QThread::idealThreadCount();
    Run run{};  ///< empty: data::reproduce
};

using SharedEvaluation = std::shared_ptr<const data::Evaluation>;

/// The known state of an evaluation: its rows, and how many of its points have ended.
struct EvaluationLook {
    SharedEvaluation evaluation;
    data::Reproduction reproduction;
    std::size_t points = 0, missing = 0, failed = 0;

    /// Returns the share of points that have ended, 0 to 1.
    double share() const {
        return points == 0 ? 1 : static_cast<double>(points - missing) / static_cast<double>(points);
    }
};

/// Looks evaluations up in the store and runs the missing points on worker threads, so that the window never waits. One
/// evaluation runs at a time; a newer look replaces an earlier one. Promise: after cancel() the session delivers only
/// the results that the store then has; the destructor stops the work in progress at its next poll and joins the
/// threads.
class EvaluationSession final : public QObject {
    Q_OBJECT

public:
    explicit EvaluationSession(EvaluationSessionConfig config, QObject* parent = nullptr);

    /// Reads the results in the store without simulating; emits `looked` or `failed`.
    void look(SharedEvaluation evaluation);
    /// Runs the missing points. Precondition: no evaluation is running.
    void start(SharedEvaluation evaluation);
    /// Cancels the run. The session reports that at once; the worker stops at its next poll, and `looked` then reports
    /// which points have ended.
    void cancel();
    bool isRunning() const { return m_running != nullptr; }
    /// Returns the evaluation that is running; null if none is running.
    const SharedEvaluation& running() const { return m_running; }
    double progress() const { return m_worker.progress(); }
    /// Estimates the remaining time from the time taken so far; an empty optional if it is too early.
    std::optional<double> secondsLeft() const;

Q_SIGNALS:
    void looked(std::shared_ptr<const ui::EvaluationLook> look);
    void runStarted();
    void progressChanged();
    /// The rows of the running evaluation, as far as its points have ended.
    void rowsChanged(std::shared_ptr<const std::vector<data::ReproducedItem>> rows);
    /// The run has ended; `looked` is emitted before.
    void runFinished();
    void runStopped();
    /// The evaluation cannot be run or looked up, for these reasons.
    /// `ofInput`: the evaluation is wrong; otherwise the store or the computer failed.
    void failed(const ui::SharedEvaluation& evaluation, const QString& text, bool ofInput);

private:
    enum Lane : std::size_t { kRun, kAfterRun };

    void work(const SharedEvaluation& evaluation, bool keptOnly, const Worker::Ticket& ticket);
    void fail(const SharedEvaluation& evaluation, bool wasRun, const QString& text, bool ofInput = false);

    EvaluationSessionConfig m_config;
    SharedEvaluation m_running;
    QElapsedTimer m_since;
    Worker m_worker;  // the workers are last, so that they are destroyed first
    Worker m_looks;
};

}  // namespace ui
