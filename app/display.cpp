#include "app/display.h"

#include "app/ringside_cli_exit.h"
#include "data/document/visible_text.h"

#include <QByteArray>

#include <cstdlib>

namespace app {
namespace {

QtMessageHandler g_others = nullptr;

/// Returns the setting of the environment that keeps Qt from opening a window: the message names what to change.
QByteArray reason() {
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        return "QT_QPA_PLATFORM is " + qgetenv("QT_QPA_PLATFORM");
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY"))
        return "neither DISPLAY nor WAYLAND_DISPLAY is set";
    return qEnvironmentVariableIsEmpty("DISPLAY") ? "WAYLAND_DISPLAY is " + qgetenv("WAYLAND_DISPLAY")
                                                  : "DISPLAY is " + qgetenv("DISPLAY");
}

void handle(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (type == QtFatalMsg) {
        std::fprintf(
            stderr,
            "ringside: no window can be opened here (%s); --screenshot, --frames and `ringside figure` need no display.\n",
            reason().constData());
        std::_Exit(cli::kMachineFailed);
    }
    const QByteArray category = context.category != nullptr ? context.category : "";
    if (!category.startsWith("qt.qpa") && g_others != nullptr)
        g_others(type, context, text);
}

}  // namespace

void say(std::FILE* stream, const QString& text) {
    const QString visible = QString::fromStdString(data::visibleText(text.toStdString()));
    std::fprintf(stream, "%s\n", visible.toLocal8Bit().constData());
}

DisplayGuard::DisplayGuard() : m_before(qInstallMessageHandler(handle)) { g_others = m_before; }

DisplayGuard::~DisplayGuard() { qInstallMessageHandler(m_before); }

}  // namespace app
