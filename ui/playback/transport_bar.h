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

/// Transport bar: play, step, speed, breakpoints and the time of the cursor. Its actions are also in the menu.
class TransportBar final : public QWidget {
    Q_OBJECT

public:
    /// All must outlive the bar.
    TransportBar(Player& player, BreakpointList& breakpoints, ViewState& viewState, QWidget* parent = nullptr);

    /// Returns the actions in the order of a menu. Each has a permanent name, and its shortcut works in the widget that
    /// the bar's owner adds it to.
    QList<QAction*> playbackActions() const { return m_actions; }
    /// Sets the number of GPUs of the shown run.
    void setGpus(std::uint32_t gpus);

    /// Returns the size of the controls that are always shown; the others are shown if there is room.
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    using Order = void (Player::*)();

    QAction* addAction(const QString& name, const QString& text, const QString& icon, const QList<QKeySequence>& keys);
    /// Adds an action. Without an icon (null) it is in the menu only.
    QAction* addOrder(const char* name, const QString& text, const char* icon, const QList<QKeySequence>& keys,
                      Order order);
    void addBreakpointActions();
    QToolButton* addButton(QAction* action, int size);
    QWidget* makeStepChooser();
    void addSpeed(QBoxLayout& row);
    void tintIcons();
    /// Hides the less important controls if the bar is too narrow for all.
    void fit();
    void leaveOut(int parts);
    void showPlaying(bool playing);
    void showTime();
    void showTimeAnew();  ///< without reserving more room than the text needs
    void announceTime();
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
