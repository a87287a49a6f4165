#pragma once

#include "data/sweep/sweep_store.h"

#include <QListView>

#include <optional>
#include <string>
#include <vector>

class QStandardItemModel;

namespace ui {

/// The list of the store's sweeps, newest first, between "All runs" and the trash. One entry is always chosen; Enter or
/// a double click opens a sweep.
class SweepList final : public QListView {
    Q_OBJECT

public:
    explicit SweepList(QWidget* parent = nullptr);

    /// Sets the entries. The chosen entry stays chosen; if it no longer exists, "All runs" is chosen.
    void showSweeps(const std::vector<data::StoredSweep>& sweeps, std::size_t runs, std::size_t removed);
    /// Returns the id of the chosen sweep; an empty optional for "All runs" and for the trash.
    std::optional<std::string> chosen() const;
    bool choosesRemoved() const;
    void choose(const std::optional<std::string>& sweep);
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();
    void openRequested(const QString& sweep);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    bool event(QEvent* event) override;

private:
    void setRow(int row, const data::StoredSweep& sweep);

    QStandardItemModel* m_items;
    bool m_quiet = false;
};

/// Returns "135 points", "72 of 135 points, 3 failed".
QString sweepStateText(const data::StoredSweep& sweep);

}  // namespace ui
