#include "ui/figure/writer_parts.h"

#include "data/document/latex_text.h"
#include "ui/drawing/figure_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

namespace {

/// Returns whether the names in a table of boxes come in the order of the categories. It has no groups.
bool namesInOrder(const data::FigurePanel& panel, const data::FigureTable& table) {
    std::vector<std::string> names;
    for (const std::vector<std::string>& row : table.rows) {
        if (std::ranges::find(names, row[0]) == names.end())
            names.push_back(row[0]);
    }
    return panel.categories.groups.empty() && names == panel.categories.labels;
}

bool allDiffer(std::vector<std::string> names) {
    std::ranges::sort(names);
    return std::ranges::adjacent_find(names) == names.end();
}

/// Returns whether groups can be told from their names in consecutive rows.
bool groupsDiffer(const data::FigureCategories& categories) {
    const auto& groups = categories.groups;
    std::size_t count = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        count += groups[i].count;
        if (groups[i].count == 0 || (i > 0 && groups[i].label == groups[i - 1].label))
            return false;
    }
    return groups.empty() || count == categories.labels.size();
}

bool tellsOrder(const data::FigurePanel& panel, const data::FigureTable& table) {
    const data::FigureMark& mark = panel.marks[table.mark];
    const auto& labels = panel.categories.labels;
    if (std::holds_alternative<data::BarMark>(mark))
        return !labels.empty() && groupsDiffer(panel.categories);
    if (const auto* lines = std::get_if<data::LineMark>(&mark))
        return lines->x.empty() ? !labels.empty() && groupsDiffer(panel.categories) : labels.empty();
    if (const auto* boxes = std::get_if<data::BoxMark>(&mark)) {
        std::vector<std::string> names;
        for (const data::BoxMark::Group& group : boxes->groups)
            names.push_back(group.name);
        return !labels.empty() && allDiffer(labels) && allDiffer(names) && namesInOrder(panel, table);
    }
    if (const auto* heat = std::get_if<data::HeatMark>(&mark))
        return allDiffer(labels) && allDiffer(heat->rows) && panel.marks.size() == 1 && !labels.empty() &&
               std::ranges::any_of(heat->values, [](const auto& value) { return value.has_value(); });
    if (const auto* timeline = std::get_if<data::TimelineMark>(&mark)) {
        std::vector<std::string> lanes;
        for (const data::TimelineMark::Lane& lane : timeline->lanes)
            lanes.push_back(lane.group + '\n' + lane.label);
        return allDiffer(lanes) && panel.marks.size() == 1 && !timeline->spans.empty();
    }
    return labels.empty();
}

}  // namespace

bool hasPlots(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables, std::size_t panel) {
    const data::FigurePanel& shown = figure.spec.panels[panel];
    if (panel >= figure.laidOut.panels.size() || figure.laidOut.panels[panel].plot.isEmpty() || shown.marks.empty())
        return false;
    const auto count = std::ranges::count(tables, panel, &data::FigureTable::panel);
    return static_cast<std::size_t>(count) == shown.marks.size() &&
           std::ranges::all_of(tables, [&](const data::FigureTable& table) {
               return table.panel != panel || tellsOrder(shown, table);
           });
}

PanelPlot::PanelPlot(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables, std::size_t panel)
    : m_spec(figure.spec), m_tables(tables), m_panel(figure.spec.panels[panel]), m_place(figure.laidOut.panels[panel]),
      m_measure(measureOf(figure.spec)) {
    for (const DisplayItem& item : figure.laidOut.list.items) {
        if (item.panel == panel)
            m_items.push_back(&item);
    }
    m_plan.panel = &m_panel;
    m_plan.index = panel;
    m_plan.kind = kindOf(m_panel);
    m_plan.categorical = m_plan.kind != PanelKind::lanes && categoriesOf(m_panel) > 0;
    m_plan.centres = m_place.centres;
    m_plan.bars = m_place.bars;
    m_plan.plot = m_place.plot;
    m_plan.x.place = m_place.x;
    m_plan.y.place = m_place.y;
    m_plan.namesShown = std::ranges::any_of(m_items, [&](const DisplayItem* item) {
        const auto* text = std::get_if<TextItem>(&item->shape);
        return text != nullptr && item->part == FigurePart::category && text->at.y() > m_place.plot.bottom();
    });
}

