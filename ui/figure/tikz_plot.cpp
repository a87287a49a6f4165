#include "ui/figure/tikz_plot.h"

#include "ui/drawing/figure_text.h"
#include "ui/drawing/mark_layout.h"
#include "ui/figure/writer_parts.h"
#include "ui/look/palette.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
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

constexpr std::size_t kMostRows = 1500;  // TeX takes 15 s for so many spans of a timeline, and 2 minutes for 4000
constexpr double kFarthest = 20;         // in lengths of the axis: TeX's longest length is some hundred pages

QString exact(double value) { return QString::number(value, 'g', 12); }

template <class Values, class Writer>
QString listOf(const Values& values, Writer writer) {
    QStringList words;
    for (const auto& value : values)
        words << writer(value);
    return words.join(u',');
}

bool withinReach(const AxisPlace& axis, double value) {
    const std::optional<double> share = shareOf(axis, value);
    return share && std::abs(*share) <= kFarthest;
}

bool withinReach(const AxisPlace& axis, const data::FigureValues& values) {
    return std::ranges::all_of(values, [&](const auto& value) { return !value || withinReach(axis, *value); });
}

/// Returns whether parts add up from zero: all values are 0 or more, and none is missing unless gaps are allowed.
bool addsUp(const data::FigureSeries& series, bool gaps) {
    return std::ranges::all_of(series.values, [&](const auto& value) { return value ? *value >= 0 : gaps; });
}

/// Returns the options of a marker, or an empty text if there is none.
QString markerOf(const FigureMeasure& measure, const MarkStyle& style, bool always, TikzStyles& styles) {
    const double r = measure.of(1.6);
    const QString filled = QStringLiteral("mark options={solid,fill=%1,draw=%2,line width=%3}")
                               .arg(styles.colour(style.line.colour), styles.colour(measure.colours().background),
                                    points(measure.of(0.3)));
    const QString stroked = QStringLiteral("mark options={solid,draw=%1,line width=%2}")
                                .arg(styles.colour(style.line.colour), points(measure.of(0.9)));
    const auto mark = [](const char* shape, double size, const QString& options) {
        return QStringLiteral("mark=%1,mark size=%2,%3").arg(QLatin1String(shape), points(size), options);
    };
    switch (style.marker) {
    case Marker::none: return always ? mark("*", r, filled) : QStringLiteral("mark=none");
    case Marker::circle: return mark("*", r, filled);
    case Marker::square: return mark("square*", r, filled);
    case Marker::triangle: return mark("triangle*", 1.5 * r, filled);
    case Marker::diamond: return mark("diamond*", 1.5 * r, filled);
    case Marker::cross: return mark("x", 1.41 * r, stroked);
    case Marker::plus: return mark("+", 1.2 * r, stroked);
    }
    return {};
}

/// Returns whether a name has no letter that means something to TeX, so that it can be compared with a cell.
bool isPlain(const std::string& name) {
    const QString text = QString::fromStdString(name);
    return std::ranges::all_of(text, [](QChar letter) {
        return letter.isLetterOrNumber() || QStringLiteral(" .,:;+-/()=!*").contains(letter);
    });
}

/// Tells which marks pgfplots can draw from a table as they are in the figure.
struct Plottable {
    const AxisPlace& y;

    /// Returns whether zero is where pgfplots has the foot of bars and areas: not above a break.
    bool hasFoot() const { return withinReach(y, 0) && !(y.isBroken() && *y.breakFrom < 0); }

    /// A bar of pgfplots begins at zero.
    bool operator()(const data::BarMark& mark) const {
        return (y.logarithmic || hasFoot()) && std::ranges::all_of(mark.bars, [&](const data::FigureBar& bar) {
                   return bar.from.empty() && std::ranges::all_of(bar.stack, [&](const data::FigureSeries& series) {
                              return addsUp(series, true) && withinReach(y, series.values);
                          });
               });
    }
    bool operator()(const data::LineMark& mark) const {
        return mark.sizes.empty() && std::ranges::all_of(mark.series, [&](const data::FigureSeries& series) {
                   return withinReach(y, series.values);
               });
    }
    bool operator()(const data::AreaMark& mark) const {
        // The last value of a stepped area extends to one more x, which has no value.
        return !y.logarithmic && hasFoot() && std::ranges::all_of(mark.series, [&](const data::FigureSeries& series) {
            return addsUp(series, false) && withinReach(y, series.values);
        });
    }
    bool operator()(const data::BoxMark& mark) const {
        return !y.logarithmic &&
               std::ranges::all_of(mark.groups, [](const auto& group) { return isPlain(group.name); });
    }
    bool operator()(const data::HeatMark& mark) const { return !mark.asImage; }
    bool operator()(const data::TimelineMark&) const { return true; }
    bool operator()(const data::DrawingMark&) const { return false; }
};

/// Writes a panel as an axis: marks from their tables, ticks, names, references, annotations, titles.
class PanelAxis : public PanelPlot {
public:
    PanelAxis(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables, std::size_t panel,
              TikzStyles& styles)
        : PanelPlot(figure, tables, panel), m_styles(styles), m_height(figure.laidOut.list.page.height()) {}

    QString write() {
        writeMarks();
        const QRectF& plot = m_place.plot;
        QStringList options{QStringLiteral("figure axis"),
                            QStringLiteral("at={(%1,%2)}").arg(points(plot.left()), points(m_height - plot.bottom())),
                            QStringLiteral("width=") + points(plot.width()),
                            QStringLiteral("height=") + points(plot.height())};
        options << optionsOfX() << optionsOfY() << optionsOfTitles() << m_options;
        writeNotes();
        const QString end = m_end.isEmpty() ? QString() : QStringLiteral(",\n  after end axis/.code={\n%1}").arg(m_end);
        return m_before + QStringLiteral("\\begin{axis}[%1%2]\n").arg(options.join(QStringLiteral(",\n  ")), end) +
               ranges() + m_text + QStringLiteral("\\end{axis}\n");
    }

private:
    void writeMarks() {
        for (m_mark = 0; m_mark < m_panel.marks.size(); ++m_mark) {
            m_table = tableOf(m_mark);
            std::visit([&](const auto& kind) { write(kind); }, m_panel.marks[m_mark]);
            if (m_mark == 0)
                m_text = referenceMarks() + m_text;
        }
    }

