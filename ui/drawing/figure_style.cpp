#include "ui/drawing/figure_style.h"

#include "data/figure/figure_meaning.h"
#include "ui/look/cause_style.h"
#include "ui/look/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

using data::FigureMeaning;

/// The style of a meaning except its hue, which is that of the window.
struct Look {
    std::string_view name;
    Texture texture;
    double paler;  ///< share of white in a fill, because the colour of a policy is made for thin lines
    double grey;   ///< the grey in grey print, from 0 (black) to 1 (white)
    Marker marker;
    std::array<double, 4> dash;  ///< in points; zeros: solid
    /// Tints of one hue that stand beside each other keep their order on every page, dark ones too: each is mixed with
    /// white, and its light variant stays darker than the next tint.
    bool tint = false;
};

// Neighbours in a stack or a group differ in grey or in texture. A test checks that all looks differ.
constexpr std::array kWords{Look{"gemm", Texture::plain, 0, 0.35, Marker::circle, {}},
                            Look{"reduce-scatter", Texture::rising, 0, 0.80, Marker::square, {4, 1.5}},
                            Look{"all-gather", Texture::falling, 0, 0.55, Marker::triangle, {1.2, 1.2}},
                            Look{"all-to-all", Texture::crossed, 0, 0.90, Marker::diamond, {4, 1.5, 1.2, 1.5}},
                            Look{"dma", Texture::rows, 0, 0.70, Marker::plus, {6, 2}},
                            Look{"link", Texture::dots, 0, 0.85, Marker::cross, {2.5, 1}},
                            Look{"tracker", Texture::plain, 0, 0.95, Marker::diamond, {1.2, 2}},
                            Look{"exposed", Texture::crossed, 0, 0.45, Marker::cross, {4, 1, 1, 1}},
                            Look{"attention", Texture::rows, 0, 0.92, Marker::plus, {6, 1.5, 1.5, 1.5}},
                            Look{"element-wise", Texture::dots, 0, 0.62, Marker::triangle, {2, 2}},
                            Look{"neutral", Texture::plain, 0.62, 0.78, Marker::none, {}},
                            Look{"ideal", Texture::plain, 0, 1.00, Marker::none, {2, 1.5}},
                            Look{"empty-slots", Texture::falling, 0.85, 0.97, Marker::none, {1.2, 3}},
                            Look{"batched-gemm", Texture::rising, 0, 0.75, Marker::square, {4, 1.5}},
                            Look{"attention-element-wise", Texture::falling, 0, 0.92, Marker::diamond, {1.2, 1.2}},
                            Look{"optimizer", Texture::crossed, 0, 0.50, Marker::cross, {4, 1, 1, 1}},
                            Look{"collective", Texture::rows, 0, 0.85, Marker::plus, {6, 2}},
                            Look{"forward-pass", Texture::plain, 0.55, 0.74, Marker::triangle, {2, 2}, true},
                            Look{"backward-pass", Texture::plain, 0, 0.35, Marker::circle, {}, true},
                            Look{"weight-pass", Texture::rows, 0, 0.35, Marker::square, {4, 1.5}, true}};

// The eight colours of Okabe and Ito, for series without a meaning of their own. From the ninth series on the textures
// change.
struct Hue {
    QRgb paper, slide;
};
constexpr std::array<Hue, 8> kHues{{{0xff0072b2, 0xff4aa3df},
                                    {0xffe69f00, 0xffe69f00},
                                    {0xff009e73, 0xff2fc79a},
                                    {0xffcc79a7, 0xffcc79a7},
                                    {0xff56b4e9, 0xff56b4e9},
                                    {0xffd55e00, 0xfff07f2e},
                                    {0xff000000, 0xfff1f4f6},
                                    {0xfff0e442, 0xfff0e442}}};
constexpr std::array kTextures{Texture::plain, Texture::rising,  Texture::falling,
                               Texture::rows,  Texture::crossed, Texture::dots};
constexpr std::array kMarkers{Marker::circle,  Marker::square, Marker::triangle,
                              Marker::diamond, Marker::cross,  Marker::plus};
constexpr std::array<std::array<double, 4>, 5> kDashes{{{}, {4, 1.5}, {1.2, 1.2}, {4, 1.5, 1.2, 1.5}, {6, 2}}};
constexpr std::array kGreys{0.30, 0.80, 0.55, 0.95, 0.68, 0.42, 0.05, 0.92};

constexpr double kLightShare = 0.5;
constexpr double kLightTint = 0.35;  // of a tint
constexpr double kThinLine = 0.5;    // the thinnest line that print shows
constexpr double kLine = 1.1;

