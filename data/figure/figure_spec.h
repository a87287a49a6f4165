#pragma once

#include "data/figure/figure_drawing.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace data {

/// The place for which a figure is made: a column or the whole width of a page, or a slide.
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

/// Paper: colours on white that stay distinguishable when printed in grey. Grey print: only greys and hatches. Dark
/// slide: for projectors.
enum class FigureTheme : std::uint8_t { paper, greyPrint, darkSlide };

/// The font of a figure: that of the window, or one with the widths of a font that papers are set in.
enum class FigureFont : std::uint8_t { ringsideSans, libertine, times, helvetica };

/// Values by position. An empty optional is a gap, never a zero.
using FigureValues = std::vector<std::optional<double>>;

/// Numbers that are drawn in one style.
struct FigureSeries {
    std::string name;        ///< its name in the legend
    std::string meaning;     ///< the meaning of its colour: see figure_meaning.h
    FigureValues values;     ///< one for each category, or for each x
    FigureValues low, high;  ///< ends of the error bars; empty: none
    int samples = 0;         ///< sample count of each error bar; 0 if there are no error bars
    bool operator==(const FigureSeries&) const = default;
};

/// One bar in each category: a stack, from the bottom.
struct FigureBar {
    std::string name;  ///< written under the bar if several stacks stand side by side; may be empty
    std::vector<FigureSeries> stack;
    /// Where the stack begins in each category, for bars that show a change: of a waterfall or a tornado. Empty: at 0.
    std::vector<double> from{};
    bool operator==(const FigureBar&) const = default;
};

/// Bars side by side in every category of the panel, each a stack of one or more series. Series of the same name and
/// meaning share an entry of the legend.
struct BarMark {
    std::vector<FigureBar> bars;
    bool valuesWritten = false;     ///< writes the number at the end of each bar
    std::optional<int> decimals{};  ///< of written numbers, 0 to 6; absent: three significant digits
    bool operator==(const BarMark&) const = default;
};

/// One point for each x. If the panel has categories, `x` is empty and the points are at the positions 0, 1, ...
struct LineMark {
    std::vector<double> x;
    std::vector<FigureSeries> series;
    bool markers = true;
    bool joined = true;  ///< false: points only
    /// Points only: values that the areas of the points' markers show, one for each x; empty: all markers are equal.
    /// The largest value has the largest marker; markers that would be too small to see are enlarged.
    std::vector<double> sizes{};
    std::string sizeTitle{};  ///< names the sizes in tables: "Share of the time (%)"
    bool operator==(const LineMark&) const = default;
};

/// Areas stacked over x, from the bottom. If `stepped`, value i holds from x[i] to x[i + 1], and x has one more element
/// than the values.
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

/// Cells by row, with the first row on top; the columns are the panel's categories. Colours follow one scale, which is
/// monotonic in grey as well.
struct HeatMark {
    std::vector<std::string> rows;
    FigureValues values;  ///< rows x columns
    std::string valueTitle, valueUnit;
    bool valuesWritten = false;
    bool asImage = false;                ///< one image in place of rectangles, for thousands of cells
    std::optional<double> from{}, to{};  ///< ends of the scale; absent: the smallest and the largest value
    std::optional<double> middle{};      ///< where two hues meet: 1 for speed-ups, of which some are losses
    std::optional<int> decimals{};       ///< as of bars
    bool operator==(const HeatMark&) const = default;
};

/// Spans in lanes over time, with the first lane on top. The panel's x axis is time.
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

