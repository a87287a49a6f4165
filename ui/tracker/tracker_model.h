#pragma once

#include "data/replay/ring_state.h"
#include "data/replay/span_ref.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {
struct Trace;
}

namespace ui {

/// The values of one wavefront's counter.
struct CounterBar {
    double landed = 0;  ///< updates that have arrived, as a share of the threshold
    double before = 0;  ///< the same when the table was last shown: the difference has just arrived
};

/// One row: an entry in use, the entry that was closed last, or a free set.
struct TrackerRow {
    enum class Kind : std::uint8_t { taken, closed, free };
    Kind kind = Kind::free;
    data::TrackerEntry entry;  ///< for a free set, only `set` is valid
    std::vector<std::uint32_t> before;
    bool latest = false;  ///< this entry has counted the latest update

    bool operator==(const TrackerRow&) const = default;
};

/// The tracker of one GPU at one time, as a table. The entry that was closed last stays at the top, full, until another
/// one is closed.
class TrackerModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { set, tag, workgroup, tile, chunk, counters, landed, heldFor, columns };
    enum Roles { rowRole = Qt::UserRole + 1 };

    explicit TrackerModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Shows another time. `closed`: the entry of the tile that was closed last, as it was just before. `sets`: the
    /// number of sets. `fresh`: the state shown before is not comparable, for example because it belongs to another
    /// GPU.
    void show(const data::GpuState& state, std::int64_t ps, const std::optional<data::TrackerEntry>& closed,
              std::uint32_t sets, bool fresh);
    void clear();
    void setOnlyTaken(bool only);
    bool onlyTaken() const { return m_onlyTaken; }

    const TrackerRow& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }
    std::optional<int> rowOfTile(std::uint32_t tile) const;
    static std::vector<CounterBar> barsOf(const TrackerRow& row);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<TrackerRow> rowsNow() const;
    void replaceRows(std::vector<TrackerRow> rows);
    void notifyChanged(const std::vector<int>& rows);
    QString text(const TrackerRow& row, int column) const;

    std::vector<data::TrackerEntry> m_entries;
    std::optional<data::TrackerEntry> m_closed;
    std::optional<data::Landing> m_lastLanding;
    std::vector<data::TrackerEntry> m_earlier;  // the entries that were shown before
    std::vector<TrackerRow> m_rows;
    std::int64_t m_ps = 0;
    std::uint32_t m_sets = 0;
    bool m_onlyTaken = true;
};

/// Returns the span during which the tracker of `gpu` held an entry for `tile`, beginning at `sincePs`; `tile` is
/// numbered as on `gpu`.
std::optional<data::SpanRef> trackedSpan(const engine::Trace& trace, std::uint32_t gpu, std::uint32_t tile,
                                         std::int64_t sincePs);

/// Returns the tile that a span belongs to, as the span's GPU numbers it; an empty optional for spans without a tile.
std::optional<std::uint32_t> tileOf(const engine::Trace& trace, data::SpanRef span);

}  // namespace ui
