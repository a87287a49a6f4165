#include "ui/workbench/panel_host.h"

#include "ui/look/widget_parts.h"
#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QLayout>
#include <QMainWindow>
#include <QMouseEvent>
#include <QScreen>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr int kPictureChars = 84;  // width of the centre, in characters, before panels exceed their least width
constexpr int kLookMs = 15;        // time between two looks whether panels still move

}  // namespace

PanelHost::PanelHost(QMainWindow& window, WindowViews& views)
    : m_window(window), m_views(views), m_look(pauseTimer(this, kLookMs, [this] { makeChanges(); })) {
    connect(&views, &WindowViews::currentChanged, this, [this] { whenStill([this] { apply(); }); });
    m_window.installEventFilter(this);
    // While a dropped panel glides to its place, Qt 6.4 loses track of the layout if another drag begins or the layout
    // is restored.
    m_window.setAnimated(false);
}

// Notices the drag of a border between panels: no widget covers these borders, so the window gets the mouse events.
bool PanelHost::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease)
        m_pressed = event->type() == QEvent::MouseButtonPress;
    if (event->type() == QEvent::MouseButtonPress && isMoving())
        afterDrag();
    return QObject::eventFilter(watched, event);
}

/// Once the mouse button is up, ends the drag if its release was lost, and fits the panels to the window: Qt does not
/// resize them while a panel or a border is held.
void PanelHost::afterDrag() {
    whenStill([this] {
        m_window.layout()->invalidate();
        m_window.layout()->activate();
    });
}

/// Returns whether the user drags a panel or the border of one. Panels do not float: a dock that is a window of its own
/// is being dragged.
bool PanelHost::isMoving() const {
    return QGuiApplication::mouseButtons() != Qt::NoButton &&
           (m_pressed ||
            std::ranges::any_of(m_panels, [](const SidePanel& panel) { return panel.dock->isFloating(); }));
}

/// Releases a border, and returns panels to their places, whose drag has lost the mouse: because they were hidden
/// meanwhile or because a dialog got the release.
void PanelHost::endLostDrags() {
    if (m_pressed) {
        QMouseEvent release(QEvent::MouseButtonRelease, {}, m_window.mapToGlobal(QPointF()), Qt::LeftButton, {}, {});
        QCoreApplication::sendEvent(&m_window, &release);
    }
    for (const SidePanel& panel : m_panels) {
        if (!panel.dock->isFloating())
            continue;
        const bool shown = !panel.dock->isHidden();
        panel.dock->close();  // ends the drag
        panel.dock->setFloating(false);
        panel.dock->setVisible(shown);
    }
}

/// Makes a change of the layout, after those that wait, as soon as no panel moves.
void PanelHost::whenStill(std::function<void()> change) {
    m_changes.push_back(std::move(change));
    if (m_changes.size() == 1)
        makeChanges();
}

void PanelHost::makeChanges() {
    while (!m_changes.empty()) {
        if (isMoving())
            return m_look->start();
        endLostDrags();
        m_changes.front()();
        m_changes.erase(m_changes.begin());
    }
}

QDockWidget* PanelHost::add(SidePanel panel) {
    auto* dock = new QDockWidget(panel.title, &m_window);
    dock->setObjectName(panel.name);
    // No floating docks: re-docking is broken in Qt 6.4 (QTBUG-87332 and related bugs).
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    dock->setWidget(panel.widget);
    connect(dock, &QDockWidget::topLevelChanged, this, [this](bool floats) {
        if (floats)
            afterDrag();
    });
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
    m_changes.clear();
    m_returning.clear();
    for (const SidePanel& panel : m_panels)
        delete panel.dock;
    m_panels.clear();
}

bool PanelHost::standsBeside(const SidePanel& panel) const {
    const WindowView& view = m_views.currentView();
    return panel.views.contains(view.name) || view.panels.contains(panel.name);
}

void PanelHost::reset(const std::optional<QSize>& size) {
    whenStill([this, size] { resetNow(size); });
}

void PanelHost::resetNow(const std::optional<QSize>& size) {
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

void PanelHost::restore(const QByteArray& layout) {
    whenStill([this, layout] { m_window.restoreState(layout); });
}

void PanelHost::store() { m_layouts[m_layoutOf] = m_window.saveState(); }

bool PanelHost::keep() {
    if (m_hidden || isMoving())
        return false;
    store();
    return true;
}

/// Applies the stored layout of the view in front.
void PanelHost::apply() {
    if (m_hidden || m_layoutOf == m_views.current())
        return;  // hidden panels need no layout
    store();
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

void PanelHost::hideAll() {
    whenStill([this] {
        store();
        m_hidden = true;
        for (const SidePanel& panel : m_panels)
            panel.dock->hide();
        Q_EMIT arranged();
    });
}

void PanelHost::setShown(QDockWidget& dock, bool shown) {
    if (m_hidden)
        m_returning[&dock] = shown;
    dock.setVisible(shown && !m_hidden);
}

void PanelHost::bringBack() {
    whenStill([this] { bringBackNow(); });
}

// Restores the layout a second time when control returns to the event loop: the window gets its former size only then,
// and the panels their widths with it.
void PanelHost::bringBackNow() {
    const QByteArray kept = m_layouts[m_layoutOf];
    const bool sameView = m_layoutOf == m_views.current();
    m_hidden = false;
    for (const SidePanel& panel : m_panels)
        panel.dock->show();
    m_window.restoreState(kept);  // closed panels stay closed
    apply();                      // the view may have changed meanwhile
    showReturning();
    Q_EMIT arranged();
    QTimer::singleShot(0, this, [this, kept, sameView] {
        whenStill([this, kept, sameView] {
            if (!m_hidden && sameView)
                m_window.restoreState(kept);
            if (!m_hidden)
                showReturning();
            m_returning.clear();
        });
    });
}

void PanelHost::showReturning() {
    for (const auto& [dock, shown] : m_returning)
        dock->setVisible(shown);
}

QByteArray PanelHost::layoutBeside(const QString& view) const {
    const auto kept = m_layouts.find(view);
    return kept == m_layouts.end() ? QByteArray() : kept->second;
}

}  // namespace ui
