#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QSlider;
class QToolButton;

namespace ui {

class Player;
class ViewState;

/// Play, step, speed and the time that the cursor shows. Its actions are also the menu's.
class TransportBar final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the bar.
    TransportBar(Player& player, ViewState& viewState, QWidget* parent = nullptr);

    /// In the order of a menu, with shortcuts that hold where the bar's owner adds them.
    QList<QAction*> playbackActions() const { return m_actions; }

protected:
    void changeEvent(QEvent* event) override;

private:
    QAction* addAction(const QString& text, const QString& icon, const QKeySequence& key, void (Player::*order)());
    QToolButton* addButton(QAction* action, int size);
    void tintIcons();
    void showPlaying(bool playing);
    void showTime();
    void showSpeed();

    Player& m_player;
    ViewState& m_viewState;
    QList<QAction*> m_actions;
    QAction* m_play = nullptr;
    QAction* m_loop = nullptr;
    QLabel* m_time;
    QSlider* m_speed;
    QLabel* m_speedText;
};

}  // namespace ui
