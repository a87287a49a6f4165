#include "ui/tracker/tracker_model.h"

#include "data/replay/kernel_number.h"
#include "data/replay/ring_places.h"
#include "engine/api/trace.h"
#include "ui/look/format.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ui {
namespace {

std::int64_t sum(const std::vector<std::uint32_t>& bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

// Returns the key that identifies a row while its entry is held. The keys order the closed entry first, then the others
// by set and age.
auto keyOf(const TrackerRow& row) {
    const bool isClosed = row.kind == TrackerRow::Kind::closed;
    return std::tuple(!isClosed, row.entry.set, row.kind == TrackerRow::Kind::free, row.entry.firstUpdatePs,
                      row.entry.tile);
}

bool isAboutATile(const engine::Span& span) {
    const engine::SpanKind kind = span.kind;
    if (data::isOfCompanion(span))
        return false;
    return kind == engine::SpanKind::workgroup || kind == engine::SpanKind::load || kind == engine::SpanKind::store ||
           kind == engine::SpanKind::trackedTile;
}

}  // namespace

void TrackerModel::show(const data::GpuState& state, std::int64_t ps, const std::optional<data::TrackerEntry>& closed,
                        std::uint32_t sets, bool fresh) {
    if (fresh)
        m_earlier = state.tracker;
    else if (m_ps != ps || m_entries != state.tracker)
        m_earlier = std::move(m_entries);
    m_entries = state.tracker;
    m_closed = closed;
    m_lastLanding = state.lastLanding;
    m_ps = ps;
    m_sets = sets;
    replaceRows(rowsNow());
}

void TrackerModel::clear() {
    beginResetModel();
    m_entries.clear();
    m_earlier.clear();
    m_closed.reset();
    m_lastLanding.reset();
    m_rows.clear();
    endResetModel();
}

void TrackerModel::setOnlyTaken(bool only) {
    m_onlyTaken = only;
    replaceRows(rowsNow());
}

std::vector<TrackerRow> TrackerModel::rowsNow() const {
    std::vector<TrackerRow> rows;
    if (m_closed)
        rows.push_back({TrackerRow::Kind::closed, *m_closed, m_closed->landedBytes, false});
    auto entry = m_entries.begin();
    const auto addTaken = [&] {
        const auto earlier = std::find_if(m_earlier.begin(), m_earlier.end(), [&](const data::TrackerEntry& other) {
            return other.tile == entry->tile && other.firstUpdatePs == entry->firstUpdatePs;
        });
        TrackerRow row{TrackerRow::Kind::taken, *entry, {}, false};
        row.before = earlier != m_earlier.end() ? earlier->landedBytes
                                                : std::vector<std::uint32_t>(entry->landedBytes.size(), 0);
        row.latest = m_lastLanding && entry->lastLanding == m_lastLanding;
        rows.push_back(std::move(row));
        ++entry;
    };
    if (m_onlyTaken) {
        while (entry != m_entries.end())
            addTaken();
        return rows;
    }
    for (std::uint32_t number = 0; number < m_sets; ++number) {
        const bool taken = entry != m_entries.end() && entry->set == number;
        if (!taken) {
            TrackerRow row;
            row.entry.set = number;
            rows.push_back(std::move(row));
        }
        while (entry != m_entries.end() && entry->set == number)
            addTaken();
    }
    return rows;
}

// Replaces rows one by one if few have changed, so that the selection and the scroll position stay.
void TrackerModel::replaceRows(std::vector<TrackerRow> rows) {
    constexpr std::ptrdiff_t kManyRows = 64;
    const auto size = [](const auto& list) { return static_cast<std::ptrdiff_t>(list.size()); };
    if (m_rows.empty() || std::abs(size(m_rows) - size(rows)) > kManyRows) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    std::vector<int> changed;
    int at = 0;
    for (TrackerRow& row : rows) {
        while (at < rowCount() && keyOf(m_rows[static_cast<std::size_t>(at)]) < keyOf(row)) {
            beginRemoveRows({}, at, at);
            m_rows.erase(m_rows.begin() + at);
            endRemoveRows();
        }
        if (at < rowCount() && keyOf(m_rows[static_cast<std::size_t>(at)]) == keyOf(row)) {
            TrackerRow& shown = m_rows[static_cast<std::size_t>(at)];
            if (shown != row)
                changed.push_back(at);
            shown = std::move(row);
        } else {
            beginInsertRows({}, at, at);
            m_rows.insert(m_rows.begin() + at, std::move(row));
            endInsertRows();
        }
        ++at;
    }
    if (at < rowCount()) {
        beginRemoveRows({}, at, rowCount() - 1);
        m_rows.erase(m_rows.begin() + at, m_rows.end());
        endRemoveRows();
    }
    notifyChanged(changed);
}

// Reports the changed rows. The column "held for" changes in all rows at every time, the others only where updates have
// landed.
void TrackerModel::notifyChanged(const std::vector<int>& rows) {
    if (m_rows.empty())
        return;
    for (const int row : rows)
        Q_EMIT dataChanged(index(row, 0), index(row, columns - 1));
    Q_EMIT dataChanged(index(0, heldFor), index(rowCount() - 1, heldFor));
}

std::optional<int> TrackerModel::rowOfTile(std::uint32_t wanted) const {
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [wanted](const TrackerRow& candidate) {
        return candidate.kind != TrackerRow::Kind::free && candidate.entry.tile == wanted;
    });
    return row == m_rows.end() ? std::nullopt : std::optional(static_cast<int>(row - m_rows.begin()));
}

