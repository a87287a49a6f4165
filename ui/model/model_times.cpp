#include "ui/model/model_times.h"

#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

using engine::PolicyPreset;

constexpr int kPauseMs = 150;  // wait after an edit, so that a burst of edits starts one run

std::optional<std::size_t> placeOf(PolicyPreset policy) {
    const auto& all = ModelTimes::policies();
    const auto found = std::find(all.begin(), all.end(), policy);
    return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

}  // namespace

const std::vector<PolicyPreset>& ModelTimes::policies() {
    static const std::vector<PolicyPreset> usual = data::ModelRunOptions{}.policies;
    return usual;
}

ModelTimes::ModelTimes(ModelSessionConfig config, QObject* parent)
    : QObject(parent), m_session(std::move(config)), m_pause(pauseTimer(this, kPauseMs, [this] { answer(); })),
      m_policy(placeOf(PolicyPreset::t3Mca).value_or(0)),
      m_words{tr("No model yet"),
              tr("Choose a preset on the left. Its model is timed as soon as this view is shown.")} {
    connectSession();
}

void ModelTimes::connectSession() {
    connect(&m_session, &ModelSession::runStarted, this, [this] {
        m_stale = true;
        if (!m_shown)
            m_words = {tr("Timing the model…"), tr("Each distinct sub-layer is simulated once under each policy.")};
        Q_EMIT stateChanged();
    });
    connect(&m_session, &ModelSession::pairsStarted, this, &ModelTimes::stateChanged);
    connect(&m_session, &ModelSession::runFinished, this, [this](const std::shared_ptr<const data::ModelRun>& run) {
        if (m_question && m_question->experiment != run->base)
            return;  // the experiment has changed since, and its run follows
        m_known[run->graph.phase] = run;
        showRun(run);
    });
    connect(&m_session, &ModelSession::runRefused, this, [this](const engine::Problems& problems) {
        const bool ofDivision = std::ranges::all_of(
            problems, [](const engine::Problem& problem) { return problem.path.starts_with("division."); });
        say(tr("The model cannot be timed with these settings"),
            problemsHtml(problems) +
                (ofDivision ? paragraph(tr("The pages Memory and Messages support this division.")) : QString()));
        Q_EMIT answered();
    });
    connect(&m_session, &ModelSession::runFailed, this, [this](const QString& text) {
        say(tr("The run failed"), text.toHtmlEscaped());
        Q_EMIT answered();
    });
    connect(&m_session, &ModelSession::runStopped, this, [this] {
        m_answered = m_shown && !m_stale;  // otherwise showing a page again starts a new run
        if (!m_shown)
            m_words = {tr("Cancelled"),
                       tr("To time the model again, change a parameter or the phase, or leave this view and return.")};
        Q_EMIT stateChanged();
    });
}

void ModelTimes::ask(const ModelQuestion& question, bool seen) {
    if (m_question != question) {
        m_samePhase = m_question && m_question->phase == question.phase;
        ModelQuestion before = m_question.value_or(ModelQuestion{});
        before.phase = question.phase;
        const bool sameModel = m_question && before == question;
        m_question = question;
        m_answered = false;
        m_due = true;
        if (!sameModel) {
            m_known.clear();
            m_stale = true;
            Q_EMIT stateChanged();
        }
    }
    if (!m_due || !seen)
        return;
    m_due = false;
    if (m_samePhase && !isOtherStep())
        m_pause->start();
    else
        answer();
}

bool ModelTimes::isOtherStep() const {
    if (!m_shown || !m_question->problem.isEmpty())
        return false;
    engine::Experiment shown = m_shown->base;
    shown.division = m_question->experiment.division;
    shown.step = m_question->experiment.step;
    return shown == m_question->experiment;
}

void ModelTimes::look() {
    if (!m_answered)
        answer();
}

void ModelTimes::askForPairs(const std::vector<engine::Experiment>& bases) {
    if (m_shown && !m_stale && !isRunning())
        m_session.addPairs(m_shown, bases, policy());
}

bool ModelTimes::cancel() {
    const bool was = isRunning();
    m_session.cancel();
    return was;
}

void ModelTimes::setPolicy(PolicyPreset policy) {
    const auto place = placeOf(policy);
    if (!place || *place == m_policy)
        return;
    m_policy = *place;
    Q_EMIT shownChanged();
}

void ModelTimes::answer() {
    m_pause->stop();
    m_due = false;
    m_answered = true;
    if (!m_question)
        return;
    const auto known = m_known.find(m_question->phase);
    if (!m_question->problem.isEmpty() || known != m_known.end())
        m_session.cancel();
    m_answered = true;  // again, because cancelling a run resets it
    if (!m_question->problem.isEmpty()) {
        say(tr("The experiment cannot be run yet"), m_question->problem.toHtmlEscaped());
        Q_EMIT answered();
    } else if (known != m_known.end()) {
        showRun(known->second);
    } else {
        m_session.start(m_question->experiment, m_question->phase);
    }
}

void ModelTimes::showRun(std::shared_ptr<const data::ModelRun> run) {
    m_shown = std::move(run);
    m_stale = false;
    Q_EMIT stateChanged();
    Q_EMIT shownChanged();
    if (!isRunning())  // a page may have asked for pairs
        Q_EMIT answered();
}

void ModelTimes::say(const QString& title, const QString& html) {
    m_shown.reset();
    m_words = {title, html};
    Q_EMIT stateChanged();
}

}  // namespace ui