    QString macro() const { return tableMacro(static_cast<std::size_t>(m_table - m_tables.data())); }

    /// Puts the rows of the table at the places of their categories. Returns the option that uses them as x.
    QString places(double shift = 0) {
        const QString grouped = m_panel.categories.groups.empty() ? QStringLiteral("0") : QStringLiteral("1");
        if (m_first == nullptr) {
            m_first = m_table;
            m_before = QStringLiteral("\\figureplaces{%1}{%2}\n").arg(macro(), grouped);
        } else if (m_table != m_first && m_table != m_placed) {
            m_text += QStringLiteral("\\figureof{%1}{%2}\n").arg(macro(), grouped);
        }
        m_placed = m_table;
        return QStringLiteral("x expr=\\figureat%1")
            .arg(std::abs(shift) < 1e-9 ? QString()
                                        : (shift < 0 ? QString() : QStringLiteral("+")) + plainNumber(shift));
    }

    void write(const data::BarMark& mark) {
        for (std::size_t bar = 0; bar < mark.bars.size(); ++bar) {
            const BarColumn at = barColumn(m_place, m_mark, bar);
            const QString x = places(at.middles[0] - m_place.centres[0]);
            std::vector<SeriesColumns> stack = columnsOf(m_panel, m_panel.marks[m_mark]);
            std::erase_if(stack, [&](const SeriesColumns& column) { return column.bar != bar; });
            // Draws each part down to the foot, from the top part to the bottom part: lower parts cover the higher
            // ones.
            for (std::size_t i = stack.size(); i-- > 0;) {
                const MarkStyle style = m_measure.style(stack[i].series->meaning);
                addPlot(QStringLiteral("ybar,bar shift=0pt,bar width=%1,%2")
                            .arg(exact(at.width), m_styles.options(style.fill, style.outline, meaningOf(stack[i]))),
                        x + QStringLiteral(",y expr=") + sumTo(stack, i));
            }
            for (std::size_t i = 0; i < stack.size(); ++i)
                addErrors(stack[i], x, sumTo(stack, i), halfOfCap(at.width));
        }
        coverBreak();
        for (std::size_t bar = 0; bar < mark.bars.size(); ++bar) {
            std::vector<SeriesColumns> stack = columnsOf(m_panel, m_panel.marks[m_mark]);
            std::erase_if(stack, [&](const SeriesColumns& column) { return column.bar != bar; });
            writeValues(mark, bar, stack);
        }
    }

    QString pageColour() { return m_styles.colour(m_measure.colours().background, QStringLiteral("page")); }

    /// Covers the marks so far where the axis leaves values out.
    void coverBreak() {
        const std::optional<AxisBreak> left = axisBreak();
        if (!left)
            return;
        const double inset = kBreakInset * (left->to - left->from);
        m_text += QStringLiteral("\\pgfplotsextra{\\figurebreak{%1}{%2}{%3}{%4}{%5}}\n")
                      .arg(exact(m_place.x.from), exact(left->from + inset), exact(left->to - inset),
                           points(m_measure.of(2)), pageColour());
    }

    /// Writes the numbers at the ends of bars, as far as the figure has them.
    void writeValues(const data::BarMark& mark, std::size_t bar, const std::vector<SeriesColumns>& stack) {
        const TextItem* first = nullptr;
        for (const DisplayItem* item : m_items) {
            if (item->part == FigurePart::value && item->mark == m_mark && first == nullptr)
                first = std::get_if<TextItem>(&item->shape);
        }
        if (!mark.valuesWritten || first == nullptr || stack.empty() || bar >= mark.bars.size())
            return;
        const QString x = places(barColumn(m_place, m_mark, bar).middles[0] - m_place.centres[0]);
        const bool turned = first->angle != 0;
        QString sum = sumOf(stack, stack.size() - 1);
        // Above the last part or, where it has one, its error bar.
        const QString top =
            !stack.back().high
                ? sum
                : QStringLiteral("{max(%1,%2\\figurecell{%3})}")
                      .arg(sum.mid(1, sum.size() - 2),
                           stack.size() > 1 ? sumOf(stack, stack.size() - 2).mid(1).chopped(1) + u'+' : QString())
                      .arg(*stack.back().high);
        QString where = QStringLiteral("nan");  // in rows where all parts are empty
        for (const SeriesColumns& column : stack)
            where = QStringLiteral("\\figureeither{%1}{%2}%3").arg(column.value).arg(where, top);
        addPlot(QStringLiteral("draw=none,only marks,mark=none,nodes near coords={\\figureshort},point meta=explicit,"
                               "every node near coord/.style={figure text,font=\\figureface\\figuresize{%1},"
                               "yshift=%3,%2}")
                    .arg(plainNumber(m_measure.smallSize()),
                         turned ? QStringLiteral("rotate=90,anchor=west") : QStringLiteral("anchor=base"),
                         points(m_measure.of(1.2) + (turned ? 0 : 0.09 * m_measure.smallSize()))),
                QStringLiteral("%1,y expr={%2},meta expr=%3").arg(x, where, sum));
    }

    void write(const data::LineMark& mark) {
        const QString x = mark.x.empty() ? places() : QStringLiteral("x index=0");
        for (const SeriesColumns& column : columnsOf(m_panel, m_panel.marks[m_mark])) {
            const MarkStyle style = m_measure.style(column.series->meaning);
            addErrors(column, x, QStringLiteral("\\figurecell{%1}").arg(column.value), m_measure.of(1.6));
            QStringList options;
            if (mark.joined)
                options << m_styles.pen(style.line, meaningOf(column)) << QStringLiteral("line join=round");
            else
                options << QStringLiteral("only marks");
            options << (mark.markers || !mark.joined ? markerOf(m_measure, style, !mark.joined, m_styles)
                                                     : QStringLiteral("mark=none"));
            addPlot(options.join(u','), x + QStringLiteral(",y expr=") + sumTo({column}, 0));
        }
        coverBreak();
    }

