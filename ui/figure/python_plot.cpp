#include "ui/figure/python_plot.h"

#include "ui/figure/writer_parts.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kLinesInAnInch = 6;  // lines per inch that matplotlib draws for one letter of a hatch
constexpr double kPointsInAnInch = 72;

/// Returns the hatch for matplotlib. The number of its letters sets the number of lines per inch.
QString hatchOf(const FigureFill& fill) {
    const char letter = fill.texture == Texture::falling   ? '\\'
                        : fill.texture == Texture::rising  ? '/'
                        : fill.texture == Texture::crossed ? 'x'
                        : fill.texture == Texture::rows    ? '-'
                                                           : '.';
    // Slanted lines are twice as far apart along x as their number implies; two rows make one period of the spacing.
    const bool slanted = letter == '/' || letter == '\\' || letter == 'x';
    const double lines = kPointsInAnInch / std::max(fill.spacing, 0.5) * (slanted || letter == '-' ? 2 : 1);
    const double letters = std::round(lines / kLinesInAnInch);
    return QString(std::max(1, static_cast<int>(letters)), QLatin1Char(letter));
}

QString withOpacity(const QString& colour, const QColor& of) {
    if (of.alpha() == 255)
        return colour;
    return QStringLiteral("%1 + \"%2\"").arg(colour).arg(of.alpha(), 2, 16, QLatin1Char('0'));
}

QString listOf(const std::vector<double>& values) {
    QStringList words;
    for (const double value : values)
        words << pythonNumber(value);
    return u'[' + words.join(QStringLiteral(", ")) + u']';
}

QString columnCall(std::size_t index) { return QStringLiteral("column(rows, %1)").arg(index); }

class MarkScript : public TablePlot {
public:
    MarkScript(const ReadyFigure& figure, const data::FigureTable& table, PythonStyles& styles)
        : TablePlot(figure, table), m_styles(styles) {}

    bool write(const data::BarMark& mark) {
        if (floats(mark) ? !goesOneWay(mark) : !addsUp(m_columns, true))
            return false;
        begin();
        for (std::size_t bar = 0; bar < mark.bars.size(); ++bar) {
            const BarColumn at = barColumn(m_place, m_table.mark, bar);
            const auto own = std::ranges::find(m_columns, bar, &SeriesColumns::bar);
            const QString start =
                own != m_columns.end() && own->from ? columnCall(*own->from) : QStringLiteral("[0] * len(rows)");
            add(QStringLiteral("at, bottom = %1, %2").arg(listOf(at.middles), start));
            for (const SeriesColumns& column : m_columns) {
                if (column.bar == bar)
                    writePart(column, at.width);
            }
        }
        return true;
    }

    bool write(const data::LineMark& mark) {
        if (!mark.sizes.empty())
            return false;
        begin();
        add(QStringLiteral("x = ") + (mark.x.empty() ? listOf(m_place.centres) : columnCall(0)));
        for (const SeriesColumns& column : m_columns) {
            const MarkStyle style = m_measure.style(column.series->meaning);
            add(QStringLiteral("y = ") + columnCall(column.value) + named(column));
            writeErrors(column, QStringLiteral("x"), QStringLiteral("y"), {}, m_measure.of(1.6));
            if (mark.joined)
                add(QStringLiteral("line(axes, x, y, %1)").arg(m_styles.pen(style.line, meaningOf(column))));
            if (mark.markers || !mark.joined)
                writeDots(style, meaningOf(column), !mark.joined);
        }
        return true;
    }

    bool write(const data::AreaMark& mark) {
        if (m_place.y.logarithmic)
            return false;
        begin();
        add(QStringLiteral("x, bottom = %1, [0] * len(rows)").arg(columnCall(0)));
        for (const SeriesColumns& column : m_columns) {
            const MarkStyle style = m_measure.style(column.series->meaning);
            FigurePen edge = style.outline;
            edge.width *= 0.8;
            add(QStringLiteral("y = ") + columnCall(column.value) + named(column));
            add(QStringLiteral("area(axes, x, bottom, y, %1, %2, %3)")
                    .arg(QLatin1String(mark.stepped ? "True" : "False"), m_styles.pen(edge),
                         m_styles.options(style.fill, std::nullopt, meaningOf(column))));
            add(QStringLiteral("bottom = raised(bottom, y)"));
        }
        return true;
    }

    bool write(const data::BoxMark& mark) {
        begin();
        std::size_t row = 0;
        for (std::size_t group = 0; group < mark.groups.size(); ++group) {
            const BarColumn at = barColumn(m_place, m_table.mark, group);
            std::vector<double> middles;
            for (std::size_t i = 0; i < mark.groups[group].boxes.size(); ++i) {
                if (mark.groups[group].boxes[i])
                    middles.push_back(at.middles.at(i));
            }
            const MarkStyle style = m_measure.style(mark.groups[group].meaning);
            const QColor& ink = m_measure.colours().ink;
            add(QStringLiteral("boxes(axes, rows[%1:%2], %3, %4, dict(%5),\n      dict(%6), %7)")
                    .arg(row)
                    .arg(row + middles.size())
                    .arg(listOf(middles), pythonNumber(at.width), m_styles.pen({ink, m_measure.of(0.5), {}}),
                         m_styles.pen({ink, m_measure.of(1.2), {}}),
                         m_styles.options(style.fill, style.outline,
                                          QString::fromStdString(mark.groups[group].meaning))));
            row += middles.size();
        }
        return true;
    }

