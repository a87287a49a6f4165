// The drawing functions of StepCanvas.
#include "data/figure/step_figures.h"
#include "ui/drawing/figure_style.h"
#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"
#include "ui/model/step_canvas.h"
#include "ui/model/step_facts.h"
#include "ui/model/task_facts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ui {
namespace {

constexpr double kNarrowPass = 3;     // pixels: narrower passes are stacked in columns
constexpr double kMixedPasses = 8;    // around a column, of which it shows the mix
constexpr double kLeastMix = 8;       // pixels
constexpr double kWeightTint = 0.3;   // of the surface: columns have no room for the rows of a weight pass
constexpr double kPassWithSeam = 5;   // pixels: narrower passes have no seam
constexpr int kSeam = 150;            // of 255: how strongly the surface covers a seam or a border of a layer
constexpr double kNumberPixels = 14;  // a pass with its number
constexpr double kSectionPixels = 3;  // a layer with its border
constexpr double kStale = 0.45;
constexpr double kTensorStrip = 0.18;  // of the height of a pass
constexpr double kSwatchLines = 1.25, kLegendRowLines = 1.3;

/// Returns the fill that figures of a step have in a theme of the window.
Fill fillOf(const std::string& meaning, const Palette& colors) {
    const FigureFill fill = styleOf(meaning, colors.theme).fill;
    return {fill.colour, fill.textureInk, fill.texture};
}

/// The line through the critical chain. Where its tasks are too narrow, lines from row to row would fill the picture:
/// there each row that the chain visits has a line of its own.
class ChainLine {
public:
    explicit ChainLine(std::size_t rows) : m_runs(rows) {}

    void add(std::size_t row, double left, double right, double y) {
        const bool isNarrow = m_before && right - *m_before < kNarrowPass;
        m_before = left;
        if (isNarrow) {
            extend(m_runs[row], {left, right, y});
        } else {
            m_joins ? m_path.lineTo(left, y) : m_path.moveTo(left, y);
            m_path.lineTo(right, y);
        }
        m_joins = !isNarrow;
    }

    QPainterPath path() {
        for (std::optional<Run>& run : m_runs)
            close(run);
        return m_path;
    }

private:
    struct Run {
        double left = 0, right = 0, y = 0;
    };

    void extend(std::optional<Run>& run, const Run& by) {
        if (run && by.left - run->right < kNarrowPass) {
            run->right = std::max(run->right, by.right);
            return;
        }
        close(run);
        run = by;
    }

    void close(std::optional<Run>& run) {
        if (run) {
            m_path.moveTo(run->left, run->y);
            m_path.lineTo(run->right, run->y);
        }
        run.reset();
    }

    QPainterPath m_path;
    std::vector<std::optional<Run>> m_runs;  // by row
    std::optional<double> m_before;          // left end of the task before
    bool m_joins = false;
};

}  // namespace

struct StepCanvas::Looks {
    const Palette& colors;
    double spacing;
    std::array<std::array<Fill, 2>, 3> pass;  // by kind, then by whether the chunk is beyond the first
    Fill exposed, data, send, optimizer, bubble;

    explicit Looks(const Palette& palette, double line)
        : colors(palette), spacing(line * 0.35), exposed{palette.of(Role::exposed), {}, Texture::plain},
          data{palette.of(Role::reduceScatter), {}, Texture::plain}, send{palette.of(Role::link), {}, Texture::plain},
          optimizer(fillOf("optimizer", palette)), bubble(emptySlotFill(palette)) {
        for (const auto kind : {engine::PassKind::forward, engine::PassKind::backward, engine::PassKind::weight}) {
            for (const std::int64_t chunk : {0, 1})
                pass[static_cast<std::size_t>(kind)][static_cast<std::size_t>(chunk)] =
                    fillOf(data::meaningOf({kind, 0, chunk}), palette);
        }
    }

    const Fill& of(const ShownPass& shown) const {
        return pass[static_cast<std::size_t>(shown.kind)][shown.isLater ? 1 : 0];
    }
};

