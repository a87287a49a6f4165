#include "ui/sweep/sweep_point_table.h"

#include "data/results/metrics.h"
#include "data/sweep/point_texts.h"
#include "data/sweep/sweep_document.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_state.h"
#include "ui/sweep/sweep_words.h"

#include <QAbstractTableModel>
#include <QApplication>
#include <QBrush>
#include <QHeaderView>
#include <QItemSelection>
#include <QKeyEvent>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace ui {
namespace {

constexpr double kHoverShare = 0.18;
// Returns the space that keeps a number at the right edge apart from a word at the left edge of the next column.
QString air() { return QString(2, QChar(QChar::Nbsp)); }

bool colorsAreDark() { return QApplication::palette().color(QPalette::Base).lightness() < 128; }

}  // namespace

/// The points of a sweep as a table: a column for each parameter that varies, the policy, the metrics, and the state of
/// the point, with the reason if it failed. Row numbers are positions in SweepTable::rows.
class SweepPointsModel final : public QAbstractTableModel {
public:
    /// Role of the value by which rows are sorted: numbers are compared as numbers, texts as texts.
    static constexpr int kSortRole = Qt::UserRole;

    /// `state` must outlive the model.
    explicit SweepPointsModel(SweepState& state, QObject* parent) : QAbstractTableModel(parent), m_state(state) {
        connect(&m_state, &SweepState::tableChanged, this, &SweepPointsModel::takeTable);
        connect(&m_state, &SweepState::hoveredChanged, this, &SweepPointsModel::showHovered);
        takeTable();
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->rows.size());
    }

    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }

    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid() || !m_table)
            return {};
        const data::SweepRow& row = m_table->rows[static_cast<std::size_t>(index.row())];
        const Column& column = m_columns[static_cast<std::size_t>(index.column())];
        const Palette& colors = paletteOf(colorsAreDark() ? Theme::dark : Theme::light);
        switch (role) {
        case Qt::DisplayRole: return isNumber(column) ? textOf(row, column) + air() : air() + textOf(row, column);
        case kSortRole: return sortKeyOf(row, column);
        case Qt::TextAlignmentRole:
            return isNumber(column) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                    : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            if (row.state == data::PointState::failed)
                return plainTip(tr("This point failed: %1").arg(text(row.reason)));
            return data::isOfModels(m_table->sweep.of) ? tr("Enter or double click opens this point in the view Model")
                                                       : tr("Enter or double click opens the timeline of this point");
        case Qt::ForegroundRole:
            if (row.state == data::PointState::failed && column.kind == Column::Kind::state)
                return QBrush(colors.error);
            return row.state == data::PointState::missing ? QVariant(QBrush(colors.inkFaint)) : QVariant();
        case Qt::BackgroundRole:
            if (m_hovered && static_cast<std::size_t>(index.row()) == *m_hovered)
                return QBrush(Palette::mixed(colors.surface, colors.accent, kHoverShare));
            return {};
        default: return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || section >= columnCount())
            return {};
        const Column& column = m_columns[static_cast<std::size_t>(section)];
        if (role == Qt::TextAlignmentRole)
            return QVariant((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        const data::Metric* metric =
            column.kind == Column::Kind::metric ? data::findMetric(m_table->metrics[column.metric]) : nullptr;
        const engine::Parameter* parameter =
            column.kind == Column::Kind::parameter
                ? engine::findParameter(m_table->sweep.axes[column.axis].columns[column.column].path)
                : nullptr;
        if (role == Qt::ToolTipRole)
            return parameter != nullptr ? text(parameter->meaning)
                   : metric != nullptr  ? text(metric->meaning)
                                        : QString();
        if (role != Qt::DisplayRole)
            return {};
        if (column.kind == Column::Kind::policy)
            return air() + tr("Policy");
        if (column.kind == Column::Kind::state)
            return air() + tr("State");
        return (parameter != nullptr ? placeOf(*parameter)
                : metric != nullptr  ? text(metric->label)
                                     : text(m_table->metrics[column.metric])) +
               air();
    }

private:
    /// What a column shows: a parameter of an axis, the policy, a metric, or the state.
    struct Column {
        enum class Kind { parameter, policy, metric, state } kind{};
        std::size_t axis = 0, column = 0, metric = 0;
    };

    static bool isNumber(const Column& column) {
        return column.kind == Column::Kind::parameter || column.kind == Column::Kind::metric;
    }

    void setTable(const std::shared_ptr<const data::SweepTable>& table) {
        m_table = table;
        m_texts.reset();
        if (m_table)
            m_texts.emplace(*m_table);
    }

    void takeTable() {
        const std::shared_ptr<const data::SweepTable> table = m_state.table();
        // While a sweep runs, only the contents of rows change: without a reset, selection and scroll position stay.
        if (m_table && table && table->id == m_table->id && table->rows.size() == m_table->rows.size() &&
            table->metrics == m_table->metrics) {
            setTable(table);
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
        beginResetModel();
        setTable(table);
        m_columns.clear();
        if (m_table) {
            for (std::size_t axis = 0; axis < m_table->sweep.axes.size(); ++axis) {
                for (std::size_t column = 0; column < m_table->sweep.axes[axis].columns.size(); ++column)
                    m_columns.push_back({Column::Kind::parameter, axis, column, 0});
            }
            if (data::isTimed(m_table->sweep.of))
                m_columns.push_back({Column::Kind::policy, 0, 0, 0});
            for (std::size_t metric = 0; metric < m_table->metrics.size(); ++metric)
                m_columns.push_back({Column::Kind::metric, 0, 0, metric});
            m_columns.push_back({Column::Kind::state, 0, 0, 0});
        }
        endResetModel();
    }

    void showHovered() {
        const std::optional<std::size_t> before = std::exchange(m_hovered, m_state.hovered());
        for (const std::optional<std::size_t>& row : {before, m_hovered}) {
            if (row && static_cast<int>(*row) < rowCount())
                Q_EMIT dataChanged(index(static_cast<int>(*row), 0), index(static_cast<int>(*row), columnCount() - 1),
                                   {Qt::BackgroundRole});
        }
    }

    QString textOf(const data::SweepRow& row, const Column& column) const {
        switch (column.kind) {
        case Column::Kind::parameter: return text(m_texts->valueOf(column.axis, column.column, row.at[column.axis]));
        case Column::Kind::policy: return titleOfPolicy(m_table->sweep.policies[row.policy]);
        case Column::Kind::metric: {
            const data::Metric* metric = data::findMetric(m_table->metrics[column.metric]);
            const std::optional<double>& value = row.values[column.metric];
            if (metric == nullptr || !value)
                return row.state == data::PointState::done ? tr("none") : QString();
            return text(m_texts->numberOf(column.metric, *value));
        }
        case Column::Kind::state:
            switch (row.state) {
            case data::PointState::missing: return tr("not run yet");
            case data::PointState::done: return tr("done");
            case data::PointState::failed: return tr("failed: %1").arg(text(row.reason));
            }
        }
        return {};
    }

    QVariant sortKeyOf(const data::SweepRow& row, const Column& column) const {
        if (column.kind == Column::Kind::metric) {
            const std::optional<double>& value = row.values[column.metric];
            return value ? QVariant(*value) : QVariant();
        }
        if (column.kind == Column::Kind::policy)
            return static_cast<qulonglong>(row.policy);
        if (column.kind == Column::Kind::parameter)
            return static_cast<qulonglong>(row.at[column.axis]);
        return textOf(row, column);
    }

    SweepState& m_state;
    std::shared_ptr<const data::SweepTable> m_table;
    std::optional<data::PointTexts> m_texts;  // of m_table
    std::vector<Column> m_columns;
    std::optional<std::size_t> m_hovered;
};

SweepPointTable::SweepPointTable(SweepState& state, QWidget* parent)
    : QTableView(parent), m_state(state), m_model(new SweepPointsModel(state, this)),
      m_order(new QSortFilterProxyModel(this)) {
    setNames(*this, QStringLiteral("sweepPoints"), tr("Points of the sweep"));
    m_order->setSourceModel(m_model);
    m_order->setSortRole(SweepPointsModel::kSortRole);
    setModel(m_order);
    makeSortedRows(*this);
    setMouseTracking(true);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
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
    // Measures the header and the first rows: measuring all rows would take long, and their widths are similar.
    constexpr int kMeasured = 40;
    const int last = m_order->columnCount() - 1;  // fills the remaining width; tool tips show its reasons
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
