#include "ui/compare/compare_session.h"

#include "data/store/kept_draft.h"

#include "engine/api/baselines.h"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace ui {
namespace {

constexpr int kCompareProgressMs = 33;

QString textOfProblems(const engine::Problems& problems) {
    return problems.empty() ? CompareSession::tr("The experiment cannot be run.")
                            : QString::fromStdString(engine::describe(problems.front()));
}

}  // namespace

CompareSession::CompareSession(RunSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_cache(std::make_shared<engine::BaselineCache>()),
      m_job(*this, kCompareProgressMs, [this] { Q_EMIT progressChanged(m_job.progress()); }) {
    if (!m_config.simulate) {
        m_config.simulate = [](const data::ExperimentDraft& draft, const engine::RunOptions& options) {
            return data::Laboratory().run(draft, options);
        };
    }
}

void CompareSession::start(std::vector<CompareJob> jobs) {
    m_job.start([this, jobs = std::move(jobs)](const NewestJob::Ticket& ticket) { runAll(jobs, ticket); });
    Q_EMIT runStarted();
}

void CompareSession::cancel() {
    if (m_job.cancel())
        Q_EMIT runStopped();
}

void CompareSession::runAll(const std::vector<CompareJob>& jobs, const NewestJob::Ticket& ticket) {
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, jobs.size()));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (ticket.stop.stop_requested())
            return;
        const double before = static_cast<double>(i) * share;
        runOne(jobs[i], ticket, [this, before, share, &ticket](double fraction) {
            m_job.setProgress(ticket, before + fraction * share);
        });
    }
    m_job.deliver(ticket, [this] {
        m_job.end();
        Q_EMIT allFinished();
    });
}

void CompareSession::runOne(const CompareJob& job, const NewestJob::Ticket& ticket,
                            const std::function<void(double)>& progress) {
    const auto fail = [&](const QString& text) {
        m_job.deliver(ticket, [this, key = job.key, text] { Q_EMIT runFailed(key, text); });
    };
    try {
        engine::RunOptions options;
        options.recordTrace = true;
        options.attribution = true;
        options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
        options.stop = ticket.stop;
        options.progress = progress;
        options.baselineCache = m_cache;
        auto shown = std::make_shared<data::ShownRun>();
        shown->run = m_config.simulate(draftOf(job), options);
        if (shown->run.result.trace)
            shown->index.emplace(shown->run.result.trace);
        const std::shared_ptr<const data::ShownRun> finished = std::move(shown);
        m_job.deliver(ticket, [this, key = job.key, finished] { Q_EMIT runFinished(key, finished); });
    } catch (const engine::RunStopped&) {
        return;  // whoever stopped it has said so
    } catch (const engine::InvalidExperiment& invalid) {
        fail(textOfProblems(invalid.problems()));
    } catch (const engine::Deadlock& deadlock) {
        fail(tr("The simulation came to a standstill: %1").arg(QString::fromUtf8(deadlock.what())));
    } catch (const std::bad_alloc&) {
        fail(tr("There is not enough memory for this run beside the others."));
    } catch (const std::exception& error) { fail(QString::fromUtf8(error.what())); }
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