void StepCanvas::paintBackground(QPainter& painter) {
    painter.fillRect(rect(), colors().surface);
    if (m_stale)
        painter.setOpacity(kStale);
    const Looks looks(colors(), line());
    paintAxis(painter);
    const std::vector<double> usual = usualPasses();
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        paintRow(painter, looks, row, usual[m_rows[row].group]);
    if (m_pinned)
        paintPinned(painter);
    paintLabels(painter);
    if (!showsTasks())
        paintHeld(painter);
    if (m_showsChain)
        paintChain(painter);
    paintLegend(painter, looks);
}

void StepCanvas::paintMoment(QPainter& painter, const QRegion&) {
    if (m_chosen)
        paintChoice(painter);
}

void StepCanvas::paintAxis(QPainter& painter) const {
    const TimelineGeometry geometry = this->geometry();
    const double bottom = m_heldTop + m_heldHeight;
    painter.setFont(font());
    const int most = std::max(2, static_cast<int>(geometry.width / (line() * 7)));
    if (showsTasks()) {
        painter.setPen(colors().inkSoft);
        const QString unit = text(m_steps.front().tasks->document().unit);
        painter.drawText(QRectF(line() * 0.5, line() * 0.2, m_gutter - line(), line()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font()).elidedText(unit, Qt::ElideRight, m_gutter - line()));
    }
    for (const Tick& tick :
         showsTasks() ? unitTicks(*m_steps.front().tasks, range(), most) : timeTicks(range(), most)) {
        const double x = snapped(geometry.xOf(tick.ps));
        painter.setPen(QPen(colors().grid, pixel()));
        painter.drawLine(QPointF(x, m_axis - line() * 0.2), QPointF(x, bottom));
        painter.setPen(colors().inkSoft);
        const QFontMetricsF metrics(font());
        const double width = metrics.horizontalAdvance(tick.label);
        const double left = std::clamp(x - width / 2, m_gutter, geometry.left + geometry.width - width);
        painter.drawText(QRectF(left, m_axis - line() * 1.4, width + 1, line()), Qt::AlignLeft | Qt::AlignVCenter,
                         tick.label);
    }
}

std::span<const ShownPass> StepCanvas::visiblePasses(const StageRow& row) const {
    const auto first = std::ranges::upper_bound(row.passes, range().start, {}, &ShownPass::end);
    const auto last = std::ranges::lower_bound(row.passes, range().end, {}, &ShownPass::begin);
    return first < last ? std::span(first, last) : std::span<const ShownPass>();
}

std::vector<double> StepCanvas::usualPasses() const {
    struct Mean {
        double sum = 0, count = 0;
    };
    std::vector<Mean> means(m_steps.size());
    for (const StageRow& row : m_rows) {
        Mean& mean = means[row.group];
        for (const ShownPass& pass : visiblePasses(row)) {
            mean.sum += static_cast<double>(pass.end - pass.begin);
            ++mean.count;
        }
    }
    std::vector<double> widths;
    widths.reserve(means.size());
    for (const Mean& mean : means)
        widths.push_back(mean.sum / std::max(1.0, mean.count) / psPerPixel());
    return widths;
}

void StepCanvas::paintRow(QPainter& painter, const Looks& looks, std::size_t row, double usualPass) const {
    const TimelineGeometry geometry = this->geometry();
    const RowBox& box = m_boxes[row];
    const StageRow& of = m_rows[row];
    const double left = geometry.left, right = geometry.left + geometry.width;
    painter.save();
    painter.setClipRect(QRectF(left, 0, right - left, height()));
    const std::int64_t end = m_steps[of.group].end();
    const double until = std::min(right, geometry.xOf(end));
    if (until > left)
        paintFill(painter, QRectF(left, box.top, until - left, box.height), looks.bubble, looks.spacing);
    if (usualPass < kNarrowPass)
        paintColumns(painter, looks, row, usualPass);
    else
        paintPasses(painter, looks, row, usualPass);
    for (const StepBar& span : of.optimizer) {
        if (span.end < range().start || span.begin > range().end)
            continue;
        const double from = geometry.xOf(span.begin), to = std::max(from + pixel(), geometry.xOf(span.end));
        paintFill(painter, QRectF(from, box.top, to - from, box.height), looks.optimizer, looks.spacing);
    }
    paintStrips(painter, looks, row);
    painter.restore();
}

