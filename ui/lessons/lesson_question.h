#pragma once

#include <QFrame>

#include <vector>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace ui {

class LessonState;
class PredictionBars;

/// Returns a label of a lesson's text: rich, wrapped, to be selected by mouse.
QLabel* newLessonLabel(QWidget* parent);
/// Shows a text. Tab stops at the label only if the text has links.
void setLessonText(QLabel& label, const QString& html);

/// The question of a step: choices or a field for a number, and, once told, the answer beside what was predicted.
class LessonQuestionBox final : public QFrame {
public:
    /// `state` must outlive the box.
    explicit LessonQuestionBox(LessonState& state, QWidget* parent);

    /// The question of the step that the state is at; hidden where it has none.
    void showStep();

    /// Where a prediction is made; null where none is asked for any more.
    QWidget* field() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    // Painted, not by a style sheet, which would keep the size of the type from what is inside.
    void paintEvent(QPaintEvent*) override;

private:
    void buildChoices();
    void showChoices();
    void showAnswer();
    void tint();

    LessonState& m_state;
    QLabel* m_text;
    QWidget* m_choices;
    QVBoxLayout* m_choiceColumn;
    QButtonGroup* m_group = nullptr;
    std::vector<QLabel*> m_choiceTexts;  ///< beside the buttons, whose own text cannot be wrapped
    QWidget* m_numberRow;
    QLineEdit* m_number;
    QLabel* m_unit;
    QLabel* m_verdict;
    PredictionBars* m_bars;
    QLabel* m_reveal;
};

}  // namespace ui
