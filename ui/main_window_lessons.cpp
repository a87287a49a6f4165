#include "ui/main_window.h"

#include "engine/api/parameters.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/comparison.h"
#include "ui/editors/experiment_form.h"
#include "ui/lessons/answer_cover.h"
#include "ui/lessons/lesson_check_session.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_state.h"
#include "ui/playback/player.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/lane_spot_overlay.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/centre_views.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/spot_mark.h"
#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QPointer>

#include <algorithm>

// Lessons are taken and left. A step puts its experiment into the form, waits for its run and then shows its moment; what
// the reader had before comes back at the end.

namespace ui {
namespace {

constexpr auto kLessonDock = "lessonDock";
constexpr int kPresentedWidth = 42;  // characters, beside a picture that has no other panels

std::optional<engine::LaneKind> laneOf(std::string_view part) {
    if (!part.starts_with(data::kLessonLane))
        return std::nullopt;
    for (int kind = 0; kind <= static_cast<int>(engine::LaneKind::landings); ++kind) {
        const auto lane = static_cast<engine::LaneKind>(kind);
        if (engine::name(lane) == part.substr(data::kLessonLane.size()))
            return lane;
    }
    return std::nullopt;
}

QString lessonFilter() { return MainWindow::tr("Lessons (*.json);;All files (*)"); }

}  // namespace

/// What the reader had before the lesson.
struct MainWindow::BeforeLesson {
    data::ExperimentDraft draft;
    std::optional<DocumentOrigin> origin;
    std::shared_ptr<const data::ShownRun> pinned;
    QString windowView, view;
    QJsonValue moment, compared;
    bool panel = false;          ///< that of lessons was open
    QList<QDockWidget*> panels;  ///< that made room
    QPointer<QDockWidget> lent;  ///< shown for a step
    bool madeRoom = false;
    bool comesBack = false;  ///< its run is under way; the moment follows it
};

void MainWindow::buildLessons() {
    m_lesson = new LessonState(this);
    auto* check = new LessonCheckSession(*m_lesson, {}, this);
    m_lessonPanel = new LessonPanel(*m_lesson);
    m_answerCover = new AnswerCover(*m_headlines);
    m_laneSpot = std::make_unique<LaneSpotOverlay>();
    m_timeline->addOverlay(*m_laneSpot);
    addPanel({.name = QString::fromLatin1(kLessonDock),
              .title = tr("Lesson"),
              .widget = m_lessonPanel,
              .side = Side::right,
              .open = false,
              .alone = true});
    connect(m_lessonPanel, &LessonPanel::lessonRequested, this, [this](const QString& file) { openLesson(file); });
    connect(m_lessonPanel, &LessonPanel::openRequested, this, &MainWindow::askForLesson);
    connect(m_lessonPanel, &LessonPanel::leaveRequested, this, &MainWindow::leaveLesson);
    connect(m_lessonPanel, &LessonPanel::finished, this, &MainWindow::listLessons);
    connect(m_lessonPanel, &LessonPanel::tryRequested, this, [this] {
        if (m_lesson->isOpen() && m_lesson->step().attempt)
            pointAtParameter(m_lesson->step().attempt->parameter);
    });
    connect(m_lesson, &LessonState::stepChanged, this, &MainWindow::showLessonStep);
    const auto tell = [this, check] { m_lessonPanel->showFailures(check->failuresOf(m_lesson->stepIndex())); };
    connect(m_lesson, &LessonState::stepChanged, this, tell);
    connect(check, &LessonCheckSession::checked, this, tell);
    connect(this, &MainWindow::lessonShown, check, &LessonCheckSession::check);
    connect(m_lesson, &LessonState::answerChanged, this, [this] {
        m_answerCover->setVisible(m_lesson->asks());
        if (lessonStepInSight() != m_lessonInSight)
            showLessonStep();
    });
    connect(&m_experiment, &ExperimentModel::changed, this, &MainWindow::noticeLessonTry);
    // A drag's last value has come before the slider is released, and only the release makes it an attempt.
    connect(m_form, &ExperimentForm::editFinished, this, &MainWindow::checkLessonTry);
    // Another file was opened: that is what the reader wants now.
    connect(&m_experiment, &ExperimentModel::originChanged, this, [this] {
        if (m_lesson->isOpen() && !m_lessonMoves && m_experiment.origin())
            breakOffLesson();
    });
    connect(this, &MainWindow::runShown, this, &MainWindow::goOnWithLesson);
}

void MainWindow::addLessonCommands() {
    const auto add = [this](const QString& id, const QString& text, const QString& hint, const QKeySequence& key,
                            auto order, bool startsSection = false) {
        return m_commands->add({.id = id,
                                .text = text,
                                .group = CommandGroup::help,
                                .keys = key.isEmpty() ? QList<QKeySequence>{} : QList<QKeySequence>{key},
                                .hint = hint,
                                .startsSection = startsSection,
                                .submenu = tr("&Lessons")},
                               this, order);
    };
    int number = 0;
    for (const BundledLesson& lesson : bundledLessons()) {
        ++number;
        add(QStringLiteral("lesson.open-") + lesson.name, tr("Lesson &%1: %2").arg(number).arg(lesson.title),
            lesson.summary, {}, [this, file = lesson.file] { openLesson(file); });
    }
    add(QStringLiteral("lesson.list"), tr("&All Lessons"), tr("The list, with what each is about"), {},
        &MainWindow::listLessons, true);
    add(QStringLiteral("lesson.open"), tr("&Open a Lesson…"),
        tr("Reads a lesson document; dropping one on the window does the same"), {}, &MainWindow::askForLesson);
    QList<QAction*> within;
    within << add(
                  QStringLiteral("lesson.next"), tr("&Next Step"), tr("The answer first, where one was asked for"),
                  QKeySequence(Qt::CTRL | Qt::Key_PageDown), [this] { m_lesson->advance(); }, true)
           << add(QStringLiteral("lesson.back"), tr("Step &Back"), tr("To the step before"),
                  QKeySequence(Qt::CTRL | Qt::Key_PageUp), [this] { m_lesson->goBack(); })
           << add(QStringLiteral("lesson.leave"), tr("&Leave the Lesson"), tr("Your own experiment comes back"), {},
                  &MainWindow::leaveLesson);
    const auto follow = [this, within] {
        for (QAction* action : within)
            action->setEnabled(m_lesson->isOpen());
    };
    connect(m_lesson, &LessonState::stepChanged, m_commands, follow);
    follow();
}

bool MainWindow::openLesson(const QString& file, std::size_t step) {
    data::LessonReading reading = ui::openLesson(file);
    if (!reading.problems.empty()) {
        showUnreadable(file, reading.problems);
        return false;
    }
    m_form->commit();
    if (!m_beforeLesson) {
        saveSession();
        m_beforeLesson = std::make_shared<BeforeLesson>();
        keepForAfterLesson(*m_beforeLesson);
    }
    m_beforeLesson->comesBack = false;
    if (!file.startsWith(u':'))
        rememberDocument(file);
    showLessonPanel();
    m_lesson->open(std::move(reading.lesson), file, step);
    m_lessonPanel->focusNext();
    return true;
}

void MainWindow::keepForAfterLesson(BeforeLesson& before) const {
    before.draft = m_experiment.draft();
    before.origin = m_experiment.origin();
    before.pinned = m_pinned;
    before.windowView = m_windowViews->current();
    before.view = m_views->current();
    before.moment = m_shown ? saveMoment() : QJsonValue();
    before.compared = m_compare->comparison().save();
    before.panel = findChild<QDockWidget*>(QString::fromLatin1(kLessonDock))->isVisible();
}

void MainWindow::askForLesson() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open Lesson"), documentFolder(), lessonFilter());
    if (!file.isEmpty())
        openDocument(file);
}

