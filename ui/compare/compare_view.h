#pragma once

#include "data/store/store.h"
#include "ui/compare/comparison.h"
#include "ui/compare/run_sync.h"
#include "ui/shared/figure_offer.h"
#include "ui/shared/run_picture.h"
#include "ui/workbench/commands.h"

#include <QElapsedTimer>
#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QActionGroup;
class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QSplitter;
class QToolButton;

namespace ui {

class CompareRow;
class DifferenceTable;
class WaterfallView;

/// The view Compare: runs one beneath the other under one transport, their differences in numbers, and why they differ.
/// Time is led by the window's view state, which is in the shown run's time; every run has its own, by the chosen way to
/// set them side by side.
class CompareView final : public QWidget {
    Q_OBJECT

public:
    /// `leader` must outlive the view.
    CompareView(const RunSessionConfig& config, ViewState& leader, RunPictureFactory pictures,
                QWidget* parent = nullptr);
    ~CompareView() override;

    Comparison& comparison() { return *m_comparison; }
    const Comparison& comparison() const { return *m_comparison; }
    CompareRow& row(std::size_t index) { return *m_rows[index]; }
    std::size_t rowCount() const { return m_rows.size(); }
    /// "T3-MCA", in the order of the runs.
    const QStringList& names() const { return m_names; }
    /// What the view can be asked, to be registered; their keys hold within it.
    const ViewCommands& commands() const { return m_commands; }
    /// Kept runs that can be added, newest first.
    void setKept(const std::vector<data::StoredRun>& runs);
    /// The one transport of the window, above the runs for as long as it is not put elsewhere.
    void holdTransport(QWidget* transport);
    /// The differences; nothing before two runs are there.
    std::optional<FigureOffer> figure() const;
    /// Cancels runs; false where none are under way.
    bool stepOut();

Q_SIGNALS:
    void momentRequested(qint64 ps);
    /// In the window's words: the run is to be its pinned one, or to be seen by itself.
    void pinRequested(std::shared_ptr<const data::ShownRun> run);
    void openRequested(std::shared_ptr<const data::ShownRun> run);
    /// Until when there is something to see has changed.
    void reachChanged();
    /// All that was wanted is drawn, or says why it is not.
    void compareShown();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildBar();
    QWidget* buildSwitch(const QList<QAction*>& actions);
    void styleSwitches();
    void addProgress(QBoxLayout& row);
    QWidget* buildFoot();
    void buildCommands();
    void fillAddMenu();
    void addToMenu(QMenu& menu, const QString& text, const ComparePick& pick);
    void connectComparison();
    /// Other runs, or another order: rows are kept by their key.
    void arrange();
    std::unique_ptr<CompareRow> makeRow(int key);
    QList<QAction*> actionsOf(CompareRow& row, int key);
    std::size_t indexOf(int key) const;
    void showRuns();
    void alignGutters();
    void giveRunsTheirRoom();
    void showRow(std::size_t index);
    void showDifferences();
    void setSideBySide();
    std::vector<RunMark> marksOf(const std::shared_ptr<const data::ShownRun>& run) const;
    void showProgress(double fraction);
    void showRunning();

    RunPictureFactory m_pictures;
    std::unique_ptr<Comparison> m_comparison;
    ViewLink m_link;
    std::vector<std::unique_ptr<CompareRow>> m_rows;
    std::map<int, CompareRow*> m_byKey;
    QStringList m_names;
    std::vector<data::StoredRun> m_kept;
    ViewCommands m_commands{*this, CommandGroup::view, tr("&Compare")};
    std::map<SyncMode, QAction*> m_modes;
    QAction *m_swap = nullptr, *m_ghost = nullptr;
    QList<QWidget*> m_switches;
    QElapsedTimer m_runTime;
    QBoxLayout* m_column;
    QToolButton* m_add = nullptr;
    QMenu* m_addMenu = nullptr;
    QLabel* m_timeLeft = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton *m_cancel = nullptr, *m_retry = nullptr;
    QScrollArea* m_scroll = nullptr;
    QBoxLayout* m_stack = nullptr;
    QSplitter* m_parts = nullptr;
    QScrollArea* m_foot = nullptr;
    bool m_partsMoved = false;  ///< by hand: they stay as they are
    DifferenceTable* m_table = nullptr;
    WaterfallView* m_waterfall = nullptr;
};

}  // namespace ui
