#include "ui/look/text.h"

#include <QStringList>

namespace ui {

QString text(const engine::Problems& problems) {
    QStringList lines;
    for (const engine::Problem& problem : problems)
        lines << QString::fromStdString(engine::describe(problem));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace ui
