#include "ui/drawing/mark_layout.h"

#include "ui/drawing/figure_text.h"

#include <QLineF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace ui {
namespace {

using data::FigureReference;

/// Returns where text may be: in the plot and a little above it, where there are no bars.
QRectF roomOf(const FigureSheet& sheet, const PanelPlan& plan) {
    const double above = sheet.measure().of(4);
    return plan.plot.adjusted(0, -above, 0, 0);
}

/// Writes a text that has to cross lines on a patch in the colour of the background.
void putOnPatch(FigureSheet& sheet, FigurePart part, const TextItem& text) {
    FigureFill patch;
    patch.colour = sheet.measure().colours().background;
    patch.colour.setAlphaF(0.85F);
    sheet.rect(part, text.box().adjusted(-0.5, 1, 0.5, -1), patch, std::nullopt);
    sheet.put(part, text);
}

void writeAcross(FigureSheet& sheet, const PanelPlan& plan, const FigureReference& reference, double y) {
    const QString name = QString::fromStdString(reference.text);
    const TextSize size = sheet.measure().smallSize();
    const double above = y - sheet.measure().of(0.8) - descentOf(size),
                 below = y + sheet.measure().of(1) + ascentOf(size);
    const double width = textWidth(name, size);
    const double left = plan.plot.left() + sheet.measure().of(2),
                 right = plan.plot.right() - sheet.measure().of(2) - width;
    const int steps = 24;
    for (const double baseline : {above, below}) {
        for (int step = 0; step <= steps; ++step) {
            const double x = right + (left - right) * step / steps;
            TextItem text = sheet.text({x, baseline}, name, size, TextAlign::left);
            text.colour = sheet.measure().colours().reference.colour;
            if (x >= left - 1 && sheet.free(text, roomOf(sheet, plan)))
                return sheet.put(FigurePart::reference, text);
        }
    }
    TextItem text = sheet.text({std::max(right, left), above}, name, size, TextAlign::left);
    text.colour = sheet.measure().colours().reference.colour;
    if (text.box().top() < plan.plot.top() - sheet.measure().of(4))
        text.at.setY(below);
    putOnPatch(sheet, FigurePart::reference, text);
    sheet.fallShort(plan.index, QStringLiteral("the text \"%1\" of a reference value covers marks").arg(name));
}

void drawAcross(FigureSheet& sheet, const PanelPlan& plan, double y) {
    sheet.clipTo(plan.plot);
    sheet.line(FigurePart::reference, {plan.plot.left(), y}, {plan.plot.right(), y},
               sheet.measure().pen(sheet.measure().colours().reference));
    sheet.clipTo({});
}

bool isShort(const PanelPlan& plan, const FigureReference& reference) {
    return reference.category.has_value() && plan.categorical;
}

std::optional<double> shownAt(const PanelPlan& plan, const FigureReference& reference) {
    const std::optional<double> y = plan.yAt(reference.value);
    return y && *y >= plan.plot.top() - 0.01 && *y <= plan.plot.bottom() + 0.01 ? y : std::nullopt;
}

/// A mark at a bar or a category. It is behind the bars, so that it covers no bar's end, and extends beyond both sides
/// of the bar that it belongs to, so that it is visible where the bar is higher.
struct ShortMark {
    double left = 0, right = 0;  ///< of the bars that it belongs to, in points
    double beyond = 0;           ///< how far it extends beyond each side
    double y = 0;
    QString name;
};

ShortMark shortMarkOf(const FigureMeasure& measure, const PanelPlan& plan, const FigureReference& reference, double y) {
    double left = 1e300, right = -1e300;
    const auto isOwn = [&](const BarPlace& place) {
        return place.category == *reference.category && (!reference.bar || place.bar == *reference.bar);
    };
    for (const BarPlace& place : plan.bars) {
        if (isOwn(place)) {
            left = std::min(left, place.left);
            right = std::max(right, place.right);
        }
    }
    if (left > right) {
        left = plan.xCentre(*reference.category) - 0.4;
        right = left + 0.8;
    }
    double gap = 1e300;
    for (const BarPlace& place : plan.bars) {
        if (!isOwn(place))
            gap = std::min(gap, place.left >= right ? place.left - right : std::max(left - place.right, 0.0));
    }
    ShortMark mark{plan.xAt(left).value_or(0), plan.xAt(right).value_or(0), 0, y, {}};
    mark.beyond = std::min(measure.of(kMarkBeyond), gap * plan.perUnit() * 0.45);
    mark.name = textBeside(reference, plan.legendShown ? legendNameOf(plan.panel->references) : QString());
    return mark;
}

/// Returns places for a mark's text, best first: above the mark, beside it, then higher and higher. If another mark
/// follows close at the right, a text first tries to end at the right end of its mark, so that the next mark's thin
/// leader line stays free.
std::vector<TextItem> placesFor(const FigureSheet& sheet, const PanelPlan& plan, const ShortMark& mark, bool followed) {
    const FigureMeasure& measure = sheet.measure();
    const TextSize size = measure.smallSize();
    const double middle = (mark.left + mark.right) / 2, cap = capHeightOf(size);
    const double half = textWidth(mark.name, size) / 2, lowest = plan.plot.left() + half;
    const double inside = std::clamp(middle, lowest, std::max(lowest, plan.plot.right() - half));
    const double above = mark.y - measure.of(1.7) - descentOf(size) * 0.6;
    std::vector<TextItem> places;
    for (int storey = 0; storey < 16; ++storey) {
        const double y = above - storey * lineHeightOf(size) / 2;
        const TextItem ending = sheet.text({mark.right, y}, mark.name, size, TextAlign::right);
        const TextItem centred = sheet.text({inside, y}, mark.name, size, TextAlign::centre);
        places.push_back(followed ? ending : centred);
        places.push_back(followed ? centred : ending);
        places.push_back(sheet.text({mark.left, y}, mark.name, size, TextAlign::left));
        if (storey > 0)
            continue;
        const double away = mark.beyond + measure.of(1);
        places.push_back(sheet.text({mark.left - away, mark.y + cap / 2}, mark.name, size, TextAlign::right));
        places.push_back(sheet.text({mark.right + away, mark.y + cap / 2}, mark.name, size, TextAlign::left));
    }
    return places;
}

/// Writes a mark's text in the first free place; returns false if there is none. A text far from its mark gets a thin
/// leader line, and avoids places where that line would cross other texts. With `crossing`, it has no line and may be
/// in such places.
bool writeAtMark(FigureSheet& sheet, const PanelPlan& plan, const ShortMark& mark, bool followed, bool crossing) {
    const FigureMeasure& measure = sheet.measure();
    const double half = shortReferencePen(measure).width / 2, near = lineHeightOf(measure.smallSize()) * 1.2;
    const double centre = (mark.left + mark.right) / 2;
    // Where the bar is higher than the mark, the leader line begins at the visible end beside the bar.
    const bool behind = sheet.covered(QRectF(centre - 0.1, mark.y - half - 0.5, 0.2, 0.4));
    const double middle = behind ? mark.right + mark.beyond / 2 : centre;
    for (TextItem text : placesFor(sheet, plan, mark, followed)) {
        text.colour = measure.colours().reference.colour;
        const bool led = !crossing && mark.y - text.at.y() > near;
        const QPointF top(middle, text.at.y() + measure.of(0.8));
        const QRectF leader(top - QPointF(0.4, 0), QPointF(middle + 0.4, mark.y - measure.of(0.8)));
        if (!sheet.free(text, roomOf(sheet, plan)) || (led && sheet.coveredByText(leader)))
            continue;
        if (led) {
            sheet.line(FigurePart::reference, {middle, mark.y}, top, {text.colour, measure.of(0.4), {}});
            sheet.cover(leader);
            sheet.coverLeader(QLineF(QPointF(middle, mark.y), top));
        }
        sheet.put(FigurePart::reference, text);
        return true;
    }
    return false;
}

void drawShort(FigureSheet& sheet, const PanelPlan& plan, const ShortMark& mark) {
    const FigurePen pen = shortReferencePen(sheet.measure());
    const double half = pen.width / 2;
    const QRectF box(QPointF(mark.left - mark.beyond, mark.y - half), QPointF(mark.right + mark.beyond, mark.y + half));
    sheet.clipTo(plan.plot.adjusted(-half, -half, half, half));
    sheet.line(FigurePart::reference, {box.left(), mark.y}, {box.right(), mark.y}, pen);
    sheet.clipTo({});
    sheet.cover(box);
}

/// Writes the texts of short marks from left to right, so that leader lines avoid texts.
void writeShorts(FigureSheet& sheet, const PanelPlan& plan, std::vector<ShortMark> marks) {
    std::erase_if(marks, [](const ShortMark& mark) { return mark.name.isEmpty(); });
    std::stable_sort(marks.begin(), marks.end(),
                     [](const ShortMark& a, const ShortMark& b) { return a.left < b.left; });
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const bool followed = i + 1 < marks.size() && marks[i + 1].left - marks[i].right < sheet.measure().of(8);
        if (!writeAtMark(sheet, plan, marks[i], followed, false) && !writeAtMark(sheet, plan, marks[i], followed, true))
            sheet.fallShort(
                plan.index,
                QStringLiteral("there is no room for the text \"%1\" of a reference value").arg(marks[i].name));
    }
}