void MainWindow::listLessons() {
    leaveLesson();
    showLessonPanel();
    resizeDocks({findChild<QDockWidget*>(QString::fromLatin1(kLessonDock)),
                 findChild<QDockWidget*>(QStringLiteral("inspectorDock"))},
                {600, 300}, Qt::Vertical);
    m_lessonPanel->focusNext();
}

void MainWindow::showLessonPanel() {
    auto* dock = findChild<QDockWidget*>(QString::fromLatin1(kLessonDock));
    dock->show();
    dock->raise();
}

// A step is read at a glance where it has the whole height of its side. Once: what the reader opens then stays open.
void MainWindow::makeRoomForLesson() {
    if (std::exchange(m_beforeLesson->madeRoom, true))
        return;
    for (const Panel& panel : m_panels) {
        if (panel.side != Side::right || panel.alone || !panel.dock->isVisible())
            continue;
        panel.dock->hide();
        m_beforeLesson->panels << panel.dock;
    }
}

void MainWindow::keepLessonInSight() {
    if (m_lesson->isOpen())
        showLessonPanel();
}

// As wide as its larger type needs, and under the speaker's remote control.
void MainWindow::presentLesson() {
    if (!m_lesson->isOpen())
        return;
    resizeDocks({findChild<QDockWidget*>(QString::fromLatin1(kLessonDock))},
                {fontMetrics().averageCharWidth() * kPresentedWidth}, Qt::Horizontal);
    m_lessonPanel->focusNext();
}