    void write(const data::AreaMark& mark) {
        const QString x = QStringLiteral("x index=0,y expr="),
                      how = mark.stepped ? QStringLiteral("const plot,") : QString();
        const std::vector<SeriesColumns> columns = columnsOf(m_panel, m_panel.marks[m_mark]);
        for (std::size_t i = columns.size(); i-- > 0;) {
            const MarkStyle style = m_measure.style(columns[i].series->meaning);
            FigurePen edge = style.outline;
            edge.width *= 0.8;
            addPlot(how + m_styles.options(style.fill, std::nullopt, meaningOf(columns[i])) +
                        QStringLiteral(",draw=none,mark=none"),
                    x + sumOf(columns, i), QStringLiteral(" \\closedcycle"));
            addPlot(how + QStringLiteral("mark=none,") + m_styles.pen(edge), x + sumOf(columns, i));
        }
        coverBreak();
    }

    void write(const data::BoxMark& mark) {
        const QColor& ink = m_measure.colours().ink;
        m_options << QStringLiteral("boxplot/draw direction=y")
                  << QStringLiteral("boxplot/every whisker/.style={%1}").arg(m_styles.pen({ink, m_measure.of(0.5), {}}))
                  << QStringLiteral("boxplot/every median/.style={%1}").arg(m_styles.pen({ink, m_measure.of(1.2), {}}));
        for (std::size_t group = 0; group < mark.groups.size(); ++group) {
            const data::BoxMark::Group& own = mark.groups[group];
            const BarColumn at = barColumn(m_place, m_mark, group);
            const MarkStyle style = m_measure.style(own.meaning);
            FigureFill plain = style.fill;
            plain.texture = Texture::plain;
            QStringList coats{m_styles.options(plain, style.outline, QString::fromStdString(own.meaning))};
            // A boxplot supports no preaction, so a second box adds the texture.
            if (style.fill.texture != Texture::plain) {
                const QString both = m_styles.options(style.fill, style.outline);
                coats << both.mid(both.indexOf(QStringLiteral("pattern=")));
            }
            for (std::size_t i = 0; i < own.boxes.size(); ++i) {
                for (const QString& coat : own.boxes[i] ? coats : QStringList())
                    m_text += QStringLiteral("\\figurebox{%1}{%2}{%3}{%4}{%5}{%6}\n")
                                  .arg(macro(), keyText(m_panel.categories.labels[i]), keyText(own.name),
                                       exact(at.middles.at(i)), exact(at.width), coat);
            }
        }
    }

    void write(const data::HeatMark& mark) {
        const HeatScale scale(mark, m_spec.theme);
        constexpr int kSteps = 32;
        QStringList colours;
        for (int i = 0; i <= kSteps; ++i)
            colours << QStringLiteral("color=(%1)")
                           .arg(m_styles.colour(*scale.colour(scale.from() + (scale.to() - scale.from()) * i / kSteps),
                                                QStringLiteral("heat%1").arg(i)));
        m_options << QStringLiteral("colormap={heat}{%1}").arg(colours.join(u' '))
                  << QStringLiteral("point meta min=") + exact(scale.from())
                  << QStringLiteral("point meta max=") + exact(scale.to());
        m_before += QStringLiteral("\\figurecells{%1}\n").arg(macro());
        const FigureFill missing{m_measure.colours().background, Texture::crossed, m_measure.colours().grid,
                                 m_measure.of(3), m_measure.of(0.4)};
        m_options << QStringLiteral("axis background/.style={%1}").arg(m_styles.options(missing, std::nullopt));
        const double across = m_place.plot.width() / static_cast<double>(m_panel.categories.labels.size()),
                     down = m_place.plot.height() / static_cast<double>(mark.rows.size());
        m_before += QStringLiteral("\\def\\figurewide{%1}\\def\\figurehigh{%2}\n").arg(points(across), points(down));
        const bool written =
            std::ranges::any_of(m_items, [](const auto* item) { return item->part == FigurePart::value; });
        const QString cells = QStringLiteral("x expr=\\figureacross,y expr={\\figurewhere{2}{\\figuredown}},"
                                             "meta expr=\\figurecell{2}");
        addPlot(QStringLiteral("scatter,only marks,mark=figure cell,point meta=explicit,"
                               "scatter/use mapped color={draw=none,fill=mapped color}"),
                cells);
        if (written)
            addPlot(valuesIn(scale), cells);
    }

    /// Returns the options that write the values of cells, dark on light colours and light on dark ones.
    QString valuesIn(const HeatScale& scale) {
        constexpr int kSteps = 64;
        const auto valueAt = [&](int step) { return scale.from() + (scale.to() - scale.from()) * step / kSteps; };
        QString ink = m_styles.colour(Palette::inkOn(scale.colourAt(1)));
        QString chosen = QStringLiteral("\\color{%1}").arg(ink);
        for (int step = kSteps - 1; step >= 0; --step) {
            const QColor here = *scale.colour(valueAt(step));
            if (const QString own = m_styles.colour(Palette::inkOn(here)); own != ink) {
                chosen = QStringLiteral("\\ifdim\\figurevalue pt<%1pt\\color{%2}\\else%3\\fi")
                             .arg(plainNumber(valueAt(step + 1)), own, chosen);
                ink = own;
            }
        }
        return QStringLiteral("draw=none,only marks,mark=none,point meta=explicit,"
                              "nodes near coords={\\figurefixed%1\\figureshort},every node near coord/.style="
                              "{figure text,font=\\figureface\\figuresize{%2},anchor=mid}")
            .arg(chosen, plainNumber(m_measure.smallSize()));
    }

    void write(const data::TimelineMark& mark) {
        for (std::size_t i = 0; i < mark.lanes.size(); ++i)
            m_before += QStringLiteral("\\figurelane{%1}{%2}{%3}\n")
                            .arg(i)
                            .arg(keyText(mark.lanes[i].group), keyText(mark.lanes[i].label));
        std::set<std::string> meanings;
        for (const data::TimelineMark::Span& span : mark.spans) {
            if (!meanings.insert(span.meaning).second)
                continue;
            const MarkStyle style = m_measure.style(span.meaning);
            const QString meaning = QString::fromStdString(span.meaning);
            const bool textured = style.fill.texture != Texture::plain;
            m_before += QStringLiteral("\\figurelook{%1}{%2}{%3}{%4}{%5}\n")
                            .arg(meaning, m_styles.options(style.fill, std::nullopt, meaning),
                                 m_styles.pen(style.outline), m_styles.colour(Palette::inkOn(style.fill.colour)),
                                 textured ? m_styles.colour(style.fill.colour) : QString());
        }
        const double lane = m_place.plot.height() / static_cast<double>(mark.lanes.size());
        const std::optional<TextSize> size = sizeOfSpanText(lane, m_measure);
        m_text += QStringLiteral("\\pgfplotsextra{\\figurespans{%1}{%2}{%3}{%4}}\n")
                      .arg(macro(), plainNumber(kLaneFilled / 2), points(kPrintDot), points(m_measure.of(2)));
        m_before += size ? QStringLiteral("\\def\\figurespantext{\\figurespanword{%1}{%2}{%3}{%4}}\n")
                               .arg(plainNumber(*size), points(capHeightOf(*size) / 2), points(m_measure.of(1)),
                                    points(m_measure.of(5)))
                         : QStringLiteral("\\let\\figurespantext\\relax\n");
    }
    void write(const data::DrawingMark&) {}

