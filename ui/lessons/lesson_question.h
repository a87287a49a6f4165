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

/// Returns a label for a lesson's text: rich text, wrapped, and selectable with the mouse.
QLabel* newLessonLabel(QWidget* parent);
/// Shows a text. Tab stops at the label only if the text has links.
void setLessonText(QLabel& label, const QString& html);

/// The question of a step: choices or a field for a number, and, once revealed, the answer beside the prediction.
class LessonQuestionBox final : public QFrame {
public:
    /// `state` must outlive the box.
    explicit LessonQuestionBox(LessonState& state, QWidget* parent);

    /// Shows the question of the current step; hidden if it has none.
    void showStep();

    /// Returns the widget in which a prediction is entered; null if no prediction can be entered any more.
    QWidget* field() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    // Paints the frame here and not with a style sheet, which would keep the widgets inside from following the font
    // size.
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
    std::vector<QLabel*> m_choiceTexts;  ///< beside the buttons, because a button's own text cannot wrap
    QWidget* m_numberRow;
    QLineEdit* m_number;
    QLabel* m_unit;
    QLabel* m_verdict;
    PredictionBars* m_bars;
    QLabel* m_reveal;
};

}  // namespace ui
