#include "ui/drawing/figure_style.h"
#include "ui/figure/lint_rules.h"
#include "ui/look/palette.h"

#include <QColor>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ui {
namespace {

constexpr double kOneColour = 0.95;   // share of the coloured area; the rest are legends and edges
constexpr double kLeastContrast = 3;  // required by WCAG for graphics
constexpr int kColoured = 40;         // least saturation (0 to 255) of a colour that does not count as grey
constexpr std::size_t kFewestSpans = 2;

/// The area or length of a picture in each colour, or in each meaning that determines a colour.
template <class Colour>
using Shares = std::map<Colour, double>;

double areaOf(const std::vector<data::DrawingPoint>& points) {
    double twice = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& [x1, y1] = points[i];
        const auto& [x2, y2] = points[(i + 1) % points.size()];
        twice += x1 * y2 - x2 * y1;
    }
    return std::abs(twice) / 2;
}

/// Returns the areas by colour. Counts only fills, because lines and text are coloured in every picture.
Shares<data::DrawingColour> sharesOf(const data::DrawingMark& drawing) {
    Shares<data::DrawingColour> shares;
    for (const data::DrawingMark::Item& item : drawing.items) {
        const auto* shape = std::get_if<data::DrawingShape>(&item);
        if (shape != nullptr && shape->fill && QColor::fromRgb(*shape->fill).saturation() >= kColoured)
            shares[*shape->fill] += areaOf(shape->points);
    }
    return shares;
}

template <class Colour>
bool isOne(const Shares<Colour>& shares) {
    double sum = 0, most = 0;
    for (const auto& [colour, share] : shares) {
        sum += share;
        most = std::max(most, share);
    }
    return sum > 0 && most >= kOneColour * sum;
}

/// Returns whether the parts of a picture differ only by colour and all have the same colour.
bool isInOneColour(const data::FigureMark& mark, data::FigureTheme theme) {
    if (const auto* drawing = std::get_if<data::DrawingMark>(&mark))
        return theme != data::FigureTheme::greyPrint && isOne(sharesOf(*drawing));
    if (const auto* timeline = std::get_if<data::TimelineMark>(&mark)) {
        Shares<std::string> shares;
        for (const data::TimelineMark::Span& span : timeline->spans)
            shares[span.meaning] += std::abs(span.to - span.from);
        return timeline->spans.size() >= kFewestSpans && shares.size() == 1;
    }
    if (const auto* heat = std::get_if<data::HeatMark>(&mark)) {
        const std::set<std::optional<double>> values(heat->values.begin(), heat->values.end());
        return heat->values.size() > 1 && values.size() == 1;
    }
    return false;
}

void lintColours(const data::FigureSpec& figure, std::size_t index, std::vector<LintFinding>& findings) {
    const auto& marks = figure.panels[index].marks;
    if (marks.empty() || !std::all_of(marks.begin(), marks.end(),
                                      [&](const data::FigureMark& mark) { return isInOneColour(mark, figure.theme); }))
        return;
    findings.push_back(
        {LintRule::oneColour, false, index,
         lintText("the picture has only one colour, so it shows only one state: move the cursor to a time, or choose "
                  "a range, with several states, and make the figure again")});
}

/// A text with too little contrast: its own, or that of its symbol in the legend.
struct Faint {
    QString name;
    double contrast = 21;
};

/// Returns the colour under a point: that of the last fill drawn there before item `before`, or that of the page.
QColor groundAt(const DisplayList& list, std::size_t before, const QPointF& at, const QColor& page) {
    for (std::size_t i = before; i-- > 0;) {
        const FigurePart part = list.items[i].part;
        const auto* rect = std::get_if<RectItem>(&list.items[i].shape);
        const auto* polygon = std::get_if<PolygonItem>(&list.items[i].shape);
        const std::optional<FigureFill> fill = rect != nullptr      ? rect->fill
                                               : polygon != nullptr ? polygon->fill
                                                                    : std::nullopt;
        if (!fill || fill->colour.alpha() < 128 || part == FigurePart::background)
            continue;
        if (rect != nullptr ? rect->box.contains(at) : polygon->points.containsPoint(at, Qt::OddEvenFill))
            return fill->colour;
    }
    return page;
}

