#include "ui/look/switch_sheet.h"

#include "ui/look/palette.h"

namespace ui {

QString switchSheet(const Palette& colors, const QFont& font) {
    return QStringLiteral("QToolButton { border: 1px solid %1; margin-left: -1px; padding: 3px 0.7em; color: %2; "
                          "background: %3; font-size: %8pt; }"
                          "QToolButton:hover { background: %4; }"
                          "QToolButton:checked { background: %5; color: %6; border-color: %5; }"
                          "QToolButton:disabled { color: %7; background: %4; border-color: %1; }"
                          "QToolButton:focus { border-color: %2; }")
        .arg(colors.line.name(), colors.ink.name(), colors.surface.name(), colors.stripe.name(), colors.accent.name(),
             colors.onAccent.name(), colors.inkFaint.name(), QString::number(font.pointSizeF()));
}

}  // namespace ui
