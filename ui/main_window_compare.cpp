#include "ui/main_window.h"

#include "data/presets/presets.h"
#include "ui/compare/compare_view.h"
#include "ui/playback/player.h"
#include "ui/playback/transport_bar.h"
#include "ui/timeline/end_mark.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/own_keys.h"
#include "ui/workbench/window_views.h"

#include <QBoxLayout>

#include <algorithm>
#include <array>

// Several runs beside each other: what the view Compare shows, and the one transport that moves between it and Explore.

namespace ui {
namespace {

constexpr auto kCompare = "compare";
constexpr std::uint32_t kMostHidden = 64;  // GPUs: as many as a run may have

/// What of a run tells it from another at a glance, on its first GPU; the rest is one click in Explore.
LaneArrangement comparedLanes() {
    LaneArrangement lanes;
    constexpr std::array kShown{RowKind::waves, RowKind::reduceScatter, RowKind::allGather, RowKind::link,
                                RowKind::dram};
    for (const RowKind kind : LaneArrangement::usualOrder()) {
        if (std::find(kShown.begin(), kShown.end(), kind) == kShown.end())
            lanes.hidden.insert({0, kind, 0});
    }
    for (std::uint32_t gpu = 1; gpu < kMostHidden; ++gpu)
        lanes.hiddenGpus.insert(gpu);
    return lanes;
}

/// A timeline as the view Compare wants one.
class ComparedTimeline final : public RunPicture {
public:
    ComparedTimeline(ViewState& state, QWidget* parent) : m_view(new TimelineView(state, parent)) {
        m_view->setObjectName(QStringLiteral("comparedTimeline"));
        m_view->setDense(true);
        m_view->setArrangement(comparedLanes());
        m_view->addOverlay(m_ghost);
        m_view->addOverlay(m_end);
        QObject::connect(m_view, &TimelineView::cursorRequested, m_view, [this](qint64 ps) {
            if (momentAsked)
                momentAsked(ps);
        });
        QObject::connect(m_view, &TimelineView::extentChanged, m_view, [this] {
            if (gutterChanged)
                gutterChanged();
        });
    }
    ~ComparedTimeline() override { delete m_view; }  // before its overlays

