#include "ui/shared/run_session.h"

#include "engine/api/baselines.h"
#include "ui/shared/worker.h"

#include <QThread>

#include <new>
#include <utility>

namespace ui {
namespace {

constexpr int kRunProgressMs = 33;

}  // namespace

std::shared_ptr<data::ShownRun> RunSessionConfig::run(const data::ExperimentDraft& draft,
                                                      engine::RunOptions options) const {
    options.recordTrace = true;
    options.attribution = true;
    options.threads = QThread::idealThreadCount();
    options.accesses = requests->of(draft);
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
        return {RunSession::tr("The simulation deadlocked: %1").arg(words), {}};
    return {dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? noMemory : other.arg(words), {}, false};
}

RunSession::RunSession(RunSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)),
      m_worker(kRunProgressMs, [this](double fraction) { Q_EMIT progressChanged(fraction); }) {
    // After an edit that does not change the baselines, such as one of the tracker, only the policy itself is
    // simulated.
    if (!m_config.simulate) {
        m_config.simulate = [baselines = std::make_shared<engine::BaselineCache>(),
                             laboratory = std::make_shared<data::Laboratory>()](const data::ExperimentDraft& draft,
                                                                                const engine::RunOptions& options) {
            engine::RunOptions sharing = options;
            sharing.baselineCache = baselines;
            return laboratory->run(draft, sharing);
        };
    }
}

void RunSession::start(const data::ExperimentDraft& draft) {
    m_nextPreview.reset();
    begin(draft, KeptFor::asked);
}

void RunSession::answer(const data::ExperimentDraft& draft) {
    m_nextPreview.reset();
    begin(draft, KeptFor::answer);
}

void RunSession::preview(const data::ExperimentDraft& draft) {
    data::ExperimentDraft coarse = draft;
    coarse.explicitValues["detail.level"] = std::string(engine::name(engine::DetailLevel::interactive));
    if (isRunning() && m_previewing) {
        m_nextPreview = std::move(coarse);
    } else {
        begin(coarse, std::nullopt);
    }
}

void RunSession::begin(const data::ExperimentDraft& draft, std::optional<KeptFor> purpose) {
    m_worker.start([this, draft, purpose](const Worker::Ticket& ticket) { simulate(draft, purpose, ticket); });
    m_previewing = !purpose;
    Q_EMIT runStarted();
}

void RunSession::cancel() {
    if (!m_worker.cancel())
        return;
    m_nextPreview.reset();
    Q_EMIT runStopped();
}

void RunSession::end(const std::function<void()>& verdict) {
    verdict();
    if (m_nextPreview && !isRunning())
        begin(*std::exchange(m_nextPreview, std::nullopt), std::nullopt);
}

void RunSession::simulate(const data::ExperimentDraft& draft, std::optional<KeptFor> purpose,
                          const Worker::Ticket& ticket) {
    try {
        engine::RunOptions options;
        options.stop = ticket.stop;
        options.progress = [ticket](double fraction) { ticket.setProgress(fraction); };
        const auto shown = m_config.run(draft, options);
        shown->preview = !purpose;
        ticket.finish([this, shown] { end([&] { Q_EMIT runFinished(shown); }); });
        if (purpose)
            callLater(*this, [this, shown, purpose] { Q_EMIT runToKeep(shown, *purpose); });
    } catch (const engine::RunStopped&) {
        ticket.finish([this] { end([this] { Q_EMIT runStopped(); }); });
    } catch (const std::exception& error) {
        const RunFailure failure =
            failureOf(error, tr("There is not enough memory for this run. Choose a coarser level of detail."),
                      tr("The run failed: %1"));
        ticket.finish([this, failure] { end([&] { Q_EMIT runFailed(failure); }); });
    }
}

}  // namespace ui