void MainWindow::leaveLesson() {
    if (!m_lesson->isOpen())
        return;
    const bool stays = m_beforeLesson && m_beforeLesson->panel;
    m_lesson->close();  // showLessonStep gives back what was before
    findChild<QDockWidget*>(QString::fromLatin1(kLessonDock))->setVisible(stays && !m_presents);
}

void MainWindow::showLessonStep() {
    delete m_spot;
    m_laneSpot->pointAt(std::nullopt);
    m_timeline->repaintOverlays();
    m_player->pause();
    m_lessonPinned.reset();
    m_lessonStepWaits = m_lesson->isOpen();
    m_answerCover->setVisible(m_lesson->asks());
    if (!m_lesson->isOpen()) {
        giveBackExperiment();
        return;
    }
    m_lessonInSight = lessonStepInSight();
    const std::vector<data::LessonStep>& steps = m_lesson->lesson().steps;
    for (std::size_t i = 0; i <= m_lessonInSight; ++i) {
        if (steps[i].pins == false)
            m_lessonPinned.reset();
        else if (steps[i].pins == true && i < m_lessonInSight)
            m_lessonPinned = steps[i].draft;
    }
    if (m_lessonPinned == steps[m_lessonInSight].draft)
        m_lessonPinned.reset();  // nothing is outlined by itself
    takeLessonDraft(steps[m_lessonInSight].draft, std::nullopt, tr("step of a lesson"));
    goOnWithLesson();
}

// A step that holds comes with its answer.
std::size_t MainWindow::lessonStepInSight() const {
    const std::size_t step = m_lesson->stepIndex();
    return m_lesson->asks() && m_lesson->step().holds ? step - 1 : step;
}

void MainWindow::takeLessonDraft(const data::ExperimentDraft& draft, const std::optional<DocumentOrigin>& origin,
                                 const QString& name) {
    m_lessonMoves = true;
    m_experiment.replaceDraft(draft, name, origin);
    m_lessonMoves = false;
}

