#include "ui/shared/compare_session.h"

#include "engine/api/baselines.h"

#include <QTimer>

#include <algorithm>
#include <exception>
#include <new>
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
    : QObject(parent), m_config(std::move(config)), m_progressTimer(new QTimer(this)),
      m_cache(std::make_shared<engine::BaselineCache>()) {
    if (!m_config.simulate) {
        m_config.simulate = [](const data::ExperimentDraft& draft, const engine::RunOptions& options) {
            return data::Laboratory().run(draft, options);
        };
    }
    m_progressTimer->setInterval(kCompareProgressMs);
    connect(m_progressTimer, &QTimer::timeout, this, [this] { Q_EMIT progressChanged(m_progress.load()); });
    m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

CompareSession::~CompareSession() {
    m_runStop.request_stop();
    m_worker.request_stop();
    m_worker.join();
    // Deliveries that are still queued die with this object: it is their context.
}

void CompareSession::start(std::vector<CompareJob> jobs) {
    m_runStop.request_stop();
    m_runStop = std::stop_source();
    m_progress = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_request = Request{std::move(jobs), ++m_generation, m_runStop};
    }
    m_wake.notify_one();
    m_running = true;
    m_progressTimer->start();
    Q_EMIT runStarted();
}

void CompareSession::end() {
    m_running = false;
    m_progressTimer->stop();
}

void CompareSession::cancel() {
    if (!m_running)
        return;
    m_runStop.request_stop();
    ++m_generation;  // whatever the worker still says about these runs is late
    {
        const std::lock_guard lock(m_mutex);
        m_request.reset();
    }
    end();
    Q_EMIT runStopped();
}

void CompareSession::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return m_request.has_value(); });
            if (stop.stop_requested())
                return;
            request = *std::exchange(m_request, std::nullopt);
        }
        runAll(request);
    }
}

void CompareSession::runAll(const Request& request) {
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, request.jobs.size()));
    for (std::size_t i = 0; i < request.jobs.size(); ++i) {
        if (request.stop.stop_requested())
            return;
        const double before = static_cast<double>(i) * share;
        runOne(request.jobs[i], request, [this, before, share, stop = request.stop.get_token()](double fraction) {
            if (!stop.stop_requested())
                m_progress = before + fraction * share;
        });
    }
    deliver(request.generation, [this] {
        end();
        Q_EMIT allFinished();
    });
}

void CompareSession::runOne(const CompareJob& job, const Request& request,
                            const std::function<void(double)>& progress) {
    const auto fail = [&](const QString& text) {
        deliver(request.generation, [this, key = job.key, text] { Q_EMIT runFailed(key, text); });
    };
    try {
        engine::RunOptions options;
        options.recordTrace = true;
        options.attribution = true;
        options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
        options.stop = request.stop.get_token();
        options.progress = progress;
        options.baselineCache = m_cache;
        auto shown = std::make_shared<ShownRun>();
        shown->run = m_config.simulate(draftOf(job), options);
        if (shown->run.result.trace)
            shown->index.emplace(shown->run.result.trace);
        const std::shared_ptr<const ShownRun> finished = std::move(shown);
        deliver(request.generation, [this, key = job.key, finished] { Q_EMIT runFinished(key, finished); });
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
    std::optional<data::StoredRun> stored;
    if (m_config.storePath)
        stored = data::Store(*m_config.storePath, data::Store::Mode::readOnly).runWithId(*job.kept);
    if (!stored || (!job.keptHash.empty() && stored->experimentHash != job.keptHash))
        throw data::StoreError(tr("This run is no longer in the store.").toStdString());
    data::DraftReading reading = data::readDraft(stored->draft, "the kept run");
    if (!reading.problems.empty())
        throw engine::InvalidExperiment(std::move(reading.problems));
    return std::move(reading.draft);
}

void CompareSession::deliver(std::uint64_t generation, std::function<void()> verdict) {
    const auto arrive = [this, generation, verdict = std::move(verdict)] {
        if (generation == m_generation)
            verdict();
    };
    QMetaObject::invokeMethod(this, arrive, Qt::QueuedConnection);
}

}  // namespace ui
