#include "ui/model/model_view.h"

#include "data/model/model_memory.h"
#include "engine/api/baselines.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/breakdown_bars.h"
#include "ui/model/model_parts.h"
#include "ui/model/operator_canvas.h"
#include "ui/workbench/commands.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

using engine::ModelPhase;
using engine::PolicyPreset;

constexpr int kSteps = 1000;
constexpr int kPauseMs = 150;  // between an edit and its answer: a burst of edits is answered once
constexpr std::array kPhases{ModelPhase::training, ModelPhase::prompt, ModelPhase::generation};

enum Page : int { words, desk };

const std::vector<PolicyPreset>& policies() {
    static const std::vector<PolicyPreset> usual = data::ModelRunOptions{}.policies;
    return usual;
}

std::size_t indexOf(PolicyPreset policy) {
    const auto found = std::find(policies().begin(), policies().end(), policy);
    return found == policies().end() ? 0 : static_cast<std::size_t>(found - policies().begin());
}

QString problemsHtml(const engine::Problems& problems) {
    QString html;
    for (const engine::Problem& problem : problems)
        html += QStringLiteral("<li>%1</li>").arg(text(engine::describe(problem)).toHtmlEscaped());
    return QStringLiteral("<ul>%1</ul>").arg(html);
}

constexpr int kModelProgressMs = 33;

}  // namespace

ModelSession::ModelSession(ModelSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_cache(std::make_shared<engine::BaselineCache>()),
      m_memory(std::make_shared<data::ModelMemory>()),
      m_worker(kModelProgressMs, [this](double fraction) { Q_EMIT progressChanged(fraction); }) {
    if (!m_config.run)
        m_config.run = data::modelRun;
}

void ModelSession::start(const engine::Experiment& experiment, engine::ModelPhase phase) {
    m_worker.start([this, experiment, phase](const Worker::Ticket& ticket) { time(experiment, phase, ticket); },
                   [this](const QString& text) { Q_EMIT runFailed(text); });
    Q_EMIT runStarted();
}

void ModelSession::cancel() {
    if (m_worker.cancel())
        Q_EMIT runStopped();
}

void ModelSession::time(const engine::Experiment& experiment, engine::ModelPhase phase, const Worker::Ticket& ticket) {
    data::ModelRunOptions options;
    options.phase = phase;
    options.threads = m_config.threads;
    options.stop = ticket.stop;
    options.baselineCache = m_cache;
    options.memory = m_memory;
    options.progress = [ticket](double fraction) { ticket.setProgress(fraction); };
    try {
        auto run = std::make_shared<const data::ModelRun>(m_config.run(experiment, options));
        ticket.finish([this, run] { Q_EMIT runFinished(run); });
    } catch (const engine::InvalidExperiment& error) {
        ticket.finish([this, problems = error.problems()] { Q_EMIT runRefused(problems); });
    }
}

ModelView::ModelView(ModelSessionConfig config, QWidget* parent)
    : QWidget(parent), m_session(std::move(config)), m_pause(pauseTimer(this, kPauseMs, [this] { answer(); })),
      m_pages(new QStackedLayout) {
    setObjectName(QStringLiteral("modelView"));
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    column->addWidget(buildBar());
    column->addLayout(m_pages, 1);
    addWidgets(*m_pages, {buildWords(), buildDesk()});
    setFocusProxy(m_canvas);
    connectSession();
    onEvents(*this, {QEvent::PaletteChange}, [this] {
        if (m_shown)
            showSelection();
    });
    say(tr("No model yet"), tr("Choose a preset on the left: its model is timed as soon as this view is shown."));
}

QWidget* ModelView::buildBar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout;
    const int em = fontMetrics().averageCharWidth();
    row->setSpacing(em);
    const auto chooser = [&](const QString& name, const QString& text) {
        auto* label = new QLabel(text, bar);
        auto* box = new QComboBox(bar);
        label->setBuddy(box);
        setNames(*box, name, plain(text));
        addWidgets(*row, {label, box});
        row->addSpacing(em);
        return box;
    };
    m_phases = chooser(QStringLiteral("modelPhase"), tr("&Phase"));
    for (const ModelPhase phase : kPhases)
        m_phases->addItem(phaseTitle(phase));
    m_policies = chooser(QStringLiteral("modelPolicy"), tr("Po&licy"));
    for (const PolicyPreset policy : policies())
        m_policies->addItem(policyTitle(policy));
    m_policies->setCurrentIndex(static_cast<int>(indexOf(m_policy)));
    m_colourings = chooser(QStringLiteral("modelColour"), tr("C&olour"));
    m_colourings->addItems({tr("share of the time"), tr("exposed communication")});
    row->addStretch(1);
    m_cancel = newButton(tr("&Cancel"), QStringLiteral("modelCancel"), bar, &m_session, &ModelSession::cancel);
    m_cancel->hide();
    row->addWidget(m_cancel);
    m_headline = newWrappedLabel(bar, QStringLiteral("modelHeadline"));
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setRelativeFont(*m_headline, 1.15, QFont::DemiBold);
    m_progress = new QProgressBar(bar);
    makeThin(*m_progress, kSteps, 4, tr("Progress of the model's runs"));
    keepRoom(*m_progress);
    m_progress->hide();
    auto* column = newLayout<QVBoxLayout>(bar, {em, em, em, 0}, em / 2);
    column->addLayout(row);
    addWidgets(*column, {m_headline, m_progress});
    connect(m_phases, &QComboBox::currentIndexChanged, this,
            [this](int index) { setPhase(kPhases[static_cast<std::size_t>(std::max(0, index))]); });
    connect(m_policies, &QComboBox::currentIndexChanged, this,
            [this](int index) { setPolicy(policies()[static_cast<std::size_t>(std::max(0, index))]); });
    connect(m_colourings, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_canvas->setColouring(index == 1 ? OperatorColouring::exposed : OperatorColouring::time);
    });
    return bar;
}

