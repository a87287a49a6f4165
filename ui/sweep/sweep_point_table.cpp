#include "ui/sweep/sweep_point_table.h"

#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_state.h"
#include "ui/sweep/sweep_points_model.h"

#include <QHeaderView>
#include <QItemSelection>
#include <QKeyEvent>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <vector>

namespace ui {

SweepPointTable::SweepPointTable(SweepState& state, QWidget* parent)
    : QTableView(parent), m_state(state), m_model(new SweepPointsModel(state, this)),
      m_order(new QSortFilterProxyModel(this)) {
    setNames(*this, QStringLiteral("sweepPoints"), tr("Points of the sweep"));
    m_order->setSourceModel(m_model);
    m_order->setSortRole(SweepPointsModel::kSortRole);
    setModel(m_order);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    makeRows(*this);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setStretchLastSection(true);
    connect(this, &QTableView::entered, this, [this](const QModelIndex& index) { m_state.setHovered(pointAt(index)); });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { m_state.open(pointAt(index)); });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &SweepPointTable::giveBrushed);
    connect(&m_state, &SweepState::brushedChanged, this, &SweepPointTable::takeBrushed);
    connect(m_model, &QAbstractItemModel::modelReset, this, &SweepPointTable::fitColumns);
    fitColumns();
}

std::size_t SweepPointTable::pointAt(const QModelIndex& index) const {
    return static_cast<std::size_t>(m_order->mapToSource(index).row());
}

void SweepPointTable::showPoint(std::size_t point) {
    const QModelIndex index = m_order->mapFromSource(m_model->index(static_cast<int>(point), 0));
    if (!index.isValid())
        return;
    setCurrentIndex(index);
    scrollTo(index, QAbstractItemView::PositionAtCenter);
}

void SweepPointTable::leaveEvent(QEvent* event) {
    QTableView::leaveEvent(event);
    m_state.setHovered(std::nullopt);
}

void SweepPointTable::keyPressEvent(QKeyEvent* event) {
    const bool opens = isEnter(event->key());
    if (opens && event->modifiers() == Qt::NoModifier && currentIndex().isValid()) {
        m_state.open(pointAt(currentIndex()));
        return;
    }
    QTableView::keyPressEvent(event);
}

void SweepPointTable::giveBrushed() {
    if (m_taking)
        return;
    std::vector<std::size_t> points;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        points.push_back(pointAt(index));
    m_taking = true;
    m_state.setBrushed(std::move(points));
    m_taking = false;
}

void SweepPointTable::takeBrushed() {
    if (m_taking)
        return;
    m_taking = true;
    QItemSelection rows;
    const int last = m_model->columnCount() - 1;
    for (const std::size_t point : m_state.brushed()) {
        const int row = static_cast<int>(point);
        const QModelIndex from = m_order->mapFromSource(m_model->index(row, 0));
        rows.append(QItemSelectionRange(from, m_order->mapFromSource(m_model->index(row, last))));
    }
    selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    if (!m_state.brushed().empty())
        scrollTo(m_order->mapFromSource(m_model->index(static_cast<int>(m_state.brushed().front()), 0)));
    m_taking = false;
}

void SweepPointTable::fitColumns() {
    // By the header and the first rows: measuring all of them would take long, and they look alike.
    constexpr int kMeasured = 40;
    const int last = m_order->columnCount() - 1;  // takes the room that is left, and has its reasons as tool tips
    const int gap = fontMetrics().averageCharWidth() * 3;
    for (int column = 0; column < m_order->columnCount(); ++column) {
        int width = horizontalHeader()->sectionSizeHint(column);
        for (int row = 0; row < std::min(kMeasured, m_order->rowCount()); ++row)
            width =
                std::max(width, fontMetrics().horizontalAdvance(m_order->index(row, column).data().toString()) + gap);
        setColumnWidth(column, column == last ? std::min(width, fontMetrics().averageCharWidth() * 24) : width);
    }
}

}  // namespace ui
