#pragma once

#include <QByteArray>
#include <QObject>
#include <QSize>
#include <QString>
#include <QStringList>

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

class QDockWidget;
class QMainWindow;
class QTimer;

namespace ui {

class WindowViews;

/// A panel at one side of the window, in a dock widget.
struct SidePanel {
    enum class Side { left, right };

    QString name;  ///< object name of the dock: layouts, the session and the panel's command find the panel by it
    QString title;
    QWidget* widget = nullptr;
    Side side = Side::left;
    int rank = 0;        ///< order of the panels of a side, and of their commands
    bool open = true;    ///< shown in the initial layout
    bool alone = false;  ///< never tabbed with another panel; the other panels of its side are below it
    QStringList views{QStringLiteral("explore")};  ///< views with which it is shown, besides views that list the panel
    QDockWidget* dock = nullptr;                   ///< set by the host
};

/// The panels of the window, and the layout of the panels for each view.
///
/// While the user drags a panel or the border of one, Qt keeps pointers into the layout, so that a layout which is
/// replaced meanwhile crashes the program. The host therefore makes every change of the layout when nothing moves: at
/// once, or as soon as the drag has ended.
class PanelHost final : public QObject {
    Q_OBJECT

public:
    /// Both must outlive the host.
    PanelHost(QMainWindow& window, WindowViews& views);

    QDockWidget* add(SidePanel panel);
    const std::vector<SidePanel>& all() const { return m_panels; }
    /// Returns the dock of the panel with this name, or null.
    QDockWidget* dock(const QString& name) const;
    /// Shows a panel in front of the panels that are tabbed with it.
    void raise(const QString& name);
    /// Deletes the panels with their widgets.
    void clear();

    /// Restores the initial layout. If the window is not visible yet, also resizes it to `size`, or to a size for which
    /// the screen has room.
    void reset(const std::optional<QSize>& size = {});
    /// Arranges the panels as `layout` says, which QMainWindow::saveState() wrote. Qt ignores invalid data.
    void restore(const QByteArray& layout);
    /// Stores the current layout for the view whose layout is applied. Returns false and does nothing while panels are
    /// hidden or a panel moves.
    bool keep();
    /// Hides all panels.
    void hideAll();
    /// Shows the panels in their former layout, even if the window gets its former size only later.
    void bringBack();
    /// Shows or hides a panel. While all panels are hidden, the panel stays hidden and is shown by bringBack().
    void setShown(QDockWidget& dock, bool shown);
    /// Returns the layout of the panels for a view, as QMainWindow::saveState() writes it.
    QByteArray layoutBeside(const QString& view) const;

Q_SIGNALS:
    /// The panels were arranged for another view, hidden, or shown again.
    void arranged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool standsBeside(const SidePanel& panel) const;
    bool isMoving() const;
    void afterDrag();
    void whenStill(std::function<void()> change);
    void makeChanges();
    void endLostDrags();
    void store();
    void resetNow(const std::optional<QSize>& size);
    void bringBackNow();
    void showReturning();
    void apply();

    QMainWindow& m_window;
    WindowViews& m_views;
    std::vector<SidePanel> m_panels;
    std::map<QString, QByteArray> m_layouts;  ///< by the name of the view
    QString m_layoutOf;                       ///< the view whose layout is applied
    bool m_hidden = false;
    std::map<QDockWidget*, bool> m_returning;  ///< panels that bringBack() shows or leaves hidden, whatever the layout
    bool m_pressed = false;                    ///< the user holds the border of a panel
    std::deque<std::function<void()>> m_changes;  ///< changes of the layout that wait until nothing moves
    QTimer* m_look;                               ///< looks whether the drag has ended
};

}  // namespace ui
