#include "ui/model/step_page.h"

#include "data/figure/step_figures.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/value_table.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"
#include "ui/model/step_canvas.h"
#include "ui/model/step_facts.h"
#include "ui/model/task_facts.h"

#include <QComboBox>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace ui {
namespace {

using engine::PipelineSchedule;

/// The entries of the chooser of schedules after "as set" and before "all".
struct ScheduleEntry {
    PipelineSchedule schedule{};
    std::int64_t chunks = 1;
};
constexpr std::array kEntries{ScheduleEntry{PipelineSchedule::allForward},
                              ScheduleEntry{PipelineSchedule::oneForwardOneBackward},
                              ScheduleEntry{PipelineSchedule::oneForwardOneBackward, 2},
                              ScheduleEntry{PipelineSchedule::zeroBubbleH1},
                              ScheduleEntry{PipelineSchedule::delayed},
                              ScheduleEntry{PipelineSchedule::delayedPipelined}};
constexpr int kAsSet = 0, kAll = static_cast<int>(kEntries.size()) + 1;
constexpr std::array<std::int64_t, 4> kLookaheads{1, 2, 4, 0};  // 0: unlimited
constexpr std::int64_t kTriedStages = 4, kTriedMicrobatches = 8;

engine::Experiment withSchedule(engine::Experiment base, const ScheduleEntry& entry) {
    base.division.schedule = entry.schedule;
    base.division.interleave = entry.chunks;
    return base;
}

}  // namespace

StepPage::StepPage(ModelTimes& times, QWidget* parent) : TimedPage(times, QStringLiteral("step"), parent) {
    setObjectName(QStringLiteral("stepPage"));
    m_schedules = addChooser(QStringLiteral("stepSchedule"), tr("Sc&hedule"));
    m_schedules->addItem(tr("as set"));
    for (const ScheduleEntry& entry : kEntries)
        m_schedules->addItem(scheduleTitle({1, 1, entry.chunks, entry.schedule}));
    m_schedules->addItem(tr("all"));
    m_lookaheads = addChooser(QStringLiteral("stepLookahead"), tr("Look-&ahead"));
    m_lookaheads->addItem(tr("as set"));
    for (const std::int64_t ahead : kLookaheads)
        m_lookaheads->addItem(ahead == 0 ? tr("unlimited") : QString::number(ahead));
    for (QComboBox* box : {m_schedules, m_lookaheads})
        connect(box, &QComboBox::currentIndexChanged, this, [this] { showAgain(); });
    setDesk(buildDesk());
    connect(&times, &ModelTimes::stateChanged, this, [this] {
        if (m_missing > 0 && this->times().shown())
            setHeadline(headline());
    });
}

QWidget* StepPage::buildDesk() {
    const int em = fontMetrics().averageCharWidth();
    auto* desk = new QWidget(this);
    auto* column = flushLayout<QVBoxLayout>(desk, 0);
    m_refused = newWrappedLabel(desk, QStringLiteral("stepRefused"));
    m_refused->setContentsMargins(em, em / 2, em, em / 2);
    column->addWidget(m_refused);
    // Not beside the choosers, where a narrow window has no room for it.
    m_try = newButton(tr("Try 4 Stages and 8 Micro-&batches"), QStringLiteral("stepTry"), desk, this,
                      [this] { Q_EMIT divisionRequested(kTriedStages, kTriedMicrobatches); });
    m_leave = newButton(tr("Show the Step of the &Model"), QStringLiteral("stepLeaveTasks"), desk, this,
                        &StepPage::leaveTasks);
    auto* offer = newLayout<QVBoxLayout>(nullptr, {em, em / 2, em, em / 2});
    for (QPushButton* button : {m_try, m_leave}) {
        button->hide();
        offer->addWidget(button, 0, Qt::AlignLeft);
    }
    column->addLayout(offer);
    auto* rows = new QSplitter(Qt::Vertical, desk);
    rows->setChildrenCollapsible(false);
    column->addWidget(rows, 1);
    QScrollArea* scroll = newScrollArea(rows, tr("The step over time"));
    m_canvas = new StepCanvas(scroll);
    scroll->setWidget(m_canvas);
    scroll->setWidgetResizable(true);
    auto* beneath = new QSplitter(Qt::Horizontal, rows);
    beneath->setChildrenCollapsible(false);
    m_table = new ValueTable(beneath);
    setNames(*m_table, QStringLiteral("stepStages"), tr("Time of each stage by what it does"));
    newDetails(beneath, m_details, QStringLiteral("stepDetails"), tr("Chosen pass"));
    beneath->setStretchFactor(0, 3);
    beneath->setStretchFactor(1, 2);
    beneath->setSizes({em * 110, em * 70});
    rows->setStretchFactor(0, 5);
    rows->setStretchFactor(1, 1);
    rows->setSizes({em * 80, em * 24});
    connect(m_canvas, &StepCanvas::chosenChanged, this, &StepPage::showChoice);
    connect(m_canvas, &StepCanvas::operatorRequested, this, &StepPage::open);
    connect(m_table, &ValueTable::chosenChanged, this, [this] {
        const auto stage = m_table->chosen();
        if (stage && *stage < m_canvas->rows().size() && (!m_canvas->chosen() || m_canvas->chosen()->row != *stage) &&
            !m_canvas->rows()[*stage].passes.empty())
            m_canvas->choose(StepChoice{*stage, 0});
    });
    return desk;
}

