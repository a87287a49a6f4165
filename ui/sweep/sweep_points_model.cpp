#include "ui/sweep/sweep_points_model.h"

#include "data/presets/presets.h"
#include "data/results/metrics.h"
#include "ui/look/palette.h"
#include "ui/look/text.h"
#include "ui/shared/sweep_state.h"

#include <QApplication>
#include <QBrush>

namespace ui {
namespace {

constexpr double kHoverShare = 0.18;
// A number at the right edge and the word that begins the next column would touch without it.
QString air() { return QString(2, QChar(QChar::Nbsp)); }

/// As the form says it: "Block" alone could be anything's.
QString columnPlaceOf(const engine::Parameter& parameter) {
    const std::string_view name = engine::name(parameter.group);
    const QString group = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    const QString label = text(parameter.label);
    return group == label ? label : QStringLiteral("%1: %2").arg(group, label);
}

QString policyTitle(const std::string& name) {
    const data::Preset* preset = data::findPolicy(name);
    return preset != nullptr ? text(preset->title) : text(name);
}

bool colorsAreDark() { return QApplication::palette().color(QPalette::Base).lightness() < 128; }

}  // namespace

SweepPointsModel::SweepPointsModel(SweepState& state, QObject* parent) : QAbstractTableModel(parent), m_state(state) {
    connect(&m_state, &SweepState::tableChanged, this, &SweepPointsModel::takeTable);
    connect(&m_state, &SweepState::hoveredChanged, this, &SweepPointsModel::showHovered);
    takeTable();
}

void SweepPointsModel::takeTable() {
    const std::shared_ptr<const data::SweepTable> table = m_state.table();
    // While a sweep runs the rows stay the same; only what they say changes, so that selection and place are kept.
    if (m_table && table && table->id == m_table->id && table->rows.size() == m_table->rows.size() &&
        table->metrics == m_table->metrics) {
        m_table = table;
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_table = table;
    m_columns.clear();
    if (m_table) {
        for (std::size_t axis = 0; axis < m_table->sweep.axes.size(); ++axis) {
            for (std::size_t column = 0; column < m_table->sweep.axes[axis].columns.size(); ++column)
                m_columns.push_back({Column::Kind::parameter, axis, column, 0});
        }
        m_columns.push_back({Column::Kind::policy, 0, 0, 0});
        for (std::size_t metric = 0; metric < m_table->metrics.size(); ++metric)
            m_columns.push_back({Column::Kind::metric, 0, 0, metric});
        m_columns.push_back({Column::Kind::state, 0, 0, 0});
    }
    endResetModel();
}

void SweepPointsModel::showHovered() {
    const std::optional<std::size_t> before = std::exchange(m_hovered, m_state.hovered());
    for (const std::optional<std::size_t>& row : {before, m_hovered}) {
        if (row && static_cast<int>(*row) < rowCount())
            Q_EMIT dataChanged(index(static_cast<int>(*row), 0), index(static_cast<int>(*row), columnCount() - 1),
                               {Qt::BackgroundRole});
    }
}

int SweepPointsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->rows.size());
}

int SweepPointsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

const engine::ParameterValue& SweepPointsModel::valueOf(const data::SweepRow& row, const Column& column) const {
    return m_table->sweep.axes[column.axis].columns[column.column].values[row.at[column.axis]];
}

QString SweepPointsModel::textOf(const data::SweepRow& row, const Column& column) const {
    switch (column.kind) {
    case Column::Kind::parameter: {
        const std::string& path = m_table->sweep.axes[column.axis].columns[column.column].path;
        return text(engine::formatValue(*engine::findParameter(path), valueOf(row, column)));
    }
    case Column::Kind::policy: return policyTitle(m_table->sweep.policies[row.policy]);
    case Column::Kind::metric: {
        const data::Metric* metric = data::findMetric(m_table->metrics[column.metric]);
        const std::optional<double>& value = row.values[column.metric];
        if (metric == nullptr || !value)
            return row.state == data::PointState::done ? tr("none") : QString();
        return text(data::formatMetric(*metric, *value));
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

QVariant SweepPointsModel::sortKeyOf(const data::SweepRow& row, const Column& column) const {
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

QVariant SweepPointsModel::data(const QModelIndex& index, int role) const {
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
            return tr("This point failed: %1").arg(text(row.reason));
        return tr("Enter or double click opens the timeline of this point");
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

QVariant SweepPointsModel::headerData(int section, Qt::Orientation orientation, int role) const {
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
        return parameter != nullptr ? text(parameter->meaning) : metric != nullptr ? text(metric->meaning) : QString();
    if (role != Qt::DisplayRole)
        return {};
    if (column.kind == Column::Kind::policy)
        return air() + tr("Policy");
    if (column.kind == Column::Kind::state)
        return air() + tr("State");
    return (parameter != nullptr ? columnPlaceOf(*parameter)
            : metric != nullptr  ? text(metric->label)
                                 : text(m_table->metrics[column.metric])) +
           air();
}

}  // namespace ui
