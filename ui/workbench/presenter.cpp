#include "ui/workbench/presenter.h"

#include "ui/workbench/commands.h"
#include "ui/workbench/key_hint.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/still_pointer.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QMainWindow>

namespace ui {
namespace {

constexpr double kPresenterScale = 1.5;
constexpr int kEscapeRank = 20;

}  // namespace

Presenter::Presenter(Workbench& workbench) : m_workbench(workbench) {
    workbench.addEscape(kEscapeRank, [this] {
        const bool was = m_on;
        set(false);
        return was;
    });
}

void Presenter::addCommand(int rank) {
    m_action = m_workbench.commands().add({.id = "view.present",
                                           .text = tr("Presenter &Mode"),
                                           .group = CommandGroup::view,
                                           .keys = {QKeySequence(Qt::Key_F11)},
                                           .hint = tr("The picture alone on the whole screen, in larger type"),
                                           .rank = rank},
                                          this, &Presenter::set);
    m_action->setCheckable(true);
}

void Presenter::set(bool on) {
    if (on == m_on)
        return;
    QMainWindow& window = m_workbench.window();
    if (on) {
        m_stateBefore = window.windowState();
        m_placeBefore = window.geometry();
    }
    m_on = on;
    m_action->setChecked(on);
    if (on)
        m_workbench.setViewAlone(true);
    QFont type = QApplication::font();
    type.setPointSizeF(type.pointSizeF() * (on ? kPresenterScale : 1));
    window.setFont(type);
    window.setWindowState(on ? window.windowState() | Qt::WindowFullScreen : m_stateBefore);
    if (!on) {
        // Not every window system remembers it.
        if (m_stateBefore == Qt::WindowNoState)
            window.setGeometry(m_placeBefore);
        m_workbench.setViewAlone(false);
    }
    delete m_pointer;
    m_pointer = on ? new StillPointer(&window) : nullptr;
    delete m_hint;
    if (on)
        showKeys();
    m_workbench.views().focusCurrent();
    Q_EMIT changed(on);
}

void Presenter::showKeys() {
    std::vector<std::pair<QString, QString>> keys;
    const auto add = [&](const char* id, const QString& what) {
        const Command* command = m_workbench.commands().find(QString::fromLatin1(id));
        if (command != nullptr && !command->action->shortcuts().isEmpty())
            keys.emplace_back(command->action->shortcuts().front().toString(QKeySequence::NativeText), what);
    };
    add("playback.play", tr("play and pause"));
    add("playback.step-forward", tr("next step"));
    add("view.show-machine", tr("machine"));
    add("help.palette", tr("any command"));
    add("view.present", tr("or Esc leaves"));
    m_hint = new KeyHint(keys, *m_workbench.window().centralWidget());
}

}  // namespace ui
