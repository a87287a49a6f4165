#include "ui/main_window.h"

#include "data/experiment/link_text.h"
#include "data/experiment/own_presets.h"
#include "ui/editors/experiment_form.h"
#include "ui/look/text.h"
#include "ui/playback/player.h"
#include "ui/scene/link_dialog.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/workbench/centre_views.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/window_views.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

// What is shown as a value, and as a text that opens it again.

namespace ui {
namespace {

constexpr int kCopiedMs = 6'000;

QString linesOf(const engine::Problems& problems) {
    constexpr std::size_t kMostOfALink = 6;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(problems.size(), kMostOfALink); ++i)
        lines << text(engine::describe(problems[i]));
    if (problems.size() > kMostOfALink)
        lines << MainWindow::tr("and %1 more").arg(problems.size() - kMostOfALink);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

void MainWindow::addLinkCommands() {
    m_commands->add({.id = "file.open-link",
                     .text = tr("Open Lin&k…"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence(Qt::CTRL | Qt::Key_L)},
                     .hint = tr("A text that Copy Link made: opens experiment, view, moment and selection again"),
                     .startsSection = true},
                    this, &MainWindow::askForLink);
    m_commands->add({.id = "file.copy-link",
                     .text = tr("Copy &Link"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)},
                     .hint = tr("A small text that opens experiment, view, moment and selection as they are now")},
                    this, &MainWindow::copyLink);
}

void MainWindow::copyLink() {
    m_form->commit();
    const auto link = data::writeLink(scene());
    if (!link) {
        return m_messages->showMessage(MessageBar::Kind::error,
                                       tr("This experiment is too large for a link. Save it to a file instead."));
    }
    QGuiApplication::clipboard()->setText(QString::fromStdString(*link));
    m_status->showMessage(
        tr("The link is on the clipboard: %1 characters. Open Link, or the command line, takes it.").arg(link->size()),
        kCopiedMs);
}

void MainWindow::askForLink() {
    auto* dialog = new LinkDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &LinkDialog::linkChosen, this, &MainWindow::openLink);
    dialog->open();
}

void MainWindow::openLink(const QString& text) {
    data::SceneReading reading = data::readLink(text.toStdString());
    if (reading.problems.empty() && reading.scene.draft)
        reading.problems = data::expand(data::withOwnPresets(*reading.scene.draft, m_experiment.ownPresets())).problems;
    if (!reading.problems.empty()) {
        return m_messages->showMessage(MessageBar::Kind::error,
                                       tr("The link cannot be opened:\n%1").arg(linesOf(reading.problems)));
    }
    const int before = m_experiment.undoStack().index();
    showScene(reading.scene);
    const int after = m_experiment.undoStack().index();
    if (after == before)
        return;
    // The step that opened it, and nothing that came after.
    m_messages->showMessage(MessageBar::Kind::done, tr("The link's experiment is open."),
                            tr("Bring Back the One Before"), [this, after] {
                                if (m_experiment.undoStack().index() == after)
                                    m_experiment.undoStack().undo();
                            });
}

void MainWindow::showScene(const data::Scene& scene) {
    if (!scene.view.empty() && !showSceneView(text(scene.view))) {
        m_messages->showMessage(MessageBar::Kind::notice,
                                tr("There is no view called %1; what can be shown of the rest "
                                   "is shown.")
                                    .arg(text(scene.view)));
    }
    m_player->pause();
    if (scene.draft) {
        const data::Expansion wanted = data::expand(data::withOwnPresets(*scene.draft, m_experiment.ownPresets()));
        if (!wanted.runnable())
            return m_messages->showMessage(MessageBar::Kind::error, linesOf(wanted.problems));
        if (m_experiment.expansion().experiment != wanted.experiment || !m_experiment.isRunnable()) {
            m_form->commit();
            m_experiment.replaceDraft(*scene.draft, tr("opening of a scene"));
        }
        const bool there = m_shown && !m_shown->preview && m_shown->run.experiment == wanted.experiment;
        const bool underWay = m_session.isRunning() && m_asked && m_requested == wanted.experiment;
        if (!there && !underWay)
            startExperiment();
        if (!there) {
            m_sceneToCome = SceneToCome{scene, wanted.experiment};
            return;
        }
    } else if (!m_shown) {
        m_sceneToCome = SceneToCome{scene, std::nullopt};
        return;
    }
    applyScene(scene);
}

