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

/// The state of every GPU at the time cursor, or at the end of the run without a cursor. It is computed once for all
/// views, and only for the GPUs that a view asks for.
class RingMoment final : public QObject {
    Q_OBJECT

public:
    /// `viewState` must outlive it.
    explicit RingMoment(ViewState& viewState, QObject* parent = nullptr);

    /// Takes a run. It is shown once its log has arrived; until then the states stay those of the former run.
    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// Takes the log of the latest run, or null if it has none. Without an `index`, one is built by the first call of
    /// inside().
    void showLog(std::shared_ptr<const data::RunLog> log, std::shared_ptr<const data::InsideIndex> index = nullptr);
    /// Returns whether there are states; false for runs that are bounds, and before the first run.
    bool hasStates() const { return m_log != nullptr; }
    std::uint32_t gpus() const;
    /// Returns the GPU in focus; a run of fewer GPUs has its last one in focus.
    std::uint32_t focusedGpu() const;
    std::int64_t ps() const;
    /// Precondition: hasStates(), and `gpu` is below gpus(). The reference is valid until the cursor moves.
    const data::GpuState& of(std::uint32_t gpu) const;
    /// Returns the state of the inside of a GPU. The precondition and the lifetime are the same as for of().
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
    /// Returns the names of tile states in this run.
    TileWords tileWords() const;

Q_SIGNALS:
    /// Emitted when another run is shown; changed() follows.
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

/// A snapshot of a run as the window showed it at one time: range, cursor, focus and followed chunk. It stays unchanged
/// while the window goes on. Figures need it, because they are drawn again when their size changes.
struct MomentSnapshot {
    /// Takes the snapshot. Without a cursor the run would be shown at its end, when all tiles look alike, so the
    /// snapshot uses the most informative time of the run.
    MomentSnapshot(const ViewState& viewState, const RingMoment& moment);

    ViewState viewState;
    RingMoment moment{viewState};

private:
    void seekInformativeTime();
};

}  // namespace ui
