#pragma once

#include "data/replay/ring_state.h"

#include <QWidget>

#include <cstdint>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QTableView;

namespace ui {

class RingMoment;
class SteadyRoom;
class TrackerModel;
class ViewState;

/// The tracker of the focused GPU at the time of the cursor, as a table. The selected row is the selection of all
/// views, and the other way round.
class TrackerView final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the view; the main window owns all three.
    TrackerView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildHeader();
    void buildTable();
    void showRun();
    void showMoment();
    void showHeader(const data::GpuState& state);
    QString reasonForNothing() const;
    QString happeningText(const data::GpuState& state) const;
    std::optional<data::TrackerEntry> closedEntry(const data::GpuState& state);
    void selectRow();        ///< called when a row is selected here
    void selectElsewhere();  ///< called when something is selected elsewhere
    std::uint32_t focusedGpu() const;
    void sizeColumns();
    int widthOf(int column) const;

    ViewState& m_viewState;
    RingMoment& m_moment;
    TrackerModel* m_model;
    QWidget* m_header = nullptr;
    QComboBox* m_gpu = nullptr;
    QLabel* m_occupancy = nullptr;
    QLabel* m_happening = nullptr;
    SteadyRoom *m_occupancyRoom = nullptr, *m_happeningRoom = nullptr;
    QLabel* m_nothing = nullptr;
    QCheckBox* m_onlyTaken = nullptr;
    QTableView* m_table = nullptr;
    /// The tile that was closed last and its entry just before; cached, because every frame needs it.
    struct Closed {
        std::uint32_t gpu = 0;
        std::int64_t ps = 0;
        std::uint32_t tile = 0;
        std::optional<data::TrackerEntry> entry;
    };
    std::optional<Closed> m_closed;
    std::optional<std::uint32_t> m_shownGpu;
    std::int64_t m_shownPs = 0;
    bool m_follows = false;  ///< true while showing a selection that was made elsewhere
};

}  // namespace ui
