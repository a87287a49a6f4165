#pragma once

#include "data/lessons/lesson_check.h"

#include <QWidget>

#include <vector>

class QFrame;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace ui {

class LessonQuestionBox;
class LessonState;

/// The panel that shows a lesson step by step, or the list of lessons. It shows text only; the signals of LessonState
/// ask other parts for a step's experiment and picture.
class LessonPanel final : public QWidget {
    Q_OBJECT

public:
    /// `state` must outlive the panel.
    explicit LessonPanel(LessonState& state, QWidget* parent = nullptr);

    /// Shows the claims of the current step that simulation does not confirm; empty: none, or not known yet.
    void showFailures(const std::vector<data::LessonVerdict>& failures);
    /// Gives the focus to the next action: going on, or the next lesson after the last step.
    void focusNext();
    void showPlaying(bool playing);
    /// With reduced motion, the play button steps through the part of the run instead of playing it.
    void setReducedMotion(bool reduced);
    /// Shows a tick at these lessons, given by name, in the list.
    void showFinished(const QStringList& names);

Q_SIGNALS:
    void lessonRequested(const QString& file);
    void openRequested();
    void leaveRequested();
    void finished();  ///< the user went on from the last step
    void tryRequested();
    void playRequested();
    void partRequested(const QString& part);  ///< a link in a text was clicked

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildList();
    QWidget* buildStep();
    QWidget* buildHead(QWidget* page);
    QWidget* buildFoot(QWidget* page);
    void showStep();
    void showAnswer();
    void revealQuestion();
    void showTry();
    void showPlay();
    void showDoubt();
    QWidget* buildDoubt(QWidget* page);
    void goOn();
    bool scroll(bool down);  ///< scrolls by almost a page; returns false if all text in that direction is in sight
    void tint();

    LessonState& m_state;
    QStackedWidget* m_pages;
    QLabel* m_title;
    QToolButton* m_leave;
    QScrollArea* m_scroll;
    QLabel* m_text;
    LessonQuestionBox* m_question;
    QWidget* m_play;
    QPushButton* m_playButton;
    QLabel* m_playText;
    bool m_isPlaying = false, m_reducesMotion = false;
    QWidget* m_try;
    QLabel* m_tryText;
    QPushButton* m_tryButton;
    QFrame* m_doubt;  ///< shows claims that simulation does not confirm
    QLabel* m_doubtIcon;
    QLabel* m_doubtText;
    std::vector<data::LessonVerdict> m_failures;
    QPushButton* m_back;
    QLabel* m_progress;
    QPushButton* m_next;
    QString m_lastFile;  ///< file of the lesson that was opened last
};

}  // namespace ui
