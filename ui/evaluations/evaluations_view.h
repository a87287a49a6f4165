#pragma once

#include "ui/evaluations/evaluation_session.h"
#include "ui/shared/figure_offer.h"
#include "ui/workbench/commands.h"

#include <QJsonValue>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace ui {

class EvaluationList;
class EvaluationTable;
class FigureCanvas;

/// Access to the lessons that evaluations refer to, set by the composition root.
struct EvaluationLessons {
    std::function<QString(const QString& name)> titleOf{};  ///< empty if there is no such lesson
    std::function<void(const QString& name)> open{};
};

/// The view Evaluations, which compares published with simulated numbers: on the left the list of bundled evaluations
/// and evaluations from files, and on the right the rows of the chosen one. Looks the chosen one up in the store while
/// the view is visible, and runs missing points on request.
class EvaluationsView final : public QWidget {
    Q_OBJECT

public:
    explicit EvaluationsView(EvaluationSessionConfig config, EvaluationLessons lessons = {}, QWidget* parent = nullptr);

    EvaluationSession& session() { return m_session; }
    EvaluationTable& table() { return *m_table; }
    FigureCanvas& correlation() { return *m_correlation; }
    /// Returns the commands of the view for registration; their shortcuts work within the view.
    const ViewCommands& commands() const { return m_commands; }

    /// Returns the shown evaluation.
    const SharedEvaluation& shown() const { return m_entries[m_shown].evaluation; }
    /// Returns the state of the shown evaluation; null until it was looked up.
    const std::shared_ptr<const EvaluationLook>& look() const { return m_entries[m_shown].look; }
    /// Shows a bundled evaluation. Returns false if none has the name.
    bool showBundled(const QString& name);
    /// Adds and shows an evaluation that was read from `file`; it replaces one that was read from that file before.
    void addFile(const QString& file, data::Evaluation evaluation);
    /// Shows the shown evaluation with measured numbers (data::withMeasured) in its place in the list.
    void attachMeasured(data::Evaluation evaluation);
    /// Runs the points of the shown evaluation that are not in the store yet.
    void runMissing();
    void openFilter();
    /// Cancels a run, else clears the filter; returns false if there is neither.
    bool stepOut();
    /// Returns the chosen figure with the points that have ended; an empty optional if there is no value yet.
    std::optional<FigureOffer> figure() const;

    /// Returns the files of the list and the shown evaluation for the session.
    QJsonValue save() const;
    QStringList filesIn(const QJsonValue& kept) const;
    void restoreShown(const QJsonValue& kept);

Q_SIGNALS:
    /// The user wants to see the points of an item: `points` are indices in its sweep.
    void pointsRequested(const ui::SharedEvaluation& evaluation, const data::EvaluationItem& item,
                         const std::vector<std::size_t>& points);
    void openFileRequested();
    /// The user wants to attach measured numbers to the shown evaluation.
    void measuredRequested();
    /// The table shows the results that the store has for the chosen evaluation.
    void rowsShown();
    /// The state that save() returns has changed.
    void changed();
    /// A run has written points to the store.
    void storeChanged();
    /// `ofInput`: the evaluation cannot be run; otherwise the store or the computer failed.
    void failed(const QString& text, bool ofInput);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Entry {
        SharedEvaluation evaluation;
        QString file;  ///< empty: bundled
        std::shared_ptr<const EvaluationLook> look;
        QString problem;  ///< why it could not be looked up or run
    };

    void buildCommands();
    QWidget* buildList();
    QWidget* buildPage();
    QWidget* buildBar();
    void connectSession();
    void addEntry(Entry entry);
    void removeShown();
    void choose(std::size_t entry);
    void lookUp();
    void showEntry();
    void showList();
    void showLesson();
    void showState();
    void showRows(std::vector<data::ReproducedItem> rows);
    void showCorrelation();
    void showDetails();
    void applyColors();
    void openRow(std::size_t row);
    void openCurrent();
    void copyRows();
    bool runsShown() const { return m_session.running() == shown(); }
    QString stateText() const;
    QString openingText(const data::ReproducedItem& row) const;
    QString reasonNotToRun() const;

    EvaluationLessons m_lessons;
    ViewCommands m_commands;
    std::vector<Entry> m_entries;
    std::size_t m_shown = 0;
    EvaluationList* m_list;
    QLabel *m_title, *m_question, *m_source, *m_constants, *m_state, *m_answers, *m_details;
    QComboBox* m_figures;
    QLineEdit* m_filter;
    EvaluationTable* m_table;
    FigureCanvas* m_correlation;
    std::vector<std::size_t> m_correlated;  // the rows of the correlation's marks
    QProgressBar* m_progress;
    QPushButton *m_lesson, *m_run, *m_cancel;
    EvaluationSession m_session;  // last: it is destroyed first
};

}  // namespace ui
