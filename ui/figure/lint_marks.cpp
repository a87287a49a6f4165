#include "data/figure/figure_parts.h"
#include "ui/drawing/figure_sheet.h"
#include "ui/figure/lint_rules.h"

#include <QPointF>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace ui {
namespace {

using data::FigureSeries;

/// A line of a panel with the places of its points on the page.
struct ShownLine {
    const FigureSeries* series = nullptr;
    double width = 0;
    std::vector<QPointF> points;
};

std::vector<ShownLine> linesOf(const data::FigureSpec& figure, std::size_t panel, const PanelPlace& place) {
    const FigureMeasure measure = measureOf(figure);
    std::vector<ShownLine> lines;
    for (const data::FigureMark& mark : figure.panels[panel].marks) {
        const auto* line = std::get_if<data::LineMark>(&mark);
        if (line == nullptr || !line->joined)
            continue;
        for (const FigureSeries& series : line->series) {
            ShownLine shown{&series, measure.style(series.meaning).line.width, {}};
            for (std::size_t i = 0; i < series.values.size(); ++i) {
                const double across = i < line->x.size() ? line->x[i] : static_cast<double>(i);
                const auto at = series.values[i] ? place.at(across, *series.values[i]) : std::nullopt;
                if (at)
                    shown.points.push_back(*at);
            }
            lines.push_back(std::move(shown));
        }
    }
    return lines;
}

/// Returns whether each point of `hidden` is a point of `other` too, within the width of a line.
bool liesOn(const ShownLine& hidden, const ShownLine& other) {
    constexpr double kSamePlace = 0.01;
    const double width = std::min(hidden.width, other.width);
    return std::ranges::all_of(hidden.points, [&](const QPointF& point) {
        return std::ranges::any_of(other.points, [&](const QPointF& at) {
            return std::abs(at.x() - point.x()) < kSamePlace && std::abs(at.y() - point.y()) <= width;
        });
    });
}

bool coincide(const ShownLine& a, const ShownLine& b) {
    constexpr std::size_t kFewestPoints = 2;
    const bool fewer = a.points.size() < b.points.size();
    const ShownLine& hidden = fewer ? a : b;
    return hidden.points.size() >= kFewestPoints && a.series->name != b.series->name && liesOn(hidden, fewer ? b : a);
}

/// Appends a sentence to the caption.
void say(data::FigureSpec& figure, const std::string& sentence) {
    figure.caption += (figure.caption.empty() ? "" : " ") + sentence;
}

/// Reports lines that hide each other. A caption that says so tells readers why they see fewer lines than names.
void lintSameLines(const data::FigureSpec& figure, std::size_t index, const PanelPlace& place,
                   std::vector<LintFinding>& findings) {
    const std::vector<ShownLine> lines = linesOf(figure, index, place);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (std::size_t j = i + 1; j < lines.size(); ++j) {
            const std::string sentence = lines[i].series->name + " and " + lines[j].series->name + " coincide";
            if (!coincide(lines[i], lines[j]) || figure.caption.find(sentence) != std::string::npos)
                continue;
            const std::string& title = figure.panels[index].title;
            const std::string where = title.empty() ? "" : " (" + title + ")";
            findings.push_back(
                {LintRule::sameLines, false, index,
                 lintText("“%1” and “%2” lie on one another within the width of a line, so readers see "
                          "one of them: say so in the caption, or show one")
                     .arg(QString::fromStdString(lines[i].series->name), QString::fromStdString(lines[j].series->name)),
                 lintText("Say in the caption that they coincide"),
                 mending([sentence, where](data::FigureSpec& said) { say(said, sentence + where + "."); })});
        }
    }
}

template <class See>
void seeValued(const data::FigurePanel& panel, const See& see) {
    for (const data::FigureMark& mark : panel.marks) {
        if (const auto* lines = std::get_if<data::LineMark>(&mark))
            std::ranges::for_each(lines->series, see);
        if (const auto* bars = std::get_if<data::BarMark>(&mark)) {
            for (const data::FigureBar& bar : bars->bars)
                std::ranges::for_each(bar.stack, see);
        }
    }
}

/// Returns whether a text says what error bars are.
bool explainsWhiskers(const std::string& text) {
    static const QRegularExpression kWords(
        QStringLiteral(
            "\\b(error bars?|whiskers?|intervals?|deviations?|errors?|ranges?|spread|quartiles?|percentiles?|"
            "quantiles?|min(imum)?\\b.*\\bmax(imum)?|(least|smallest)\\b.*\\b(most|largest|greatest))\\b"),
        QRegularExpression::CaseInsensitiveOption);
    return kWords.match(QString::fromStdString(text)).hasMatch();
}

