#include "ui/model/operator_canvas.h"

#include "engine/api/operator_graph.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace ui {
namespace {

using engine::Operator;
using engine::OperatorGraph;
using engine::OperatorKind;
using engine::OperatorPass;

constexpr double kGap = 0.7;            // lines between two columns
constexpr double kGapShare = 0.16;      // largest gap, relative to a column
constexpr double kBetween = 1.0;        // lines between two rows
constexpr double kBetweenPasses = 2.2;  // lines before a row that has a name
constexpr double kHighest = 5.4;        // lines: height of a box
constexpr double kLowest = 2.6;
constexpr double kWidest = 9;      // lines: width of a box
constexpr double kLane = 0.5;      // lines over a row at which edges pass other boxes
constexpr double kLeastWidth = 8;  // pixels: width of a box
constexpr double kOver = 2;        // lines over the first row, for its name and for edges that pass other boxes
constexpr double kFrame = 0.5;     // lines between the layer and its frame
constexpr std::string_view kWeights = "/weights";

/// Returns the name that an operator has in both passes: "fc-2" of "backward/fc-2/weights".
std::string_view keyOf(const Operator& op) {
    std::string_view key = op.id;
    key.remove_prefix(std::min(key.size(), key.find('/') + 1));
    if (key.ends_with(kWeights))
        key.remove_suffix(kWeights.size());
    return key;
}

/// Assigns operators to columns and rows.
class ColumnAssigner {
public:
    explicit ColumnAssigner(const OperatorGraph& graph) : m_graph(graph), m_cells(graph.operators.size()) {}

    std::vector<OperatorCell> deal() {
        for (std::uint32_t i = 0; i < m_cells.size(); ++i) {
            if (m_graph.operators[i].pass == OperatorPass::forward && !hostOf(i))
                m_columns.push_back(keyOf(m_graph.operators[i]));
        }
        insertGradients();
        for (std::uint32_t i = 0; i < m_cells.size(); ++i)
            m_cells[i] = cellOf(i);
        return m_cells;
    }
    int columns() const { return static_cast<int>(m_columns.size()); }

private:
    /// Returns the operator below which a collective is drawn: the GEMM that feeds it, or the only operator that it
    /// reads.
    std::optional<std::uint32_t> hostOf(std::uint32_t i) const {
        const Operator& op = m_graph.operators[i];
        if (op.kind != OperatorKind::collective)
            return std::nullopt;
        if (op.feeder)
            return op.feeder;
        std::optional<std::uint32_t> only;
        for (const engine::OperatorDependency& edge : m_graph.edges) {
            if (edge.to != i)
                continue;
            if (only)
                return std::nullopt;
            only = edge.from;
        }
        return only && op.id.starts_with(m_graph.operators[*only].id + "/") ? only : std::nullopt;
    }

    bool isWeights(const Operator& op) const { return op.pass == OperatorPass::optimizer || op.id.ends_with(kWeights); }

    // Inserts a column for each operator of the backward pass that has no counterpart in the forward pass: to the left
    // of the operator that precedes it, because the backward pass runs from right to left.
    void insertGradients() {
        std::size_t before = m_columns.size();
        for (std::uint32_t i = 0; i < m_cells.size(); ++i) {
            const Operator& op = m_graph.operators[i];
            if (op.pass != OperatorPass::backward || isWeights(op) || hostOf(i))
                continue;
            const auto found = std::find(m_columns.begin(), m_columns.end(), keyOf(op));
            if (found == m_columns.end())
                m_columns.insert(m_columns.begin() + static_cast<std::ptrdiff_t>(before), keyOf(op));
            else
                before = static_cast<std::size_t>(found - m_columns.begin());
        }
    }

    // Returns the column with this key. A collective without a column of its own is in the column of its GEMM.
    int columnOf(std::string_view key) const {
        auto found = std::find(m_columns.begin(), m_columns.end(), key);
        if (found == m_columns.end())
            found = std::find(m_columns.begin(), m_columns.end(), key.substr(0, key.find('/')));
        return found == m_columns.end() ? 0 : static_cast<int>(found - m_columns.begin());
    }

    // Returns the first column of the operators inside the layer if `op` is inside, else of those outside.
    int optimizerColumn(const Operator& op) const {
        for (std::uint32_t i = 0; i < m_cells.size(); ++i) {
            if (m_graph.operators[i].inLayer == op.inLayer)
                return columnOf(keyOf(m_graph.operators[i]));
        }
        return 0;
    }

