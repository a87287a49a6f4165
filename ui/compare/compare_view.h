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
class FigureCanvas;

/// The view Compare: several runs below each other, played by one transport bar, with their differences in numbers and
/// the reasons for these. The window's view state, in the time of the shown run, leads; each run follows in its own
/// time, according to the chosen way to align runs.
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
    /// Returns the names of the runs in order, such as "T3-MCA".
    const QStringList& names() const { return m_names; }
    /// Returns the commands of the view for registration; their shortcuts work within the view.
    const ViewCommands& commands() const { return m_commands; }
    /// Sets the kept runs that can be added, newest first.
    void setKept(const std::vector<data::StoredRun>& runs);
    /// Takes the only transport bar of the window and places it above the runs, until it is moved elsewhere.
    void holdTransport(QWidget* transport);
    /// Shows a picture of something else over time above the runs, on their time axis: `state` follows the window's view
    /// state, and `endPs` is where the picture ends. Null: nothing. Picture and state must outlive the view, or be taken
    /// away before.
    void showBeside(TimePicture* picture, ViewState* state, const QString& name, std::int64_t endPs);
    /// Returns a figure of the differences; an empty optional before there are two runs.
    std::optional<FigureOffer> figure() const;
    /// Cancels runs in progress; returns false if there are none.
    bool stepOut();

Q_SIGNALS:
    void momentRequested(qint64 ps);
    /// The window should pin this run, or show it alone.
    void pinRequested(std::shared_ptr<const data::ShownRun> run);
    void openRequested(std::shared_ptr<const data::ShownRun> run);
    /// The time at which the longest run ends has changed.
    void reachChanged();
    /// All wanted runs are drawn, or their rows say why they are not.
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
    /// Arranges the rows after the runs or their order have changed; a run with a known key keeps its row.
    void arrange();
    std::unique_ptr<CompareRow> makeRow(int key);
    QList<QAction*> actionsOf(CompareRow& row, int key);
    std::size_t indexOf(int key) const;
    std::shared_ptr<const data::ShownRun> runOf(int key) const;
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
    QWidget* m_besideBox = nullptr;
    QLabel* m_besideName = nullptr;
    TimePicture* m_beside = nullptr;
    ViewState* m_besideState = nullptr;
    std::int64_t m_besideEnd = 0;
    bool m_partsMoved = false;  ///< the user has moved the divider, so the sizes stay
    DifferenceTable* m_table = nullptr;
    FigureCanvas* m_waterfall = nullptr;
};

}  // namespace ui
