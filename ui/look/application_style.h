#pragma once

#include <QProxyStyle>

class QApplication;

namespace ui {

/// Loads the bundled font and sets it as the application's font. Call this before any text is measured: without a font
/// the offscreen platform draws boxes, and sizes measured earlier would be wrong. Returns false if the resource is
/// broken; the platform's own font then stays.
bool loadApplicationFont(QApplication& application);

/// Makes the process show and read numbers, dates and system messages in English, with ASCII digits and a decimal
/// point. Call this right after constructing the QApplication, which sets the C library's locale to the user's, and
/// before any text is laid out: text shaping depends on the locale's language.
void usePlainLocale();

/// Qt's Fusion style with two differences. Check boxes and radio buttons have outlines that are visible in the dark
/// theme as well; Fusion draws them darker than the window. A label shows plain text unless the code sets Qt::RichText:
/// Qt would take a title with a tag in it, which came from a stranger's document, for HTML, and load the pictures that
/// it names. This holds for all labels, also for those of message boxes and progress dialogs; see plainTip for tool
/// tips.
class WindowStyle final : public QProxyStyle {
public:
    WindowStyle();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

}  // namespace ui
