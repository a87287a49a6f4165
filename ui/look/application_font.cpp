#include "ui/look/application_font.h"

#include <QApplication>
#include <QFont>
#include <QFontDatabase>

// At global scope: the macro declares a function of the resource library, and names it here so that it is linked.
static void initResources() { Q_INIT_RESOURCE(ringside); }

namespace ui {

bool loadApplicationFont(QApplication& application) {
    initResources();
    bool loaded = true;
    for (const char* style : {"Regular", "SemiBold", "Bold"}) {
        const QString file = QStringLiteral(":/fonts/RingsideSans-%1.otf").arg(QLatin1String(style));
        loaded = QFontDatabase::addApplicationFont(file) >= 0 && loaded;
    }
    if (!loaded)
        return false;
    QFont font(QStringLiteral("Ringside Sans"));
    font.setPointSizeF(10);
    application.setFont(font);
    return true;
}

}  // namespace ui
