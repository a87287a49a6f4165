#include "ui/drawing/mark_layout.h"

#include "data/figure/figure_meaning.h"
#include "ui/drawing/figure_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace ui {
namespace {

using Symbol = LegendEntry::Symbol;

constexpr double kMarkerRoom = 2.2;  // from the middle of the widest marker to its side, at text of 7 points

/// Returns the width of a sample: that of a dashed line shows a whole dash beside the gap after it, and beside the
/// marker in its middle.
double symbolWidth(const LegendEntry& entry, const FigureMeasure& measure) {
    const double usual = measure.of(15);
    if (entry.symbol == Symbol::marker)
        return measure.of(5 * std::sqrt(measure.pointScale()));
    if (entry.symbol == Symbol::heading)
        return 0;
    if (entry.symbol == Symbol::referenceLine)
        return usual;
    if (entry.symbol != Symbol::line && entry.symbol != Symbol::lineAndMarker && entry.symbol != Symbol::dash)
        return measure.of(8);
    const MarkStyle style = measure.style(entry.meaning);
    if (style.line.dash.isEmpty())
        return usual;
    const bool marked = entry.symbol == Symbol::lineAndMarker && style.marker != Marker::none;
    const double dash = style.line.dash.front() + std::min(style.line.dash.at(1), measure.of(1));
    return std::max(usual, marked ? 2 * (dash + measure.of(kMarkerRoom)) : dash);
}
/// Returns the width of a sample and of the gap after it.
double symbolRoom(const LegendEntry& entry, const FigureMeasure& measure) {
    return entry.symbol == Symbol::heading ? 0 : symbolWidth(entry, measure) + measure.of(3);
}
double rowPitch(const FigureMeasure& measure) { return lineHeightOf(measure.textSize) + measure.of(1); }
double entryGap(const FigureMeasure& measure) { return measure.of(9); }

/// Returns the name of a span's meaning if nothing else in the figure names it.
QString nameOfMeaning(const std::string& meaning) {
    struct Name {
        const char* meaning;
        const char* name;
    };
    static constexpr Name kNames[]{{"gemm", "GEMM"},
                                   {"reduce-scatter", "Reduce-scatter"},
                                   {"all-gather", "All-gather"},
                                   {"all-to-all", "All-to-all"},
                                   {"dma", "DMA"},
                                   {"link", "Link"},
                                   {"tracker", "Tracker"},
                                   {"exposed", "Collective only"},
                                   {"attention", "Attention"},
                                   {"element-wise", "Element-wise"},
                                   {"ideal", "Ideal"},
                                   {"empty-slots", "Empty in the last wave"},
                                   {"batched-gemm", "Batched GEMM"},
                                   {"attention-element-wise", "Attention, element-wise"},
                                   {"optimizer", "Optimizer"},
                                   {"collective", "Collective"},
                                   {"forward-pass", "Forward pass"},
                                   {"backward-pass", "Backward pass"},
                                   {"weight-pass", "Weight pass"}};
    for (const Name& name : kNames) {
        if (meaning == name.meaning)
            return QString::fromLatin1(name.name);
    }
    return {};
}

class Collector {
public:
    explicit Collector(std::vector<LegendEntry>& entries) : m_entries(entries) {}

    void operator()(const data::BarMark& mark) {
        for (const data::FigureBar& bar : mark.bars) {
            for (const data::FigureSeries& series : bar.stack)
                add(series.name, series.meaning, Symbol::swatch);
        }
    }
    void operator()(const data::LineMark& mark) {
        const Symbol symbol = !mark.joined ? Symbol::marker : mark.markers ? Symbol::lineAndMarker : Symbol::line;
        for (const data::FigureSeries& series : mark.series)
            add(series.name, series.meaning, symbol);
    }
    void operator()(const data::AreaMark& mark) {
        for (const data::FigureSeries& series : mark.series)
            add(series.name, series.meaning, Symbol::swatch);
    }
    void operator()(const data::BoxMark& mark) {
        for (const data::BoxMark::Group& group : mark.groups)
            add(group.name, group.meaning, Symbol::swatch);
    }
    void operator()(const data::TimelineMark& mark) {
        for (const data::TimelineMark::Span& span : mark.spans) {
            if (span.meaning != m_lastMeaning)
                m_meanings.push_back(span.meaning);
            m_lastMeaning = span.meaning;
            if (m_meanings.size() > 4096)
                thinOut();
        }
    }
    void operator()(const data::HeatMark&) {}
    void operator()(const data::DrawingMark&) {}