    static QString meaningOf(const SeriesColumns& column) { return QString::fromStdString(column.series->meaning); }

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

    void addPlot(const QString& options, const QString& from, const QString& behind = {}) {
        m_text += QStringLiteral("\\addplot[%1]\n  table[%2]{%3}%4;\n").arg(options, from, macro(), behind);
    }

    void addErrors(const SeriesColumns& column, const QString& x, const QString& y, double half) {
        if (!column.low)
            return;
        const QString drawn = m_styles.pen({m_measure.colours().ink, m_measure.of(0.6), {}});
        const QString options =
            QStringLiteral("draw=none,fill=none,mark=none,error bars/.cd,y dir=both,y explicit,error bar style={%1},"
                           "error mark options={%1,rotate=90,mark size=%2}")
                .arg(drawn, points(half));
        const QString ends = QStringLiteral(",y error plus expr={\\figurecell{%1}-\\figurecell{%2}},"
                                            "y error minus expr={\\figurecell{%2}-\\figurecell{%3}}")
                                 .arg(*column.high)
                                 .arg(column.value)
                                 .arg(*column.low);
        addPlot(options, x + QStringLiteral(",y expr={\\figurewhere{%1}{%2}}").arg(*column.low).arg(y) + ends);
    }

    /// Returns plots that draw nothing: the axes become as long as in the figure, and longer if the table has values
    /// beyond. The first one is at the categories, so that the ticks are there.
    QString ranges() const {
        if (kind() == PanelKind::lanes)
            return QStringLiteral("\\addplot[draw=none,mark=none]\n  table[x index=2,y expr=0]{%1};\n"
                                  "\\addplot[draw=none,mark=none]\n  table[x index=3,y expr=0]{%1};\n")
                .arg(macro());
        if (kind() != PanelKind::plain)
            return {};
        QString text;
        const auto add = [&](const QString& x, double y) {
            text += QStringLiteral("\\addplot[draw=none,mark=none]\n  table[%1,y expr=%2]{%3};\n")
                        .arg(x, exact(y),
                             tableMacro(
                                 static_cast<std::size_t>((m_first != nullptr ? m_first : m_table) - m_tables.data())));
        };
        const AxisPlace& y = m_place.y;
        if (!categorical()) {
            add(QStringLiteral("x index=0"), y.from);
            add(QStringLiteral("x index=0"), y.to);
        } else if (m_first != nullptr) {
            add(QStringLiteral("x expr=\\figureat"), y.from);
            add(QStringLiteral("x expr=\\figureat-0.5"), y.to);
            add(QStringLiteral("x expr=\\figureat+0.5"), y.to);
        } else {
            for (const double x : {m_place.x.from, m_place.x.to})
                text += QStringLiteral("\\addplot[draw=none,mark=none] coordinates {(%1,%2) (%1,%3)};\n")
                            .arg(exact(x), exact(y.from), exact(y.to));
        }
        return text;
    }

