#include "ui/drawing/figure_layout.h"

#include "data/figure/figure_size.h"
#include "ui/drawing/figure_text.h"
#include "ui/drawing/mark_layout.h"
#include "ui/drawing/one_range.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ui {
namespace {

constexpr int kPasses = 4;  // room depends on labels and labels on room; this many passes settle both
constexpr double kLeastPlot = 12;

bool sameAxis(const data::FigureAxis& a, const data::FigureAxis& b) {
    return a.title == b.title && a.unit == b.unit && a.relativeTo == b.relativeTo;
}

bool sharesY(const data::FigurePanel& a, const data::FigurePanel& b) {
    return kindOf(a) == PanelKind::plain && kindOf(b) == PanelKind::plain && sameAxis(a.y, b.y);
}

/// Returns whether timelines have the same numbers along x.
bool sameLanes(const data::FigurePanel& a, const data::FigurePanel& b) {
    return kindOf(a) == PanelKind::lanes && kindOf(b) == PanelKind::lanes && a.x.from && a.x.to && a.x == b.x;
}

bool sameCategories(const data::FigurePanel& a, const data::FigurePanel& b) {
    return !a.categories.labels.empty() && a.categories == b.categories;
}

/// Arranges the panels on the page in columns and rows.
class Arrangement {
public:
    Arrangement(const data::FigureSpec& figure, const FigureMeasure& measure)
        : m_figure(figure), m_measure(measure), m_preset(data::presetOf(figure.size)),
          m_fixedHeight(figure.height ? figure.height : m_preset.height) {
        m_preset.width = figure.width.value_or(m_preset.width);
        if (measure.screen) {
            m_preset.width = measure.screen->size.width();
            m_fixedHeight = measure.screen->size.height();
        }
        const std::size_t count = figure.panels.size();
        const std::size_t fitting = !measure.screen && data::isColumn(figure.size) ? 1 : count;
        const std::size_t wanted = figure.columns > 0 ? static_cast<std::size_t>(figure.columns) : fitting;
        m_columns = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(count, 1));
        m_rows = (count + m_columns - 1) / m_columns;
        m_plans.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            m_plans[i].panel = &figure.panels[i];
            m_plans[i].index = i;
            m_plans[i].legendShown = figure.legend != data::FigureLegend::none;
        }
    }

    void arrange() {
        m_plotLeft.assign(m_columns, 0);
        m_plotWidth.assign(m_columns, m_preset.width / static_cast<double>(m_columns) * 0.8);
        m_plotTop.assign(m_rows, 0);
        m_plotHeight.assign(m_rows,
                            m_measure.screen ? *m_fixedHeight : m_preset.height.value_or(m_measure.of(80)) * 0.7);
        m_legend = planLegend(m_figure, m_preset.width - 2 * margin(), m_measure);
        shareTitles();
        for (int pass = 0; pass < kPasses; ++pass) {
            measureNeeds();
            placeColumns();
            placeRows();
            spanTitles();
        }
        settle();
        if (m_plans.empty())
            m_height = m_fixedHeight.value_or(m_measure.of(20));
    }

    std::vector<PanelPlan>& plans() { return m_plans; }
    const LegendPlan& legend() const { return m_legend; }

    /// Returns the upper left corner of the legend: beside the plots, or centred above them, or centred on the page if
    /// the legend is wider than the plots.
    QPointF legendCorner() const {
        if (legendBeside()) {
            const double top = m_plotTop.empty() ? margin() : m_plotTop.front();
            return {m_preset.width - margin() - m_legend.size.width(), top};
        }
        if (m_plotLeft.empty() || (m_measure.screen && m_measure.screen->rows))
            return {margin(), margin()};
        const double left = m_plotLeft.front(), right = m_plotLeft.back() + m_plotWidth.back();
        const double middle = m_legend.size.width() <= right - left ? (left + right) / 2 : m_preset.width / 2;
        return {middle - m_legend.size.width() / 2, margin()};
    }

    QSizeF page() const { return {m_preset.width, m_height}; }

