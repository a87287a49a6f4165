#include "ui/workbench/panel_host.h"

#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QTimer>

#include <algorithm>

namespace ui {
namespace {

constexpr int kPictureChars = 84;  // width of the centre, in characters, before panels exceed their least width

}  // namespace

PanelHost::PanelHost(QMainWindow& window, WindowViews& views) : m_window(window), m_views(views) {
    connect(&views, &WindowViews::currentChanged, this, &PanelHost::apply);
}

QDockWidget* PanelHost::add(SidePanel panel) {
    auto* dock = new QDockWidget(panel.title, &m_window);
    dock->setObjectName(panel.name);
    // No floating docks: re-docking is broken in Qt 6.4 (QTBUG-87332 and related bugs).
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    dock->setWidget(panel.widget);
    panel.dock = dock;
    const auto place = std::ranges::upper_bound(m_panels, panel.rank, {}, &SidePanel::rank);
    m_panels.insert(place, std::move(panel));
    return dock;
}

QDockWidget* PanelHost::dock(const QString& name) const {
    const auto found = std::ranges::find(m_panels, name, &SidePanel::name);
    return found == m_panels.end() ? nullptr : found->dock;
}

void PanelHost::raise(const QString& name) {
    if (QDockWidget* found = dock(name)) {
        found->show();
        found->raise();
    }
}

void PanelHost::clear() {
    for (const SidePanel& panel : m_panels)
        delete panel.dock;
    m_panels.clear();
}

bool PanelHost::standsBeside(const SidePanel& panel) const {
    const WindowView& view = m_views.currentView();
    return panel.views.contains(view.name) || view.panels.contains(panel.name);
}

void PanelHost::reset(const std::optional<QSize>& size) {
    // Panels on the left are one below the other, the first one tall; panels on the right are tabs, the first in front.
    QList<QDockWidget*> left, right;
    QDockWidget* above = nullptr;
    for (const SidePanel& panel : m_panels) {
        const bool isLeft = panel.side == SidePanel::Side::left;
        QList<QDockWidget*>& column = isLeft ? left : right;
        m_window.addDockWidget(isLeft ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, panel.dock);
        panel.dock->setVisible(panel.open && standsBeside(panel));
        if (panel.alone) {
            above = panel.dock;
            continue;
        }
        if (isLeft ? !column.isEmpty() : above != nullptr && column.isEmpty())
            m_window.splitDockWidget(isLeft ? column.back() : above, panel.dock, Qt::Vertical);
        else if (!column.isEmpty())
            m_window.tabifyDockWidget(column.back(), panel.dock);
        column << panel.dock;
    }
    if (!right.isEmpty())
        right.front()->raise();
    const QScreen* screen = QGuiApplication::primaryScreen();
    const QSize room = screen != nullptr ? screen->availableSize() : QSize(1600, 900);
    if (!m_window.isVisible())
        m_window.resize(size.value_or(QSize(1600, 900).boundedTo(room)));
    const int em = m_window.fontMetrics().averageCharWidth();
    QList<int> heights{620};
    while (heights.size() < left.size())
        heights << 200;
    m_layoutOf = m_views.current();
    // In a narrow window the panels get their least width.
    const int roomy = std::max(2, m_window.width() - em * kPictureChars);
    if (!left.isEmpty()) {
        m_window.resizeDocks({left.front()}, {std::min(em * 48, roomy / 2)}, Qt::Horizontal);
        m_window.resizeDocks(left, heights, Qt::Vertical);
    }
    if (!right.isEmpty())
        m_window.resizeDocks({right.front()}, {std::min(em * 46, roomy / 2)}, Qt::Horizontal);
}

void PanelHost::keep() { m_layouts[m_layoutOf] = m_window.saveState(); }

void PanelHost::apply() {
    if (m_hidden || m_layoutOf == m_views.current())
        return;  // hidden panels need no layout
    keep();
    m_layoutOf = m_views.current();
    const auto kept = m_layouts.find(m_layoutOf);
    if (kept != m_layouts.end())
        m_window.restoreState(kept->second);
    for (const SidePanel& panel : m_panels) {
        if (kept == m_layouts.end() && !standsBeside(panel))
            panel.dock->hide();
    }
    Q_EMIT arranged();
}

void PanelHost::setVisible(bool visible) {
    if (!visible)
        keep();
    m_hidden = !visible;
    for (const SidePanel& panel : m_panels)
        panel.dock->setVisible(visible);
    if (visible)
        m_window.restoreState(m_layouts[m_layoutOf]);  // closed panels stay closed
    Q_EMIT arranged();
}

// Restores the layout a second time when control returns to the event loop: the window gets its former size only then,
// and the panels their widths with it.
void PanelHost::bringBack() {
    const QByteArray kept = m_layouts[m_layoutOf];
    const bool sameView = m_layoutOf == m_views.current();
    setVisible(true);
    apply();  // the view may have changed meanwhile
    QTimer::singleShot(0, this, [this, kept, sameView] {
        if (!m_hidden && sameView)
            m_window.restoreState(kept);
    });
}

QByteArray PanelHost::layoutBeside(const QString& view) const {
    const auto kept = m_layouts.find(view);
    return kept == m_layouts.end() ? QByteArray() : kept->second;
}

}  // namespace ui
