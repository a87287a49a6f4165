#pragma once

class QApplication;

namespace ui {

/// Loads the bundled font and makes it the application's. Call it first thing: without a font the offscreen
/// platform draws boxes, and everything that was measured before would be measured wrongly.
/// False when the resource is broken; the platform's own font then stays.
bool loadApplicationFont(QApplication& application);

}  // namespace ui
