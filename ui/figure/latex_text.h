#pragma once

#include <QString>

namespace ui {

/// Words as LaTeX sets them: what it would take for a command is escaped, signs become what every font of it has. The
/// micro sign is \figuremicro, which the document defines. Letters that LaTeX cannot set become "?".
QString latexText(const QString& text);

}  // namespace ui
