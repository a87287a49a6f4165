#pragma once

#include <QColor>
#include <QPalette>

#include <cstdint>
#include <string_view>

class QWidget;

namespace ui {

enum class Theme { light, dark };

/// What a colour means. The meaning is the same in every view, the colour in both themes.
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

/// Every colour of the window. The series are Okabe and Ito's, told apart by all kinds of colour vision.
struct Palette {
    Theme theme{};
    QColor window, surface, stripe, line, grid, ink, inkSoft, inkFaint, accent, onAccent, error, better, notice, cursor;

    QColor of(Role role) const;
    /// The same meaning, a little off, so that neighbours can be told apart.
    QColor shaded(Role role) const { return shaded(of(role)); }
    QColor shaded(const QColor& color) const;
    /// Of a policy, wherever one is drawn. Not the roles' colours: a policy is no part of a machine. Each theme has its own
    /// tint, because lines must stand out from the background. Unknown names are grey.
    QColor ofPolicy(std::string_view policy) const;
    /// Black or white, whichever reads better on `background`.
    static QColor inkOn(const QColor& background);
    /// Returns `color` that lets through what is behind it; `alpha` of 255.
    static QColor seeThrough(QColor color, int alpha);
    /// `share` of `b` in `a`.
    static QColor mixed(const QColor& a, const QColor& b, double share);
};

const Palette& paletteOf(Theme theme);

/// The theme that a widget is drawn in: taken from its own QPalette, so that no global has to be asked.
const Palette& paletteOf(const QWidget& widget);

/// The same colours as Qt's own widgets want them.
QPalette widgetPalette(Theme theme);

/// WCAG contrast ratio, 1 to 21.
double contrast(const QColor& a, const QColor& b);

}  // namespace ui
