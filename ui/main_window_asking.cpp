#include "ui/main_window.h"

#include "ui/editors/experiment_form.h"
#include "ui/workbench/command_palette.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/shortcut_editor.h"
#include "ui/workbench/shortcut_sheet.h"

#include "data/presets/presets.h"
#include "engine/api/parameters.h"

#include <QDockWidget>

namespace ui {
namespace {

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

void appendCommands(const Commands& commands, std::vector<PaletteEntry>& entries) {
    for (const Command& command : commands.all()) {
        QAction* action = command.action;
        if (!action->isEnabled())
            continue;
        // A toggle says what it is about, and the sign what choosing it would do.
        const QString sign = action->isChecked() ? QStringLiteral("  ✓") : QString();
        entries.push_back({plain(action->text()) + sign, plain(titleOf(command.group)), command.hint,
                           command.keysText(), [action] { action->trigger(); }});
    }
}

}  // namespace

void MainWindow::addAskingCommands() {
    m_palette = new CommandPalette(*this);
    m_sheet = new ShortcutSheet(*m_commands, *this);
    m_commands->add({.id = "help.palette",
                     .text = tr("&Find a Command…"),
                     .group = CommandGroup::help,
                     .keys = {QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence(Qt::Key_F1)},
                     .hint = tr("Commands, parameters and presets by a few of their letters")},
                    this, &MainWindow::openPalette);
    m_commands->add({.id = "help.keys",
                     .text = tr("&Keyboard Shortcuts"),
                     .group = CommandGroup::help,
                     .keys = {QKeySequence(Qt::Key_Question)},
                     .scope = CommandScope::picture,
                     .hint = tr("All keys on one sheet")},
                    m_sheet, &ShortcutSheet::openNow);
    const auto rebind = [this] {
        auto* editor = new ShortcutEditor(*m_commands, *m_keys, this);
        editor->setAttribute(Qt::WA_DeleteOnClose);
        editor->open();
    };
    m_commands->add({.id = "help.change-keys",
                     .text = tr("&Change Keys…"),
                     .group = CommandGroup::help,
                     .hint = tr("Other keys for commands; sets for the left hand and for AZERTY")},
                    this, rebind);
    addWelcomeCommand();
    addLessonCommands();
    connect(m_sheet, &ShortcutSheet::rebindRequested, this, rebind);
}

void MainWindow::openPalette() {
    std::vector<PaletteEntry> entries;
    appendCommands(*m_commands, entries);
    for (const engine::Parameter& parameter : engine::parameters()) {
        entries.push_back({textOf(parameter.label), textOf(engine::name(parameter.group)),
                           textOf(parameter.path) + u' ' + textOf(parameter.symbol) + u' ' + textOf(parameter.meaning),
                           QString(), [this, path = parameter.path] {
                               findChild<QDockWidget*>(QStringLiteral("experimentDock"))->show();
                               m_form->focusParameter(path);
                           }});
    }
    for (const std::string& name : data::publishedCases()) {
        entries.push_back({textOf(name), tr("Experiment"), tr("open preset published"), QString(), [this, name] {
                               data::DraftReading reading = data::draftNamed(name);
                               m_experiment.replaceDraft(std::move(reading.draft), tr("opening of a preset"));
                               runExperiment();
                           }});
    }
    m_palette->openWith(std::move(entries));
}

}  // namespace ui