    void reference(const QString& name, Symbol symbol) { add(name.toStdString(), {}, symbol); }

    /// Adds, last, the meanings of spans that no series has named.
    void finish() {
        thinOut();
        for (const std::string& meaning : m_meanings) {
            const bool known = std::any_of(m_entries.begin(), m_entries.end(),
                                           [&](const LegendEntry& entry) { return entry.meaning == meaning; });
            if (!known)
                add(nameOfMeaning(meaning).toStdString(), meaning, Symbol::swatch);
        }
    }

private:
    void thinOut() {
        std::vector<std::string> kept;
        for (std::string& meaning : m_meanings) {
            if (std::find(kept.begin(), kept.end(), meaning) == kept.end())
                kept.push_back(std::move(meaning));
        }
        m_meanings = std::move(kept);
    }
    void add(const std::string& name, const std::string& meaning, Symbol symbol) {
        const QString shown = QString::fromStdString(name);
        const bool known = std::any_of(m_entries.begin(), m_entries.end(), [&](const LegendEntry& entry) {
            return entry.name == shown && entry.meaning == meaning;
        });
        if (!shown.isEmpty() && !known)
            m_entries.push_back({shown, meaning, symbol, 0});
    }

    std::vector<LegendEntry>& m_entries;
    std::vector<std::string> m_meanings;
    std::string m_lastMeaning;
};

/// A name of a line of an ordered axis and a policy, in its two parts: "T3-MCA" and "TP degree = 8".
struct NameParts {
    QString policy, value;
};

NameParts partsOf(const QString& name) {
    const QLatin1String comma(", ");
    const qsizetype at = name.indexOf(comma);
    return at < 0 ? NameParts{{}, name} : NameParts{name.left(at), name.mid(at + comma.size())};
}

/// The legend of lines by the values of an ordered axis, in colours, and by policy, in dashes.
struct LevelLegend {
    std::map<int, LegendEntry> colours, dashes;  ///< by level and by dash
    std::vector<LegendEntry> others;
};

/// Adds an entry; returns false if the level or the dash has another name already.
bool addLevel(LevelLegend& legend, const LegendEntry& entry, const data::FigureMeaning& read) {
    const NameParts parts = partsOf(entry.name);
    const std::string level = std::to_string(read.series), levels = std::to_string(read.levels);
    const LegendEntry colour{parts.value, "level/" + level + "/" + levels + "/0", entry.symbol, 0};
    const LegendEntry dash{parts.policy, "level/0/" + levels + "/" + std::to_string(read.dash), Symbol::dash, 0};
    const bool sameValue = legend.colours.try_emplace(read.series, colour).first->second.name == parts.value;
    return legend.dashes.try_emplace(read.dash, dash).first->second.name == parts.policy && sameValue;
}

/// Returns the entries of lines by value and by policy in two groups in place of their product; an empty list if they
/// are not such lines. What all values have before " = " is their heading.
std::vector<std::vector<LegendEntry>> levelGroups(const std::vector<LegendEntry>& entries) {
    LevelLegend legend;
    for (const LegendEntry& entry : entries) {
        const auto read = data::readMeaning(entry.meaning);
        if (!read || read->kind != data::FigureMeaning::Kind::level)
            legend.others.push_back(entry);
        else if (read->light || read->marker || read->line || read->hatch || !addLevel(legend, entry, *read))
            return {};
    }
    const QLatin1String equals(" = ");
    std::vector<LegendEntry> values, policies;
    QString heading;
    for (const auto& [level, entry] : legend.colours) {
        const QString own = entry.name.left(std::max<qsizetype>(0, entry.name.indexOf(equals)));
        if (!values.empty() && own != heading)
            return {};
        heading = own;
        values.push_back(entry);
    }
    if (values.empty() || heading.isEmpty())
        return {};
    for (LegendEntry& entry : values)
        entry.name.remove(0, heading.size() + equals.size());
    values.insert(values.begin(), {heading + u':', {}, Symbol::heading, 0});
    for (const auto& [dash, entry] : legend.dashes) {
        if (!entry.name.isEmpty())
            policies.push_back(entry);
    }
    policies.insert(policies.end(), legend.others.begin(), legend.others.end());
    std::vector<std::vector<LegendEntry>> groups{std::move(values)};
    if (!policies.empty())
        groups.push_back(std::move(policies));
    return groups;
}

std::vector<std::vector<LegendEntry>> groupsOf(const data::FigureSpec& figure, const FigureMeasure& measure) {
    std::vector<LegendEntry> entries;
    Collector collector(entries);
    for (const data::FigurePanel& panel : figure.panels) {
        for (const data::FigureMark& mark : panel.marks)
            std::visit(collector, mark);
    }
    collector.finish();
    for (const data::FigurePanel& panel : figure.panels) {
        const QString name = legendNameOf(panel.references);
        const bool marks =
            std::ranges::any_of(panel.references, [](const auto& one) { return one.category.has_value(); });
        if (!name.isEmpty())
            collector.reference(name, marks ? Symbol::reference : Symbol::referenceLine);
    }
    std::vector<std::vector<LegendEntry>> groups = levelGroups(entries);
    if (groups.empty() && !entries.empty())
        groups = {std::move(entries)};
    for (std::vector<LegendEntry>& group : groups) {
        for (LegendEntry& entry : group)
            entry.width = symbolRoom(entry, measure) + textWidth(entry.name, measure.textSize);
    }
    return groups;
}

double widthOf(const std::vector<LegendEntry>& row, double gap) {
    double width = -gap;
    for (const LegendEntry& entry : row)
        width += entry.width + gap;
    return width;
}

/// Distributes the entries over rows of at most `width`, in order.
std::vector<std::vector<LegendEntry>> filled(const std::vector<LegendEntry>& entries, double width, double gap) {
    std::vector<std::vector<LegendEntry>> rows;
    double used = 0;
    for (const LegendEntry& entry : entries) {
        if (rows.empty() || used + gap + entry.width > width) {
            rows.emplace_back();
            used = -gap;
        }
        rows.back().push_back(entry);
        used += gap + entry.width;
    }
    return rows;
}

/// Returns the narrowest rows that need no more rows than at `width`.
std::vector<std::vector<LegendEntry>> even(const std::vector<LegendEntry>& entries, double width, double gap) {
    const std::size_t rows = filled(entries, width, gap).size();
    double narrow = 0, wide = width;
    for (int i = 0; i < 20; ++i) {
        const double middle = (narrow + wide) / 2;
        (filled(entries, middle, gap).size() > rows ? narrow : wide) = middle;
    }
    return filled(entries, wide, gap);
}

/// Returns the widths of columns that align the entries of all rows; empty if the columns do not fit or would be much
/// wider than the rows.
std::vector<double> columnsOf(const std::vector<std::vector<LegendEntry>>& rows, double width, double gap) {
    std::vector<double> columns;
    for (const auto& row : rows) {
        columns.resize(std::max(columns.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            columns[i] = std::max(columns[i], row[i].width);
    }
    const double sum = std::accumulate(columns.begin(), columns.end(), gap * (static_cast<double>(columns.size()) - 1));
    double widest = 0;
    for (const auto& row : rows)
        widest = std::max(widest, widthOf(row, gap));
    // One long name can push columns far apart, which makes the legend harder to read.
    return rows.size() > 1 && sum <= std::min(width, widest * 1.12) ? columns : std::vector<double>();
}

void drawSymbol(FigureSheet& sheet, const LegendEntry& entry, double left, double middle) {
    const FigureMeasure& measure = sheet.measure();
    const double width = symbolWidth(entry, measure);
    const QPointF centre(left + width / 2, middle);
    if (entry.symbol == Symbol::referenceLine) {
        return sheet.line(FigurePart::legend, {left, middle}, {left + width, middle},
                          measure.pen(measure.colours().reference));
    }
    if (entry.symbol == Symbol::reference) {
        return sheet.line(FigurePart::legend, centre - QPointF(measure.of(4), 0), centre + QPointF(measure.of(4), 0),
                          shortReferencePen(measure));
    }
    if (entry.symbol == Symbol::heading)
        return;
    const MarkStyle style = measure.style(entry.meaning);
    if (entry.symbol == Symbol::dash) {
        FigurePen pen = style.line;
        pen.colour = measure.colours().inkSoft;  // of no value of the axis
        return sheet.line(FigurePart::legend, {left, middle}, {left + width, middle}, pen);
    }
    if (entry.symbol == Symbol::swatch) {
        const QRectF box(left, middle - measure.of(2.75), width, measure.of(5.5));
        return sheet.rect(FigurePart::legend, box, style.fill, style.outline);
    }
    if (entry.symbol != Symbol::marker)
        sheet.line(FigurePart::legend, {left, middle}, {left + width, middle}, style.line);
    if (entry.symbol != Symbol::line)
        sheet.marker(FigurePart::legend, centre, style, entry.symbol == Symbol::marker ? measure.pointScale() : 1);
}

}  // namespace

bool stacks(const data::FigureSpec& figure) {
    const auto stacked = [](const data::FigureMark& mark) {
        if (const auto* bars = std::get_if<data::BarMark>(&mark))
            return std::any_of(bars->bars.begin(), bars->bars.end(),
                               [](const auto& bar) { return bar.stack.size() > 1; });
        return std::holds_alternative<data::AreaMark>(mark);
    };
    return std::any_of(figure.panels.begin(), figure.panels.end(), [&](const data::FigurePanel& panel) {
        return std::any_of(panel.marks.begin(), panel.marks.end(), stacked);
    });
}

QString legendNameOf(const std::vector<data::FigureReference>& references) {
    QString shared;
    int count = 0;
    const bool published = std::ranges::any_of(references, [](const auto& one) { return !one.label.empty(); });
    bool equal = true, numbered = false;
    for (const data::FigureReference& reference : references) {
        if (!reference.category || (published && reference.label.empty()))
            continue;
        const QString text = QString::fromStdString(reference.text);
        const qsizetype colon = text.indexOf(QLatin1String(": "));
        const QString name = text.left(colon);
        equal = equal && !name.isEmpty() && (count == 0 || name == shared);
        shared = name;
        numbered = numbered || colon > 0;
        ++count;
    }
    if (published)
        return count > 0 && equal ? shared : QStringLiteral("Published");
    return equal && (count > 1 || !numbered) ? shared : QString();
}

QString textBeside(const data::FigureReference& reference, const QString& legendName) {
    const QString text = QString::fromStdString(reference.text);
    if (legendName.isEmpty())
        return text;
    if (text == legendName)
        return {};
    const QString start = legendName + QStringLiteral(": ");
    return text.startsWith(start) ? text.mid(start.size()) : text;
}

LegendPlan planLegend(const data::FigureSpec& figure, double width, const FigureMeasure& measure) {
    LegendPlan plan;
    std::vector<std::vector<LegendEntry>> groups = groupsOf(figure, measure);
    if (figure.legend == data::FigureLegend::none || groups.empty())
        return plan;
    const double gap = entryGap(measure);
    if (figure.legend == data::FigureLegend::right) {
        if (stacks(figure))
            std::reverse(groups.front().begin(), groups.front().end());
        plan.leftAligned = true;
        for (const std::vector<LegendEntry>& group : groups) {
            for (const LegendEntry& entry : group)
                plan.rows.push_back({entry});
        }
    } else {
        plan.leftAligned = measure.screen && measure.screen->rows;
        for (const std::vector<LegendEntry>& group : groups) {
            const auto rows = even(group, width, gap);
            plan.rows.insert(plan.rows.end(), rows.begin(), rows.end());
        }
        if (groups.size() == 1)
            plan.columns = columnsOf(plan.rows, width, gap);
    }
    double widest = 0;
    for (const auto& row : plan.rows)
        widest = std::max(widest, widthOf(row, gap));
    if (!plan.columns.empty())
        widest = std::accumulate(plan.columns.begin(), plan.columns.end(),
                                 gap * (static_cast<double>(plan.columns.size()) - 1));
    plan.size = QSizeF(widest, static_cast<double>(plan.rows.size()) * rowPitch(measure));
    return plan;
}

void drawLegend(FigureSheet& sheet, const LegendPlan& plan, const QPointF& corner) {
    const FigureMeasure& measure = sheet.measure();
    double top = corner.y();
    for (const std::vector<LegendEntry>& row : plan.rows) {
        const bool centred = plan.columns.empty() && !plan.leftAligned;
        double left = corner.x() + (centred ? (plan.size.width() - widthOf(row, entryGap(measure))) / 2 : 0);
        const double baseline = top + ascentOf(measure.textSize);
        for (std::size_t i = 0; i < row.size(); ++i) {
            sheet.mean(row[i].meaning);
            drawSymbol(sheet, row[i], left, baseline - capHeightOf(measure.textSize) / 2);
            const double text = left + symbolRoom(row[i], measure);
            sheet.put(FigurePart::legend, sheet.text({text, baseline}, row[i].name, measure.textSize, TextAlign::left));
            left += (plan.columns.empty() ? row[i].width : plan.columns[i]) + entryGap(measure);
        }
        top += rowPitch(measure);
    }
    sheet.mean({});
}

}  // namespace ui
