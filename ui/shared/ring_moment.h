#pragma once

#include "data/replay/gpu_inside.h"
#include "data/replay/ring_state.h"
#include "data/replay/run_log.h"
#include "data/replay/shown_run.h"
#include "ui/look/tile_style.h"
#include "ui/shared/view_state.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// What every GPU is doing where the time cursor stands, worked out once for all views that ask and for no GPU that
/// nobody asks for. Without a cursor that is the end of the run.
class RingMoment final : public QObject {
    Q_OBJECT

public:
    /// `viewState` must outlive it.
    explicit RingMoment(ViewState& viewState, QObject* parent = nullptr);

    /// Shown from when its log is there: until then all stays as it is.
    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// Of the run that came last; null where it has none. Without an `index` one is built when inside() is first called.
    void showLog(std::shared_ptr<const data::RunLog> log, std::shared_ptr<const data::InsideIndex> index = nullptr);
    /// False for the bounds and before the first run.
    bool hasStates() const { return m_log != nullptr; }
    std::uint32_t gpus() const;
    std::int64_t ps() const;
    /// Precondition: hasStates(), and `gpu` is below gpus(). Valid until the moment changes.
    const data::GpuState& of(std::uint32_t gpu) const;
    /// Returns what happens inside a GPU. Precondition and validity as of of().
    const data::GpuInside& inside(std::uint32_t gpu) const;
    /// Precondition: hasStates().
    const data::InsideIndex& insideIndex() const;
    const data::ShownRun* run() const { return m_run.get(); }
    const std::shared_ptr<const data::ShownRun>& sharedRun() const { return m_run; }
    const std::shared_ptr<const data::RunLog>& sharedLog() const { return m_log; }
    const std::shared_ptr<const data::InsideIndex>& sharedIndex() const { return m_index; }
    /// Precondition: hasStates().
    const data::RunLog& log() const { return *m_log; }
    data::Position position() const;
    /// What the states of tiles are called in this run.
    TileWords tileWords() const;

Q_SIGNALS:
    /// Another run is shown; changed() follows.
    void runChanged();
    void changed();

private:
    void forget();

    ViewState& m_viewState;
    std::shared_ptr<const data::ShownRun> m_run, m_next;
    std::shared_ptr<const data::RunLog> m_log;
    mutable std::shared_ptr<const data::InsideIndex> m_index;
    mutable std::vector<std::optional<data::GpuState>> m_states;
    mutable std::vector<std::optional<data::GpuInside>> m_insides;
};

/// A moment of a run as the window showed it, kept while the window goes on: range, cursor, focus and followed chunk. For
/// figures, which are drawn again when their size changes.
struct FrozenMoment {
    /// Without a cursor a run would be shown at its end, when all tiles are alike: the moment is then the one that says most.
    FrozenMoment(const ViewState& viewState, const RingMoment& moment);

    ViewState viewState;
    RingMoment moment{viewState};

private:
    void seekTellingMoment();
};

}  // namespace ui
