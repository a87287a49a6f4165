#include "ui/figure/python_plot.h"

#include "ui/drawing/figure_text.h"
#include "ui/drawing/mark_layout.h"
#include "ui/figure/writer_parts.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui {
namespace {

constexpr double kLinesInAnInch = 6;  // lines per inch that matplotlib draws for one letter of a hatch
constexpr double kPointsInAnInch = 72;
constexpr double kTop = 0.756;     // of the text's size: from the top of a text in matplotlib to its baseline
constexpr double kHeight = 0.965;  // of the text's size: the height of a line in a legend of matplotlib

/// Returns the hatch for matplotlib. The number of its letters sets the number of lines per inch.
QString hatchOf(const FigureFill& fill) {
    const char letter = fill.texture == Texture::falling   ? '\\'
                        : fill.texture == Texture::rising  ? '/'
                        : fill.texture == Texture::crossed ? 'x'
                        : fill.texture == Texture::rows    ? '-'
                                                           : '.';
    // Slanted lines are twice as far apart along x as their number implies; two rows of lines or dots make one period, and dots
    // are in a lattice that is turned.
    const double lines = kPointsInAnInch / std::max(fill.spacing, 0.5) * (letter == '.' ? std::numbers::sqrt2 : 2);
    const double letters = std::round(lines / kLinesInAnInch);
    return QString(std::max(1, static_cast<int>(letters)), QLatin1Char(letter));
}

QString withOpacity(const QString& colour, const QColor& of) {
    if (of.alpha() == 255)
        return colour;
    return QStringLiteral("%1 + \"%2\"").arg(colour).arg(of.alpha(), 2, 16, QLatin1Char('0'));
}

QString dashOf(const FigurePen& pen) {
    QStringList lengths;
    const qsizetype count = pen.dash.size() % 2 == 0 ? pen.dash.size() : 2 * pen.dash.size();
    for (qsizetype i = 0; i < count; ++i)
        lengths << plainNumber(pen.dash[i % pen.dash.size()]);
    return u'(' + lengths.join(QStringLiteral(", ")) + u')';
}

template <class Values, class Writer>
QString listOf(const Values& values, Writer writer) {
    QStringList words;
    for (const auto& value : values)
        words << writer(value);
    return u'[' + words.join(QStringLiteral(", ")) + u']';
}

QString columnCall(std::size_t index) { return QStringLiteral("column(table, %1)").arg(index); }
QString truth(bool value) { return value ? QStringLiteral("True") : QStringLiteral("False"); }
QString shifted(const QString& name, double by) {
    return std::abs(by) < 1e-9 ? name
                               : QStringLiteral("%1 %2 %3").arg(name, by < 0 ? "-" : "+", plainNumber(std::abs(by)));
}
/// Returns an argument "name=value, " with a number, or an empty text if there is no number.
QString optional(const char* name, const std::optional<double>& value) {
    return value ? QStringLiteral(", %1=%2").arg(QLatin1String(name), pythonNumber(*value)) : QString();
}

/// Writes a panel: axes, marks from their tables, names, references, annotations, titles.
class PanelScript : public PanelPlot {
public:
    PanelScript(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables, std::size_t panel,
                PythonStyles& styles, PythonEntries& entries)
        : PanelPlot(figure, tables, panel), m_styles(styles), m_entries(entries) {}

    QString write() {
        const QRectF& plot = m_place.plot;
        add(QStringLiteral("axes = panel(%1, %2, %3, %4)")
                .arg(plainNumber(plot.left()), plainNumber(plot.top()), plainNumber(plot.width()),
                     plainNumber(plot.height())));
        writeScales();
        for (std::size_t mark = 0; mark < m_panel.marks.size(); ++mark) {
            m_mark = mark;
            m_table = tableOf(mark);
            if (m_table != nullptr) {
                add(QStringLiteral("table = read(%1)").arg(pythonText(m_table->fileName)));
                std::visit([&](const auto& kind) { write(kind); }, m_panel.marks[mark]);
            }
        }
        writeNames();
        writeRanges();
        writeReferences();
        writeNotes();
        writeTitles();
        return std::move(m_text);
    }

private:
    void add(const QString& line) { m_text += line + u'\n'; }

    static QString meaningOf(const std::string& meaning) { return QString::fromStdString(meaning); }

