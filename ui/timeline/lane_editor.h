#pragma once

#include "ui/timeline/lane_arrangement.h"
#include "ui/timeline/timeline_model.h"

#include <QObject>

#include <optional>
#include <vector>

namespace ui {

class ViewState;

/// Changes the arrangement of the lanes and says when it has changed: hides, pins, opens and moves them. Knows which lane
/// has the focus, the one that keys act on. Lanes of a bound cannot be arranged. Needs no widget.
class LaneEditor final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the editor. `rows` are the rows of `model` in this arrangement: whoever holds them brings them up
    /// to date when the arrangement changes, before it tells others.
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
    /// Asks for the row to be scrolled into sight.
    void revealRow(std::size_t row) { Q_EMIT revealRequested(row); }

    void pinFocused();
    void hideFocused();
    void openFocused();  ///< or closes it: the lane's details, or its GPU if it has none
    void shiftFocused(int by);

    void toggleOpen(const Row& row);
    void toggleGpu(std::uint32_t gpu);
    void openAllGpus();
    void closeAllGpus();
    void hideGpu(std::uint32_t gpu);
    bool isLastGpu() const;  ///< all others are hidden
    void showAll();
    /// Moves the lane of row `from` to where row `to` stands: a GPU among the GPUs, a lane among those of its GPU.
    void moveRow(std::size_t from, std::size_t to);

Q_SIGNALS:
    void arrangementChanged();
    void focusChanged();
    void revealRequested(std::size_t row);

private:
    /// Arranges the lanes as they are but for what `edit` changes.
    template <class Edit>
    void change(const Edit& edit);
    /// Returns the row in focus; null where there is none whose lane can be arranged.
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
