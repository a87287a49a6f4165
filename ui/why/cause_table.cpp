#include "ui/why/cause_table.h"

#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace ui {
namespace {

constexpr int kMostRowsShown = 10;  // all causes and the total; there may be many more GPUs, to which the table scrolls
constexpr double kRow = 1.45;       // lines of text

const std::vector<ShareRow>& rowsOf(const QModelIndex& index) {
    return static_cast<const CauseTableModel*>(index.model())->rows();
}

/// Returns the row at an index; null for the sum.
const ShareRow* rowAt(const QModelIndex& index) {
    const auto row = static_cast<std::size_t>(index.row());
    return row < rowsOf(index).size() ? &rowsOf(index)[row] : nullptr;
}

/// Draws a bar of a row's causes, whose length is proportional to the row's time; the bar of the largest row fills the
/// cell.
class ShareBar final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const ShareRow* row = rowAt(index);
        if (row == nullptr || option.widget == nullptr)
            return;
        std::int64_t most = 1;
        for (const ShareRow& each : rowsOf(index))
            most = std::max(most, each.total);
        const Palette& colors = paletteOf(*option.widget);
        const double height = option.fontMetrics.height() * 0.8;
        QRectF bar(option.rect.left() + 2, 0, option.rect.width() - 8, height);
        bar.moveTop(QRectF(option.rect).center().y() - height / 2);
        double x = bar.left();
        for (std::size_t i = 0; i < engine::kCauses; ++i) {
            const auto cause = static_cast<engine::Cause>(i);
            const double wide = bar.width() * static_cast<double>(row->times[cause].ps) / static_cast<double>(most);
            if (wide <= 0)
                continue;
            paintFill(*painter, QRectF(x, bar.top(), std::max(wide, 1.0), bar.height()), fillOf(cause, colors),
                      option.fontMetrics.height() * 0.4);
            x += wide;
        }
    }
};

/// Draws the name of a cause after a swatch of its colour, as a legend for the ribbon.
class CauseName final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const ShareRow* row = rowAt(index);
        if (row == nullptr || !row->cause || option.widget == nullptr)
            return QStyledItemDelegate::paint(painter, option, index);
        QStyleOptionViewItem moved = option;
        const int line = option.fontMetrics.height();
        moved.rect.setLeft(option.rect.left() + line);
        QStyledItemDelegate::paint(painter, moved, index);
        if ((option.state & QStyle::State_Selected) != 0)
            painter->fillRect(QRect(option.rect.left(), option.rect.top(), line, option.rect.height()),
                              option.palette.highlight());
        QRectF swatch(option.rect.left() + line * 0.25, 0, line * 0.75, line * 0.75);
        swatch.moveTop(QRectF(option.rect).center().y() - swatch.height() / 2);
        paintFill(*painter, swatch, fillOf(*row->cause, paletteOf(*option.widget)), line * 0.4);
    }
};

}  // namespace

void CauseTableModel::showRows(std::vector<ShareRow> rows) {
    const bool alike = rows.size() == m_rows.size();
    if (!alike)
        beginResetModel();
    m_rows = std::move(rows);
    m_total = 0;
    for (const ShareRow& row : m_rows)
        m_total += row.total;
    // If only numbers change, the selection and the position of a screen reader stay.
    if (alike)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    else
        endResetModel();
}

int CauseTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_rows.empty() ? 0 : static_cast<int>(m_rows.size()) + 1;
}

int CauseTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnCount_; }

QString CauseTableModel::nameOf(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return i < m_rows.size() ? m_rows[i].name : tr("total");
}

QString CauseTableModel::cell(const ShareRow& row, int column) const {
    if (column == timeColumn)
        return row.total == 0 ? QStringLiteral("–") : formatTimeSteady(row.total, std::max<std::int64_t>(m_total, 1));
    return column == shareColumn ? formatTenths(row.tenths) : QString();
}

QString CauseTableModel::rowText(int row) const {
    return tr("%1: %2, %3")
        .arg(nameOf(row), data(index(row, timeColumn), Qt::DisplayRole).toString(),
             data(index(row, shareColumn), Qt::DisplayRole).toString());
}