    QWidget& widget() override { return *m_view; }
    void showRun(std::shared_ptr<const data::ShownRun> run, const QString& name) override {
        m_end.setRun(run->run.result.last.time.total.ps, name,
                     std::string(engine::name(run->run.experiment.policy.preset)));
        if (!m_view->model().hasRun() || &m_view->model().run() != run.get())
            m_view->showModel(TimelineModel(std::move(run)));
        m_view->setAccessibleName(TimelineView::tr("Timeline of %1").arg(name));
        m_view->repaintOverlays();
    }
    void showGhost(std::shared_ptr<const data::ShownRun> run, const QString& name) override {
        if (run == m_ghostRun)
            return;
        m_ghostRun = run;
        m_ghost.setPinned(std::move(run), name);
        m_view->repaintOverlays();
    }
    void showMarks(std::vector<RunMark> marks) override {
        std::vector<NamedMoment> moments;
        for (RunMark& mark : marks)
            moments.push_back({mark.ps, std::move(mark.text), mark.role});
        m_end.setMoments(std::move(moments));
        m_view->repaintOverlays();
    }
    TimelineGeometry geometry() const override { return m_view->geometry(); }
    double ownGutter() const override { return m_view->ownGutter(); }
    void setLeastGutter(double least) override { m_view->setLeastGutter(least); }

private:
    GhostOverlay m_ghost;
    EndOverlay m_end;
    std::shared_ptr<const data::ShownRun> m_ghostRun;
    TimelineView* m_view;
};

}  // namespace

void MainWindow::buildCompare() {
    m_compare = new CompareView(
        m_config.session, m_viewState,
        [](ViewState& state, QWidget* parent) { return std::make_unique<ComparedTimeline>(state, parent); },
        m_windowViews);
    m_windowViews->addView({QString::fromLatin1(kCompare), tr("Compare"), m_compare, Qt::Key_F3,
                            tr("Two to four runs beneath each other: where they differ, and why")});
    new OwnKeys(*m_compare);
    Comparison& comparison = m_compare->comparison();
    connect(this, &MainWindow::runChanged, &comparison, &Comparison::setShown);
    connect(m_compare, &CompareView::momentRequested, m_player, &Player::seek);
    connect(m_compare, &CompareView::pinRequested, this, &MainWindow::setPinned);
    connect(m_compare, &CompareView::openRequested, this, [this](const std::shared_ptr<const data::ShownRun>& run) {
        m_experiment.replaceDraft(run->run.draft, tr("opening of a compared run"));
        runExperiment();
    });
    connect(m_compare, &CompareView::reachChanged, this, &MainWindow::showReach);
    connect(m_compare, &CompareView::compareShown, this, &MainWindow::compareShown);
    connect(&m_session, &RunSession::runsListed, m_compare,
            [this](const std::shared_ptr<const std::vector<data::StoredRun>>& runs) { m_compare->setKept(*runs); });
    connect(m_windowViews, &WindowViews::currentChanged, this, [this] {
        placeTransport();
        showReach();
    });
    m_sessionParts.add({QString::fromLatin1(kCompare), SessionScope::window,
                        [this] { return m_compare->comparison().save(); },
                        [this](const QJsonValue& kept) { return m_compare->comparison().restore(kept); }});
}

// What plays, steps and zooms is the same as in Explore, and so are its keys.
void MainWindow::addCompareCommands() {
    for (const auto& [command, action] : m_compare->commands())
        m_commands->adopt(command, action);
    m_compare->addActions(m_transport->playbackActions());
    for (const char* id : {"view.whole-run", "view.zoom-in", "view.zoom-out", "view.pan-left", "view.pan-right",
                           "view.pan-left-fast", "view.pan-right-fast", "view.zoom-back", "view.zoom-forward"})
        m_compare->addAction(m_commands->find(QLatin1String(id))->action);
}

// There is one transport: it stands in whichever of the two views is in front.
void MainWindow::placeTransport() {
    if (m_windowViews->current() == QLatin1String(kCompare)) {
        m_compare->holdTransport(m_transport);
        m_transport->show();
    } else if (m_windowViews->current() == QLatin1String("explore")) {
        auto* column = static_cast<QBoxLayout*>(m_windowViews->currentView().widget->layout());
        if (column->indexOf(m_transport) != 0)
            column->insertWidget(0, m_transport);
        m_transport->show();
    }
}

// Time covers the pinned run as well, so that two lengths can be compared by eye; and all that Compare shows.
void MainWindow::showReach() {
    if (!m_shown)
        return;
    const bool compares = m_windowViews->current() == QLatin1String(kCompare);
    const std::int64_t end = m_timeline->model().end();
    const std::int64_t reach = compares ? std::max(end, m_compare->comparison().reach()) : end;
    m_player->setEnd(reach);
    m_viewState.setRunEnd(std::max(reach, compares ? 0 : m_ghost->end()));
}

void MainWindow::showCompare() { m_windowViews->showView(QString::fromLatin1(kCompare)); }

void MainWindow::compareWith(const std::vector<std::string>& policies) {
    using Kind = ComparePick::Kind;
    std::vector<ComparePick> picks;
    const std::string own(engine::name(m_experiment.expansion().experiment.policy.preset));
    for (const std::string& policy : policies) {
        const ComparePick pick = policy == own ? ComparePick{Kind::shown} : ComparePick{Kind::policy, policy};
        if (data::findPolicy(policy) != nullptr && std::find(picks.begin(), picks.end(), pick) == picks.end())
            picks.push_back(pick);
    }
    if (std::find(picks.begin(), picks.end(), ComparePick{Kind::shown}) == picks.end())
        picks.push_back({Kind::shown});
    m_compare->comparison().setPicks(std::move(picks));
    showCompare();
}

void MainWindow::compareKept(const std::vector<std::int64_t>& ids) {
    std::vector<ComparePick> picks;
    for (const std::int64_t id : ids)
        picks.push_back({ComparePick::Kind::kept, {}, id});
    m_compare->comparison().setPicks(std::move(picks));
    showCompare();
}

bool MainWindow::stepOutOfCompare() {
    return m_windowViews->current() == QLatin1String(kCompare) && m_compare->stepOut();
}

}  // namespace ui
