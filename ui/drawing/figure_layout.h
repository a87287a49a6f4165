#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/display_list.h"
#include "ui/look/palette.h"

#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// How bars are shown that lie in rows, in the window.
struct RowOptions {
    enum class Tone : std::uint8_t { plain, better, error };
    struct Cell {
        QString text;
        Tone tone = Tone::plain;
    };
    /// Texts beside the bars, one for each row.
    struct Column {
        QString title;
        std::vector<Cell> cells;
        QString room{};  ///< a text that the column has room for, so that pictures with other cells have the same scale
        std::optional<std::size_t> panel{};  ///< the panel beside which it stands; empty: beside each
    };
    /// The texts above a panel, in place of its title.
    struct Head {
        QStringList titles;  ///< the first that fits
        QString note;        ///< a list, of which as many parts are shown as fit into two lines
    };
    std::vector<Column> columns;
    std::vector<Head> heads;            ///< for each panel; may be empty
    std::vector<QString> gaps;          ///< for each row, the text in place of a bar without values; may be empty
    std::size_t markers = 0;            ///< how many of the first rows have the marker of their bar before the name
    bool axis = true;                   ///< false: columns have the numbers, so that the bars need no axis
    bool parts = false;                 ///< writes the number of each part of a stack in the part if there is room
    std::optional<std::size_t> strong;  ///< the row with a bold name
};

/// What a figure is laid out for in the window: the size of a widget, its font and its theme. The widget's pixels are
/// the points of the display list.
struct ScreenSheet {
    QSizeF size;
    double textSize = 13;  ///< in pixels
    Theme theme{};
    std::optional<RowOptions> rows{};  ///< panels with nothing but bars have them in rows, the first category on top
    double strip = 0;    ///< height of a strip between each plot and the texts below it, in which the caller draws
    bool solid = false;  ///< lines have no dashes, because the figure has only one
};

/// How an axis maps values to page coordinates.
struct AxisPlace {
    double from = 0, to = 1;
    bool logarithmic = false;
    std::vector<double> ticks;  ///< ticks with a label
    /// The part that is left out of a linear axis; empty: none. It takes the room of kBreakShare.
    std::optional<double> breakFrom{}, breakTo{};
    bool isBroken() const { return breakFrom && breakTo; }
};

inline constexpr double kBreakShare = 0.05;  ///< of the length of a broken axis
inline constexpr double kBreakInset = 0.2;   ///< of the break, at each end: the strokes of its mark are between them

/// The position of a bar, in units of the panel's x axis, on which the gaps before groups shift category i
/// to the right of i.
struct BarPlace {
    std::size_t mark = 0, bar = 0, category = 0;
    double left = 0, right = 0;
};

/// The position of a panel, for writers that plot from the data.
struct PanelPlace {
    QRectF plot;  ///< inside the axes
    AxisPlace x, y;
    std::vector<double> centres;  ///< centres of the categories, in units of x
    std::vector<BarPlace> bars;
    std::vector<QRectF> rows;  ///< of bars in rows: from the name to the last column

    /// Returns the point for a value at a position along x, or at a category, which may be a row; an empty optional if
    /// a logarithmic axis cannot show it.
    std::optional<QPointF> at(double across, double value) const;
};

struct LaidOutFigure {
    DisplayList list;
    std::vector<PanelPlace> panels;
    /// Something that could not be shown completely, in words: labels that were left out or overlap. The lint reports
    /// it together with violations of its rules.
    struct Shortfall {
        std::size_t panel = 0;
        QString what;
    };
    std::vector<Shortfall> shortfalls;
};

/// Lays a figure out as a display list. On paper, its own sheet, sizes follow from its preset, colours and hatches from
/// its theme, margins from its text. That list is the same on every machine, because text is measured with the bundled
/// font only. The sheet of a screen has the same items in other places and colours.
/// Precondition: data::problemsOf finds no problems. Needs a QGuiApplication for its fonts. Takes milliseconds.
LaidOutFigure layOut(const data::FigureSpec& figure, const std::optional<ScreenSheet>& screen = {});

}  // namespace ui
