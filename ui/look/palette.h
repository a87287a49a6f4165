#pragma once

#include <QColor>
#include <QPalette>

#include <cstdint>
#include <string_view>

class QWidget;

namespace ui {

enum class Theme { light, dark };

/// The meaning of a colour. A role has the same meaning in every view, and one colour in each theme.
enum class Role : std::uint8_t {
    gemm,
    reduceScatter,
    allGather,
    dma,
    link,
    tracker,
    exposed,
    overlapped,  ///< drawn as GEMM striped with reduce-scatter
    neutral
};

/// All colours of the window. The colours of the series are those of Okabe and Ito, which can be distinguished with any
/// kind of colour vision.
struct Palette {
    Theme theme{};
    QColor window, surface, stripe, line, grid, ink, inkSoft, inkFaint, accent, onAccent, error, better, notice, cursor;

    QColor of(Role role) const;
    /// Returns a slightly different tint of the same role, to distinguish neighbours.
    QColor shaded(Role role) const { return shaded(of(role)); }
    QColor shaded(const QColor& color) const;
    /// Returns the colour of a policy, the same in every view. It is not the colour of a role, because a policy is not
    /// a part of a machine. Each theme has its own tint, because lines must stand out from the background. Unknown
    /// names are grey.
    QColor ofPolicy(std::string_view policy) const;
    /// Returns black or white, whichever is easier to read on `background`.
    static QColor inkOn(const QColor& background);
    /// Returns `color` with the opacity `alpha` (0 to 255).
    static QColor seeThrough(QColor color, int alpha);
    /// Mixes `a` and `b`: `share` is the part of `b`, 0 to 1.
    static QColor mixed(const QColor& a, const QColor& b, double share);
};

const Palette& paletteOf(Theme theme);

/// Returns the palette of the theme that a widget is drawn in, found from its QPalette, so that no global state is
/// needed.
const Palette& paletteOf(const QWidget& widget);

/// Returns the same colours as a QPalette for Qt's own widgets.
QPalette widgetPalette(Theme theme);

/// Returns the WCAG contrast ratio of two colours, 1 to 21.
double contrast(const QColor& a, const QColor& b);

}  // namespace ui
