#pragma once

#include "ui/evaluations/evaluation_rows_model.h"

#include <QTableView>

#include <optional>

class QSortFilterProxyModel;

namespace ui {

/// The table of an evaluation's rows: sorted by a click on a column heading, filtered by a search text, opened with
/// Enter.
class EvaluationTable final : public QTableView {
    Q_OBJECT

public:
    explicit EvaluationTable(QWidget* parent = nullptr);

    EvaluationRowsModel& rowsModel() { return *m_model; }
    void setRows(std::vector<data::ReproducedItem> rows);
    /// Shows only rows that contain this text in some column; empty: all rows.
    void setFilter(const QString& words);
    int shownRows() const;
    /// Returns the model index of the row with the focus; an empty optional if there is none.
    std::optional<std::size_t> current() const;
    /// Gives the focus to a row of the model and scrolls to it; a row that the filter hides stays hidden.
    void setCurrent(std::size_t row);
    /// Returns the selected rows, or all visible rows if none is selected, with the column headings, for pasting into a
    /// spreadsheet.
    QString copied() const;

Q_SIGNALS:
    void currentRowChanged();
    void openRequested(std::size_t row);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitColumns();
    int wantedWords() const;

    EvaluationRowsModel* m_model;
    QSortFilterProxyModel* m_order;
};

}  // namespace ui