    /// Returns the label of a series: the name of its column, so that the legend follows the table.
    QString labelOf(const std::string& name, const std::string& meaning, std::size_t column, const std::string& bar) {
        m_entries.emplace(QString::fromStdString(name), QString::fromStdString(meaning));
        const std::string& header = m_table->columns[column];
        if (header == name)
            return QStringLiteral("header(table, %1)").arg(column);
        if (header == bar + ": " + name)
            return QStringLiteral("header(table, %1, %2)").arg(column).arg(pythonText(bar + ": "));
        return pythonText(name);
    }

    /// Sets the variable x to the positions of the rows of a table.
    void writePositions() {
        const QString grouped = m_panel.categories.groups.empty() ? QString() : QStringLiteral(", True");
        if (m_named)
            return add(QStringLiteral("x = categories.of(table%1)").arg(grouped));
        m_named = true;
        add(QStringLiteral("categories = Categories(table%1)\nx = categories.at").arg(grouped));
    }

    void write(const data::BarMark& mark) {
        writePositions();
        for (std::size_t bar = 0; bar < mark.bars.size(); ++bar) {
            const BarColumn at = barColumn(m_place, m_mark, bar);
            std::vector<SeriesColumns> stack = columnsOf(m_panel, m_panel.marks[m_mark]);
            std::erase_if(stack, [&](const SeriesColumns& column) { return column.bar != bar; });
            const QString start =
                !stack.empty() && stack[0].from ? QStringLiteral(", ") + columnCall(*stack[0].from) : QString();
            add(QStringLiteral("stack = Stack(axes, %1, %2%3)")
                    .arg(shifted(QStringLiteral("x"), at.middles[0] - m_place.centres[0]), plainNumber(at.width),
                         start));
            for (const SeriesColumns& column : stack) {
                const data::FigureSeries& series = *column.series;
                const MarkStyle style = m_measure.style(series.meaning);
                add(QStringLiteral("stack.add(%1, %2, %3)")
                        .arg(columnCall(column.value),
                             labelOf(series.name, series.meaning, column.value, mark.bars[bar].name),
                             m_styles.options(style.fill, style.outline, meaningOf(series.meaning))));
                if (column.low)
                    add(QStringLiteral("stack.errors(%1, %2, %3)")
                            .arg(columnCall(*column.low), columnCall(*column.high), errorPen(halfOfCap(at.width))));
            }
            add(QStringLiteral("stack.finish(%1%2)")
                    .arg(writtenOf(m_mark), stack.empty() || !stack[0].from
                                                ? QString()
                                                : QStringLiteral("joined=dict(color=GRID, linewidth=GRID_WIDTH)")));
        }
    }

    /// Returns how the values of bars are written: not at all, along x or upwards.
    QString writtenOf(std::size_t mark) const {
        const TextItem* first = nullptr;
        for (const DisplayItem* item : m_items) {
            if (item->part == FigurePart::value && item->mark == mark && first == nullptr)
                first = std::get_if<TextItem>(&item->shape);
        }
        return first == nullptr    ? QString()
               : first->angle != 0 ? QStringLiteral("written=True, turned=True, ")
                                   : QStringLiteral("written=True, ");
    }

    QString errorPen(double half) {
        return QStringLiteral("half=%1, colour=%2, width=%3")
            .arg(plainNumber(half), m_styles.colour(m_measure.colours().ink, QStringLiteral("ink")),
                 plainNumber(m_measure.of(0.6)));
    }

