#include "ui/look/value_table.h"

#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr int kMostRowsHinted = 9;    // the preferred height has room for this many; with more rows the table scrolls
constexpr double kMarkSize = 0.67;    // lines
constexpr double kSwatchSize = 0.75;  // lines
constexpr double kBarHeight = 0.8;    // lines
constexpr double kTextureSpacing = 0.4;  // lines
constexpr double kHoverShare = 0.18;
constexpr int kRowsMeasured = 40;  // of a source, because making them takes time

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

/// Paints cells as the style does, with the elision of their columns, and their swatches and bars.
class ValueDelegate final : public QStyledItemDelegate {
public:
    ValueDelegate(const ValueTableModel& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const double line = option.fontMetrics.height();
        const QRectF cell = QRectF(option.rect).adjusted(2, 0, -6, 0);
        double left = cell.left();
        for (const ValueMark& mark : marksOf(index)) {
            if (mark.column != index.column() || mark.fill == nullptr)
                continue;
            const double wide = mark.share ? *mark.share * cell.width() : line * kSwatchSize;
            QRectF box(mark.share ? left : left + 2, 0, std::max(wide, 1.0),
                       line * (mark.share ? kBarHeight : kSwatchSize));
            box.moveTop(cell.center().y() - box.height() / 2);
            paintFill(*painter, box, mark.fill(mark.which, paletteOf(*option.widget)), line * kTextureSpacing);
            left += wide;
        }
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const bool middle = m_model.columns()[static_cast<std::size_t>(index.column())].elidesMiddle;
        option->textElideMode = middle ? Qt::ElideMiddle : Qt::ElideRight;
        const auto isSwatch = [&](const ValueMark& mark) {
            return mark.column == index.column() && mark.fill != nullptr && !mark.share;
        };
        if (std::ranges::any_of(marksOf(index), isSwatch)) {  // an empty icon makes room for it
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->decorationSize = QSize(static_cast<int>(option->fontMetrics.height() * kSwatchSize), 1);
        }
    }

private:
    const std::vector<ValueMark>& marksOf(const QModelIndex& index) const {
        const auto& order = *static_cast<const QSortFilterProxyModel*>(index.model());
        return m_model.rowAt(static_cast<std::size_t>(order.mapToSource(index).row())).marks;
    }

    const ValueTableModel& m_model;
};

}  // namespace

ValueTableModel::ValueTableModel(QTableView& table) : QAbstractTableModel(&table), m_table(table) {}

QString ValueTableModel::apart(int column, const QString& text) const {
    const QString air(2, QChar(0x00a0));
    if (!m_columns[static_cast<std::size_t>(column)].isText)
        return m_table.isSortingEnabled() ? text + air : text;
    return column > 0 || m_table.isSortingEnabled() ? air + text : text;
}

bool ValueTableModel::showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows, ValueSource source) {
    // The selection and the cell that a screen reader reads stay the same while only values change.
    const bool alike = columns == m_columns && rows.size() == m_rows.size() && source.rows == m_source.rows;
    if (!alike)
        beginResetModel();
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    m_source = std::move(source);
    m_made.reset();
    if (!alike)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return alike;
}

const ValueRow& ValueTableModel::rowAt(std::size_t row) const {
    if (!m_source.row)
        return m_rows[row];
    if (!m_made || m_made->first != row)
        m_made.emplace(row, m_source.row(row));
    return m_made->second;
}

void ValueTableModel::setHovered(std::optional<std::size_t> row) {
    for (const std::optional<std::size_t>& each : {std::exchange(m_hovered, row), row}) {
        if (each && static_cast<int>(*each) < rowCount())
            Q_EMIT dataChanged(index(static_cast<int>(*each), 0), index(static_cast<int>(*each), columnCount() - 1),
                               {Qt::BackgroundRole});
    }
}

int ValueTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_source.row ? m_source.rows : m_rows.size());
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
    if (role == Qt::ForegroundRole && row.marked == column)
        return colors.error;
    return role == Qt::ForegroundRole && row.isFaint ? QVariant(colors.inkFaint) : QVariant();
}

