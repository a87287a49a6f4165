#pragma once

#include "data/experiment/experiment_document.h"
#include "data/questions/break_even.h"
#include "data/questions/degrees.h"
#include "data/questions/pair.h"
#include "ui/shared/worker.h"

#include <QDialog>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace ui {

class ValueTable;

/// Dialog that compares ways to run an experiment and its companion together: rules of dispatch, copies by DMA, and the
/// switch. It also says which CUs copies leave free and for which sizes a kernel is faster than copies. For a GEMM, it
/// compares how many copies of it run at once. Simulates on a worker thread; it is not modal.
class PairDialog final : public QDialog {
    Q_OBJECT

public:
    /// Shows another experiment in the window; `name` is the text of the undo step.
    using Open = std::function<void(const data::ExperimentDraft& draft, const QString& name)>;

    /// Precondition: canAnswer. Begins to simulate at once.
    PairDialog(data::ExperimentDraft draft, Open open, QWidget* parent = nullptr);

    /// Returns whether the dialog has a question about the experiment: it has a companion or is a GEMM alone.
    static bool canAnswer(const engine::Experiment& experiment);
    bool isRunning() const { return m_worker.isRunning(); }

private:
    void buildWays(QVBoxLayout& column);
    void buildSizes(QVBoxLayout& column);
    void buildDegrees(QVBoxLayout& column);
    void buildFoot(QVBoxLayout& column);

    void askWays();
    void askSizes();
    void askDegrees();
    /// Computes an answer on the worker thread, then passes it to `take`. Meanwhile the dialog says `doing`.
    template <class Answer>
    void ask(const QString& doing, std::function<Answer(const Worker::Ticket&)> compute,
             void (PairDialog::*take)(const Answer&));
    void stop();

    void showPair(const data::Pair& pair);
    void showSizes(const data::BreakEven& answer);
    void showDegrees(const data::Degrees& answer);
    /// Shows the experiment at `chosen` in the window.
    void openChosen(std::optional<std::size_t> chosen, const std::vector<data::ExperimentDraft>& drafts);
    void showRunning(bool running);
    void say(const QString& words, bool isProblem);

    const data::ExperimentDraft m_draft;
    const engine::Experiment m_experiment;
    const Open m_open;
    const std::optional<data::BreakEvenQuestion> m_sizes;       ///< empty: copies cannot carry the companion
    std::vector<data::ExperimentDraft> m_ways, m_degreeDrafts;  ///< of the rows of the tables that are runs
    // Widgets of a question that the experiment does not have are null.
    QLabel *m_alone = nullptr, *m_freed = nullptr, *m_sizesAnswer = nullptr;
    ValueTable *m_waysTable = nullptr, *m_degreesTable = nullptr;
    QLineEdit* m_degrees = nullptr;
    std::vector<QPushButton*> m_askButtons;
    QLabel *m_status = nullptr, *m_notices = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_stop = nullptr;
    Worker m_worker;  // last: it is destroyed first
};

}  // namespace ui