    void write(const data::LineMark& mark) {
        if (mark.x.empty())
            writePositions();
        else
            add(QStringLiteral("x = column(table, 0)"));
        QStringList sized;
        for (const SeriesColumns& column : columnsOf(m_panel, m_panel.marks[m_mark])) {
            const data::FigureSeries& series = *column.series;
            MarkStyle style = m_measure.style(series.meaning);
            if (!mark.joined && style.marker == Marker::none)
                style.marker = Marker::circle;
            const QString meaning = meaningOf(series.meaning),
                          label = labelOf(series.name, series.meaning, column.value, {});
            if (!mark.sizes.empty()) {
                sized << QStringLiteral("(%1, %2, %3)")
                             .arg(columnCall(column.value), label, m_styles.dots(m_measure, style, meaning));
                continue;
            }
            add(QStringLiteral("y = ") + columnCall(column.value));
            if (column.low)
                add(QStringLiteral("errors(axes, x, y, %1, %2, %3)")
                        .arg(columnCall(*column.low), columnCall(*column.high), errorPen(m_measure.of(1.6))));
            QString parts;
            if (mark.joined)
                parts += QStringLiteral(",\n      dict(%1)").arg(m_styles.line(style.line, meaning));
            if ((mark.markers || !mark.joined) && style.marker != Marker::none)
                parts += QStringLiteral(",\n      markers=") + m_styles.dots(m_measure, style, meaning);
            add(QStringLiteral("curve(axes, x, y, %1%2)").arg(label, parts));
        }
        if (!mark.sizes.empty())
            add(QStringLiteral("sized(axes, x, %1, [%2])")
                    .arg(columnCall(m_table->columns.size() - 1), sized.join(QStringLiteral(",\n    "))));
    }

    void write(const data::AreaMark& mark) {
        add(QStringLiteral("x, bottom = column(table, 0), np.zeros(len(table) - 1)"));
        for (const SeriesColumns& column : columnsOf(m_panel, m_panel.marks[m_mark])) {
            const data::FigureSeries& series = *column.series;
            const MarkStyle style = m_measure.style(series.meaning);
            FigurePen edge = style.outline;
            edge.width *= 0.8;
            add(QStringLiteral("bottom = area(axes, x, bottom, %1, %2, stepped=%3, %4, %5)")
                    .arg(columnCall(column.value), labelOf(series.name, series.meaning, column.value, {}),
                         truth(mark.stepped), m_styles.pen(edge),
                         m_styles.options(style.fill, std::nullopt, meaningOf(series.meaning))));
        }
    }

    void write(const data::BoxMark& mark) {
        if (!m_named)
            add(QStringLiteral(
                "categories = Categories(table, names=list(dict.fromkeys(row[0] for row in table[1:])))"));
        m_named = true;
        for (std::size_t group = 0; group < mark.groups.size(); ++group) {
            const data::BoxMark::Group& boxes = mark.groups[group];
            const BarColumn at = barColumn(m_place, m_mark, group);
            const MarkStyle style = m_measure.style(boxes.meaning);
            const QColor& ink = m_measure.colours().ink;
            m_entries.emplace(QString::fromStdString(boxes.name), QString::fromStdString(boxes.meaning));
            const QString name = pythonText(boxes.name);
            add(QStringLiteral("rows = [row for row in table[1:] if row[1] == %1]").arg(name));
            add(QStringLiteral("x = np.array([categories.place(row[0]) for row in rows])"));
            add(QStringLiteral("boxes(axes, rows, %1, %2, %3, dict(%4),\n      dict(%5), %6)")
                    .arg(shifted(QStringLiteral("x"), at.middles[0] - m_place.centres[0]), plainNumber(at.width), name,
                         m_styles.line({ink, m_measure.of(0.5), {}}), m_styles.line({ink, m_measure.of(1.2), {}}),
                         m_styles.options(style.fill, style.outline, meaningOf(boxes.meaning))));
        }
    }

    void write(const data::HeatMark& mark) {
        const HeatScale scale(mark, m_spec.theme);
        add(QStringLiteral("mesh, rows, columns, cells = heat(axes, table, [%1]%2%3%4%5)")
                .arg(heatColours(scale, m_styles).join(QStringLiteral(", ")), optional("least", mark.from),
                     optional("most", mark.to),
                     optional("middle", m_measure.ground.isGrey() ? std::nullopt : mark.middle),
                     mark.asImage ? QStringLiteral(", image=True") : QString()));
        if (std::ranges::any_of(m_items, [](const auto* item) { return item->part == FigurePart::value; }))
            add(QStringLiteral("write_cells(axes, mesh, cells)"));
        writeColourBar();
        add(QStringLiteral("categories = Categories(table, names=columns)"));
        m_named = true;
        const RowPlan rows = rowsPlan();
        add(QStringLiteral("label_rows(axes, rows, %1 * FIT, every=%2)").arg(plainNumber(rows.size)).arg(rows.every));
    }

