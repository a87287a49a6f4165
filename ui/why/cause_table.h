#pragma once

#include "ui/why/cause_shares.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <vector>

namespace ui {

/// The item model of shareRows(), with a last row for their sum.
class CauseTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { nameColumn, barColumn, timeColumn, shareColumn, columnCount_ };

    using QAbstractTableModel::QAbstractTableModel;

    void showRows(std::vector<ShareRow> rows);
    const std::vector<ShareRow>& rows() const { return m_rows; }
    std::int64_t total() const { return m_total; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Returns the text of a row for screen readers and tool tips: "memory contention: 184.2 µs, 41.2 %".
    QString rowText(int row) const;

private:
    QString cell(const ShareRow& row, int column) const;
    QString nameOf(int row) const;

    std::vector<ShareRow> m_rows;
    std::int64_t m_total = 0;
};

/// Shows the rows of the model, with a bar of the causes in each. The table is high enough for every cause and the
/// total, and scrolls to further rows.
class CauseTable final : public QTableView {
    Q_OBJECT

public:
    explicit CauseTable(QWidget* parent = nullptr);

    void showRows(std::vector<ShareRow> rows, const QString& heading);
    const CauseTableModel& table() const { return *m_model; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    CauseTableModel* m_model;
};

}  // namespace ui
