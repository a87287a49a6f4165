#include "ui/lessons/lesson_feature.h"

#include "ui/lessons/handout_tour.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_page_export.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/look/format.h"
#include "ui/look/pdf_date.h"
#include "ui/shared/figure_offer.h"
#include "ui/shared/player.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/run_log_builder.h"
#include "ui/workbench/availability.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/workbench.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>
#include <QProgressDialog>

#include <utility>

namespace ui {
namespace {

constexpr auto kLessonDock = "lessonDock";
constexpr int kPanelRank = 20;
constexpr int kMenuRank = 20;
constexpr int kHandoutRank = 20;  // position in the File menu
const QString kTick = QStringLiteral(" ✓");
constexpr int kPresentedWidth = 42;  // characters, beside a picture that has no other panels

/// The mnemonics of the other entries of the menu Lessons.
constexpr char kTakenLetters[] = "AFGLNORHB";

/// Returns the place of the first letter that is not taken, and takes it.
qsizetype freeLetterOf(const QString& title, QString& taken) {
    for (qsizetype i = 0; i < title.size(); ++i) {
        if (title[i].isLetter() && !taken.contains(title[i], Qt::CaseInsensitive)) {
            taken += title[i];
            return i;
        }
    }
    return 0;
}

}  // namespace

LessonFeature::LessonFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment,
                             RunController& runs, Player& player, Hooks hooks)
    : m_workbench(workbench), m_runs(runs), m_makeStage(hooks.makeStage), m_askForTraces(hooks.askForTraces),
      m_check(m_lesson), m_panel(new LessonPanel(m_lesson)), m_dock(addPanel()),
      m_display(std::make_unique<LessonDisplay>(workbench, viewState, experiment, runs, player, m_lesson, *m_dock,
                                                std::move(hooks))) {
    connect(m_panel, &LessonPanel::lessonRequested, this, [this](const QString& file) { open(file); });
    connect(m_panel, &LessonPanel::openRequested, this, &LessonFeature::ask);
    connect(m_panel, &LessonPanel::leaveRequested, this, &LessonFeature::leave);
    connect(m_panel, &LessonPanel::finished, this, &LessonFeature::list);
    connect(m_panel, &LessonPanel::tryRequested, this, [this] {
        if (!m_lesson.isOpen() || !m_lesson.step().attempt)
            return;
        if (const std::string& parameter = m_lesson.step().attempt->parameter; !parameter.empty())
            m_workbench.spotlight().pointAt(QStringLiteral("field:") + QString::fromStdString(parameter));
        else
            m_askForTraces();
    });
    connect(m_panel, &LessonPanel::playRequested, m_display.get(), &LessonDisplay::play);
    connect(m_panel, &LessonPanel::partRequested, m_display.get(), &LessonDisplay::pointAt);
    connect(&player, &Player::playingChanged, m_panel, &LessonPanel::showPlaying);
    m_panel->setReducedMotion(workbench.settings().reducesMotion());
    connect(&m_lesson, &LessonState::stepChanged, this, &LessonFeature::noteFinished);
    connect(&m_lesson, &LessonState::answerChanged, this, &LessonFeature::noteFinished);
    const auto report = [this] { m_panel->showFailures(m_check.failuresOf(m_lesson.stepIndex())); };
    connect(&m_lesson, &LessonState::stepChanged, m_panel, report);
    connect(&m_check, &LessonCheckSession::checked, m_panel, report);
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
    // During a lesson the session is not saved: the form contains the lesson's experiment, and the user's own one was
    // saved when the lesson began.
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
    QString taken = QString::fromLatin1(kTakenLetters);
    for (const BundledLesson& lesson : bundledLessons()) {
        // The mnemonic is the last digit of the number, 0 for lesson 10. Later lessons have the first letter of their
        // title that no other entry has.
        QString digits = QString::number(++number), title = lesson.title;
        if (number <= 10)
            digits.insert(digits.size() - 1, u'&');
        else
            title.insert(freeLetterOf(title, taken), u'&');
        m_openActions.push_back(add(QStringLiteral("lesson.open-") + lesson.name,
                                    tr("Lesson %1: %2").arg(digits, title), lesson.summary, {},
                                    [this, file = lesson.file] { open(file); }));
    }
    add(QStringLiteral("lesson.list"), tr("&All Lessons"), tr("Lists all lessons with their summaries"), {},
        &LessonFeature::list, true);
    add(QStringLiteral("lesson.open"), tr("&Open Lesson…"),
        tr("Opens a lesson document; dropping the file on the window does the same"), {}, &LessonFeature::ask);
    QList<QAction*> within;
    within << add(
                  QStringLiteral("lesson.next"), tr("&Next Step"),
                  tr("Reveals the answer to a question, then goes to the next step"),
                  QKeySequence(Qt::CTRL | Qt::Key_PageDown), [this] { m_lesson.advance(); }, true)
           << add(QStringLiteral("lesson.back"), tr("Step &Back"), tr("Returns to the previous step"),
                  QKeySequence(Qt::CTRL | Qt::Key_PageUp), [this] { m_lesson.goBack(); })
           << add(QStringLiteral("lesson.leave"), tr("&Leave Lesson"), tr("Restores your own experiment"), {},
                  &LessonFeature::leave);
    addHandoutCommands(within);
    const auto follow = [this, within] {
        for (QAction* action : within)
            setAvailable(*action, m_lesson.isOpen(), tr("No lesson is open. Open one in Help ▸ Lessons."));
    };
    connect(&m_lesson, &LessonState::stepChanged, &commands, follow);
    follow();
    addMarkCommands();
}

