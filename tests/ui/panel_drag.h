#pragma once

#include "ui/ringside_window.h"

#include <QDockWidget>
#include <QTest>
#include <QWindow>

#include <algorithm>

namespace tests {

/// Drags panels and their borders by events of the window system, as a person does with the mouse.
class PanelDrag {
public:
    explicit PanelDrag(QMainWindow& window) : m_window(window) {}

    /// Presses the left button at a place in the window. The window keeps the button until drop().
    void press(QPoint place) {
        m_place = within(place);
        QTest::mousePress(m_window.windowHandle(), Qt::LeftButton, {}, m_place);
    }
    /// Presses the left button on the title of a panel.
    void pressTitle(const QDockWidget& panel) { press(panel.mapTo(&m_window, QPoint(panel.width() / 3, 6))); }
    /// Moves the pointer to a place in the window, in steps, because Qt takes up a panel only after some distance.
    void moveTo(QPoint place) {
        constexpr int kSteps = 6;
        const QPoint from = m_place;
        place = within(place);
        for (int step = 1; step <= kSteps; ++step) {
            m_place = within(from + (place - from) * step / kSteps);
            QTest::mouseMove(m_window.windowHandle(), m_place);
            QApplication::processEvents();
        }
    }
    void drop() { QTest::mouseRelease(m_window.windowHandle(), Qt::LeftButton, {}, within(m_place)); }

private:
    /// Returns the place, or the nearest one in the window, which may have become smaller.
    QPoint within(QPoint place) const {
        const QSize size = m_window.windowHandle()->size();
        return {std::clamp(place.x(), 0, size.width() - 1), std::clamp(place.y(), 0, size.height() - 1)};
    }

    QMainWindow& m_window;
    QPoint m_place;
};

}  // namespace tests
