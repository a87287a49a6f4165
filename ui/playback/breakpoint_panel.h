#pragma once

#include "ui/shared/breakpoint_search.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QListWidget;
class QPushButton;

namespace ui {

class BreakpointList;
class Player;

/// A popup below its button with the list of breakpoints, a row to add one, and buttons that go to the next and the
/// previous hit.
class BreakpointPanel final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the panel.
    BreakpointPanel(BreakpointList& breakpoints, Player& player, QWidget* parent = nullptr);

    /// Sets the number of GPUs to choose from.
    void setGpus(std::uint32_t gpus);
    /// Opens the popup below `anchor`, or above it if there is no room.
    void popUpAt(const QWidget& anchor);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* makeList();
    QWidget* makeEditor();
    QWidget* makeButtons();
    void showList();
    void showUnit();
    void addEdited();
    void removeCurrent();
    BreakCondition condition() const;

    BreakpointList& m_breakpoints;
    Player& m_player;
    QListWidget* m_list;
    QLabel* m_empty;
    QComboBox* m_condition;
    QDoubleSpinBox* m_number;
    QComboBox* m_gpu;
    QPushButton* m_remove;
    QPushButton* m_previous;
    QPushButton* m_next;
    bool m_filling = false;
};

}  // namespace ui