// From the top: waiting for tensor messages, weight passes, backward passes, forward passes; the rest is bubble. Kinds
// alternate faster than columns can show: each column has the mix of the passes around it.
void StepCanvas::paintColumns(QPainter& painter, const Looks& looks, std::size_t row, double usualPass) const {
    const TimelineGeometry geometry = this->geometry();
    const RowBox& box = m_boxes[row];
    const std::int64_t end = std::min(range().end, m_steps[m_rows[row].group].end());
    const double column = pixel();
    const auto xOf = [&](std::size_t i) { return geometry.left + static_cast<double>(i) * column; };
    std::vector<std::int64_t> edges{geometry.timeAt(geometry.left)};
    while (xOf(edges.size() - 1) < geometry.left + geometry.width && edges.back() < end)
        edges.push_back(std::min(end, geometry.timeAt(xOf(edges.size()))));
    std::vector<StepShares> columns = columnsOf(m_rows[row], edges);
    const double around = std::max(kLeastMix, usualPass * kMixedPasses) / column / 2;
    columns = withMixAround(columns, static_cast<std::size_t>(std::ceil(around)), 2);
    // Neighbours that end at the same pixels are one rectangle: most of thousands of columns.
    const std::array kinds{&StepShares::forward, &StepShares::backward, &StepShares::weight, &StepShares::tensor};
    const std::array fills{looks.pass[0][0].color, looks.pass[1][0].color,
                           Palette::mixed(looks.pass[2][0].color, colors().surface, kWeightTint), looks.exposed.color};
    const double scale = 1 / column;  // asked once: there are many columns
    const auto rowOf = [&](double share) {
        return static_cast<int>((box.top + box.height * (1 - share)) * scale + 0.5);
    };
    std::vector<double> shares(columns.size(), 0);                             // of the kinds so far
    std::vector<int> bottoms(columns.size(), rowOf(0)), tops(columns.size());  // in pixels
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            shares[i] += columns[i].*kinds[kind];
            tops[i] = rowOf(shares[i]);
        }
        std::size_t first = 0;
        for (std::size_t i = 1; i <= columns.size(); ++i) {
            if (i < columns.size() && tops[i] == tops[first] && bottoms[i] == bottoms[first])
                continue;
            if (tops[first] < bottoms[first])
                painter.fillRect(
                    QRectF(QPointF(xOf(first), tops[first] / scale), QPointF(xOf(i), bottoms[first] / scale)),
                    fills[kind]);
            first = i;
        }
        bottoms.swap(tops);
    }
}

// All passes of a step have seams between them or none has: where only some are wide enough, seams look like waits. A
// wait that is too short to be seen is closed, because its pixel would be there in some places and not in others.
void StepCanvas::paintPasses(QPainter& painter, const Looks& looks, std::size_t row, double usualPass) const {
    const TimelineGeometry geometry = this->geometry();
    const RowBox& box = m_boxes[row];
    const QColor seam = Palette::seeThrough(colors().surface, kSeam);
    const std::span<const ShownPass> passes = visiblePasses(m_rows[row]);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const double left = snapped(geometry.xOf(passes[i].begin)), end = geometry.xOf(passes[i].end);
        const double next = i + 1 < passes.size() ? geometry.xOf(passes[i + 1].begin) : end + 2 * pixel();
        const bool touches = next - end < pixel();
        const double right = std::max(left + pixel(), snapped(touches ? next : end));
        paintPass(painter, looks, row, passes[i], QRectF(left, box.top, right - left, box.height));
        if (touches && usualPass > kPassWithSeam)
            painter.fillRect(QRectF(right - pixel(), box.top, pixel(), box.height), seam);
    }
}

