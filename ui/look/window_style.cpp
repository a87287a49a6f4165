#include "ui/look/window_style.h"

#include "ui/look/palette.h"

#include <QStyleOption>

namespace ui {
namespace {

constexpr int kDarkest = 128;        // lightness of a window that is still a light one
constexpr double kEdgeOfInk = 0.75;  // Fusion takes 0.7 of this for the edge

}  // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const bool ticks = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton;
    if (!ticks || button == nullptr || option->palette.color(QPalette::Window).lightness() >= kDarkest)
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    QStyleOptionButton lit = *button;
    lit.palette.setColor(QPalette::Window, Palette::mixed(option->palette.color(QPalette::Window),
                                                          option->palette.color(QPalette::WindowText), kEdgeOfInk));
    QProxyStyle::drawPrimitive(element, &lit, painter, widget);
}

}  // namespace ui
