#include "ui/runs/run_list.h"

#include "data/sweep/sweep_document.h"
#include "ui/look/format.h"
#include "ui/look/plain_tip.h"
#include "ui/runs/run_columns.h"

#include <QDateTime>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace ui {
namespace {

/// The sort key of a row: numbers come before words, and rows without a value come last.
struct SortKey {
    enum class Kind : std::uint8_t { number, word, nothing };
    Kind kind = Kind::nothing;
    double number = 0;
    std::string_view word;
};

using KeyOf = std::function<SortKey(const data::CatalogueRow&)>;

SortKey wordKey(std::string_view word) { return word.empty() ? SortKey{} : SortKey{SortKey::Kind::word, 0, word}; }

SortKey valueKey(const data::CatalogueValue& value) {
    if (const auto* number = std::get_if<double>(&value))
        return {SortKey::Kind::number, *number, {}};
    if (const auto* word = std::get_if<std::string>(&value))
        return wordKey(*word);
    return {};
}

KeyOf keyOf(const std::string& path, std::optional<std::size_t> value) {
    if (path == run_column::name)
        return [](const data::CatalogueRow& row) { return wordKey(row.name); };
    if (path == run_column::when)
        return [](const data::CatalogueRow& row) {
            return SortKey{SortKey::Kind::number, static_cast<double>(row.createdUnixMs), {}};
        };
    if (path == run_column::note)
        return [](const data::CatalogueRow& row) { return wordKey(row.note); };
    if (path == run_column::engine)
        return [](const data::CatalogueRow& row) { return wordKey(row.engineVersion); };
    if (path == run_column::tags)
        return [](const data::CatalogueRow& row) { return row.tags.empty() ? SortKey{} : wordKey(row.tags.front()); };
    if (value)
        return [at = *value](const data::CatalogueRow& row) { return valueKey(row.values[at]); };
    return {};
}

bool isBefore(const SortKey& a, const SortKey& b, bool descending) {
    if (a.kind != b.kind)
        return a.kind < b.kind;
    if (a.kind == SortKey::Kind::number)
        return descending ? b.number < a.number : a.number < b.number;
    return descending ? b.word < a.word : a.word < b.word;
}

}  // namespace

std::shared_ptr<const CatalogueSnapshot> RunList::setSnapshot(std::shared_ptr<const CatalogueSnapshot> snapshot) {
    std::swap(m_snapshot, snapshot);
    if (m_snapshot) {
        std::erase_if(m_overlays, [this](const auto& entry) { return entry.second.number <= m_snapshot->changes; });
        std::erase_if(m_hidden, [this](const auto& entry) { return entry.second <= m_snapshot->changes; });
    }
    sort();
    return snapshot;
}

void RunList::setFilter(std::optional<data::RunFilter> filter) {
    m_filter = std::move(filter);
    arrange();
}

void RunList::sortBy(const std::string& path, bool descending) {
    if (path == m_sortedBy && descending == m_descending)
        return;
    m_sortedBy = path;
    m_descending = descending;
    sort();
}

const data::CatalogueRow& RunList::current(std::size_t at) const {
    const data::CatalogueRow& row = m_snapshot->rows[at];
    if (m_overlays.empty())
        return row;
    const auto changed = m_overlays.find(row.id);
    return changed == m_overlays.end() ? row : changed->second.row;
}

const data::CatalogueRow& RunList::row(std::size_t position) const { return current(m_lines[position].at); }

const SweepLine* RunList::sweepAt(std::size_t position) const {
    const Line& line = m_lines[position];
    return line.sweep < 0 || line.member ? nullptr : &m_sweeps[static_cast<std::size_t>(line.sweep)];
}

const SweepLine* RunList::sweepOver(std::size_t position) const {
    const Line& line = m_lines[position];
    return line.member ? &m_sweeps[static_cast<std::size_t>(line.sweep)] : nullptr;
}

std::string RunList::sharedCase(const SweepLine& sweep) const {
    const std::string& first = current(sweep.members.front()).name;
    const std::string named = first.substr(0, first.find(' ') + 1);
    const bool isShared = std::all_of(sweep.members.begin(), sweep.members.end(),
                                      [&](std::uint32_t at) { return current(at).name.starts_with(named); });
    return isShared ? named : std::string();
}

std::vector<const data::CatalogueRow*> RunList::runsAt(std::size_t position) const {
    const SweepLine* sweep = sweepAt(position);
    if (sweep == nullptr)
        return {&row(position)};
    std::vector<const data::CatalogueRow*> runs;
    for (const std::uint32_t at : sweep->members)
        runs.push_back(&current(at));
    return runs;
}

std::int64_t RunList::idAt(std::size_t position) const {
    const SweepLine* sweep = sweepAt(position);
    return sweep == nullptr ? row(position).id : -sweep->sweep->key;
}

std::optional<std::size_t> RunList::positionOf(std::int64_t id) const {
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const SweepLine* sweep = sweepAt(i);
        if (sweep == nullptr ? m_snapshot->rows[m_lines[i].at].id == id : -sweep->sweep->key == id)
            return i;
        const bool folded = sweep != nullptr && !sweep->open;
        if (folded && std::any_of(sweep->members.begin(), sweep->members.end(),
                                  [&](std::uint32_t at) { return m_snapshot->rows[at].id == id; }))
            return i;
    }
    return std::nullopt;
}

void RunList::setOpen(std::int64_t sweep, bool open) {
    if (open)
        m_open.insert(sweep);
    else
        m_open.erase(sweep);
    arrange();
}