void StepCanvas::paintPass(QPainter& painter, const Looks& looks, std::size_t row, const ShownPass& pass,
                           const QRectF& whole) const {
    const TimelineGeometry geometry = this->geometry();
    const RowBox& box = m_boxes[row];
    const Fill& fill = looks.of(pass);
    paintFill(painter, whole, fill, looks.spacing);
    const double tensor = pass.tensorShare();
    if (tensor > 0 && box.height > line() * 0.6) {
        const double strip = std::max(2 * pixel(), box.height * kTensorStrip);
        painter.fillRect(QRectF(whole.left(), whole.bottom() - strip, whole.width() * tensor, strip),
                         looks.exposed.color);
    }
    if (const auto sections = static_cast<double>(sectionsOf(m_rows[row], pass)); sections > 0) {
        if (whole.width() / sections >= kSectionPixels)
            paintSections(painter, looks, row, pass);
        if (whole.width() / sections >= kOperatorPixels)
            return;  // the names of operators take the place of the number
    }
    if (whole.width() < kNumberPixels)
        return;
    const QString number = boxTextOf(m_rows[row], pass);
    const QRectF visible = whole & QRectF(geometry.left, box.top, geometry.width, box.height);
    const QFontMetricsF metrics(font());
    if (visible.width() < std::max(kNumberPixels, metrics.horizontalAdvance(number) + 2) || box.height < line() * 0.95)
        return;
    // Rows of a weight pass would run through its number.
    const QRectF text = metrics.boundingRect(visible, Qt::AlignCenter, number).adjusted(-2, 0, 2, 0);
    if (fill.texture != Texture::plain)
        painter.fillRect(text, fill.color);
    painter.setPen(Palette::inkOn(fill.color));
    painter.drawText(visible, Qt::AlignCenter, number);
}

void StepCanvas::paintSections(QPainter& painter, const Looks& looks, std::size_t row, const ShownPass& pass) const {
    const TimelineGeometry geometry = this->geometry();
    const RowBox& box = m_boxes[row];
    const QColor border = Palette::seeThrough(colors().surface, kSeam);
    for (const PlacedSection& section : placedSections(stepOf(m_rows[row]), pass)) {
        if (section.end < range().start || section.begin > range().end)
            continue;
        const double left = geometry.xOf(section.begin), right = geometry.xOf(section.end);
        if (right - left >= kOperatorPixels)
            paintOperators(painter, looks, QRectF(left, box.top, right - left, box.height), *section.section,
                           section.begin, section.end);
        painter.setPen(QPen(border, pixel()));
        painter.drawLine(QPointF(snapped(left), box.top), QPointF(snapped(left), box.top + box.height));
    }
}

// Two lanes: compute above, tensor below.
void StepCanvas::paintOperators(QPainter& painter, const Looks& looks, const QRectF& box,
                                const data::SectionTime& section, std::int64_t, std::int64_t) const {
    if (section.total.ps == 0 || !m_run)
        return;
    painter.fillRect(box, colors().surface);
    const double perPs = box.width() / static_cast<double>(section.total.ps);
    const QFontMetricsF metrics(font());
    for (const data::SectionSpan& span : section.spans) {
        const engine::Operator& op = m_run->graph.operators[span.op];
        const double top = span.isTensor ? box.top() + box.height() * kComputeLane : box.top();
        const double height = box.height() * (span.isTensor ? 1 - kComputeLane : kComputeLane) - pixel();
        const QRectF place(box.left() + static_cast<double>(span.begin.ps) * perPs, top,
                           std::max(pixel(), static_cast<double>((span.end - span.begin).ps) * perPs - pixel()),
                           height);
        const QColor fill = span.isTensor ? looks.exposed.color
                                          : colorOf(partOf(op, m_run->policies.front().operators[span.op]), colors());
        painter.fillRect(place, fill);
        const QString name = shortName(op);
        if (place.width() > metrics.horizontalAdvance(name) + 6 && height > line() * 0.8) {
            painter.setPen(Palette::inkOn(fill));
            painter.drawText(place, Qt::AlignCenter, name);
        }
    }
}

