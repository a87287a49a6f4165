#pragma once

#include "data/figure/figure_drawing.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace data {

/// Where a figure will stand: a column or the whole width of a page, or a slide.
enum class FigureSize : std::uint8_t {
    acmColumn,
    acmText,
    ieeeColumn,
    ieeeText,
    usenixColumn,
    usenixText,
    natureColumn,
    natureText,
    slide
};

/// Paper: colours on white, told apart in grey as well. Grey print: greys and hatches only. Dark slide: for projectors.
enum class FigureTheme : std::uint8_t { paper, greyPrint, darkSlide };

/// Values by place; nothing is a gap, never a zero.
using FigureValues = std::vector<std::optional<double>>;

/// Numbers of one thing, drawn in one style.
struct FigureSeries {
    std::string name;        ///< in the legend
    std::string meaning;     ///< what its colour stands for: see figure_meaning.h
    FigureValues values;     ///< one for each category, or for each x
    FigureValues low, high;  ///< ends of the error bars; empty: none
    int samples = 0;         ///< behind each error bar; 0 where there are none
    bool operator==(const FigureSeries&) const = default;
};

/// One bar in each category: a stack, from the bottom.
struct FigureBar {
    std::string name;  ///< written under the bar where bars are stacks side by side; may be empty
    std::vector<FigureSeries> stack;
    bool operator==(const FigureBar&) const = default;
};

/// Bars side by side in every category of the panel, each a stack of one or more series. Series of the same name and
/// meaning share an entry of the legend.
struct BarMark {
    std::vector<FigureBar> bars;
    bool valuesWritten = false;  ///< the number at the end of each bar
    bool operator==(const BarMark&) const = default;
};

/// One point for each x; with categories in the panel, x are their positions 0, 1, ... and left empty.
struct LineMark {
    std::vector<double> x;
    std::vector<FigureSeries> series;
    bool markers = true;
    bool joined = true;  ///< false: points only
    /// Points only: what the area of each point's marker stands for, one for each x; empty: all markers are alike. The
    /// largest value has the largest marker; markers that would be too small to see are enlarged.
    std::vector<double> sizes{};
    std::string sizeTitle{};  ///< what they are, for tables: "Share of the time (%)"
    bool operator==(const LineMark&) const = default;
};

/// Areas upon each other over x, from the bottom. Stepped: value i holds from x[i] to x[i + 1], x has one more.
struct AreaMark {
    std::vector<double> x;
    std::vector<FigureSeries> series;
    bool stepped = false;
    bool operator==(const AreaMark&) const = default;
};

/// Minimum, quartiles and maximum of a sample, by category.
struct FigureBox {
    double least = 0, lower = 0, median = 0, upper = 0, most = 0;
    int samples = 0;
    bool operator==(const FigureBox&) const = default;
};
struct BoxMark {
    struct Group {
        std::string name, meaning;
        std::vector<std::optional<FigureBox>> boxes;  ///< one for each category
        bool operator==(const Group&) const = default;
    };
    std::vector<Group> groups;
    bool operator==(const BoxMark&) const = default;
};

/// Cells by row, first row on top; columns are the panel's categories. Colours run from the smallest to the largest value
/// along one scale that is as monotonic in grey as in colour.
struct HeatMark {
    std::vector<std::string> rows;
    FigureValues values;  ///< rows x columns
    std::string valueTitle, valueUnit;
    bool valuesWritten = false;
    bool asImage = false;  ///< one image in place of rectangles, for thousands of cells
    bool operator==(const HeatMark&) const = default;
};

/// Spans in lanes over time, first lane on top. x of the panel is time.
struct TimelineMark {
    struct Lane {
        std::string label, group;  ///< "CU", "GPU 0"
        bool operator==(const Lane&) const = default;
    };
    struct Span {
        std::size_t lane = 0;
        double from = 0, to = 0;  ///< in the unit of the panel's x axis
        std::string meaning, text;
        bool operator==(const Span&) const = default;
    };
    std::vector<Lane> lanes;
    std::vector<Span> spans;
    bool operator==(const TimelineMark&) const = default;
};

