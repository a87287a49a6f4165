#include "ui/workbench/workbench.h"

#include "ui/look/widget_parts.h"
#include "ui/workbench/availability.h"
#include "ui/workbench/command_palette.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/explore_page.h"
#include "ui/workbench/key_bindings.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/shortcut_editor.h"
#include "ui/workbench/shortcut_sheet.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenuBar>
#include <QMessageBox>
#include <QShortcut>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace ui {
namespace {

constexpr auto kExplore = "explore";
// Ranks of the workbench's own commands in their menus.
constexpr int kRecentRank = 50, kQuitRank = 60;
constexpr int kFirstRank = 0, kViewsRank = 50, kLayoutRank = 60, kLastRank = 100;

}  // namespace

Workbench::Workbench(QMainWindow& window, const WorkbenchConfig& config)
    : m_window(window), m_config(config), m_settings(config.settingsFile), m_centre(new QWidget(&window)) {
    m_messages = new MessageBar(*m_centre);
    m_views = new WindowViews(m_centre);
    m_explore = new ExplorePage(m_views);
    m_views->addView({.name = QString::fromLatin1(kExplore),
                      .title = tr("Explore"),
                      .widget = m_explore,
                      .key = Qt::Key_F2,
                      .hint = tr("One run: its timeline and other pictures"),
                      .figure = [this] { return pictures().figure(); }});
    m_column = flushLayout<QVBoxLayout>(m_centre, 0);
    m_column->addWidget(m_views, 1);
    // Reserves most of the width for the picture. The widest panels, a lesson and the form, leave this much on a screen
    // of 1280 pixels.
    m_centre->setMinimumWidth(window.fontMetrics().averageCharWidth() * 74);
    window.setCentralWidget(m_centre);
    m_status = new StatusLine(&window);
    window.setStatusBar(m_status);
    connect(m_status, &StatusLine::noticesRequested, this, [this](const QString& text) { notify(text); });

    m_panels = std::make_unique<PanelHost>(window, *m_views);
    m_commands = std::make_unique<Commands>(window, *m_explore);
    new RefusedShortcuts(window, *m_commands, [this](const QString& whyNot) { hint(whyNot); });
    m_documents = std::make_unique<Documents>(window, m_settings, *m_messages, *m_status);
    m_session = std::make_unique<WindowSession>(WindowSession::Config{config.sessionFile, config.restoresExperiment},
                                                window, m_settings, *m_panels, *m_views, *m_messages);
    m_spotlight = std::make_unique<Spotlight>(window);
    m_presenter = std::make_unique<Presenter>(*this);
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), &window);
    connect(escape, &QShortcut::activated, this, &Workbench::stepOut);
}

Workbench::~Workbench() = default;

void Workbench::clear() {
    // The commands are deleted first: they use panels and views, and react to focus changes while these are deleted.
    m_keys.reset();
    m_commands.reset();
    // The panels use the state that features share; Qt would delete them only after that state.
    m_panels->clear();
    delete m_window.takeCentralWidget();
}

Pictures& Workbench::pictures() { return m_explore->pictures(); }

void Workbench::showExplore() {
    if (m_views->currentView().widget != m_explore)
        m_views->showView(QString::fromLatin1(kExplore));
}

void Workbench::notify(const QString& text, const QString& remedy, std::function<void()> action) {
    m_messages->showMessage(MessageBar::Kind::notice, text, remedy, std::move(action));
}

void Workbench::confirm(const QString& text) { m_messages->showMessage(MessageBar::Kind::done, text); }

void Workbench::fail(const QString& text) { m_messages->showMessage(MessageBar::Kind::error, text); }

void Workbench::hint(const QString& text, int ms) { m_status->showMessage(text, ms); }

void Workbench::addEscape(int rank, std::function<bool()> stepOut) {
    m_escapes.insert(std::ranges::upper_bound(m_escapes, rank, {}, &Escape::rank), {rank, std::move(stepOut)});
}

void Workbench::addPaletteEntries(std::function<void(std::vector<PaletteEntry>&)> source) {
    m_paletteSources.push_back(std::move(source));
}

void Workbench::addAboveViews(QWidget* widget) { m_column->insertWidget(0, widget); }

void Workbench::addBelowViews(QWidget* widget) { m_column->addWidget(widget); }

void Workbench::setTheme(Theme theme) {
    QApplication::setPalette(widgetPalette(theme));
    QToolTip::setPalette(widgetPalette(theme));
    (theme == Theme::dark ? m_darkTheme : m_lightTheme)->setChecked(true);
}

