#pragma once

#include "tests/test_program.h"
#include "ui/look/application_style.h"
#include "ui/look/palette.h"

#include <QApplication>
#include <QTest>

namespace tests {

/// Runs a test object after setting style, bundled font and palette as the program does for its window.
template <class Test>
int runWindowTest(int count, char** values) {
    QApplication::setStyle(new ui::WindowStyle);
    QApplication application(count, values);
    if (!ui::loadApplicationFont(application))
        return 1;
    QApplication::setPalette(ui::widgetPalette(ui::Theme::light));
    Test test;
    return QTest::qExec(&test, count, values);
}

/// Processes events until every layout has the size that its contents need. A layout notifies its parent of a new
/// minimum size by an event, so each level of nested layouts takes one round.
inline void settleLayouts() {
    constexpr int kLevels = 8;
    for (int level = 0; level < kLevels; ++level) {
        QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QApplication::processEvents();
    }
}

}  // namespace tests

#define RINGSIDE_WINDOW_TEST(Test) RINGSIDE_REGISTER_TEST(Test, tests::runWindowTest<Test>)
