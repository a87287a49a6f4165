#pragma once

#include "engine/api/chunk_route.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QLabel;
class QTableView;

namespace ui {

class RingMoment;
class ViewState;

/// One GPU's address map as a table: a row for each chunk in the order in which the GPU works on them; where its stores go
/// and as what, the updates that complete an element, what makes its DMA commands ready and where they go.
class AddressMapModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void showRoutes(std::vector<engine::ChunkRoute> routes);
    /// The chunk that is followed stands out.
    void setFollowed(std::optional<std::uint32_t> chunk);
    std::optional<std::uint32_t> chunkOf(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<engine::ChunkRoute> m_routes;
    std::optional<std::uint32_t> m_followed;
};

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
