#include "ui/sweep/sweep_point_table.h"

#include "data/results/metrics.h"
#include "data/sweep/point_texts.h"
#include "data/sweep/sweep_document.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_state.h"
#include "ui/sweep/sweep_words.h"

#include <QHeaderView>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ui {
namespace {

/// What the table shows of the points of a sweep.
class SweepPointTexts {
public:
    explicit SweepPointTexts(std::shared_ptr<const data::SweepTable> table)
        : m_table(std::move(table)), m_texts(*m_table) {
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

    std::vector<ValueColumn> titles() const {
        std::vector<ValueColumn> titles;
        for (const Column& column : m_columns)
            titles.push_back(titleOf(column));
        return titles;
    }

    ValueRow row(std::size_t index) const {
        const data::SweepRow& point = m_table->rows[index];
        ValueRow row;
        for (const Column& column : m_columns)
            row.cells << textOf(point, column);
        row.isFaint = point.state == data::PointState::missing;
        if (point.state == data::PointState::failed)
            row.marked = row.cells.size() - 1;
        const QString tip = point.state == data::PointState::failed
                                ? SweepPointTable::tr("This point failed: %1").arg(text(point.reason))
                            : data::isOfModels(m_table->sweep.of)
                                ? SweepPointTable::tr("Enter or double click opens this point in the view Model")
                                : SweepPointTable::tr("Enter or double click opens the timeline of this point");
        row.tips = QStringList(row.cells.size(), tip);
        return row;
    }

    QVariant key(std::size_t index, int place) const {
        const data::SweepRow& row = m_table->rows[index];
        const Column& column = m_columns[static_cast<std::size_t>(place)];
        switch (column.kind) {
        case Column::Kind::metric: {
            const std::optional<double>& value = row.values[column.metric];
            return value ? QVariant(*value) : QVariant();
        }
        case Column::Kind::policy: return static_cast<qulonglong>(row.policy);
        case Column::Kind::parameter: return static_cast<qulonglong>(row.at[column.axis]);
        case Column::Kind::state: break;
        }
        return textOf(row, column);
    }

private:
    /// What a column shows: a parameter of an axis, the policy, a metric, or the state.
    struct Column {
        enum class Kind { parameter, policy, metric, state } kind{};
        std::size_t axis = 0, column = 0, metric = 0;
    };

    ValueColumn titleOf(const Column& column) const {
        switch (column.kind) {
        case Column::Kind::policy: return {SweepPointTable::tr("Policy"), true};
        case Column::Kind::state: return {SweepPointTable::tr("State"), true};
        case Column::Kind::metric: {
            const std::string& path = m_table->metrics[column.metric];
            const data::Metric* metric = data::findMetric(path);
            return metric != nullptr ? ValueColumn{text(metric->label), false, text(metric->meaning)}
                                     : ValueColumn{text(path)};
        }
        case Column::Kind::parameter: break;
        }
        const engine::Parameter& parameter =
            *engine::findParameter(m_table->sweep.axes[column.axis].columns[column.column].path);
        return {placeOf(parameter), false, text(parameter.meaning)};
    }

    QString textOf(const data::SweepRow& row, const Column& column) const {
        switch (column.kind) {
        case Column::Kind::parameter: return text(m_texts.valueOf(column.axis, column.column, row.at[column.axis]));
        case Column::Kind::policy: return titleOfPolicy(m_table->sweep.policies[row.policy]);
        case Column::Kind::metric: {
            const data::Metric* metric = data::findMetric(m_table->metrics[column.metric]);
            const std::optional<double>& value = row.values[column.metric];
            if (metric == nullptr || !value)
                return row.state == data::PointState::done ? SweepPointTable::tr("none") : QString();
            return text(m_texts.numberOf(column.metric, *value));
        }
        case Column::Kind::state:
            switch (row.state) {
            case data::PointState::missing: return SweepPointTable::tr("not run yet");
            case data::PointState::done: return SweepPointTable::tr("done");
            case data::PointState::failed: return SweepPointTable::tr("failed: %1").arg(text(row.reason));
            }
        }
        return {};
    }

    std::shared_ptr<const data::SweepTable> m_table;
    data::PointTexts m_texts;
    std::vector<Column> m_columns;
};

}  // namespace

SweepPointTable::SweepPointTable(SweepState& state, QWidget* parent) : ValueTable(parent), m_state(state) {
    setNames(*this, QStringLiteral("sweepPoints"), tr("Points of the sweep"));
    setSorted();
    setMouseTracking(true);
    connect(this, &ValueTable::rowHovered, &m_state, &SweepState::setHovered);
    connect(this, &ValueTable::rowActivated, &m_state, &SweepState::open);
    connect(this, &ValueTable::selectedChanged, this, &SweepPointTable::giveBrushed);
    connect(&m_state, &SweepState::hoveredChanged, this, [this] { setHovered(m_state.hovered()); });
    connect(&m_state, &SweepState::brushedChanged, this, &SweepPointTable::takeBrushed);
    connect(&m_state, &SweepState::tableChanged, this, &SweepPointTable::takeTable);
    takeTable();
}

void SweepPointTable::takeTable() {
    if (!m_state.table())
        return showRows({}, {});
    if (std::exchange(m_shown, m_state.table()->id) != m_state.table()->id)
        showRows({}, {});  // the rows of another sweep: nothing stays selected
    const auto texts = std::make_shared<const SweepPointTexts>(m_state.table());
    showSource(texts->titles(), {m_state.table()->rows.size(), [texts](std::size_t row) { return texts->row(row); },
                                 [texts](std::size_t row, int column) { return texts->key(row, column); }});
}

void SweepPointTable::showPoint(std::size_t point) {
    choose(point);
    scrollTo(currentIndex(), QAbstractItemView::PositionAtCenter);
}

void SweepPointTable::giveBrushed() {
    if (m_taking)
        return;
    m_taking = true;
    m_state.setBrushed(selected());
    m_taking = false;
}

void SweepPointTable::takeBrushed() {
    if (m_taking)
        return;
    m_taking = true;
    select(m_state.brushed());
    m_taking = false;
}

void SweepPointTable::fitColumns() {
    ValueTable::fitColumns();
    const int last = model()->columnCount() - 1;  // fills the remaining width; tool tips show its reasons
    if (last >= 0)
        setColumnWidth(last, std::min(columnWidth(last), fontMetrics().averageCharWidth() * 24));
}

}  // namespace ui
