#include "ui/look/value_table.h"

#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include <utility>

namespace ui {
namespace {

constexpr int kMostRowsHinted = 9;  // the preferred height has room for this many; with more rows the table scrolls
constexpr int kColumnGap = 2;       // in letters
constexpr double kRowHeight = 1.5;  // lines
constexpr double kMarkSize = 0.67;  // lines

/// Returns a text with a gap before it. Texts are aligned left, so they would touch the number before them, which is
/// aligned right.
QString apart(int column, const QString& text) { return column == 0 ? text : QString(2, QChar(0x00a0)) + text; }

/// Sorts numbers as numbers. Rows without a value come last in both directions.
class ValueOrder final : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const bool hasLeft = left.data(sortRole()).isValid(), hasRight = right.data(sortRole()).isValid();
        if (hasLeft && hasRight)
            return QSortFilterProxyModel::lessThan(left, right);
        return hasLeft != hasRight && hasLeft == (sortOrder() == Qt::AscendingOrder);
    }
};

/// Paints cells as the style does, with the elision of their columns.
class ValueDelegate final : public QStyledItemDelegate {
public:
    ValueDelegate(const ValueTableModel& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const bool middle = m_model.columns()[static_cast<std::size_t>(index.column())].elidesMiddle;
        option->textElideMode = middle ? Qt::ElideMiddle : Qt::ElideRight;
    }

private:
    const ValueTableModel& m_model;
};

}  // namespace

ValueTableModel::ValueTableModel(QTableView& table) : QAbstractTableModel(&table), m_table(table) {}

void ValueTableModel::showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows) {
    // The selection and the cell that a screen reader reads stay the same while only values change.
    const bool alike = columns == m_columns && rows.size() == m_rows.size();
    if (!alike)
        beginResetModel();
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    if (!alike)
        endResetModel();
    else if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ValueTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ValueTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QString ValueTableModel::spokenOf(const ValueRow& row) const {
    if (!row.spoken.isEmpty())
        return row.spoken;
    QStringList parts;
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        parts << tr("%1 %2").arg(m_columns[i].title, row.cells[static_cast<qsizetype>(i)]);
    return parts.join(QStringLiteral(", "));
}

QVariant ValueTableModel::lookOf(const ValueRow& row, int column, int role) const {
    const Palette& colors = paletteOf(m_table);
    for (const ValueMark& mark : row.marks) {
        if (mark.column == column && role == Qt::ForegroundRole && mark.ink != nullptr)
            return mark.ink(mark.which, colors);
        if (mark.column == column && role == Qt::DecorationRole && mark.icon != nullptr)
            return mark.icon(mark.which, colors, static_cast<int>(m_table.fontMetrics().height() * kMarkSize));
    }
    return role == Qt::ForegroundRole && row.marked == column ? QVariant(colors.error) : QVariant();
}

QVariant ValueTableModel::data(const QModelIndex& index, int role) const {
    const ValueRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isText = m_columns[static_cast<std::size_t>(index.column())].isText;
    switch (role) {
    case Qt::DisplayRole: return isText ? apart(index.column(), row.cells[index.column()]) : row.cells[index.column()];
    case Qt::TextAlignmentRole: return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case kSortRole:
        return row.keys.empty() ? QVariant(row.cells[index.column()])
                                : row.keys[static_cast<std::size_t>(index.column())];
    case Qt::ForegroundRole:
    case Qt::DecorationRole: return lookOf(row, index.column(), role);
    case Qt::ToolTipRole: return plainTip(row.tips.isEmpty() ? spokenOf(row) : row.tips[index.column()]);
    case Qt::FontRole: {
        QFont font;
        font.setBold(true);
        return row.strong ? QVariant(font) : QVariant();
    }
    case Qt::AccessibleTextRole: return index.column() == 0 ? spokenOf(row) : row.cells[index.column()];
    default: return {};
    }
}

QVariant ValueTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const ValueColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole: return column.isText ? apart(section, column.title) : column.title;
    case Qt::ToolTipRole: return column.hint;
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default: return {};
    }
}

ValueTable::ValueTable(QWidget* parent)
    : QTableView(parent), m_model(new ValueTableModel(*this)), m_order(new ValueOrder(this)) {
    m_order->setSourceModel(m_model);
    m_order->setSortRole(ValueTableModel::kSortRole);
    m_order->setFilterKeyColumn(-1);
    m_order->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setModel(m_order);
    setItemDelegate(new ValueDelegate(*m_model, this));
    makeRows(*this);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setWordWrap(false);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    onEvents(*this, {QEvent::FontChange, QEvent::Polish}, [this] {
        verticalHeader()->setDefaultSectionSize(static_cast<int>(fontMetrics().height() * kRowHeight));
    });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { Q_EMIT chosenChanged(); });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        Q_EMIT rowActivated(static_cast<std::size_t>(m_order->mapToSource(index).row()));
    });
}

void ValueTable::setSorted() {
    makeSortedRows(*this);
    horizontalHeader()->setSortIndicatorClearable(true);  // a third click restores the order in which rows were given
}

void ValueTable::setFilter(const QString& words) { m_order->setFilterFixedString(words); }

int ValueTable::shownRows() const { return m_order->rowCount(); }

void ValueTable::showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows) {
    m_model->showRows(std::move(columns), std::move(rows));
    fitColumns();
}

void ValueTable::fitColumns() {
    resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        setColumnWidth(column, columnWidth(column) + fontMetrics().averageCharWidth() * kColumnGap);
}

std::optional<std::size_t> ValueTable::chosen() const {
    const QModelIndex index = m_order->mapToSource(currentIndex());
    return index.isValid() ? std::optional(static_cast<std::size_t>(index.row())) : std::nullopt;
}

void ValueTable::choose(std::optional<std::size_t> row) {
    if (row == chosen())
        return;
    if (row && *row < rows().size()) {
        const QModelIndex index = m_order->mapFromSource(m_model->index(static_cast<int>(*row), 0));
        if (!index.isValid())
            return;
        selectRow(index.row());
        scrollTo(index);
    } else {
        setCurrentIndex({});
        clearSelection();
    }
}

QSize ValueTable::sizeHint() const {
    const int rows = std::clamp(m_model->rowCount(), 1, kMostRowsHinted) + 2;
    return {fontMetrics().averageCharWidth() * 60, static_cast<int>(rows * fontMetrics().height() * kRowHeight)};
}

QString ValueTable::copied() const {
    QStringList titles;
    for (int column = 0; column < m_model->columnCount(); ++column)
        titles << m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().trimmed();
    QStringList lines{titles.join(QLatin1Char('\t'))};
    const bool some = selectionMode() == QAbstractItemView::ExtendedSelection && selectionModel()->hasSelection();
    for (int row = 0; row < m_order->rowCount(); ++row) {
        const QModelIndex index = m_order->index(row, 0);
        if (!some || selectionModel()->isRowSelected(row))
            lines << rows()[static_cast<std::size_t>(m_order->mapToSource(index).row())].cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')).replace(QChar(0x00a0), QLatin1Char(' ')) + QLatin1Char('\n');
}

void ValueTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        QGuiApplication::clipboard()->setText(copied());
    else if (isEnter(event->key()) && isPlain(*event) && chosen())
        Q_EMIT rowActivated(*chosen());
    else
        QTableView::keyPressEvent(event);
}

}  // namespace ui
