#pragma once

#include "ui/look/texture.h"

#include <QAbstractTableModel>
#include <QIcon>
#include <QString>
#include <QStringList>
#include <QTableView>
#include <QVariant>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QSortFilterProxyModel;

namespace ui {

struct Palette;

/// The look of one cell of a ValueTable: a picture or a swatch before its text, the colour of the text, or a part of a
/// bar. The parts of a bar stand one after the other, in the order of the marks.
struct ValueMark {
    qsizetype column = 0;
    int which = 0;  ///< passed to the functions, which may be null
    QIcon (*icon)(int which, const Palette& colors, int size) = nullptr;
    QColor (*ink)(int which, const Palette& colors) = nullptr;
    Fill (*fill)(int which, const Palette& colors) = nullptr;
    std::optional<double> share{};  ///< makes `fill` a part of a bar: its share of the width of the cell
    bool operator==(const ValueMark&) const = default;
};

/// One row of a ValueTable.
struct ValueRow {
    QStringList cells;  ///< one for each column
    QString spoken{};   ///< for tool tips and screen readers; empty: the cells, each with the title of its column
    std::optional<qsizetype> marked{};  ///< index of the cell that states an error, which is shown in the error colour
    bool isFaint = false;               ///< the row has no values yet
    std::vector<ValueMark> marks{};
    std::vector<QVariant> keys{};  ///< what each column is sorted by: an invalid value comes last; empty: the cells
    QStringList tips{};            ///< of each cell, in place of `spoken`; empty: none
    QString meaning{};             ///< a sentence that explains the row to screen readers and below `spoken`
    bool strong = false;           ///< in the weight of headings
    bool operator==(const ValueRow&) const = default;
};

struct ValueColumn {
    QString title;              ///< empty for a column of bars, which is not copied
    bool isText = false;        ///< aligned left; numbers are aligned right
    QString hint{};             ///< a sentence that explains the column
    bool elidesMiddle = false;  ///< a text that is too long for the column loses its middle, not its end
    bool operator==(const ValueColumn&) const = default;
};

/// Rows that are made when they are shown, because there may be a hundred thousand of them.
struct ValueSource {
    std::size_t rows = 0;
    std::function<ValueRow(std::size_t row)> row{};
    /// In place of ValueRow::keys, so that sorting makes no rows.
    std::function<QVariant(std::size_t row, int column)> key{};
};

/// The item model of a ValueTable.
class ValueTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int kSortRole = Qt::UserRole;

    explicit ValueTableModel(QTableView& table);

    /// Rows come from `source` if it has any, else they are `rows`. Returns whether there are as many as before.
    bool showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows, ValueSource source = {});
    const std::vector<ValueRow>& rows() const { return m_rows; }
    /// Returns a row, valid until the next call.
    const ValueRow& rowAt(std::size_t row) const;
    void setHovered(std::optional<std::size_t> row);
    const std::vector<ValueColumn>& columns() const { return m_columns; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString spokenOf(const ValueRow& row) const;
    /// Returns a text with air where it would touch its neighbour: numbers are aligned right, texts left.
    QString apart(int column, const QString& text) const;
    QVariant lookOf(const ValueRow& row, int column, int role) const;

    QTableView& m_table;  // gives palette and font
    std::vector<ValueColumn> m_columns;
    std::vector<ValueRow> m_rows;
    ValueSource m_source;
    mutable std::optional<std::pair<std::size_t, ValueRow>> m_made;  ///< the last row of the source
    std::optional<std::size_t> m_hovered;
};

/// The values behind a picture, one row for each of its marks. The row that is selected here is selected in the picture
/// as well. Rows are numbered as they were given, however they are sorted.
class ValueTable : public QTableView {
    Q_OBJECT

public:
    explicit ValueTable(QWidget* parent = nullptr);

    /// Lets a click on the title of a column sort the rows, and several rows be selected.
    void setSorted();
    /// Shows only rows that contain this text in some column; empty: all rows.
    void setFilter(const QString& words);
    int shownRows() const;

    /// Shows other rows. The selected row stays selected if there are as many rows as before.
    void showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows);
    /// Shows rows that are made when they are seen. Widths of columns follow from the first of them.
    void showSource(std::vector<ValueColumn> columns, ValueSource source);
    const std::vector<ValueRow>& rows() const { return m_model->rows(); }
    std::optional<std::size_t> chosen() const;
    std::vector<std::size_t> selected() const;
    /// Selects these rows in place of all others and scrolls to the first one.
    void select(const std::vector<std::size_t>& rows);
    /// Emphasises a row, as the mark of the picture that the pointer is at.
    void setHovered(std::optional<std::size_t> row) { m_model->setHovered(row); }
    /// Selects a row and scrolls to it; a row that the filter hides stays hidden.
    void choose(std::optional<std::size_t> row);
    /// Sets the gap after each column, in letters. A table of texts needs none.
    void setColumnGap(int letters) { m_columnGap = letters; }
    /// Sets the height of a row, in lines of text.
    void setRowHeight(double lines);
    /// Returns the column titles and the rows, separated by tabs, as Ctrl+C copies them: the selected ones if several can
    /// be selected and any is, else all.
    QString copied() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();
    /// Emitted on Return or a double click.
    void rowActivated(std::size_t row);
    void selectedChanged();
    /// The pointer is at a row, or has left the table. Emitted if the table tracks the mouse.
    void rowHovered(std::optional<std::size_t> row);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    /// Sets the widths of the columns after the rows have changed.
    virtual void fitColumns();

private:
    ValueTableModel* m_model;
    QSortFilterProxyModel* m_order;
    int m_columnGap = 2;
    double m_rowHeight = 1.5;
};

}  // namespace ui
