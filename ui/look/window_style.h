#pragma once

#include <QProxyStyle>

namespace ui {

/// Qt's Fusion, whose boxes and circles to tick can be seen in the dark theme as well: Fusion draws their edge darker
/// than the window.
class WindowStyle final : public QProxyStyle {
public:
    WindowStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

}  // namespace ui