const data::FigureTable* PanelPlot::tableOf(std::size_t mark) const {
    const auto found = std::ranges::find_if(
        m_tables, [&](const data::FigureTable& table) { return table.panel == m_plan.index && table.mark == mark; });
    return found == m_tables.end() ? nullptr : &*found;
}

CategoryNames PanelPlot::namesPlan() const {
    PanelPlan plan = m_plan;
    planNames(plan, plan.perUnit(), m_measure);
    return plan.names;
}

RowPlan PanelPlot::rowsPlan() const {
    PanelPlan plan = m_plan;
    planRows(plan, plan.plot.height(), m_measure);
    return plan.rows;
}

bool PanelPlot::numbersBelow() const {
    return std::ranges::any_of(m_items, [&](const DisplayItem* item) {
        const auto* text = std::get_if<TextItem>(&item->shape);
        return text != nullptr && item->part == FigurePart::axis &&
               text->at.y() > m_place.plot.bottom() + m_measure.of(4);
    });
}

bool PanelPlot::isWholeX() const {
    const DataReach reach = reachOfX(m_panel);
    return m_place.x.from == reach.least && m_place.x.to == reach.most;
}

bool PanelPlot::isPaddedX() const {
    const DataReach reach = reachOfX(m_panel);
    data::FigureAxis free;
    free.scale = m_panel.x.scale;
    const AxisPlace own = planAxis(free, reach, m_place.plot.width(), 1).place;
    return m_place.x.logarithmic && reach.padded && reach.least > 0 && m_place.x.from == own.from &&
           m_place.x.to == own.to;
}

std::optional<AxisBreak> PanelPlot::axisBreak() const {
    const AxisPlace& y = m_place.y;
    if (!y.isBroken())
        return std::nullopt;
    const double shown = y.to - y.from - (*y.breakTo - *y.breakFrom);
    return AxisBreak{*y.breakFrom, *y.breakTo, shown * kBreakShare / (1 - kBreakShare)};
}

std::vector<double> PanelPlot::ticksBeyond(const AxisPlace& place) {
    constexpr int kMore = 12;
    std::vector<double> ticks = place.ticks;
    const std::size_t count = ticks.size();
    if (count >= 2 && ticks[count - 2] >= *place.breakTo) {
        const double step = ticks[count - 1] - ticks[count - 2];
        for (int i = 1; i <= kMore; ++i)
            ticks.push_back(place.ticks.back() + i * step);
    }
    return ticks;
}

int PanelPlot::intervalsOf(const AxisPlace& place) {
    if (place.ticks.size() < 2)
        return 1;
    const double step = place.ticks[1] - place.ticks[0];
    return std::max(1, static_cast<int>(std::ceil((place.to - place.from) / step - 1e-6)));
}

int PanelPlot::decadesOf(const AxisPlace& place) {
    if (!place.logarithmic || place.ticks.size() < 2)
        return 0;
    const double decades = std::log10(place.ticks[1] / place.ticks[0]);
    return std::abs(decades - std::round(decades)) < 1e-6 ? static_cast<int>(std::round(decades)) : 0;
}

bool PanelPlot::stepsInDecades(const AxisPlace& place) {
    return std::ranges::all_of(place.ticks, [](double tick) {
        const double factor = tick / std::pow(10, std::floor(std::log10(tick) + 1e-9));
        return std::abs(factor - 1) < 1e-6 || std::abs(factor - 2) < 1e-6 || std::abs(factor - 5) < 1e-6;
    });
}

std::optional<std::size_t> PanelPlot::categoryAt(double x) const {
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < m_place.centres.size(); ++i) {
        if (!nearest || std::abs(m_place.centres[i] - x) < std::abs(m_place.centres[*nearest] - x))
            nearest = i;
    }
    return categorical() && nearest < m_panel.categories.labels.size() ? nearest : std::nullopt;
}

