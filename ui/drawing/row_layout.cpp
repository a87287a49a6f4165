#include "ui/drawing/figure_text.h"
#include "ui/drawing/mark_layout.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace ui {
namespace {

constexpr double kTallestRow = 3.2;      // lines of text
constexpr double kFarReference = 4;      // a reference over this multiple of the largest value is a text with an arrow
constexpr double kOverReference = 1.04;  // the end of an axis over the reference that it has to show

const RowOptions& optionsOf(const FigureMeasure& measure) { return *measure.screen->rows; }

double gapOf(const FigureMeasure& measure) { return measure.of(5); }

double widthOf(const RowOptions::Column& column, const FigureMeasure& measure) {
    double widest = std::max(textWidth(column.title, measure.textSize),
                             textWidth(column.room, measure.textSize, TextWeight::semiBold));
    for (const RowOptions::Cell& cell : column.cells)
        widest = std::max(widest, textWidth(cell.text, measure.textSize, TextWeight::semiBold));
    return widest;
}

/// Returns the columns beside a panel.
auto columnsOf(const PanelPlan& plan, const FigureMeasure& measure) {
    return optionsOf(measure).columns | std::views::filter([&plan](const RowOptions::Column& column) {
               return column.panel.value_or(plan.index) == plan.index;
           });
}

RowOptions::Head headOf(const PanelPlan& plan, const FigureMeasure& measure) {
    const std::vector<RowOptions::Head>& heads = optionsOf(measure).heads;
    return plan.index < heads.size() ? heads[plan.index]
                                     : RowOptions::Head{{QString::fromStdString(plan.panel->title)}, {}};
}

bool hasHeads(const PanelPlan& plan, const FigureMeasure& measure) {
    return !headOf(plan, measure).titles.join(QString()).isEmpty() ||
           std::ranges::any_of(columnsOf(plan, measure), [](const auto& column) { return !column.title.isEmpty(); });
}

QString elided(QString text, double room, TextSize size, TextWeight weight = TextWeight::regular) {
    while (text.size() > 1 && textWidth(text, size, weight) > room)
        text = text.left(text.size() - 2) + QChar(0x2026);
    return text;
}

/// Returns two lines with as many parts of a list as fit.
QStringList linesOf(const QString& list, double room, TextSize size) {
    QStringList parts = list.split(QStringLiteral(", "));
    QStringList lines = wrapped(list, room, 2, size);
    while (lines.isEmpty() && parts.size() > 1) {
        parts.removeLast();
        lines = wrapped(parts.join(QStringLiteral(", ")) + QStringLiteral(" \u2026"), room, 2, size);
    }
    return lines.isEmpty() ? QStringList{elided(list, room, size)} : lines;
}

double baselineOf(const PanelPlan& plan, std::size_t row, TextSize size) {
    return *plan.yAt(plan.rowCentre(row)) + capHeightOf(size) / 2;
}

QColor inkOf(RowOptions::Tone tone, const FigureMeasure& measure) {
    const Palette& colours = paletteOf(measure.screen->theme);
    return tone == RowOptions::Tone::better  ? colours.better
           : tone == RowOptions::Tone::error ? colours.error
                                             : colours.ink;
}

/// Draws the texts above a panel.
void drawHead(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const TextSize size = measure.textSize;
    const double left = plan.plot.left() - plan.need.left();
    const double room = plan.plot.right() + widthOfColumns(plan, measure) - left;
    const auto [titles, note] = headOf(plan, measure);
    const auto fits = [&](const QString& title) { return textWidth(title, size, TextWeight::semiBold) <= room; };
    const auto fitting = std::ranges::find_if(titles, fits);
    const QString title = fitting != titles.end() ? *fitting : elided(titles.back(), room, size, TextWeight::semiBold);
    double base = plan.plot.top() - heightOverRows(plan, measure) + ascentOf(size);
    sheet.put(FigurePart::title, sheet.text({left, base}, title, size, TextAlign::left, 0, TextWeight::semiBold));
    for (const QString& words : note.isEmpty() ? QStringList() : linesOf(note, room, size)) {
        base += lineHeightOf(size);
        TextItem text = sheet.text({left, base}, words, size, TextAlign::left);
        text.colour = measure.colours().inkSoft;
        sheet.put(FigurePart::title, text);
    }
}

void drawColumns(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const TextSize size = measure.textSize;
    const double head = plan.plot.top() - heightOverRows(plan, measure) + ascentOf(size);
    double right = plan.plot.right() + measure.of(1.5);
    for (const RowOptions::Column& column : columnsOf(plan, measure)) {
        right += gapOf(measure) + widthOf(column, measure);
        TextItem title = sheet.text({right, head}, column.title, size, TextAlign::right);
        title.colour = measure.colours().inkSoft;
        sheet.put(FigurePart::title, title);
        for (std::size_t row = 0; row < std::min(column.cells.size(), plan.centres.size()); ++row) {
            const TextWeight weight = optionsOf(measure).strong == row ? TextWeight::semiBold : TextWeight::regular;
            TextItem text = sheet.text({right, baselineOf(plan, row, size)}, column.cells[row].text, size,
                                       TextAlign::right, 0, weight);
            text.colour = inkOf(column.cells[row].tone, measure);
            sheet.put(FigurePart::value, text);
        }
    }
}

void drawRowMarkers(FigureSheet& sheet, const PanelPlan& plan) {
    constexpr double kScale = 2.1;
    const auto& mark = std::get<data::BarMark>(plan.panel->marks.front());
    const double x = plan.plot.left() - plan.need.left() + sheet.measure().of(5);
    for (std::size_t row = 0; row < std::min(optionsOf(sheet.measure()).markers, plan.centres.size()); ++row) {
        if (mark.bars.empty())
            return;
        const auto& stack = mark.bars.front().stack;
        const auto first = std::ranges::find_if(
            stack, [&](const data::FigureSeries& series) { return valueAt(series.values, row).has_value(); });
        if (first != stack.end())
            sheet.marker(FigurePart::category, {x, *plan.yAt(plan.rowCentre(row))},
                         sheet.measure().style(first->meaning), kScale);
    }
}

void drawReference(FigureSheet& sheet, const PanelPlan& plan, const data::FigureReference& reference) {
    const FigureMeasure& measure = sheet.measure();
    const TextSize size = measure.textSize;
    const std::optional<double> x = plan.xAt(reference.value);
    const bool inside = x && *x <= plan.plot.right() + 0.01;
    FigurePen pen = measure.pen(measure.colours().reference);
    if (inside) {
        // An outline separates the line from the bars behind it.
        const FigurePen rim{measure.colours().background, pen.width * 2.2, {}};
        for (const FigurePen& each : {rim, pen})
            sheet.line(FigurePart::reference, {*x, plan.plot.top()}, {*x, plan.plot.bottom()}, each);
    }
    const QString name = QString::fromStdString(reference.text) + (inside ? QString() : QStringLiteral(" \u2192"));
    const double width = textWidth(name, size, TextWeight::semiBold);
    const double end = std::max(plan.plot.right() + widthOfColumns(plan, measure), plan.plot.left() + width);
    const double left =
        std::clamp((inside ? *x : end) - width / 2, plan.plot.left(), std::max(plan.plot.left(), end - width));
    TextItem text = sheet.text({left, plan.plot.top() - measure.of(1.5) - descentOf(size)}, name, size, TextAlign::left,
                               0, TextWeight::semiBold);
    text.colour = measure.colours().reference.colour;
    sheet.put(FigurePart::reference, text);
}

// Writes why a row has no bar, over the line of a reference.
void writeGap(FigureSheet& sheet, const PanelPlan& plan, std::size_t row, const QString& words) {
    const FigureMeasure& measure = sheet.measure();
    const TextSize size = measure.textSize;
    const double room = plan.plot.right() + widthOfColumns(plan, measure) - plan.plot.left() - measure.of(2);
    TextItem text = sheet.text({plan.plot.left() + measure.of(2), baselineOf(plan, row, size)},
                               elided(words, room, size), size, TextAlign::left);
    text.colour = measure.colours().inkSoft;
    sheet.rect(FigurePart::value, text.box(), FigureFill{.colour = measure.colours().background}, std::nullopt);
    sheet.put(FigurePart::value, text);
}

}  // namespace

