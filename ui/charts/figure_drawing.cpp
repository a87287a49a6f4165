#include "ui/charts/chart_drawing.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/sweep_axes.h"
#include "ui/drawing/figure_layout.h"
#include "ui/drawing/figure_sheet.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"

#include <QChart>
#include <QCoreApplication>
#include <QGraphicsScene>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr double kLineShape = 1.15;       // width of a plot divided by its height, if there are several
constexpr double kTornadoRow = 2;         // lines of text, at least, if there are several tornados
constexpr double kTornadoTexts = 6;       // lines of text over and below the rows
constexpr double kTornadoWidth = 26;      // lines of text
constexpr double kLeastPlotSide = 1.4;    // lines of text along a side
constexpr double kLeastArea = 6;          // lines of text along a side
constexpr double kBesidePlot = 3;         // lines of text between plots: numbers of the y axis and a gap
constexpr double kMarkEvery = 0.55;       // lines of text between markers; closer ones would overlap
constexpr double kStripEvery = 0.1;       // lines of text between marks of points without a value
constexpr double kBetween = 0.9;          // size of the values between the ends of a tornado's axis
constexpr std::size_t kMostEntries = 12;  // values of an axis in the legend
constexpr std::size_t kMostPieces = 300;  // of one panel as chart series, each of which takes half a millisecond

bool isLine(const DisplayItem& item) {
    return item.part == FigurePart::mark && !item.value && std::holds_alternative<PolylineItem>(item.shape);
}

/// Shows the figure of a chart: ui/drawing lays it out for the area, and a QChart in each plot draws the lines. Points
/// without a value have marks in a strip below the plots, or at the end of their row.
class FigureDrawing final : public ChartDrawing {
public:
    FigureDrawing(const ChartInput& input, const ChartStyle& style)
        : ChartDrawing(input, style), m_chart(chartOf(input)), m_tornado(plan().kind == ChartKind::tornado),
          m_lines(!m_tornado && plan().kind != ChartKind::pareto) {
        m_notes = m_chart.notes;
        m_sheet.textSize = style.textSize();
        m_sheet.theme = style.colors->theme;
        // A lone line needs no dash, which would break the tips of a saw-tooth.
        m_sheet.solid = m_lines && m_chart.looks.size() == 1;
        const FigureMeasure measure{{m_sheet.textSize}, m_sheet.theme, &m_sheet};
        for (const std::string& meaning : m_chart.looks)
            m_looks.push_back(measure.style(meaning));
        m_chart.figure.legend = data::FigureLegend::none;  // this one also has the points without a value
        if (plan().second)
            addLevels(measure);
        else
            addSeries(measure);
        if (m_tornado) {
            m_sheet.rows.emplace();
            m_between.line.colour = style.colors->inkSoft;
            m_legend.push_back(
                {.label = QCoreApplication::translate("FigureDrawing", "values between"), .look = m_between});
        }
        for (const data::FigurePanel& panel : m_chart.figure.panels) {
            m_titles.push_back(QString::fromStdString(panel.title));
            m_acrossTitle = QString::fromStdString(panel.x.title);
        }
        std::vector<std::size_t> rows;
        for (const ChartPoint& point : m_chart.points) {
            rows.push_back(point.row);
            if (!m_tornado && point.outcome != Outcome::value)
                m_sheet.strip = style.line;
        }
        addOutcomesToLegend(rows, false);
    }