std::tuple<std::string, std::string, std::size_t> PanelPlot::keyOf(std::size_t category) const {
    std::vector<std::string> groups;
    for (const data::FigureCategories::Group& group : m_panel.categories.groups)
        groups.insert(groups.end(), group.count, group.label);
    groups.resize(m_panel.categories.labels.size());
    const auto& labels = m_panel.categories.labels;
    std::size_t before = 0;
    for (std::size_t i = 0; i < category; ++i)
        before += labels[i] == labels[category] && groups[i] == groups[category] ? 1 : 0;
    return {labels[category], groups[category], before};
}

QPointF PanelPlot::unitsOf(const QPointF& point) const {
    const QRectF& plot = m_place.plot;
    return {valueAtShare(m_place.x, (point.x() - plot.left()) / plot.width()),
            valueAtShare(m_place.y, (plot.bottom() - point.y()) / plot.height())};
}

std::vector<ReferenceLine> PanelPlot::referenceLines() const {
    std::vector<ReferenceLine> lines;
    for (const DisplayItem* item : m_items) {
        const auto* line = std::get_if<PolylineItem>(&item->shape);
        if (line == nullptr || item->part != FigurePart::reference || !item->clip)
            continue;
        const QPointF from = unitsOf(line->points.front()), to = unitsOf(line->points.back());
        const auto& references = m_panel.references;
        const auto nearest = std::ranges::min_element(
            references, {}, [&](const data::FigureReference& one) { return std::abs(one.value - from.y()); });
        lines.push_back({line->points.back().x() - line->points.front().x() > 0.999 * m_place.plot.width(),
                         nearest == references.end() ? from.y() : nearest->value, from.x(), to.x(), line->pen});
    }
    return lines;
}

std::vector<PlacedNote> PanelPlot::notes() const {
    std::vector<PlacedNote> notes;
    const PolylineItem* leader = nullptr;
    std::optional<QColor> patch;
    for (const DisplayItem* item : m_items) {
        if ((item->part != FigurePart::reference && item->part != FigurePart::annotation) || item->clip || isOwn(*item))
            continue;
        if (const auto* line = std::get_if<PolylineItem>(&item->shape))
            leader = line;
        if (const auto* rect = std::get_if<RectItem>(&item->shape); rect != nullptr && rect->fill)
            patch = rect->fill->colour;
        const auto* text = std::get_if<TextItem>(&item->shape);
        if (text == nullptr)
            continue;
        PlacedNote note{*text, 0, 0, categorical(), {}, {}, {}, patch};
        const QPointF at = leader != nullptr ? leader->points.front() : anchorOf(*item, *text, note.follows);
        const QPointF units = unitsOf(at);
        note.x = units.x();
        note.y = units.y();
        note.offset = text->at - at;
        if (leader != nullptr) {
            note.leader = leader->pen;
            note.leaderEnd = leader->points.back() - at;
        }
        notes.push_back(note);
        leader = nullptr;
        patch.reset();
    }
    return notes;
}

bool PanelPlot::isOwn(const DisplayItem& item) const {
    return item.note && m_panel.annotations[*item.note].kind != data::FigureAnnotation::Kind::text;
}

std::vector<OwnNote> PanelPlot::ownNotes() const {
    std::vector<OwnNote> notes;
    for (std::size_t i = 0; i < m_panel.annotations.size(); ++i) {
        if (m_panel.annotations[i].kind != data::FigureAnnotation::Kind::text)
            notes.push_back(ownNote(i));
    }
    return notes;
}