std::vector<const data::CatalogueRow*> RunList::find(const std::vector<std::int64_t>& ids) const {
    const std::unordered_set<std::int64_t> wanted(ids.begin(), ids.end());
    std::vector<const data::CatalogueRow*> rows;
    for (std::size_t at = 0; m_snapshot && at < m_snapshot->rows.size() && rows.size() < wanted.size(); ++at) {
        if (wanted.contains(m_snapshot->rows[at].id))
            rows.push_back(&current(at));
    }
    return rows;
}

std::optional<std::size_t> RunList::valueIndex(const std::string& path) const {
    if (!m_snapshot)
        return std::nullopt;
    const std::vector<std::string>& columns = m_snapshot->query.columns;
    const auto at = std::find(columns.begin(), columns.end(), path);
    return at == columns.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - columns.begin()));
}

void RunList::overlay(const data::CatalogueRow& changed, std::uint64_t number) {
    m_overlays[changed.id] = {changed, number};
}

void RunList::hide(const std::vector<std::int64_t>& ids, std::uint64_t number) {
    for (const std::int64_t id : ids)
        m_hidden[id] = number;
    arrange();
}

void RunList::unhide(const std::vector<std::int64_t>& ids) {
    for (const std::int64_t id : ids)
        m_hidden.erase(id);
    arrange();
}

void RunList::drop(std::uint64_t number) {
    std::erase_if(m_overlays, [number](const auto& entry) { return entry.second.number == number; });
    std::erase_if(m_hidden, [number](const auto& entry) { return entry.second == number; });
    arrange();
}

void RunList::sort() {
    const std::size_t count = m_snapshot ? m_snapshot->rows.size() : 0;
    m_sorted.resize(count);
    std::iota(m_sorted.begin(), m_sorted.end(), 0u);
    if (const KeyOf key = keyOf(m_sortedBy, valueIndex(m_sortedBy)); key && count > 0) {
        // The keys are in one array, because reading them from the rows at each comparison takes three times as long.
        std::vector<SortKey> keys(count);
        for (std::size_t at = 0; at < count; ++at)
            keys[at] = key(current(at));
        std::stable_sort(m_sorted.begin(), m_sorted.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return isBefore(keys[a], keys[b], m_descending); });
    }
    arrange();
}

bool RunList::isShown(std::uint32_t at) const {
    const data::CatalogueRow& row = current(at);
    if (!m_hidden.empty() && m_hidden.contains(row.id))
        return false;
    return !m_filter || m_filter->accepts(row, m_snapshot->query.columns);
}

void RunList::arrange() {
    std::vector<std::uint32_t> shown;
    shown.reserve(m_sorted.size());
    std::copy_if(m_sorted.begin(), m_sorted.end(), std::back_inserter(shown),
                 [this](std::uint32_t at) { return isShown(at); });
    m_runs = shown.size();
    group(shown);
}

// Groups runs below their sweep, at the place of the sweep's first run. A sweep with a single visible run gets no line
// of its own.
void RunList::group(const std::vector<std::uint32_t>& shown) {
    m_sweeps.clear();
    m_lines.clear();
    m_lines.reserve(shown.size());
    std::unordered_map<std::int64_t, std::int32_t> places;
    if (m_snapshot && !m_snapshot->query.sweep && !m_snapshot->query.trash) {
        for (const data::StoredSweep& sweep : m_snapshot->sweeps) {
            places.emplace(sweep.key, static_cast<std::int32_t>(m_sweeps.size()));
            m_sweeps.push_back({&sweep, m_open.contains(sweep.key), {}, {}});
        }
    }
    const auto placeOf = [&](std::uint32_t at) {
        const std::int64_t key = m_snapshot->rows[at].sweep;
        const auto place = key == 0 ? places.end() : places.find(key);
        return place == places.end() ? -1 : place->second;
    };
    for (const std::uint32_t at : shown) {
        if (const std::int32_t place = placeOf(at); place >= 0)
            m_sweeps[static_cast<std::size_t>(place)].members.push_back(at);
    }
    for (SweepLine& sweep : m_sweeps) {
        if (!sweep.members.empty())
            sweep.shared = sharedCase(sweep);
    }
    for (const std::uint32_t at : shown) {
        const std::int32_t place = placeOf(at);
        const SweepLine* sweep = place < 0 ? nullptr : &m_sweeps[static_cast<std::size_t>(place)];
        if (sweep == nullptr || sweep->members.size() < 2) {
            m_lines.push_back({at, -1, false});
        } else if (sweep->members.front() == at) {
            m_lines.push_back({at, place, false});
            for (std::size_t i = 0; sweep->open && i < sweep->members.size(); ++i)
                m_lines.push_back({sweep->members[i], place, true});
        }
    }
}

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
    // The values of a newly chosen column may not have been read yet.
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
        return tr("Kept %1, by engine %2")
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
            return plainTip(tr("%1\nRight expands it, Left collapses it").arg(text));
        if (role == Qt::AccessibleTextRole)
            return text.isEmpty() ? text : sweep->open ? tr("%1, expanded").arg(text) : tr("%1, collapsed").arg(text);
        return {};
    }
    // Below its sweep, the name of a run omits the case that all runs of the sweep share.
    const SweepLine* over = m_list.sweepOver(static_cast<std::size_t>(index.row()));
    if (over != nullptr && role == Qt::DisplayRole && m_columns[at].path == run_column::name)
        return QString::fromStdString(row(index.row()).name.substr(over->shared.size()));
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return text(row(index.row()), at);
    case Qt::ToolTipRole: return plainTip(tip(row(index.row()), at));
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
