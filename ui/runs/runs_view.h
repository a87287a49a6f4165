#pragma once

#include "ui/shared/catalogue_session.h"
#include "ui/workbench/commands.h"

#include <QJsonValue>
#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTimer;
class QUndoStack;

namespace ui {

class RunDetails;
class RunEdits;
class RunFilterLine;
class RunsModel;
class RunsTable;
class SweepList;

/// The view Runs: the sweeps of the store, and the runs of one sweep or all runs, with a filter, sorting and chosen
/// columns. Emits signals to open, compare or export runs. Reads through CatalogueSession, only while it is visible.
class RunsView final : public QWidget {
    Q_OBJECT

public:
    /// `session` must outlive the view.
    explicit RunsView(CatalogueSession& session, QWidget* parent = nullptr);

    RunsTable& table() { return *m_table; }
    RunsModel& model() { return *m_model; }
    QUndoStack& undoStack();
    /// Returns the commands of the view for registration; their shortcuts work within the view.
    const ViewCommands& commands() const { return m_commands; }
    /// Shows a reason in place of the table for the rest of the session, if there is no store.
    void showReason(const QString& reason);
    /// Shows that the store cannot be read: in place of the table, or below it if runs were read before.
    void showProblem(const QString& problem);
    void remove(const std::vector<std::int64_t>& ids);
    void openFilter();
    void openCurrent();
    /// Returns columns, their widths and the sort order for the session. Restoring ignores invalid values.
    QJsonValue saved() const;
    bool restore(const QJsonValue& kept);
    /// Exports the selected runs if there are several, else all visible runs, as CSV or JSON depending on the file's
    /// suffix.
    void exportTo(const QString& file);

Q_SIGNALS:
    void openRequested(qint64 id);
    void experimentRequested(qint64 id);
    void pinAndShowRequested(qint64 pinned, qint64 shown);
    void compareRequested(const std::vector<std::int64_t>& ids);
    void sweepOpenRequested(const data::StoredSweep& sweep);
    void runRequested();
    /// Runs or a sweep were removed, which can be undone.
    void removed(const QString& text);
    /// A message that the user should see, mostly about a failure.
    void failed(const QString& text);
    void exportRequested();
    void exported(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildMiddle();
    void connectParts();
    void buildActions();
    void openExperiment();
    void pinAndShow();
    void compareSelected();
    void editNote();
    void editTags();
    void openSweep();
    void removeSweep();
    const data::StoredSweep* chosenSweep() const;
    void emptyTrash();
    void chooseColumns();
    void copySelected();
    void showColumns(const std::vector<std::string>& columns);
    void followSelection();
    void showDetails();
    void takeDetails(const std::shared_ptr<const std::vector<KeptRun>>& runs);
    void ask();
    std::vector<std::string> askedColumns() const;
    /// Returns the parameters that the chosen sweep varies.
    std::vector<std::string> axesOfChosen() const;
    /// Returns the parameters of axesOfChosen(), then the columns that the user chose.
    std::vector<std::string> shownColumns() const;
    void take(const std::shared_ptr<const CatalogueSnapshot>& snapshot);
    void takeFilter(const std::optional<data::RunFilter>& filter);
    bool canFilterBy(const data::RunFilter& filter) const;
    void sortBy(const QString& path, bool descending);
    void report();
    void explainEmptyTable(const QString& reason, const QString& action);

    CatalogueSession& m_session;
    RunsModel* m_model;
    SweepList* m_sweeps;
    RunFilterLine* m_filter;
    RunsTable* m_table;
    RunEdits* m_edits;
    RunDetails* m_details;
    QTimer* m_soon;  ///< delays the details while an arrow key is held
    QLabel* m_count;
    QStackedWidget* m_pages;
    QLabel* m_reason;
    QPushButton* m_next;
    QSplitter* m_parts;
    ViewCommands m_commands{*this, CommandGroup::run, tr("&Kept Runs")};
    std::vector<std::int64_t> m_described;  ///< the runs whose details are shown or being read
    std::vector<std::int64_t> m_returning;  ///< restored runs, to be selected once they are listed
    std::uint64_t m_returningWith = 0;
    std::vector<std::string> m_columns;
    std::optional<data::RunFilter> m_wanted;  ///< the typed filter, also while its columns are being read
    QString m_unreadable;
    bool m_asked = false;
    bool m_impossible = false;  ///< true if there is no store
};

}  // namespace ui
