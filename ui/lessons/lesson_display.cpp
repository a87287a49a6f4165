#include "ui/lessons/lesson_display.h"

#include "engine/api/parameters.h"
#include "ui/lessons/lesson_state.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/player.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ui {
namespace {

/// Returns the dock with this name in lessons, or an empty text if there is none.
QString dockOfPart(const QString& part) {
    static const std::map<QString, QString> kDocks{{QStringLiteral("experiment"), QStringLiteral("experimentDock")},
                                                   {QStringLiteral("kept-runs"), QStringLiteral("runsDock")},
                                                   {QStringLiteral("inspector"), QStringLiteral("inspectorDock")},
                                                   {QStringLiteral("why"), QStringLiteral("whyDock")},
                                                   {QStringLiteral("address-map"), QStringLiteral("addressMapDock")}};
    const auto dock = kDocks.find(part);
    return dock == kDocks.end() ? QString() : dock->second;
}

QDockWidget* pointAtPanel(Workbench& workbench, QDockWidget& lessonDock, const QString& name) {
    QDockWidget* panel = workbench.panels().dock(name);
    if (panel == nullptr)
        return nullptr;
    const bool wasHidden = panel->isHidden();
    panel->show();
    workbench.window().resizeDocks({&lessonDock, panel}, {600, 300}, Qt::Vertical);
    panel->raise();
    workbench.spotlight().pointAt(name);
    return wasHidden ? panel : nullptr;
}

/// Points at the part of the window that a step of a lesson names: a parameter, a lane or one of data::lessonParts().
/// Points at no part if `part` is empty or presenter mode hides it. `lessonDock` keeps most of the height of its side.
/// Returns the panel that was opened to point at it, or null.
QDockWidget* pointAtLessonPart(Workbench& workbench, QDockWidget& lessonDock, const std::string& part) {
    Spotlight& spotlight = workbench.spotlight();
    spotlight.clear();
    if (part.empty())
        return nullptr;
    const bool presents = workbench.presenter().isOn();
    const QString name = QString::fromStdString(part);
    // Looked up first, because "machine" names the view, not the preset.
    const std::vector<std::string>& parts = data::lessonParts();
    if (part.starts_with(data::kLessonLane) || part.starts_with(data::kLessonGpuPart)) {
        spotlight.pointAt(name);
    } else if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
        const QString field = text(data::kLessonParameter);
        if (!presents)
            spotlight.pointAt(name.startsWith(field) ? name : field + name);
    } else if (const QString dock = dockOfPart(name); !dock.isEmpty()) {
        return presents ? nullptr : pointAtPanel(workbench, lessonDock, dock);
    } else if (workbench.showViewOrPicture(name)) {
        const bool isPicture = workbench.pictures().names().contains(name);
        spotlight.pointAt(isPicture ? workbench.pictures().objectName() : workbench.views().objectName());
    } else {
        spotlight.pointAt(name);
    }
    return nullptr;
}

bool isRunOf(const RunController::Run& run, const data::ExperimentDraft& draft) {
    return run && !run->preview && run->run.experiment == data::expand(draft).experiment;
}

}  // namespace

/// Covers numbers that would give an answer away until it is revealed. The covered widget keeps its place.
class AnswerCover final : public QWidget {
public:
    /// Covers all of `numbers` and becomes its child; hidden at first.
    explicit AnswerCover(QWidget& numbers) : QWidget(&numbers) {
        setNames(*this, QStringLiteral("answerCover"), tr("The numbers are hidden until the answer is shown."));
        onEvents(
            numbers, {QEvent::Resize}, [this] { setGeometry(parentWidget()->rect()); }, this);
        setGeometry(numbers.rect());
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Palette& colors = paletteOf(*this);
        QPainter painter(this);
        painter.fillRect(rect(), colors.surface);
        painter.setPen(colors.inkSoft);
        painter.drawText(rect(), Qt::AlignCenter, tr("Predict first: the numbers appear with the answer."));
    }
};

/// The state of the window before the lesson, to be restored after it.
struct LessonDisplay::Before {
    data::ExperimentDraft draft;
    std::optional<DocumentOrigin> origin;
    RunController::Run pinned;
    std::vector<std::string> traces;
    QString windowView, picture;
    QJsonValue moment, compared;
    bool panelOpen = false;      ///< whether the panel of lessons was open
    QList<QDockWidget*> panels;  ///< panels hidden to make room for the lesson
    QPointer<QDockWidget> lent;  ///< a panel that is open only because the step points at it
    bool madeRoom = false;
};