void StepCanvas::paintStrips(QPainter& painter, const Looks& looks, std::size_t row) const {
    const RowBox& box = m_boxes[row];
    if (box.strips <= 0)
        return;
    const TimelineGeometry geometry = this->geometry();
    const auto paint = [&](const std::vector<StepBar>& spans, const Fill& fill, double top) {
        double painted = -1;
        auto span = std::ranges::upper_bound(spans, range().start, {}, &StepBar::end);
        for (; span != spans.end() && span->begin < range().end; ++span) {
            const double left = std::max(painted, geometry.columnOf(span->begin));
            const double right = std::max(geometry.columnOf(span->begin) + pixel(), geometry.xOf(span->end));
            if (right > left)
                painter.fillRect(QRectF(left, top, right - left, box.strips - pixel()), fill.color);
            painted = right;
        }
    };
    paint(m_rows[row].messages, looks.data, box.top + box.height + pixel());
    paint(m_rows[row].sends, looks.send, box.top + box.height + box.strips + pixel());
}

void StepCanvas::paintLabels(QPainter& painter) const {
    const TimelineGeometry geometry = this->geometry();
    const QFontMetricsF metrics(font());
    painter.setFont(strongFont(font()));
    painter.setPen(colors().ink);
    for (std::size_t i = 0; i < m_headings.size(); ++i) {
        const data::ModelStep& step = *m_steps[i].step;
        painter.drawText(QRectF(line() * 0.5, m_headings[i] + line() * 0.2, width() - line(), line() * 1.2),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("%1: %2, bubble %3")
                             .arg(m_steps[i].title, formatTime(step.total.ps), formatShare(step.bubbleShare)));
    }
    painter.setFont(font());
    double free = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const double centre = m_boxes[i].top + m_boxes[i].height / 2;
        if (centre - line() / 2 >= free) {
            painter.setPen(m_chosen && m_chosen->row == i ? colors().accent : colors().inkSoft);
            painter.drawText(QRectF(line() * 0.5, centre - line() * 0.6, m_gutter - line(), line() * 1.2),
                             Qt::AlignLeft | Qt::AlignVCenter, m_rows[i].label);
            free = centre + line() * 0.5;
        }
        const QString share = formatShare(m_rows[i].idleShare);
        const QRectF gap(geometry.xOf(m_rows[i].gapBegin), m_boxes[i].top,
                         geometry.xOf(m_rows[i].gapEnd) - geometry.xOf(m_rows[i].gapBegin), m_boxes[i].height);
        const QRectF visible = gap & QRectF(geometry.left, 0, geometry.width, height());
        const QRectF text = metrics.boundingRect(visible, Qt::AlignCenter, share).adjusted(-3, 0, 3, 0);
        // Enough of the bubble stays visible on both sides.
        if (visible.width() < text.width() + line() * 1.2 || visible.height() < line() * 0.95)
            continue;
        painter.fillRect(text, colors().surface);
        painter.setPen(colors().inkSoft);
        painter.drawText(visible, Qt::AlignCenter, share);
    }
}