    void layOut(const QRectF& area) override {
        m_targets.clear();
        m_shown.clear();
        m_drawn.clear();
        m_plots.clear();
        m_behind = m_front = {};
        m_scene = std::make_unique<QGraphicsScene>();
        m_area = QRectF(area.topLeft().toPoint(), area.size().toSize());
        m_tooSmall = std::min(area.width(), area.height()) < m_style.line * kLeastArea;
        if (m_tooSmall)
            return;
        LaidOutFigure laidOut = inColumns(columnsIn(area.size()));
        // Rows of panels need room for their texts, too: what is too low may fit beside each other.
        for (std::size_t columns = columnsIn(area.size()) + 1; m_tooSmall && columns <= m_chart.figure.panels.size();
             ++columns)
            laidOut = inColumns(columns);
        if (m_tooSmall)
            return;
        m_scene->setSceneRect(m_area);
        for (std::size_t panel = 0; panel < laidOut.panels.size(); ++panel) {
            const double beyond = m_style.line * 0.3;
            m_plots.push_back(laidOut.panels[panel]
                                  .plot.translated(m_area.topLeft())
                                  .adjusted(-beyond, -beyond, beyond, beyond + m_sheet.strip));
            takeLines(laidOut, panel);
        }
        for (DisplayItem& item : laidOut.list.items) {
            if (item.part != FigurePart::background && !isLine(item))
                (item.part == FigurePart::grid ? m_behind : m_front).items.push_back(std::move(item));
        }
        placeTargets(laidOut.panels);
    }

    void paint(QPainter& painter) override {
        if (m_tooSmall)
            return paintText(painter, m_area, Qt::AlignCenter,
                             QCoreApplication::translate("FigureDrawing", "Too small for the chart"),
                             m_style.colors->inkSoft, m_style);
        paintList(painter, m_behind);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        m_scene->render(&painter, m_area, m_area);
        painter.restore();
        paintList(painter, m_front);
        painter.setRenderHint(QPainter::Antialiasing);
        for (std::size_t target = 0; target < m_targets.size(); ++target) {
            if (m_drawn[target])
                paintTarget(painter, target, false);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
    }

    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override {
        const ChartPoint& point = m_chart.points[m_shown[target]];
        const QPointF at = m_targets[target].at;
        if (point.outcome != Outcome::value)
            return paintOutcome(painter, at, point.outcome, m_style, strong);
        const bool between = m_tornado && !strong;
        const Emphasis emphasis = strong ? Emphasis::strong : point.onFront ? Emphasis::ringed : Emphasis::none;
        const bool lone = plan().kind == ChartKind::pareto;
        paintMarker(painter, at, between ? m_between : m_looks[point.look],
                    between ? kBetween
                    : lone  ? 2
                            : 1.4,
                    m_style, emphasis);
    }

private:
    /// Lays the figure out with its panels in this number of columns, and notes whether that is too small to read.
    LaidOutFigure inColumns(std::size_t columns) {
        data::FigureSpec& figure = m_chart.figure;
        figure.columns = static_cast<int>(columns);
        const double room = m_area.width() / static_cast<double>(columns);
        const double beside = columns > 1 ? room - m_style.line * kBesidePlot : std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < figure.panels.size(); ++i) {
            data::FigurePanel& panel = figure.panels[i];
            if (!m_tornado) {
                panel.title = shortened(m_titles[i], beside, m_style).toStdString();
                const double unit = m_style.text(QString::fromStdString(panel.x.unit)) + m_style.line;
                panel.x.title = shortened(m_acrossTitle, beside - unit, m_style).toStdString();
            }
            auto* mark = std::get_if<data::LineMark>(&panel.marks.front());
            if (!m_lines || mark == nullptr)
                continue;
            mark->markers = static_cast<double>(placesOf(panel)) * m_style.line * kMarkEvery <= room;
            if (mark->x.size() <= kMostOwnTicks)
                panel.x.ticks = mark->x;
        }
        m_sheet.size = m_area.size();
        LaidOutFigure laidOut = ui::layOut(figure, m_sheet);
        const double least = m_style.line * kLeastPlotSide;
        m_tooSmall = std::ranges::any_of(laidOut.panels, [&](const PanelPlace& panel) {
            return std::min(panel.plot.width(), panel.plot.height()) < least || panel.plot.right() > m_area.width() ||
                   panel.plot.bottom() > m_area.height();
        });
        return laidOut;
    }