    bool isSecondKernel(std::uint32_t i) const {
        return std::any_of(m_graph.edges.begin(), m_graph.edges.end(), [&](const engine::OperatorDependency& edge) {
            return edge.to == i && m_graph.operators[edge.from].pass == OperatorPass::optimizer;
        });
    }

    /// Returns the row of a pass. A collective that a GEMM feeds is in the row below.
    static int rowOf(OperatorPass pass) {
        switch (pass) {
        case OperatorPass::forward: return operator_row::forward;
        case OperatorPass::recompute: return operator_row::recompute;
        case OperatorPass::backward: return operator_row::backward;
        case OperatorPass::optimizer: break;
        }
        return operator_row::weights;
    }

    OperatorCell cellOf(std::uint32_t i) const {
        const Operator& op = m_graph.operators[i];
        if (const auto host = hostOf(i))
            return {columnOf(keyOf(m_graph.operators[*host])), rowOf(op.pass) + 1};
        if (op.pass == OperatorPass::optimizer)
            return {optimizerColumn(op), isSecondKernel(i) ? operator_row::secondKernel : operator_row::weights};
        if (isWeights(op))
            return {columnOf(keyOf(op)), operator_row::weights};
        return {columnOf(keyOf(op)), rowOf(op.pass)};
    }

    const OperatorGraph& m_graph;
    std::vector<OperatorCell> m_cells;
    std::vector<std::string_view> m_columns;
};

/// Separates operators that share a cell: the later one moves to the nearest free cell of its row, to the left if two
/// are equally near.
void separate(std::vector<OperatorCell>& cells, int columns) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto taken = [&](int column) {
            return std::any_of(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i),
                               [&](OperatorCell cell) { return cell.column == column && cell.row == cells[i].row; });
        };
        for (int step = 1; step <= columns && taken(cells[i].column); ++step) {
            for (const int column : {cells[i].column - step, cells[i].column + step}) {
                if (column >= 0 && column < columns && !taken(column)) {
                    cells[i].column = column;
                    break;
                }
            }
        }
    }
}

double gapBefore(int row, double line) {
    const bool named = row == operator_row::recompute || row == operator_row::backward || row == operator_row::weights;
    return named ? line * kBetweenPasses : line * kBetween;
}

void placeBoxes(OperatorLayout& layout, const QRectF& area, double line) {
    for (const OperatorCell& cell : layout.cells)
        layout.rows.push_back(cell.row);
    std::sort(layout.rows.begin(), layout.rows.end());
    layout.rows.erase(std::unique(layout.rows.begin(), layout.rows.end()), layout.rows.end());
    const auto count = static_cast<double>(std::max<std::size_t>(1, layout.rows.size()));
    double gaps = line * (kOver + kFrame);
    for (std::size_t i = 1; i < layout.rows.size(); ++i)
        gaps += gapBefore(layout.rows[i], line);
    // If even the lowest boxes do not fit, all heights and gaps shrink.
    const double unit = line * std::min(1.0, area.height() / (gaps + count * line * kLowest));
    gaps *= unit / line;
    const double height = std::clamp((area.height() - gaps) / count, unit * kLowest, line * kHighest);
    double top = area.top() + unit * kOver + std::max(0.0, area.height() - gaps - height * count) / 2;
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        if (i > 0)
            top += gapBefore(layout.rows[i], unit);
        layout.rowTops.push_back(top);
        top += height;
    }
    const double inner = area.width() - line * kFrame * 2;
    const double cell = inner / std::max(1, layout.columns);
    const double width = std::clamp(cell - std::min(line * kGap, cell * kGapShare), kLeastWidth, line * kWidest);
    for (const OperatorCell& place : layout.cells) {
        const auto row = static_cast<std::size_t>(std::lower_bound(layout.rows.begin(), layout.rows.end(), place.row) -
                                                  layout.rows.begin());
        const double centre = area.left() + line * kFrame + cell * (place.column + 0.5);
        layout.boxes.emplace_back(centre - width / 2, layout.rowTops[row], width, height);
    }
}

