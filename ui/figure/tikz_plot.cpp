#include "ui/figure/tikz_plot.h"

#include "ui/figure/old_parts.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace ui {
namespace {

/// Returns the texture as a TikZ pattern. TikZ measures the distance between lines, FigureFill::spacing the period
/// along x.
QString patternOf(const FigureFill& fill) {
    const QString across = points(fill.spacing / std::numbers::sqrt2);
    const QString width = points(fillLineWidth(fill));
    switch (fill.texture) {
    case Texture::plain: return {};
    case Texture::falling: return QStringLiteral("{Lines[angle=-45,distance=%1,line width=%2]}").arg(across, width);
    case Texture::rising: return QStringLiteral("{Lines[angle=45,distance=%1,line width=%2]}").arg(across, width);
    case Texture::crossed: return QStringLiteral("{Hatch[angle=45,distance=%1,line width=%2]}").arg(across, width);
    case Texture::rows:
        return QStringLiteral("{Lines[angle=0,distance=%1,line width=%2]}").arg(points(fill.spacing / 2), width);
    case Texture::dots:
        return QStringLiteral("{Dots[angle=45,distance=%1,radius=%2]}").arg(across, points(fillLineWidth(fill) / 2));
    }
    return {};
}

constexpr std::size_t kMostRows = 1500;
constexpr double kFarthest = 20;  // in lengths of the axis: TeX's longest length is some hundred pages

QString exact(double value) { return QString::number(value, 'g', 12); }
QString listOf(const std::vector<double>& values) {
    QStringList words;
    for (const double value : values)
        words << (std::isnan(value) ? QStringLiteral("nan") : exact(value));
    return words.join(u',');
}

bool withinReach(const AxisPlace& axis, double value) {
    const double share = axis.logarithmic ? std::log(value / axis.from) / std::log(axis.to / axis.from)
                                          : (value - axis.from) / (axis.to - axis.from);
    return std::isfinite(share) && std::abs(share) <= kFarthest;
}

bool withinReach(const AxisPlace& axis, const std::vector<SeriesColumns>& columns) {
    return std::all_of(columns.begin(), columns.end(), [&](const SeriesColumns& column) {
        return std::all_of(column.series->values.begin(), column.series->values.end(),
                           [&](const std::optional<double>& value) { return !value || withinReach(axis, *value); });
    });
}

/// Writes one mark as a plot in an axis of its own.
class MarkPlot : public TablePlot {
public:
    MarkPlot(const ReadyFigure& figure, const data::FigureTable& table, QString macro, TikzStyles& styles)
        : TablePlot(figure, table), m_macro(std::move(macro)), m_styles(styles),
          m_height(figure.laidOut.list.page.height()) {}

    /// A bar of pgfplots begins at zero; floating bars are drawn as shapes.
    bool possible(const data::BarMark& mark) const {
        return !floats(mark) && m_place.y.from < m_place.y.to && (m_place.y.logarithmic || withinReach(m_place.y, 0)) &&
               withinReach(m_place.y, m_columns) && addsUp(m_columns, true);
    }
    /// A line plot has one marker size; markers of different sizes are drawn as shapes.
    bool possible(const data::LineMark& mark) const { return mark.sizes.empty() && withinReach(m_place.y, m_columns); }
    bool possible(const data::AreaMark&) const {
        // The last value of a stepped area extends to one more x, which has no value.
        return !m_place.y.logarithmic && withinReach(m_place.y, 0) && withinReach(m_place.y, m_columns) &&
               addsUp(m_columns, false);
    }
    bool possible(const data::BoxMark&) const { return !m_place.y.logarithmic && withinReach(m_place.y, m_place.y.to); }
    bool possible(const data::HeatMark& mark) const { return !mark.rows.empty() && !m_panel.categories.labels.empty(); }
    bool possible(const data::TimelineMark&) const { return false; }
    bool possible(const data::DrawingMark&) const { return false; }

    void write(const data::BarMark& mark) {
        for (std::size_t bar = 0; bar < mark.bars.size(); ++bar) {
            const BarColumn at = barColumn(m_place, m_table.mark, bar);
            const QString x = position(QStringLiteral("bar%1").arg(bar), at.middles);
            open({QStringLiteral("ybar"), QStringLiteral("bar shift=0pt"),
                  QStringLiteral("bar width=") + exact(at.width), QStringLiteral("log origin=infty")});
            std::vector<SeriesColumns> stack = ofBar(bar);
            // Draws each part down to the foot, from the top part to the bottom part: lower parts cover the higher
            // ones.
            for (std::size_t i = stack.size(); i-- > 0;) {
                const MarkStyle style = m_measure.style(stack[i].series->meaning);
                addPlot(m_styles.options(style.fill, style.outline, meaningOf(stack[i])),
                        x + QStringLiteral(",y expr=") + sumTo(stack, i));
            }
            for (std::size_t i = 0; i < stack.size(); ++i) {
                addErrors(stack[i], x, sumTo(stack, i), halfOfCap(at.width));
            }
            close();
        }
    }