// Runs what the step needs, one after the other: what is to be pinned, then its own experiment. Comes here again with each
// run that is shown.
void MainWindow::goOnWithLesson() {
    if (m_beforeLesson && m_beforeLesson->comesBack)
        return giveBackMoment();
    if (!m_lessonStepWaits)
        return;
    const auto shows = [this](const std::shared_ptr<const data::ShownRun>& run, const data::ExperimentDraft& draft) {
        return run && !run->preview && run->run.experiment == data::expand(draft).experiment;
    };
    const auto want = [this](const data::ExperimentDraft& draft) {
        const engine::Experiment experiment = data::expand(draft).experiment;
        if (m_session.isRunning() && m_requested == experiment)
            return;
        m_asked = false;
        m_requested = experiment;
        m_session.answer(draft);
    };
    if (m_lessonPinned && !shows(m_pinned, *m_lessonPinned)) {
        if (!shows(m_shown, *m_lessonPinned))
            return want(*m_lessonPinned);
        outline(m_shown);
    }
    if (!m_lessonPinned)
        outline(nullptr);
    const data::ExperimentDraft& own = m_lesson->lesson().steps[m_lessonInSight].draft;
    if (!shows(m_shown, own))
        return want(own);
    m_lessonStepWaits = false;
    showLessonScene();
    if (m_lesson->lesson().steps[m_lessonInSight].compare.empty())
        Q_EMIT lessonShown();
    else
        showLessonComparison();
}

void MainWindow::showLessonScene() {
    const data::LessonStep& step = m_lesson->lesson().steps[m_lessonInSight];
    data::Scene scene = step.scene;
    if (scene.view.empty())
        scene.view = "timeline";
    if (m_beforeLesson->lent)
        m_beforeLesson->lent->hide();
    // Whatever was looked at before: a step looks the same however it was come to.
    m_viewState.setCursor(std::nullopt);
    m_viewState.clearSelection();
    m_viewState.setFollowedChunk(std::nullopt);
    m_viewState.showAll();
    showScene(scene);
    makeRoomForLesson();
    pointAtPart(step.highlight);
    m_lessonPanel->focusNext();
}

void MainWindow::showLessonComparison() {
    const auto shown = [this] {
        m_lessonPanel->focusNext();  // the rows that came took the keyboard
        Q_EMIT lessonShown();
    };
    connect(this, &MainWindow::compareShown, m_lesson, shown, Qt::SingleShotConnection);
    compareWith(m_lesson->lesson().steps[m_lessonInSight].compare);
}

void MainWindow::pointAtPart(const std::string& part) {
    delete m_spot;
    if (part.empty())
        return;
    // "machine" is the view, not the preset.
    const std::vector<std::string>& parts = data::lessonParts();
    if (const auto lane = laneOf(part)) {
        m_laneSpot->pointAt(lane);
        m_timeline->repaintOverlays();
    } else if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
        if (!m_presents)
            pointAtParameter(part);
    } else if (QWidget* target = widgetOfPart(QString::fromStdString(part))) {
        m_spot = new SpotMark(*target);
    }
}

QWidget* MainWindow::widgetOfPart(const QString& part) {
    static const std::map<QString, QString> kDocks{{QStringLiteral("experiment"), QStringLiteral("experimentDock")},
                                                   {QStringLiteral("kept-runs"), QStringLiteral("runsDock")},
                                                   {QStringLiteral("inspector"), QStringLiteral("inspectorDock")},
                                                   {QStringLiteral("why"), QStringLiteral("whyDock")},
                                                   {QStringLiteral("address-map"), QStringLiteral("addressMapDock")}};
    if (const auto dock = kDocks.find(part); dock != kDocks.end()) {
        auto* panel = findChild<QDockWidget*>(dock->second);
        if (m_presents)
            return nullptr;
        if (panel->isHidden() && m_beforeLesson)
            m_beforeLesson->lent = panel;
        panel->show();
        resizeDocks({findChild<QDockWidget*>(QString::fromLatin1(kLessonDock)), panel}, {600, 300}, Qt::Vertical);
        panel->raise();
        return panel;
    }
    if (m_windowViews->showView(part))
        return m_windowViews;
    if (m_views->names().contains(part)) {
        m_windowViews->showView(QStringLiteral("explore"));
        m_views->showView(part);
        return m_views;
    }
    return findChild<QWidget*>(part);
}