// Returns the points of an edge from one box to another. `between`: the gap between the boxes of two columns.
std::vector<QPointF> routed(const QRectF& from, const QRectF& to, OperatorCell a, OperatorCell b, double between,
                            double line) {
    const bool down = from.top() < to.top();
    if (a.column == b.column)
        return {{from.center().x(), down ? from.bottom() : from.top()},
                {to.center().x(), down ? to.top() : to.bottom()}};
    const bool right = a.column < b.column;
    const QPointF start(right ? from.right() : from.left(), from.center().y());
    const QPointF end(right ? to.left() : to.right(), to.center().y());
    if (a.row == b.row && std::abs(a.column - b.column) == 1)
        return {start, end};
    // An edge to a later pass goes sideways first, then straight down to its target.
    const auto pass = [](OperatorCell cell) {
        return cell.row < operator_row::recompute ? 0 : cell.row < operator_row::backward ? 1 : 2;
    };
    if (pass(a) < pass(b))
        return {start, {to.center().x(), start.y()}, {to.center().x(), to.top()}};
    const double gap = between / 2;
    const double out = right ? start.x() + gap : start.x() - gap;
    if (std::abs(a.column - b.column) == 1)
        return {start, {out, start.y()}, {out, end.y()}, end};
    // An edge that passes other boxes runs over the row of its target.
    const double lane = to.top() - line * kLane;
    const double in = to.center().x() + (right ? -to.width() : to.width()) * 0.25;
    if (a.row == b.row) {
        const double up = from.center().x() + (right ? from.width() : -from.width()) * 0.25;
        return {{up, from.top()}, {up, lane}, {in, lane}, {in, to.top()}};
    }
    return {start, {out, start.y()}, {out, lane}, {in, lane}, {in, to.top()}};
}

constexpr int kLeastColumn = 4;  // lines of text

}  // namespace

// Along a row: the next operator. Across rows: the operator in the nearest column of the next row that has any.
std::optional<std::uint32_t> OperatorLayout::towards(std::uint32_t from, int columnStep, int rowStep) const {
    const OperatorCell here = cells[from];
    std::optional<std::uint32_t> best;
    int least = 0;
    for (std::uint32_t i = 0; i < cells.size(); ++i) {
        const int ahead =
            columnStep != 0 ? (cells[i].column - here.column) * columnStep : (cells[i].row - here.row) * rowStep;
        const int aside = std::abs(columnStep != 0 ? cells[i].row - here.row : cells[i].column - here.column);
        if (ahead <= 0 || (columnStep != 0 && aside > 0))
            continue;
        const int cost = ahead * 100 + aside;
        if (!best || cost < least) {
            best = i;
            least = cost;
        }
    }
    return best;
}

OperatorLayout layoutOperators(const OperatorGraph& graph, const QRectF& area, double line) {
    OperatorLayout layout;
    if (graph.operators.empty())
        return layout;
    ColumnAssigner dealer(graph);
    layout.cells = dealer.deal();
    layout.columns = dealer.columns();
    separate(layout.cells, layout.columns);
    placeBoxes(layout, area, line);
    for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
        if (graph.operators[i].inLayer)
            layout.layer = layout.layer.united(layout.boxes[i]);
    }
    const double frame = line * kFrame;
    const double between = (area.width() - frame * 2) / std::max(1, layout.columns) - layout.boxes.front().width();
    layout.layer.adjust(-frame * 0.6, -line * (kOver - 0.1), frame * 0.6, frame);
    for (const engine::OperatorDependency& edge : graph.edges) {
        const QRectF& from = layout.boxes[edge.from];
        const QRectF& to = layout.boxes[edge.to];
        std::vector<QPointF> points =
            edge.saved ? std::vector<QPointF>{{from.center().x(), from.bottom()}, {to.center().x(), to.top()}}
                       : routed(from, to, layout.cells[edge.from], layout.cells[edge.to], between, line);
        layout.edges.push_back({edge.from, edge.to, edge.saved, std::move(points)});
    }
    return layout;
}

OperatorCanvas::OperatorCanvas(QWidget* parent)
    : PartPicture({.name = QStringLiteral("operatorGraph"), .spoken = tr("Operators of a layer"), .least = {30, 8}},
                  parent) {}

QSize OperatorCanvas::sizeHint() const {
    return QSize(std::max(30, m_layout.columns * kLeastColumn), 24) * fontMetrics().height();
}