    void writeColourBar() {
        const std::optional<ColourScalePlan> plan = planColourScale(m_panel, m_place.plot.height(), m_measure);
        const QRectF& plot = m_place.plot;
        const double left = plot.right() + m_measure.of(5);
        double at = m_measure.of(12);
        for (const DisplayItem* item : m_items) {
            const auto* text = std::get_if<TextItem>(&item->shape);
            if (text != nullptr && item->part == FigurePart::title && text->at.x() > plot.right())
                at = text->at.x() - left;
        }
        add(QStringLiteral("colour_bar(mesh, %1, %2, %3, %4, %5, %6, most=%7)")
                .arg(plainNumber(left), plainNumber(plot.top()), plainNumber(m_measure.of(7)),
                     plainNumber(plot.height()), pythonText(plan->axis.title), plainNumber(at))
                .arg(intervalsOf(plan->axis.place)));
    }

    void write(const data::TimelineMark& mark) {
        QStringList lanes;
        for (const data::TimelineMark::Lane& lane : mark.lanes)
            lanes << QStringLiteral("(%1, %2)").arg(pythonText(lane.group), pythonText(lane.label));
        add(QStringLiteral("LANES = [%1]").arg(lanes.join(QStringLiteral(", "))));
        std::set<std::string> meanings;
        QString styles;
        for (const data::TimelineMark::Span& span : mark.spans) {
            if (!meanings.insert(span.meaning).second)
                continue;
            const MarkStyle style = m_measure.style(span.meaning);
            const QString patch =
                style.fill.texture == Texture::plain ? QStringLiteral("None") : m_styles.colour(style.fill.colour);
            styles +=
                QStringLiteral("    %1: (dict(%2), (%3, %4)),\n")
                    .arg(pythonText(span.meaning), m_styles.options(style.fill, style.outline, meaningOf(span.meaning)),
                         m_styles.colour(Palette::inkOn(style.fill.colour)), patch);
        }
        add(QStringLiteral(
                "STYLES = {  # of each meaning, and the colours of the text on it and of a patch behind that\n"
                "%1}")
                .arg(styles));
        if (m_panel.x.from || m_panel.x.to || !isWholeX())
            add(QStringLiteral("axes.set_xlim(%1, %2)").arg(pythonNumber(m_place.x.from), pythonNumber(m_place.x.to)));
        add(QStringLiteral("axes.set_ylim(len(LANES) - 0.5, -0.5)\nspans(axes, table, LANES, STYLES)"));
        const RowPlan rows = rowsPlan();
        add(QStringLiteral("label_rows(axes, [lane for _, lane in LANES], %1 * FIT, every=%2)")
                .arg(plainNumber(rows.size))
                .arg(rows.every));
        if (!rows.groups.empty())
            add(QStringLiteral("label_row_groups(axes, LANES, %1, %2, %3)")
                    .arg(plainNumber(rows.labelWidth + m_measure.of(5.5)), truth(rows.groupsTurned),
                         m_styles.colour(m_measure.colours().inkSoft, QStringLiteral("inkSoft"))));
        add(QStringLiteral("axes.spines[\"left\"].set_visible(False)\naxes.grid(axis=\"x\")"));
    }

    void write(const data::DrawingMark&) {}

    /// Writes scales, ticks and grid, before the marks.
    void writeScales() {
        if (kind() == PanelKind::plain) {
            if (const std::optional<AxisBreak> left = axisBreak())
                add(QStringLiteral("leave_out(axes, %1, %2, %3)")
                        .arg(pythonNumber(left->from), pythonNumber(left->to), pythonNumber(left->gap)));
            writeTicks('y', m_place.y, m_panel.y);
            add(QStringLiteral("axes.grid(axis=\"y\")"));
        }
        if (categorical())
            return;
        writeTicks('x', m_place.x, m_panel.x);
        const double drop = m_measure.of(2.2) + ascentOf(m_measure.textSize) - kTop * m_measure.textSize;
        add(QStringLiteral("axes.tick_params(axis=\"x\", pad=%1%2)")
                .arg(plainNumber(drop), numbersBelow() ? QString() : QStringLiteral(", labelbottom=False")));
    }

