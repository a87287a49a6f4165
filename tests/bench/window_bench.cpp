// The set-up that benchmarks of the window share: the style, font and colours of the real program.

#include "ui/look/application_style.h"
#include "ui/look/palette.h"

#include <QApplication>

#include <benchmark/benchmark.h>

int main(int count, char** values) {
    QApplication::setStyle(new ui::WindowStyle);
    QApplication application(count, values);
    if (!ui::loadApplicationFont(application))
        return 1;
    QApplication::setPalette(ui::widgetPalette(ui::Theme::light));
    benchmark::Initialize(&count, values);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