using FigureMark = std::variant<BarMark, LineMark, AreaMark, BoxMark, HeatMark, TimelineMark, DrawingMark>;

enum class FigureScale : std::uint8_t { linear, logarithmic };

/// What is written along an axis, and how far it reaches. Left out: taken from the data.
struct FigureAxis {
    std::string title;       ///< "Sub-layer runtime"
    std::string unit;        ///< "µs", "GiB", "%"
    std::string relativeTo;  ///< what a ratio is a ratio of, in place of a unit: "Sequential"
    FigureScale scale = FigureScale::linear;
    std::optional<double> from, to;
    std::vector<double> ticks;  ///< chosen by the author; empty: chosen by the layout
    bool operator==(const FigureAxis&) const = default;
};

/// Names along the x axis in up to two levels: groups take the next `count` labels each, with a gap between them.
struct FigureCategories {
    struct Group {
        std::string label;
        std::size_t count = 0;
        bool operator==(const Group&) const = default;
    };
    std::vector<std::string> labels;
    std::vector<Group> groups;  ///< empty: one level
    bool operator==(const FigureCategories&) const = default;
};

/// A number to compare with: a line across the panel, or where `category` is given a mark over that category, or over one
/// bar of it.
struct FigureReference {
    double value = 0;
    std::string text;   ///< "Published: 1.30"
    std::string label;  ///< "published", "second-hand", "derived", "assumed"; shown in the caption
    std::optional<std::size_t> category, bar;
    bool operator==(const FigureReference&) const = default;
};

/// A word at a point, in units of the axes (category 0 stands at 0).
struct FigureAnnotation {
    double x = 0, y = 0;
    std::string text;
    bool operator==(const FigureAnnotation&) const = default;
};

struct FigurePanel {
    std::string title;  ///< above it; may be empty
    FigureCategories categories;
    FigureAxis x, y;
    std::vector<FigureMark> marks;  ///< later ones over earlier ones
    std::vector<FigureReference> references;
    std::vector<FigureAnnotation> annotations;
    double weight = 1;  ///< its share of the height, or of the width in a row of panels
    bool operator==(const FigurePanel&) const = default;
};

enum class FigureLegend : std::uint8_t { top, right, none };

/// What made the figure: enough to make it again.
struct FigureProvenance {
    struct Experiment {
        std::string name, hash;
        std::string document;  ///< the experiment as JSON; may be empty where its preset's name says it all
        bool operator==(const Experiment&) const = default;
    };
    struct Published {
        std::string id, label;  ///< of an evaluation
        double value = 0;
        bool operator==(const Published&) const = default;
    };
    std::string program;  ///< "Ringside 0.2.0"
    std::string engine;   ///< version of the engine
    std::string made;     ///< ISO 8601 date; empty: not said, so that two exports are equal
    std::string command;  ///< that makes it again: "ringside figure sublayer-speedup"; empty for views
    std::string moment;   ///< of a view: "412.3 us"
    std::vector<Experiment> experiments;
    std::vector<Published> published;
    std::string publishedSource;  ///< citation
    bool operator==(const FigureProvenance&) const = default;
};

/// A figure as a value: everything that is drawn, and where it comes from. Screen, files and tests are made from it.
struct FigureSpec {
    std::string name;         ///< "sublayer-speedup": of files
    std::string title;        ///< for lists and metadata; not drawn
    std::string caption;      ///< a sentence or two for under the figure
    std::string alternative;  ///< what is to be seen, for readers who cannot see it
    FigureSize size = FigureSize::acmColumn;
    std::optional<double> height;  ///< in points; nothing: what its panels need
    FigureTheme theme = FigureTheme::paper;
    FigureLegend legend = FigureLegend::top;
    int columns = 1;  ///< panels in a row; 0: one in a column of a page, all where a full width or a slide has room
    std::vector<FigurePanel> panels;
    FigureProvenance provenance;
    bool operator==(const FigureSpec&) const = default;
};

}  // namespace data
