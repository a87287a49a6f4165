#pragma once

#include "ui/runs/run_list.h"

#include <QTableView>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ui {

class RunsDelegate;
class RunsHeader;

/// The table of runs: rows of equal height and plain text cells, so that it is fast for any number of rows. After the
/// rows were rearranged, the table finds the selected and the visible runs again by their ids.
class RunsTable final : public QTableView {
    Q_OBJECT

public:
    /// `model` must outlive the table.
    explicit RunsTable(RunsModel& model, QWidget* parent = nullptr);

    const RunList& list() const { return m_model.list(); }
    bool showsRemoved() const { return list().snapshot() && list().snapshot()->query.trash; }
    /// Returns the ids of the selected runs in visible order; for a selected sweep, the ids of all its listed runs.
    std::vector<std::int64_t> selectedIds() const;
    std::vector<const data::CatalogueRow*> selectedRuns() const;
    std::vector<int> selectedRows() const;
    std::size_t selectedCount() const;
    /// Returns the id of the current run; an empty optional on the line of a sweep.
    std::optional<std::int64_t> currentId() const;
    /// Expands or collapses the sweep of the current line; returns false on the line of a run.
    bool toggleCurrentSweep();
    /// Selects lines by the ids of their runs, or RunList::idAt() for sweeps.
    void selectIds(const std::vector<std::int64_t>& lines);
    /// Makes a run the current one and scrolls to it.
    void showRun(std::int64_t id);
    /// Applies `change` to the model's list; `change` may do anything.
    void rearrange(const std::function<void(RunList&)>& change);
    void overlay(const std::vector<data::CatalogueRow>& changed, std::uint64_t number);
    /// Removes runs from the list; the run after them becomes the current one.
    void take(const std::vector<std::int64_t>& ids, std::uint64_t number);
    void showColumns(const std::vector<std::string>& paths);
    /// Returns the columns from left to right, in the order that the user may have changed.
    std::vector<std::string> columnOrder() const;
    /// Marks the two compared runs with A and B; an empty list marks none.
    void setCompared(const std::vector<std::int64_t>& ids);
    void showSortMark();
    /// Starts editing the cell of the current row in this column.
    void editColumn(const std::string& path);

    /// Returns the widths that the user gave to columns, in widths of a digit.
    const std::map<std::string, double>& ownWidths() const { return m_ownWidths; }
    void setOwnWidths(std::map<std::string, double> widths);

Q_SIGNALS:
    void selectionChangedByHand();
    void sortRequested(const QString& path, bool descending);
    void columnsMoved();

protected:
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    std::vector<std::int64_t> selectedLines() const;
    void openSweep(int row, bool open);
    bool walkTree(int key);
    void sizeRows();
    void sizeColumns();
    int widthOf(int column) const;
    void sortByColumn(int column);

    RunsModel& m_model;
    RunsDelegate* m_delegate;
    RunsHeader* m_header;
    std::map<std::string, double> m_ownWidths;
    bool m_quiet = false;  ///< true while the selection is being restored
    bool m_sizing = false;
};

}  // namespace ui
