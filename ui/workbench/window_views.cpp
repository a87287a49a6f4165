#include "ui/workbench/window_views.h"

#include "ui/look/widget_parts.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

/// A stack whose least size is that of the visible view; a wide hidden view would make the window too wide for a small
/// screen.
class ViewStack final : public QStackedWidget {
public:
    explicit ViewStack(QWidget* parent) : QStackedWidget(parent) {
        connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
    }
    QSize minimumSizeHint() const override {
        const QWidget* shown = currentWidget();
        return shown == nullptr ? QSize() : shown->minimumSizeHint().expandedTo(shown->minimumSize());
    }
};

}  // namespace

WindowViews::WindowViews(QWidget* parent) : QWidget(parent), m_tabs(new QTabBar(this)), m_stack(new ViewStack(this)) {
    setObjectName(QStringLiteral("windowViews"));
    setNames(*m_tabs, QStringLiteral("windowTabs"), tr("Views of the window"));
    m_tabs->setExpanding(false);
    m_tabs->setDocumentMode(true);
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    column->addWidget(m_tabs);
    column->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &WindowViews::choose);
    // A click moves the focus to the view; arrow keys leave it on the tabs.
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0)
            showView(m_views[static_cast<std::size_t>(index)].name);
    });
}

void WindowViews::addView(const WindowView& view) {
    m_views.push_back(view);
    m_stack->addWidget(view.widget);
    const int tab = m_tabs->addTab(view.title);
    m_tabs->setTabToolTip(tab, view.key.isEmpty() ? view.hint
                                                  : QStringLiteral("%1  (%2)").arg(view.hint, view.key.toString()));
    m_tabs->setVisible(m_views.size() > 1);
}

bool WindowViews::showView(const QString& name) {
    const QString page = name.section(QLatin1Char('/'), 1);
    const auto at = std::ranges::find(m_views, name.section(QLatin1Char('/'), 0, 0), &WindowView::name);
    if (at == m_views.end() || (!page.isEmpty() && (!at->showPage || !at->showPage(page))))
        return false;
    m_tabs->setCurrentIndex(static_cast<int>(at - m_views.begin()));
    focusCurrent();
    return true;
}

void WindowViews::focusCurrent() {
    if (!m_views.empty())
        m_views[m_current].widget->setFocus();
}

void WindowViews::setTabsVisible(bool visible) { m_tabs->setVisible(visible && m_views.size() > 1); }

void WindowViews::choose(int index) {
    const auto chosen = static_cast<std::size_t>(index);
    if (index < 0 || chosen >= m_views.size() || chosen == m_current)
        return;
    m_current = chosen;
    m_stack->setCurrentIndex(index);
    Q_EMIT currentChanged(m_views[m_current].name);
}

}  // namespace ui