bool liesInRows(const data::FigurePanel& panel, const FigureMeasure& measure) {
    return measure.screen && measure.screen->rows && kindOf(panel) == PanelKind::plain && !panel.marks.empty() &&
           std::ranges::all_of(panel.marks,
                               [](const auto& mark) { return std::holds_alternative<data::BarMark>(mark); });
}

DataReach reachOfRows(const data::FigurePanel& panel, const FigureMeasure& measure) {
    DataReach reach = valuesOfY(panel);
    reach.tight = !optionsOf(measure).axis;
    const double most = reach.empty() ? 0 : reach.most;
    for (const data::FigureReference& reference : panel.references) {
        if (reference.value <= most * kFarReference)
            reach.include(reference.value * kOverReference);
    }
    return reach;
}

double widthOfColumns(const PanelPlan& plan, const FigureMeasure& measure) {
    double width = 0;
    for (const RowOptions::Column& column : columnsOf(plan, measure))
        width += gapOf(measure) + widthOf(column, measure);
    return width;
}

double heightOverRows(const PanelPlan& plan, const FigureMeasure& measure) {
    const double line = lineHeightOf(measure.textSize) + measure.of(1);
    return line * ((hasHeads(plan, measure) ? 1 : 0) + (headOf(plan, measure).note.isEmpty() ? 0 : 2) +
                   (plan.panel->references.empty() ? 0 : 1));
}

double mostHeightOfRows(const data::FigurePanel& panel, const FigureMeasure& measure) {
    const double gaps = panel.categories.groups.empty() ? 0 : 0.5 * double(panel.categories.groups.size() - 1);
    return (static_cast<double>(categoriesOf(panel)) + gaps) * lineHeightOf(measure.textSize) * kTallestRow;
}

void drawRowTexts(FigureSheet& sheet, const PanelPlan& plan) {
    if (optionsOf(sheet.measure()).markers > 0 && plan.rows.labelWidth > 0)
        drawRowMarkers(sheet, plan);
    drawHead(sheet, plan);
    drawColumns(sheet, plan);
    for (const data::FigureReference& reference : plan.panel->references)
        drawReference(sheet, plan, reference);
    const std::vector<QString>& gaps = optionsOf(sheet.measure()).gaps;
    for (std::size_t row = 0; row < std::min(gaps.size(), plan.centres.size()); ++row) {
        if (!gaps[row].isEmpty())
            writeGap(sheet, plan, row, gaps[row]);
    }
}

void writePart(FigureSheet& sheet, const QRectF& box, double value, const QColor& background) {
    const TextSize size = sheet.measure().textSize;
    TextItem text = sheet.text({box.center().x(), box.center().y() + capHeightOf(size) / 2}, valueLabel(value), size,
                               TextAlign::centre);
    text.colour = Palette::inkOn(background);
    const QRectF plate = text.box().adjusted(-size * 0.3, 0, size * 0.3, 0);
    if (box.width() < plate.width() + 2 || box.height() < plate.height())
        return;
    sheet.rect(FigurePart::value, plate, FigureFill{.colour = background}, std::nullopt);
    sheet.put(FigurePart::value, text);
}

}  // namespace ui
