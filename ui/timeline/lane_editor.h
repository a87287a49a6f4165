#pragma once

#include "ui/timeline/lane_arrangement.h"
#include "ui/timeline/timeline_model.h"

#include <QObject>

#include <optional>
#include <vector>

namespace ui {

class ViewState;

/// Changes the arrangement of the lanes: hides, pins, opens and moves them, and emits a signal after each change.
/// Stores which lane has the focus; keys act on that lane. Lanes of a bound cannot be arranged. Does not depend on a
/// widget.
class LaneEditor final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the editor. `rows` are the rows of `model` in this arrangement; their owner updates them when
    /// the arrangement changes, before it notifies others.
    LaneEditor(const TimelineModel& model, const std::vector<Row>& rows, ViewState& viewState)
        : m_model(model), m_rows(rows), m_viewState(viewState) {}

    const LaneArrangement& arrangement() const { return m_arrangement; }
    void setArrangement(LaneArrangement arrangement);
    /// Returns "2 lanes hidden", or an empty string.
    QString hiddenReminder() const;

    /// Returns the row in focus; nullopt if there are no rows.
    std::optional<std::size_t> focusedRow() const;
    std::optional<LaneKey> focusedLane() const;
    void focusRow(std::size_t row);
    void moveFocus(int by);
    /// Asks the view to scroll to the row.
    void revealRow(std::size_t row) { Q_EMIT revealRequested(row); }

    void pinFocused();
    void hideFocused();
    void openFocused();  ///< opens or closes the lane's details, or its GPU if the lane has none
    void shiftFocused(int by);

    void toggleOpen(const Row& row);
    void toggleGpu(std::uint32_t gpu);
    void openAllGpus();
    void closeAllGpus();
    void hideGpu(std::uint32_t gpu);
    bool isLastGpu() const;  ///< returns whether all other GPUs are hidden
    void showAll();
    /// Moves the lane of row `from` to the place of row `to`: a GPU among the GPUs, or a lane among those of its GPU.
    void moveRow(std::size_t from, std::size_t to);

Q_SIGNALS:
    void arrangementChanged();
    void focusChanged();
    void revealRequested(std::size_t row);

private:
    /// Applies `edit` to a copy of the arrangement and sets it.
    template <class Edit>
    void change(const Edit& edit);
    /// Returns the row in focus, or null if there is none or its lane cannot be arranged.
    const Row* focusedToArrange() const;
    void shift(const Row& row, int by);
    void shiftPinned(LaneKey key, int by);

    const TimelineModel& m_model;
    const std::vector<Row>& m_rows;
    ViewState& m_viewState;
    LaneArrangement m_arrangement;
    std::optional<LaneKey> m_focused;
    bool m_focusedPinned = false;
};

}  // namespace ui
