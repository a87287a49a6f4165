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

/// A panel at a side of the window.
struct SidePanel {
    enum class Side { left, right };

    QString name;  ///< of the dock: layouts, the session and the panel's command know it by this
    QString title;
    QWidget* widget = nullptr;
    Side side = Side::left;
    int rank = 0;        ///< panels of a side stand, and their commands are listed, in the order of their ranks
    bool open = true;    ///< in the layout that the window starts with
    bool alone = false;  ///< never behind another panel: the others of its side stand below it
    QStringList views{QStringLiteral("explore")};  ///< views that it stands beside, besides those that ask for it
    QDockWidget* dock = nullptr;                   ///< filled in by the host
};

/// The panels of the window, and the layout of them that each view has.
class PanelHost final : public QObject {
    Q_OBJECT

public:
    /// Both must outlive the host.
    PanelHost(QMainWindow& window, WindowViews& views);

    QDockWidget* add(SidePanel panel);
    const std::vector<SidePanel>& all() const { return m_panels; }
    /// Returns the dock of the panel of this name, or null.
    QDockWidget* dock(const QString& name) const;
    /// Shows a panel, in front of those that it shares its place with.
    void raise(const QString& name);
    /// Deletes the panels with their widgets.
    void clear();

    /// Puts every panel where it stands at the first start. Resizes the window, if it is not visible yet, to `size` or
    /// else to what the screen has room for.
    void reset(const std::optional<QSize>& size = {});
    /// Notes how the panels stand beside the view in front.
    void keep();
    /// Arranges the panels as they were beside the view that is in front now.
    void apply();
    /// Hides all panels, or shows them as they were.
    void setVisible(bool visible);
    /// Shows the panels as they were, also where the window gets its former size only a moment later.
    void bringBack();
    bool areHidden() const { return m_hidden; }
    /// Returns how the panels stand beside a view, as QMainWindow::saveState() writes it.
    QByteArray layoutBeside(const QString& view) const;

Q_SIGNALS:
    /// The panels were arranged for another view, or hidden, or shown again.
    void arranged();

private:
    bool standsBeside(const SidePanel& panel) const;

    QMainWindow& m_window;
    WindowViews& m_views;
    std::vector<SidePanel> m_panels;
    std::map<QString, QByteArray> m_layouts;  ///< by the view that the panels stand beside
    QString m_layoutOf;                       ///< the view that they are arranged for now
    bool m_hidden = false;
};

}  // namespace ui
