#pragma once

#include "data/questions/break_even.h"
#include "data/sweep/sweep_document.h"

#include <QDialog>

#include <memory>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace ui {

class SweepModel;
class SweepSession;

/// Dialog that searches for the value of a parameter from which a metric is on one side of a target, and answers in a
/// sentence with the number of runs that the search took. It is not modal.
class BreakEvenDialog final : public QDialog {
    Q_OBJECT

public:
    /// Both must outlive the dialog. It begins with the parameter of the first axis with numbers, if there is one.
    BreakEvenDialog(const SweepModel& model, SweepSession& session, QWidget* parent = nullptr);
    ~BreakEvenDialog() override;

    QString answer() const;

private:
    /// A chooser of the value of an axis, for which the answer holds unless the axis has the parameter in question.
    struct FixedAxis {
        data::SweepAxis axis;
        QComboBox* box;
    };

    void buildFields();
    void addFixedAxes();
    /// Hides the chooser of the axis whose parameter the question is about.
    void showFixedAxes();
    /// Sets the values of the other axes in the question's draft.
    void fixOtherAxes(data::BreakEvenQuestion& question) const;
    void fillFromSweep();
    void proposeEnds();
    void proposeTarget();
    void ask();
    /// Returns the question, or an empty optional with the reason in the place of the answer if the fields are invalid.
    std::optional<data::BreakEvenQuestion> question();
    void say(const QString& words, bool isProblem);
    void showAsking(bool asking);

    const SweepModel& m_model;
    SweepSession& m_session;
    data::BreakEvenQuestion m_asked;
    QComboBox *m_parameter, *m_policy, *m_metric, *m_side, *m_against;
    QLineEdit *m_from, *m_to, *m_target;
    QFormLayout* m_form;
    std::vector<FixedAxis> m_fixed;
    QLabel* m_answer;
    QProgressBar* m_progress;
    QPushButton* m_find;
};

/// Returns the answer in sentences: "With Entries 256, under T3-MCA: Total time is at most 3.000 ms from Bandwidth 92
/// GB/s on; not at 90 GB/s. …".
QString wordsOf(const data::BreakEvenQuestion& question, const data::BreakEven& answer);

}  // namespace ui