    void write(const data::LineMark& mark) {
        const QString x =
            mark.x.empty() ? position(QStringLiteral("point"), m_place.centres) : QStringLiteral("x index=0");
        open({QStringLiteral("clip mode=individual")});
        for (const SeriesColumns& column : m_columns) {
            const MarkStyle style = m_measure.style(column.series->meaning);
            addErrors(column, x, QStringLiteral("\\figurecell{%1}").arg(column.value), m_measure.of(1.6));
            QStringList options;
            if (mark.joined)
                options << m_styles.pen(style.line, meaningOf(column)) << QStringLiteral("line join=round");
            else
                options << QStringLiteral("only marks");
            if (mark.markers || !mark.joined)
                options << markerOf(style, !mark.joined);
            options.removeAll(QString());
            addPlot(options.join(u','), x + QStringLiteral(",y expr=") + sumTo({column}, 0));
        }
        close();
    }

    void write(const data::AreaMark& mark) {
        open(mark.stepped ? QStringList{QStringLiteral("const plot")} : QStringList());
        const QString x = QStringLiteral("x index=0,y expr=");
        for (std::size_t i = m_columns.size(); i-- > 0;) {
            const MarkStyle style = m_measure.style(m_columns[i].series->meaning);
            FigurePen edge = style.outline;
            edge.width *= 0.8;
            addPlot(m_styles.options(style.fill, std::nullopt, meaningOf(m_columns[i])) + QStringLiteral(",draw=none"),
                    x + sumOf(m_columns, i), QStringLiteral(" \\closedcycle"));
            addPlot(m_styles.pen(edge), x + sumOf(m_columns, i));
        }
        close();
    }

    void write(const data::BoxMark& mark) {
        const QString thin = m_styles.pen({m_measure.colours().ink, m_measure.of(0.5), {}});
        const QString thick = m_styles.pen({m_measure.colours().ink, m_measure.of(1.2), {}});
        open({QStringLiteral("boxplot/draw direction=y"), QStringLiteral("boxplot/every whisker/.style={%1}").arg(thin),
              QStringLiteral("boxplot/every median/.style={%1}").arg(thick)});
        std::size_t row = 0;
        for (std::size_t group = 0; group < mark.groups.size(); ++group) {
            const BarColumn at = barColumn(m_place, m_table.mark, group);
            for (std::size_t i = 0; i < mark.groups[group].boxes.size(); ++i) {
                if (mark.groups[group].boxes[i])
                    addBox(mark.groups[group], at.middles.at(i), at.width, row++);
            }
        }
        close();
    }

    void write(const data::HeatMark& mark) {
        const std::size_t columns = m_panel.categories.labels.size();
        const HeatScale scale(mark, m_spec.theme);
        std::vector<double> across, down;
        for (std::size_t i = 0; i < columns * mark.rows.size(); ++i) {
            across.push_back(m_place.centres.at(i % columns));
            const std::size_t row = i / columns;
            down.push_back(static_cast<double>(row));
        }
        const QString map = heatColours(scale, m_styles).join(QStringLiteral(") color=("));
        const QString at = position(QStringLiteral("across"), across);
        open({QStringLiteral("colormap={heat}{color=(%1)}").arg(map),
              QStringLiteral("point meta min=") + exact(scale.from()),
              QStringLiteral("point meta max=") + exact(scale.to())});
        const QString y = position(QStringLiteral("down"), down).replace(0, 1, u'y');
        addPlot(QStringLiteral("matrix plot*,point meta=explicit,mesh/cols=%1").arg(columns),
                at + u',' + y + QStringLiteral(",meta index=2"));
        close();
    }

    void write(const data::TimelineMark&) {}
    void write(const data::DrawingMark&) {}

private:
    std::vector<SeriesColumns> ofBar(std::size_t bar) const {
        std::vector<SeriesColumns> stack;
        std::copy_if(m_columns.begin(), m_columns.end(), std::back_inserter(stack),
                     [&](const SeriesColumns& column) { return column.bar == bar; });
        return stack;
    }