    /// Returns in how many columns the panels are arranged: tornados, whose rows do not fill a high plot, in few.
    std::size_t columnsIn(QSizeF area) const {
        const std::size_t count = m_chart.figure.panels.size();
        if (!m_tornado)
            return columnsFor(count, area, kLineShape);
        const double texts = kTornadoRow * static_cast<double>(sweep().axes.size()) + kTornadoTexts;
        const auto rows = static_cast<std::size_t>(std::max(1.0, area.height() / (texts * m_style.line)));
        const auto fitting = static_cast<std::size_t>(std::max(1.0, area.width() / (kTornadoWidth * m_style.line)));
        return std::min((count + rows - 1) / rows, fitting);
    }

    /// Returns the number of places along x.
    static std::size_t placesOf(const data::FigurePanel& panel) {
        const auto* mark = std::get_if<data::LineMark>(&panel.marks.front());
        return mark != nullptr && !mark->x.empty() ? mark->x.size() : panel.categories.labels.size();
    }

    void addSeries(const FigureMeasure& measure) {
        const auto add = [&](const data::FigureSeries& series, bool line, bool bar) {
            if (!series.name.empty())
                m_legend.push_back({.label = QString::fromStdString(series.name),
                                    .look = measure.style(series.meaning),
                                    .line = line,
                                    .bar = bar});
        };
        for (const data::FigureMark& mark : m_chart.figure.panels.front().marks) {
            if (const auto* lines = std::get_if<data::LineMark>(&mark)) {
                for (const data::FigureSeries& series : lines->series)
                    add(series, lines->joined, false);
            } else if (const auto* bars = std::get_if<data::BarMark>(&mark)) {
                for (const data::FigureBar& bar : bars->bars)
                    add(bar.stack.front(), false, true);
            }
        }
    }

    // With a second axis, colour and marker show its value and the dash shows the policy, so that each can be recognised
    // without colour.
    void addLevels(const FigureMeasure& measure) {
        const data::SweepAxis& axis = sweep().axes[*plan().second];
        const auto heading = [&](const QString& text) { m_legend.push_back({.label = text, .heading = true}); };
        heading(axisTitle(axis));
        // Of many values, list every n-th and the last: their colours are in order, so the reader can interpolate the
        // others.
        const std::size_t step = (axis.size() + kMostEntries - 1) / kMostEntries;
        for (std::size_t value = 0; value < axis.size(); ++value) {
            if (value % step == 0 || value + 1 == axis.size())
                m_legend.push_back(
                    {axisValueText(axis, value), measure.style(meaningOfLevel(value, axis.size(), 0)), true});
        }
        if (!data::isTimed(sweep().of))
            return;  // the values do not depend on the policy
        heading(QCoreApplication::translate("FigureDrawing", "Policy"));
        for (std::size_t i = 0; i < plan().policies.size(); ++i) {
            const std::string meaning = meaningOfLevel(0, axis.size(), i);
            if (std::ranges::find(m_chart.looks, meaning) == m_chart.looks.end())
                continue;
            MarkStyle look = measure.style(meaning);
            look.line.colour = m_style.colors->inkSoft;
            look.marker = Marker::none;
            m_legend.push_back({titleOfPolicy(sweep().policies[plan().policies[i]]), look, true});
        }
    }