QString StepPage::showTimes() { return showSteps(); }

void StepPage::showAgain() {
    if (times().shown() && isVisible() && !m_tasks)
        setHeadline(showSteps());
}

void StepPage::showTasks(std::shared_ptr<const OpenedTasks> tasks) {
    m_tasks = std::move(tasks);
    m_try->hide();
    m_refused->hide();
    m_leave->show();
    m_canvas->showSteps({{{}, nullptr, m_tasks}}, nullptr, nullptr, std::nullopt);
    m_table->showRows(placeColumns(*m_tasks), placeRows(*m_tasks));
    showChoice();
    showOther(tasksHeadline(*m_tasks));
}

void StepPage::leaveTasks() {
    if (!m_tasks)
        return;
    m_tasks.reset();
    m_leave->hide();
    m_canvas->showSteps({}, nullptr, nullptr, std::nullopt);
    showTimesAgain();
}

void StepPage::ask(const ModelQuestion& question) {
    leaveTasks();
    TimedPage::ask(question);
}

QString StepPage::showSteps() {
    const data::ModelRun& run = *times().shown();
    data::ModelRun tried = run;
    if (const int ahead = m_lookaheads->currentIndex(); ahead > 0) {
        const std::int64_t value = kLookaheads[static_cast<std::size_t>(ahead - 1)];
        tried.base.step.lookahead = value == 0 ? std::nullopt : std::optional(value);
    }
    const engine::ModelPhase phase = run.graph.phase;
    std::vector<ShownStep> steps;
    m_experiments.clear();
    m_missing = 0;
    QString refused;
    const auto add = [&](const engine::Experiment& base, bool asked) {
        const engine::Problems problems = data::stepProblems(base, phase);
        if (!problems.empty()) {
            refused = asked ? text(problems) : refused;
            return;
        }
        tried.base = base;
        const data::PolicyModelTime& policy = tried.policies[times().policyIndex()];
        auto step = std::make_shared<const data::ModelStep>(data::stepOf(tried, policy));
        m_missing += data::missingPairs(policy, *step);
        steps.push_back({scheduleTitle(step->shape), std::move(step)});
        m_experiments.push_back(base);
    };
    const engine::Experiment base = tried.base;
    const int schedule = m_schedules->currentIndex();
    if (schedule == kAll) {
        for (const ScheduleEntry& entry : kEntries)
            add(withSchedule(base, entry), false);
    } else {
        add(schedule == kAsSet ? base : withSchedule(base, kEntries[static_cast<std::size_t>(schedule - 1)]), true);
    }
    if (steps.empty())
        add(base, true);
    const bool single = !data::isStep(base);
    m_try->setVisible(single && phase == engine::ModelPhase::training);
    const auto capacity = run.base.node.memory;
    m_canvas->showSteps(steps, times().shown(), m_pinned,
                        capacity ? std::optional(static_cast<double>(capacity->count)) : std::nullopt);
    m_table->showRows(stageColumns(), stageRowsOf(*steps.front().step));
    showChoice();
    m_title = stepHeadline(*steps.front().step, m_pinned.get());
    if (steps.size() > 1)
        m_title =
            tr("%1 schedules of %2 on one time axis").arg(steps.size()).arg(titleOfModel(run.base.workload.model));
    else
        m_title = titleOfPolicy(engine::name(times().policy())) + QStringLiteral(", ") + m_title;
    m_refused->setText(refused);
    m_refused->setVisible(!refused.isEmpty());
    askForPairs();
    return headline();
}

QString StepPage::headline() const {
    return m_missing == 0 ? m_title : m_title + QStringLiteral("; ") + missingPairsLine(m_missing, times().isRunning());
}