QVariant ValueTableModel::data(const QModelIndex& index, int role) const {
    const auto place = static_cast<std::size_t>(index.row());
    if (role == kSortRole && m_source.key)
        return m_source.key(place, index.column());
    if (role == Qt::BackgroundRole && m_hovered == place)
        return Palette::mixed(paletteOf(m_table).surface, paletteOf(m_table).accent, kHoverShare);
    const ValueRow& row = rowAt(place);
    const bool isText = m_columns[static_cast<std::size_t>(index.column())].isText;
    switch (role) {
    case Qt::DisplayRole: return apart(index.column(), row.cells[index.column()]);
    case Qt::TextAlignmentRole: return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case kSortRole:
        return row.keys.empty() ? QVariant(row.cells[index.column()])
                                : row.keys[static_cast<std::size_t>(index.column())];
    case Qt::ForegroundRole:
    case Qt::DecorationRole: return lookOf(row, index.column(), role);
    case Qt::ToolTipRole: {
        const QString meaning = row.meaning.isEmpty() ? QString() : QLatin1Char('\n') + row.meaning;
        return plainTip(row.tips.isEmpty() ? spokenOf(row) + meaning : row.tips[index.column()]);
    }
    case Qt::FontRole: return row.strong ? QVariant(strongFont({})) : QVariant();
    case Qt::AccessibleTextRole: return index.column() == 0 ? spokenOf(row) : row.cells[index.column()];
    case Qt::AccessibleDescriptionRole: return row.meaning;
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
    onEvents(*this, {QEvent::FontChange, QEvent::Polish}, [this] { setRowHeight(m_rowHeight); });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { Q_EMIT chosenChanged(); });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ValueTable::selectedChanged);
    connect(this, &QTableView::entered, this, [this](const QModelIndex& index) {
        Q_EMIT rowHovered(static_cast<std::size_t>(m_order->mapToSource(index).row()));
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        Q_EMIT rowActivated(static_cast<std::size_t>(m_order->mapToSource(index).row()));
    });
}

void ValueTable::setSorted() {
    makeSortedRows(*this);
    horizontalHeader()->setSortIndicatorClearable(true);  // a third click restores the order in which rows were given
}

void ValueTable::setRowHeight(double lines) {
    m_rowHeight = lines;
    verticalHeader()->setDefaultSectionSize(static_cast<int>(fontMetrics().height() * lines));
}

void ValueTable::setFilter(const QString& words) { m_order->setFilterFixedString(words); }

int ValueTable::shownRows() const { return m_order->rowCount(); }

void ValueTable::showRows(std::vector<ValueColumn> columns, std::vector<ValueRow> rows) {
    m_model->showRows(std::move(columns), std::move(rows));
    fitColumns();
}

void ValueTable::showSource(std::vector<ValueColumn> columns, ValueSource source) {
    horizontalHeader()->setResizeContentsPrecision(kRowsMeasured);
    if (!m_model->showRows(std::move(columns), {}, std::move(source)))
        fitColumns();
}

void ValueTable::fitColumns() {
    resizeColumnsToContents();
    if (isSortingEnabled())
        return;  // the texts have a gap at both edges
    for (int column = 0; column < m_model->columnCount(); ++column)
        setColumnWidth(column, columnWidth(column) + fontMetrics().averageCharWidth() * m_columnGap);
}

std::optional<std::size_t> ValueTable::chosen() const {
    const QModelIndex index = m_order->mapToSource(currentIndex());
    return index.isValid() ? std::optional(static_cast<std::size_t>(index.row())) : std::nullopt;
}

void ValueTable::choose(std::optional<std::size_t> row) {
    if (row == chosen())
        return;
    if (row && static_cast<int>(*row) < m_model->rowCount()) {
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

std::vector<std::size_t> ValueTable::selected() const {
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(static_cast<std::size_t>(m_order->mapToSource(index).row()));
    return rows;
}

void ValueTable::select(const std::vector<std::size_t>& rows) {
    QItemSelection selection;
    for (const std::size_t row : rows) {
        const QModelIndex index = m_order->mapFromSource(m_model->index(static_cast<int>(row), 0));
        selection.select(index, index);
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!rows.empty())
        scrollTo(m_order->mapFromSource(m_model->index(static_cast<int>(rows.front()), 0)));
}

QSize ValueTable::sizeHint() const {
    const int rows = std::clamp(m_model->rowCount(), 1, kMostRowsHinted) + 2;
    return {fontMetrics().averageCharWidth() * 60, static_cast<int>(rows * fontMetrics().height() * m_rowHeight)};
}

QString ValueTable::copied() const {
    const auto joined = [this](QStringList texts) {
        for (qsizetype i = texts.size(); i-- > 0;) {
            if (m_model->columns()[static_cast<std::size_t>(i)].title.isEmpty())
                texts.removeAt(i);
        }
        return texts.join(QLatin1Char('\t'));
    };
    QStringList titles;
    for (const ValueColumn& column : m_model->columns())
        titles << column.title;
    QStringList lines{joined(titles)};
    const bool some = selectionMode() == QAbstractItemView::ExtendedSelection && selectionModel()->hasSelection();
    for (int row = 0; row < m_order->rowCount(); ++row) {
        const QModelIndex index = m_order->index(row, 0);
        if (!some || selectionModel()->isRowSelected(row))
            lines << joined(m_model->rowAt(static_cast<std::size_t>(m_order->mapToSource(index).row())).cells);
    }
    return lines.join(QLatin1Char('\n')).replace(QChar(0x00a0), QLatin1Char(' ')) + QLatin1Char('\n');
}

void ValueTable::leaveEvent(QEvent* event) {
    QTableView::leaveEvent(event);
    Q_EMIT rowHovered(std::nullopt);
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
