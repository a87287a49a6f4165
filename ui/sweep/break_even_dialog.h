#pragma once

#include "data/questions/break_even.h"

#include <QDialog>

#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace ui {

class SweepModel;
class SweepSession;

/// Asks from which value of a parameter on a number of the run is on one side of a target, and answers in a sentence
/// with the number of runs that it took. Not modal: the window goes on.
class BreakEvenDialog final : public QDialog {
    Q_OBJECT

public:
    /// Both must outlive the dialog. It begins with the first axis that has numbers, where there is one.
    BreakEvenDialog(const SweepModel& model, SweepSession& session, QWidget* parent = nullptr);
    ~BreakEvenDialog() override;

    QString answer() const;

private:
    void buildFields();
    void fillFromSweep();
    void proposeEnds();
    void proposeTarget();
    void ask();
    /// Nothing, with the reason in the answer's place, for what cannot be understood.
    std::optional<data::BreakEvenQuestion> question();
    void say(const QString& words, bool isProblem);
    void showAsking(bool asking);

    const SweepModel& m_model;
    SweepSession& m_session;
    data::BreakEvenQuestion m_asked;
    QComboBox *m_parameter, *m_policy, *m_metric, *m_side, *m_against;
    QLineEdit *m_from, *m_to, *m_target;
    QLabel* m_answer;
    QProgressBar* m_progress;
    QPushButton* m_find;
};

/// "From 92 GB/s of bandwidth on, exposed communication is at most 0 s …": the answer as a sentence, whatever it is.
QString wordsOf(const data::BreakEvenQuestion& question, const data::BreakEven& answer);

}  // namespace ui
