#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QTableView>

#include <optional>
#include <vector>

namespace ui {

/// One row of a ValueTable.
struct ValueRow {
    QStringList cells;  ///< one for each column
    QString spoken{};   ///< for tool tips and screen readers; empty: the cells, each with the title of its column
    std::optional<qsizetype> marked{};  ///< index of the cell that states an error, which is shown in the error colour
    bool operator==(const ValueRow&) const = default;
};

struct ValueColumn {
    QString title;
    bool isText = false;  ///< aligned left; numbers are aligned right
    QString hint{};       ///< a sentence that explains the column
    bool operator==(const ValueColumn&) const = default;
};

/// The item model of a ValueTable.
class ValueTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows);
    const std::vector<ValueRow>& rows() const { return m_rows; }
    void setMarkedInk(const QColor& ink);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString spokenOf(const ValueRow& row) const;

    std::vector<ValueColumn> m_columns;
    std::vector<ValueRow> m_rows;
    QColor m_markedInk;
};

/// The values behind a picture, one row for each of its marks. The row that is selected here is selected in the picture
/// as well.
class ValueTable final : public QTableView {
    Q_OBJECT

public:
    explicit ValueTable(QWidget* parent = nullptr);

    /// Shows other rows. The selected row stays selected if there are as many rows as before.
    void showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows);
    const std::vector<ValueRow>& rows() const { return m_model->rows(); }
    std::optional<std::size_t> chosen() const;
    void choose(std::optional<std::size_t> row);
    /// Returns the column titles and all rows, separated by tabs, as Ctrl+C copies them.
    QString copied() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();
    /// Emitted on Return or a double click.
    void rowActivated(std::size_t row);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    ValueTableModel* m_model;
};

}  // namespace ui