// The curve of the chosen stage, or of the stage that holds most.
void StepCanvas::paintHeld(QPainter& painter) const {
    if (m_rows.empty())
        return;
    std::size_t shown = m_chosen ? m_chosen->row : 0;
    if (!m_chosen) {
        const auto bytes = [&](const StageRow& row) {
            return stepOf(row).stages[static_cast<std::size_t>(row.stage)].footprint.bytes.total();
        };
        for (std::size_t i = 1; i < m_rows.size(); ++i) {
            if (bytes(m_rows[i]) > bytes(m_rows[shown]))
                shown = i;
        }
    }
    const StageRow& row = m_rows[shown];
    const std::vector<HeldBytes> held = heldOverTime(stepOf(row), row);
    double most = 0;
    for (const HeldBytes& each : held)
        most = std::max(most, each.bytes);
    const double top = std::max(most, m_capacity.value_or(0)) * 1.08;
    if (top <= 0)
        return;
    const TimelineGeometry geometry = this->geometry();
    const QRectF area(geometry.left, m_heldTop, geometry.width, m_heldHeight);
    const auto yOf = [&](double bytes) { return area.bottom() - bytes / top * (area.height() - line() * 0.2); };
    painter.save();
    painter.setClipRect(area.adjusted(0, -1, 1, 1));
    QPainterPath path(QPointF(area.left(), area.bottom()));
    double y = yOf(held.front().bytes);
    path.lineTo(area.left(), y);
    for (const HeldBytes& each : held) {
        const double x = std::clamp(geometry.xOf(each.ps), area.left(), area.right());
        path.lineTo(x, y);
        y = yOf(each.bytes);
        path.lineTo(x, y);
    }
    const double end = std::min(area.right(), geometry.xOf(stepOf(row).timetable.makespan));
    path.lineTo(end, y);
    path.lineTo(end, area.bottom());
    painter.setPen(QPen(colors().inkSoft, 1.2));
    painter.setBrush(Palette::seeThrough(colors().inkSoft, 40));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawPath(path);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_capacity) {
        painter.setPen(QPen(colors().error, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), yOf(*m_capacity)), QPointF(area.right(), yOf(*m_capacity)));
    }
    painter.restore();
    painter.setPen(colors().inkSoft);
    QRectF label(line() * 0.5, area.top(), m_gutter - line(), line() * 1.2);
    const auto say = [&](const QString& text) {
        painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, text);
        label.translate(0, line() * 1.15);
    };
    say(tr("Held by stage %1").arg(row.stage));
    if (m_steps.size() > 1)
        say(m_steps[row.group].title);
    say(tr("most %1").arg(formatBytes(std::llround(most))));
    if (m_capacity) {
        painter.setPen(colors().error);
        say(tr("GPU has %1").arg(formatBytes(std::llround(*m_capacity))));
    }
}

void StepCanvas::paintPinned(QPainter& painter) const {
    const TimelineGeometry geometry = this->geometry();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().ink, pixel(), Qt::DotLine));
    painter.save();
    painter.setClipRect(QRectF(geometry.left, 0, geometry.width, height()));
    for (std::size_t row = 0; row < std::min(m_pinnedRows.size(), m_boxes.size()); ++row) {
        const RowBox& box = m_boxes[row];
        double painted = -1e9;
        for (const ShownPass& pass : m_pinnedRows[row].passes) {
            const double left = geometry.xOf(pass.begin), right = geometry.xOf(pass.end);
            if (right - painted < kNarrowPass || pass.end < range().start || pass.begin > range().end)
                continue;
            painter.drawRect(QRectF(left, box.top + 1, right - left, box.height - 2));
            painted = right;
        }
    }
    const double end = geometry.xOf(m_pinned->timetable.makespan);
    painter.setPen(QPen(colors().ink, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(end, m_axis), QPointF(end, m_heldTop));
    painter.restore();
}

// A frame around each task of the chain, and lines from one to the next.
void StepCanvas::paintChain(QPainter& painter) const {
    if (m_steps.size() != 1)
        return;
    const TimelineGeometry geometry = this->geometry();
    painter.save();
    painter.setClipRect(QRectF(geometry.left, 0, geometry.width, m_heldTop));
    painter.setRenderHint(QPainter::Antialiasing);
    // On the upper part of the passes, beside their numbers; a halo sets the line off from their colours.
    constexpr double kHeight = 0.16;
    ChainLine chain(m_rows.size());
    for (const ChainBar& bar : chainBars(m_steps.front())) {
        if (bar.end < range().start || bar.begin > range().end)
            continue;
        const RowBox& box = m_boxes[bar.row];
        const double y = bar.isMessage ? box.top + box.height + box.strips : box.top + box.height * kHeight;
        chain.add(bar.row, geometry.xOf(bar.begin), geometry.xOf(bar.end), y);
    }
    const QPainterPath path = chain.path();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().surface, 5, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPath(path);
    painter.setPen(QPen(colors().ink, 2.5, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPath(path);
    painter.restore();
}

void StepCanvas::paintChoice(QPainter& painter) const {
    const StageRow& row = m_rows[m_chosen->row];
    const ShownPass& pass = row.passes[m_chosen->pass];
    const RowBox& box = m_boxes[m_chosen->row];
    const TimelineGeometry geometry = this->geometry();
    std::int64_t begin = pass.begin, end = pass.end;
    if (m_chosen->section) {
        if (const auto section = sectionNumbered(stepOf(row), pass, *m_chosen->section)) {
            begin = section->begin;
            end = section->end;
        }
    }
    painter.save();
    painter.setClipRect(QRectF(geometry.left - 2, 0, geometry.width + 4, height()));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().ink, 2));
    const double left = geometry.xOf(begin), right = std::max(left + 3, geometry.xOf(end));
    painter.drawRect(QRectF(left, box.top - 1, right - left, box.height + 2));
    painter.restore();
}