/// Finds a caption that speaks of error bars which no panel has.
void lintCaptionOfWhiskers(const data::FigureSpec& figure, std::vector<LintFinding>& findings) {
    static const QRegularExpression kWords(QStringLiteral("\\b(error bars?|whiskers?)\\b"),
                                           QRegularExpression::CaseInsensitiveOption);
    const auto hasBoxes = [](const data::FigurePanel& panel) {
        return std::ranges::any_of(panel.marks, [](const data::FigureMark& mark) {
            return std::holds_alternative<data::BoxMark>(mark) || std::holds_alternative<data::DrawingMark>(mark);
        });
    };
    if (kWords.match(QString::fromStdString(figure.caption)).hasMatch() &&
        std::ranges::none_of(figure.panels, data::hasErrorBars) && std::ranges::none_of(figure.panels, hasBoxes))
        findings.push_back({LintRule::noErrorBars, false, std::nullopt,
                            lintText("the caption speaks of error bars, and the figure has none: change the caption")});
}

void lintWhiskers(const data::FigureSpec& figure, std::size_t index, std::vector<LintFinding>& findings) {
    if (explainsWhiskers(figure.caption))
        return;
    bool found = false;
    seeValued(figure.panels[index], [&](const FigureSeries& series) {
        const bool whiskers = std::ranges::any_of(series.low, [](const auto& end) { return end.has_value(); }) ||
                              std::ranges::any_of(series.high, [](const auto& end) { return end.has_value(); });
        if (!whiskers || found || explainsWhiskers(series.name))
            return;
        found = true;
        findings.push_back({LintRule::unexplainedWhiskers, false, index,
                            lintText("“%1” has error bars, and neither caption nor legend says what they are: a range, "
                                     "a standard deviation, a 95 % interval")
                                .arg(QString::fromStdString(series.name))});
    });
}

/// The part of a legend's sample that its marker covers, along the line.
struct Covered {
    double from = 0, to = 0;
};

/// Returns whether a whole dash and a part of a gap beside it are visible.
bool showsWholeDash(const PolylineItem& sample, const std::optional<Covered>& marker) {
    constexpr double kVisible = 0.4;  // points of a gap
    const double length = sample.points.back().x() - sample.points.front().x();
    double at = 0;
    for (qsizetype i = 0; at < length; at += sample.pen.dash[i++ % sample.pen.dash.size()]) {
        const double end = at + sample.pen.dash[i % sample.pen.dash.size()];
        const bool isDash = i % 2 == 0;
        const double gap = sample.pen.dash[(i + 1) % sample.pen.dash.size()];
        const bool before = at > 0, after = end + std::min(gap, kVisible) <= length + 1e-6;
        const auto visible = [&](double from, double to) {
            return !marker || to <= marker->from + 1e-6 || from >= marker->to - 1e-6;
        };
        if (isDash && end <= length + 1e-6 && visible(at, end) &&
            ((after && visible(end, end + std::min(gap, kVisible))) || (before && visible(at - kVisible, at))))
            return true;
    }
    return false;
}

/// Returns the extent of a marker that follows a sample in the list.
std::optional<Covered> markerAfter(const DisplayList& list, std::size_t sample, double left) {
    std::optional<Covered> covered;
    const auto add = [&](const QRectF& box) {
        covered = Covered{covered ? std::min(covered->from, box.left() - left) : box.left() - left,
                          covered ? std::max(covered->to, box.right() - left) : box.right() - left};
    };
    for (std::size_t i = sample + 1; i < list.items.size() && list.items[i].part == FigurePart::legend; ++i) {
        const auto& shape = list.items[i].shape;
        if (std::holds_alternative<TextItem>(shape))
            break;
        if (const auto* rect = std::get_if<RectItem>(&shape))
            add(rect->box);
        else if (const auto* ellipse = std::get_if<EllipseItem>(&shape))
            add(ellipse->box);
        else if (const auto* polygon = std::get_if<PolygonItem>(&shape))
            add(polygon->points.boundingRect());
        else if (const auto* stroke = std::get_if<PolylineItem>(&shape))
            add(stroke->points.boundingRect());
    }
    return covered;
}

/// Returns the name that follows a sample in the legend.
QString nameAfter(const DisplayList& list, std::size_t sample) {
    for (std::size_t i = sample + 1; i < list.items.size(); ++i) {
        if (const auto* text = std::get_if<TextItem>(&list.items[i].shape))
            return text->text;
    }
    return {};
}

void lintDashes(const DisplayList& list, std::vector<LintFinding>& findings) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const auto* sample = std::get_if<PolylineItem>(&list.items[i].shape);
        if (sample == nullptr || list.items[i].part != FigurePart::legend || sample->pen.dash.isEmpty() ||
            sample->points.size() < 2 || showsWholeDash(*sample, markerAfter(list, i, sample->points.front().x())))
            continue;
        findings.push_back({LintRule::noWholeDash, false, std::nullopt,
                            lintText("the legend's sample of “%1” shows no whole dash, so readers cannot tell how the "
                                     "line is dashed")
                                .arg(nameAfter(list, i))});
    }
}

}  // namespace

void lintMarks(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        if (i < laidOut.panels.size())
            lintSameLines(figure, i, laidOut.panels[i], findings);
        lintWhiskers(figure, i, findings);
    }
    lintCaptionOfWhiskers(figure, findings);
    lintDashes(laidOut.list, findings);
}

}  // namespace ui
