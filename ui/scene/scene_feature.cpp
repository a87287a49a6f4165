#include "ui/scene/scene_feature.h"

#include "data/experiment/link_text.h"
#include "data/experiment/own_presets.h"
#include "data/model/model_point.h"
#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/scene/link_dialog.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/player.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/run_selection.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/explore_page.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr int kLinkRank = 30;
constexpr int kCopiedMs = 6'000;

QString linesOfLink(const engine::Problems& problems) {
    constexpr std::size_t kMost = 6;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(problems.size(), kMost); ++i)
        lines << text(engine::describe(problems[i]));
    if (problems.size() > kMost)
        lines << SceneFeature::tr("and %1 more").arg(problems.size() - kMost);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

SceneFeature::SceneFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                           RunSelection& selection, Player& player)
    : m_workbench(workbench), m_viewState(viewState), m_experiment(experiment), m_runs(runs), m_selection(selection),
      m_player(player) {
    addCommands();
    keepMoment();
    workbench.documents().addText([](const QString& text) { return data::looksLikeLink(text.toStdString()); },
                                  [this](const QString& text) { openLink(text); });
}

void SceneFeature::addCommands() {
    Commands& commands = m_workbench.commands();
    commands.add({.id = "file.open-link",
                  .text = tr("Open Lin&k…"),
                  .group = CommandGroup::file,
                  .keys = {QKeySequence(Qt::CTRL | Qt::Key_L)},
                  .hint = tr("Opens a text that Copy Link made: its experiment, view, time and selection"),
                  .startsSection = true,
                  .rank = kLinkRank},
                 this, &SceneFeature::askForLink);
    commands.add({.id = "file.copy-link",
                  .text = tr("Copy &Link"),
                  .group = CommandGroup::file,
                  .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)},
                  .hint = tr("Copies a small text that opens the current experiment, view, time and selection again"),
                  .rank = kLinkRank},
                 this, &SceneFeature::copyLink);
}

void SceneFeature::keepMoment() {
    WindowSession& session = m_workbench.session();
    session.add({QStringLiteral("moment"), SessionScope::experiment, [this] { return savedMoment(m_viewState); },
                 [this](const QJsonValue& kept) {
                     return restoreMoment(kept, m_viewState, m_runs.shown()->run.experiment.parallel.tp);
                 }});
    const auto note = [this] { m_workbench.session().noteChange(); };
    connect(&m_viewState, &ViewState::rangeChanged, this, note);
    connect(&m_viewState, &ViewState::cursorChanged, this, note);
    connect(&m_viewState, &ViewState::followedChunkChanged, this, note);
}

void SceneFeature::copyLink() {
    m_runs.commit();
    data::Scene ofLesson;
    ofLesson.lesson = m_lessons.shown ? m_lessons.shown() : std::nullopt;
    if (!ofLesson.lesson) {
        copy(scene());
        return;
    }
    if (!copy(ofLesson))
        return;
    m_workbench.messages().showMessage(MessageBar::Kind::done, tr("The link opens this step of the lesson."),
                                       tr("Copy Link to the Picture"), [this] { copy(scene()); });
}

bool SceneFeature::copy(const data::Scene& scene) {
    const auto link = data::writeLink(scene);
    if (!link) {
        m_workbench.fail(scene.lesson ? tr("This lesson is too large for a link. Send its file instead.")
                                      : tr("This experiment is too large for a link. Save it to a file instead."));
        return false;
    }
    QGuiApplication::clipboard()->setText(text(*link));
    m_workbench.hint(
        tr("The link is on the clipboard (%1 characters). Open it with File ▸ Open Link or on the command line.")
            .arg(link->size()),
        kCopiedMs);
    return true;
}

void SceneFeature::askForLink() {
    auto* dialog = new LinkDialog(&m_workbench.window());
    connect(dialog, &LinkDialog::linkChosen, this, &SceneFeature::openLink);
    openOnce(*dialog);
}