// Returns the entries without their places.
std::vector<StepCanvas::LegendEntry> StepCanvas::meaningsOf(const Looks& looks) const {
    if (showsTasks()) {
        const OpenedTasks& tasks = *m_steps.front().tasks;
        std::vector<LegendEntry> entries;
        for (const TaskLook& look : looksOf(tasks))
            entries.push_back({looks.pass[static_cast<std::size_t>(look.kind)][0], look.title, {}});
        entries.push_back({looks.bubble, idleWord(tasks), {}});
        return entries;
    }
    bool weight = false, messages = false, sends = false, tensor = false, optimizer = false, backward = false;
    for (const StageRow& row : m_rows) {
        weight = weight || engine::splitsBackward(stepOf(row).shape.schedule);
        messages = messages || !row.messages.empty();
        sends = sends || !row.sends.empty();
        optimizer = optimizer || !row.optimizer.empty();
        tensor = tensor || (!row.passes.empty() && row.passes.front().tensorTime > 0);
        backward = backward || !stepOf(row).shape.forwardOnly;
    }
    std::vector<LegendEntry> entries{{looks.pass[0][0], tr("forward pass"), {}}};
    if (backward)
        entries.push_back({looks.pass[1][0], tr("backward pass"), {}});
    if (weight)
        entries.push_back({looks.pass[2][0], tr("weight pass"), {}});
    entries.push_back({looks.bubble, tr("bubble"), {}});
    if (optimizer)
        entries.push_back({looks.optimizer, tr("optimizer"), {}});
    if (tensor)
        entries.push_back({looks.exposed, tr("waiting for tensor messages"), {}});
    if (messages)
        entries.push_back({looks.data, tr("data messages"), {}});
    if (sends)
        entries.push_back({looks.send, tr("sends"), {}});
    return entries;
}

std::vector<StepCanvas::LegendEntry> StepCanvas::legendOf(const Looks& looks) const {
    std::vector<LegendEntry> entries = meaningsOf(looks);
    const QFontMetricsF metrics(font());
    QPointF at(m_gutter, 0);
    for (LegendEntry& entry : entries) {
        const double width = line() * kSwatchLines + metrics.horizontalAdvance(entry.text);
        if (at.x() > m_gutter && at.x() + width > this->width())
            at = {m_gutter, at.y() + line() * kLegendRowLines};
        entry.at = at;
        at.rx() += width + line();
    }
    return entries;
}

double StepCanvas::legendHeight() const {
    return legendOf(Looks(colors(), line())).back().at.y() + line() * kLegendRowLines;
}

void StepCanvas::paintLegend(QPainter& painter, const Looks& looks) const {
    painter.setFont(font());
    for (const LegendEntry& entry : legendOf(looks)) {
        const QRectF swatch(entry.at.x(), entry.at.y() + line() * 0.45, line() * 0.9, line() * 0.8);
        paintFill(painter, swatch, entry.fill, looks.spacing);
        painter.setPen(colors().inkSoft);
        painter.drawText(
            QRectF(entry.at.x() + line() * kSwatchLines, entry.at.y() + line() * 0.25, width(), line() * 1.2),
            Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    }
}

}  // namespace ui
