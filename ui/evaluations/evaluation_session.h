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

/// What is known of an evaluation: its rows and how many of its points have ended.
struct EvaluationLook {
    SharedEvaluation evaluation;
    data::Reproduction reproduction;
    std::size_t points = 0, missing = 0, failed = 0;

    /// How much of it has ended, 0 to 1.
    double share() const {
        return points == 0 ? 1 : static_cast<double>(points - missing) / static_cast<double>(points);
    }
};

/// Looks evaluations up in the store and runs the points that are missing there, on threads of its own, so that the
/// window never waits. One evaluation runs at a time; a newer look replaces the one before.
/// Promise: after cancel() nothing is delivered of the run but what the store has of it by then; the destructor stops
/// what is under way at its next poll and joins.
class EvaluationSession final : public QObject {
    Q_OBJECT

public:
    explicit EvaluationSession(EvaluationSessionConfig config, QObject* parent = nullptr);

    /// Reads what the store has, and simulates nothing; `looked` or `failed` tells.
    void look(SharedEvaluation evaluation);
    /// Runs what is missing. Precondition: nothing is running.
    void start(SharedEvaluation evaluation);
    /// At once for whoever asks; the worker follows at its next poll, and `looked` tells which points have ended.
    void cancel();
    bool isRunning() const { return m_running != nullptr; }
    /// What is being run; null: nothing.
    const SharedEvaluation& running() const { return m_running; }
    double progress() const { return m_worker.progress(); }
    /// Until the run ends, from what the time was until now; nothing where it is too early to tell.
    std::optional<double> secondsLeft() const;

Q_SIGNALS:
    void looked(std::shared_ptr<const ui::EvaluationLook> look);
    void runStarted();
    void progressChanged();
    /// Rows of the evaluation that is running, as far as its points have ended.
    void rowsChanged(std::shared_ptr<const std::vector<data::ReproducedItem>> rows);
    /// The run came to its end; `looked` comes before.
    void runFinished();
    void runStopped();
    /// The evaluation cannot be run or looked up, for these reasons.
    void failed(const ui::SharedEvaluation& evaluation, const QString& text);

private:
    enum Lane : std::size_t { kRun, kAfterRun };

    void work(const SharedEvaluation& evaluation, bool keptOnly, const Worker::Ticket& ticket);
    void fail(const SharedEvaluation& evaluation, bool wasRun, const QString& text);

    EvaluationSessionConfig m_config;
    SharedEvaluation m_running;
    QElapsedTimer m_since;
    Worker m_worker;  // these last: they end first
    Worker m_looks;
};

}  // namespace ui
