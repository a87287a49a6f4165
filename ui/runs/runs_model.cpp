#include "ui/runs/runs_model.h"

#include "data/sweep/sweep_document.h"
#include "ui/look/format.h"

#include <QDateTime>

namespace ui {

RunsModel::RunsModel(QObject* parent) : QAbstractTableModel(parent) { setColumns(usualRunColumns()); }

void RunsModel::overlay(const std::vector<data::CatalogueRow>& changed, std::uint64_t number) {
    for (const data::CatalogueRow& row : changed)
        m_list.overlay(row, number);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunsModel::setColumns(const std::vector<std::string>& paths) {
    beginResetModel();
    m_columns.clear();
    for (const std::string& path : paths) {
        if (auto column = runColumn(path))
            m_columns.push_back(std::move(*column));
    }
    endResetModel();
}

std::optional<int> RunsModel::columnOf(const std::string& path) const {
    for (std::size_t at = 0; at < m_columns.size(); ++at) {
        if (m_columns[at].path == path)
            return static_cast<int>(at);
    }
    return std::nullopt;
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_list.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QString RunsModel::text(const data::CatalogueRow& row, std::size_t at) const {
    const RunColumn& column = m_columns[at];
    if (column.path == run_column::name)
        return QString::fromStdString(row.name);
    if (column.path == run_column::when)
        return whenText(row.createdUnixMs, QDateTime::currentMSecsSinceEpoch());
    if (column.path == run_column::note)
        return QString::fromStdString(row.note);
    if (column.path == run_column::tags)
        return tagsText(row.tags);
    if (column.path == run_column::engine)
        return QString::fromStdString(row.engineVersion);
    // A column that was chosen a moment ago is being read.
    const auto value = m_list.valueIndex(column.path);
    return value ? runValueText(column, row.values[*value]) : QStringLiteral("…");
}

QString RunsModel::titleOf(const SweepLine& line) const {
    const data::StoredSweep& sweep = *line.sweep;
    const std::string key = sweep.id + sweep.label;
    auto title = m_titles.find(key);
    if (title == m_titles.end()) {
        const std::string axes = data::axesText(data::readSweep(sweep.document, sweep.id).sweep);
        const QString label = QString::fromStdString(sweep.label);
        title =
            m_titles
                .emplace(key, axes == sweep.label ? label
                                                  : QStringLiteral("%1 (%2)").arg(label, QString::fromStdString(axes)))
                .first;
    }
    return tr("%1%2: %3 runs")
        .arg(QString::fromStdString(line.shared), title->second,
             formatCount(static_cast<std::int64_t>(line.members.size())));
}

QString RunsModel::sweepText(const SweepLine& sweep, const data::CatalogueRow& first, std::size_t column) const {
    if (m_columns[column].path == run_column::name)
        return titleOf(sweep);
    return m_columns[column].path == run_column::when ? text(first, column) : QString();
}

QString RunsModel::tip(const data::CatalogueRow& row, std::size_t at) const {
    const RunColumn& column = m_columns[at];
    if (column.path == run_column::when)
        return tr("kept %1 by engine %2")
            .arg(exactTimeText(row.createdUnixMs), QString::fromStdString(row.engineVersion));
    if (column.path == run_column::name)
        return tr("%1\nEnter or double click opens its timeline").arg(QString::fromStdString(row.name));
    return text(row, at);
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const auto at = static_cast<std::size_t>(index.column());
    if (const SweepLine* sweep = sweepAt(index.row()); sweep != nullptr && role != Qt::TextAlignmentRole) {
        const QString text = sweepText(*sweep, row(index.row()), at);
        if (role == Qt::DisplayRole)
            return text;
        if (role == Qt::ToolTipRole)
            return tr("%1\nRight unfolds it, Left folds it").arg(text);
        if (role == Qt::AccessibleTextRole)
            return text.isEmpty() ? text : sweep->open ? tr("%1, unfolded").arg(text) : tr("%1, folded").arg(text);
        return {};
    }
    // Beneath its sweep a run says only how it differs from the others.
    const SweepLine* over = m_list.sweepOver(static_cast<std::size_t>(index.row()));
    if (over != nullptr && role == Qt::DisplayRole && m_columns[at].path == run_column::name)
        return QString::fromStdString(row(index.row()).name.substr(over->shared.size()));
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return text(row(index.row()), at);
    case Qt::ToolTipRole: return tip(row(index.row()), at);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (m_columns[at].isNumber ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= columnCount())
        return {};
    const RunColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole: return column.title;
    case Qt::ToolTipRole:
        return tr("%1: %2\n%3").arg(column.group, column.meaning, QString::fromStdString(column.path));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (column.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    const std::string& path = m_columns[static_cast<std::size_t>(index.column())].path;
    const bool editable = (path == run_column::note || path == run_column::tags) && sweepAt(index.row()) == nullptr;
    const Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    return editable ? flags | Qt::ItemIsEditable : flags;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || value.toString() == data(index, Qt::EditRole).toString())
        return false;
    const auto id = static_cast<qint64>(row(index.row()).id);
    if (m_columns[static_cast<std::size_t>(index.column())].path == run_column::note)
        Q_EMIT noteEdited(id, value.toString().simplified());
    else
        Q_EMIT tagsEdited(id, value.toString());
    return true;
}

}  // namespace ui