    void writeTicks(char name, const AxisPlace& place, const data::FigureAxis& axis) {
        QString locator;
        if (place.isBroken() && axis.ticks.empty())
            locator = QStringLiteral("FixedLocator(%1)").arg(listOf(ticksBeyond(place), pythonNumber));
        else if (!axis.ticks.empty())
            locator = QStringLiteral("FixedLocator(%1)").arg(listOf(place.ticks, pythonNumber));
        else if (const double every = decadesOf(place); every > 0)
            locator = QStringLiteral("LogLocator(%1, numticks=99)").arg(plainNumber(std::pow(10, every)));
        else if (place.logarithmic && stepsInDecades(place))
            locator = QStringLiteral("LogLocator(subs=(1, 2, 5), numticks=99)");
        else
            locator = QStringLiteral("MaxNLocator(%1, steps=[1, 2, 5, 10])").arg(intervalsOf(place));
        if (place.logarithmic)
            add(QStringLiteral("axes.set_%1scale(\"log\")").arg(QLatin1Char(name)));
        const bool minor = place.logarithmic && axis.ticks.empty() && place.to / place.from < 1e4;
        add(QStringLiteral("ticks(axes.%1axis, %2%3)")
                .arg(QLatin1Char(name))
                .arg(locator, minor ? QStringLiteral(", LogLocator(subs=range(1, 10), numticks=99)") : QString()));
    }

    /// Writes the ranges, after the marks, because they follow from the tables as far as the author fixed none.
    void writeRanges() {
        const QString comment = QStringLiteral("  # axes.set_%1lim(...) fixes another range");
        if (!categorical() && kind() == PanelKind::plain) {
            const AxisPlace& place = m_place.x;
            const bool whole = isWholeX();
            if (!m_panel.x.from && !m_panel.x.to && !whole && isPaddedX())
                add(QStringLiteral("axes.margins(x=0.03)") + comment.arg(QLatin1Char('x')));
            else if (m_panel.x.from || m_panel.x.to || !whole)
                add(QStringLiteral("axes.set_xlim(%1, %2)").arg(pythonNumber(place.from), pythonNumber(place.to)));
        }
        if (kind() == PanelKind::plain)
            add(QStringLiteral("fit(axes, %1, %2%3%4)%5")
                    .arg(pythonNumber(m_place.y.from), pythonNumber(m_place.y.to),
                         m_panel.y.from ? QStringLiteral(", fixed_low=True") : QString(),
                         m_panel.y.to ? QStringLiteral(", fixed_high=True") : QString(),
                         comment.arg(QLatin1Char('y'))));
        if (const std::optional<AxisBreak> left = axisBreak())
            add(QStringLiteral("mark_break(axes, %1, %2)")
                    .arg(pythonNumber(left->from + kBreakInset * (left->to - left->from)),
                         pythonNumber(left->to - kBreakInset * (left->to - left->from))));
    }

    static double roomOf(const LabelLevel& level, double perUnit) {
        double room = 0;
        for (const LabelLevel::Name& name : level.names)
            room = std::max({room, (name.right - name.left) * perUnit, widestOf(name.lines, level.size)});
        return room + 0.5;
    }
    QString sizeOf(const LabelLevel& level) const { return plainNumber(level.size) + QStringLiteral(" * FIT"); }
    double dropOf(const LabelLevel& level, double top) const {
        return level.turned ? top + m_measure.of(1) : top + ascentOf(level.size) - kTop * level.size;
    }

