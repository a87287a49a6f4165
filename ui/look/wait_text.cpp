#include "ui/look/wait_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QString waitTr(const char* text) { return QCoreApplication::translate("WaitText", text); }

}  // namespace

QString formatWait(std::chrono::nanoseconds wait) {
    const double seconds = std::chrono::duration<double>(wait).count();
    if (seconds < 0.95)
        return waitTr("%1 s").arg(std::max(0.1, seconds), 0, 'f', 1);
    if (seconds < 90)
        return waitTr("%1 s").arg(std::lround(seconds));
    const long minutes = std::lround(seconds / 60);
    if (minutes < 90)
        return waitTr("%1 min").arg(minutes);
    return waitTr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

}  // namespace ui
