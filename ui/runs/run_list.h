#pragma once

#include "data/store/run_catalogue.h"
#include "ui/runs/run_columns.h"
#include "ui/shared/catalogue_session.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ui {

/// Several runs of a sweep, shown as one line that can be expanded.
struct SweepLine {
    const data::StoredSweep* sweep = nullptr;
    bool open = false;
    std::string shared;                  ///< the common beginning of all names (the case), if there is one
    std::vector<std::uint32_t> members;  ///< indices into the snapshot, in the order of the list
};

/// The visible runs and their order, from a snapshot, the user's changes since it was read, a filter and a sort column.
/// Arranges a hundred thousand rows within a few hundredths of a second. Promise: rows that compare equal keep the
/// snapshot's order, newest first, in both sort directions; rows without a value come last in both.
class RunList {
public:
    /// Sets a snapshot and returns the former one. Changes that the new snapshot contains are no longer kept
    /// separately.
    std::shared_ptr<const CatalogueSnapshot> setSnapshot(std::shared_ptr<const CatalogueSnapshot> snapshot);
    const std::shared_ptr<const CatalogueSnapshot>& snapshot() const { return m_snapshot; }
    /// Sets the filter; an empty optional accepts every run.
    void setFilter(std::optional<data::RunFilter> filter);
    const std::optional<data::RunFilter>& filter() const { return m_filter; }
    void sortBy(const std::string& path, bool descending);
    const std::string& sortedBy() const { return m_sortedBy; }
    bool isDescending() const { return m_descending; }

    /// Returns the number of lines: runs, and sweeps above their runs.
    std::size_t size() const { return m_lines.size(); }
    /// Returns the number of runs that the filter accepts, including runs of collapsed sweeps.
    std::size_t runCount() const { return m_runs; }
    /// Returns the row of a run; for the line of a sweep, that of its first run.
    const data::CatalogueRow& row(std::size_t position) const;
    /// Returns the sweep of a line; null for the line of a run.
    const SweepLine* sweepAt(std::size_t position) const;
    /// Returns the sweep above the run of a line; null if the run is not below a sweep, and for a sweep's own line.
    const SweepLine* sweepOver(std::size_t position) const;
    /// Returns whether the run of a line is below its sweep.
    bool isMember(std::size_t position) const { return m_lines[position].member; }
    /// Returns all runs of a line: one, or those of its sweep.
    std::vector<const data::CatalogueRow*> runsAt(std::size_t position) const;
    /// Returns the id of the line's run; for a sweep's line a number that no run has.
    std::int64_t idAt(std::size_t position) const;
    /// Returns the position of a line by its id; for a run in a collapsed sweep, that of the sweep.
    std::optional<std::size_t> positionOf(std::int64_t id) const;
    /// Expands or collapses a sweep.
    void setOpen(std::int64_t sweep, bool open);
    /// Returns the rows of these runs in the snapshot's order, including those that the filter hides.
    std::vector<const data::CatalogueRow*> find(const std::vector<std::int64_t>& ids) const;
    /// Returns the index of a path in the rows' values.
    std::optional<std::size_t> valueIndex(const std::string& path) const;

    /// Shows a changed row until a snapshot arrives that contains change `number`.
    void overlay(const data::CatalogueRow& changed, std::uint64_t number);
    void hide(const std::vector<std::int64_t>& ids, std::uint64_t number);
    void unhide(const std::vector<std::int64_t>& ids);
    /// Drops a change that has failed.
    void drop(std::uint64_t number);

private:
    struct Overlay {
        data::CatalogueRow row;
        std::uint64_t number = 0;
    };

    /// A visible line.
    struct Line {
        std::uint32_t at = 0;  ///< index into the snapshot
        std::int32_t sweep =
            -1;  ///< index into m_sweeps; set for a sweep's own line, and for its runs if there are several
        bool member = false;
    };

    void sort();
    void arrange();
    bool isShown(std::uint32_t at) const;
    std::string sharedCase(const SweepLine& sweep) const;
    void group(const std::vector<std::uint32_t>& shown);
    const data::CatalogueRow& current(std::size_t at) const;

    std::shared_ptr<const CatalogueSnapshot> m_snapshot;
    std::optional<data::RunFilter> m_filter;
    std::string m_sortedBy = "created";  ///< the order of snapshots
    bool m_descending = true;
    std::vector<std::uint32_t> m_sorted;  ///< indices of all rows of the snapshot
    std::vector<Line> m_lines;
    std::vector<SweepLine> m_sweeps;
    std::unordered_set<std::int64_t> m_open;  ///< keys of the expanded sweeps
    std::size_t m_runs = 0;
    std::unordered_map<std::int64_t, Overlay> m_overlays;
    std::unordered_map<std::int64_t, std::uint64_t> m_hidden;
};

/// The item model of a RunList. Texts are made only for the cells that a view asks for, which are the visible ones.
class RunsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit RunsModel(QObject* parent = nullptr);

    const RunList& list() const { return m_list; }
    /// Applies `change` to the list and resets the model; `change` may do anything.
    template <class Change>
    void rearrange(Change change) {
        beginResetModel();
        change(m_list);
        endResetModel();
    }
    /// Changes the content of rows without changing their order.
    void overlay(const std::vector<data::CatalogueRow>& changed, std::uint64_t number);

    void setColumns(const std::vector<std::string>& paths);
    const std::vector<RunColumn>& columns() const { return m_columns; }
    std::optional<int> columnOf(const std::string& path) const;
    /// Returns the sweep of a line; null for the line of a run.
    const SweepLine* sweepAt(int position) const { return m_list.sweepAt(static_cast<std::size_t>(position)); }
    const data::CatalogueRow& row(int position) const { return m_list.row(static_cast<std::size_t>(position)); }

    /// Returns the text of a cell for any run of the list.
    QString text(const data::CatalogueRow& row, std::size_t column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Requests a change of a note or of tags by a signal; does not change the model itself.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void noteEdited(qint64 id, const QString& note);
    void tagsEdited(qint64 id, const QString& tags);

private:
    /// Returns "t-nlg/op/tp8 Blocks on a node (Block): 6 runs".
    QString titleOf(const SweepLine& sweep) const;
    QString sweepText(const SweepLine& sweep, const data::CatalogueRow& first, std::size_t column) const;
    QString tip(const data::CatalogueRow& row, std::size_t column) const;

    RunList m_list;
    std::vector<RunColumn> m_columns;
    /// Titles of sweeps by id and label, cached because making one reads the sweep's document.
    mutable std::map<std::string, QString> m_titles;
};

}  // namespace ui
