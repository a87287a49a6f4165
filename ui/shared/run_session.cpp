#include "ui/shared/run_session.h"

#include "data/store/kept_draft.h"

#include "data/store/run_catalogue.h"
#include "engine/api/parameters.h"
#include "ui/shared/call_later.h"

#include <QThread>

#include <algorithm>
#include <exception>
#include <new>

namespace ui {
namespace {

constexpr int kRunProgressMs = 33;
constexpr std::size_t kMostListed = 300;  // after each run; the Runs view has them all

}  // namespace

std::shared_ptr<data::ShownRun> RunSessionConfig::run(const data::ExperimentDraft& draft,
                                                      engine::RunOptions options) const {
    options.recordTrace = true;
    options.attribution = true;
    options.threads = QThread::idealThreadCount();
    auto shown = std::make_shared<data::ShownRun>();
    shown->run = simulate ? simulate(draft, options) : data::Laboratory().run(draft, options);
    if (shown->run.result.trace)
        shown->index.emplace(shown->run.result.trace);
    return shown;
}

RunFailure failureOf(const std::exception& error, const QString& noMemory, const QString& other) {
    const QString words = QString::fromUtf8(error.what());
    if (const auto* invalid = dynamic_cast<const engine::InvalidExperiment*>(&error)) {
        const engine::Problems& problems = invalid->problems();
        return {problems.empty() ? RunSession::tr("The experiment cannot be run.")
                                 : QString::fromStdString(engine::describe(problems.front())),
                problems};
    }
    if (dynamic_cast<const engine::Deadlock*>(&error) != nullptr)
        return {RunSession::tr("The simulation came to a standstill: %1").arg(words), {}};
    return {dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? noMemory : other.arg(words), {}, false};
}

RunSession::RunSession(RunSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)),
      m_worker(kRunProgressMs, [this](double fraction) { Q_EMIT progressChanged(fraction); }) {
    listAgain();
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
    if (isRunning() && m_previewing) {
        m_nextPreview = std::move(coarse);
    } else {
        begin(coarse, Purpose::preview);
    }
}

void RunSession::begin(const data::ExperimentDraft& draft, Purpose purpose) {
    m_worker.start([this, draft, purpose](const Worker::Ticket& ticket) { simulate(draft, purpose, ticket); });
    m_previewing = purpose == Purpose::preview;
    Q_EMIT runStarted();
}

void RunSession::cancel() {
    if (!m_worker.cancel(kRun))
        return;
    m_nextPreview.reset();
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
    m_worker.add([this, job = std::move(job)](const Worker::Ticket&) { withStore(job); }, {}, kStore);
}

void RunSession::listRuns(data::Store& store) {
    auto runs = std::make_shared<const std::vector<data::StoredRun>>(store.runs(kMostListed));
    const auto all = static_cast<qint64>(data::RunCatalogue(store).count());
    callLater(*this, [this, runs, all] { Q_EMIT runsListed(runs, all); });
}

void RunSession::end(const std::function<void()>& verdict) {
    verdict();
    if (m_nextPreview && !isRunning())
        begin(*std::exchange(m_nextPreview, std::nullopt), Purpose::preview);
}

void RunSession::simulate(const data::ExperimentDraft& draft, Purpose purpose, const Worker::Ticket& ticket) {
    try {
        engine::RunOptions options;
        options.stop = ticket.stop;
        options.progress = [ticket](double fraction) { ticket.setProgress(fraction); };
        const auto shown = m_config.run(draft, options);
        shown->preview = purpose == Purpose::preview;
        ticket.finish([this, shown] { end([&] { Q_EMIT runFinished(shown); }); });
        if (!shown->preview && keepsRuns())
            withStore([&](data::Store& store) { keep(store, *shown, purpose); });
    } catch (const engine::RunStopped&) {
        ticket.finish([this] { end([this] { Q_EMIT runStopped(); }); });
    } catch (const std::exception& error) {
        const RunFailure failure =
            failureOf(error, tr("There is not enough memory for this run. Choose a coarser level of detail."),
                      tr("The run failed: %1"));
        ticket.finish([this, failure] { end([&] { Q_EMIT runFailed(failure); }); });
    }
}

void RunSession::keep(data::Store& store, const data::ShownRun& run, Purpose purpose) {
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
        enqueue([this, run = std::move(run)](data::Store& store) { keep(store, *run, Purpose::pinned); });
}

void RunSession::keepForGood(const std::vector<std::int64_t>& ids) {
    if (!keepsRuns())
        return;
    enqueue([this, ids](data::Store&) {
        if (m_lastAnswer && std::find(ids.begin(), ids.end(), *m_lastAnswer) != ids.end())
            m_lastAnswer.reset();
    });
}

void RunSession::withStore(const StoreJob& job) {
    if (m_storeGivenUp)
        return;
    try {
        if (!m_store)
            m_store = std::make_unique<data::Store>(*m_config.storePath);
        job(*m_store);
    } catch (const std::exception& error) {
        m_storeGivenUp = m_store == nullptr;
        callLater(*this, [this, text = QString::fromUtf8(error.what())] { Q_EMIT storeFailed(text); });
    }
}

}  // namespace ui