    void writeNames() {
        if (!categorical() || !m_named)
            return;
        const CategoryNames names = namesPlan();
        if (names.empty())
            return add(QStringLiteral("axes.set_xlim(-0.5, categories.at[-1] + 0.5)\naxes.set_xticks([])"));
        double top = m_measure.of(2);
        bool labelled = false;
        const QString lone =
            names.apart.names.empty()
                ? QString()
                : QStringLiteral(", lone=(%1, %2, %3)")
                      .arg(sizeOf(names.apart), plainNumber(roomOf(names.apart, perUnit())), truth(names.apart.turned));
        const auto label = [&](const LabelLevel& level) {
            const QString every = level.every > 1 ? QStringLiteral(", every=%1").arg(level.every) : QString();
            add(QStringLiteral("categories.label(axes, %1, %2, room=%3, turned=%4%5%6)")
                    .arg(plainNumber(dropOf(level, top)), sizeOf(level), plainNumber(roomOf(level, perUnit())),
                         truth(level.turned), every, lone));
            labelled = true;
        };
        for (std::size_t i = 0; i < names.levels.size(); ++i) {
            const LabelLevel& level = names.levels[i];
            if (level.bracketed) {
                if (!labelled)
                    label(names.apart);
                add(QStringLiteral("categories.label_groups(axes, %1, %2, line=%3, colour=%4, room=%5, turned=%6)")
                        .arg(plainNumber(dropOf(level, top + m_measure.of(2))), sizeOf(level),
                             plainNumber(top + m_measure.of(1.2)),
                             m_styles.colour(m_measure.colours().inkSoft, QStringLiteral("inkSoft")),
                             plainNumber(roomOf(level, perUnit())), truth(level.turned)));
                top += m_measure.of(2);
            } else if (i < names.apartFrom) {
                writeBarNames(level, top);
            } else {
                label(level);
            }
            top += level.height;
        }
        if (!labelled)
            label(names.apart);
    }

    /// Writes the names of the bars below each category.
    void writeBarNames(const LabelLevel& level, double top) {
        QStringList names;
        for (const LabelLevel::Name& name : level.names) {
            if (name.centre < m_place.centres[0] + 0.5)
                names << QStringLiteral("(%1, %2)")
                             .arg(pythonText(name.lines.join(u'\n')), plainNumber(name.centre - m_place.centres[0]));
        }
        add(QStringLiteral("for name, shift in [%1]:\n    for at in categories.at:\n"
                           "        below(axes, at + shift, name, %2, %3, turned=%4)")
                .arg(names.join(QStringLiteral(", ")), plainNumber(dropOf(level, top)), sizeOf(level),
                     truth(level.turned)));
    }

    /// Returns a position along x, which is that of a category if the panel has categories.
    QString along(double x) const {
        const std::optional<std::size_t> category = categoryAt(x);
        if (!category || !m_named)
            return pythonNumber(x);
        const auto [name, group, number] = keyOf(*category);
        return shifted(QStringLiteral("categories.place(%1, %2, %3, %4)")
                           .arg(pythonText(name), pythonText(group))
                           .arg(number)
                           .arg(*category),
                       x - m_place.centres[*category]);
    }

    void writeReferences() {
        for (const ReferenceLine& line : referenceLines()) {
            const QString pen = m_styles.line(line.pen, QStringLiteral("reference"));
            if (line.across)
                add(QStringLiteral("axes.axhline(%1, %2, zorder=2.6)").arg(pythonNumber(line.value), pen));
            else
                add(QStringLiteral("axes.hlines(%1, %2, %3, zorder=0.9, %4)")
                        .arg(pythonNumber(line.value), along(line.from), along(line.to), pen));
        }
    }

    /// Writes the lines, arrows and bands of the author.
    void writeOwnNotes() {
        for (const OwnNote& note : ownNotes()) {
            const QString words = note.text == nullptr ? QStringLiteral("\"\"") : pythonText(note.text->text);
            if (note.kind == data::FigureAnnotation::Kind::span) {
                add(QStringLiteral("band(axes, %1, %2, %3, %4, %5, %6, %7)")
                        .arg(along(note.x), along(note.toX),
                             m_styles.colour(m_measure.colours().inkSoft, QStringLiteral("inkSoft")),
                             plainNumber(kBandOpacity), words, along(note.textX),
                             plainNumber(note.text == nullptr ? 0 : note.text->at.y() - m_place.plot.top())));
                continue;
            }
            add(QStringLiteral("pointer(axes, %1, (%2, %3), (%4, %5), %6%7%8)")
                    .arg(words, along(note.x), pythonNumber(note.y), along(note.toX), pythonNumber(note.toY),
                         plainNumber(m_measure.of(0.7)),
                         note.kind == data::FigureAnnotation::Kind::arrow
                             ? QStringLiteral(", head=%1").arg(plainNumber(m_measure.of(4)))
                             : QString(),
                         note.joined ? QString() : QStringLiteral(", joined=False")));
        }
    }