std::vector<CounterBar> TrackerModel::barsOf(const TrackerRow& row) {
    std::vector<CounterBar> bars;
    for (std::size_t i = 0; i < row.entry.thresholdBytes.size(); ++i) {
        const double threshold = std::max(1u, row.entry.thresholdBytes[i]);
        const double now = row.kind == TrackerRow::Kind::closed ? 1 : row.entry.landedBytes[i] / threshold;
        const double before = i < row.before.size() ? row.before[i] / threshold : 0;
        bars.push_back({now, std::min(now, before)});
    }
    return bars;
}

int TrackerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TrackerModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString TrackerModel::text(const TrackerRow& row, int column) const {
    const data::TrackerEntry& entry = row.entry;
    if (column == set)
        return QString::number(entry.set);
    if (row.kind == TrackerRow::Kind::free)
        return column == tag ? tr("free") : QString();
    switch (column) {
    case tag: return QString::number(entry.tag);
    case workgroup: return QString::number(entry.workgroup);
    case tile: return QString::number(entry.tile);
    case chunk: return QString::number(entry.chunk);
    case landed: {
        const std::int64_t threshold = sum(entry.thresholdBytes);
        const bool closed = row.kind == TrackerRow::Kind::closed;
        return tr("%1 of %2").arg(formatBytes(closed ? threshold : sum(entry.landedBytes)), formatBytes(threshold));
    }
    case heldFor:
        return row.kind == TrackerRow::Kind::closed
                   ? tr("closed")
                   : formatTime(std::max<std::int64_t>(0, m_ps - entry.firstUpdatePs), 3);
    default: return {};
    }
}

QVariant TrackerModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const TrackerRow& shown = row(index.row());
    switch (role) {
    case Qt::DisplayRole: return text(shown, index.column());
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        if (shown.kind == TrackerRow::Kind::free)
            return tr("set %1 is free").arg(shown.entry.set);
        return tr("set %1, tag %2, workgroup %3, tile %4 of chunk %5: %6")
            .arg(shown.entry.set)
            .arg(shown.entry.tag)
            .arg(shown.entry.workgroup)
            .arg(shown.entry.tile)
            .arg(shown.entry.chunk)
            .arg(text(shown, landed));
    }
    default: return {};
    }
}

QVariant TrackerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == counters ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case set: return tr("The low bits of the workgroup id select the set");
        case tag: return tr("The remaining bits of the workgroup id");
        case workgroup: return tr("Position of the tile in this GPU's order");
        case counters:
            return tr("Bytes that have landed for each wavefront, up to the threshold that closes the entry");
        case heldFor: return tr("Time since the first update was admitted");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case set: return tr("set");
    case tag: return tr("tag");
    case workgroup: return tr("workgroup");
    case tile: return tr("tile");
    case chunk: return tr("chunk");
    case counters: return tr("wavefronts: landed of threshold");
    case landed: return tr("landed");
    case heldFor: return tr("held for");
    default: return {};
    }
}

std::optional<data::SpanRef> trackedSpan(const engine::Trace& trace, std::uint32_t gpu, std::uint32_t tile,
                                         std::int64_t sincePs) {
    const data::RingPlaces places(trace);
    const std::uint32_t recorded = places.recordedTile(gpu, tile);
    for (std::uint32_t i = 0; i < trace.lanes.size(); ++i) {
        const engine::Lane& lane = trace.lanes[i];
        if (lane.kind != engine::LaneKind::tracker || lane.gpu != places.recorded(gpu))
            continue;
        const auto found = std::find_if(lane.spans.begin(), lane.spans.end(), [&](const engine::Span& span) {
            return span.kind == engine::SpanKind::trackedTile && span.first == recorded && span.start.ps == sincePs;
        });
        if (found != lane.spans.end())
            return data::SpanRef{gpu, i, static_cast<std::uint32_t>(found - lane.spans.begin())};
    }
    return std::nullopt;
}

std::optional<std::uint32_t> tileOf(const engine::Trace& trace, data::SpanRef ref) {
    if (ref.lane >= trace.lanes.size() || ref.span >= trace.lanes[ref.lane].spans.size())
        return std::nullopt;
    const engine::Span& span = trace.lanes[ref.lane].spans[ref.span];
    if (!isAboutATile(span))
        return std::nullopt;
    return data::RingPlaces(trace).tileOn(ref.gpu, span.first);
}

}  // namespace ui
