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

/// The view Sweep: at its head what is swept, then one line about what a start would do, beneath chart and table of the
/// points. Looks the sweep up in the store whenever it changes, and shows what comes of running it.
class SweepView final : public QWidget {
    Q_OBJECT

public:
    /// All three must outlive the view.
    SweepView(SweepModel& model, SweepSession& session, SweepState& state, QWidget* parent = nullptr);

    /// Above the table; the view takes it over.
    void setChart(QWidget* chart);
    void start();
    void pauseOrGoOn();
    void showBest();
    /// The fields of the axis of this parameter, ready to type.
    void focusAxis(const std::string& path);
    QString words() const;

Q_SIGNALS:
    void openRequested();  ///< a file is to be chosen
    void breakEvenRequested();
    void exampleRequested();  ///< the bundled sweep
    void failed(const QString& text);
    void lookedUp();  ///< the line and the table say what is known of the sweep

private:
    QWidget* buildEmpty();
    QWidget* buildDesk();
    void connectSession();
    void answerEdit();
    void lookUp();
    void showLook(const std::shared_ptr<const SweepLook>& look);
    void showReady();
    /// Says why the sweep cannot be started; to be asked only then.
    QString whyNotRunnable() const;
    void showEnd(const QString& words);

    SweepModel& m_model;
    SweepSession& m_session;
    SweepState& m_state;
    QStackedLayout* m_pages;
    SweepEditor* m_editor;
    SweepBar* m_bar;
    QLabel* m_best;
    QSplitter* m_splitter;
    SweepPointTable* m_points;
    QTimer* m_pause;
    std::shared_ptr<const SweepLook> m_look;  ///< of the sweep as it is; null while that is not known
    QString m_outcome;                        ///< of the run that has just ended
};

}  // namespace ui