LessonDisplay::LessonDisplay(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment,
                             RunController& runs, Player& player, LessonState& lesson, QDockWidget& dock,
                             LessonHooks hooks)
    : m_workbench(workbench), m_viewState(viewState), m_experiment(experiment), m_runs(runs), m_player(player),
      m_lesson(lesson), m_dock(dock), m_hooks(std::move(hooks)) {
    for (QWidget* numbers : m_hooks.numbers)
        m_covers.emplace_back(new AnswerCover(*numbers));
    connect(&m_lesson, &LessonState::stepChanged, this, &LessonDisplay::showStep);
    connect(&m_lesson, &LessonState::answerChanged, this, [this] {
        coverNumbers();
        if (stepInSight() != m_inSight)
            showStep();
    });
    connect(&m_experiment, &ExperimentModel::changed, this, &LessonDisplay::noticeEdit);
    // Only the release of a dragged slider counts as an attempt, and it does not change the value any more. The signal
    // stateChanged() follows both edits and releases.
    connect(&m_runs, &RunController::stateChanged, this, &LessonDisplay::checkTry);
    // The user has opened another file, so end the lesson.
    connect(&m_experiment, &ExperimentModel::originChanged, this, [this] {
        if (m_lesson.isOpen() && !m_moves && m_experiment.origin())
            breakOff();
    });
    // A cancelled run loses the request to show its outcome, so request it again after the next run.
    connect(&m_runs, &RunController::settled, this, [this] {
        restoreMoment();
        if (m_stepWaits)
            runStep();
    });
}

LessonDisplay::~LessonDisplay() = default;

void LessonDisplay::begin() {
    m_restores = false;
    if (m_before)
        return;
    m_workbench.session().save();
    m_before = std::make_unique<Before>();
    m_before->draft = m_experiment.draft();
    m_before->origin = m_experiment.origin();
    m_before->pinned = m_runs.pinned();
    m_before->windowView = m_workbench.views().current();
    m_before->picture = m_workbench.pictures().current();
    m_before->moment = m_runs.shown() ? savedMoment(m_viewState) : QJsonValue();
    m_before->compared = m_hooks.savedComparison();
    m_before->traces = m_hooks.shownTraces();
    m_before->panelOpen = m_dock.isVisible();
}

bool LessonDisplay::panelWasOpen() const { return m_before && m_before->panelOpen; }

void LessonDisplay::showStep() {
    m_workbench.spotlight().clear();
    m_player.pause();
    m_player.setPart(std::nullopt);
    m_pinned.reset();
    m_comparisonWaits = false;
    if (std::exchange(m_stepWaits, false))
        m_runs.dropAwaited();
    m_tracesWait = false;
    coverNumbers();
    if (!m_lesson.isOpen()) {
        restoreBefore();
        return;
    }
    m_inSight = stepInSight();
    const std::vector<data::LessonStep>& steps = m_lesson.lesson().steps;
    for (std::size_t i = 0; i <= m_inSight; ++i) {
        if (steps[i].pins == false)
            m_pinned.reset();
        else if (steps[i].pins == true && i < m_inSight)
            m_pinned = steps[i].draft;
    }
    if (m_pinned == steps[m_inSight].draft)
        m_pinned.reset();  // a run is never compared with its own outline
    takeDraft(steps[m_inSight].draft, std::nullopt, tr("Show Step of Lesson"));
    m_stepWaits = true;
    runStep();
}

/// Returns the step that the window shows: a step with `holds` is shown only with its answer, and until then the step
/// before.
std::size_t LessonDisplay::stepInSight() const {
    const std::size_t step = m_lesson.stepIndex();
    return m_lesson.asks() && m_lesson.step().holds ? step - 1 : step;
}

void LessonDisplay::takeDraft(const data::ExperimentDraft& draft, const std::optional<DocumentOrigin>& origin,
                              const QString& name) {
    m_moves = true;
    m_experiment.replaceDraft(draft, name, origin);
    m_moves = false;
    m_judged = m_experiment.draft();
}

/// Runs the experiments of the step one after the other: the one to be outlined, then its own.
void LessonDisplay::runStep() {
    if (m_pinned && !isRunOf(m_runs.pinned(), *m_pinned)) {
        m_runs.whenShown(*m_pinned, [this] {
            m_runs.outline(m_runs.shown());
            showOwnRun();
        });
        return;
    }
    if (!m_pinned)
        m_runs.outline(nullptr);
    showOwnRun();
}