QWidget* ModelView::buildWords() {
    m_words = newWrappedLabel(this, QStringLiteral("modelWords"));
    m_words->setAlignment(Qt::AlignCenter);
    m_words->setTextFormat(Qt::RichText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int em = fontMetrics().averageCharWidth();
    m_words->setContentsMargins(em * 6, em, em * 6, em);
    return m_words;
}

QWidget* ModelView::buildDesk() {
    m_rows = new QSplitter(Qt::Vertical, this);
    m_rows->setChildrenCollapsible(false);
    m_canvas = new OperatorCanvas(m_rows);
    auto* beneath = new QSplitter(Qt::Horizontal, m_rows);
    beneath->setChildrenCollapsible(false);
    m_bars = new BreakdownBars(beneath);
    auto* panel = new QWidget(beneath);
    QScrollArea* scroll = newScrollArea(panel, tr("What is selected"));
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_details = newWrappedLabel(scroll, QStringLiteral("modelDetails"));
    m_details->setTextFormat(Qt::RichText);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int em = fontMetrics().averageCharWidth();
    m_details->setContentsMargins(em, em, em, em);
    scroll->setWidget(m_details);
    m_open = newButton(tr("Open in &Explore"), QStringLiteral("modelOpen"), panel, this,
                       [this] { open(*m_canvas->selected()); });
    m_open->hide();
    auto* column = newLayout<QVBoxLayout>(panel, {0, 0, em, em});
    column->addWidget(scroll, 1);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    panel->setMinimumWidth(em * 34);
    beneath->setStretchFactor(0, 1);
    beneath->setStretchFactor(1, 1);
    beneath->setSizes({em * 100, em * 60});
    m_rows->setStretchFactor(0, 5);
    m_rows->setStretchFactor(1, 2);
    connect(m_canvas, &OperatorCanvas::selectionChanged, this, &ModelView::showSelection);
    connect(m_canvas, &OperatorCanvas::openRequested, this, &ModelView::open);
    connect(m_bars, &BreakdownBars::policyChosen, this, [this](std::size_t policy) { setPolicy(policies()[policy]); });
    return m_rows;
}

void ModelView::connectSession() {
    connect(&m_session, &ModelSession::progressChanged, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * kSteps)); });
    connect(&m_session, &ModelSession::runStarted, this, [this] {
        m_progress->setValue(0);
        m_progress->show();
        m_cancel->show();
        setStale(true);
        if (!m_shown)
            say(tr("Timing the model…"), tr("Each distinct sub-layer is simulated once under each policy."));
    });
    connect(&m_session, &ModelSession::runFinished, this, [this](const std::shared_ptr<const data::ModelRun>& run) {
        m_known[run->graph.phase] = run;
        showRun(run);
    });
    connect(&m_session, &ModelSession::runRefused, this, [this](const engine::Problems& problems) {
        m_shown.reset();
        say(tr("The model cannot be run like this"), problemsHtml(problems));
        Q_EMIT modelShown();
    });
    connect(&m_session, &ModelSession::runFailed, this, [this](const QString& text) {
        m_shown.reset();
        say(tr("The run failed"), text.toHtmlEscaped());
        Q_EMIT modelShown();
    });
    connect(&m_session, &ModelSession::runStopped, this, [this] {
        m_answered = false;  // looking again asks again
        m_progress->hide();
        m_cancel->hide();
        if (!m_shown)
            say(tr("Cancelled"), tr("Change a parameter or the phase, or come back to this view, to time it again."));
    });
}

