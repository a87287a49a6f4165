#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QTableView>

#include <optional>
#include <vector>

namespace ui {

/// One line of a ValueTable.
struct ValueRow {
    QStringList cells;  ///< one for each column
    QString spoken{};   ///< for tool tips and screen readers; empty: the cells with their columns' titles
    std::optional<qsizetype> marked{};  ///< the cell that says in words what is wrong, in the colour of errors
    bool operator==(const ValueRow&) const = default;
};

struct ValueColumn {
    QString title;
    bool isText = false;  ///< set to the left; numbers stand to the right
    QString hint{};       ///< a sentence about the column
    bool operator==(const ValueColumn&) const = default;
};

/// The lines of a ValueTable as Qt's views read them.
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

/// The values behind a picture, one line for each of its marks: a line that is chosen here is chosen there.
class ValueTable final : public QTableView {
    Q_OBJECT

public:
    explicit ValueTable(QWidget* parent = nullptr);

    /// The chosen line stays chosen where there still are as many lines.
    void showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows);
    const std::vector<ValueRow>& rows() const { return m_model->rows(); }
    std::optional<std::size_t> chosen() const;
    void choose(std::optional<std::size_t> row);
    /// All lines under their titles, separated by tabs, as Ctrl+C copies them.
    QString copied() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();
    /// Return or a double click.
    void rowActivated(std::size_t row);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    ValueTableModel* m_model;
};

}  // namespace ui
