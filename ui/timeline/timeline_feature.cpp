#include "ui/timeline/timeline_feature.h"

#include "ui/look/headlines.h"
#include "ui/shared/bookmarks.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/measures.h"
#include "ui/shared/player.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/run_selection.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/ghost_bar.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/timeline_figure.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/availability.h"
#include "ui/workbench/explore_page.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/workbench.h"

#include <QMainWindow>
#include <QScreen>

namespace ui {
namespace {

constexpr int kLowScreen = 780;  // points; on a lower screen the presenter mode hides the headlines to save room

/// Returns the kind of lane that a trace calls `name`.
std::optional<engine::LaneKind> laneNamed(const QString& name) {
    for (std::size_t kind = 0; kind < engine::kLaneKinds; ++kind) {
        const auto lane = static_cast<engine::LaneKind>(kind);
        if (engine::name(lane) == name.toStdString())
            return lane;
    }
    return std::nullopt;
}

}  // namespace

TimelineFeature::TimelineFeature(Workbench& workbench, const Services& services)
    : m_workbench(workbench), m_viewState(services.viewState), m_experiment(services.experiment), m_runs(services.runs),
      m_selection(services.selection), m_reach(services.reach), m_ghost(std::make_unique<GhostOverlay>()),
      m_laneSpot(std::make_unique<LaneSpotOverlay>()),
      m_view(new TimelineView(services.viewState, &workbench.pictures())) {
    addPicture();
    m_tools = std::make_unique<TimelineTools>(services.viewState, services.bookmarks, services.measures, *m_view);
    addFoot();
    connect(m_view, &TimelineView::cursorRequested, &services.player, &Player::seek);
    connectRuns();
    addPinCommands();
    addZoomCommands();
    addLaneCommands();
}

TimelineFeature::~TimelineFeature() = default;

void TimelineFeature::addPicture() {
    m_view->addOverlay(*m_laneSpot);
    m_view->addOverlay(*m_ghost);
    m_workbench.pictures().addView(
        QStringLiteral("timeline"), tr("Timeline"), m_view, [this]() -> std::optional<FigureOffer> {
            auto figure = timelineFigure(m_view->model(), m_view->lanes().arrangement(),
                                         m_selection.range().value_or(m_viewState.range()));
            return figure ? std::optional(FigureOffer{std::move(*figure), {}}) : std::nullopt;
        });
    m_workbench.spotlight().add(
        QStringLiteral("lane"),
        [this](const QString& name) -> QWidget* {
            markLane(name);
            return nullptr;
        },
        [this] { markLane({}); });
    m_workbench.session().add({QStringLiteral("lanes"), SessionScope::window,
                               [this] {
                                   return m_view->lanes().arrangement() == LaneArrangement()
                                              ? QJsonValue()
                                              : m_view->lanes().arrangement().toJson();
                               },
                               [this](const QJsonValue& kept) {
                                   if (kept.isObject())
                                       m_view->lanes().setArrangement(LaneArrangement::fromJson(kept.toObject()));
                                   return kept.isObject();
                               }});
    connect(m_view, &TimelineView::hiddenReminderChanged, &m_workbench.status(), &StatusLine::showHidden);
    connect(&m_workbench.status(), &StatusLine::hiddenRequested, &m_view->lanes(), &LaneEditor::showAll);
}

void TimelineFeature::markLane(const QString& name) {
    m_laneSpot->pointAt(laneNamed(name));
    m_view->repaintOverlays();
}

void TimelineFeature::addFoot() {
    ExplorePage& explore = m_workbench.explore();
    m_ghostBar = new GhostBar(&explore);
    m_headlines = new HeadlineStrip(&explore);
    explore.setRow(ExplorePage::Row::ghost, m_ghostBar);
    explore.setRow(ExplorePage::Row::headlines, m_headlines);
    m_workbench.messages().restAbove(*m_headlines);
    connect(m_ghostBar, &GhostBar::unpinRequested, this, [this] { m_runs.pin(nullptr); });
    connect(m_ghostBar, &GhostBar::restoreRequested, this, [this] {
        if (!m_runs.pinned())
            return;
        m_experiment.replaceDraft(m_runs.pinned()->run.draft, tr("Restore Pinned Run"));
        m_runs.run();
    });
    connect(&m_workbench.presenter(), &Presenter::changed, this, &TimelineFeature::showHeadlineRow);
}

void TimelineFeature::showHeadlineRow() {
    m_headlines->setVisible(!m_workbench.presenter().isOn() ||
                            m_workbench.window().screen()->size().height() >= kLowScreen);
}

void TimelineFeature::connectRuns() {
    connect(&m_runs, &RunController::shownChanged, this, &TimelineFeature::showRun);
    connect(&m_runs, &RunController::pinnedChanged, this, &TimelineFeature::showPinned);
    connect(&m_runs, &RunController::stateChanged, this, [this] { m_headlines->setStale(m_runs.isStale()); });
    connect(&m_runs, &RunController::keptOpened, this,
            [this](const KeptRun& run) { m_headlines->showHeadlines(headlinesOf(run.result)); });
    connect(&m_selection, &RunSelection::flowChanged, m_tools.get(), &TimelineTools::showRun);
    connect(&m_selection, &RunSelection::revealed, m_tools.get(), &TimelineTools::reveal);
    connect(&m_selection, &RunSelection::matchesChanged, m_tools.get(), &TimelineTools::showMatches);
}

void TimelineFeature::showRun(const std::shared_ptr<const data::ShownRun>& run) {
    m_view->showModel(TimelineModel(run));
    m_headlines->showHeadlines(headlinesOf(run->run));
    describePinned();
}

void TimelineFeature::showPinned(const std::shared_ptr<const data::ShownRun>& run) {
    m_ghost->setPinned(run);
    m_headlines->compareWith(run ? headlinesOf(run->run.result) : std::vector<Headline>{});
    m_reach.setPinned(m_ghost->end());
    describePinned();
}

void TimelineFeature::describePinned() {
    const RunController::Run& shown = m_runs.shown();
    const RunController::Run& pinned = m_runs.pinned();
    m_ghostBar->showPinned(pinned, shown ? shown->run.experiment : engine::Experiment{});
    setAvailable(*m_pin, shown != nullptr, tr("No run is shown yet."));
    m_pin->setText(pinned ? tr("Un&pin") : tr("&Pin Run"));
    setAvailable(*m_pinOther, pinned != nullptr && pinned != shown,
                 pinned ? tr("The shown run is pinned already.") : tr("No run is pinned. Choose Pin Run first."));
    m_view->repaintOverlays();
}

void TimelineFeature::addPinCommands() {
    Commands& commands = m_workbench.commands();
    m_pin = commands.add(
        {.id = "run.pin",
         .text = tr("&Pin Run"),
         .group = CommandGroup::run,
         .keys = {QKeySequence(Qt::Key_G)},
         .scope = CommandScope::picture,
         .hint = tr("Draws the outlines of this run over every later run and shows the differences from it"),
         .startsSection = true,
         .rank = 10},
        this, [this] { m_runs.pin(m_runs.pinned() ? nullptr : m_runs.shown()); });
    m_pinOther = commands.add({.id = "run.pin-instead",
                               .text = tr("Pin Run &Instead"),
                               .group = CommandGroup::run,
                               .keys = {QKeySequence(Qt::SHIFT | Qt::Key_G)},
                               .scope = CommandScope::picture,
                               .rank = 10},
                              this, [this] { m_runs.pin(m_runs.shown()); });
    setAvailable(*m_pin, false, tr("No run is shown yet."));
    setAvailable(*m_pinOther, false, tr("No run is pinned. Choose Pin Run first."));
}

void TimelineFeature::addZoomCommands() {
    const auto add = [this](const char* id, const QString& text, const QList<QKeySequence>& keys, auto order) {
        m_workbench.commands().add({.id = QString::fromLatin1(id),
                                    .text = text,
                                    .group = CommandGroup::view,
                                    .keys = keys,
                                    .scope = CommandScope::picture,
                                    .submenu = tr("&Zoom and Pan"),
                                    .rank = 10},
                                   m_view, order);
    };
    add("view.whole-run", tr("Show &Whole Run"), {QKeySequence(Qt::Key_0)}, [this] { m_viewState.showAll(); });
    add("view.zoom-in", tr("Zoom &In"), {QKeySequence(Qt::Key_W), QKeySequence(Qt::Key_Plus)},
        [this] { m_view->navigation().zoomBy(1.5); });
    add("view.zoom-out", tr("Zoom &Out"), {QKeySequence(Qt::Key_S), QKeySequence(Qt::Key_Minus)},
        [this] { m_view->navigation().zoomBy(1 / 1.5); });
    add("view.pan-left", tr("Pan &Left"), {QKeySequence(Qt::Key_A), QKeySequence(Qt::Key_Left)},
        [this] { m_view->navigation().panBy(-0.1); });
    add("view.pan-right", tr("Pan &Right"), {QKeySequence(Qt::Key_D), QKeySequence(Qt::Key_Right)},
        [this] { m_view->navigation().panBy(0.1); });
    add("view.pan-left-fast", tr("Pan Left by Half"),
        {QKeySequence(Qt::SHIFT | Qt::Key_A), QKeySequence(Qt::SHIFT | Qt::Key_Left)},
        [this] { m_view->navigation().panBy(-0.5); });
    add("view.pan-right-fast", tr("Pan Right by Half"),
        {QKeySequence(Qt::SHIFT | Qt::Key_D), QKeySequence(Qt::SHIFT | Qt::Key_Right)},
        [this] { m_view->navigation().panBy(0.5); });
    add("view.zoom-back", tr("Zoom &Back"), {QKeySequence(Qt::Key_Backspace), QKeySequence(Qt::ALT | Qt::Key_Left)},
        [this] { m_view->navigation().goBack(); });
    add("view.zoom-forward", tr("Zoom &Forward"), {QKeySequence(Qt::ALT | Qt::Key_Right)},
        [this] { m_view->navigation().goForward(); });
    add("view.show-selection", tr("Reveal S&election"), {QKeySequence(Qt::Key_F)},
        [this] { m_view->navigation().showSelection(); });
    add("view.zoom-to-selection", tr("Zoom to &Selection"), {QKeySequence(Qt::Key_Z)},
        [this] { m_view->navigation().zoomToSelection(); });
    for (const auto& [how, what] : {std::pair{tr("Wheel"), tr("zoom at the pointer")},
                                    {tr("Shift+wheel"), tr("pan")},
                                    {tr("Ctrl+wheel"), tr("scroll the lanes")},
                                    {tr("Drag"), tr("select a time range on one or more GPUs")},
                                    {tr("Shift+drag"), tr("pan")},
                                    {tr("Middle drag"), tr("zoom into a box")},
                                    {tr("Drag along the axis"), tr("move through time")},
                                    {tr("Drag a lane's name"), tr("move the lane")}})
        m_workbench.commands().addGesture({CommandGroup::view, how, what});
}

void TimelineFeature::addLaneCommands() {
    const auto add = [this](const char* id, const QString& text, const QString& hint, const QList<QKeySequence>& keys,
                            auto order, bool startsSection = false) {
        m_workbench.commands().add({.id = QString::fromLatin1(id),
                                    .text = text,
                                    .group = CommandGroup::view,
                                    .keys = keys,
                                    .scope = CommandScope::picture,
                                    .hint = hint,
                                    .startsSection = startsSection,
                                    .submenu = tr("&Lanes"),
                                    .rank = 20},
                                   &m_view->lanes(), order);
    };
    add(
        "lane.previous", tr("Select Previous Lane"),
        tr("Moves the focus to the lane above; keys act on the lane in focus"), {QKeySequence(Qt::Key_Up)},
        [this] { m_view->lanes().moveFocus(-1); }, true);
    add("lane.next", tr("Select Next Lane"), tr("Moves the focus to the lane below; keys act on the lane in focus"),
        {QKeySequence(Qt::Key_Down)}, [this] { m_view->lanes().moveFocus(1); });
    add("lane.next-span", tr("Select Ne&xt Span on Lane"),
        tr("Selects the next span on the lane; while a span is selected, the full stop key does the same"),
        {QKeySequence(Qt::CTRL | Qt::Key_Period)}, [this] { m_view->navigation().selectNeighbour(1); });
    add("lane.previous-span", tr("Select Pre&vious Span on Lane"),
        tr("Selects the previous span on the lane; while a span is selected, the comma key does the same"),
        {QKeySequence(Qt::CTRL | Qt::Key_Comma)}, [this] { m_view->navigation().selectNeighbour(-1); });
    add("lane.open", tr("&Open or Close Lane"), tr("Shows or hides the lanes of a GPU or the details of a lane"),
        {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)}, &LaneEditor::openFocused);
    add("lane.pin", tr("&Pin Lane"), tr("Keeps the lane above the others while they scroll; unpins it if it is pinned"),
        {QKeySequence(Qt::Key_P)}, &LaneEditor::pinFocused);
    add("lane.hide", tr("&Hide Lane"), tr("Hides the lane; the line below the picture shows how many lanes are hidden"),
        {QKeySequence(Qt::Key_H)}, &LaneEditor::hideFocused);
    add("lane.show-all", tr("Show &All Lanes"), tr("Shows the hidden lanes and GPUs again"),
        {QKeySequence(Qt::SHIFT | Qt::Key_H)}, &LaneEditor::showAll);
    add("lane.up", tr("Move Lane Up"), tr("Moves the lane up in all GPUs; a closed GPU moves as a whole"),
        {QKeySequence(Qt::ALT | Qt::Key_Up)}, [this] { m_view->lanes().shiftFocused(-1); });
    add("lane.down", tr("Move Lane Down"), tr("Moves the lane down in all GPUs; a closed GPU moves as a whole"),
        {QKeySequence(Qt::ALT | Qt::Key_Down)}, [this] { m_view->lanes().shiftFocused(1); });
}

}  // namespace ui