constexpr double kNearText = 15;  // so near to its point, a text on the screen needs no line to it

/// Returns offsets from a point in eight directions, the nearest first. On paper a text is rather above its point, on
/// the screen rather beside it.
std::vector<QPointF> offsets(const FigureMeasure& measure) {
    constexpr std::array kPaper{0.0, 8.0, 14.0, 22.0, 32.0, 44.0}, kScreen{6.0, 10.0, 14.0, 22.0, 32.0, 44.0};
    const std::array corners{QPointF(0.7, -0.7), QPointF(-0.7, -0.7), QPointF(0.7, 0.7), QPointF(-0.7, 0.7)};
    const std::array sides{QPointF(0, -1), QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1)};
    std::vector<QPointF> ways{sides[0], corners[0], corners[1], sides[1], sides[2], corners[2], corners[3], sides[3]};
    if (measure.screen)
        ways = {sides[1], sides[2], sides[0], sides[3], corners[0], corners[1], corners[2], corners[3]};
    std::vector<QPointF> result;
    for (const double distance : measure.screen ? kScreen : kPaper) {
        for (const QPointF way : ways)
            result.push_back(way * measure.of(distance));
    }
    return result;
}

/// Returns the part of a line towards a text that ends before the text.
QLineF leaderTo(const TextItem& text, const QLineF& line, double gap) {
    const QRectF box = text.box().adjusted(-gap, 0, gap, 0);
    constexpr double kStep = 0.2;
    QLineF leader = line;
    for (double length = 0; length < line.length(); length += kStep) {
        leader.setLength(std::max(length, kStep));
        if (box.contains(line.pointAt((length + kStep) / line.length())))
            break;
    }
    return leader;
}