Look seriesLook(int series) {
    const auto index = static_cast<std::size_t>(series);
    // The texture is shifted by one each time all greys have been used, so that no pair of grey and texture repeats
    // before the 48th series.
    return {{},
            kTextures[(index % kGreys.size() + index / kGreys.size()) % kTextures.size()],
            0,
            kGreys[index % kGreys.size()],
            kMarkers[index % kMarkers.size()],
            kDashes[index % kDashes.size()]};
}

/// Returns the look of a cause: the texture of the window, and one for causes that the window tells apart by hue alone.
Look causeLook(engine::Cause cause, int index) {
    Look look = seriesLook(index);
    look.texture = cause == engine::Cause::latency       ? Texture::falling
                   : cause == engine::Cause::memory      ? Texture::rows
                   : cause == engine::Cause::cacheSlices ? Texture::rising
                                                         : ui::fillOf(cause, paletteOf(Theme::light)).texture;
    return look;
}

Look plainLookOf(const FigureMeaning& meaning) {
    if (meaning.kind == FigureMeaning::Kind::series)
        return seriesLook(meaning.series);
    if (meaning.kind == FigureMeaning::Kind::level) {
        Look look = seriesLook(meaning.series);
        look.dash = kDashes[static_cast<std::size_t>(meaning.dash) % kDashes.size()];
        return look;
    }
    if (meaning.kind == FigureMeaning::Kind::cause)
        return causeLook(static_cast<engine::Cause>(meaning.series), meaning.series);
    if (meaning.kind == FigureMeaning::Kind::policy) {
        const PolicyLook* look = lookOfPolicy(meaning.name);
        return look == nullptr ? seriesLook(0)
                               : Look{meaning.name, look->texture, look->paler, look->grey, look->marker, look->dash};
    }
    const auto* found = std::ranges::find(kWords, meaning.name, &Look::name);
    return found == kWords.end() ? seriesLook(0) : *found;
}

/// Returns the look of a meaning, with the marker, line and hatch that its author chose.
Look lookOf(const FigureMeaning& meaning) {
    Look look = plainLookOf(meaning);
    if (meaning.marker)
        look.marker = static_cast<Marker>(*meaning.marker);
    if (meaning.line)
        look.dash = kDashes.at(*meaning.line);
    if (meaning.hatch)
        look.texture = static_cast<Texture>(*meaning.hatch);
    return look;
}

QColor hueOfWord(std::string_view word, const Palette& colours) {
    struct Entry {
        std::string_view word;
        Role role;
    };
    constexpr std::array kRoles{Entry{"gemm", Role::gemm},
                                Entry{"reduce-scatter", Role::reduceScatter},
                                Entry{"all-gather", Role::allGather},
                                Entry{"all-to-all", Role::dma},
                                Entry{"dma", Role::dma},
                                Entry{"link", Role::link},
                                Entry{"tracker", Role::tracker},
                                Entry{"exposed", Role::exposed},
                                Entry{"attention", Role::tracker},
                                Entry{"batched-gemm", Role::link},
                                Entry{"attention-element-wise", Role::tracker},
                                Entry{"optimizer", Role::dma},
                                Entry{"collective", Role::exposed},
                                Entry{"forward-pass", Role::gemm},
                                Entry{"backward-pass", Role::gemm},
                                Entry{"weight-pass", Role::gemm}};
    for (const Entry& entry : kRoles) {
        if (entry.word == word)
            return colours.of(entry.role);
    }
    return word == "ideal" ? Palette::mixed(colours.inkFaint, colours.surface, 0.6) : colours.inkFaint;
}

const Palette& paletteOn(Ground ground) { return paletteOf(ground.isDark() ? Theme::dark : Theme::light); }

QColor hueOf(const FigureMeaning& meaning, Ground ground) {
    const Palette& colours = paletteOn(ground);
    switch (meaning.kind) {
    case FigureMeaning::Kind::policy: return colours.ofPolicy(meaning.name);
    case FigureMeaning::Kind::word: return hueOfWord(meaning.name, colours);
    case FigureMeaning::Kind::cause: return colourOf(static_cast<engine::Cause>(meaning.series), colours);
    case FigureMeaning::Kind::level:
        return orderedColours(static_cast<std::size_t>(meaning.levels), styleOf(ground).background)
            .at(static_cast<std::size_t>(meaning.series));
    case FigureMeaning::Kind::series: break;
    }
    const Hue& hue = kHues[static_cast<std::size_t>(meaning.series) % kHues.size()];
    return QColor::fromRgb(ground.isDark() ? hue.slide : hue.paper);
}

QColor greyLevel(double level) { return QColor::fromRgbF(float(level), float(level), float(level)); }

/// Returns the colour, mixed with ink until its contrast to the page is what WCAG requires of graphics (3:1).
QColor standingOut(const QColor& colour, const ThemeStyle& page) {
    constexpr double kLeastContrast = 3;
    constexpr int kSteps = 50;
    for (int step = 0; step < kSteps; ++step) {
        const QColor mixed = Palette::mixed(colour, page.ink, static_cast<double>(step) / kSteps);
        if (contrast(mixed, page.background) >= kLeastContrast)
            return mixed;
    }
    return page.ink;
}

