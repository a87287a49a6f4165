#include "ui/look/plain_locale.h"

#include <QLocale>

#include <clocale>

namespace ui {

void usePlainLocale() {
    // File names stay UTF-8. Where the C library lacks this locale, numbers at least are plain.
    if (std::setlocale(LC_ALL, "C.UTF-8") == nullptr)
        std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());  // of spin boxes, progress bars and tables
}

}  // namespace ui