    /// Returns scale, ticks and their labels.
    QStringList optionsOfTicks(char name, const AxisPlace& place, const data::FigureAxis& axis) const {
        const QLatin1Char letter(name);
        QStringList options;
        if (place.logarithmic)
            options << QStringLiteral("%1mode=log").arg(letter);
        if (axis.ticks.empty() && !place.logarithmic && !place.isBroken()) {
            options << QStringLiteral("%1tick distance=%2").arg(letter).arg(stepOf(name, place));
            const TickFormat format(place.ticks);
            options << QStringLiteral("%1ticklabel={\\figuretick{%2}{%3}{%4}}")
                           .arg(letter)
                           .arg(format.decimals)
                           .arg(exact(format.unit), format.letter);
            return options;
        }
        const std::vector<double> ticks = axis.ticks.empty() ? beyond(place) : place.ticks;
        double largest = 0, step = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < place.ticks.size(); ++i) {
            largest = std::max(largest, std::abs(place.ticks[i]));
            step = i > 0 ? std::min(step, place.ticks[i] - place.ticks[i - 1]) : step;
        }
        options << QStringLiteral("%1tick={%2}").arg(letter).arg(listOf(ticks, exact))
                << QStringLiteral("%1ticklabels={%2}").arg(letter).arg(listOf(ticks, [&](double tick) {
                       const bool own = place.logarithmic || place.ticks.size() < 2;
                       return u'{' +
                              latexText(own ? tickLabel(tick, std::abs(tick), std::abs(tick))
                                            : tickLabel(tick, finest(place.ticks), largest)) +
                              u'}';
                   }));
        if (place.logarithmic && axis.ticks.empty() && place.to / place.from < 1e4)
            options << QStringLiteral("minor %1tick={%2}").arg(letter).arg(listOf(minorTicks(place), exact));
        return options;
    }

    /// Returns the distance of ticks as an expression: that of the figure, or a larger one if the axis became longer.
    static QString stepOf(char name, const AxisPlace& place) {
        const double step = place.ticks.size() > 1 ? place.ticks[1] - place.ticks[0] : place.to - place.from;
        const int intervals = intervalsOf(place);
        const double power = std::pow(10, std::floor(std::log10(step) + 1e-9));
        QString text = exact(step * 10000);
        std::vector<double> steps;
        for (double decade = power; decade < power * 2000; decade *= 10) {
            for (const double factor : {1.0, 2.0, 5.0}) {
                if (factor * decade >= step * (1 - 1e-9))
                    steps.push_back(factor * decade);
            }
        }
        for (auto at = steps.rbegin(); at != steps.rend(); ++at)
            text = QStringLiteral("ifthenelse(\\figurerange{%1}<%2,%3,%4)")
                       .arg(QLatin1Char(name))
                       .arg(exact(*at * intervals * 1.001), exact(*at), text);
        return u'{' + text + u'}';
    }

    /// The decimals of ticks, and the unit from 10 000 on.
    struct TickFormat {
        explicit TickFormat(const std::vector<double>& ticks) {
            double largest = 0;
            for (const double tick : ticks)
                largest = std::max(largest, std::abs(tick));
            while (largest >= 1e4 * (1 - 1e-9) && largest / unit >= 1e3 * (1 - 1e-9) && letter.size() < 2 &&
                   power < 5) {
                unit *= 1000;
                letter = QLatin1Char("kMGTP"[power++]);
            }
            for (; decimals < 9; ++decimals) {
                const double scale = std::pow(10, decimals) / unit;
                if (std::ranges::all_of(ticks, [&](double tick) {
                        return std::abs(tick * scale - std::round(tick * scale)) <
                               1e-6 * std::max(1.0, largest * scale);
                    }))
                    return;
            }
        }
        int decimals = 0, power = 0;
        double unit = 1;
        QString letter;
    };

    static double finest(const std::vector<double>& ticks) {
        return std::pow(10, -TickFormat(ticks).decimals) * TickFormat(ticks).unit;
    }

    /// Returns the ticks of a logarithmic or a broken axis, and those that it has if it becomes longer.
    static std::vector<double> beyond(const AxisPlace& place) {
        if (place.isBroken())
            return ticksBeyond(place);
        if (!stepsInDecades(place) && decadesOf(place) == 0)
            return place.ticks;
        constexpr int kDecades = 3;
        const int every = std::max(1, decadesOf(place)), steps = decadesOf(place) > 0 ? 1 : 3;
        std::vector<double> ticks;
        const int first = static_cast<int>(std::floor(std::log10(place.ticks.front()) + 1e-9)) - kDecades * every;
        for (double decade = first; decade <= std::log10(place.to) + kDecades * every; decade += every) {
            for (int step = 0; step < steps; ++step)
                ticks.push_back(std::array{1.0, 2.0, 5.0}[static_cast<std::size_t>(step)] * std::pow(10, decade));
        }
        return ticks;
    }

    static std::vector<double> minorTicks(const AxisPlace& place) {
        std::vector<double> ticks;
        for (double decade = std::floor(std::log10(place.from)) - 1; decade <= std::log10(place.to) + 1; ++decade) {
            for (int factor = 1; factor < 10; ++factor)
                ticks.push_back(factor * std::pow(10, decade));
        }
        return ticks;
    }

    QStringList optionsOfY() {
        const AxisPlace& y = m_place.y;
        if (kind() == PanelKind::cells)
            return optionsOfRows();
        if (kind() == PanelKind::lanes)
            return optionsOfLanes();
        QStringList options = optionsOfTicks('y', y, m_panel.y);
        if (m_panel.y.from)
            options << QStringLiteral("ymin=") + exact(y.from);
        if (m_panel.y.to)
            options << QStringLiteral("ymax=") + exact(y.to);
        options << QStringLiteral("ymajorgrids");
        if (const std::optional<AxisBreak> left = axisBreak()) {
            options << QStringLiteral("figure break={%1}{%2}{%3}{%4}{%5}")
                           .arg(exact(left->from), exact(left->to), exact(left->from + left->gap),
                                exact(left->gap / (left->to - left->from)), exact((left->to - left->from) / left->gap));
            m_end = QStringLiteral("\\figurestrokes{%1}{%2}\n").arg(points(m_measure.of(2)), pageColour()) + m_end;
        }
        if (y.from < 0 && y.to > 0)
            m_end += QStringLiteral("\\draw[figure axis line] ({rel axis cs:0,0}|-{axis cs:%1,0}) -- "
                                    "({rel axis cs:1,0}|-{axis cs:%1,0});\n")
                         .arg(exact(m_place.x.from));
        return options;
    }

    QStringList optionsOfRows() {
        const auto& rows = std::get<data::HeatMark>(m_panel.marks.front()).rows;
        const RowPlan plan = rowsPlan();
        QStringList places;
        for (std::size_t i = 0; i < rows.size(); ++i)
            places << QString::number(i);
        return {QStringLiteral("axis x line*=box,axis y line*=box"),
                QStringLiteral("xmin=%1,xmax=%2").arg(exact(m_place.x.from), exact(m_place.x.to)),
                QStringLiteral("ymin=-0.5,ymax=%1,y dir=reverse").arg(static_cast<double>(rows.size()) - 0.5),
                QStringLiteral("ytick={%1}").arg(places.join(u',')),
                QStringLiteral("yticklabel={%1}").arg(everyName(plan.every, QStringLiteral("\\figurecellname{row}"))),
                QStringLiteral("major y tick style={draw=none},yticklabel style={font=\\figureface\\figuresize{%1}}")
                    .arg(plainNumber(plan.size))};
    }

    QStringList optionsOfLanes() {
        const RowPlan plan = rowsPlan();
        QStringList names;
        for (qsizetype i = 0; i < static_cast<qsizetype>(plan.labels.size()); ++i)
            names << u'{' +
                         (static_cast<std::size_t>(i) % plan.every == 0
                              ? latexText(plan.labels[static_cast<std::size_t>(i)])
                              : QString()) +
                         u'}';
        for (const RowPlan::Group& group : plan.groups)
            writeLaneGroup(group, plan);
        QStringList places;
        for (qsizetype i = 0; i < names.size(); ++i)
            places << QString::number(i);
        return {QStringLiteral("ymin=-0.5,ymax=%1,y dir=reverse").arg(static_cast<double>(names.size()) - 0.5),
                QStringLiteral("ytick={%1}").arg(places.join(u',')),
                QStringLiteral("yticklabels={%1}").arg(names.join(u',')),
                QStringLiteral("y axis line style={draw=none},major y tick style={draw=none}"),
                QStringLiteral("yticklabel style={font=\\figureface\\figuresize{%1},anchor=base east,yshift=-%2,"
                               "yticklabel shift=%3}")
                    .arg(plainNumber(plan.size), points(capHeightOf(plan.size) / 2), points(m_measure.of(1))),
                QStringLiteral("xmajorgrids")};
    }

    /// Writes the name of a group of lanes, a line beside it, and a line of the grid over it.
    void writeLaneGroup(const RowPlan::Group& group, const RowPlan& plan) {
        const double first = static_cast<double>(group.first), last = first + static_cast<double>(group.count) - 1;
        const double left = m_measure.of(5.5) + plan.labelWidth;
        const double cap = capHeightOf(m_measure.textSize);
        const QString line = m_styles.pen({m_measure.colours().inkSoft, m_measure.of(0.5), {}}),
                      size = QStringLiteral("\\figuresize{%1}").arg(plainNumber(m_measure.textSize)),
                      name = size + latexText(group.label);
        m_end +=
            QStringLiteral("\\figurelanegroup{%1}{%2}{%3}{%4}").arg(exact(first), exact(last), points(left), line) +
            (plan.groupsTurned
                 ? QStringLiteral("{rotate=90,anchor=base}{%1}{0bp}").arg(points(left + m_measure.of(2.5)))
                 : QStringLiteral("{anchor=base east}{%1}{%2}").arg(points(left + m_measure.of(2)), points(cap / 2))) +
            QStringLiteral("{%1}\n").arg(name);
    }

    static double roomOf(const LabelLevel& level, double perUnit) {
        double room = 0;
        for (const LabelLevel::Name& name : level.names)
            room = std::max({room, (name.right - name.left) * perUnit, widestOf(name.lines, level.size)});
        return room;
    }
    static bool isBroken(const LabelLevel& level) {
        return std::ranges::any_of(level.names, [](const LabelLevel::Name& name) { return name.lines.size() > 1; });
    }
    /// Returns the style of names whose first baseline, or right end if they are turned, is where the layout has it.
    QString nameStyle(const LabelLevel& level) const {
        QString style = QStringLiteral("font=\\figureface\\figuresize{%1}").arg(plainNumber(level.size));
        if (level.turned)
            return style + QStringLiteral(",rotate=90,anchor=east");
        style += isBroken(level) ? QStringLiteral(",align=center,text width=%1,anchor=north,"
                                                  "execute at begin node={\\figuresize{%2}}")
                                       .arg(points(roomOf(level, perUnit())), plainNumber(level.size))
                                 : QStringLiteral(",anchor=base");
        return style;
    }
    double dropOf(const LabelLevel& level, double top) const {
        return level.turned      ? top + m_measure.of(1)
               : isBroken(level) ? top + ascentOf(level.size) - capHeightOf(level.size)
                                 : top + ascentOf(level.size);
    }

    QStringList optionsOfX() {
        if (!categorical()) {
            QStringList options = optionsOfTicks('x', m_place.x, m_panel.x);
            const bool whole = isWholeX(), padded = isPaddedX();
            if (m_panel.x.from || (!whole && !padded))
                options << QStringLiteral("xmin=") + exact(m_place.x.from);
            if (m_panel.x.to || (!whole && !padded))
                options << QStringLiteral("xmax=") + exact(m_place.x.to);
            if (!m_panel.x.from && !m_panel.x.to && !whole && padded)
                options << QStringLiteral("enlarge x limits={rel=0.03}");
            const double drop = m_measure.of(4.2) + ascentOf(m_measure.textSize);
            return options << (numbersBelow() ? QStringLiteral("xticklabel style={anchor=base,xticklabel shift=%1}")
                                                    .arg(points(drop - m_measure.of(2)))
                                              : QStringLiteral("xticklabels={}"));
        }
        const CategoryNames names = namesPlan();
        QStringList options{QStringLiteral("major x tick style={draw=none}")};
        if (kind() == PanelKind::cells || m_first == nullptr)
            options << QStringLiteral("xtick={%1}").arg(listOf(m_place.centres, exact));
        else
            options << QStringLiteral("xtick=data");
        if (names.empty())
            return options << QStringLiteral("xticklabels={}");
        if (isBroken(names.apart) && !names.apart.turned)
            m_before += QStringLiteral("\\def\\figurelonely#1{\\parbox[t]{%1}{\\centering\\figuresize{%2}#1}}\n")
                            .arg(points(roomOf(names.apart, perUnit())), plainNumber(names.apart.size));
        double top = m_measure.of(2);
        for (std::size_t i = 0; i < names.levels.size(); ++i) {
            const LabelLevel& level = names.levels[i];
            if (level.bracketed) {
                m_end += QStringLiteral("\\figuregroupnames{%1}{%2}{%3}\n")
                             .arg(points(top + m_measure.of(1.2)), points(dropOf(level, top + m_measure.of(2))),
                                  nameStyle(level));
                top += m_measure.of(2);
            } else if (i < names.apartFrom) {
                writeBarNames(level, top);
            } else {
                options << labels(level, top);
            }
            top += level.height;
        }
        if (names.levels.size() <= names.apartFrom || names.levels[names.apartFrom].bracketed)
            options << labels(names.apart, m_measure.of(2) + (names.apartFrom > 0 ? names.levels[0].height : 0));
        return options;
    }

    /// Returns the labels of categories, whose names come from the table.
    QStringList labels(const LabelLevel& level, double top) const {
        const QString style = QStringLiteral("xticklabel style={%1,xticklabel shift=%2}")
                                  .arg(nameStyle(level), points(dropOf(level, top) - m_measure.of(2)));
        if (kind() != PanelKind::cells && m_first == nullptr)
            return {QStringLiteral("xticklabels={%1}")
                        .arg(listOf(m_panel.categories.labels,
                                    [](const std::string& label) {
                                        return u'{' + latexText(QString::fromStdString(label)) + u'}';
                                    })),
                    style};
        const QString name =
            kind() == PanelKind::cells ? QStringLiteral("\\figurecellname{column}") : QStringLiteral("\\figurenameof");
        return {QStringLiteral("xticklabel={%1}").arg(everyName(level.every, name)), style};
    }

    /// Returns the label of a tick: every so many ticks have one.
    static QString everyName(std::size_t every, const QString& name) {
        if (every < 2)
            return name + QStringLiteral("{\\ticknum}");
        return QStringLiteral("\\figureevery{%1}{%2}").arg(every).arg(name + QStringLiteral("{\\ticknum}"));
    }

    /// Writes the names of the bars below each category.
    void writeBarNames(const LabelLevel& level, double top) {
        for (const LabelLevel::Name& name : level.names) {
            if (name.centre > m_place.centres[0] + 0.5)
                continue;
            m_end += QStringLiteral("\\figurebarnames{%1}{%2}{%3}{%4}\n")
                         .arg(plainNumber(name.centre - m_place.centres[0]), points(dropOf(level, top)),
                              nameStyle(level), latexText(name.text));
        }
    }

    QStringList optionsOfTitles() {
        const PanelTitles titles = this->titles();
        const QRectF& plot = m_place.plot;
        QStringList options;
        if (!titles.y.isEmpty()) {
            QStringList lines;
            for (const QString& line : titles.y)
                lines << latexText(line);
            const double pitch = lineHeightOf(m_measure.textSize);
            options << QStringLiteral("ylabel={%1}").arg(lines.join(QStringLiteral("\\\\")))
                    << QStringLiteral("ylabel style={at={(%1,%2)},font=\\figureface\\fontsize{%3bp}{%4bp}\\selectfont}")
                           .arg(plainNumber((titles.yAt.x() - plot.left()) / plot.width()),
                                plainNumber((plot.bottom() - titles.yAt.y()) / plot.height()),
                                plainNumber(m_measure.textSize), plainNumber(pitch));
        }
        if (titles.x)
            options << QStringLiteral("xlabel={%1}").arg(latexText(titles.x->text))
                    << QStringLiteral("xlabel style={at={(0.5,%1)}}")
                           .arg(plainNumber((plot.bottom() - titles.x->at.y()) / plot.height()));
        if (titles.above)
            options << QStringLiteral("title={%1}").arg(latexText(titles.above->text))
                    << QStringLiteral("title style={at={(0.5,%1)}}")
                           .arg(plainNumber(1 + (plot.top() - titles.above->at.y()) / plot.height()));
        return options;
    }

    /// Returns a position along x, which is that of a category if the panel has categories.
    QString along(double x) const {
        const std::optional<std::size_t> category = categoryAt(x);
        if (!category || m_first == nullptr)
            return exact(x);
        const auto [name, group, number] = keyOf(*category);
        const double shift = x - m_place.centres[*category];
        const QString place =
            number == 0 ? QStringLiteral("\\figureplace{%1}{%2}{%3}").arg(keyText(name), keyText(group)).arg(*category)
                        : QStringLiteral("\\csname figureat@%1\\endcsname").arg(*category);
        return QStringLiteral("{%1%2}").arg(
            place,
            std::abs(shift) < 1e-9 ? QString() : (shift < 0 ? QString() : QStringLiteral("+")) + plainNumber(shift));
    }

    /// Returns the marks of reference values at categories, which are behind the bars.
    QString referenceMarks() {
        QString text;
        for (const ReferenceLine& line : referenceLines()) {
            const QString pen = m_styles.pen(line.pen, QStringLiteral("reference"));
            if (line.across)
                m_end += QStringLiteral("\\draw[%1] ({rel axis cs:0,0}|-{axis cs:%2,%3}) -- "
                                        "({rel axis cs:1,0}|-{axis cs:%2,%3});\n")
                             .arg(pen, exact(m_place.x.from), exact(line.value));
            else
                text += QStringLiteral("\\addplot[mark=none,%1] coordinates {(%2,%4) (%3,%4)};\n")
                            .arg(pen, along(line.from), along(line.to), exact(line.value));
        }
        return text;
    }

    /// Writes the lines, arrows and bands of the author.
    void writeOwnNotes() {
        const QString ink = m_styles.colour(m_measure.colours().ink, QStringLiteral("ink"));
        for (const OwnNote& note : ownNotes()) {
            const double cap = note.text == nullptr ? 0 : capHeightOf(note.text->size);
            const QString size = note.text == nullptr ? QString() : plainNumber(note.text->size),
                          words = note.text == nullptr ? QString() : latexText(note.text->text);
            if (note.kind == data::FigureAnnotation::Kind::span) {
                m_text = QStringLiteral("\\figureband{%1}{%2}{%3}{%4}\n")
                             .arg(along(note.x), along(note.toX),
                                  m_styles.colour(m_measure.colours().inkSoft, QStringLiteral("inkSoft")),
                                  plainNumber(kBandOpacity)) +
                         m_text;
                if (note.text != nullptr)
                    m_end += QStringLiteral("\\figurebandname{%1}{%2}{%3}{%4}\n")
                                 .arg(along(note.textX), points(note.text->at.y() - m_place.plot.top()), size, words);
                continue;
            }
            const bool arrow = note.kind == data::FigureAnnotation::Kind::arrow;
            const QString start = QStringLiteral("%1,%2").arg(along(note.x), exact(note.y)),
                          end = QStringLiteral("%1,%2").arg(along(note.toX), exact(note.toY));
            if (note.text != nullptr)
                m_end += QStringLiteral("\\figurenote{%1}{%2}{%3}{%4}{%5}{%6}\n")
                             .arg(start, points(cap), points(m_measure.of(1.5)),
                                  m_styles.colour(m_measure.colours().background, QStringLiteral("page")), size, words);
            if (note.joined)
                m_end += QStringLiteral("\\draw[%1,line width=%2%3] %4 -- (axis cs:%5);\n")
                             .arg(ink, points(m_measure.of(0.7)),
                                  arrow ? QStringLiteral(",-figure head %1").arg(points(m_measure.of(4))) : QString(),
                                  note.text == nullptr ? QStringLiteral("(axis cs:%1)").arg(start)
                                                       : QStringLiteral("(figure note)"),
                                  end);
            if (note.joined && arrow)
                m_before += QStringLiteral("\\figurehead{%1}\n").arg(points(m_measure.of(4)));
        }
    }

    void writeNotes() {
        writeOwnNotes();
        for (const PlacedNote& note : notes()) {
            const QString at =
                QStringLiteral("axis cs:%1,%2").arg(note.follows ? along(note.x) : exact(note.x), exact(note.y));
            const auto shifted = [&](const QPointF& by) {
                return QStringLiteral("([shift={(%1,%2)}]{%3})").arg(points(by.x()), points(-by.y()), at);
            };
            if (note.leader)
                m_end += QStringLiteral("\\draw[%1] ({%2}) -- %3;\n")
                             .arg(m_styles.pen(*note.leader), at, shifted(note.leaderEnd));
            QString style = QStringLiteral("figure text,font=\\figureface\\figuresize{%1},anchor=%2,text=%3")
                                .arg(plainNumber(note.text.size), QLatin1String(anchorOfText(note.text)),
                                     m_styles.colour(note.text.colour, QStringLiteral("ink")));
            if (note.text.angle != 0)
                style += QStringLiteral(",rotate=") + plainNumber(-note.text.angle);
            if (note.patch)
                style += QStringLiteral(",fill=%1,fill opacity=%2,text opacity=1")
                             .arg(m_styles.colour(*note.patch), plainNumber(note.patch->alphaF()));
            m_end +=
                QStringLiteral("\\node[%1] at %2 {%3};\n").arg(style, shifted(note.offset), latexText(note.text.text));
        }
    }

    TikzStyles& m_styles;
    double m_height;
    const data::FigureTable *m_table = nullptr, *m_first = nullptr, *m_placed = nullptr;
    std::size_t m_mark = 0;
    QStringList m_options;
    QString m_before, m_text, m_end;
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

