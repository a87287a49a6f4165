#include "ui/compare/compare_session.h"

#include "data/experiment/experiment_document.h"
#include "data/store/store.h"
#include "engine/api/baselines.h"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr int kCompareProgressMs = 33;

}  // namespace

CompareSession::CompareSession(RunSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_cache(std::make_shared<engine::BaselineCache>()),
      m_worker(kCompareProgressMs, [this](double fraction) { Q_EMIT progressChanged(fraction); }) {}

void CompareSession::start(std::vector<CompareJob> jobs) {
    m_worker.start([this, jobs = std::move(jobs)](const Worker::Ticket& ticket) { runAll(jobs, ticket); });
    Q_EMIT runStarted();
}

void CompareSession::cancel() {
    if (m_worker.cancel())
        Q_EMIT runStopped();
}

void CompareSession::runAll(const std::vector<CompareJob>& jobs, const Worker::Ticket& ticket) {
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, jobs.size()));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (ticket.stop.stop_requested())
            return;
        const double before = static_cast<double>(i) * share;
        runOne(jobs[i], ticket,
               [before, share, &ticket](double fraction) { ticket.setProgress(before + fraction * share); });
    }
    ticket.finish([this] { Q_EMIT allFinished(); });
}

void CompareSession::runOne(const CompareJob& job, const Worker::Ticket& ticket,
                            const std::function<void(double)>& progress) {
    try {
        engine::RunOptions options;
        options.stop = ticket.stop;
        options.progress = progress;
        options.baselineCache = m_cache;
        const auto shown = m_config.run(draftOf(job), options);
        ticket.deliver([this, key = job.key, shown] { Q_EMIT runFinished(key, shown); });
    } catch (const engine::RunStopped&) {
        return;  // whoever stopped it has said so
    } catch (const std::exception& error) {
        const RunFailure failure =
            failureOf(error, tr("There is not enough memory for this run beside the others."), QStringLiteral("%1"));
        ticket.deliver([this, key = job.key, text = failure.text] { Q_EMIT runFailed(key, text); });
    }
}

data::ExperimentDraft CompareSession::draftOf(const CompareJob& job) const {
    if (!job.kept)
        return job.draft;
    std::optional<data::Store> store;
    if (m_config.storePath)
        store.emplace(*m_config.storePath, data::Store::Mode::readOnly);
    const auto stored = store ? store->runWithId(*job.kept) : std::nullopt;
    if (!stored || (!job.keptHash.empty() && stored->experimentHash != job.keptHash))
        throw data::StoreError(tr("This run is no longer in the store.").toStdString());
    data::DraftReading reading = data::draftOfKept(*store, *stored);
    if (!reading.problems.empty())
        throw engine::InvalidExperiment(std::move(reading.problems));
    return std::move(reading.draft);
}

}  // namespace ui
