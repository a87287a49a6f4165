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

/// Several runs of a sweep, seen as one line that unfolds.
struct SweepLine {
    const data::StoredSweep* sweep = nullptr;
    bool open = false;
    std::string shared;                  ///< what the names of all begin with, the case, where it is the same
    std::vector<std::uint32_t> members;  ///< positions in the snapshot, in the order in which they are seen
};

/// Which runs are seen, in which order: a snapshot, what a person has changed since it was read, a filter and a column
/// to sort by. A hundred thousand rows are arranged within a few hundredths of a second.
/// Promise: rows that compare equal keep the snapshot's order, newest first, whichever way they are sorted; rows
/// without a value come last both ways.
class RunList {
public:
    /// Answers the snapshot it takes the place of. Changes that the new one knows of are no longer held beside it.
    std::shared_ptr<const CatalogueSnapshot> setSnapshot(std::shared_ptr<const CatalogueSnapshot> snapshot);
    const std::shared_ptr<const CatalogueSnapshot>& snapshot() const { return m_snapshot; }
    /// Nothing: every run.
    void setFilter(std::optional<data::RunFilter> filter);
    const std::optional<data::RunFilter>& filter() const { return m_filter; }
    void sortBy(const std::string& path, bool descending);
    const std::string& sortedBy() const { return m_sortedBy; }
    bool isDescending() const { return m_descending; }

    /// Lines: runs, and sweeps above theirs.
    std::size_t size() const { return m_lines.size(); }
    /// Runs that the filter lets through, in folded sweeps too.
    std::size_t runCount() const { return m_runs; }
    /// Of a sweep's line its first run.
    const data::CatalogueRow& row(std::size_t position) const;
    /// Null for the line of a run.
    const SweepLine* sweepAt(std::size_t position) const;
    /// Above the run of this line; null where it stands by itself, and for a sweep's own line.
    const SweepLine* sweepOver(std::size_t position) const;
    /// Whether the run of this line stands beneath its sweep.
    bool isMember(std::size_t position) const { return m_lines[position].member; }
    /// All runs of a line: one, or those of its sweep.
    std::vector<const data::CatalogueRow*> runsAt(std::size_t position) const;
    /// Of its run; of a sweep's line a number that no run has.
    std::int64_t idAt(std::size_t position) const;
    /// Position of a line by that; of a run that is folded away, of its sweep.
    std::optional<std::size_t> positionOf(std::int64_t id) const;
    /// Unfolds a sweep, or folds it.
    void setOpen(std::int64_t sweep, bool open);
    /// In the snapshot's order, also those that the filter leaves out.
    std::vector<const data::CatalogueRow*> find(const std::vector<std::int64_t>& ids) const;
    /// Of a path in the rows' values.
    std::optional<std::size_t> valueIndex(const std::string& path) const;

    /// What was changed here and is under way: seen at once, until a snapshot comes that knows of change `number`.
    void overlay(const data::CatalogueRow& changed, std::uint64_t number);
    void hide(const std::vector<std::int64_t>& ids, std::uint64_t number);
    void unhide(const std::vector<std::int64_t>& ids);
    /// The change came to nothing.
    void drop(std::uint64_t number);

private:
    struct Overlay {
        data::CatalogueRow row;
        std::uint64_t number = 0;
    };

    /// A line that is seen.
    struct Line {
        std::uint32_t at = 0;     ///< in the snapshot
        std::int32_t sweep = -1;  ///< in m_sweeps; of a sweep's own line, and of its runs where they are several
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
    std::string m_sortedBy = "created";  ///< as snapshots come
    bool m_descending = true;
    std::vector<std::uint32_t> m_sorted;  ///< positions in the snapshot, all of them
    std::vector<Line> m_lines;
    std::vector<SweepLine> m_sweeps;
    std::unordered_set<std::int64_t> m_open;  ///< sweeps, by their key
    std::size_t m_runs = 0;
    std::unordered_map<std::int64_t, Overlay> m_overlays;
    std::unordered_map<std::int64_t, std::uint64_t> m_hidden;
};

/// The runs of a RunList as a table. Text is made for the cells that are asked for, and for those only: a view asks for
/// what is in sight.
class RunsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit RunsModel(QObject* parent = nullptr);

    const RunList& list() const { return m_list; }
    /// `change` may do anything to the list; views are told that everything is new.
    template <class Change>
    void rearrange(Change change) {
        beginResetModel();
        change(m_list);
        endResetModel();
    }
    /// The same rows in the same order, with other words in some of them.
    void overlay(const std::vector<data::CatalogueRow>& changed, std::uint64_t number);

    void setColumns(const std::vector<std::string>& paths);
    const std::vector<RunColumn>& columns() const { return m_columns; }
    std::optional<int> columnOf(const std::string& path) const;
    /// Of the sweep whose line it is; null for the line of a run.
    const SweepLine* sweepAt(int position) const { return m_list.sweepAt(static_cast<std::size_t>(position)); }
    const data::CatalogueRow& row(int position) const { return m_list.row(static_cast<std::size_t>(position)); }

    /// Of any run of the list, as its cell says it.
    QString text(const data::CatalogueRow& row, std::size_t column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Asks for the change of a note or of tags; what becomes of it is somebody else's.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void noteEdited(qint64 id, const QString& note);
    void tagsEdited(qint64 id, const QString& tags);

private:
    /// "t-nlg/op/tp8 Blocks on a node (Block): 6 runs".
    QString titleOf(const SweepLine& sweep) const;
    QString sweepText(const SweepLine& sweep, const data::CatalogueRow& first, std::size_t column) const;
    QString tip(const data::CatalogueRow& row, std::size_t column) const;

    RunList m_list;
    std::vector<RunColumn> m_columns;
    mutable std::map<std::string, QString> m_titles;  ///< of sweeps, by what they are called and what varies: read once
};

}  // namespace ui