    // If QChart would take too long for the number of pieces, they are drawn directly, with thinner pens.
    void takeLines(const LaidOutFigure& laidOut, std::size_t panel) {
        std::vector<PolylineItem> pieces;
        for (const DisplayItem& item : laidOut.list.items) {
            if (item.panel == panel && isLine(item))
                pieces.push_back(std::get<PolylineItem>(item.shape));
        }
        const QRectF& plot = laidOut.panels[panel].plot;
        if (pieces.empty() || plot.isEmpty())
            return;
        auto chart = pieces.size() <= kMostPieces ? bareChart(plot.translated(m_area.topLeft())) : nullptr;
        for (PolylineItem& piece : pieces) {
            if (!chart) {
                piece.pen = {piece.pen.colour, 0, {}};  // one device pixel: wider ones cost ten times as much
                m_behind.items.emplace_back().shape = std::move(piece);
                continue;
            }
            for (QPointF& point : piece.points)
                point = {(point.x() - plot.left()) / plot.width(), (plot.bottom() - point.y()) / plot.height()};
            addLine(*chart, piece.points, penOf(piece.pen, Qt::RoundJoin));
        }
        if (chart) {
            attachAxes(*chart);
            m_scene->addItem(chart.release());
        }
    }

    void placeTargets(const std::vector<PanelPlace>& panels) {
        std::map<std::pair<std::size_t, double>, int> inRow;      // points without a value
        std::set<std::tuple<std::size_t, int, Outcome>> inStrip;  // occupied places
        for (std::size_t i = 0; i < m_chart.points.size(); ++i) {
            const ChartPoint& point = m_chart.points[i];
            const PanelPlace& panel = panels[point.panel];
            const bool has = point.outcome == Outcome::value;
            std::optional<QPointF> at = panel.at(point.across, has ? point.value : panel.y.from);
            bool drawn = m_tornado || point.onFront;
            if (!has && m_tornado && static_cast<std::size_t>(point.across) < panel.rows.size()) {
                const double aside = 0.4 + 0.6 * inRow[{point.panel, point.across}]++;
                at = QPointF(panel.plot.right() - m_style.line * aside,
                             panel.rows[static_cast<std::size_t>(point.across)].center().y());
            } else if (!has && at) {
                at = inStripOf(panel, point, at->x());
                drawn =
                    inStrip
                        .emplace(point.panel, static_cast<int>(at->x() / (m_style.line * kStripEvery)), point.outcome)
                        .second;
            }
            if (!at)
                continue;  // a note below the chart counts it
            m_targets.push_back({point.row, *at + m_area.topLeft(), {}});
            m_shown.push_back(i);
            m_drawn.push_back(drawn);
        }
    }

    // In the strip of points without a value the series are side by side, as far as neighbouring values leave room.
    QPointF inStripOf(const PanelPlace& panel, const ChartPoint& point, double x) const {
        const auto places = static_cast<double>(std::max<std::size_t>(1, placesOf(m_chart.figure.panels[point.panel])));
        const auto count = static_cast<double>(m_looks.size());
        const double step = std::min(m_style.line * 0.6, panel.plot.width() * 0.7 / places / count);
        const double aside = (static_cast<double>(point.look) - (count - 1) / 2) * step;
        return {std::clamp(x + aside, panel.plot.left(), panel.plot.right()),
                panel.plot.bottom() + m_sheet.strip * 0.5};
    }

    void paintList(QPainter& painter, const DisplayList& list) const {
        painter.save();
        painter.translate(m_area.topLeft());
        ui::paint(painter, list);
        painter.restore();
    }

    ChartFigure m_chart;
    bool m_tornado, m_lines;
    bool m_tooSmall = false;
    std::vector<QString> m_titles;  // of the panels
    QString m_acrossTitle;          // of the x axes
    ScreenSheet m_sheet;
    std::vector<MarkStyle> m_looks;
    MarkStyle m_between;  // of a tornado's values between the ends
    QRectF m_area;
    DisplayList m_behind, m_front;  // behind and before the lines
    std::unique_ptr<QGraphicsScene> m_scene;
    std::vector<std::size_t> m_shown;  // by target: index into the points of the chart
    std::vector<bool> m_drawn;         // by target: not drawn by the layout
};

}  // namespace

std::unique_ptr<ChartDrawing> figureDrawing(const ChartInput& input, const ChartStyle& style) {
    return std::make_unique<FigureDrawing>(input, style);
}

}  // namespace ui
