#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QToolButton;

namespace ui {

/// A first step for new users, identified by its id.
struct WelcomeStep {
    QString id;
    QString text, keys;
    QString words;  ///< text that the card shows once the step was chosen
    std::function<void()> act;
};

/// A card with first steps for new users, above the picture, which it never covers. A step that was done gets a tick,
/// even if it was not done through the card. Once closed, the card stays hidden until the user asks for it.
class WelcomeCard final : public QFrame {
    Q_OBJECT

public:
    explicit WelcomeCard(QWidget* parent = nullptr);

    /// Sets the steps in this order. All of them must be possible.
    void setSteps(std::vector<WelcomeStep> steps);
    void setDone(const QString& id);
    void say(const QString& words);
    QString words() const;
    /// Returns the size for the current width; at the minimum width the steps would be below each other.
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
    bool m_isPlaced = false;  // the card has its final width in the window
};

}  // namespace ui
