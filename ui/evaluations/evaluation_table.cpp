#include "ui/evaluations/evaluation_table.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPolygonF>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include <algorithm>

namespace ui {
namespace {

/// Paints the mark of a role. Each role has its own shape, so that it is recognised without colour: a square, a disc, a
/// triangle, a diamond, a ring.
void paintRoleMark(QPainter& painter, const QRectF& box, data::EvaluationRole role, const QColor& color) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, box.width() / 6));
    painter.setBrush(role == data::EvaluationRole::context ? QBrush(Qt::NoBrush) : QBrush(color));
    const QPointF centre = box.center();
    const double half = box.width() / 2;
    switch (role) {
    case data::EvaluationRole::exact:
        painter.drawRect(QRectF(centre.x() - half * 0.7, centre.y() - half * 0.7, half * 1.4, half * 1.4));
        break;
    case data::EvaluationRole::blind:
        painter.drawPolygon(QPolygonF({{centre.x(), centre.y() - half},
                                       {centre.x() + half, centre.y()},
                                       {centre.x(), centre.y() + half},
                                       {centre.x() - half, centre.y()}}));
        break;
    case data::EvaluationRole::visible:
        painter.drawPolygon(QPolygonF({{centre.x(), centre.y() - half * 0.9},
                                       {centre.x() + half * 0.9, centre.y() + half * 0.7},
                                       {centre.x() - half * 0.9, centre.y() + half * 0.7}}));
        break;
    case data::EvaluationRole::calibrated:
    case data::EvaluationRole::context: painter.drawEllipse(centre, half * 0.8, half * 0.8); break;
    }
}

QColor roleColor(data::EvaluationRole role, const Palette& colors) {
    switch (role) {
    case data::EvaluationRole::exact: return colors.accent;
    case data::EvaluationRole::calibrated: return colors.of(Role::exposed);
    case data::EvaluationRole::visible: return colors.of(Role::dma);
    case data::EvaluationRole::blind: return colors.ink;
    case data::EvaluationRole::context: break;
    }
    return colors.inkSoft;
}

/// Returns the name of the icon before a verdict; null if the verdict has no icon.
const char* verdictIcon(data::RowVerdict verdict) {
    switch (verdict) {
    case data::RowVerdict::holds: return "check";
    case data::RowVerdict::fails: return "close";
    case data::RowVerdict::constantsChanged:
    case data::RowVerdict::noNumber: return "warning";
    default: return nullptr;
    }
}

QColor verdictColor(data::RowVerdict verdict, const Palette& colors) {
    switch (verdict) {
    case data::RowVerdict::holds: return colors.better;
    case data::RowVerdict::fails: return colors.error;
    case data::RowVerdict::constantsChanged:
    case data::RowVerdict::noNumber: return colors.ink;
    default: return colors.inkFaint;
    }
}

/// Paints cells with a margin beside their text, and the marks of roles and verdicts before it.
class EvaluationDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    static int markWidth(const QFontMetrics& metrics) { return metrics.height() * 5 / 4; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        plain.state &= ~QStyle::State_HasFocus;  // rows have the focus, not cells
        initStyleOption(&plain, index);
        plain.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &plain, painter, plain.widget);
        const Palette& colors = paletteOf(*option.widget);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const int air = option.fontMetrics.horizontalAdvance(QLatin1Char('0'));
        QRect box = option.rect.adjusted(air, 0, -air, 0);
        painter->save();
        QColor ink = colors.ink;
        const int role = index.data(EvaluationRowsModel::roleMarkRole).toInt();
        const int verdict = index.data(EvaluationRowsModel::verdictMarkRole).toInt();
        const int size = option.fontMetrics.height() * 2 / 3;
        const QRect mark(box.left(), box.center().y() - size / 2, size, size);
        if (role >= 0) {
            const auto which = static_cast<data::EvaluationRole>(role);
            paintRoleMark(*painter, mark, which, selected ? colors.onAccent : roleColor(which, colors));
        }
        if (verdict >= 0) {
            const auto which = static_cast<data::RowVerdict>(verdict);
            ink = verdictColor(which, colors);
            if (const char* icon = verdictIcon(which))
                tintedIcon(QString::fromLatin1(icon), selected ? colors.onAccent : ink).paint(painter, mark);
        }
        if (role >= 0 || verdict >= 0)
            box.setLeft(box.left() + markWidth(option.fontMetrics));
        painter->setPen(selected ? colors.onAccent : ink);
        painter->drawText(box, static_cast<int>(plain.displayAlignment),
                          option.fontMetrics.elidedText(plain.text, elision(index), box.width()));
        painter->restore();
    }

private:
    /// Elides ids in the middle, because items differ at the beginning and the rows of an item at the end.
    static Qt::TextElideMode elision(const QModelIndex& index) {
        return index.column() == EvaluationRowsModel::item ? Qt::ElideMiddle : Qt::ElideRight;
    }
};

