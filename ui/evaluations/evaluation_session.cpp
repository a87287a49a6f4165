#include "ui/evaluations/evaluation_session.h"

#include "data/laboratory/work_progress.h"
#include "engine/api/problem.h"
#include "ui/look/format.h"

#include <utility>

namespace ui {
namespace {

constexpr int kEvaluationProgressMs = 100;

void countPoints(EvaluationLook& look) {
    for (const data::SweepTable& table : look.reproduction.tables) {
        look.points += table.rows.size();
        for (const data::SweepRow& row : table.rows) {
            look.missing += row.state == data::PointState::missing ? 1 : 0;
            look.failed += row.state == data::PointState::failed ? 1 : 0;
        }
    }
}

}  // namespace

EvaluationSession::EvaluationSession(EvaluationSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)),
      m_worker(kEvaluationProgressMs, [this](double) { Q_EMIT progressChanged(); }) {
    if (!m_config.run) {
        m_config.run = [](const data::Evaluation& evaluation, const data::ReproduceOptions& options) {
            return data::reproduce(evaluation, options);
        };
    }
}

void EvaluationSession::look(SharedEvaluation evaluation) {
    m_looks.start([this, evaluation](const Worker::Ticket& ticket) { work(evaluation, true, ticket); },
                  [this, evaluation](const QString& text) { fail(evaluation, false, text); });
}

void EvaluationSession::start(SharedEvaluation evaluation) {
    m_running = std::move(evaluation);
    m_since.start();
    m_worker.start([this, started = m_running](const Worker::Ticket& ticket) { work(started, false, ticket); },
                   [this, started = m_running](const QString& text) { fail(started, true, text); }, kRun);
    Q_EMIT runStarted();
}

void EvaluationSession::cancel() {
    if (!m_worker.cancel(kRun))
        return;
    const SharedEvaluation stopped = std::exchange(m_running, nullptr);
    // Runs after the cancelled run on the same thread, so that the store has everything that the run still writes.
    m_worker.start([this, stopped](const Worker::Ticket& ticket) { work(stopped, true, ticket); },
                   [this, stopped](const QString& text) { fail(stopped, false, text); }, kAfterRun);
    Q_EMIT runStopped();
}

std::optional<double> EvaluationSession::secondsLeft() const {
    if (!isRunning())
        return std::nullopt;
    return data::secondsLeft(static_cast<double>(m_since.elapsed()) / 1000, progress());
}

void EvaluationSession::fail(const SharedEvaluation& evaluation, bool wasRun, const QString& text, bool ofInput) {
    if (wasRun)
        m_running.reset();
    Q_EMIT failed(evaluation, text, ofInput);
}

void EvaluationSession::work(const SharedEvaluation& evaluation, bool keptOnly, const Worker::Ticket& ticket) {
    data::ReproduceOptions options;
    options.threads = m_config.threads;
    options.stop = ticket.stop;
    options.store = m_config.storePath;
    options.keptOnly = keptOnly;
    options.traffic = false;  // the view shows none
    if (!keptOnly) {
        options.progress = [ticket](double fraction) { ticket.setProgress(fraction); };
        options.rows = [this, ticket](std::vector<data::ReproducedItem> rows) {
            auto shared = std::make_shared<const std::vector<data::ReproducedItem>>(std::move(rows));
            ticket.deliver([this, shared] { Q_EMIT rowsChanged(shared); });
        };
    }
    auto look = std::make_shared<EvaluationLook>();
    look->evaluation = evaluation;
    try {
        look->reproduction = m_config.run(*evaluation, options);
    } catch (const engine::InvalidExperiment& error) {
        const QString problems = text(error.problems());
        ticket.finish([this, evaluation, keptOnly, problems] { fail(evaluation, !keptOnly, problems, true); });
        return;
    }
    countPoints(*look);
    ticket.finish([this, look, keptOnly] {
        if (!keptOnly)
            m_running.reset();
        Q_EMIT looked(look);
        if (!keptOnly)
            Q_EMIT runFinished();
    });
}

}  // namespace ui