private:
    std::size_t columnOf(std::size_t panel) const { return panel % m_columns; }
    std::size_t rowOf(std::size_t panel) const { return panel / m_columns; }
    /// Returns the margin of the page: wider on a slide, whose edge is the edge of the screen, than in a column, which
    /// has white around it.
    double margin() const { return m_measure.of(m_preset.height || m_measure.screen ? 4 : 1); }
    double columnGap() const { return m_measure.of(8); }
    double rowGap() const { return m_measure.of(5); }
    bool legendAbove() const { return !m_legend.empty() && m_figure.legend == data::FigureLegend::top; }
    bool legendBeside() const { return !m_legend.empty() && m_figure.legend == data::FigureLegend::right; }

    /// Writes titles and names once if the panel at the left, above or below has the same.
    void shareTitles() {
        if (!m_figure.shared)
            return;
        for (PanelPlan& plan : m_plans) {
            const std::size_t below = plan.index + m_columns;
            const bool hasLeft = columnOf(plan.index) > 0, hasAbove = rowOf(plan.index) > 0;
            plan.yTitleShown = !(hasLeft && sharesY(*m_plans[plan.index - 1].panel, *plan.panel)) &&
                               !(hasAbove && sharesY(*m_plans[plan.index - m_columns].panel, *plan.panel));
            plan.rowNamesShown = !hasLeft || !liesInRows(*plan.panel, m_measure) ||
                                 m_plans[plan.index - 1].panel->categories != plan.panel->categories;
            if (below < m_plans.size() && kindOf(*plan.panel) != PanelKind::drawing) {
                const data::FigurePanel& other = *m_plans[below].panel;
                const bool same = kindOf(other) == kindOf(*plan.panel) && sameAxis(other.x, plan.panel->x);
                plan.xTitleShown = !same;
                plan.namesShown = !same || !(sameLanes(other, *plan.panel) || sameCategories(other, *plan.panel));
            }
        }
    }

    void measureNeeds() {
        m_left.assign(m_columns, 0);
        m_right.assign(m_columns, 0);
        m_top.assign(m_rows, 0);
        m_bottom.assign(m_rows, 0);
        for (PanelPlan& plan : m_plans) {
            const std::size_t column = columnOf(plan.index), row = rowOf(plan.index);
            planPanel(plan, QSizeF(m_plotWidth[column], heightOf(plan, m_plotHeight[row])), m_measure);
            m_left[column] = std::max(m_left[column], plan.need.left());
            m_right[column] = std::max(m_right[column], plan.need.right());
            m_top[row] = std::max(m_top[row], plan.need.top());
            m_bottom[row] = std::max(m_bottom[row], plan.need.bottom());
        }
    }

    void placeColumns() {
        double room = m_preset.width - 2 * margin() - columnGap() * (static_cast<double>(m_columns) - 1);
        if (legendBeside())
            room -= m_legend.size.width() + m_measure.of(6);
        std::vector<double> weights(m_columns, m_columns == 1 ? 1 : 0);
        for (const PanelPlan& plan : m_plans) {
            if (m_columns > 1)
                weights[columnOf(plan.index)] =
                    std::max(weights[columnOf(plan.index)], std::max(plan.panel->weight, 0.01));
        }
        const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
        room -=
            std::accumulate(m_left.begin(), m_left.end(), 0.0) + std::accumulate(m_right.begin(), m_right.end(), 0.0);
        double x = margin();
        for (std::size_t column = 0; column < m_columns; ++column) {
            x += m_left[column];
            m_plotLeft[column] = x;
            m_plotWidth[column] = std::max(m_measure.of(kLeastPlot), room * weights[column] / all);
            x += m_plotWidth[column] + m_right[column] + columnGap();
        }
    }

    void placeRows() {
        const double legend = legendAbove() ? m_legend.size.height() + m_measure.of(1) : 0;
        const double gaps = m_rows > 0 ? rowGap() * (static_cast<double>(m_rows) - 1) : 0;
        double fixed = 2 * margin() + legend + gaps;
        fixed +=
            std::accumulate(m_top.begin(), m_top.end(), 0.0) + std::accumulate(m_bottom.begin(), m_bottom.end(), 0.0);
        if (legendBeside())
            fixed = std::max(fixed, 2 * margin());
        const std::vector<double> heights = rowHeights(fixed);
        if (legendBeside() && !m_fixedHeight)
            m_height = std::max(m_height, std::ceil(m_legend.size.height() + 2 * margin()));
        double y = margin() + legend;
        for (std::size_t row = 0; row < m_rows; ++row) {
            y += m_top[row];
            m_plotTop[row] = y;
            m_plotHeight[row] = heights[row];
            y += heights[row] + m_bottom[row] + rowGap();
        }
    }

    /// Gives a y title that the panels below share the room beside all of them.
    void spanTitles() {
        for (PanelPlan& plan : m_plans) {
            std::size_t last = plan.index;
            while (m_figure.shared && last + m_columns < m_plans.size() &&
                   sharesY(*m_plans[last].panel, *m_plans[last + m_columns].panel))
                last += m_columns;
            const std::size_t from = rowOf(plan.index), to = rowOf(last);
            plan.titleBelow = m_plotTop[to] + m_plotHeight[to] - m_plotTop[from] - m_plotHeight[from];
        }
    }

    /// Returns the height of a plot if the figure has no fixed height.
    double ownHeight(const PanelPlan& plan, double width) const {
        const double rows = static_cast<double>(std::max<std::size_t>(rowsOf(*plan.panel), 1));
        switch (plan.kind) {
        case PanelKind::lanes: return std::min(rows * m_measure.of(rows > 24 ? 8.5 : 10.5), m_measure.of(420));
        case PanelKind::cells:
            return std::clamp(rows * m_measure.of(rows > 24 ? 8.5 : 11), m_measure.of(40), m_measure.of(420));
        case PanelKind::rows: return mostHeightOfRows(*plan.panel, m_measure);
        case PanelKind::drawing: {
            const auto& drawing = std::get<data::DrawingMark>(plan.panel->marks.front());
            const double share = drawing.width > 0 ? drawing.height / drawing.width : 0.5;
            return std::min(width * share, m_measure.of(560));
        }
        case PanelKind::plain: break;
        }
        const double base = m_rows == 1 ? 82 : m_rows == 2 ? 66 : 54;
        return m_measure.of(base) * (m_columns == 1 ? std::clamp(plan.panel->weight, 0.3, 4.0) : 1);
    }

    /// Returns the heights of the plots by row. `fixed` is the height of everything else in a column of panels.
    std::vector<double> rowHeights(double fixed) {
        std::vector<double> own(m_rows, 0), weights(m_rows, 0);
        for (const PanelPlan& plan : m_plans) {
            const std::size_t row = rowOf(plan.index);
            own[row] = std::max(own[row], ownHeight(plan, m_plotWidth[columnOf(plan.index)]));
            weights[row] = std::max(weights[row], m_columns == 1 ? std::max(plan.panel->weight, 0.01) : 1);
        }
        const std::optional<double>& height = m_fixedHeight;
        m_height = height ? *height : std::ceil(fixed + std::accumulate(own.begin(), own.end(), 0.0));
        const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
        for (std::size_t row = 0; row < m_rows; ++row) {
            if (height)
                own[row] = std::max(m_measure.of(kLeastPlot), (m_height - fixed) * weights[row] / all);
        }
        return own;
    }

    /// Returns the height of a plot of which the row of panels has this height: rows of bars do not fill a high one.
    double heightOf(const PanelPlan& plan, double height) const {
        return plan.kind == PanelKind::rows ? std::min(height, mostHeightOfRows(*plan.panel, m_measure)) : height;
    }

    /// Gives each plan its place, as computed in the last pass.
    void settle() {
        for (PanelPlan& plan : m_plans) {
            const std::size_t column = columnOf(plan.index), row = rowOf(plan.index);
            plan.plot =
                QRectF(m_plotLeft[column], m_plotTop[row], m_plotWidth[column], heightOf(plan, m_plotHeight[row]));
            if (m_measure.screen)
                plan.plot = plan.plot.toRect();
            plan.titleLeft = plan.need.left();
            // Aligns y titles of panels of the same kind; another kind may need far more room for its names.
            for (const PanelPlan& other : m_plans) {
                if (columnOf(other.index) == column && other.kind == plan.kind)
                    plan.titleLeft = std::max(plan.titleLeft, other.need.left());
            }
        }
    }

    const data::FigureSpec& m_figure;
    const FigureMeasure& m_measure;
    data::FigureSizePreset m_preset;
    std::optional<double> m_fixedHeight;
    std::size_t m_columns = 1, m_rows = 0;
    std::vector<PanelPlan> m_plans;
    LegendPlan m_legend;
    double m_height = 0;
    std::vector<double> m_left, m_right, m_top, m_bottom;  // room around plots, by column and by row
    std::vector<double> m_plotLeft, m_plotWidth, m_plotTop, m_plotHeight;
};