void SceneFeature::openLink(const QString& text) {
    data::SceneReading reading = data::readLink(text.toStdString());
    if (reading.problems.empty() && reading.scene.draft)
        reading.problems =
            data::problemsOfShowing(data::withOwnPresets(*reading.scene.draft, m_experiment.ownPresets()));
    if (!reading.problems.empty()) {
        m_workbench.fail(tr("The link cannot be opened:\n%1").arg(linesOfLink(reading.problems)));
        return;
    }
    const int before = m_experiment.undoStack().index();
    showScene(reading.scene);
    const int after = m_experiment.undoStack().index();
    if (after == before)
        return;
    // The button undoes the step that opened the link, and does nothing if other steps followed.
    m_workbench.messages().showMessage(MessageBar::Kind::done, tr("The link's experiment is open."),
                                       tr("Restore Previous Experiment"), [this, after] {
                                           if (m_experiment.undoStack().index() == after)
                                               m_experiment.undoStack().undo();
                                       });
}

void SceneFeature::showScene(const data::Scene& scene) {
    if (scene.lesson) {
        if (m_lessons.open)
            m_lessons.open(*scene.lesson);
        return;
    }
    if (!scene.view.empty())
        m_workbench.showViewOrPicture(text(scene.view));
    if (!scene.page.empty())
        showPage(scene);
    m_player.pause();
    const auto showRest = [this, scene] { applyScene(scene); };
    if (!scene.draft) {
        if (m_runs.shown())
            applyScene(scene);
        else
            m_runs.whenShown(showRest);
        return;
    }
    const data::ExperimentDraft draft = data::withOwnPresets(*scene.draft, m_experiment.ownPresets());
    if (!data::hasRun(draft)) {
        m_runs.commit();
        m_experiment.replaceDraft(*scene.draft, tr("Open Link"));
        return;
    }
    const data::Expansion wanted = data::expand(draft);
    if (!wanted.runnable()) {
        m_workbench.fail(linesOfLink(wanted.problems));
        return;
    }
    if (m_experiment.expansion().experiment != wanted.experiment || !m_experiment.isRunnable()) {
        m_runs.commit();
        m_experiment.replaceDraft(*scene.draft, tr("Open Link"));
    }
    const RunController::Run& shown = m_runs.shown();
    const bool isThere = shown && !shown->preview && shown->run.experiment == wanted.experiment;
    // A run that only answers an edit is not kept permanently, so start the run again as if by command.
    const bool isUnderWay = m_runs.isAnswering() && m_runs.wasAskedFor();
    if (!isThere && !isUnderWay)
        m_runs.runInPlace();
    m_runs.whenShown(draft, showRest);
}

const SceneFeature::ViewPages* SceneFeature::pagesOf(const QString& view) const {
    const auto found = std::ranges::find(m_pages, view, &ViewPages::view);
    return found == m_pages.end() ? nullptr : &*found;
}

void SceneFeature::showPage(const data::Scene& scene) {
    const QString view = scene.view.empty() ? m_workbench.views().current() : text(scene.view);
    const ViewPages* pages = pagesOf(view);
    if (pages == nullptr || !pages->show(text(scene.page)))
        m_workbench.notify(
            tr("The view %1 has no page called %2; the rest of the link is shown.").arg(view, text(scene.page)));
}

// Precondition: a run is shown.
void SceneFeature::applyScene(const data::Scene& scene) {
    const std::int64_t end = m_viewState.runEnd();
    if (scene.from && scene.to) {
        const data::TimeRange range{data::timeOf(*scene.from, end), data::timeOf(*scene.to, end)};
        if (range.start < range.end)
            m_viewState.setRange(range);
    }
    if (scene.chunk) {
        const bool exists = *scene.chunk < static_cast<std::uint32_t>(m_runs.shown()->run.experiment.parallel.tp);
        m_viewState.setFollowedChunk(exists ? scene.chunk : std::nullopt);
    }
    if (scene.moment)
        m_player.seek(data::timeOf(*scene.moment, end));
    if (scene.gpu && *scene.gpu < static_cast<std::uint32_t>(m_runs.shown()->run.experiment.parallel.tp))
        m_viewState.setFocusedGpu(*scene.gpu);
    if (scene.selection)
        applySelection(*scene.selection);
    else if (scene.part)
        m_viewState.selectPart(*scene.part);
}