void Workbench::chooseTheme(Theme theme) {
    setTheme(theme);
    m_settings.rememberTheme(theme);
}

void Workbench::setViewAlone(bool alone) {
    if (alone)
        m_panels->hideAll();
    else
        m_panels->bringBack();
    m_window.menuBar()->setVisible(!alone);
    m_status->setVisible(!alone);
    m_views->setTabsVisible(!alone);
}

bool Workbench::showViewOrPicture(const QString& name) {
    if (!pictures().names().contains(name))
        return m_views->showView(name);
    m_views->showView(QString::fromLatin1(kExplore));
    return pictures().showView(name);
}

QStringList Workbench::viewNames() const {
    QStringList names;
    for (const WindowView& view : m_views->all())
        names << view.name;
    return names + m_explore->pictures().names();
}

void Workbench::finish() {
    addFileCommands();
    addViewCommands();
    addThemeCommands();
    addHelpCommands();
    addSessionParts();
    m_keys = std::make_unique<KeyBindings>(*m_commands, m_settings);
    buildMenus();
    m_panels->reset(m_config.size);
}

void Workbench::addFileCommands() {
    m_documents->addRecentCommands(*m_commands, kRecentRank);
    m_commands->add({.id = "file.quit",
                     .text = tr("&Quit"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                     .startsSection = true,
                     .rank = kQuitRank},
                    &m_window, &QWidget::close);
}

void Workbench::addViewCommands() {
    for (const WindowView& view : m_views->all()) {
        m_commands->add({.id = QStringLiteral("view.") + view.name,
                         .text = view.title,
                         .group = CommandGroup::view,
                         .keys = {view.key},
                         .hint = view.hint,
                         .startsSection = view.name == m_views->all().front().name,
                         .rank = kViewsRank},
                        m_views, [this, name = view.name] { m_views->showView(name); });
    }
    // A single picture needs no command to show it.
    Pictures* pictures = &this->pictures();
    const QStringList names = pictures->names();
    for (qsizetype i = 0; i < names.size() && names.size() > 1; ++i) {
        const QString& name = names[i];
        m_commands->add(
            {.id = QStringLiteral("view.show-") + name,
             .text = pictures->titleOf(name),
             .group = CommandGroup::view,
             .keys = {QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + i))},
             .hint = tr("Shows only this picture in the centre; Ctrl+click on its button shows it above the timeline"),
             .rank = kViewsRank},
            pictures, [pictures, name] { pictures->showView(name); });
    }
    if (names.size() > 1) {
        m_commands->add({.id = "view.beside",
                         .text = tr("Show &Timeline Below"),
                         .group = CommandGroup::view,
                         .keys = {QKeySequence(Qt::ALT | Qt::Key_0)},
                         .hint = tr("Keeps the timeline visible below the picture"),
                         .rank = kViewsRank},
                        pictures, [pictures] { pictures->setBeside(!pictures->isBeside()); });
    }
    for (const SidePanel& panel : m_panels->all()) {
        m_commands->adopt({.id = QStringLiteral("view.panel-") + panel.name,
                           .group = CommandGroup::view,
                           .hint = tr("Shows or hides this panel"),
                           .startsSection = panel.name == m_panels->all().front().name,
                           .rank = kViewsRank},
                          panel.dock->toggleViewAction());
    }
    m_presenter->addCommand(kViewsRank);
    m_commands->add(
        {.id = "view.reset-layout", .text = tr("Reset La&yout"), .group = CommandGroup::view, .rank = kLayoutRank},
        this, [this] { m_panels->reset(m_config.size); });
}

void Workbench::addSessionParts() {
    m_session->add({QStringLiteral("windowView"), SessionScope::window,
                    [this] { return QJsonValue(m_views->current()); },
                    [this](const QJsonValue& kept) {
                        // The view in front has to show the experiment or the sweep that was asked for.
                        return !m_session->restoresExperiment() || m_views->showView(kept.toString());
                    }});
    m_session->add({QStringLiteral("view"), SessionScope::window,
                    [this] {
                        return QJsonObject{{QStringLiteral("name"), pictures().current()},
                                           {QStringLiteral("beside"), pictures().isBeside()}};
                    },
                    [this](const QJsonValue& kept) {
                        const bool known = pictures().showView(kept[QStringLiteral("name")].toString());
                        pictures().setBeside(known && kept[QStringLiteral("beside")].toBool());
                        return known;
                    }});
}