    QString sumOf(const std::vector<SeriesColumns>& stack, std::size_t last) const {
        QStringList cells;
        for (std::size_t i = 0; i <= last; ++i)
            cells << QStringLiteral("\\figurecell{%1}").arg(stack[i].value);
        return u'{' + cells.join(u'+') + u'}';
    }
    /// Returns the same sum in rows where the cell of `last` has a number, and no number in other rows.
    QString sumTo(const std::vector<SeriesColumns>& stack, std::size_t last) const {
        return QStringLiteral("{\\figurewhere{%1}%2}").arg(stack[last].value).arg(sumOf(stack, last));
    }

    /// Adds a column of positions that the table does not have. Returns the option that uses it as x.
    QString position(const QString& name, const std::vector<double>& places) {
        m_text += QStringLiteral("\\pgfplotstableset{create on use/%1/.style={create col/set list={%2}}}\n")
                      .arg(name, listOf(places));
        return QStringLiteral("x=") + name;
    }

    void open(const QStringList& options) {
        const QRectF& plot = m_place.plot;
        QStringList all{QStringLiteral("figure axis"),
                        QStringLiteral("at={(%1,%2)}").arg(points(plot.left()), points(m_height - plot.bottom())),
                        QStringLiteral("width=") + points(plot.width()),
                        QStringLiteral("height=") + points(plot.height()),
                        rangeOf('x', m_place.x),
                        rangeOf('y', m_place.y)};
        all += options;
        m_text += QStringLiteral("\\begin{axis}[%1]\n").arg(all.join(u','));
    }
    void close() { m_text += QStringLiteral("\\end{axis}\n"); }

    static QString rangeOf(char axis, const AxisPlace& place) {
        QString text = QStringLiteral("%1min=%2,%1max=%3")
                           .arg(QLatin1Char(axis))
                           .arg(exact(std::min(place.from, place.to)), exact(std::max(place.from, place.to)));
        if (place.from > place.to)
            text += QStringLiteral(",%1 dir=reverse").arg(QLatin1Char(axis));
        if (place.logarithmic)
            text += QStringLiteral(",%1mode=log").arg(QLatin1Char(axis));
        return text;
    }

    void addPlot(const QString& options, const QString& from, const QString& behind = {}) {
        m_text += QStringLiteral("\\addplot[%1]\n  table[%2]{%3}%4;\n").arg(options, from, m_macro, behind);
    }

    void addErrors(const SeriesColumns& column, const QString& x, const QString& y, double half) {
        if (!column.low)
            return;
        const FigurePen pen{m_measure.colours().ink, m_measure.of(0.6), {}};
        const QString drawn = m_styles.pen(pen);
        const QString options =
            QStringLiteral("draw=none,fill=none,error bars/.cd,y dir=both,y explicit,error bar style={%1},"
                           "error mark options={%1,rotate=90,mark size=%2}")
                .arg(drawn, points(half));
        const QString ends = QStringLiteral(",y error plus expr={\\figurecell{%1}-\\figurecell{%2}},"
                                            "y error minus expr={\\figurecell{%2}-\\figurecell{%3}}")
                                 .arg(*column.high)
                                 .arg(column.value)
                                 .arg(*column.low);
        addPlot(options, x + QStringLiteral(",y expr={\\figurewhere{%1}{%2}}").arg(*column.low).arg(y) + ends);
    }

    void addBox(const data::BoxMark::Group& group, double middle, double width, std::size_t row) {
        const MarkStyle style = m_measure.style(group.meaning);
        FigureFill plain = style.fill;
        plain.texture = Texture::plain;
        const QString own = QString::fromStdString(group.meaning);
        addBox(m_styles.options(plain, style.outline, own), middle, width, row);
        // A boxplot supports no preaction, so a second box adds the texture.
        if (style.fill.texture != Texture::plain) {
            const QString both = m_styles.options(style.fill, style.outline);
            addBox(both.mid(both.indexOf(QStringLiteral("pattern="))), middle, width, row);
        }
    }
    void addBox(const QString& options, double middle, double width, std::size_t row) {
        m_text += QStringLiteral("\\figurebox{%1}{%2}{draw position=%3,box extend=%4,whisker extend=%5}{%6}\n")
                      .arg(m_macro)
                      .arg(row)
                      .arg(exact(middle), exact(width), exact(width / 2), options);
    }

