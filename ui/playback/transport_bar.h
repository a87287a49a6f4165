#pragma once

#include <QWidget>

class QAction;
class QBoxLayout;
class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace ui {

class BreakpointList;
class BreakpointPanel;
class Player;
class SteadyRoom;
class ViewState;

/// Play, step, speed, breakpoints and the time that the cursor shows. Its actions are also the menu's.
class TransportBar final : public QWidget {
    Q_OBJECT

public:
    /// All must outlive the bar.
    TransportBar(Player& player, BreakpointList& breakpoints, ViewState& viewState, QWidget* parent = nullptr);

    /// In the order of a menu, with shortcuts that hold where the bar's owner adds them; each has a lasting name.
    QList<QAction*> playbackActions() const { return m_actions; }
    /// The shown run has so many GPUs.
    void setGpus(std::uint32_t gpus);

    /// Of what has to be there; the rest shows where there is room.
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    using Order = void (Player::*)();

    QAction* addAction(const QString& name, const QString& text, const QString& icon, const QList<QKeySequence>& keys);
    /// Without an icon, that is null, it stands in the menu only.
    QAction* addOrder(const char* name, const QString& text, const char* icon, const QList<QKeySequence>& keys,
                      Order order);
    void addBreakpointActions();
    QToolButton* addButton(QAction* action, int size);
    QWidget* makeStepChooser();
    void addSpeed(QBoxLayout& row);
    void tintIcons();
    /// Leaves out the less needed the narrower the bar is.
    void fit();
    void leaveOut(int parts);
    void showPlaying(bool playing);
    void showTime();
    void showTimeAnew();  ///< with no more room than it needs
    void tellTime();
    void showSpeed();
    void showPart();
    void showBreakpoints();
    void breakAtCursor();

    Player& m_player;
    BreakpointList& m_breakpoints;
    ViewState& m_viewState;
    QList<QAction*> m_actions;
    QAction* m_play = nullptr;
    QAction* m_loop = nullptr;
    QAction* m_openBreakpoints = nullptr;
    QComboBox* m_stepKind;
    QLabel* m_time;
    SteadyRoom* m_timeRoom;
    QToolButton* m_breakpointButton = nullptr;
    BreakpointPanel* m_breakpointPanel;
    QSlider* m_speed;
    QLabel* m_speedText;
    QLabel* m_speedLabel = nullptr;
    bool m_tellsEnd = true;
};

}  // namespace ui