void Workbench::addThemeCommands() {
    auto* themes = new QActionGroup(this);
    m_lightTheme = m_commands->add({.id = "view.theme-light",
                                    .text = tr("Li&ght Theme"),
                                    .group = CommandGroup::view,
                                    .startsSection = true,
                                    .rank = kLayoutRank},
                                   this, [this] { chooseTheme(Theme::light); });
    m_darkTheme = m_commands->add(
        {.id = "view.theme-dark", .text = tr("&Dark Theme"), .group = CommandGroup::view, .rank = kLayoutRank}, this,
        [this] { chooseTheme(Theme::dark); });
    for (QAction* action : {m_lightTheme, m_darkTheme}) {
        action->setCheckable(true);
        themes->addAction(action);
    }
}

void Workbench::addHelpCommands() {
    auto* sheet = new ShortcutSheet(*m_commands, m_window);
    m_commands->add({.id = "help.palette",
                     .text = tr("Find &Command…"),
                     .group = CommandGroup::help,
                     .keys = {QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence(Qt::Key_F1)},
                     .hint = tr("Finds commands, parameters and presets by a few letters"),
                     .rank = kFirstRank},
                    this, &Workbench::openPalette);
    m_commands->add({.id = "help.keys",
                     .text = tr("&Keyboard Shortcuts"),
                     .group = CommandGroup::help,
                     .keys = {QKeySequence(Qt::Key_Question)},
                     .hint = tr("Shows all keys on one sheet"),
                     .rank = kFirstRank},
                    sheet, &ShortcutSheet::openNow);
    m_commands->add({.id = "help.change-keys",
                     .text = tr("Change Ke&ys…"),
                     .group = CommandGroup::help,
                     .hint = tr("Changes the keys of commands; offers layouts for the left hand and for AZERTY"),
                     .rank = kFirstRank},
                    this, &Workbench::openShortcutEditor);
    connect(sheet, &ShortcutSheet::rebindRequested, this, &Workbench::openShortcutEditor);
    m_commands->add({.id = "help.about", .text = tr("&About Ringside"), .group = CommandGroup::help, .rank = kLastRank},
                    this, [this] {
                        auto* box = new QMessageBox(
                            QMessageBox::NoIcon, tr("About Ringside"),
                            tr("<h3>Ringside %1</h3><p>A laboratory for T3 (Pati et al., ASPLOS 2024): how much of a "
                               "collective can hide behind the GEMM that produces its data, and what stops the "
                               "rest?</p><p>GPL-3.0-or-later. Font: Inter, OFL 1.1. Colours: Okabe and Ito.</p>")
                                .arg(QStringLiteral(RINGSIDE_VERSION)),
                            QMessageBox::Close, &m_window);
                        box->setTextFormat(Qt::RichText);
                        box->setIconPixmap(m_window.windowIcon().pixmap(64, 64));
                        box->setAttribute(Qt::WA_DeleteOnClose);
                        box->open();
                    });
}

void Workbench::openShortcutEditor() {
    auto* editor = new ShortcutEditor(*m_commands, *m_keys, &m_window);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    editor->open();
}

void Workbench::openPalette() {
    std::vector<PaletteEntry> entries;
    for (const Command& command : m_commands->all()) {
        QAction* action = command.action;
        if (!action->isVisible())
            continue;
        const auto choose = [this, action] {
            if (action->isEnabled())
                action->trigger();
            else
                hint(whyNotAvailable(*action));
        };
        // A check mark shows that a toggle is on, so that choosing it switches it off.
        const QString sign = action->isChecked() ? QStringLiteral("  ✓") : QString();
        entries.push_back({plain(action->text()) + sign, plain(titleOf(command.group)), command.hint,
                           command.keysText(), choose, whyNotAvailable(*action)});
    }
    for (const auto& source : m_paletteSources)
        source(entries);
    if (m_palette == nullptr)
        m_palette = new CommandPalette(m_window);
    m_palette->openWith(std::move(entries));
}

void Workbench::buildMenus() {
    std::map<std::pair<CommandGroup, QString>, QMenu*> menus;
    for (const Command& command : m_commands->all()) {
        if (!command.inMenu)
            continue;
        QMenu*& top = menus[{command.group, QString()}];
        if (top == nullptr)
            top = m_window.menuBar()->addMenu(titleOf(command.group));
        QMenu*& menu = menus[{command.group, command.submenu}];
        if (menu == nullptr)
            menu = top->addMenu(command.submenu);
        if (command.startsSection && !menu->isEmpty())
            menu->addSeparator();
        menu->addAction(command.action);
    }
}

void Workbench::stepOut() {
    const WindowView& view = m_views->currentView();
    if (view.stepOut && view.stepOut())
        return;
    for (const Escape& escape : m_escapes) {
        if (escape.stepOut())
            return;
    }
}

}  // namespace ui
