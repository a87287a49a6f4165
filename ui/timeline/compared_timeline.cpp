#include "ui/timeline/compared_timeline.h"

#include "ui/timeline/end_mark.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/timeline_view.h"

#include <algorithm>
#include <array>

namespace ui {
namespace {

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

RunPictureFactory comparedTimelines() {
    return [](ViewState& state, QWidget* parent) { return std::make_unique<ComparedTimeline>(state, parent); };
}

}  // namespace ui
