#include "ui/look/palette.h"

#include "ui/look/policy_look.h"

#include <QWidget>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr QRgb kOrange = 0xffe69f00;
constexpr QRgb kSkyBlue = 0xff56b4e9;
constexpr QRgb kBluishGreen = 0xff009e73;
constexpr QRgb kYellow = 0xfff0e442;
constexpr QRgb kBlue = 0xff0072b2;
constexpr QRgb kVermillion = 0xffd55e00;
constexpr QRgb kReddishPurple = 0xffcc79a7;

Palette light() {
    Palette palette;
    palette.theme = Theme::light;
    palette.window = QColor(0xf3, 0xf5, 0xf7);
    palette.surface = QColor(0xff, 0xff, 0xff);
    palette.stripe = QColor(0xf7, 0xf9, 0xfa);
    palette.line = QColor(0xcf, 0xd5, 0xdc);
    palette.grid = QColor(0xe6, 0xea, 0xee);
    palette.ink = QColor(0x11, 0x1b, 0x24);
    palette.inkSoft = QColor(0x3d, 0x4a, 0x57);
    palette.inkFaint = QColor(0x5f, 0x6c, 0x79);
    palette.accent = QColor::fromRgb(kBlue);
    palette.onAccent = QColor(0xff, 0xff, 0xff);
    palette.error = QColor(0xb0, 0x2a, 0x12);
    palette.better = QColor(0x00, 0x6b, 0x4e);
    palette.notice = QColor(0xff, 0xf3, 0xd6);
    palette.cursor = QColor(0xb0, 0x2a, 0x12);
    return palette;
}

Palette dark() {
    Palette palette;
    palette.theme = Theme::dark;
    palette.window = QColor(0x23, 0x29, 0x30);
    palette.surface = QColor(0x16, 0x1a, 0x1f);
    palette.stripe = QColor(0x1c, 0x21, 0x27);
    palette.line = QColor(0x44, 0x4e, 0x59);
    palette.grid = QColor(0x29, 0x30, 0x38);
    palette.ink = QColor(0xf1, 0xf4, 0xf6);
    palette.inkSoft = QColor(0xbf, 0xc8, 0xd1);
    palette.inkFaint = QColor(0x93, 0x9f, 0xab);
    palette.accent = QColor(0x10, 0x78, 0xb5);
    palette.onAccent = QColor(0xff, 0xff, 0xff);
    palette.error = QColor(0xff, 0x8a, 0x70);
    palette.better = QColor(0x4f, 0xd1, 0xa5);
    palette.notice = QColor(0x3d, 0x33, 0x1a);
    palette.cursor = QColor(0xff, 0x8a, 0x70);
    return palette;
}

double channelLuminance(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * channelLuminance(color.redF()) + 0.7152 * channelLuminance(color.greenF()) +
           0.0722 * channelLuminance(color.blueF());
}

}  // namespace

QColor Palette::of(Role role) const {
    switch (role) {
    case Role::gemm: return QColor::fromRgb(kBlue);
    case Role::reduceScatter: return QColor::fromRgb(kOrange);
    case Role::allGather: return QColor::fromRgb(kBluishGreen);
    case Role::dma: return QColor::fromRgb(kReddishPurple);
    case Role::link: return QColor::fromRgb(kSkyBlue);
    case Role::tracker: return QColor::fromRgb(kYellow);
    case Role::exposed: return QColor::fromRgb(kVermillion);
    case Role::overlapped: return QColor::fromRgb(kBlue);
    case Role::neutral: break;
    }
    return inkFaint;
}

QColor Palette::shaded(const QColor& color) const {
    // Lighter in the dark theme and darker in the light one, so that both tints contrast with the background.
    return mixed(color, theme == Theme::dark ? QColor(Qt::white) : QColor(Qt::black),
                 theme == Theme::dark ? 0.24 : 0.17);
}

QColor Palette::ofPolicy(std::string_view policy) const {
    if (const PolicyLook* look = lookOfPolicy(policy))
        return QColor::fromRgb(theme == Theme::dark ? look->dark : look->light);
    return inkFaint;
}

QColor Palette::inkOn(const QColor& background) {
    const QColor black(0x0c, 0x12, 0x18);
    return contrast(background, black) >= contrast(background, Qt::white) ? black : QColor(Qt::white);
}

QColor Palette::seeThrough(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

QColor Palette::mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

const Palette& paletteOf(Theme theme) {
    static const Palette kLight = light();
    static const Palette kDark = dark();
    return theme == Theme::dark ? kDark : kLight;
}

const Palette& paletteOf(const QWidget& widget) {
    return paletteOf(widget.palette().color(QPalette::Window).lightness() < 128 ? Theme::dark : Theme::light);
}

QPalette widgetPalette(Theme theme) {
    const Palette& colors = paletteOf(theme);
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.ink);
    palette.setColor(QPalette::Base, colors.surface);
    palette.setColor(QPalette::AlternateBase, colors.stripe);
    palette.setColor(QPalette::Text, colors.ink);
    palette.setColor(QPalette::PlaceholderText, colors.inkFaint);
    palette.setColor(QPalette::Button, theme == Theme::dark ? QColor(0x36, 0x3e, 0x47) : QColor(0xfa, 0xfb, 0xfc));
    palette.setColor(QPalette::ButtonText, colors.ink);
    palette.setColor(QPalette::BrightText, colors.error);
    palette.setColor(QPalette::ToolTipBase, theme == Theme::dark ? QColor(0x2a, 0x31, 0x39) : QColor(Qt::white));
    palette.setColor(QPalette::ToolTipText, colors.ink);
    palette.setColor(QPalette::Highlight, colors.accent);
    palette.setColor(QPalette::HighlightedText, colors.onAccent);
    // The accent is a background for white text. As a text colour it is too dark on dark surfaces.
    palette.setColor(QPalette::Link, theme == Theme::dark ? colors.of(Role::link) : colors.accent);
    palette.setColor(QPalette::Light, theme == Theme::dark ? colors.line : QColor(Qt::white));
    palette.setColor(QPalette::Midlight, theme == Theme::dark ? colors.line : colors.grid);
    palette.setColor(QPalette::Mid, theme == Theme::dark ? colors.grid : colors.line);
    palette.setColor(QPalette::Dark, theme == Theme::dark ? QColor(0x0c, 0x0f, 0x12) : QColor(0xa9, 0xb2, 0xbc));
    palette.setColor(QPalette::Shadow, theme == Theme::dark ? QColor(Qt::black) : QColor(0x6b, 0x75, 0x80));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, Palette::mixed(colors.inkFaint, colors.window, 0.35));
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colors.line);
    return palette;
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace ui
