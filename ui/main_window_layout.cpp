#include "ui/main_window.h"

#include "ui/workbench/centre_views.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/window_views.h"

#include <QChildEvent>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenuBar>
#include <QScreen>
#include <QTabBar>

#include <algorithm>

// Which panels stand beside which view.

namespace ui {
namespace {

constexpr int kPictureChars = 84;  // what the centre should have before panels are wider than they must be

}  // namespace

void MainWindow::resetLayout() {
    // To the left one under the other, the first one tall; to the right as tabs, the first one in front.
    const QStringList& beside = m_windowViews->currentView().panels;
    QList<QDockWidget*> left, right;
    QDockWidget* above = nullptr;
    for (const Panel& panel : m_panels) {
        const bool isLeft = panel.side == Side::left;
        QList<QDockWidget*>& column = isLeft ? left : right;
        addDockWidget(isLeft ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, panel.dock);
        panel.dock->setVisible(panel.open && beside.contains(panel.name));
        if (panel.alone) {
            above = panel.dock;
            continue;
        }
        if (isLeft ? !column.isEmpty() : above != nullptr && column.isEmpty())
            splitDockWidget(isLeft ? column.back() : above, panel.dock, Qt::Vertical);
        else if (!column.isEmpty())
            tabifyDockWidget(column.back(), panel.dock);
        column << panel.dock;
    }
    if (!right.isEmpty())
        right.front()->raise();
    const QScreen* screen = QGuiApplication::primaryScreen();
    const QSize room = screen != nullptr ? screen->availableSize() : QSize(1600, 900);
    if (!isVisible())
        resize(m_config.size.value_or(QSize(1600, 900).boundedTo(room)));
    const int em = fontMetrics().averageCharWidth();
    QList<int> heights{620};
    while (heights.size() < left.size())
        heights << 200;
    m_layoutOf = m_windowViews->current();
    // Where the window is narrow the panels are as narrow as they can be.
    const int roomy = std::max(2, width() - em * kPictureChars);
    resizeDocks({left.front()}, {std::min(em * 48, roomy / 2)}, Qt::Horizontal);
    resizeDocks(left, heights, Qt::Vertical);
    if (!right.isEmpty())
        resizeDocks({right.front()}, {std::min(em * 46, roomy / 2)}, Qt::Horizontal);
}

// Qt makes the tabs between panels whenever it needs some.
void MainWindow::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    auto* tabs = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr;
    if (tabs != nullptr)
        tabs->setAccessibleName(tr("Panels"));
}

void MainWindow::keepLayout() { m_layouts[m_layoutOf] = saveState(); }

void MainWindow::applyLayout() {
    if (m_presents || m_layoutOf == m_windowViews->current())
        return;  // without panels all views look alike
    keepLayout();
    m_layoutOf = m_windowViews->current();
    const auto kept = m_layouts.find(m_layoutOf);
    if (kept != m_layouts.end())
        restoreState(kept->second);
    const QStringList& beside = m_windowViews->currentView().panels;
    for (const Panel& panel : m_panels) {
        if (kept == m_layouts.end() && !beside.contains(panel.name))
            panel.dock->hide();
    }
    keepLessonInSight();
}

void MainWindow::setPanelsVisible(bool visible) {
    if (!visible)
        keepLayout();
    for (const Panel& panel : m_panels)
        panel.dock->setVisible(visible);
    if (visible)
        restoreState(m_layouts[m_layoutOf]);  // those that were closed stay closed
    keepLessonInSight();
    menuBar()->setVisible(visible);
    m_status->setVisible(visible);
    m_windowViews->setTabsVisible(visible);
}

QStringList MainWindow::viewNames() const {
    QStringList names;
    for (const WindowView& view : m_windowViews->all())
        names << view.name;
    return names + m_views->names();
}

bool MainWindow::showAlone(const QString& view) {
    if (m_windowViews->showView(view))
        return true;
    if (!m_views->showView(view))
        return false;
    setPanelsVisible(false);
    return true;
}

void MainWindow::addWindowViewCommands() {
    for (const WindowView& view : m_windowViews->all()) {
        m_commands->add({.id = QStringLiteral("view.") + view.name,
                         .text = view.title,
                         .group = CommandGroup::view,
                         .keys = {view.key},
                         .hint = view.hint,
                         .startsSection = view.name == m_windowViews->all().front().name},
                        m_windowViews, [this, name = view.name] { m_windowViews->showView(name); });
    }
}

}  // namespace ui