void MainWindow::showAwaitedScene() {
    if (!m_sceneToCome || (m_sceneToCome->experiment && m_sceneToCome->experiment != m_shown->run.experiment))
        return;
    applyScene(std::exchange(m_sceneToCome, std::nullopt)->scene);
}

// A view of the window, or a picture of the run in Explore.
bool MainWindow::showSceneView(const QString& view) {
    if (!m_views->names().contains(view))
        return m_windowViews->showView(view);
    m_windowViews->showView(QStringLiteral("explore"));
    return m_views->showView(view);
}

// Precondition: the run is there.
void MainWindow::applyScene(const data::Scene& scene) {
    const std::int64_t end = m_viewState.runEnd();
    if (scene.from && scene.to) {
        const data::TimeRange range{data::timeOf(*scene.from, end), data::timeOf(*scene.to, end)};
        if (range.start < range.end)
            m_viewState.setRange(range);
    }
    if (scene.chunk) {
        const bool there = *scene.chunk < static_cast<std::uint32_t>(m_shown->run.experiment.parallel.tp);
        m_viewState.setFollowedChunk(there ? scene.chunk : std::nullopt);
    }
    if (scene.moment)
        m_player->seek(data::timeOf(*scene.moment, end));
    if (!scene.selection)
        return;
    if (const auto span = spanAt(*scene.selection)) {
        m_viewState.selectSpan(*span);
        m_tools->reveal(*span);
    } else {
        m_viewState.clearSelection();
        m_messages->showMessage(MessageBar::Kind::notice,
                                tr("This run has no %1 on GPU %2 at the selected time; the rest is shown.")
                                    .arg(text(scene.selection->lane))
                                    .arg(scene.selection->gpu));
    }
}

// By what it is and when it starts; where the trace was cut otherwise, the one that is under way then.
std::optional<data::SpanRef> MainWindow::spanAt(const data::Scene::Selection& selection) const {
    const auto& trace = m_shown->run.result.trace;
    if (!trace || selection.gpu >= trace->gpus)
        return std::nullopt;
    const std::uint32_t recorded = trace->mirrored ? 0 : selection.gpu;
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

data::Scene MainWindow::scene() const {
    data::Scene scene;
    const bool edited = m_shown && !m_shown->preview &&
                        (!m_experiment.isRunnable() || m_shown->run.experiment != m_experiment.expansion().experiment);
    scene.draft = data::withOwnPresets(edited ? m_shown->run.draft : m_experiment.draft(), m_experiment.ownPresets());
    const QString view = m_windowViews->current();
    scene.view = (view == QLatin1String("explore") ? m_views->current() : view).toStdString();
    if (const auto cursor = m_viewState.cursor())
        scene.moment = data::Scene::Moment{*cursor, 0, false};
    const bool all = m_viewState.showsAll();
    scene.from = all ? data::Scene::Moment{0, 0, true} : data::Scene::Moment{m_viewState.range().start, 0, false};
    scene.to = all ? data::Scene::Moment{0, 1, true} : data::Scene::Moment{m_viewState.range().end, 0, false};
    scene.chunk = m_viewState.followedChunk();
    const auto span = m_viewState.selectedSpan();
    if (span && m_flow && m_flow->contains(*span)) {
        const engine::Lane& lane = m_shown->run.result.trace->lanes[span->lane];
        scene.selection = data::Scene::Selection{span->gpu, std::string(engine::name(lane.kind)), lane.index,
                                                 m_flow->span(*span).start.ps};
    }
    return scene;
}

}  // namespace ui
