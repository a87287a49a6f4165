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

/// The table of runs: rows of one height, cells as plain as their text, whatever their number. What is selected and what
/// is in sight stay when the rows are arranged anew, found again by their runs.
class RunsTable final : public QTableView {
    Q_OBJECT

public:
    /// `model` must outlive the table.
    explicit RunsTable(RunsModel& model, QWidget* parent = nullptr);

    const RunList& list() const { return m_model.list(); }
    bool showsRemoved() const { return list().snapshot() && list().snapshot()->query.trash; }
    /// In the order they are seen.
    /// Of a selected sweep all that it has here.
    std::vector<std::int64_t> selectedIds() const;
    std::vector<const data::CatalogueRow*> selectedRuns() const;
    std::vector<int> selectedRows() const;
    std::size_t selectedCount() const;
    /// Of the current run; nothing on the line of a sweep.
    std::optional<std::int64_t> currentId() const;
    /// Folds or unfolds the sweep whose line is the current one; false where a run's is.
    bool toggleCurrentSweep();
    /// By the ids of their runs, those of sweeps by RunList::idAt().
    void selectIds(const std::vector<std::int64_t>& lines);
    /// Makes it the current one, and brings it into sight.
    void showRun(std::int64_t id);
    /// `change` may do anything to the model's list.
    void rearrange(const std::function<void(RunList&)>& change);
    void overlay(const std::vector<data::CatalogueRow>& changed, std::uint64_t number);
    /// Out of the list; the run after them becomes the current one.
    void take(const std::vector<std::int64_t>& ids, std::uint64_t number);
    void showColumns(const std::vector<std::string>& paths);
    /// As they stand from left to right, which a person may have changed.
    std::vector<std::string> columnOrder() const;
    /// The two runs that are compared, marked A and B; none when empty.
    void setCompared(const std::vector<std::int64_t>& ids);
    void showSortMark();
    /// Starts to edit the cell of the current row in this column.
    void editColumn(const std::string& path);

    /// Widths that a person gave to columns, in the widths of a digit.
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
    bool m_quiet = false;  ///< the selection is being put back
    bool m_sizing = false;
};

}  // namespace ui
