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

/// A lesson step by step, or the list of those that there are. What a step needs of the window, its experiment and its
/// picture, is asked for by signals of the state; the panel holds text only.
class LessonPanel final : public QWidget {
    Q_OBJECT

public:
    /// `state` must outlive the panel.
    explicit LessonPanel(LessonState& state, QWidget* parent = nullptr);

    /// The claims of the step that is shown with which simulation does not agree; empty: none, or nobody knows.
    void showFailures(const std::vector<data::LessonVerdict>& failures);
    /// Gives the keyboard to what is done next: going on, or the lesson after the last one.
    void focusNext();
    void showPlaying(bool playing);
    /// With reduced motion what a step plays is gone through step by step.
    void setReducedMotion(bool reduced);
    /// Ticks these lessons, by name, in the list.
    void showFinished(const QStringList& names);

Q_SIGNALS:
    void lessonRequested(const QString& file);
    void openRequested();
    void leaveRequested();
    void finished();  ///< the last step was left forwards
    void tryRequested();
    void playRequested();
    void partRequested(const QString& part);  ///< a link in a text was chosen

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
    QFrame* m_doubt;  ///< what simulation does not agree with
    QLabel* m_doubtIcon;
    QLabel* m_doubtText;
    std::vector<data::LessonVerdict> m_failures;
    QPushButton* m_back;
    QLabel* m_progress;
    QPushButton* m_next;
    QString m_lastFile;  ///< of the lesson that was taken last
};

}  // namespace ui
