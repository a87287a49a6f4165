#pragma once

#include "data/sweep/sweep_document.h"
#include "ui/shared/sweep_session.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QSplitter;
class QStackedLayout;
class QTimer;

namespace ui {

class SweepBar;
class SweepEditor;
class SweepModel;
class SweepPointTable;
class SweepState;

/// The view Sweep: the editor at the top, a line that describes what a start would do, and below it the chart and the
/// table of the points. Looks the sweep up in the store whenever it changes, and shows the results while it runs.
class SweepView final : public QWidget {
    Q_OBJECT

public:
    /// All three must outlive the view.
    SweepView(SweepModel& model, SweepSession& session, SweepState& state, QWidget* parent = nullptr);

    /// Places the chart above the table and takes ownership of it.
    void setChart(QWidget* chart);
    void start();
    void pauseOrGoOn();
    void showBest();
    /// Gives the focus to the fields of the axis with this parameter.
    void focusAxis(const std::string& path);
    QString words() const;

Q_SIGNALS:
    void openRequested();  ///< the user wants to choose a file
    void breakEvenRequested();
    void exampleRequested();  ///< the user wants the bundled sweep
    /// `ofInput`: the sweep cannot be run; otherwise the store or the computer failed.
    void failed(const QString& text, bool ofInput);
    void lookedUp();  ///< the line and the table show the state of the sweep in the store

private:
    QWidget* buildEmpty();
    QWidget* buildDesk();
    void connectSession();
    void answerEdit();
    void lookUp();
    void showLook(const std::shared_ptr<const SweepLook>& look);
    void showReady();
    /// Returns why the sweep cannot be started. Precondition: it cannot be started.
    QString whyNotRunnable() const;
    void showEnd(const QString& words);
    void showNotices();

    SweepModel& m_model;
    SweepSession& m_session;
    SweepState& m_state;
    QStackedLayout* m_pages;
    QLabel* m_base;  ///< names the base experiment
    SweepEditor* m_editor;
    SweepBar* m_bar;
    QLabel* m_best;
    QLabel* m_notices;
    QSplitter* m_splitter;
    SweepPointTable* m_points;
    QTimer* m_pause;
    std::shared_ptr<const SweepLook> m_look;  ///< of the current sweep; null until it is known
    QString m_outcome;                        ///< the outcome of the run that has just ended
};

}  // namespace ui