void MainWindow::noticeLessonTry() {
    if (!m_lesson->isOpen() || m_lessonMoves)
        return;
    m_lessonStepWaits = false;  // the reader was faster; the form is theirs
    const data::LessonStep& seen = m_lesson->lesson().steps[m_lessonInSight];
    if (seen.pins == true && m_shown && m_shown->run.experiment == data::expand(seen.draft).experiment)
        outline(m_shown);  // what is tried is seen against the step's own run
    checkLessonTry();
}

void MainWindow::checkLessonTry() {
    // Before the answer the task is hidden, and the form may show the step before.
    const bool isAsked = m_lesson->isOpen() && !m_lesson->asks() && m_lesson->step().attempt;
    if (!isAsked || !m_experiment.isRunnable() || m_form->isDragged())
        return;
    const data::LessonTry& attempt = *m_lesson->step().attempt;
    const engine::Parameter& parameter = *engine::findParameter(attempt.parameter);
    const engine::ParameterValue value = m_experiment.valueOf(parameter);
    engine::Problems none;
    const auto wanted = engine::parseValue(parameter, attempt.value, none);
    const bool done = attempt.value.empty() || !wanted
                          ? value != parameter.read(data::expand(m_lesson->step().draft).experiment)
                          : value == *wanted;
    if (done) {
        delete m_spot;
        m_lesson->setTried();
    }
}

void MainWindow::giveBackExperiment() {
    if (!m_beforeLesson)
        return;
    outline(m_beforeLesson->pinned);
    m_compare->comparison().restore(m_beforeLesson->compared);
    m_windowViews->showView(m_beforeLesson->windowView);
    m_views->showView(m_beforeLesson->view);
    m_beforeLesson->comesBack = true;
    for (QDockWidget* dock : m_beforeLesson->panels)
        dock->setVisible(!m_presents);
    takeLessonDraft(m_beforeLesson->draft, m_beforeLesson->origin, tr("leaving of the lesson"));
    if (!m_experiment.isRunnable() || (m_shown && m_shown->run.experiment == m_experiment.expansion().experiment))
        return giveBackMoment();
    m_asked = false;
    m_requested = m_experiment.expansion().experiment;
    m_session.answer(m_experiment.draft());
}

void MainWindow::giveBackMoment() {
    const QJsonValue moment = std::exchange(m_beforeLesson, nullptr)->moment;
    m_viewState.showAll();
    m_viewState.setCursor(std::nullopt);
    if (m_shown && moment.isObject())
        restoreMoment(moment);
}

// All comes back but the experiment.
void MainWindow::breakOffLesson() {
    const std::shared_ptr<BeforeLesson> before = std::move(m_beforeLesson);
    m_beforeLesson.reset();
    m_lesson->close();
    outline(before->pinned);
    m_compare->comparison().restore(before->compared);
    for (QDockWidget* dock : before->panels)
        dock->setVisible(!m_presents);
    findChild<QDockWidget*>(QString::fromLatin1(kLessonDock))->setVisible(before->panel && !m_presents);
}

void MainWindow::endLessonForGood() {
    if (!m_beforeLesson)
        return;
    // The window closes: what the next start finds is the reader's own.
    const std::shared_ptr<BeforeLesson> before = std::move(m_beforeLesson);
    m_lesson->close();
    takeLessonDraft(before->draft, before->origin, tr("leaving of the lesson"));
    m_compare->comparison().restore(before->compared);
    for (QDockWidget* dock : before->panels)
        dock->show();
    m_windowViews->showView(before->windowView);
    m_views->showView(before->view);
    m_viewState.showAll();
    m_viewState.setCursor(std::nullopt);
    m_viewState.setFollowedChunk(std::nullopt);
}

}  // namespace ui