void annotate(FigureSheet& sheet, const PanelPlan& plan, const QString& name, const QPointF& point) {
    const FigureMeasure& measure = sheet.measure();
    const TextSize size = measure.smallSize();
    // Between markers of different sizes a line to a text far away would end at none of them.
    const bool sized = std::ranges::any_of(plan.panel->marks, [](const data::FigureMark& mark) {
        return std::holds_alternative<data::LineMark>(mark) && !std::get<data::LineMark>(mark).sizes.empty();
    });
    for (const QPointF& offset : offsets(measure)) {
        if (measure.screen && sized && std::hypot(offset.x(), offset.y()) > measure.of(kNearText))
            continue;
        const QPointF centre = point + offset - QPointF(0, offset.isNull() ? measure.of(4) : 0);
        const double side = offset.x() > 0 ? 0.5 : offset.x() < 0 ? -0.5 : 0;
        const QPointF at = centre + QPointF(side * textWidth(name, size), capHeightOf(size) / 2);
        const TextItem text = sheet.text(at, name, size, TextAlign::centre);
        if (!sheet.free(text, roomOf(sheet, plan)))
            continue;
        const double away = std::hypot(offset.x(), offset.y());
        if (away > (measure.screen ? measure.of(kNearText) : 0)) {
            const QLineF leader = leaderTo(text, QLineF(point, centre), measure.of(0.8));
            if (sheet.crossesText(leader))
                continue;
            sheet.line(FigurePart::annotation, leader.p1(), leader.p2(),
                       {measure.colours().inkSoft, measure.of(0.5), {}});
            sheet.coverLeader(leader);
        }
        return sheet.put(FigurePart::annotation, text);
    }
    if (measure.screen)  // where tool tips and tables have the names
        return sheet.fallShort(plan.index, QStringLiteral("there is no room for \"%1\"").arg(name));
    TextItem text = sheet.text(point - QPointF(0, measure.of(2)), name, size, TextAlign::centre);
    const double half = text.width / 2;
    const double left = plan.plot.left() + half, right = std::max(left, plan.plot.right() - half);
    text.at.setX(std::clamp(text.at.x(), left, right));
    // On a patch a text may cover marks, but neither another text nor the leader of one.
    for (const double higher : {0.0, 6.0, -8.0, 12.0, -16.0, 18.0, -24.0}) {
        TextItem moved = text;
        moved.at.ry() -= measure.of(higher);
        if (sheet.coveredByText(moved.box()) || sheet.coveredByLeader(moved.box()))
            continue;
        putOnPatch(sheet, FigurePart::annotation, moved);
        return sheet.fallShort(plan.index, QStringLiteral("the annotation \"%1\" covers marks").arg(name));
    }
    sheet.fallShort(plan.index, QStringLiteral("there is no room for the annotation \"%1\"").arg(name));
}