/// The labels and the range of an axis. Anything left out is derived from the data.
struct FigureAxis {
    std::string title;       ///< "Sub-layer runtime"
    std::string unit;        ///< "µs", "GiB", "%"
    std::string relativeTo;  ///< the base of a ratio, in place of a unit: "Sequential"
    FigureScale scale = FigureScale::linear;
    std::optional<double> from, to;
    std::vector<double> ticks;  ///< chosen by the author; empty: chosen by the layout
    /// Ends of a part of a linear axis that is left out: both or neither. Two strokes mark the place.
    std::optional<double> breakFrom{}, breakTo{};
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

/// A number to compare with. It is drawn as a line across the panel, or, if `category` is set, as a mark over that
/// category or over one of its bars.
struct FigureReference {
    double value = 0;
    std::string text;   ///< "Published: 1.30"
    std::string label;  ///< "published", "second-hand", "derived", "assumed"; shown in the caption
    std::optional<std::size_t> category, bar;
    bool operator==(const FigureReference&) const = default;
};

/// A word at a point, in units of the axes (category 0 is at 0), or along a line of the figure to another point.
struct FigureAnnotation {
    enum class Kind : std::uint8_t {
        text,   ///< the word alone
        line,   ///< and a line to the other point
        arrow,  ///< and an arrow whose head is at the other point
        span    ///< and a band from x to toX over the whole height, with the word at the top
    };
    double x = 0, y = 0;
    std::string text;
    std::optional<double> toX{}, toY{};  ///< the other point: both or neither
    Kind kind = Kind::text;              ///< other kinds need the other point
    bool operator==(const FigureAnnotation&) const = default;
};

struct FigurePanel {
    std::string title;  ///< written above the panel; may be empty
    FigureCategories categories;
    FigureAxis x, y;
    std::vector<FigureMark> marks;  ///< later ones over earlier ones
    std::vector<FigureReference> references;
    std::vector<FigureAnnotation> annotations;
    double weight = 1;  ///< its share of the height, or of the width in a row of panels
    bool operator==(const FigurePanel&) const = default;
};

enum class FigureLegend : std::uint8_t { top, right, none };

/// How the figure was made, in enough detail to make it again.
struct FigureProvenance {
    struct Experiment {
        std::string name, hash;
        std::string document;  ///< the experiment as JSON; may be empty if the name of its preset is enough
        bool operator==(const Experiment&) const = default;
    };
    struct Published {
        std::string id, label;  ///< id and label of an evaluation's item
        double value = 0;
        bool operator==(const Published&) const = default;
    };
    std::string program;  ///< "Ringside 0.2.0"
    std::string engine;   ///< version of the engine
    std::string made;     ///< ISO 8601 date; empty: omitted, so that two exports are equal
    std::string command;  ///< the command that makes it again: "ringside figure sublayer-speedup"; empty for views
    std::string moment;   ///< for a view, the moment that it shows: "412.3 us"
    std::vector<Experiment> experiments;
    std::vector<Published> published;
    std::string publishedSource;  ///< citation
    engine::Notices notices;      ///< of the runs: the conditions under which the numbers hold
    bool operator==(const FigureProvenance&) const = default;
};

/// Where the numbers of a figure come from, so that it can be made again.
struct FigureSource {
    enum class Kind : std::uint8_t {
        unknown,
        gallery,     ///< the entry `name` of the gallery
        evaluation,  ///< the figure `name` of the evaluation `document`
        sweep,       ///< a chart of the sweep `document`
        view,        ///< what the view `name` shows of the experiment, model or tasks `document`
        combined     ///< of the figures in `files`, whose texts are their documents
    };
    /// A file that a document refers to, or a preset of the author.
    struct File {
        std::string name, text;
        bool operator==(const File&) const = default;
    };
    Kind kind = Kind::unknown;
    std::string name;
    std::string file;                   ///< the name that the document's file had: "links.json"
    std::string document;               ///< its text
    std::vector<File> files;            ///< beside it
    std::vector<std::string> choices;   ///< "x=link.bandwidth", as options on the command line, in their order
    std::vector<std::string> settings;  ///< "link.bandwidth=75 GB/s", over every experiment
    bool operator==(const FigureSource&) const = default;
};

/// A figure as a value: everything that is drawn, and its provenance. Window, files and tests use it.
struct FigureSpec {
    std::string name;         ///< the name for files: "sublayer-speedup"
    std::string title;        ///< for lists and metadata; not drawn
    std::string caption;      ///< one or two sentences below the figure
    std::string alternative;  ///< a description for readers who cannot see the figure
    FigureSize size = FigureSize::acmColumn;
    std::optional<double> width{};  ///< in points; absent: that of its size
    std::optional<double> height;   ///< in points; absent: as high as its panels need
    FigureTheme theme = FigureTheme::paper;
    FigureFont font = FigureFont::ringsideSans;  ///< of all texts, except those in the picture of a view
    FigureLegend legend = FigureLegend::top;
    int columns = 1;       ///< panels in a row; 0: one in a column of a page, all on a full width or a slide with room
    bool letters = false;  ///< writes "(a)", "(b)" before the titles of the panels
    /// Writes titles and names of axes once for panels beside or below each other whose axes are equal.
    bool shared = true;
    /// Gives axes with the same title, unit and scale one range over the values of all their panels. An end that an axis
    /// sets itself stays, and broken axes keep their range.
    bool oneRange = false;
    std::vector<FigurePanel> panels;
    FigureProvenance provenance;
    FigureSource from{};
    /// The author's changes since the figure was made from its source, in their order: see figure_edits.h. They are
    /// already applied to the other members.
    std::vector<std::string> edits{};
    bool operator==(const FigureSpec&) const = default;
};

}  // namespace data