QString tableMacro(std::size_t table) {
    return QStringLiteral("\\figuretable") + QChar(u'a' + char16_t(table / 26 % 26)) +
           QChar(u'a' + char16_t(table % 26));
}

QString keyText(const std::string& name) {
    return isPlain(name) ? QString::fromStdString(name) : latexText(QString::fromStdString(name));
}

const char* anchorOfText(const TextItem& text) {
    return text.align == TextAlign::left ? "base west" : text.align == TextAlign::centre ? "base" : "base east";
}

bool thinSpans(const ReadyFigure& figure, data::FigureTable& table) {
    const data::FigurePanel& panel = figure.spec.panels[table.panel];
    const auto* mark = std::get_if<data::TimelineMark>(&panel.marks[table.mark]);
    if (mark == nullptr || table.panel >= figure.laidOut.panels.size())
        return false;
    PanelPlan plan;
    plan.plot = figure.laidOut.panels[table.panel].plot;
    plan.x.place = figure.laidOut.panels[table.panel].x;
    const auto isNear = [&](const data::TimelineMark::Span& span) {
        return withinReach(plan.x.place, span.from) && withinReach(plan.x.place, span.to);
    };
    if (plan.plot.isEmpty() || (table.rows.size() <= kMostRows && std::ranges::all_of(mark->spans, isNear)))
        return false;
    data::TimelineMark drawn{mark->lanes, drawnSpans(plan, *mark)};
    data::FigureSpec thinned;
    thinned.panels.resize(1);
    thinned.panels[0].marks.emplace_back(std::move(drawn));
    table.rows = std::move(data::tablesOf(thinned).front().rows);
    return true;
}

