#include "data/figure/figure_table.h"

#include "data/sweep/results_table.h"
#include "engine/api/quantity.h"

#include <algorithm>

namespace data {
namespace {

std::string cell(std::optional<double> value) { return value ? engine::shortestText(*value) : std::string(); }

/// Fills a table column by column.
class TableMaker {
public:
    explicit TableMaker(FigureTable& table, std::size_t rows) : m_table(table) { table.rows.resize(rows); }

    void texts(const std::string& name, const std::vector<std::string>& cells) {
        m_table.columns.push_back(unused(name));
        for (std::size_t i = 0; i < m_table.rows.size(); ++i)
            m_table.rows[i].push_back(i < cells.size() ? cells[i] : std::string());
    }

    void numbers(const std::string& name, const FigureValues& values) {
        std::vector<std::string> cells;
        std::transform(values.begin(), values.end(), std::back_inserter(cells), cell);
        texts(name, cells);
    }

    void series(const std::string& name, const FigureSeries& series) {
        numbers(name, series.values);
        if (!series.low.empty()) {
            numbers(name + ": low", series.low);
            numbers(name + ": high", series.high);
        }
    }

private:
    std::string unused(const std::string& name) const {
        std::string candidate = name;
        for (int n = 2; std::count(m_table.columns.begin(), m_table.columns.end(), candidate) > 0; ++n)
            candidate = name + " (" + std::to_string(n) + ")";
        return candidate;
    }

    FigureTable& m_table;
};

void addCategories(TableMaker& maker, const FigureCategories& categories) {
    maker.texts("category", categories.labels);
    if (categories.groups.empty())
        return;
    std::vector<std::string> groups;
    for (const FigureCategories::Group& group : categories.groups)
        groups.insert(groups.end(), group.count, group.label);
    maker.texts("group", groups);
}

std::string nameOf(const FigureAxis& axis) {
    const std::string title = axis.title.empty() ? "x" : axis.title;
    return axis.unit.empty() ? title : title + " (" + axis.unit + ")";
}

void fill(FigureTable& table, const FigurePanel& panel, const BarMark& mark) {
    TableMaker maker(table, panel.categories.labels.size());
    addCategories(maker, panel.categories);
    for (const FigureBar& bar : mark.bars) {
        if (!bar.from.empty())
            maker.numbers(bar.name.empty() ? "from" : bar.name + ": from",
                          FigureValues(bar.from.begin(), bar.from.end()));
        for (const FigureSeries& series : bar.stack)
            maker.series(bar.name.empty() || bar.stack.size() == 1 ? series.name : bar.name + ": " + series.name,
                         series);
    }
}

void addX(TableMaker& maker, const FigurePanel& panel, const std::vector<double>& x) {
    maker.numbers(nameOf(panel.x), FigureValues(x.begin(), x.end()));
}

void fill(FigureTable& table, const FigurePanel& panel, const LineMark& mark) {
    const bool overCategories = !panel.categories.labels.empty();
    TableMaker maker(table, overCategories ? panel.categories.labels.size() : mark.x.size());
    if (overCategories)
        addCategories(maker, panel.categories);
    else
        addX(maker, panel, mark.x);
    for (const FigureSeries& series : mark.series)
        maker.series(series.name, series);
    if (!mark.sizes.empty())
        maker.numbers(mark.sizeTitle.empty() ? "size" : mark.sizeTitle,
                      FigureValues(mark.sizes.begin(), mark.sizes.end()));
}

void fill(FigureTable& table, const FigurePanel& panel, const AreaMark& mark) {
    TableMaker maker(table, mark.x.size());
    addX(maker, panel, mark.x);
    for (const FigureSeries& series : mark.series)
        maker.series(series.name, series);
}

void fill(FigureTable& table, const FigurePanel& panel, const BoxMark& mark) {
    table.columns = {"category", "series", "least", "lower", "median", "upper", "most", "samples"};
    for (const BoxMark::Group& group : mark.groups) {
        for (std::size_t i = 0; i < group.boxes.size(); ++i) {
            if (!group.boxes[i])
                continue;
            const FigureBox& box = *group.boxes[i];
            table.rows.push_back({panel.categories.labels[i], group.name, cell(box.least), cell(box.lower),
                                  cell(box.median), cell(box.upper), cell(box.most), std::to_string(box.samples)});
        }
    }
}

void fill(FigureTable& table, const FigurePanel& panel, const HeatMark& mark) {
    table.columns = {"row", "column", "value"};
    const std::size_t columns = panel.categories.labels.size();
    for (std::size_t row = 0; row < mark.rows.size(); ++row) {
        for (std::size_t column = 0; column < columns; ++column)
            table.rows.push_back(
                {mark.rows[row], panel.categories.labels[column], cell(mark.values[row * columns + column])});
    }
}

void fill(FigureTable& table, const FigurePanel&, const TimelineMark& mark) {
    table.columns = {"group", "lane", "from", "to", "meaning", "text"};
    for (const TimelineMark::Span& span : mark.spans) {
        const TimelineMark::Lane& lane = mark.lanes[span.lane];
        table.rows.push_back({lane.group, lane.label, cell(span.from), cell(span.to), span.meaning, span.text});
    }
}

void fill(FigureTable&, const FigurePanel&, const DrawingMark&) {}

}  // namespace

std::vector<FigureTable> tablesOf(const FigureSpec& figure) {
    std::vector<FigureTable> tables;
    for (std::size_t panel = 0; panel < figure.panels.size(); ++panel) {
        const FigurePanel& shown = figure.panels[panel];
        for (std::size_t mark = 0; mark < shown.marks.size(); ++mark) {
            FigureTable table;
            table.panel = panel;
            table.mark = mark;
            std::visit([&](const auto& kind) { fill(table, shown, kind); }, shown.marks[mark]);
            if (!table.columns.empty())
                tables.push_back(std::move(table));
        }
    }
    for (std::size_t i = 0; i < tables.size(); ++i)
        tables[i].fileName = figure.name + (tables.size() > 1 ? "-" + std::to_string(i + 1) : std::string()) + ".csv";
    return tables;
}

std::string writeCsv(const FigureTable& table) {
    std::string text = csvLine(table.columns);
    for (const std::vector<std::string>& row : table.rows)
        text += csvLine(row);
    return text;
}

}  // namespace data