void LessonFeature::addMarkCommands() {
    Commands& commands = m_workbench.commands();
    const QString submenu = tr("&Lessons");
    QAction* reduced = commands.add({.id = QStringLiteral("lesson.reduced-motion"),
                                     .text = tr("&Reduced Motion"),
                                     .group = CommandGroup::help,
                                     .keys = {},
                                     .hint = tr("Lessons advance step by step instead of playing"),
                                     .startsSection = true,
                                     .submenu = submenu,
                                     .rank = kMenuRank},
                                    this, [this](bool on) {
                                        m_workbench.settings().rememberReducedMotion(on);
                                        m_panel->setReducedMotion(on);
                                    });
    reduced->setCheckable(true);
    reduced->setChecked(m_workbench.settings().reducesMotion());
    commands.add({.id = QStringLiteral("lesson.forget-finished"),
                  .text = tr("&Forget Finished Lessons"),
                  .group = CommandGroup::help,
                  .keys = {},
                  .hint = tr("Marks all lessons as unfinished"),
                  .submenu = submenu,
                  .rank = kMenuRank},
                 this, [this] {
                     m_workbench.settings().forgetFinishedLessons();
                     showFinished();
                 });
    showFinished();
}

void LessonFeature::noteFinished() {
    const BundledLesson* lesson = m_lesson.isFinished() ? bundledLessonOf(m_lesson.file()) : nullptr;
    if (lesson == nullptr || m_workbench.settings().finishedLessons().contains(lesson->name))
        return;
    m_workbench.settings().rememberFinishedLesson(lesson->name);
    showFinished();
}

void LessonFeature::showFinished() {
    const QStringList finished = m_workbench.settings().finishedLessons();
    for (std::size_t i = 0; i < m_openActions.size(); ++i) {
        QString text = m_openActions[i]->text();
        if (text.endsWith(kTick))
            text.chop(kTick.size());
        m_openActions[i]->setText(finished.contains(bundledLessons()[i].name) ? text + kTick : text);
    }
    m_panel->showFinished(finished);
}

bool LessonFeature::open(const QString& file, std::size_t step) {
    data::LessonReading reading = openLesson(file);
    if (!reading.problems.empty()) {
        m_workbench.documents().reportUnreadable(file, reading.problems);
        return false;
    }
    std::string document;
    if (!file.startsWith(u':')) {
        m_workbench.documents().remember(file);
        engine::Problems unread;  // cannot fail: the file was read just before
        document = data::readText(file.toStdString(), unread);
    }
    take(std::move(reading.lesson), file, step, std::move(document));
    return true;
}

void LessonFeature::openPlace(const data::Scene::LessonPlace& place) {
    data::LessonReading reading = lessonAt(place);
    if (!reading.problems.empty())
        return m_workbench.documents().reportUnreadable(tr("The link"), reading.problems);
    const BundledLesson* bundled = place.name.empty() ? nullptr : bundledLesson(text(place.name));
    take(std::move(reading.lesson), bundled == nullptr ? QString() : bundled->file, place.step, place.document);
}

std::optional<data::Scene::LessonPlace> LessonFeature::place() const {
    if (!m_lesson.isOpen())
        return std::nullopt;
    const BundledLesson* bundled = bundledLessonOf(m_lesson.file());
    const auto step = static_cast<std::uint32_t>(m_lesson.stepIndex());
    if (bundled != nullptr)
        return data::Scene::LessonPlace{bundled->name.toStdString(), {}, step};
    return data::Scene::LessonPlace{{}, m_document, step};
}

