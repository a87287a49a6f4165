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

/// The address map of one GPU as a table, with a row for each chunk in the order in which the GPU works on them: the
/// destination of its stores and whether they are updates or writes, the number of updates that complete an element,
/// what triggers its DMA commands, and where they send the chunk.
class AddressMapModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void showRoutes(std::vector<engine::ChunkRoute> routes);
    /// Highlights the chunk that is followed.
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

/// The address map (T3's remote_map and dma_map) of the focused GPU, which distinguishes one collective from another. A
/// click on a row follows its chunk in all views.
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