void LessonDisplay::showOwnRun() {
    const data::ExperimentDraft& draft = m_lesson.lesson().steps[m_inSight].draft;
    const auto show = [this] {
        m_stepWaits = false;
        const data::LessonStep& step = m_lesson.lesson().steps[m_inSight];
        m_comparisonWaits = !step.compare.empty();
        m_tracesWait = !step.traces.files.empty();
        if (m_tracesWait) {
            m_lent.insert(step.traces.files.begin(), step.traces.files.end());
            m_hooks.showTraces(step.traces);
        }
        showScene();
        if (m_comparisonWaits)
            m_hooks.compareWith(step.compare);
        tellShown();
    };
    if (data::hasRun(draft))
        m_runs.whenShown(draft, show);
    else
        show();
}

void LessonDisplay::showScene() {
    const data::LessonStep& step = m_lesson.lesson().steps[m_inSight];
    data::Scene scene = step.scene;
    if (scene.view.empty())
        scene.view = "timeline";
    if (m_before->lent)
        m_before->lent->hide();
    // Reset the view, so that a step looks the same whatever was shown before.
    m_viewState.setCursor(std::nullopt);
    m_viewState.clearSelection();
    m_viewState.setFollowedChunk(std::nullopt);
    m_viewState.showAll();
    m_hooks.shareAxis(experimentsOfPage());
    m_hooks.showScene(scene);
    makeRoom();
    if (QDockWidget* opened = pointAtLessonPart(m_workbench, m_dock, step.highlight))
        m_before->lent = opened;
    Q_EMIT focusWanted();
}

/// Returns the experiment of the step in sight and those of the steps directly before it that show the same page. Later
/// steps are left out: their sizes would give answers away.
std::vector<data::ExperimentDraft> LessonDisplay::experimentsOfPage() const {
    const std::vector<data::LessonStep>& steps = m_lesson.lesson().steps;
    const data::Scene& seen = steps[m_inSight].scene;
    std::vector<data::ExperimentDraft> drafts;
    for (std::size_t i = m_inSight + 1; i > 0; --i) {
        const data::LessonStep& step = steps[i - 1];
        if (step.scene.view != seen.view || step.scene.page != seen.page)
            break;
        drafts.push_back(step.draft);
    }
    return drafts;
}

void LessonDisplay::pointAt(const QString& part) {
    if (!m_before || !data::isLessonPart(part.toStdString()))
        return;
    if (m_before->lent)
        m_before->lent->hide();
    if (QDockWidget* opened = pointAtLessonPart(m_workbench, m_dock, part.toStdString()))
        m_before->lent = opened;
}

void LessonDisplay::play() {
    if (!m_lesson.isOpen() || !m_lesson.step().play || m_stepWaits || !m_runs.shown())
        return;
    const data::LessonPlay& play = *m_lesson.step().play;
    const auto at = [end = static_cast<double>(m_viewState.runEnd())](double share) {
        return std::llround(share * end);
    };
    const PlayedPart part{{at(play.from), at(play.to)}, play.seconds, play.loop};
    const bool begins = m_player.part() != part;
    m_player.setPart(part);
    const std::int64_t now = m_viewState.cursor().value_or(part.range.end);
    if (!m_workbench.settings().reducesMotion())
        m_player.togglePlaying();
    else if (!begins && now < part.range.end)
        m_player.stepForward();
    else
        m_player.seek(part.range.start);
}

void LessonDisplay::comparisonShown() {
    if (!std::exchange(m_comparisonWaits, false))
        return;
    Q_EMIT focusWanted();  // the rows of the comparison have taken the focus
    tellShown();
}

void LessonDisplay::tracesShown() {
    if (std::exchange(m_tracesWait, false))
        return tellShown();
    const bool isAsked = m_lesson.isOpen() && !m_lesson.asks() && m_lesson.step().attempt;
    if (isAsked && m_lesson.step().attempt->parameter.empty() && m_hooks.shownTraces() != m_lesson.step().traces.files)
        setTried();
}

void LessonDisplay::tellShown() {
    if (!m_comparisonWaits && !m_tracesWait)
        Q_EMIT shown();
}

/// Covers what would give the answer of a question away.
void LessonDisplay::coverNumbers() {
    for (const QPointer<AnswerCover>& cover : m_covers) {
        if (cover)
            cover->setVisible(m_lesson.asks());
    }
}

// Hides the other panels at the side, so that a step can be read without scrolling. Does so only once: a panel that the
// user opens later stays open.
void LessonDisplay::makeRoom() {
    if (std::exchange(m_before->madeRoom, true))
        return;
    for (const SidePanel& panel : m_workbench.panels().all()) {
        if (panel.side != SidePanel::Side::right || panel.alone || !panel.dock->isVisible())
            continue;
        panel.dock->hide();
        m_before->panels << panel.dock;
    }
}

