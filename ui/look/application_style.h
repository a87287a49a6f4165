#pragma once

#include <QProxyStyle>

class QApplication;

namespace ui {

/// Loads the bundled font and makes it the application's. Call it first thing: without a font the offscreen
/// platform draws boxes, and everything that was measured before would be measured wrongly.
/// False when the resource is broken; the platform's own font then stays.
bool loadApplicationFont(QApplication& application);

/// Makes the process show and read numbers, dates and the system's messages in English, with ASCII digits and a decimal
/// point. Call it right after constructing the QApplication, which sets the C library's locale to the user's, and before
/// any text is laid out: letters are shaped by the rules of that locale's language.
void usePlainLocale();

/// Qt's Fusion, whose boxes and circles to tick can be seen in the dark theme as well: Fusion draws their edge darker
/// than the window.
class WindowStyle final : public QProxyStyle {
public:
    WindowStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

}  // namespace ui
