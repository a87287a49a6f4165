#include "ui/look/value_table.h"

#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>

#include <utility>

namespace ui {
namespace {

constexpr int kMostRowsHinted = 9;  // the preferred height has room for this many; with more rows the table scrolls
constexpr int kColumnGap = 2;       // in letters
constexpr double kRowHeight = 1.5;  // lines

/// Returns a text with a gap before it. Texts are aligned left, so they would touch the number before them, which is
/// aligned right.
QString apart(int column, const QString& text) { return column == 0 ? text : QString(2, QChar(0x00a0)) + text; }

}  // namespace

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

void ValueTableModel::setMarkedInk(const QColor& ink) { m_markedInk = ink; }

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

QVariant ValueTableModel::data(const QModelIndex& index, int role) const {
    const ValueRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isText = m_columns[static_cast<std::size_t>(index.column())].isText;
    switch (role) {
    case Qt::DisplayRole: return isText ? apart(index.column(), row.cells[index.column()]) : row.cells[index.column()];
    case Qt::TextAlignmentRole: return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole: return row.marked == index.column() ? QVariant(m_markedInk) : QVariant();
    case Qt::ToolTipRole: return plainTip(spokenOf(row));
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

ValueTable::ValueTable(QWidget* parent) : QTableView(parent), m_model(new ValueTableModel(this)) {
    setModel(m_model);
    makeRows(*this);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setWordWrap(false);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    followColours(*this, [this] { m_model->setMarkedInk(paletteOf(*this).error); });
    onEvents(*this, {QEvent::FontChange, QEvent::Polish}, [this] {
        verticalHeader()->setDefaultSectionSize(static_cast<int>(fontMetrics().height() * kRowHeight));
    });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { Q_EMIT chosenChanged(); });
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT rowActivated(static_cast<std::size_t>(index.row())); });
}

void ValueTable::showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows) {
    m_model->showRows(std::move(columns), std::move(rows));
    resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        setColumnWidth(column, columnWidth(column) + fontMetrics().averageCharWidth() * kColumnGap);
}

std::optional<std::size_t> ValueTable::chosen() const {
    return currentIndex().isValid() ? std::optional(static_cast<std::size_t>(currentIndex().row())) : std::nullopt;
}

void ValueTable::choose(std::optional<std::size_t> row) {
    if (row == chosen())
        return;
    if (row && *row < rows().size()) {
        selectRow(static_cast<int>(*row));
        scrollTo(currentIndex());
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
    for (const ValueRow& row : rows())
        lines << row.cells.join(QLatin1Char('\t'));
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