/// Sorts numbers as numbers; rows without a number come last in both sort directions.
class EvaluationOrder final : public QSortFilterProxyModel {
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

constexpr int kLeastWords = 16;  // minimum width of the columns Item and Quantity, in digits
constexpr int kWidestCell = 34;  // maximum width of the other columns, in digits

}  // namespace

EvaluationTable::EvaluationTable(QWidget* parent)
    : QTableView(parent), m_model(new EvaluationRowsModel(this)), m_order(new EvaluationOrder(this)) {
    setNames(*this, QStringLiteral("evaluationRows"), tr("Rows of the evaluation"));
    m_order->setSourceModel(m_model);
    m_order->setSortRole(EvaluationRowsModel::sortRole);
    m_order->setFilterKeyColumn(-1);
    m_order->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setModel(m_order);
    setItemDelegate(new EvaluationDelegate(this));
    makeSortedRows(*this);
    horizontalHeader()->setSortIndicatorClearable(true);  // a third click restores the order of the document
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        Q_EMIT openRequested(static_cast<std::size_t>(m_order->mapToSource(index).row()));
    });
    fitColumns();
}

void EvaluationTable::setRows(std::vector<data::ReproducedItem> rows) {
    m_model->setRows(std::move(rows));
    fitColumns();
}

void EvaluationTable::setFilter(const QString& words) { m_order->setFilterFixedString(words); }

int EvaluationTable::shownRows() const { return m_order->rowCount(); }

std::optional<std::size_t> EvaluationTable::current() const {
    const QModelIndex index = currentIndex();
    return index.isValid() ? std::optional(static_cast<std::size_t>(m_order->mapToSource(index).row())) : std::nullopt;
}

void EvaluationTable::setCurrent(std::size_t row) {
    const QModelIndex index = m_order->mapFromSource(m_model->index(static_cast<int>(row), 0));
    if (!index.isValid())
        return;
    setCurrentIndex(index);
    scrollTo(index);
}

QString EvaluationTable::copied() const {
    QList<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    for (int row = 0; selectionModel()->selectedRows().isEmpty() && row < m_order->rowCount(); ++row)
        rows << row;
    QString lines;
    const auto add = [&](const auto& cell) {
        QStringList cells;
        for (int column = 0; column < EvaluationRowsModel::columns; ++column)
            cells << cell(column);
        lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    add([this](int column) { return m_order->headerData(column, Qt::Horizontal).toString().trimmed(); });
    for (const int row : rows)
        add([this, row](int column) { return m_order->index(row, column).data().toString(); });
    return lines;
}

void EvaluationTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    Q_EMIT currentRowChanged();
}

void EvaluationTable::keyPressEvent(QKeyEvent* event) {
    if (isEnter(event->key()) && isPlain(*event)) {
        if (const auto row = current())
            Q_EMIT openRequested(*row);
        return;
    }
    QTableView::keyPressEvent(event);
}

void EvaluationTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

void EvaluationTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitColumns();
}

// Sizes columns by the widest of the first rows. The column Item, which distinguishes the rows, gets the width that it
// needs as long as the column Quantity keeps its minimum, and Quantity gets the rest; the view shows the full texts of
// the current row. On a wide screen no column is wider than it needs to be, so that the numbers are near the items.
void EvaluationTable::fitColumns() {
    constexpr int kMeasured = 200;
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 8 / 5);
    const auto wanted = [&](int column) {
        int width = horizontalHeader()->sectionSizeHint(column);
        for (int row = 0; row < std::min(kMeasured, m_model->rowCount()); ++row)
            width = std::max(width, fontMetrics().horizontalAdvance(m_model->index(row, column).data().toString()) +
                                        3 * digit);
        return width;
    };
    int room = viewport()->width();
    for (const int column : {EvaluationRowsModel::ours, EvaluationRowsModel::published, EvaluationRowsModel::difference,
                             EvaluationRowsModel::label, EvaluationRowsModel::role, EvaluationRowsModel::verdict}) {
        const bool hasMark = column == EvaluationRowsModel::role || column == EvaluationRowsModel::verdict;
        const int width = std::min(wanted(column), kWidestCell * digit) +
                          (hasMark ? EvaluationDelegate::markWidth(fontMetrics()) : 0);
        setColumnWidth(column, width);
        room -= width;  // not columnWidth(), because the last column may be stretched
    }
    const int item =
        std::max(std::min(wanted(EvaluationRowsModel::item), room - kLeastWords * digit), kLeastWords * digit);
    setColumnWidth(EvaluationRowsModel::item, item);
    setColumnWidth(EvaluationRowsModel::what,
                   std::clamp(wantedWords(), kLeastWords * digit, std::max(kLeastWords * digit, room - item)));
}

int EvaluationTable::wantedWords() const {
    int width = 0;
    for (const data::ReproducedItem& row : m_model->rows())
        width = std::max(width, fontMetrics().horizontalAdvance(text(row.published.what)));
    return width + 3 * fontMetrics().horizontalAdvance(QLatin1Char('0'));
}

}  // namespace ui
