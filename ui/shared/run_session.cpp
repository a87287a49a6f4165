#include "ui/shared/run_session.h"

#include "data/store/kept_draft.h"

#include "data/store/run_catalogue.h"
#include "engine/api/parameters.h"
#include "ui/shared/call_later.h"

#include <QTimer>

#include <algorithm>
#include <exception>
#include <new>

namespace ui {
namespace {

constexpr int kRunProgressMs = 33;
constexpr std::size_t kMostListed = 300;  // after each run; the Runs view has them all

RunFailure failureOf(const engine::InvalidExperiment& invalid) {
    RunFailure failure{QStringLiteral("The experiment cannot be run."), invalid.problems()};
    if (!failure.problems.empty())
        failure.text = QString::fromStdString(engine::describe(failure.problems.front()));
    return failure;
}

}  // namespace

RunSession::RunSession(RunSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_progressTimer(new QTimer(this)) {
    if (!m_config.simulate) {
        m_config.simulate = [](const data::ExperimentDraft& draft, const engine::RunOptions& options) {
            return data::Laboratory().run(draft, options);
        };
    }
    m_progressTimer->setInterval(kRunProgressMs);
    connect(m_progressTimer, &QTimer::timeout, this, [this] { Q_EMIT progressChanged(m_progress.load()); });
    if (keepsRuns())
        enqueue([this](data::Store& store) { listRuns(store); });
    m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

RunSession::~RunSession() {
    m_runStop.request_stop();
    m_worker.request_stop();
    m_worker.join();
    // Deliveries that are still queued die with this object: it is their context.
}

void RunSession::start(const data::ExperimentDraft& draft) {
    m_nextPreview.reset();
    begin(draft, Purpose::asked);
}

void RunSession::answer(const data::ExperimentDraft& draft) {
    m_nextPreview.reset();
    begin(draft, Purpose::answer);
}

void RunSession::preview(const data::ExperimentDraft& draft) {
    data::ExperimentDraft coarse = draft;
    coarse.explicitValues["detail.level"] = std::string(engine::name(engine::DetailLevel::interactive));
    if (m_running && m_previewing) {
        m_nextPreview = std::move(coarse);
    } else {
        begin(coarse, Purpose::preview);
    }
}

void RunSession::begin(const data::ExperimentDraft& draft, Purpose purpose) {
    m_runStop.request_stop();
    m_runStop = std::stop_source();
    ++m_generation;
    m_progress = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_request = RunRequest{draft, purpose, m_generation, m_runStop};
    }
    m_wake.notify_one();
    m_running = true;
    m_previewing = purpose == Purpose::preview;
    m_progressTimer->start();
    Q_EMIT runStarted();
}

void RunSession::cancel() {
    if (!m_running)
        return;
    m_runStop.request_stop();
    m_nextPreview.reset();
    ++m_generation;  // whatever the worker still says about this run is late
    {
        const std::lock_guard lock(m_mutex);
        m_request.reset();
    }
    m_running = false;
    m_progressTimer->stop();
    Q_EMIT runStopped();
}

void RunSession::openRun(std::int64_t id) {
    enqueue([this, id](data::Store& store) {
        const std::optional<data::StoredRun> stored = store.runWithId(id);
        if (!stored)
            throw data::StoreError("This run is no longer in the store.");
        data::DraftReading reading = data::draftOfKept(store, *stored);
        if (!reading.problems.empty())
            throw data::StoreError(engine::describe(reading.problems.front()));
        auto opened = std::make_shared<const OpenedRun>(OpenedRun{*stored, reading.draft, store.resultOf(id)});
        callLater(*this, [this, opened] { Q_EMIT runOpened(opened); });
    });
}

void RunSession::listAgain() {
    if (keepsRuns())
        enqueue([this](data::Store& store) { listRuns(store); });
}

void RunSession::enqueue(StoreJob job) {
    {
        const std::lock_guard lock(m_mutex);
        m_storeJobs.push_back(std::move(job));
    }
    m_wake.notify_one();
}

void RunSession::listRuns(data::Store& store) {
    auto runs = std::make_shared<const std::vector<data::StoredRun>>(store.runs(kMostListed));
    const auto all = static_cast<qint64>(data::RunCatalogue(store).count());
    callLater(*this, [this, runs, all] { Q_EMIT runsListed(runs, all); });
}

void RunSession::work(const std::stop_token& stop) {
    std::unique_ptr<data::Store> store;  // opened, used and closed by this thread only
    while (!stop.stop_requested()) {
        std::optional<RunRequest> request;
        StoreJob job;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return m_request || !m_storeJobs.empty(); });
            if (stop.stop_requested())
                return;
            // A run goes before the store's business: somebody is looking at the window.
            if (m_request) {
                request = std::move(m_request);
                m_request.reset();
            } else {
                job = std::move(m_storeJobs.front());
                m_storeJobs.pop_front();
            }
        }
        if (request) {
            simulate(*request, store);
        } else {
            withStore(store, job);
        }
    }
}