    bool write(const data::HeatMark& mark) {
        const bool any = std::ranges::any_of(mark.values, [](const auto& value) { return value.has_value(); });
        if (m_panel.categories.labels.empty() || !any)
            return false;
        const HeatScale scale(mark, m_spec.theme);
        begin();
        add(QStringLiteral("heat(axes, rows, %1, [%2], %3, %4)")
                .arg(m_panel.categories.labels.size())
                .arg(heatColours(scale, m_styles).join(QStringLiteral(", ")), pythonNumber(scale.from()),
                     pythonNumber(scale.to())));
        return true;
    }

    bool write(const data::TimelineMark&) { return false; }
    bool write(const data::DrawingMark&) { return false; }

private:
    void add(const QString& line) { m_text += line + u'\n'; }

    QString named(const SeriesColumns& column) const {
        QString name = QString::fromStdString(column.series->name);
        name.replace(u'\n', u' ').replace(u'\r', u' ');
        return QStringLiteral("  # ") + name;
    }

    void begin() {
        const QRectF& plot = m_place.plot;
        add(QStringLiteral("rows = read(%1)").arg(pythonText(QString::fromStdString(m_table.fileName))));
        add(QStringLiteral("axes = layer((%1, %2, %3, %4)%5%6)")
                .arg(plainNumber(plot.left()), plainNumber(plot.top()), plainNumber(plot.width()),
                     plainNumber(plot.height()), rangeOf('x', m_place.x), rangeOf('y', m_place.y)));
    }

    /// Returns scale and limits of an axis. The scale comes first, because setting it resets the limits.
    static QString rangeOf(char axis, const AxisPlace& place) {
        const QString scale = QStringLiteral(", %1scale=\"log\"").arg(QLatin1Char(axis));
        return (place.logarithmic ? scale : QString()) + QStringLiteral(", %1lim=(%2, %3)")
                                                             .arg(QLatin1Char(axis))
                                                             .arg(pythonNumber(place.from), pythonNumber(place.to));
    }

    void writePart(const SeriesColumns& column, double width) {
        const MarkStyle style = m_measure.style(column.series->meaning);
        add(QStringLiteral("y = ") + columnCall(column.value) + named(column));
        const QString drawn = m_styles.options(style.fill, style.outline, meaningOf(column));
        add(QStringLiteral("bars(axes, at, bottom, y, %1, %2)").arg(pythonNumber(width), drawn));
        writeErrors(column, QStringLiteral("at"), QStringLiteral("raised(bottom, y)"), QStringLiteral("bottom"),
                    halfOfCap(width));
        add(QStringLiteral("bottom = raised(bottom, y)"));
    }

    void writeErrors(const SeriesColumns& column, const QString& x, const QString& y, const QString& base,
                     double half) {
        if (!column.low)
            return;
        const auto end = [&](std::size_t index) {
            return base.isEmpty() ? columnCall(index)
                                  : QStringLiteral("[b + e for b, e in zip(%1, %2)]").arg(base, columnCall(index));
        };
        add(QStringLiteral("errors(axes, %1, %2, %3, %4, %5, half=%6)")
                .arg(x, y, end(*column.low), end(*column.high),
                     m_styles.pen({m_measure.colours().ink, m_measure.of(0.6), {}}), plainNumber(half)));
    }

    void writeDots(const MarkStyle& style, const QString& meaning, bool always) {
        const double r = m_measure.of(1.6);
        const QString colour = m_styles.colour(style.line.colour, meaning);
        const QString rim = m_styles.pen({m_measure.colours().background, m_measure.of(0.3), {}});
        const QString stroke = m_styles.pen({style.line.colour, m_measure.of(0.9), {}});
        const auto dots = [&](const char* shape, double size, const QString& edge) {
            add(QStringLiteral("dots(axes, x, y, \"%1\", %2, fill=%3, %4)")
                    .arg(QLatin1String(shape), plainNumber(size), colour, edge));
        };
        switch (style.marker) {
        case Marker::none: return always ? dots("o", 2 * r, rim) : void();
        case Marker::circle: return dots("o", 2 * r, rim);
        case Marker::square: return dots("s", 2 * r, rim);
        case Marker::triangle: return dots("^", 2.4 * r, rim);
        case Marker::diamond: return dots("D", 1.91 * r, rim);
        case Marker::cross: return dots("x", 2 * r, stroke);
        case Marker::plus: return dots("+", 2.4 * r, stroke);
        }
    }

    PythonStyles& m_styles;
};

}  // namespace

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
    QString text = QStringLiteral("edge=%1, width=%2")
                       .arg(withOpacity(colour(pen.colour, meaning), pen.colour), plainNumber(pen.width));
    if (pen.dash.isEmpty())
        return text;
    QStringList lengths;
    const qsizetype count = pen.dash.size() % 2 == 0 ? pen.dash.size() : 2 * pen.dash.size();
    for (qsizetype i = 0; i < count; ++i)
        lengths << plainNumber(pen.dash[i % pen.dash.size()]);
    return text + QStringLiteral(", dash=(%1)").arg(lengths.join(QStringLiteral(", ")));
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

std::optional<QString> pythonPlot(const ReadyFigure& figure, const data::FigureTable& table, PythonStyles& styles) {
    if (!hasPlot(figure, table))
        return std::nullopt;
    MarkScript script(figure, table, styles);
    const data::FigureMark& mark = figure.spec.panels[table.panel].marks[table.mark];
    if (!std::visit([&](const auto& kind) { return script.write(kind); }, mark))
        return std::nullopt;
    return script.take();
}

}  // namespace ui
