#include "ui/figure/writer_parts.h"

#include "ui/drawing/panel_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

namespace ui {
namespace {

/// Returns a meaning as letters and digits only, because other characters have a meaning in LaTeX.
QString wordOf(const QString& meaning) {
    QString name;
    bool capital = false;
    for (const QChar letter : meaning) {
        const bool plain = letter.unicode() < 0x80 && letter.isLetterOrNumber();
        if (plain)
            name += capital && !name.isEmpty() ? letter.toUpper() : letter;
        capital = !plain;
    }
    return name;
}

class Columns {
public:
    explicit Columns(std::size_t first) : m_next(first) {}

    void add(std::size_t bar, const data::FigureSeries& series) {
        SeriesColumns columns{bar, &series, m_next++, {}, {}, m_from};
        if (!series.low.empty()) {
            columns.low = m_next++;
            columns.high = m_next++;
        }
        m_columns.push_back(columns);
    }
    /// Begins a stack, with a column before its series if it floats.
    void beginStack(bool floating) { m_from = floating ? std::optional(m_next++) : std::nullopt; }
    std::vector<SeriesColumns> take() { return std::move(m_columns); }

private:
    std::size_t m_next;
    std::optional<std::size_t> m_from;
    std::vector<SeriesColumns> m_columns;
};

std::size_t afterCategories(const data::FigurePanel& panel) { return panel.categories.groups.empty() ? 1 : 2; }

struct Sign {
    char16_t letter;
    const char* latex;
};

constexpr std::array kSigns{Sign{u'\\', "\\textbackslash{}"},
                            Sign{u'{', "\\{"},
                            Sign{u'}', "\\}"},
                            Sign{u'$', "\\$"},
                            Sign{u'&', "\\&"},
                            Sign{u'#', "\\#"},
                            Sign{u'_', "\\_"},
                            Sign{u'%', "\\%"},
                            Sign{u'~', "\\textasciitilde{}"},
                            Sign{u'^', "\\textasciicircum{}"},
                            Sign{u'<', "\\textless{}"},
                            Sign{u'>', "\\textgreater{}"},
                            Sign{u'|', "\\textbar{}"},
                            Sign{u'"', "''"},
                            Sign{u'-', "{-}"},  // so that two hyphens do not become a dash
                            Sign{u'`', "\\textasciigrave{}"},
                            Sign{u'\u00A0', "~"},
                            Sign{u'\u00B0', "$^\\circ$"},
                            Sign{u'\u00B1', "$\\pm$"},
                            Sign{u'\u00B2', "$^2$"},
                            Sign{u'\u00B3', "$^3$"},
                            Sign{u'\u00B5', "\\figuremicro{}"},
                            Sign{u'\u00B7', "$\\cdot$"},
                            Sign{u'\u00D7', "$\\times$"},
                            Sign{u'\u0394', "$\\Delta$"},
                            Sign{u'\u03A3', "$\\Sigma$"},
                            Sign{u'\u03A9', "$\\Omega$"},
                            Sign{u'\u03B1', "$\\alpha$"},
                            Sign{u'\u03B2', "$\\beta$"},
                            Sign{u'\u03BB', "$\\lambda$"},
                            Sign{u'\u03BC', "\\figuremicro{}"},
                            Sign{u'\u03C3', "$\\sigma$"},
                            Sign{u'\u2013', "--"},
                            Sign{u'\u2014', "---"},
                            Sign{u'\u2018', "`"},
                            Sign{u'\u2019', "'"},
                            Sign{u'\u201C', "``"},
                            Sign{u'\u201D', "''"},
                            Sign{u'\u2026', "\\dots{}"},
                            Sign{u'\u2032', "$'$"},
                            Sign{u'\u2190', "$\\leftarrow$"},
                            Sign{u'\u2191', "$\\uparrow$"},
                            Sign{u'\u2192', "$\\rightarrow$"},
                            Sign{u'\u2193', "$\\downarrow$"},
                            Sign{u'\u2194', "$\\leftrightarrow$"},
                            Sign{u'\u21D2', "$\\Rightarrow$"},
                            Sign{u'\u2212', "$-$"},
                            Sign{u'\u2248', "$\\approx$"},
                            Sign{u'\u2260', "$\\neq$"},
                            Sign{u'\u2264', "$\\leq$"},
                            Sign{u'\u2265', "$\\geq$"},
                            Sign{u'\u221E', "$\\infty$"},
                            Sign{u'\u221A', "$\\surd$"}};

constexpr char16_t kLastOfLatinExtendedA = 0x17F;  // LaTeX composes these characters from letters and accents

QString latexOf(QChar letter) {
    for (const Sign& sign : kSigns) {
        if (letter == sign.letter)
            return QLatin1String(sign.latex);
    }
    const bool settable = letter.isLetter() ? letter.unicode() <= kLastOfLatinExtendedA
                                            : letter.unicode() >= u' ' && letter.unicode() < 0x7F;
    return settable ? QString(letter) : QStringLiteral("?");
}

}  // namespace

QString plainNumber(double value) {
    QString text = QString::number(value, 'f', 4);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

QString ColourNames::nameOf(const QColor& colour, const QString& meaning) {
    const QString value = colour.name();
    const auto find = [&](auto member, const QString& wanted) {
        return std::find_if(m_known.begin(), m_known.end(), [&](const auto& entry) { return entry.*member == wanted; });
    };
    using Entry = std::pair<QString, QString>;
    if (const auto known = find(&Entry::second, value); known != m_known.end())
        return known->first;
    QString name = wordOf(meaning);
    if (name.isEmpty() || find(&Entry::first, name) != m_known.end())
        name += QStringLiteral("c") + value.mid(1).toUpper();
    m_known.emplace_back(name, value);
    return name;
}

std::vector<SeriesColumns> columnsOf(const data::FigurePanel& panel, const data::FigureMark& mark) {
    if (const auto* bars = std::get_if<data::BarMark>(&mark)) {
        Columns columns(afterCategories(panel));
        for (std::size_t bar = 0; bar < bars->bars.size(); ++bar) {
            columns.beginStack(!bars->bars[bar].from.empty());
            for (const data::FigureSeries& series : bars->bars[bar].stack)
                columns.add(bar, series);
        }
        return columns.take();
    }
    const auto* lines = std::get_if<data::LineMark>(&mark);
    const auto* areas = std::get_if<data::AreaMark>(&mark);
    if (lines == nullptr && areas == nullptr)
        return {};
    const bool overCategories = lines != nullptr && !panel.categories.labels.empty();
    Columns columns(overCategories ? afterCategories(panel) : 1);
    for (const data::FigureSeries& series : lines != nullptr ? lines->series : areas->series)
        columns.add(0, series);
    return columns.take();
}

bool addsUp(const std::vector<SeriesColumns>& columns, bool gaps) {
    return std::all_of(columns.begin(), columns.end(), [&](const SeriesColumns& column) {
        return std::all_of(column.series->values.begin(), column.series->values.end(),
                           [&](const std::optional<double>& value) { return value ? *value >= 0 : gaps; });
    });
}

bool floats(const data::BarMark& mark) {
    return std::ranges::any_of(mark.bars, [](const data::FigureBar& bar) { return !bar.from.empty(); });
}

bool goesOneWay(const data::BarMark& mark) {
    return std::ranges::all_of(mark.bars, [](const data::FigureBar& bar) {
        for (std::size_t category = 0; !bar.stack.empty() && category < bar.stack.front().values.size(); ++category) {
            const StackEnds ends = stackEnds(bar, category);
            if (ends.above != 0 && ends.below != 0)
                return false;
        }
        return true;
    });
}

BarColumn barColumn(const PanelPlace& place, std::size_t mark, std::size_t bar) {
    BarColumn column;
    for (const BarPlace& at : place.bars) {
        if (at.mark == mark && at.bar == bar) {
            column.middles.push_back((at.left + at.right) / 2);
            column.width = at.right - at.left;
        }
    }
    return column;
}

bool MarkPlots::replaces(const DisplayItem& item) const {
    return item.part == FigurePart::mark && item.panel && item.mark && m_plots.contains({*item.panel, *item.mark}) &&
           !isGap(item);
}

QString MarkPlots::take(const DisplayItem& item) { return std::exchange(m_plots[{*item.panel, *item.mark}], {}); }

/// Returns whether the item is a cell of a heat map without a value, which plots leave out.
bool MarkPlots::isGap(const DisplayItem& item) const {
    const auto* rect = std::get_if<RectItem>(&item.shape);
    return rect != nullptr && rect->fill && rect->fill->texture != Texture::plain &&
           std::holds_alternative<data::HeatMark>(m_figure.panels[*item.panel].marks[*item.mark]);
}

QString latexText(const QString& text) {
    QString latex;
    for (const QChar letter : text)
        latex += latexOf(letter);
    return latex;
}

}  // namespace ui