/// Handles an edit. If the user made it, drops the step's pending runs, because the form now contains the user's
/// experiment.
void LessonDisplay::noticeEdit() {
    if (!m_lesson.isOpen() || m_moves)
        return;
    if (std::exchange(m_stepWaits, false))
        m_runs.dropAwaited();
    const data::LessonStep& seen = m_lesson.lesson().steps[m_inSight];
    if (seen.pins == true && m_runs.shown() && m_runs.shown()->run.experiment == data::expand(seen.draft).experiment)
        m_runs.outline(m_runs.shown());  // shows the user's attempt with the outlines of the step's own run
}

/// Reports to the lesson when the user has done its task.
void LessonDisplay::checkTry() {
    // Before the answer is revealed, the task is hidden, and the form may still contain the step before.
    const bool isAsked = m_lesson.isOpen() && !m_moves && !m_lesson.asks() && m_lesson.step().attempt;
    if (isAsked && m_lesson.step().attempt->parameter.empty())
        return;  // traces of the reader's own are awaited
    const bool isReady = m_experiment.isRunnable() || !data::hasRun(m_experiment.draft());
    if (!isAsked || !isReady || m_runs.isDragging() || m_experiment.draft() == m_judged)
        return;
    m_judged = m_experiment.draft();
    const data::LessonTry& attempt = *m_lesson.step().attempt;
    const engine::Parameter& parameter = *engine::findParameter(attempt.parameter);
    const engine::ParameterValue value = m_experiment.valueOf(parameter);
    engine::Problems none;
    const auto wanted = engine::parseValue(parameter, attempt.value, none);
    const bool done = attempt.value.empty() || !wanted
                          ? value != parameter.read(data::expand(m_lesson.step().draft).experiment)
                          : value == *wanted;
    if (done)
        setTried();
}

void LessonDisplay::setTried() {
    if (m_workbench.spotlight().isOn())
        m_workbench.spotlight().clear();
    m_lesson.setTried();
}

void LessonDisplay::restoreBefore() {
    if (!m_before)
        return;
    m_runs.outline(m_before->pinned);
    m_hooks.restoreComparison(m_before->compared);
    restoreTraces(*m_before);
    m_hooks.shareAxis({});
    m_workbench.views().showView(m_before->windowView);
    m_workbench.pictures().showView(m_before->picture);
    m_restores = true;
    for (QDockWidget* dock : std::exchange(m_before->panels, {}))
        m_workbench.panels().setShown(*dock, true);
    m_before->madeRoom = false;  // a lesson that is opened before the user's own run is back hides the panels again
    takeDraft(m_before->draft, m_before->origin, tr("Leave Lesson"));
    if (m_experiment.isRunnable())
        m_runs.whenShown(m_experiment.draft(), [this] { restoreMoment(); });
    else
        restoreMoment();
}

/// Shows the traces of before, unless the reader has opened others meanwhile.
void LessonDisplay::restoreTraces(const Before& before) {
    const std::vector<std::string> shown = m_hooks.shownTraces();
    const bool isOfLesson =
        std::ranges::any_of(shown, [this](const std::string& file) { return m_lent.contains(file); });
    if (isOfLesson)
        m_hooks.showTraces({before.traces, {}});
    m_lent.clear();
}

void LessonDisplay::restoreMoment() {
    if (!std::exchange(m_restores, false))
        return;
    const QJsonValue moment = std::exchange(m_before, nullptr)->moment;
    m_viewState.showAll();
    m_viewState.setCursor(std::nullopt);
    if (m_runs.shown() && moment.isObject())
        ui::restoreMoment(moment, m_viewState, m_runs.shown()->run.experiment.parallel.tp);
}

/// Ends the lesson and restores everything but the experiment.
void LessonDisplay::breakOff() {
    const std::unique_ptr<Before> before = std::move(m_before);
    m_lesson.close();
    m_runs.outline(before->pinned);
    m_hooks.restoreComparison(before->compared);
    restoreTraces(*before);
    m_hooks.shareAxis({});
    for (QDockWidget* dock : before->panels)
        m_workbench.panels().setShown(*dock, true);
    m_workbench.panels().setShown(m_dock, before->panelOpen);
}

void LessonDisplay::endForGood() {
    if (!m_before)
        return;
    const std::unique_ptr<Before> before = std::move(m_before);
    m_restores = false;
    m_lesson.close();
    takeDraft(before->draft, before->origin, tr("Leave Lesson"));
    m_hooks.restoreComparison(before->compared);
    restoreTraces(*before);
    for (QDockWidget* dock : before->panels)
        m_workbench.panels().setShown(*dock, true);
    m_workbench.views().showView(before->windowView);
    m_workbench.pictures().showView(before->picture);
    m_viewState.showAll();
    m_viewState.setCursor(std::nullopt);
    m_viewState.setFollowedChunk(std::nullopt);
}

}  // namespace ui