/// Writes a text along a line, where it is nearest to the middle without covering anything. Returns false if there is
/// no such place.
bool annotateAlong(FigureSheet& sheet, const PanelPlan& plan, const QString& name, const QLineF& line) {
    constexpr int kPlaces = 24;
    const TextSize size = sheet.measure().smallSize();
    const double cap = capHeightOf(size), wide = textWidth(name, size);
    const double room = line.length() - wide - 2 * size;
    const QPointF way = (line.p2() - line.p1()) / line.length(), over(way.y(), -way.x());
    for (int place = 0; place < kPlaces && room > 0 && wide > 0; ++place) {
        const double aside = (place % 2 == 0 ? 1.0 : -1.0) * ((place + 1) / 2) / kPlaces;
        const QPointF from = line.p1() + way * (size + room * (0.5 + aside)) + over * (descentOf(size) * 1.8);
        bool free = true;
        for (double at = 0; at <= wide && free; at += cap / 2) {
            const QPointF middle = from + way * at + over * (cap / 2);
            const QRectF part(middle - QPointF(cap, cap) * 0.4, QSizeF(cap, cap) * 0.8);
            free = roomOf(sheet, plan).contains(part) && !sheet.coveredBeside(line, part);
        }
        if (!free)
            continue;
        const double angle = std::atan2(way.y(), way.x()) * 180 / std::numbers::pi;
        sheet.putAlong(FigurePart::annotation, sheet.text(from, name, size, TextAlign::left, angle));
        return true;
    }
    return false;
}

/// Converts a position in categories to units of x. Positions between two categories are between their centres.
double categoryUnit(const PanelPlan& plan, double x) {
    if (plan.centres.empty())
        return x;
    const double last = static_cast<double>(plan.centres.size()) - 1;
    const double below = std::clamp(std::floor(x), 0.0, last), above = std::min(below + 1, last);
    const double from = plan.centres[static_cast<std::size_t>(below)],
                 to = plan.centres[static_cast<std::size_t>(above)];
    return above > below && x >= 0 ? from + (x - below) * (to - from) : from + (x - below);
}

/// Returns the point on the page of a point in units of the axes.
QPointF placeOf(const PanelPlan& plan, double across, double up) {
    const bool rows = plan.kind == PanelKind::rows;
    across = categoryUnit(plan, across);
    return {plan.xAt(rows ? up : across).value_or(-1), plan.yAt(rows ? across : up).value_or(-1)};
}

using Kind = data::FigureAnnotation::Kind;

/// Draws a line or an arrow that an author placed, with its word at its beginning, or the word of a band at its top.
/// Nothing is moved: the author sees where it is.
void drawOwn(FigureSheet& sheet, const PanelPlan& plan, const data::FigureAnnotation& annotation) {
    const FigureMeasure& measure = sheet.measure();
    const TextSize size = measure.smallSize();
    const double cap = capHeightOf(size);
    const QString word = QString::fromStdString(annotation.text);
    const QPointF from = placeOf(plan, annotation.x, annotation.y);
    const QPointF to = placeOf(plan, annotation.toX.value_or(annotation.x), annotation.toY.value_or(annotation.y));
    if (!plan.plot.adjusted(-0.01, -0.01, 0.01, 0.01).contains(from))
        sheet.fallShort(plan.index, QStringLiteral("the annotation \"%1\" is outside the axes").arg(word));
    if (annotation.kind == Kind::span) {
        const QPointF top((from.x() + to.x()) / 2, plan.plot.top() + measure.of(2) + cap);
        return sheet.put(FigurePart::annotation, sheet.text(top, word, size, TextAlign::centre));
    }
    const QLineF line(from, to);
    const QPointF way = line.length() > 0 ? (to - from) / line.length() : QPointF();
    const TextItem text = sheet.text(from + QPointF(0, cap / 2), word, size, TextAlign::centre);
    // The line begins where it leaves the box of the word.
    const double aside = std::abs(way.x()) > 1e-9 ? (text.width / 2 + measure.of(1.5)) / std::abs(way.x()) : 1e9;
    const double over = std::abs(way.y()) > 1e-9 ? (cap / 2 + measure.of(1.5)) / std::abs(way.y()) : 1e9;
    const double begin = word.isEmpty() ? 0 : std::min(aside, over);
    if (line.length() > begin) {
        const FigurePen pen{measure.colours().ink, measure.of(0.7), {}};
        const double head = annotation.kind == Kind::arrow ? std::min(measure.of(4), line.length() - begin) : 0;
        sheet.line(FigurePart::annotation, from + way * begin, to - way * (head * 0.8), pen);
        if (head > 0) {
            const QPointF back = to - way * head, side(way.y() * head * 0.35, -way.x() * head * 0.35);
            sheet.polygon(FigurePart::annotation, QPolygonF{to, back + side, back - side},
                          FigureFill{.colour = measure.colours().ink}, std::nullopt);
        }
    }
    if (!word.isEmpty())
        putOnPatch(sheet, FigurePart::annotation, text);
}

