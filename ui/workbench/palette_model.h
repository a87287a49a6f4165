#pragma once

#include "ui/workbench/command_palette.h"

#include <QAbstractListModel>

#include <vector>

namespace ui {

/// The entries that what was typed finds, best first; all of them, in their order, while nothing is typed.
class PaletteModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { positions = Qt::UserRole, where, keys };

    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<PaletteEntry> entries);
    void find(const QString& typed);
    const PaletteEntry& entryAt(int row) const { return m_entries[m_found[row].entry]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Found {
        std::size_t entry;
        int score;
        QList<int> positions;  ///< of the entry's text
    };

    std::vector<PaletteEntry> m_entries;
    std::vector<Found> m_found;
};

}  // namespace ui
