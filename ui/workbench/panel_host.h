#pragma once

#include <QByteArray>
#include <QObject>
#include <QSize>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <vector>

class QDockWidget;
class QMainWindow;

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
    /// Stores the current layout for the view whose layout is applied.
    void keep();
    /// Applies the stored layout of the view in front.
    void apply();
    /// Hides all panels, or shows them in their former layout.
    void setVisible(bool visible);
    /// Shows the panels in their former layout, even if the window gets its former size only later.
    void bringBack();
    bool areHidden() const { return m_hidden; }
    /// Returns the layout of the panels for a view, as QMainWindow::saveState() writes it.
    QByteArray layoutBeside(const QString& view) const;

Q_SIGNALS:
    /// The panels were arranged for another view, hidden, or shown again.
    void arranged();

private:
    bool standsBeside(const SidePanel& panel) const;

    QMainWindow& m_window;
    WindowViews& m_views;
    std::vector<SidePanel> m_panels;
    std::map<QString, QByteArray> m_layouts;  ///< by the name of the view
    QString m_layoutOf;                       ///< the view whose layout is applied
    bool m_hidden = false;
};

}  // namespace ui
