#pragma once

#include <QFont>
#include <QString>

namespace ui {

struct Palette;

/// How a row of tool buttons looks of which one is chosen, or each is on or off: a chosen one cannot be overlooked from the
/// last row of a room. For the widget that holds them, whenever its palette or its font changes: what has a style sheet
/// does not follow the type around it.
QString switchSheet(const Palette& colors, const QFont& font);

}  // namespace ui
