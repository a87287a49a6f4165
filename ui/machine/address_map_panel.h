#pragma once

#include <QWidget>

class QLabel;
class QTableView;

namespace ui {

class AddressMapModel;
class RingMoment;
class ViewState;

/// The address map (T3's remote_map and dma_map) of the GPU in focus: what makes one collective differ from another. A row
/// that is clicked is the chunk that all views follow.
class AddressMapPanel final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the panel.
    AddressMapPanel(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

private:
    void showMap();

    ViewState& m_viewState;
    RingMoment& m_moment;
    AddressMapModel* m_model;
    QLabel* m_title;
    QTableView* m_table;
};

}  // namespace ui
