#include "ui/figure/panel_plan.h"

#include "ui/figure/figure_text.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kSmallest = 6;
constexpr int kMostLines = 3;

/// Whether level names of these widths keep off each other and do not reach far over the ends.
bool fits(const LabelLevel& level, const std::vector<double>& widths, double perUnit, const FigureMeasure& measure) {
    const double between = measure.of(3);
    const std::vector<LabelLevel::Name>& names = level.names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double own = (names[i].right - names[i].left) * perUnit;
        if (level.apart && widths[i] > own)
            return false;
        if (widths[i] > 0 && (i == 0 || i + 1 == names.size()) && widths[i] > own + measure.of(6))
            return false;
        if (i == 0 || widths[i] == 0 || widths[i - 1] == 0)
            continue;
        const double distance = (names[i].centre - names[i - 1].centre) * perUnit;
        if ((widths[i] + widths[i - 1]) / 2 + between > distance)
            return false;
    }
    return true;
}

/// With at most so many lines each; false where that is not enough.
bool fitLevelled(LabelLevel& level, int lines, double perUnit, const FigureMeasure& measure) {
    std::vector<double> widths;
    int most = 0;
    for (LabelLevel::Name& name : level.names) {
        const double room = (name.right - name.left) * perUnit - measure.of(2);
        name.lines = lines == 1 ? QStringList{name.text} : wrapped(name.text, room, lines, level.size);
        if (name.lines.isEmpty())
            return false;
        widths.push_back(widestOf(name.lines, level.size));
        most = std::max(most, static_cast<int>(name.lines.size()));
    }
    if (!fits(level, widths, perUnit, measure))
        return false;
    level.height = most * lineHeightOf(level.size);
    return true;
}

void turn(LabelLevel& level, double perUnit, const FigureMeasure& measure) {
    double narrowest = 1e9;
    for (std::size_t i = 1; i < level.names.size(); ++i)
        narrowest = std::min(narrowest, (level.names[i].centre - level.names[i - 1].centre) * perUnit);
    const double pitch = lineHeightOf(1);
    level.turned = true;
    level.size = std::clamp(narrowest / pitch, std::min(kSmallest, measure.textSize), measure.textSize);
    if (narrowest < pitch * level.size * (1 - 1e-9))
        level.every = static_cast<std::size_t>(std::ceil(pitch * level.size / std::max(narrowest, 1e-3)));
    double longest = 0;
    for (LabelLevel::Name& name : level.names) {
        name.lines = {name.text};
        longest = std::max(longest, textWidth(name.text, level.size));
    }
    level.height = longest + measure.of(1);
}

void drawName(FigureSheet& sheet, const LabelLevel& level, const LabelLevel::Name& name, double x, double top) {
    if (level.turned) {
        const QPointF at(x + capHeightOf(level.size) / 2, top + sheet.measure().of(1));
        return sheet.put(FigurePart::category, sheet.text(at, name.text, level.size, TextAlign::right, -90));
    }
    double baseline = top + ascentOf(level.size);
    for (const QString& line : name.lines) {
        sheet.put(FigurePart::category, sheet.text({x, baseline}, line, level.size, TextAlign::centre));
        baseline += lineHeightOf(level.size);
    }
}

void drawLevel(FigureSheet& sheet, const LabelLevel& level, double top, const std::function<double(double)>& xAt) {
    for (std::size_t i = 0; i < level.names.size(); i += level.every)
        drawName(sheet, level, level.names[i], xAt(level.names[i].centre), top);
}

void drawBrackets(FigureSheet& sheet, const LabelLevel& level, double y, const std::function<double(double)>& xAt) {
    FigurePen pen = sheet.measure().pen(sheet.measure().colours().axis);
    pen.colour = sheet.measure().colours().inkSoft;
    for (const LabelLevel::Name& name : level.names)
        sheet.line(FigurePart::category, {xAt(name.left + 0.12), y}, {xAt(name.right - 0.12), y}, pen);
}

double bracketRoom(const FigureMeasure& measure) { return measure.of(2); }

}  // namespace

void fitLevel(LabelLevel& level, double perUnit, const FigureMeasure& measure) {
    level.size = measure.textSize;
    level.turned = false;
    level.every = 1;
    for (const double size : {measure.textSize, measure.smallSize()}) {
        level.size = size;
        for (int lines = 1; lines <= kMostLines; ++lines) {
            if (fitLevelled(level, lines, perUnit, measure))
                return;
        }
    }
    turn(level, perUnit, measure);
}

double heightOf(const CategoryNames& names, const FigureMeasure& measure) {
    double height = 0, before = 0;
    for (std::size_t i = 0; i < names.levels.size(); ++i) {
        height += names.levels[i].height + (names.levels[i].bracketed ? bracketRoom(measure) : 0);
        before = i < names.apartFrom ? height : before;
    }
    return std::max(height, names.apart.names.empty() ? 0 : before + names.apart.height);
}

void drawNames(FigureSheet& sheet, const CategoryNames& names, double top, const std::function<double(double)>& xAt) {
    const FigureMeasure& measure = sheet.measure();
    double apartTop = top;
    for (std::size_t i = 0; i < names.levels.size(); ++i) {
        const LabelLevel& level = names.levels[i];
        if (level.bracketed) {
            drawBrackets(sheet, level, top + measure.of(1.2), xAt);
            top += bracketRoom(measure);
        }
        drawLevel(sheet, level, top, xAt);
        top += level.height;
        apartTop = i < names.apartFrom ? top : apartTop;
    }
    drawLevel(sheet, names.apart, apartTop, xAt);
}

}  // namespace ui