    void writeNotes() {
        writeOwnNotes();
        for (const PlacedNote& note : notes()) {
            const QString size = QStringLiteral("SMALL");
            QString more;
            if (note.text.align != TextAlign::centre)
                more += QStringLiteral(", align=\"%1\"")
                            .arg(QLatin1String(note.text.align == TextAlign::left ? "left" : "right"));
            if (note.text.angle != 0)
                more += QStringLiteral(", angle=") + plainNumber(-note.text.angle);
            if (note.leader)
                more += QStringLiteral(", leader=((%1, %2), %3, %4)")
                            .arg(plainNumber(note.leaderEnd.x()), plainNumber(-note.leaderEnd.y()),
                                 m_styles.colour(note.leader->colour), plainNumber(note.leader->width));
            if (note.patch)
                more += QStringLiteral(", patch=") + withOpacity(m_styles.colour(*note.patch), *note.patch);
            add(QStringLiteral("note(axes, %1, (%2, %3), (%4, %5), %6, %7%8)")
                    .arg(pythonText(note.text.text), note.follows ? along(note.x) : pythonNumber(note.x),
                         pythonNumber(note.y), plainNumber(note.offset.x()), plainNumber(-note.offset.y()),
                         m_styles.colour(note.text.colour, QStringLiteral("ink")), size, more));
        }
    }

    void writeTitles() {
        const PanelTitles titles = this->titles();
        const QRectF& plot = m_place.plot;
        if (!titles.y.isEmpty())
            add(QStringLiteral("title_y(axes, %1, %2, %3)")
                    .arg(pythonText(titles.y.join(u'\n')), plainNumber(plot.left() - titles.yAt.x()),
                         plainNumber((plot.bottom() - titles.yAt.y()) / plot.height())));
        if (titles.x)
            add(QStringLiteral("title_x(axes, %1, %2)")
                    .arg(pythonText(titles.x->text), plainNumber(titles.x->at.y() - plot.bottom())));
        if (titles.above)
            add(QStringLiteral("axes.set_title(%1, y=%2, pad=0)")
                    .arg(pythonText(titles.above->text),
                         plainNumber(1 + (plot.top() - titles.above->at.y()) / plot.height())));
    }

    PythonStyles& m_styles;
    PythonEntries& m_entries;
    const data::FigureTable* m_table = nullptr;
    std::size_t m_mark = 0;
    bool m_named = false;  ///< the variable `categories` is set
    QString m_text;
};

}  // namespace

QString pythonText(const std::string& text) { return pythonText(QString::fromStdString(text)); }

QString pythonText(const QString& text) {
    QString literal;
    for (const QChar letter : text) {
        if (letter == u'\\' || letter == u'"')
            literal += QStringLiteral("\\") + letter;
        else if (letter.unicode() < u' ' || letter.unicode() == 0x7F)
            literal += QStringLiteral("\\u%1").arg(letter.unicode(), 4, 16, QLatin1Char('0'));
        else
            literal += letter;
    }
    return u'"' + literal + u'"';
}

QString pythonNumber(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 12) : QStringLiteral("math.nan");
}

QString PythonStyles::colour(const QColor& colour, const QString& meaning) {
    return QStringLiteral("COLOURS[\"%1\"]").arg(m_colours.nameOf(colour, meaning));
}

QString PythonStyles::pen(const FigurePen& pen, const QString& meaning) {
    const QString dash = pen.dash.isEmpty() ? QString() : QStringLiteral(", dash=") + dashOf(pen);
    return QStringLiteral("edge=%1, width=%2%3")
        .arg(withOpacity(colour(pen.colour, meaning), pen.colour), plainNumber(pen.width), dash);
}

QString PythonStyles::line(const FigurePen& pen, const QString& meaning) {
    const QString dash = pen.dash.isEmpty() ? QString() : QStringLiteral(", linestyle=(0, %1)").arg(dashOf(pen));
    return QStringLiteral("color=%1, linewidth=%2%3").arg(colour(pen.colour, meaning), plainNumber(pen.width), dash);
}

