#include "ui/look/run_hint.h"

#include <QCoreApplication>

namespace ui {

QString runHint() {
    return QCoreApplication::translate(
        "RunHint", "Choose a preset on the left, or correct what is marked there, and run it (Ctrl+Return).");
}

QString noRunHint() { return QCoreApplication::translate("RunHint", "No run yet. %1").arg(runHint()); }

}  // namespace ui