void StepPage::askForPairs() {
    if (m_missing > 0)
        times().askForPairs(m_experiments);
}

void StepPage::showEvent(QShowEvent* event) {
    TimedPage::showEvent(event);
    askForPairs();
}

void StepPage::showChoice() {
    if (m_canvas->steps().empty())
        return;
    const auto& chosen = m_canvas->chosen();
    if (m_tasks) {
        m_details->setText(chosen ? taskHtml(*m_tasks, m_canvas->rows()[chosen->row].passes[chosen->pass].pass)
                                  : tasksHtml(*m_tasks));
        return;
    }
    const std::size_t group = chosen ? m_canvas->rows()[chosen->row].group : 0;
    const data::ModelStep& step = *m_canvas->steps()[group].step;
    m_details->setText(chosen ? passHtml(*times().shown(), step, m_canvas->rows()[chosen->row].passes[chosen->pass],
                                         chosen->section, paletteOf(*this))
                              : stepHtml(*times().shown(), step));
}

void StepPage::open(std::size_t op) {
    const std::shared_ptr<const data::ModelRun>& run = times().shown();
    if (!run)
        return;
    const engine::Operator& node = run->graph.operators[op];
    if (const auto experiment = openedExperiment(*run, static_cast<std::uint32_t>(op)))
        Q_EMIT openRequested(*experiment, times().policy(), QString::fromStdString(node.title));
    else
        Q_EMIT notOpened(tr("%1 has no timeline: its time comes from a formula or from a GEMM alone.")
                             .arg(QString::fromStdString(node.title)));
}

void StepPage::togglePin() {
    if (m_tasks)
        return;
    if (m_pinned)
        m_pinned.reset();
    else if (!m_canvas->steps().empty())
        m_pinned = m_canvas->steps().front().step;
    showAgain();
}

void StepPage::keyPressEvent(QKeyEvent* event) {
    if (isPlain(*event) && event->key() == Qt::Key_G)
        togglePin();
    else
        TimedPage::keyPressEvent(event);
}

void StepPage::setStale(bool stale) {
    if (m_canvas != nullptr)
        m_canvas->setStale(stale);
}

bool StepPage::dropSelection() { return m_canvas->goUp(); }

bool StepPage::stepOut() { return (!m_tasks && times().cancel()) || m_canvas->goUp(); }

QWidget* StepPage::picture() const { return m_canvas; }

std::optional<FigureOffer> StepPage::figure() const {
    if (m_tasks || !times().shown() || m_canvas->steps().empty())
        return std::nullopt;
    std::vector<const data::ModelStep*> steps;
    for (const ShownStep& shown : m_canvas->steps())
        steps.push_back(shown.step.get());
    data::FigureSpec figure = data::stepFigure(steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::string name = m_experiments[i].workload.model + " " + data::scheduleTitle(steps[i]->shape);
        data::FigureProvenance provenance = provenanceOf(m_experiments[i], name);
        if (i == 0)
            figure.provenance = std::move(provenance);
        else
            figure.provenance.experiments.push_back(std::move(provenance.experiments.front()));
    }
    const engine::Experiment& base = m_experiments.front();
    const QString phase = phaseTitle(times().shown()->graph.phase);
    const QString shown = steps.size() > 1 ? tr("schedules") : m_canvas->steps().front().title;
    figure.provenance.moment = phase.toStdString();
    figure.name = fileNameOf(tr("%1 step %2").arg(text(base.workload.model), shown)).toStdString();
    figure.title = tr("Step of %1: %2").arg(titleOfModel(base.workload.model), shown).toStdString();
    figure.caption = tr("%1 of %2, TP %3, under %4. ")
                         .arg(phase, titleOfModel(base.workload.model), QString::number(base.parallel.tp),
                              titleOfPolicy(engine::name(steps.front()->policy)))
                         .toStdString() +
                     figure.caption;
    return FigureOffer{std::move(figure), {}};
}

void StepPage::save(QJsonObject& kept) const {
    kept[QStringLiteral("stepSchedule")] = m_schedules->currentIndex();
    kept[QStringLiteral("stepLookahead")] = m_lookaheads->currentIndex();
}

void StepPage::restore(const QJsonObject& kept) {
    const auto set = [&](QComboBox& box, const QString& key) {
        const int index = kept[key].toInt();
        box.setCurrentIndex(index >= 0 && index < box.count() ? index : 0);
    };
    set(*m_schedules, QStringLiteral("stepSchedule"));
    set(*m_lookaheads, QStringLiteral("stepLookahead"));
}

}  // namespace ui