void RunSession::deliver(std::uint64_t generation, std::function<void()> verdict) {
    const auto arrive = [this, generation, verdict = std::move(verdict)] {
        if (generation != m_generation)
            return;
        m_running = false;
        m_progressTimer->stop();
        verdict();
        if (m_nextPreview && !m_running) {
            const data::ExperimentDraft next = std::move(*m_nextPreview);
            m_nextPreview.reset();
            begin(next, Purpose::preview);
        }
    };
    callLater(*this, arrive);
}

void RunSession::simulate(const RunRequest& request, std::unique_ptr<data::Store>& store) {
    const auto fail = [&](RunFailure failure) {
        deliver(request.generation, [this, failure = std::move(failure)] { Q_EMIT runFailed(failure); });
    };
    try {
        engine::RunOptions options;
        options.recordTrace = true;
        options.baselines = true;
        options.attribution = true;
        options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
        options.stop = request.stop.get_token();
        options.progress = [this](double fraction) { m_progress = fraction; };
        auto shown = std::make_shared<data::ShownRun>();
        shown->preview = request.purpose == Purpose::preview;
        shown->run = m_config.simulate(request.draft, options);
        if (shown->run.result.trace)
            shown->index.emplace(shown->run.result.trace);
        const std::shared_ptr<const data::ShownRun> finished = std::move(shown);
        deliver(request.generation, [this, finished] { Q_EMIT runFinished(finished); });
        if (!finished->preview)
            keep(*finished, request.purpose, store);
    } catch (const engine::RunStopped&) {
        deliver(request.generation, [this] { Q_EMIT runStopped(); });
    } catch (const engine::InvalidExperiment& invalid) {
        fail(failureOf(invalid));
    } catch (const engine::Deadlock& deadlock) {
        fail({tr("The simulation came to a standstill: %1").arg(QString::fromUtf8(deadlock.what())), {}});
    } catch (const std::bad_alloc&) {
        fail({tr("There is not enough memory for this run. Choose a coarser level of detail."), {}, false});
    } catch (const std::exception& error) {
        fail({tr("The run failed: %1").arg(QString::fromUtf8(error.what())), {}, false});
    }
}

void RunSession::keep(const data::ShownRun& run, Purpose purpose, std::unique_ptr<data::Store>& store) {
    if (!keepsRuns())
        return;
    withStore(store, [&](data::Store& opened) { keepIn(opened, run, purpose); });
}

void RunSession::keepIn(data::Store& store, const data::ShownRun& run, Purpose purpose) {
    const std::optional<std::int64_t> there = store.find(run.run.experiment);
    const std::int64_t id =
        store.keep(run.run.name, data::writeDraft(run.run.draft), run.run.experiment, run.run.result);
    if (purpose == Purpose::answer) {
        if (m_lastAnswer && *m_lastAnswer != id)
            store.remove(*m_lastAnswer);
        // What was kept for good before stays so, also as the answer to an edit.
        if (!there || there != m_lastAnswer)
            m_lastAnswer = there ? std::nullopt : std::optional(id);
    } else if (purpose == Purpose::asked || m_lastAnswer == id) {
        m_lastAnswer.reset();  // it stays: a burst has ended, or it was pinned
    }
    listRuns(store);
}

void RunSession::keepForGood(std::shared_ptr<const data::ShownRun> run) {
    if (keepsRuns())
        enqueue([this, run = std::move(run)](data::Store& store) { keepIn(store, *run, Purpose::pinned); });
}

void RunSession::keepForGood(const std::vector<std::int64_t>& ids) {
    if (!keepsRuns())
        return;
    enqueue([this, ids](data::Store&) {
        if (m_lastAnswer && std::find(ids.begin(), ids.end(), *m_lastAnswer) != ids.end())
            m_lastAnswer.reset();
    });
}

void RunSession::withStore(std::unique_ptr<data::Store>& store, const StoreJob& job) {
    if (m_storeGivenUp)
        return;
    QString text;
    try {
        if (!store)
            store = std::make_unique<data::Store>(*m_config.storePath);
        job(*store);
        return;
    } catch (const std::exception& error) { text = QString::fromUtf8(error.what()); }
    m_storeGivenUp = store == nullptr;
    callLater(*this, [this, text] { Q_EMIT storeFailed(text); });
}

}  // namespace ui