void ModelView::setExperiment(const engine::Experiment& experiment, const QString& problem) {
    const engine::Experiment model = modelOf(experiment);
    if (m_experiment == model && m_problem == problem)
        return;
    m_experiment = model;
    m_problem = problem;
    m_known.clear();
    m_answered = false;
    setStale(true);
    if (isVisible())
        m_pause->start();
}

void ModelView::setPhase(ModelPhase phase) {
    if (phase == m_phase)
        return;
    m_phase = phase;
    const QSignalBlocker blocker(m_phases);
    m_phases->setCurrentIndex(static_cast<int>(std::find(kPhases.begin(), kPhases.end(), phase) - kPhases.begin()));
    m_answered = false;
    if (isVisible())
        answer();
}

void ModelView::setPolicy(PolicyPreset policy) {
    if (policy == m_policy || std::find(policies().begin(), policies().end(), policy) == policies().end())
        return;
    m_policy = policy;
    const QSignalBlocker blocker(m_policies);
    m_policies->setCurrentIndex(static_cast<int>(indexOf(policy)));
    showPolicy();
}

void ModelView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_answered)
        answer();
}

void ModelView::answer() {
    m_pause->stop();
    m_answered = true;
    const auto known = m_known.find(m_phase);
    if (!m_problem.isEmpty() || (m_experiment && known != m_known.end()))
        m_session.cancel();
    m_answered = true;  // a run that was cancelled for this one is no reason to ask again
    if (!m_problem.isEmpty()) {
        m_shown.reset();
        say(tr("The experiment cannot be run yet"), m_problem.toHtmlEscaped());
        Q_EMIT modelShown();
    } else if (m_experiment && known != m_known.end()) {
        showRun(known->second);
    } else if (m_experiment) {
        m_session.start(*m_experiment, m_phase);
    }
}

void ModelView::showRun(std::shared_ptr<const data::ModelRun> run) {
    m_shown = std::move(run);
    m_progress->hide();
    m_cancel->hide();
    m_pages->setCurrentIndex(desk);
    setStale(false);
    showPolicy();
    Q_EMIT modelShown();
}

void ModelView::showPolicy() {
    if (!m_shown)
        return;
    const std::size_t policy = indexOf(m_policy);
    m_canvas->showRun(m_shown, policy);
    m_bars->showRun(m_shown, policy);
    m_headline->setText(headlineOf(*m_shown, m_shown->policies[policy]));
    showSelection();
}

void ModelView::showSelection() {
    if (!m_shown)
        return;
    const Palette& colors = paletteOf(*this);
    const auto selected = m_canvas->selected();
    m_details->setText(selected ? operatorHtml(*m_shown, m_shown->policies[indexOf(m_policy)], *selected, colors)
                                : modelHtml(*m_shown, colors));
    m_open->setVisible(selected && openedExperiment(*m_shown, *selected));
}

void ModelView::say(const QString& title, const QString& html) {
    m_progress->setVisible(m_session.isRunning());
    m_cancel->setVisible(m_session.isRunning());
    m_headline->setText(title);
    m_words->setText(html);
    m_pages->setCurrentIndex(words);
}

void ModelView::setStale(bool stale) {
    m_canvas->setStale(stale);
    m_bars->setStale(stale);
}

bool ModelView::stepOut() {
    if (m_session.isRunning()) {
        m_session.cancel();
        return true;
    }
    const bool had = m_canvas->selected().has_value();
    m_canvas->select(std::nullopt);
    return had;
}

void ModelView::open(std::uint32_t op) {
    if (!m_shown)
        return;
    const engine::Operator& told = m_shown->graph.operators[op];
    if (const auto experiment = openedExperiment(*m_shown, op))
        Q_EMIT openRequested(*experiment, m_policy, QString::fromStdString(told.title));
    else
        Q_EMIT notOpened(tr("%1 has no timeline of its own: its time comes from a formula or from a GEMM alone. A "
                            "sub-layer is a GEMM with its collective, such as fc-2.")
                             .arg(QString::fromStdString(told.title)));
}

QJsonValue ModelView::save() const {
    return QJsonObject{{QStringLiteral("phase"), text(engine::name(m_phase))},
                       {QStringLiteral("policy"), text(engine::name(m_policy))},
                       {QStringLiteral("exposed"), m_colourings->currentIndex() == 1}};
}

bool ModelView::restore(const QJsonValue& kept) {
    const auto phase = engine::modelPhaseNamed(kept[QStringLiteral("phase")].toString().toStdString());
    const auto policy = engine::policyPresetNamed(kept[QStringLiteral("policy")].toString().toStdString());
    if (!phase || !policy || std::find(policies().begin(), policies().end(), *policy) == policies().end())
        return false;
    setPhase(*phase);
    setPolicy(*policy);
    m_colourings->setCurrentIndex(kept[QStringLiteral("exposed")].toBool() ? 1 : 0);
    return true;
}

}  // namespace ui
