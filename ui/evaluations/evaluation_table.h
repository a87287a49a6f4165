#pragma once

#include "ui/evaluations/evaluation_rows_model.h"

#include <QTableView>

#include <optional>

class QSortFilterProxyModel;

namespace ui {

/// The table of an evaluation's rows: sorted by a click on a heading, filtered by words, opened with Enter.
class EvaluationTable final : public QTableView {
    Q_OBJECT

public:
    explicit EvaluationTable(QWidget* parent = nullptr);

    EvaluationRowsModel& rowsModel() { return *m_model; }
    void setRows(std::vector<data::ReproducedItem> rows);
    /// Shows the rows in which some column has these words; empty: all.
    void setFilter(const QString& words);
    int shownRows() const;
    /// The row that has the keyboard, as a position in the model; nothing where none has.
    std::optional<std::size_t> current() const;
    /// The selected rows, or all that are shown if none is, with the headings, for a spreadsheet.
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