/// Writes one annotation.
void drawAnnotation(FigureSheet& sheet, const PanelPlan& plan, const data::FigureAnnotation& annotation) {
    if (annotation.kind != Kind::text)
        return drawOwn(sheet, plan, annotation);
    QPointF point = placeOf(plan, annotation.x, annotation.y);
    if (annotation.toX && annotation.toY) {
        const QLineF line(point, placeOf(plan, *annotation.toX, *annotation.toY));
        const QLineF rightwards = line.dx() < 0 ? QLineF(line.p2(), line.p1()) : line;
        if (annotateAlong(sheet, plan, QString::fromStdString(annotation.text), rightwards))
            return;
        point = line.center();
    }
    if (!plan.plot.adjusted(-0.01, -0.01, 0.01, 0.01).contains(point))
        return sheet.fallShort(
            plan.index,
            QStringLiteral("the annotation \"%1\" is outside the axes").arg(QString::fromStdString(annotation.text)));
    annotate(sheet, plan, QString::fromStdString(annotation.text), point);
}

}  // namespace

FigurePen shortReferencePen(const FigureMeasure& measure) {
    FigurePen pen = measure.pen(measure.colours().reference);
    pen.dash.clear();
    return pen;
}

void drawShortReferences(FigureSheet& sheet, const PanelPlan& plan) {
    for (const FigureReference& reference : plan.panel->references) {
        const std::optional<double> y = shownAt(plan, reference);
        if (y && isShort(plan, reference))
            drawShort(sheet, plan, shortMarkOf(sheet.measure(), plan, reference, *y));
    }
}

void drawReferences(FigureSheet& sheet, const PanelPlan& plan) {
    for (const FigureReference& reference : plan.panel->references) {
        const std::optional<double> y = shownAt(plan, reference);
        if (!y)
            sheet.fallShort(plan.index,
                            QStringLiteral("the reference value %1 is outside the y axis").arg(reference.value));
        else if (!isShort(plan, reference))
            drawAcross(sheet, plan, *y);
    }
}

void writeReferences(FigureSheet& sheet, const PanelPlan& plan) {
    std::vector<ShortMark> shorts;
    for (const FigureReference& reference : plan.panel->references) {
        const std::optional<double> y = shownAt(plan, reference);
        if (y && isShort(plan, reference))
            shorts.push_back(shortMarkOf(sheet.measure(), plan, reference, *y));
        else if (y && !reference.text.empty())
            writeAcross(sheet, plan, reference, *y);
    }
    writeShorts(sheet, plan, std::move(shorts));
}

void drawBands(FigureSheet& sheet, const PanelPlan& plan) {
    for (std::size_t i = 0; i < plan.panel->annotations.size(); ++i) {
        const data::FigureAnnotation& annotation = plan.panel->annotations[i];
        if (annotation.kind != Kind::span || !annotation.toX)
            continue;
        sheet.note(i);
        const double from = placeOf(plan, annotation.x, annotation.y).x(), to = placeOf(plan, *annotation.toX, 0).x();
        QColor colour = sheet.measure().colours().inkSoft;
        colour.setAlphaF(kBandOpacity);
        sheet.clipTo(plan.plot);
        sheet.rect(
            FigurePart::annotation,
            QRectF(QPointF(std::min(from, to), plan.plot.top()), QPointF(std::max(from, to), plan.plot.bottom())),
            FigureFill{.colour = colour}, std::nullopt);
        sheet.clipTo({});
    }
    sheet.note({});
}

void drawAnnotations(FigureSheet& sheet, const PanelPlan& plan) {
    for (std::size_t i = 0; i < plan.panel->annotations.size(); ++i) {
        sheet.note(i);
        drawAnnotation(sheet, plan, plan.panel->annotations[i]);
    }
    sheet.note({});
}

}  // namespace ui