/// Returns the figure with the ends that its axes share.
data::FigureSpec ranged(const data::FigureSpec& figure, const FigureMeasure& measure) {
    Arrangement alone(figure, measure);
    alone.arrange();
    data::FigureSpec shared = withOneRange(figure, alone.plans(), measure);
    shared.oneRange = false;
    return shared;
}

/// Returns the figure with the letters of its panels in their titles.
data::FigureSpec lettered(data::FigureSpec figure) {
    figure.letters = false;
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        figure.panels[i].title = data::letteredTitle(figure.panels[i].title, i);
    return figure;
}

void reportTexts(FigureSheet& sheet) {
    const QRectF page(QPointF(0, 0), sheet.list().page);
    for (const DisplayItem& item : sheet.list().items) {
        const auto* text = std::get_if<TextItem>(&item.shape);
        if (text && !page.adjusted(-0.1, -0.1, 0.1, 0.1).contains(text->box()))
            sheet.fallShort(item.panel.value_or(0),
                            QStringLiteral("the text \"%1\" does not fit on the page").arg(text->text));
    }
}

}  // namespace

LaidOutFigure layOut(const data::FigureSpec& figure, const std::optional<ScreenSheet>& screen) {
    if (figure.letters && figure.panels.size() > 1)
        return layOut(lettered(figure), screen);
    FigureMeasure measure = measureOf(figure);
    if (screen)
        measure = {{screen->textSize}, screen->theme, &*screen};
    if (figure.oneRange && figure.panels.size() > 1)
        return layOut(ranged(figure, measure), screen);
    Arrangement arrangement(figure, measure);
    arrangement.arrange();
    FigureSheet sheet(measure);
    sheet.list().page = arrangement.page();
    sheet.rect(FigurePart::background, QRectF(QPointF(0, 0), arrangement.page()),
               FigureFill{.colour = measure.colours().background}, std::nullopt);
    LaidOutFigure result;
    for (PanelPlan& plan : arrangement.plans()) {
        drawPanel(sheet, plan);
        result.panels.push_back(plan.place());
    }
    sheet.at(std::nullopt);
    if (!arrangement.legend().empty())
        drawLegend(sheet, arrangement.legend(), arrangement.legendCorner());
    reportTexts(sheet);
    result.list = std::move(sheet.list());
    result.shortfalls = std::move(sheet.shortfalls());
    return result;
}

}  // namespace ui