void SceneFeature::applySelection(const data::Scene::Selection& selection) {
    if (const auto span = spanAt(selection)) {
        m_viewState.selectSpan(*span);
        m_selection.reveal(*span);
        return;
    }
    m_viewState.clearSelection();
    m_workbench.notify(tr("This run has no %1 on GPU %2 at the selected time; the rest of the link is shown.")
                           .arg(text(selection.lane))
                           .arg(selection.gpu));
}

// Returns the span of the lane that starts at that time or, if the trace was divided differently, the span that
// contains the time.
std::optional<data::SpanRef> SceneFeature::spanAt(const data::Scene::Selection& selection) const {
    const auto& trace = m_runs.shown()->run.result.trace;
    if (!trace || selection.gpu >= trace->gpus)
        return std::nullopt;
    const std::uint32_t recorded = trace->recorded(selection.gpu);
    for (std::uint32_t i = 0; i < trace->lanes.size(); ++i) {
        const engine::Lane& lane = trace->lanes[i];
        if (lane.gpu != recorded || lane.index != selection.index || engine::name(lane.kind) != selection.lane)
            continue;
        const auto after = std::partition_point(lane.spans.begin(), lane.spans.end(), [&](const engine::Span& span) {
            return span.start.ps < selection.startPs;
        });
        if (after != lane.spans.end() && after->start.ps == selection.startPs)
            return data::SpanRef{selection.gpu, i, static_cast<std::uint32_t>(after - lane.spans.begin())};
        if (after != lane.spans.begin() && std::prev(after)->end.ps > selection.startPs)
            return data::SpanRef{selection.gpu, i, static_cast<std::uint32_t>(after - lane.spans.begin() - 1)};
    }
    return std::nullopt;
}

data::Scene SceneFeature::scene() const {
    data::Scene scene;
    const RunController::Run& shown = m_runs.shown();
    const bool isEdited = shown && !shown->preview &&
                          (!m_experiment.isRunnable() || shown->run.experiment != m_experiment.expansion().experiment);
    scene.draft = data::withOwnPresets(isEdited ? shown->run.draft : m_experiment.draft(), m_experiment.ownPresets());
    // In Explore, the scene names the picture rather than the view.
    const WindowView& view = m_workbench.views().currentView();
    const bool isPicture = view.widget == &m_workbench.explore();
    scene.view = (isPicture ? m_workbench.pictures().current() : view.name).toStdString();
    if (const ViewPages* pages = pagesOf(text(scene.view)))
        scene.page = pages->shown().toStdString();
    if (const auto cursor = m_viewState.cursor())
        scene.moment = data::Scene::Moment{*cursor, 0, false};
    const bool all = m_viewState.showsAll();
    scene.from = all ? data::Scene::Moment{0, 0, true} : data::Scene::Moment{m_viewState.range().start, 0, false};
    scene.to = all ? data::Scene::Moment{0, 1, true} : data::Scene::Moment{m_viewState.range().end, 0, false};
    scene.chunk = m_viewState.followedChunk();
    const auto span = m_viewState.selectedSpan();
    const auto& flow = m_selection.flow();
    if (span && flow && flow->contains(*span)) {
        const engine::Lane& lane = shown->run.result.trace->lanes[span->lane];
        scene.selection = data::Scene::Selection{span->gpu, std::string(engine::name(lane.kind)), lane.index,
                                                 flow->span(*span).start.ps};
    }
    scene.part = m_viewState.selectedPart();
    if (m_viewState.focusedGpu() > 0)
        scene.gpu = m_viewState.focusedGpu();
    return scene;
}

}  // namespace ui