void LessonFeature::take(data::Lesson lesson, const QString& file, std::size_t step, std::string document) {
    m_document = std::move(document);
    m_runs.commit();
    m_display->begin();
    m_workbench.panels().raise(QString::fromLatin1(kLessonDock));
    m_lesson.open(std::move(lesson), file, step);
    m_panel->focusNext();
}

void LessonFeature::addHandoutCommands(QList<QAction*>& within) {
    const auto add = [this](const QString& id, const QString& text, const QString& hint, bool answers) {
        return m_workbench.commands().add(
            {.id = id, .text = text, .group = CommandGroup::file, .keys = {}, .hint = hint, .rank = kHandoutRank}, this,
            [this, answers] { askForHandout(answers); });
    };
    within << add(QStringLiteral("lesson.handout"), tr("Export Lesson as &Handout…"),
                  tr("Writes a PDF with texts, pictures and questions, and the answers on the last pages"), false)
           << add(QStringLiteral("lesson.handout-answers"), tr("Export Lesson with A&nswers…"),
                  tr("Writes a PDF with texts, pictures and questions, each followed by its answer"), true)
           << m_workbench.commands().add(
                  {.id = QStringLiteral("lesson.page"),
                   .text = tr("&Export Lesson as Web Page…"),
                   .group = CommandGroup::file,
                   .hint =
                       tr("Writes one HTML file that shows the steps beside their runs in any browser, and asks the "
                          "questions"),
                   .rank = kHandoutRank},
                  this, &LessonFeature::askForPage);
}

void LessonFeature::askForPage() {
    const QString file = m_workbench.documents().askWhereToSave(
        tr("Export Lesson as Web Page"), fileNameOf(text(m_lesson.lesson().title)) + QStringLiteral(".html"),
        tr("Web pages (*.html);;All files (*)"));
    if (!file.isEmpty())
        exportPage(file);
}

void LessonFeature::exportPage(const QString& file) {
    new LessonPageExport(m_workbench, m_makeStage(m_lesson.lesson().steps.front().draft), m_lesson.lesson(), file);
}

void LessonFeature::askForHandout(bool answers) {
    const QString title = fileNameOf(text(m_lesson.lesson().title));
    QString file = m_workbench.documents().askWhereToSave(
        tr("Export Lesson as Handout"), title + QStringLiteral(".pdf"), tr("PDF (*.pdf);;All files (*)"));
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += QStringLiteral(".pdf");
    exportHandout(file, answers);
}

void LessonFeature::exportHandout(const QString& file, bool answers) {
    const LessonStage stage = m_makeStage(m_lesson.lesson().steps.front().draft);
    const int steps = static_cast<int>(m_lesson.lesson().steps.size());
    auto* progress = new QProgressDialog(tr("Writing the handout…"), tr("Cancel"), 0, steps, &m_workbench.window());
    progress->setObjectName(QStringLiteral("handoutProgress"));
    progress->setWindowModality(Qt::NonModal);
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    progress->setValue(0);
    auto* tour = new HandoutTour(stage, m_lesson.lesson(), &stage.window);
    connect(progress, &QObject::destroyed, &stage.window, &QObject::deleteLater);
    connect(progress, &QProgressDialog::canceled, progress, &QObject::deleteLater);
    connect(tour, &HandoutTour::progressed, progress, [progress](int done) { progress->setValue(done); });
    connect(tour, &HandoutTour::failed, progress, [this, progress](const QString& text) {
        m_workbench.fail(text);
        progress->deleteLater();
    });
    connect(tour, &HandoutTour::finished, progress, [this, progress, tour, file, answers] {
        m_workbench.documents().write(
            file, lessonHandout(tour->lesson(), tour->pictures(), answers, dateOfDocuments()).toStdString());
        progress->deleteLater();
    });
    connect(&stage.logs, &RunLogBuilder::settled, tour, &HandoutTour::start, Qt::SingleShotConnection);
    stage.window.show();
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
    m_lesson.close();  // the display restores the state before the lesson
    m_workbench.panels().setShown(*m_dock, stays);
}

/// Makes the panel wide enough for its larger font, and gives it the focus, because a speaker's remote control acts as
/// a keyboard.
void LessonFeature::present() {
    if (!m_lesson.isOpen())
        return;
    const int width = m_workbench.window().fontMetrics().averageCharWidth() * kPresentedWidth;
    m_workbench.window().resizeDocks({m_dock}, {width}, Qt::Horizontal);
    m_panel->focusNext();
}

}  // namespace ui
