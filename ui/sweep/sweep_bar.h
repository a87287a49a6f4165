#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace ui {

/// The line that says what a start would do, or how far it is, with the buttons for it and the progress beneath.
class SweepBar final : public QWidget {
    Q_OBJECT

public:
    explicit SweepBar(QWidget* parent = nullptr);

    void showWords(const QString& words, bool isProblem = false);
    QString words() const;
    /// `start` is what the button says: "Run Sweep", "Resume".
    void showReady(const QString& start, bool enabled);
    void showRunning(bool paused);
    void showProgress(double fraction);
    /// So many failed before, and are tried again if the box is ticked; none hides it.
    void showFailed(std::size_t failed);
    bool retriesFailed() const;

Q_SIGNALS:
    void startRequested();
    void pauseRequested();
    void cancelRequested();
    void retryChanged();

private:
    void applyColors();

    bool m_isProblem = false;
    QLabel* m_words;
    QCheckBox* m_retry;
    QPushButton *m_start, *m_pause, *m_cancel;
    QProgressBar* m_progress;
};

}  // namespace ui
