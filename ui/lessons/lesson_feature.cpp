#include "ui/lessons/lesson_feature.h"

#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/shared/run_controller.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/workbench.h"

#include <QDockWidget>
#include <QMainWindow>

#include <utility>

namespace ui {
namespace {

constexpr auto kLessonDock = "lessonDock";
constexpr int kPanelRank = 20;
constexpr int kMenuRank = 20;
constexpr int kPresentedWidth = 42;  // characters, beside a picture that has no other panels

}  // namespace

LessonFeature::LessonFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment,
                             RunController& runs, Player& player, Hooks hooks)
    : m_workbench(workbench), m_runs(runs), m_check(m_lesson), m_panel(new LessonPanel(m_lesson)), m_dock(addPanel()),
      m_display(std::make_unique<LessonDisplay>(workbench, viewState, experiment, runs, player, m_lesson, *m_dock,
                                                std::move(hooks))) {
    connect(m_panel, &LessonPanel::lessonRequested, this, [this](const QString& file) { open(file); });
    connect(m_panel, &LessonPanel::openRequested, this, &LessonFeature::ask);
    connect(m_panel, &LessonPanel::leaveRequested, this, &LessonFeature::leave);
    connect(m_panel, &LessonPanel::finished, this, &LessonFeature::list);
    connect(m_panel, &LessonPanel::tryRequested, this, [this] {
        if (m_lesson.isOpen() && m_lesson.step().attempt)
            m_workbench.spotlight().pointAt(QStringLiteral("field:") +
                                            QString::fromStdString(m_lesson.step().attempt->parameter));
    });
    const auto tell = [this] { m_panel->showFailures(m_check.failuresOf(m_lesson.stepIndex())); };
    connect(&m_lesson, &LessonState::stepChanged, m_panel, tell);
    connect(&m_check, &LessonCheckSession::checked, m_panel, tell);
    connect(m_display.get(), &LessonDisplay::focusWanted, m_panel, &LessonPanel::focusNext);
    connect(m_display.get(), &LessonDisplay::shown, &m_check, &LessonCheckSession::check);
    connect(m_display.get(), &LessonDisplay::shown, this, &LessonFeature::shown);
    connect(&workbench.panels(), &PanelHost::arranged, this, [this] {
        if (m_lesson.isOpen())
            m_workbench.panels().raise(QString::fromLatin1(kLessonDock));
    });
    connect(&workbench.presenter(), &Presenter::changed, this, [this](bool on) {
        if (on)
            present();
    });
    // During a lesson the form holds the lesson's experiment; the reader's own was kept when the lesson began.
    workbench.session().holdWhile([this] { return m_lesson.isOpen(); });
    workbench.documents().add(data::DocumentKind::lesson, [this](const QString& file) { open(file); });
    addCommands();
}

QDockWidget* LessonFeature::addPanel() {
    return m_workbench.panels().add({.name = QString::fromLatin1(kLessonDock),
                                     .title = tr("Lesson"),
                                     .widget = m_panel,
                                     .side = SidePanel::Side::right,
                                     .rank = kPanelRank,
                                     .open = false,
                                     .alone = true,
                                     .views = {}});
}

void LessonFeature::addCommands() {
    Commands& commands = m_workbench.commands();
    const auto add = [this, &commands](const QString& id, const QString& text, const QString& hint,
                                       const QKeySequence& key, auto order, bool startsSection = false) {
        return commands.add({.id = id,
                             .text = text,
                             .group = CommandGroup::help,
                             .keys = key.isEmpty() ? QList<QKeySequence>{} : QList<QKeySequence>{key},
                             .hint = hint,
                             .startsSection = startsSection,
                             .submenu = tr("&Lessons"),
                             .rank = kMenuRank},
                            this, order);
    };
    int number = 0;
    for (const BundledLesson& lesson : bundledLessons()) {
        // In the menu the last digit is the key, 0 for lesson 10; the lessons after that have the first letter of the title.
        QString digits = QString::number(++number), title = lesson.title;
        if (number <= 10)
            digits.insert(digits.size() - 1, u'&');
        else
            title.prepend(u'&');
        add(QStringLiteral("lesson.open-") + lesson.name, tr("Lesson %1: %2").arg(digits, title), lesson.summary, {},
            [this, file = lesson.file] { open(file); });
    }
    add(QStringLiteral("lesson.list"), tr("&All Lessons"), tr("The list, with what each is about"), {},
        &LessonFeature::list, true);
    add(QStringLiteral("lesson.open"), tr("&Open a Lesson…"),
        tr("Reads a lesson document; dropping one on the window does the same"), {}, &LessonFeature::ask);
    QList<QAction*> within;
    within << add(
                  QStringLiteral("lesson.next"), tr("&Next Step"), tr("The answer first, where one was asked for"),
                  QKeySequence(Qt::CTRL | Qt::Key_PageDown), [this] { m_lesson.advance(); }, true)
           << add(QStringLiteral("lesson.back"), tr("Step &Back"), tr("To the step before"),
                  QKeySequence(Qt::CTRL | Qt::Key_PageUp), [this] { m_lesson.goBack(); })
           << add(QStringLiteral("lesson.leave"), tr("&Leave the Lesson"), tr("Your own experiment comes back"), {},
                  &LessonFeature::leave);
    const auto follow = [this, within] {
        for (QAction* action : within)
            action->setEnabled(m_lesson.isOpen());
    };
    connect(&m_lesson, &LessonState::stepChanged, &commands, follow);
    follow();
}

bool LessonFeature::open(const QString& file, std::size_t step) {
    data::LessonReading reading = openLesson(file);
    if (!reading.problems.empty()) {
        m_workbench.documents().tellUnreadable(file, reading.problems);
        return false;
    }
    m_runs.commit();
    m_display->begin();
    if (!file.startsWith(u':'))
        m_workbench.documents().remember(file);
    m_workbench.panels().raise(QString::fromLatin1(kLessonDock));
    m_lesson.open(std::move(reading.lesson), file, step);
    m_panel->focusNext();
    return true;
}

void LessonFeature::ask() {
    const QString file =
        m_workbench.documents().askWhatToOpen(tr("Open Lesson"), tr("Lessons (*.json);;All files (*)"));
    if (!file.isEmpty())
        m_workbench.documents().open(file);
}

void LessonFeature::list() {
    leave();
    m_workbench.panels().raise(QString::fromLatin1(kLessonDock));
    if (QDockWidget* inspector = m_workbench.panels().dock(QStringLiteral("inspectorDock")))
        m_workbench.window().resizeDocks({m_dock, inspector}, {600, 300}, Qt::Vertical);
    m_panel->focusNext();
}

void LessonFeature::leave() {
    if (!m_lesson.isOpen())
        return;
    const bool stays = m_display->panelWasOpen();
    m_lesson.close();  // the display restores what was before
    m_dock->setVisible(stays && !m_workbench.presenter().isOn());
}

/// Makes the panel as wide as its larger type needs, and gives it the keyboard, which a speaker's remote control acts as.
void LessonFeature::present() {
    if (!m_lesson.isOpen())
        return;
    const int width = m_workbench.window().fontMetrics().averageCharWidth() * kPresentedWidth;
    m_workbench.window().resizeDocks({m_dock}, {width}, Qt::Horizontal);
    m_panel->focusNext();
}

}  // namespace ui
