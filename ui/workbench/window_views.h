#pragma once

#include "ui/shared/figure_offer.h"

#include <QKeySequence>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QStackedWidget;
class QTabBar;
class QUndoStack;

namespace ui {

/// A view of the window: it shows experiments in one way and fills the space between the panels.
struct WindowView {
    QString name;  ///< identifies the view in settings files and for --view
    QString title;
    QWidget* widget = nullptr;  ///< gets the keyboard focus when the view is shown; a focus proxy may pass it on
    QKeySequence key{};
    QString hint{};  ///< a sentence, for menu and palette
    QStringList
        panels{};  ///< panels shown with the view until the user changes that, besides panels that name the view
    std::function<std::optional<FigureOffer>()> figure{};  ///< returns the view as a figure; empty: no figure
    QUndoStack* undo = nullptr;                            ///< null: the experiment's
    std::function<void()> find{};                          ///< called by Ctrl+F; empty: search for spans of the run
    std::function<bool()> stepOut{};                       ///< called by Escape; returns false if it had no effect
    std::function<bool(const QString&)> showPage{};  ///< shows the page with this name; returns false if there is none
};

/// The views of the window, one shown at a time, and the tabs that switch between them. The panels of a view are
/// arranged by PanelHost.
class WindowViews final : public QWidget {
    Q_OBJECT

public:
    explicit WindowViews(QWidget* parent = nullptr);

    /// Adds a view. The first one added is shown first.
    void addView(const WindowView& view);
    const std::vector<WindowView>& all() const { return m_views; }

    QString current() const { return m_views.empty() ? QString() : m_views[m_current].name; }
    const WindowView& currentView() const { return m_views[m_current]; }
    /// Shows a view, or one of its pages ("model/memory"), and gives it the keyboard focus. Returns false and does
    /// nothing if no view or page has that name.
    bool showView(const QString& name);
    void focusCurrent();
    /// Shows or hides the tabs; without them a picture can fill the window.
    void setTabsVisible(bool visible);

Q_SIGNALS:
    /// Another view is in front; emitted before the panels are rearranged.
    void currentChanged(const QString& name);

private:
    void choose(int index);

    std::vector<WindowView> m_views;
    std::size_t m_current = 0;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
};

}  // namespace ui
