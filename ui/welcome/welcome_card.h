#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QToolButton;

namespace ui {

/// Something worth trying first. Known by its id to whoever sees that it was done.
struct WelcomeStep {
    QString id;
    QString text, keys;
    QString words;  ///< what the card says once the step was chosen
    std::function<void()> act;
};

/// What to try in the first minute, on a card above the picture, which it never covers. What was tried has a tick,
/// whether through the card or not. Closed, it stays away until it is asked for.
class WelcomeCard final : public QFrame {
    Q_OBJECT

public:
    explicit WelcomeCard(QWidget* parent = nullptr);

    /// In this order. Only steps that can be taken belong here.
    void setSteps(std::vector<WelcomeStep> steps);
    void setDone(const QString& id);
    void say(const QString& words);
    QString words() const;
    /// In the width that it has: in the least one its steps would stand one under the other.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void dismissed();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Step {
        WelcomeStep step;
        QToolButton* button;
        bool done = false;
    };

    void applyColors();
    void fitSteps();
    void nameSteps(bool keys);

    QLabel* m_words;
    QWidget* m_row;
    QToolButton* m_close;
    std::vector<Step> m_steps;
    bool m_isPlaced = false;  // its width is the one that it has in the window
};

}  // namespace ui