/// Returns the dash of the light variant of a line, which has the same colour and marker and is dotted.
std::array<double, 4> lightDash(const Look& look) { return look.dash == kDashes[2] ? kDashes[3] : kDashes[2]; }

QList<double> dashOf(const std::array<double, 4>& lengths, double scale) {
    QList<double> dash;
    for (const double length : lengths) {
        if (length > 0)
            dash << length * scale;
    }
    return dash;
}

FigureFill fillOf(const Look& look, const QColor& colour, Ground ground) {
    FigureFill fill;
    fill.colour = colour;
    fill.texture = look.texture;
    const bool dark = greyOf(colour) < 0.55;
    const bool grey = ground.isGrey();
    fill.textureInk = Palette::mixed(colour, dark ? QColor(Qt::white) : QColor(Qt::black), grey ? 0.9 : 0.7);
    fill.lineWidth = grey ? 0.4 : 0.35;
    if (ground.isDark())
        fill.textureInk = Palette::mixed(colour, QColor(Qt::black), 0.55);
    if (ground.isSlide()) {
        fill.spacing = 8;
        fill.lineWidth = 1;
    }
    return fill;
}

ThemeStyle themeStyle(Ground ground) {
    const bool slide = ground.isSlide(), screen = slide || ground.isWindow();
    const Palette& colours = paletteOn(ground);
    ThemeStyle style;
    style.background = screen ? colours.surface : QColor(Qt::white);
    style.ink = screen ? colours.ink : QColor(Qt::black);
    style.inkSoft = screen ? colours.inkSoft : greyLevel(0.25);
    style.grid = slide ? colours.line : screen ? colours.grid : greyLevel(0.85);
    style.axis = {ground.isWindow() ? colours.inkFaint : style.ink, slide ? 1.2 : kThinLine, {}};
    style.gridLine = {style.grid, slide ? 1 : kThinLine, {}};
    style.reference = {slide || ground.isGrey() ? style.ink : colours.error, slide ? 2 : 0.9, {2.2, 1.4}};
    if (slide)
        style.reference.dash = {6, 4};
    return style;
}

}  // namespace

MarkStyle styleOf(std::string_view meaning, Ground ground) {
    const FigureMeaning read = data::readMeaning(meaning).value_or(FigureMeaning{{}, "neutral", 0, false});
    const Look look = lookOf(read);
    const bool slide = ground.isSlide(), dark = ground.isDark();
    const QColor hue = ground.isGrey() ? greyLevel(look.grey) : hueOf(read, ground);
    const bool fades = dark && !look.tint;
    QColor colour = fades ? hue : Palette::mixed(hue, QColor(Qt::white), ground.isGrey() ? 0 : look.paler);
    if (read.light)
        colour =
            Palette::mixed(colour, fades ? QColor(Qt::black) : QColor(Qt::white), look.tint ? kLightTint : kLightShare);
    const ThemeStyle& page = styleOf(ground);
    if (dark)  // in other themes the outline or the page stands out; here the outline has the colour of the background
        colour = standingOut(colour, page);
    MarkStyle style;
    style.fill = fillOf(look, colour, ground);
    style.outline = {slide || ground.isWindow() ? page.background : page.ink, slide ? 1.0 : 0.4, {}};
    // A line needs more contrast than a filled area. In grey print all lines are black and differ in dash and marker.
    // The ideal bound is faint as a bar; a line that faint would not be visible.
    const bool bound = read.kind == FigureMeaning::Kind::word && read.name == "ideal";
    const QColor line = ground.isGrey() ? page.ink : bound ? page.inkSoft : standingOut(hue, page);
    style.line = {line, slide ? 3 : kLine,
                  dashOf(read.light && !read.line ? lightDash(look) : look.dash, slide ? 2.2 : 1)};
    style.marker = look.marker;
    return style;
}

const ThemeStyle& styleOf(Ground ground) {
    using data::FigureTheme;
    static const std::array kStyles{themeStyle(FigureTheme::paper), themeStyle(FigureTheme::greyPrint),
                                    themeStyle(FigureTheme::darkSlide), themeStyle(Theme::light),
                                    themeStyle(Theme::dark)};
    return kStyles[ground.index()];
}

QColor heatColour(double share, Ground ground) {
    const double at = std::clamp(share, 0.0, 1.0);
    return ground.isGrey() ? greyLevel(0.97 - 0.85 * at) : viridis(at);
}

double greyOf(const QColor& colour) { return 0.299 * colour.redF() + 0.587 * colour.greenF() + 0.114 * colour.blueF(); }

}  // namespace ui