OwnNote PanelPlot::ownNote(std::size_t index) const {
    OwnNote note;
    note.kind = m_panel.annotations[index].kind;
    QPointF from, to;
    for (const DisplayItem* item : m_items) {
        if (item->note != index)
            continue;
        if (const auto* line = std::get_if<PolylineItem>(&item->shape)) {
            note.joined = true;
            from = line->points.front();
            to = line->points.back();
        } else if (const auto* head = std::get_if<PolygonItem>(&item->shape)) {
            to = head->points.front();
        } else if (const auto* band = std::get_if<RectItem>(&item->shape); band != nullptr && item->clip) {
            const QRectF shown = band->box & m_place.plot;
            from = shown.bottomLeft();
            to = shown.topRight();
        } else if (const auto* text = std::get_if<TextItem>(&item->shape); text != nullptr && !text->text.isEmpty()) {
            note.text = text;
        }
    }
    if (note.text != nullptr && note.kind != data::FigureAnnotation::Kind::span)
        from = note.text->at - QPointF(0, capHeightOf(note.text->size) / 2);
    const QPointF begin = unitsOf(from), end = unitsOf(to);
    note.x = begin.x();
    note.y = begin.y();
    note.toX = end.x();
    note.toY = end.y();
    note.textX = note.text == nullptr ? note.x : unitsOf(note.text->at).x();
    return note;
}

/// Returns the point that a text without a leader belongs to: the nearest one that has this text.
QPointF PanelPlot::anchorOf(const DisplayItem& item, const TextItem& text, bool& follows) const {
    const QRectF& plot = m_place.plot;
    const QPointF middle = text.box().center();
    QPointF nearest = text.at;
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const std::optional<QPointF>& point, bool inCategory) {
        if (!point || std::hypot(point->x() - middle.x(), point->y() - middle.y()) >= least)
            return;
        least = std::hypot(point->x() - middle.x(), point->y() - middle.y());
        nearest = *point;
        follows = inCategory;
    };
    const std::string name = text.text.toStdString();
    if (item.part == FigurePart::annotation) {
        for (const data::FigureAnnotation& note : m_panel.annotations) {
            if (note.text == name)
                consider(m_place.at(note.x, note.y), categorical() && note.x == std::floor(note.x));
        }
        return nearest;
    }
    for (const data::FigureReference& reference : m_panel.references) {
        if (!reference.text.ends_with(name))
            continue;
        const bool inCategory = reference.category && categorical();
        const std::optional<QPointF> point =
            m_place.at(inCategory ? static_cast<double>(*reference.category) : m_place.x.from, reference.value);
        if (point)
            consider(QPointF(inCategory ? point->x() : std::clamp(text.at.x(), plot.left(), plot.right()), point->y()),
                     inCategory);
    }
    return nearest;
}

PanelTitles PanelPlot::titles() const {
    PanelTitles titles;
    for (const DisplayItem* item : m_items) {
        const auto* text = std::get_if<TextItem>(&item->shape);
        if (text == nullptr || item->part != FigurePart::title)
            continue;
        if (text->angle != 0 && text->at.x() > m_place.plot.right()) {
            titles.colours = text;
        } else if (text->angle != 0) {
            titles.y << text->text;
            titles.yAt = text->at;
        } else {
            (text->at.y() > m_place.plot.bottom() ? titles.x : titles.above) = text;
        }
    }
    return titles;
}

PlacedLegend::PlacedLegend(const ReadyFigure& figure) {
    const FigureMeasure measure = measureOf(figure.spec);
    const data::FigureSizePreset& preset = data::presetOf(figure.spec.size);
    plan = planLegend(figure.spec, figure.laidOut.list.page.width() - 2 * measure.of(preset.height ? 4 : 1), measure);
    for (const DisplayItem& item : figure.laidOut.list.items) {
        if (item.part != FigurePart::legend || item.panel)
            continue;
        if (const auto* text = std::get_if<TextItem>(&item.shape)) {
            baseline = baseline == 0 ? text->at.y() : std::min(baseline, text->at.y());
            box |= text->box();
        } else if (const auto* rect = std::get_if<RectItem>(&item.shape)) {
            box |= rect->box;
        } else if (const auto* line = std::get_if<PolylineItem>(&item.shape)) {
            box |= QRectF(line->points.front(), line->points.back()).normalized().adjusted(0, -0.1, 0, 0.1);
        }
    }
}

QString latexText(const QString& text) {
    return QString::fromStdString(data::latexText(text.toStdString(), data::LatexUse::picture));
}

}  // namespace ui