    QString markerOf(const MarkStyle& style, bool always) {
        const double r = m_measure.of(1.6);
        const QString filled = QStringLiteral("mark options={solid,fill=%1,draw=%2,line width=%3}")
                                   .arg(m_styles.colour(style.line.colour),
                                        m_styles.colour(m_measure.colours().background), points(m_measure.of(0.3)));
        const QString stroked = QStringLiteral("mark options={solid,draw=%1,line width=%2}")
                                    .arg(m_styles.colour(style.line.colour), points(m_measure.of(0.9)));
        const auto mark = [](const char* shape, double size, const QString& options) {
            return QStringLiteral("mark=%1,mark size=%2,%3").arg(QLatin1String(shape), points(size), options);
        };
        switch (style.marker) {
        case Marker::none: return always ? mark("*", r, filled) : QString();
        case Marker::circle: return mark("*", r, filled);
        case Marker::square: return mark("square*", r, filled);
        case Marker::triangle: return mark("triangle*", 1.5 * r, filled);
        case Marker::diamond: return mark("diamond*", 1.5 * r, filled);
        case Marker::cross: return mark("x", 1.41 * r, stroked);
        case Marker::plus: return mark("+", 1.2 * r, stroked);
        }
        return {};
    }

    QString m_macro;
    TikzStyles& m_styles;
    double m_height;
};

}  // namespace

QString TikzStyles::pen(const FigurePen& pen, const QString& meaning) {
    QString text = QStringLiteral("draw=%1,line width=%2").arg(colour(pen.colour, meaning), points(pen.width));
    if (pen.colour.alpha() < 255)
        text += QStringLiteral(",draw opacity=") + plainNumber(pen.colour.alphaF());
    if (pen.dash.isEmpty())
        return text;
    text += QStringLiteral(",dash pattern=");
    const qsizetype count = pen.dash.size() % 2 == 0 ? pen.dash.size() : 2 * pen.dash.size();
    for (qsizetype i = 0; i < count; ++i)
        text += QLatin1String(i % 2 == 0 ? "on " : "off ") + points(pen.dash[i % pen.dash.size()]) + u' ';
    return text.trimmed();
}

QString TikzStyles::options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                            const QString& meaning) {
    QStringList parts;
    if (fill) {
        QString plain = QStringLiteral("fill=") + colour(fill->colour, meaning);
        if (fill->colour.alpha() < 255)
            plain += QStringLiteral(",fill opacity=") + plainNumber(fill->colour.alphaF());
        if (fill->texture == Texture::plain)
            parts << plain;
        else
            parts << QStringLiteral("preaction={%1},pattern=%2,pattern color=%3")
                         .arg(plain, patternOf(*fill), colour(fill->textureInk));
    }
    if (pen)
        parts << this->pen(*pen);
    return parts.join(u',');
}

QString TikzStyles::definitions() const {
    QString text;
    for (const auto& [name, value] : m_colours.known())
        text += QStringLiteral("\\definecolor{%1}{HTML}{%2}\n").arg(name, value.mid(1).toUpper());
    return text;
}

QString tikzPlotPreamble() {
    return QStringLiteral(
        "% \\figurecell: a cell of a table, 0 if it is empty; \\figurewhere: an expression, nan if the cell is empty.\n"
        "\\def\\figureempty#1{\\if\\relax\\detokenize\\expandafter"
        "{\\romannumeral-`0\\thisrowno{#1}}\\relax}\n"
        "\\def\\figurecell#1{\\figureempty{#1}0\\else(\\thisrowno{#1})\\fi}\n"
        "\\def\\figurewhere#1#2{\\figureempty{#1}nan\\else#2\\fi}\n"
        "% \\figurebox: draws a box from a row of a table.\n"
        "\\def\\figurebox#1#2#3#4{\\def\\figureends{}%\n"
        "  \\foreach \\figurekey/\\figurecolumn in {lower whisker/2,lower quartile/3,median/4,"
        "upper quartile/5,upper whisker/6}{%\n"
        "    \\pgfplotstablegetelem{#2}{[index]\\figurecolumn}\\of{#1}%\n"
        "    \\xdef\\figureends{\\figureends\\figurekey=\\pgfplotsretval,}}%\n"
        "  \\edef\\figurenext{\\noexpand\\addplot[\\unexpanded{#4},boxplot prepared={\\figureends#3}]}%\n"
        "  \\figurenext coordinates {};}\n"
        "\\pgfplotsset{figure axis/.style={anchor=south west,scale only axis,hide axis,"
        "enlargelimits=false,unbounded coords=jump}}\n");
}

std::optional<QString> tikzPlot(const ReadyFigure& figure, const data::FigureTable& table, const QString& macro,
                                TikzStyles& styles) {
    if (table.rows.size() > kMostRows || !hasPlot(figure, table))
        return std::nullopt;
    MarkPlot plot(figure, table, macro, styles);
    const data::FigureMark& mark = figure.spec.panels[table.panel].marks[table.mark];
    if (!std::visit([&](const auto& kind) { return plot.possible(kind); }, mark))
        return std::nullopt;
    std::visit([&](const auto& kind) { plot.write(kind); }, mark);
    return plot.take();
}

}  // namespace ui
