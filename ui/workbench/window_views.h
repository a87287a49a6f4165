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

/// One of the window's views: a way of looking at experiments that fills everything between the panels.
struct WindowView {
    QString name;  ///< what a settings file and --view call it
    QString title;
    QWidget* widget = nullptr;  ///< gets the keyboard when the view is shown; a focus proxy may pass it on
    QKeySequence key{};
    QString hint{};        ///< a sentence, for menu and palette
    QStringList panels{};  ///< panels that stand beside it until the reader changes that, besides those that name it
    std::function<std::optional<FigureOffer>()> figure{};  ///< what it would be on paper; empty: no figure
    QUndoStack* undo = nullptr;                            ///< null: the experiment's
    std::function<void()> find{};                          ///< Ctrl+F; empty: looks for spans of the run
    std::function<bool()> stepOut{};                       ///< Escape; returns false if there was nothing to leave
    std::function<bool(const QString&)>
        showPage{};  ///< shows one of its pages by name; returns false for an unknown one
};

/// The views of the window, one at a time, and the tabs between them. Which panels stand beside a view is the window's
/// business.
class WindowViews final : public QWidget {
    Q_OBJECT

public:
    explicit WindowViews(QWidget* parent = nullptr);

    /// The first one added is shown first.
    void addView(const WindowView& view);
    const std::vector<WindowView>& all() const { return m_views; }

    QString current() const { return m_views.empty() ? QString() : m_views[m_current].name; }
    const WindowView& currentView() const { return m_views[m_current]; }
    /// Shows a view, or one of its pages ("model/memory"), and gives it the keyboard. Returns false and does nothing if no
    /// view or page has that name.
    bool showView(const QString& name);
    void focusCurrent();
    /// For a picture alone: without the tabs.
    void setTabsVisible(bool visible);

Q_SIGNALS:
    /// Before the panels around it were rearranged.
    void currentChanged(const QString& name);

private:
    void choose(int index);

    std::vector<WindowView> m_views;
    std::size_t m_current = 0;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
};

}  // namespace ui
