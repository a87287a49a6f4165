#pragma once

#include "ui/look/palette.h"
#include "ui/workbench/command_palette.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/window_settings.h"

#include <QObject>
#include <QSize>
#include <QUndoGroup>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QAction;
class QMainWindow;
class QVBoxLayout;

namespace ui {

class CommandPalette;
class Documents;
class ExplorePage;
class KeyBindings;
class MessageBar;
class PanelHost;
class Pictures;
class Presenter;
class Spotlight;
class StatusLine;
class WindowSession;
class WindowViews;

/// The configuration of a workbench.
struct WorkbenchConfig {
    QString settingsFile;            ///< empty: no settings are remembered
    QString sessionFile;             ///< empty: no session is kept
    bool restoresExperiment = true;  ///< false: another experiment than that of the last session was requested
    std::optional<QSize> size{};     ///< empty: the preferred size, as far as the screen has room for it
};

/// The services that the window offers to features. Owns the places that features plug into, and no part of a feature.
/// Features register themselves in their constructors; the menus are built once all features exist.
class Workbench final : public QObject {
    Q_OBJECT

public:
    /// `window` must outlive the workbench, and is the parent of the widgets that the workbench makes.
    Workbench(QMainWindow& window, const WorkbenchConfig& config);
    ~Workbench() override;

    QMainWindow& window() { return m_window; }
    WindowSettings& settings() { return m_settings; }
    Commands& commands() { return *m_commands; }
    WindowViews& views() { return *m_views; }
    /// The view Explore: the pictures of one run and the rows around them.
    ExplorePage& explore() { return *m_explore; }
    Pictures& pictures();
    /// Brings the view Explore to the front and gives it the keyboard focus, unless it is in front already.
    void showExplore();
    PanelHost& panels() { return *m_panels; }
    Documents& documents() { return *m_documents; }
    WindowSession& session() { return *m_session; }
    Spotlight& spotlight() { return *m_spotlight; }
    MessageBar& messages() { return *m_messages; }
    StatusLine& status() { return *m_status; }
    /// Returns Qt's undo group. Its active stack is that of the view in front, or else that of the experiment.
    QUndoGroup& undo() { return m_undo; }

    /// Shows a notice and, if `remedy` is not empty, a button with that title that calls `action`.
    void notify(const QString& text, const QString& remedy = {}, std::function<void()> action = {});
    /// Shows a message that something was done.
    void confirm(const QString& text);
    void fail(const QString& text);
    /// Shows a text in the status line for `ms` milliseconds.
    void hint(const QString& text, int ms = 4000);

    /// Registers `stepOut` for Escape. Escape asks the view in front first, then these functions in the order of their
    /// ranks, until one returns true.
    void addEscape(int rank, std::function<bool()> stepOut);
    /// Registers a source of further entries for the command palette: `source` appends them.
    void addPaletteEntries(std::function<void(std::vector<PaletteEntry>&)> source);
    /// Adds a widget above all views.
    void addAboveViews(QWidget* widget);
    void addBelowViews(QWidget* widget);

    void setTheme(Theme theme);
    /// Sets the theme and remembers it for the next start.
    void chooseTheme(Theme theme);
    /// Hides everything except the view, or shows it again.
    void setViewAlone(bool alone);
    Presenter& presenter() { return *m_presenter; }
    /// Shows a view, or a picture of the run in Explore. Returns false if neither has this name.
    bool showViewOrPicture(const QString& name);
    /// Returns the names that --view accepts: the views of the window, then the pictures of a run.
    QStringList viewNames() const;

    /// Call this once all features exist: it lists views, pictures and panels among the commands and builds the menus.
    void finish();
    /// Deletes commands, panels and views while the objects that they use still exist.
    void clear();

Q_SIGNALS:
    /// The window closes. This is the last time at which all features exist.
    void closing();

private:
    void addFileCommands();
    void addViewCommands();
    void addHelpCommands();
    void addThemeCommands();
    void addSessionParts();
    void buildMenus();
    void openPalette();
    void openShortcutEditor();
    void stepOut();

    QMainWindow& m_window;
    WorkbenchConfig m_config;
    WindowSettings m_settings;
    QWidget* m_centre;
    QVBoxLayout* m_column;
    WindowViews* m_views;
    MessageBar* m_messages;
    StatusLine* m_status;
    ExplorePage* m_explore;
    std::unique_ptr<PanelHost> m_panels;
    std::unique_ptr<Commands> m_commands;
    std::unique_ptr<KeyBindings> m_keys;
    std::unique_ptr<Documents> m_documents;
    std::unique_ptr<WindowSession> m_session;
    std::unique_ptr<Spotlight> m_spotlight;
    std::unique_ptr<Presenter> m_presenter;
    QUndoGroup m_undo;
    struct Escape {
        int rank;
        std::function<bool()> stepOut;
    };
    std::vector<Escape> m_escapes;
    std::vector<std::function<void(std::vector<PaletteEntry>&)>> m_paletteSources;
    CommandPalette* m_palette = nullptr;
    QAction* m_lightTheme = nullptr;
    QAction* m_darkTheme = nullptr;
};

}  // namespace ui
