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

/// Looks through the store: its sweeps, the runs of one of them or all, filtered, sorted and with the columns that
/// somebody chose. What is to become of a run is asked for by signals. Reads through CatalogueSession while it is in
/// sight only.
class RunsView final : public QWidget {
    Q_OBJECT

public:
    /// `session` must outlive the view.
    explicit RunsView(CatalogueSession& session, QWidget* parent = nullptr);

    RunsTable& table() { return *m_table; }
    RunsModel& model() { return *m_model; }
    QUndoStack& undoStack();
    /// What can be asked of the view, to be registered; their keys hold within it.
    const ViewCommands& commands() const { return m_commands; }
    /// In the place of everything, where there can be no runs.
    void showReason(const QString& reason);
    /// The store cannot be used: said as long as there is nothing better to show.
    void showProblem(const QString& problem);
    void remove(const std::vector<std::int64_t>& ids);
    void openFilter();
    void openCurrent();
    /// Columns, their widths, the order: what the next start finds again. Nothing is changed by what makes no sense.
    QJsonValue saved() const;
    bool restore(const QJsonValue& kept);
    /// The selected runs if they are several, else all that are seen; CSV, or JSON by the name of the file.
    void exportTo(const QString& file);

Q_SIGNALS:
    void openRequested(qint64 id);
    void experimentRequested(qint64 id);
    void pinAndShowRequested(qint64 pinned, qint64 shown);
    void compareRequested(const std::vector<std::int64_t>& ids);
    void sweepOpenRequested(const data::StoredSweep& sweep);
    void runRequested();
    /// Something was done that can be taken back.
    void removed(const QString& text);
    /// Something that the reader should know of.
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
    /// Parameters that the chosen sweep varies.
    std::vector<std::string> axesOfChosen() const;
    /// Those first, then what somebody chose.
    std::vector<std::string> shownColumns() const;
    void take(const std::shared_ptr<const CatalogueSnapshot>& snapshot);
    void takeFilter(const std::optional<data::RunFilter>& filter);
    bool canFilterBy(const data::RunFilter& filter) const;
    void sortBy(const QString& path, bool descending);
    void tell();
    void tellNothing(const QString& reason, const QString& action);

    CatalogueSession& m_session;
    RunsModel* m_model;
    SweepList* m_sweeps;
    RunFilterLine* m_filter;
    RunsTable* m_table;
    RunEdits* m_edits;
    RunDetails* m_details;
    QTimer* m_soon;  ///< details follow a held arrow key as soon as it rests
    QLabel* m_count;
    QStackedWidget* m_pages;
    QLabel* m_reason;
    QPushButton* m_next;
    QSplitter* m_parts;
    ViewCommands m_commands{*this, CommandGroup::run, tr("&Kept Runs")};
    std::vector<std::int64_t> m_described;  ///< whose details are shown or on their way
    std::vector<std::int64_t> m_returning;  ///< brought back, to be selected when they are there
    std::uint64_t m_returningWith = 0;
    std::vector<std::string> m_columns;
    std::optional<data::RunFilter> m_wanted;  ///< what was typed, also while its columns are being read
    QString m_unreadable;
    bool m_asked = false;
    bool m_impossible = false;  ///< there is no store
};

}  // namespace ui