/// Returns the contrast of a shape to the page, the better one of fill and outline; an empty optional for text and
/// images.
std::optional<double> contrastOf(const DisplayItem& item, const QColor& page) {
    std::optional<double> best;
    const auto see = [&](const QColor& colour) { best = std::max(best.value_or(1), contrast(colour, page)); };
    const auto seeBoth = [&](const auto& shape) {
        if (shape.fill)
            see(shape.fill->colour);
        if (shape.pen)
            see(shape.pen->colour);
    };
    if (const auto* rect = std::get_if<RectItem>(&item.shape))
        seeBoth(*rect);
    else if (const auto* polygon = std::get_if<PolygonItem>(&item.shape))
        seeBoth(*polygon);
    else if (const auto* ellipse = std::get_if<EllipseItem>(&item.shape))
        seeBoth(*ellipse);
    else if (const auto* line = std::get_if<PolylineItem>(&item.shape))
        see(line->pen.colour);
    return best;
}

/// Returns the texts with too little contrast to what is behind them. In the legend, the symbol beside a text counts
/// too, because it looks like the marks.
std::vector<Faint> faintIn(const DisplayList& list, const QColor& page) {
    std::vector<Faint> faint;
    std::optional<double> symbol;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const DisplayItem& item = list.items[i];
        const auto* text = std::get_if<TextItem>(&item.shape);
        if (text == nullptr) {
            if (item.part == FigurePart::legend)
                symbol = std::max(symbol.value_or(1), contrastOf(item, page).value_or(1));
            continue;
        }
        const double own = contrast(text->colour, groundAt(list, i, text->box().center(), page));
        const double found = std::min(own, item.part == FigurePart::legend ? symbol.value_or(21) : 21);
        symbol.reset();
        if (found < kLeastContrast && text->colour.isValid() && !text->text.trimmed().isEmpty())
            faint.push_back({text->text, found});
    }
    return faint;
}

void lintContrast(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    const std::vector<Faint> faint = faintIn(laidOut.list, styleOf(figure.theme).background);
    if (faint.empty())
        return;
    const Faint& worst = *std::min_element(faint.begin(), faint.end(),
                                           [](const Faint& a, const Faint& b) { return a.contrast < b.contrast; });
    LintFinding finding{LintRule::lowContrast};
    finding.text = lintText("“%1” has a contrast of %2:1 to its background, at least 3:1 is required")
                       .arg(worst.name, QString::number(std::floor(worst.contrast * 100) / 100, 'f', 2));
    if (faint.size() > 1)
        finding.text += lintText(" (and %1 more)").arg(faint.size() - 1);
    finding.text += lintText(": choose another theme, or make the figure again in this theme");
    findings.push_back(std::move(finding));
}

void lintFonts(const data::FigureSpec& figure, std::vector<LintFinding>& findings) {
    const auto isPicture = [](const data::FigureMark& mark) { return std::holds_alternative<data::DrawingMark>(mark); };
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        if (figure.font == data::FigureFont::ringsideSans || std::ranges::none_of(figure.panels[i].marks, isPicture))
            continue;
        LintFinding finding{.rule = LintRule::mixedFonts, .panel = i};
        finding.text = lintText("the texts inside the picture are in Ringside Sans, the others in another font");
        finding.fixText = lintText("Use Ringside Sans");
        finding.fix = mending([](data::FigureSpec& mended) { mended.font = data::FigureFont::ringsideSans; });
        findings.push_back(std::move(finding));
    }
}

}  // namespace

void lintPicture(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        lintColours(figure, i, findings);
    lintContrast(figure, laidOut, findings);
    lintFonts(figure, findings);
}

}  // namespace ui