std::optional<QString> tikzPanel(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables,
                                 std::size_t panel, TikzStyles& styles) {
    const auto possible = [&](const data::FigureMark& mark) {
        return std::visit(Plottable{figure.laidOut.panels[panel].y}, mark);
    };
    const auto isTooLong = [&](const data::FigureTable& table) {
        return table.panel == panel && table.rows.size() > kMostRows;
    };
    if (!hasPlots(figure, tables, panel) || !std::ranges::all_of(figure.spec.panels[panel].marks, possible) ||
        std::ranges::any_of(tables, isTooLong))
        return std::nullopt;
    return PanelAxis(figure, tables, panel, styles).write();
}

QString tikzLegend(const ReadyFigure& figure, TikzStyles& styles) {
    const PlacedLegend legend(figure);
    if (legend.plan.empty())
        return {};
    const FigureMeasure measure = measureOf(figure.spec);
    const double pitch = lineHeightOf(measure.textSize) + measure.of(1), height = figure.laidOut.list.page.height();
    const bool grid = legend.plan.leftAligned || !legend.plan.columns.empty();
    QString text;
    for (std::size_t row = 0; row < legend.plan.rows.size(); ++row) {
        const std::size_t columns =
            grid ? std::max<std::size_t>(legend.plan.columns.size(), 1) : legend.plan.rows[row].size();
        if (!grid || row == 0)
            text += QStringLiteral("\\begin{axis}[figure legend={%1}{%2}{%3}{%4}]\n")
                        .arg(points(grid ? legend.box.left() : legend.box.center().x()),
                             points(height - legend.baseline - pitch * static_cast<double>(row) +
                                    capHeightOf(measure.textSize) / 2 + pitch / 2 - measure.of(1.7)),
                             grid ? QStringLiteral("north west") : QStringLiteral("north"), QString::number(columns));
        for (const LegendEntry& entry : legend.plan.rows[row]) {
            const MarkStyle style = measure.style(entry.meaning);
            const QString meaning = QString::fromStdString(entry.meaning);
            const double wide = entry.width - measure.of(3) - textWidth(entry.name, measure.textSize);
            QString image;
            if (entry.symbol == LegendEntry::Symbol::swatch)
                image = QStringLiteral("\\path[%1] (0,%2) rectangle (%3,%4);")
                            .arg(styles.options(style.fill, style.outline, meaning), points(-measure.of(2.75)),
                                 points(wide), points(measure.of(2.75)));
            else if (entry.symbol != LegendEntry::Symbol::marker)
                image = QStringLiteral("\\draw[%1] (0,0) -- (%2,0);")
                            .arg(entry.symbol == LegendEntry::Symbol::reference
                                     ? styles.pen(shortReferencePen(measure), QStringLiteral("reference"))
                                     : styles.pen(style.line, meaning),
                                 points(wide));
            if (entry.symbol == LegendEntry::Symbol::marker || entry.symbol == LegendEntry::Symbol::lineAndMarker)
                image += QStringLiteral("\\path plot[%1] coordinates {(%2,0)};")
                             .arg(markerOf(measure, style, entry.symbol == LegendEntry::Symbol::marker, styles),
                                  points(wide / 2));
            if (entry.symbol == LegendEntry::Symbol::marker)
                image += QStringLiteral("\\path (0,0) (%1,0);").arg(points(wide));
            text += QStringLiteral("\\addlegendimage{legend image code/.code={%1}}\n\\addlegendentry{%2}\n")
                        .arg(image, latexText(entry.name));
        }
        if (!grid || row + 1 == legend.plan.rows.size())
            text += QStringLiteral("\\end{axis}\n");
    }
    return text;
}

}  // namespace ui
