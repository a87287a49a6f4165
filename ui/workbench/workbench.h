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

/// What a window opens with.
struct WorkbenchConfig {
    QString settingsFile;            ///< empty: nothing is remembered
    QString sessionFile;             ///< empty: no session is kept
    bool restoresExperiment = true;  ///< false: another experiment was asked for than that of the last session
    std::optional<QSize> size{};     ///< nothing: as large as is good, within the screen
};

/// What a feature may ask of the window. Owns the places that features plug into, and nothing of a feature.
/// Features register while they are constructed; menus are built once all of them exist.
class Workbench final : public QObject {
    Q_OBJECT

public:
    /// `window` owns the widgets that the workbench makes, and must outlive it.
    Workbench(QMainWindow& window, const WorkbenchConfig& config);
    ~Workbench() override;

    QMainWindow& window() { return m_window; }
    WindowSettings& settings() { return m_settings; }
    Commands& commands() { return *m_commands; }
    WindowViews& views() { return *m_views; }
    /// The view Explore: the pictures of one run and the rows around them.
    ExplorePage& explore() { return *m_explore; }
    Pictures& pictures();
    /// Brings the view Explore to the front and gives it the keyboard, unless it is in front.
    void showExplore();
    PanelHost& panels() { return *m_panels; }
    Documents& documents() { return *m_documents; }
    WindowSession& session() { return *m_session; }
    Spotlight& spotlight() { return *m_spotlight; }
    MessageBar& messages() { return *m_messages; }
    StatusLine& status() { return *m_status; }
    /// Qt's own: the active stack is that of the view in front, or else the experiment's.
    QUndoGroup& undo() { return m_undo; }

    /// Says something worth knowing, with a button for what can be done about it if `remedy` is given.
    void notify(const QString& text, const QString& remedy = {}, std::function<void()> action = {});
    /// Says that something was done.
    void confirm(const QString& text);
    void fail(const QString& text);
    /// Says something in the status line for a while.
    void hint(const QString& text, int ms = 4000);

    /// From now on Escape calls `stepOut`, in the order of the ranks and after the view in front, until one returns true.
    void addEscape(int rank, std::function<bool()> stepOut);
    /// From now on the palette of commands lists what `source` appends as well.
    void addPaletteEntries(std::function<void(std::vector<PaletteEntry>&)> source);
    /// Puts a widget above or beneath all views.
    void addAboveViews(QWidget* widget);
    void addBelowViews(QWidget* widget);

    void setTheme(Theme theme);
    /// Sets the theme, and for the next start as well.
    void chooseTheme(Theme theme);
    /// Hides all but the view, or shows what was hidden.
    void setViewAlone(bool alone);
    Presenter& presenter() { return *m_presenter; }
    /// Shows a view, or a picture of the run in Explore. Returns false if neither has this name.
    bool showViewOrPicture(const QString& name);
    /// What --view may ask for: the views of the window, then the pictures of a run.
    QStringList viewNames() const;

    /// Call once all features exist: lists views, pictures and panels among the commands and builds the menus.
    void finish();
    /// Deletes commands, panels and views, while what they look at is still there.
    void clear();

Q_SIGNALS:
    /// The last moment at which the features are whole: the window closes.
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
