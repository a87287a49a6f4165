#include "ui/timeline/compared_timeline.h"

#include "ui/look/format.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr std::uint32_t kMostHidden = 64;  // GPUs: as many as a run may have

/// Returns the lanes that distinguish runs at a glance, of the first GPU only; Explore shows the others.
LaneArrangement comparedLanes() {
    LaneArrangement lanes;
    constexpr std::array kShown{RowKind::waves,     RowKind::companion, RowKind::reduceScatter,
                                RowKind::allGather, RowKind::link,      RowKind::dram};
    for (const RowKind kind : LaneArrangement::usualOrder()) {
        if (std::find(kShown.begin(), kShown.end(), kind) == kShown.end())
            lanes.hidden.insert({0, kind, 0});
    }
    for (std::uint32_t gpu = 1; gpu < kMostHidden; ++gpu)
        lanes.hiddenGpus.insert(gpu);
    return lanes;
}

/// Marks the end of a timeline's run and the times that have counterparts in other runs, where several runs share a
/// time axis. A label that would overlap another is left out; its line is always drawn.
class EndOverlay final : public TimelineOverlay {
public:
    void setRun(std::int64_t endPs, const QString& name, engine::PolicyPreset policy) {
        m_end = endPs;
        m_name = name;
        m_policy = engine::name(policy);
    }
    /// Sorted by time.
    void setMoments(std::vector<RunMark> moments) { m_moments = std::move(moments); }
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    void paintMoments(QPainter& painter, const TimelinePicture& picture) const;

    std::vector<RunMark> m_moments;
    std::int64_t m_end = 0;
    QString m_name;
    std::string m_policy;
};

void EndOverlay::paintMoments(QPainter& painter, const TimelinePicture& picture) const {
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::round(picture.line * 0.75)));
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QRectF& clip = picture.clip;
    double taken = clip.left() - 1;
    for (const RunMark& moment : m_moments) {
        const double x = std::floor(picture.geometry.xOf(moment.ps));
        if (x < clip.left() || x > clip.right())
            continue;
        const QColor color = picture.palette.of(moment.role);
        painter.fillRect(QRectF(x - 1, clip.top(), 3, clip.height()), picture.palette.surface);
        painter.fillRect(QRectF(x, clip.top(), 1, clip.height()), picture.palette.ink);
        const double width = painter.fontMetrics().horizontalAdvance(moment.text) + picture.line * 0.5;
        const QRectF plate(x - width / 2, clip.top(), width, picture.line * 0.95);
        if (plate.left() < taken)
            continue;
        taken = plate.right() + 1;
        painter.fillRect(plate, color);
        painter.setPen(Palette::inkOn(color));
        painter.drawText(plate, Qt::AlignCenter, moment.text);
    }
}

void EndOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    paintMoments(painter, picture);
    if (m_end <= 0)
        return;
    const QString time = formatTime(m_end);
    const auto tr = [](const char* text) { return QCoreApplication::translate("EndOverlay", text); };
    paintEndMark(painter, picture,
                 {m_end,
                  {tr("%1 ends  %2").arg(m_name, time), tr("ends  %1").arg(time)},
                  picture.palette.ofPolicy(m_policy),
                  EndMark::Plate::foot});
}

/// The timeline of one run in the view Compare.
class ComparedTimeline final : public RunPicture {
public:
    ComparedTimeline(ViewState& state, QWidget* parent) : m_view(new TimelineView(state, parent)) {
        m_view->setObjectName(QStringLiteral("comparedTimeline"));
        m_view->setDense(true);
        m_view->lanes().setArrangement(comparedLanes());
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
    ~ComparedTimeline() override { delete m_view; }  // before its overlays, which it draws

    QWidget& widget() override { return *m_view; }
    void showRun(std::shared_ptr<const data::ShownRun> run, const QString& name) override {
        m_end.setRun(run->run.result.last.time.total.ps, name, run->run.experiment.policy.preset);
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
        m_end.setMoments(std::move(marks));
        m_view->repaintOverlays();
    }
    TimelineGeometry geometry() const override { return m_view->geometry(); }
    double ownGutter() const override { return m_view->layout().ownGutter(); }
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