QString PythonStyles::dots(const FigureMeasure& measure, const MarkStyle& style, const QString& meaning) {
    const double r = measure.of(1.6);
    const auto call = [&](const char* shape, double size, const FigurePen* rim) {
        return QStringLiteral("dots(%1, \"%2\", %3, %4)")
            .arg(colour(style.line.colour, meaning), QLatin1String(shape), plainNumber(size),
                 rim != nullptr ? QStringLiteral("%1, %2").arg(colour(rim->colour), plainNumber(rim->width))
                                : QStringLiteral("rim_width=") + plainNumber(measure.of(0.9)));
    };
    const FigurePen rim{measure.colours().background, measure.of(0.3), {}};
    switch (style.marker) {
    case Marker::none:
    case Marker::circle: return call("o", 2 * r, &rim);
    case Marker::square: return call("s", 2 * r, &rim);
    case Marker::triangle: return call("^", 2.4 * r, &rim);
    case Marker::diamond: return call("D", 1.91 * r, &rim);
    case Marker::cross: return call("x", 2 * r, nullptr);
    case Marker::plus: return call("+", 2.4 * r, nullptr);
    }
    return {};
}

QString PythonStyles::options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                              const QString& meaning) {
    QStringList parts;
    if (fill)
        parts << QStringLiteral("fill=") + withOpacity(colour(fill->colour, meaning), fill->colour);
    if (fill && fill->texture != Texture::plain)
        parts << QStringLiteral("hatch=%1, ink=%2").arg(pythonText(hatchOf(*fill)), colour(fill->textureInk));
    if (pen)
        parts << this->pen(*pen);
    return parts.join(QStringLiteral(", "));
}

QString PythonStyles::definitions() const {
    QString text = QStringLiteral("COLOURS = {\n");
    for (const auto& [name, value] : m_colours.known())
        text += QStringLiteral("    \"%1\": \"%2\",\n").arg(name, value);
    return text + QStringLiteral("}\n");
}

std::optional<QString> pythonPanel(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables,
                                   std::size_t panel, PythonStyles& styles, PythonEntries& entries) {
    if (!hasPlots(figure, tables, panel))
        return std::nullopt;
    return PanelScript(figure, tables, panel, styles, entries).write();
}

QString pythonLegend(const ReadyFigure& figure, PythonStyles& styles, const PythonEntries& entries) {
    const PlacedLegend legend(figure);
    if (legend.plan.empty())
        return {};
    const FigureMeasure measure = measureOf(figure.spec);
    QString text;
    for (const auto& row : legend.plan.rows) {
        for (const LegendEntry& entry : row) {
            if (entries.contains({entry.name, QString::fromStdString(entry.meaning)}))
                continue;
            const QString name = pythonText(entry.name), meaning = QString::fromStdString(entry.meaning);
            if (entry.symbol == LegendEntry::Symbol::reference) {
                const FigurePen pen = shortReferencePen(measure);
                text += QStringLiteral("entry(%1, %2, 8 * POINT, plt.Line2D([], [], %3))\n")
                            .arg(name, styles.colour(pen.colour, QStringLiteral("reference")), styles.line(pen));
            } else {
                const MarkStyle style = measure.style(entry.meaning);
                text +=
                    QStringLiteral("swatch(%1, %2)\n").arg(name, styles.options(style.fill, style.outline, meaning));
            }
        }
    }
    if (figure.spec.legend == data::FigureLegend::right && stacks(figure.spec))
        text += QStringLiteral("entries = dict(reversed(entries.items()))\n");
    const TextSize size = measure.textSize;
    const double pitch = lineHeightOf(size) + measure.of(1);
    const bool grid = legend.plan.leftAligned || !legend.plan.columns.empty();
    QStringList rows;
    std::size_t count = 0;
    for (std::size_t row = 0; row < legend.plan.rows.size(); ++row) {
        count += legend.plan.rows[row].size();
        if (grid && row + 1 < legend.plan.rows.size())
            continue;
        const double top = legend.baseline + (grid ? 0 : pitch * static_cast<double>(row)) - kTop * size;
        const std::size_t columns = grid ? std::max<std::size_t>(legend.plan.columns.size(), 1) : count;
        rows << QStringLiteral("(%1, %2, %3)").arg(count).arg(columns).arg(plainNumber(top));
        count = 0;
    }
    return text + QStringLiteral("legend(%1, [%2], \"upper %3\", spacing=%4)\n")
                      .arg(plainNumber(grid ? legend.box.left() : legend.box.center().x()),
                           rows.join(QStringLiteral(", ")), grid ? QStringLiteral("left") : QStringLiteral("center"),
                           plainNumber(pitch - kHeight * size));
}

}  // namespace ui