// Keeps the operator selected if the new graph has it, too.
void OperatorCanvas::showRun(std::shared_ptr<const data::ModelRun> run, std::size_t policy) {
    const std::string kept = m_selected && m_run ? m_run->graph.operators[*m_selected].id : std::string();
    m_run = std::move(run);
    m_policy = policy;
    m_selected.reset();
    if (m_run && !kept.empty()) {
        if (const engine::Operator* op = m_run->graph.find(kept))
            m_selected = static_cast<std::uint32_t>(op - m_run->graph.operators.data());
    }
    setMinimumWidth(leastWidth());
    relayout();
    Q_EMIT selectionChanged();
}

// A Transformer's graph has few columns; that of a network may have hundreds, which are not made narrower than their
// texts.
int OperatorCanvas::leastWidth() const {
    if (!m_run || !m_run->graph.network)
        return 0;
    const int columns = layoutOperators(m_run->graph, {0, 0, 1000, 1000}, line()).columns;
    constexpr int kMostColumns = 200;  // an image of the whole graph is kept
    return std::min(columns, kMostColumns) * kLeastColumn * fontMetrics().height();
}

void OperatorCanvas::setColouring(OperatorColouring colouring) {
    m_colouring = colouring;
    relayout();
}

void OperatorCanvas::setStale(bool stale) {
    m_stale = stale;
    follow();
}

void OperatorCanvas::select(std::optional<std::uint32_t> op) {
    if (m_selected == op)
        return;
    m_selected = op;
    follow();
    Q_EMIT selectionChanged();
}

// Gives screen readers the text that the panel below shows.
QString OperatorCanvas::spokenText() const {
    if (!m_selected)
        return headlineOf(*m_run, policy());
    return QString::fromStdString(m_run->graph.operators[*m_selected].title) + QStringLiteral(": ") +
           timeLines(*m_run, policy(), *m_selected).join(QStringLiteral("; "));
}

double OperatorCanvas::shareOf(std::uint32_t op) const {
    const data::ModelTime& time = policy().operators[op].time;
    const engine::Duration counted = m_colouring == OperatorColouring::exposed ? time.exposed() : time.total();
    const auto total = static_cast<double>(policy().time.total().ps);
    const auto all = static_cast<double>(counted.ps) * static_cast<double>(m_run->graph.operators[op].count);
    return total > 0 ? all / total : 0;
}

void OperatorCanvas::layOut() {
    const QRectF area = QRectF(rect()).adjusted(line() * 0.6, line() * 1.6, -line() * 0.6, -line() * 0.3);
    m_layout = m_run ? layoutOperators(m_run->graph, area, line()) : OperatorLayout{};
    m_most = 0;
    for (std::uint32_t op = 0; op < m_layout.boxes.size(); ++op)
        m_most = std::max(m_most, shareOf(op));
}

std::vector<Part> OperatorCanvas::parts() {
    std::vector<Part> parts;
    for (std::uint32_t op = 0; op < m_layout.boxes.size(); ++op)
        parts.push_back({m_layout.boxes[op],
                         [this, op](QPointF) { return tipOf(op); },
                         [this, op](QPointF) { select(op); },
                         {},
                         [this, op] { Q_EMIT openRequested(op); }});
    parts.push_back({rect(), {}, [this](QPointF) { select(std::nullopt); }});
    return parts;
}

QString OperatorCanvas::tipOf(std::uint32_t op) const {
    QStringList lines{QString::fromStdString(m_run->graph.operators[op].title)};
    lines << timeLines(*m_run, policy(), op) << QString::fromStdString(m_run->graph.operators[op].formula);
    if (openedExperiment(*m_run, op))
        lines << tr("Double-click to open it in Explore.");
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

void OperatorCanvas::walk(int key) {
    if (!m_selected) {
        select(0);
        return;
    }
    const int columns = key == Qt::Key_Left ? -1 : key == Qt::Key_Right ? 1 : 0;
    const int rows = key == Qt::Key_Up ? -1 : key == Qt::Key_Down ? 1 : 0;
    if (const auto next = m_layout.towards(*m_selected, columns, rows))
        select(next);
}

std::function<void()> OperatorCanvas::actionOf(int key) {
    if (isArrow(key))
        return [this, key] { walk(key); };
    if (key == Qt::Key_Home || key == Qt::Key_End)
        return [this, op = key == Qt::Key_Home ? 0 : m_layout.boxes.size() - 1] {
            select(static_cast<std::uint32_t>(op));
        };
    if (!isEnter(key))
        return {};
    return [this] {
        if (m_selected)
            Q_EMIT openRequested(*m_selected);
    };
}

}  // namespace ui