QVariant CauseTableModel::data(const QModelIndex& index, int role) const {
    const auto i = static_cast<std::size_t>(index.row());
    const bool isSum = i >= m_rows.size();
    switch (role) {
    case Qt::DisplayRole: {
        if (index.column() == nameColumn)
            return nameOf(index.row());
        int tenths = 0;
        for (const ShareRow& row : m_rows)
            tenths += row.tenths;
        return isSum ? cell({{}, {}, m_total, tenths, {}}, index.column()) : cell(m_rows[i], index.column());
    }
    case Qt::FontRole: {
        QFont strong;
        strong.setWeight(QFont::DemiBold);
        return isSum ? strong : QVariant();
    }
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() >= timeColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return !isSum && m_rows[i].cause ? rowText(index.row()) + QLatin1Char('\n') + meaningOf(*m_rows[i].cause)
                                         : rowText(index.row());
    case Qt::AccessibleTextRole:
        return index.column() == nameColumn ? rowText(index.row()) : data(index, Qt::DisplayRole);
    case Qt::AccessibleDescriptionRole: return !isSum && m_rows[i].cause ? meaningOf(*m_rows[i].cause) : QString();
    default: return {};
    }
}

QVariant CauseTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == timeColumn ? tr("time") : section == shareColumn ? tr("share") : QString();
}

CauseTable::CauseTable(QWidget* parent) : QTableView(parent), m_model(new CauseTableModel(this)) {
    setObjectName(QStringLiteral("causeTable"));
    setModel(m_model);
    setItemDelegateForColumn(CauseTableModel::nameColumn, new CauseName(this));
    setItemDelegateForColumn(CauseTableModel::barColumn, new ShareBar(this));
    setFrameShape(QFrame::NoFrame);
    makeRows(*this);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setWordWrap(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    horizontalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(CauseTableModel::nameColumn, QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(CauseTableModel::barColumn, QHeaderView::Stretch);
    horizontalHeader()->setMinimumSectionSize(8);
    fit();
    onEvents(*this, {QEvent::FontChange}, [this] { fit(); });
}

void CauseTable::showRows(std::vector<ShareRow> rows, const QString& heading) {
    setAccessibleName(heading);
    m_model->showRows(std::move(rows));
    setAccessibleDescription(m_model->rowCount() > 0 ? m_model->rowText(m_model->rowCount() - 1) : QString());
    fit();
}

void CauseTable::fit() {
    const QFontMetrics metrics(font());
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setDefaultSectionSize(static_cast<int>(metrics.height() * kRow));
    const int space = metrics.height();
    const QFont strong = strongFont(font());
    const auto widest = [&](int column) {
        int width = 0;
        for (int row = 0; row < m_model->rowCount(); ++row)
            width =
                std::max(width, QFontMetrics(strong).horizontalAdvance(m_model->index(row, column).data().toString()));
        return width;
    };
    const int name = widest(CauseTableModel::nameColumn) + space * 7 / 4;
    const int time = widest(CauseTableModel::timeColumn) + space;
    const int share = QFontMetrics(strong).horizontalAdvance(QStringLiteral("100.0\u00a0%")) + space;
    setColumnWidth(CauseTableModel::nameColumn, name);
    setColumnWidth(CauseTableModel::timeColumn, time);
    setColumnWidth(CauseTableModel::shareColumn, share);
    // A narrow panel hides first the bar, then the times; the shares are the most important.
    const int room = viewport()->width() - name - share;
    setColumnHidden(CauseTableModel::timeColumn, room < time);
    setColumnHidden(CauseTableModel::barColumn, room >= time && room - time < 2 * space);
    updateGeometry();
}

QSize CauseTable::sizeHint() const {
    const int rows = std::clamp(m_model->rowCount(), 1, kMostRowsShown);
    return {fontMetrics().averageCharWidth() * 40, rows * verticalHeader()->defaultSectionSize() + 2};
}

QSize CauseTable::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 24, sizeHint().height()}; }

void CauseTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fit();
}

}  // namespace ui
