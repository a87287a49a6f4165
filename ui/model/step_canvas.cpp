#include "ui/model/step_canvas.h"

#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/model/step_facts.h"
#include "ui/model/task_facts.h"

#include <QFontMetricsF>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kAxisLines = 1.6, kHeadingLines = 1.5, kHeldLines = 4, kLegendLines = 2.6, kBottomLines = 0.5;
constexpr double kLeastRow = 10;  // pixels, without strips
constexpr double kMostRowLines = 7, kHeldShare = 0.2;
constexpr double kRowWithStripsLines = 1.9;  // a lower row has no strips
constexpr double kMargin = 0.04;             // on both sides of what is zoomed to

}  // namespace

StepCanvas::StepCanvas(QWidget* parent)
    : RangePicture({.name = QStringLiteral("stepPicture"), .spoken = tr("The step over time"), .least = {30, 10}},
                   parent) {}

QSize StepCanvas::sizeHint() const { return QSize(60, 24) * fontMetrics().height(); }

QSize StepCanvas::minimumSizeHint() const {
    const double least = static_cast<double>(m_rows.size()) * (kLeastRow + 2);
    const double around =
        fontMetrics().height() * (kAxisLines + (showsTasks() ? 0 : kHeldLines) + kLegendLines + kBottomLines + 1 +
                                  kHeadingLines * static_cast<double>(m_headings.size()));
    return PartPicture::minimumSizeHint().expandedTo(QSize(0, static_cast<int>(least + around)));
}

void StepCanvas::showSteps(std::vector<ShownStep> steps, std::shared_ptr<const data::ModelRun> run,
                           std::shared_ptr<const data::ModelStep> pinned, std::optional<double> capacity) {
    const auto tasksOf = [](const std::vector<ShownStep>& of) { return of.empty() ? nullptr : of.front().tasks; };
    const bool other = steps.size() != m_steps.size() || m_rows.empty() || tasksOf(steps) != tasksOf(m_steps);
    m_steps = std::move(steps);
    m_run = std::move(run);
    m_pinned = std::move(pinned);
    m_capacity = capacity;
    const std::vector<StageRow> before = std::exchange(m_rows, stageRows(m_steps));
    m_pinnedRows = m_pinned ? stageRows({{{}, m_pinned}}) : std::vector<StageRow>{};
    const std::int64_t end = std::max(endOf(m_steps), m_pinned ? m_pinned->timetable.makespan : 1);
    if (other || end != wholeEnd() || before.size() != m_rows.size())
        setWhole(end);
    const bool known =
        !other && m_chosen && m_chosen->row < m_rows.size() && m_chosen->pass < m_rows[m_chosen->row].passes.size();
    if (!known)
        m_chosen.reset();
    else if (m_chosen->section)
        m_chosen->section.reset();
    updateGeometry();
    relayout();
    Q_EMIT chosenChanged();
}

void StepCanvas::setStale(bool stale) {
    m_stale = stale;
    repaintAll();
}

void StepCanvas::setChainShown(bool shown) {
    if (m_showsChain == shown)
        return;
    m_showsChain = shown;
    repaintAll();
    Q_EMIT chainToggled(shown);
}

void StepCanvas::choose(std::optional<StepChoice> choice) {
    if (m_chosen == choice)
        return;
    m_chosen = choice;
    repaintAll();
    Q_EMIT chosenChanged();
}

TimelineGeometry StepCanvas::geometry() const {
    const double right = line() * 0.8;
    return {range(), m_gutter, std::max(1.0, width() - m_gutter - right), pixel()};
}

void StepCanvas::layOut() {
    m_boxes.clear();
    m_headings.clear();
    const QFontMetricsF metrics(font());
    m_gutter = line();
    for (const StageRow& row : m_rows)
        m_gutter = std::max(m_gutter, metrics.horizontalAdvance(row.label) + line() * 1.6);
    // The legend is above the rows, where it is seen without scrolling even if many rows are shown.
    m_axis = (m_rows.empty() ? 0 : legendHeight()) + line() * kAxisLines;
    const bool headed = m_steps.size() > 1;
    const double headings = headed ? line() * kHeadingLines * static_cast<double>(m_steps.size()) : 0;
    const double bottom = height() - line() * kBottomLines;
    m_heldHeight = showsTasks() ? 0 : std::max(line() * kHeldLines, height() * kHeldShare);
    const double rows = static_cast<double>(std::max<std::size_t>(1, m_rows.size()));
    const double room = bottom - m_heldHeight - line() * 0.8 - m_axis - headings;
    const double each = std::clamp(room / rows, kLeastRow + 1, line() * kMostRowLines);
    double top = m_axis;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (headed && (i == 0 || m_rows[i].group != m_rows[i - 1].group)) {
            m_headings.push_back(top);
            top += line() * kHeadingLines;
        }
        const bool strips = each >= line() * kRowWithStripsLines && !m_rows[i].messages.empty();
        const bool sends = each >= line() * kRowWithStripsLines && !m_rows[i].sends.empty();
        RowBox box;
        box.top = snapped(top);
        box.strips = strips || sends ? snapped(std::min(each * 0.12, line() * 0.45)) : 0;
        box.height = snapped(top + each * 0.9 - 2 * box.strips) - box.top;
        m_boxes.push_back(box);
        top += each;
    }
    m_heldTop = top + line() * 0.6;
    if (showsTasks()) {  // no curve
        m_heldTop = top;
        return;
    }
    m_heldHeight = std::max(line() * 2, bottom - m_heldTop);
}

std::optional<StepChoice> StepCanvas::choiceAt(QPointF at) const {
    if (at.x() < m_gutter)
        return std::nullopt;
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        if (at.y() < m_boxes[i].top || at.y() > m_boxes[i].top + m_boxes[i].height)
            continue;
        const std::int64_t ps = geometry().timeAt(at.x());
        const auto& passes = m_rows[i].passes;
        const auto pass = std::ranges::upper_bound(passes, ps, {}, &ShownPass::end);
        if (pass == passes.end() || pass->begin > ps)
            return std::nullopt;
        return StepChoice{i, static_cast<std::size_t>(pass - passes.begin())};
    }
    return std::nullopt;
}

std::optional<std::size_t> StepCanvas::operatorAt(QPointF at) const {
    const auto choice = choiceAt(at);
    if (!choice || showsTasks())
        return std::nullopt;
    const StageRow& row = m_rows[choice->row];
    const ShownPass& pass = row.passes[choice->pass];
    const auto section = sectionAt(stepOf(row), pass, geometry().timeAt(at.x()));
    if (!section || static_cast<double>(section->end - section->begin) / psPerPixel() < kOperatorPixels)
        return std::nullopt;
    const bool tensor = at.y() > m_boxes[choice->row].top + m_boxes[choice->row].height * kComputeLane;
    return operatorIn(*section, geometry().timeAt(at.x()), tensor);
}

QString StepCanvas::tipAt(QPointF at) const {
    if (const auto op = operatorAt(at); op && m_run)
        return QString::fromStdString(m_run->graph.operators[*op].title);
    const auto choice = choiceAt(at);
    return choice ? lineOf(m_rows[choice->row], m_rows[choice->row].passes[choice->pass]) : QString();
}

std::vector<Part> StepCanvas::parts() {
    return {{rect(), [this](QPointF at) { return tipAt(at); }, {}, {}, {}}};
}

void StepCanvas::press(QPointF at) { choose(choiceAt(at)); }

void StepCanvas::chooseNearest(std::size_t row, std::int64_t ps) {
    const auto& passes = m_rows[row].passes;
    if (passes.empty())
        return;
    const auto nearest = std::ranges::min_element(
        passes, {}, [&](const ShownPass& pass) { return std::abs((pass.begin + pass.end) / 2 - ps); });
    choose(StepChoice{row, static_cast<std::size_t>(nearest - passes.begin())});
}

std::int64_t StepCanvas::sectionsOf(const StageRow& row, const ShownPass& pass) const {
    return showsTasks() ? 0 : sectionCountOf(stepOf(row), pass);
}

QString StepCanvas::lineOf(const StageRow& row, const ShownPass& pass) const {
    return showsTasks() ? taskLine(*m_steps[row.group].tasks, pass.pass) : passLine(stepOf(row), pass);
}

QString StepCanvas::boxTextOf(const StageRow& row, const ShownPass& pass) const {
    return showsTasks() ? boxText(*m_steps[row.group].tasks, pass.pass)
                        : formatCount(stepOf(row).plan.passes[pass.pass].step.microbatch + 1);
}

std::optional<std::size_t> StepCanvas::samePassIn(std::size_t next, std::size_t row, const ShownPass& pass) const {
    const engine::PipelinePlan* plan = m_steps[m_rows[row].group].plan();
    const engine::PipelinePlan* other = m_steps[m_rows[next].group].plan();
    if (plan == nullptr || other == nullptr)
        return std::nullopt;
    const auto& passes = m_rows[next].passes;
    const auto same = std::ranges::find_if(passes, [&](const ShownPass& candidate) {
        return other->passes[candidate.pass].step == plan->passes[pass.pass].step;
    });
    return same == passes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(same - passes.begin()));
}

// Left and Right stay in the stage; Up and Down follow the micro-batch to the stage beside it.
void StepCanvas::walk(int key) {
    if (!m_chosen) {
        chooseNearest(0, range().start);
        return;
    }
    const StageRow& row = m_rows[m_chosen->row];
    if (m_chosen->section) {
        const auto count = sectionsOf(row, row.passes[m_chosen->pass]);
        const std::int64_t step = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
        StepChoice next = *m_chosen;
        next.section = std::clamp<std::int64_t>(*next.section + step, 0, count - 1);
        if (step != 0)
            return choose(next);
    }
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const std::size_t last = row.passes.size() - 1;
        const std::size_t to =
            key == Qt::Key_Right ? std::min(last, m_chosen->pass + 1) : m_chosen->pass - (m_chosen->pass > 0 ? 1 : 0);
        return choose(StepChoice{m_chosen->row, to});
    }
    const bool up = key == Qt::Key_Up;
    if (up ? m_chosen->row == 0 : m_chosen->row + 1 == m_rows.size())
        return;
    const std::size_t next = up ? m_chosen->row - 1 : m_chosen->row + 1;
    const ShownPass& pass = row.passes[m_chosen->pass];
    if (const auto same = samePassIn(next, m_chosen->row, pass))
        choose(StepChoice{next, *same});
    else
        chooseNearest(next, pass.begin);
}

void StepCanvas::reveal() {
    if (!m_chosen)
        return;
    const ShownPass& pass = m_rows[m_chosen->row].passes[m_chosen->pass];
    if (pass.end > range().start && pass.begin < range().end)
        return;
    const std::int64_t span = range().span();
    const std::int64_t start =
        std::clamp<std::int64_t>(pass.begin + (pass.end - pass.begin) / 2 - span / 2, 0, wholeEnd() - span);
    setRange({start, start + span});
}

bool StepCanvas::zoomIn() {
    if (!m_chosen)
        return false;
    const StageRow& row = m_rows[m_chosen->row];
    const ShownPass& pass = row.passes[m_chosen->pass];
    std::int64_t begin = pass.begin, end = pass.end;
    const auto around = [&] {
        const auto margin = std::max<std::int64_t>(1, std::llround(static_cast<double>(end - begin) * kMargin));
        return data::TimeRange{begin - margin, end + margin};
    };
    data::TimeRange wanted = around();
    wanted = {std::max<std::int64_t>(0, wanted.start), std::min(wholeEnd(), wanted.end)};
    const std::int64_t sections = sectionsOf(row, pass);
    if (sections > 0 && (m_chosen->section || range() == wanted)) {
        if (!m_chosen->section) {
            StepChoice layer = *m_chosen;
            layer.section = sections / 2;
            choose(layer);
        }
        if (const auto section = sectionNumbered(stepOf(row), pass, *m_chosen->section)) {
            begin = section->begin;
            end = section->end;
        }
        wanted = around();
    }
    setRange(wanted);
    return true;
}

bool StepCanvas::goUp() {
    if (m_chosen && m_chosen->section) {
        StepChoice pass = *m_chosen;
        pass.section.reset();
        choose(pass);
        const ShownPass& of = m_rows[pass.row].passes[pass.pass];
        const auto margin = std::max<std::int64_t>(1, std::llround(static_cast<double>(of.end - of.begin) * kMargin));
        setRange({of.begin - margin, of.end + margin});
        return true;
    }
    if (range() != data::TimeRange{0, wholeEnd()}) {
        setRange({0, wholeEnd()});
        return true;
    }
    const bool had = m_chosen.has_value();
    choose(std::nullopt);
    return had;
}

std::function<void()> StepCanvas::actionOf(int key) {
    if (isArrow(key))
        return [this, key] {
            walk(key);
            reveal();
        };
    if (isEnter(key))
        return [this] { zoomIn(); };
    switch (key) {
    case Qt::Key_Y: return [this] { setChainShown(!m_showsChain); };
    case Qt::Key_Home:
    case Qt::Key_End:
        return [this, key] {
            chooseNearest(m_chosen ? m_chosen->row : 0, key == Qt::Key_Home ? 0 : wholeEnd());
            reveal();
        };
    default: return rangeActionOf(key);
    }
}

QString StepCanvas::spokenText() const {
    if (m_chosen)
        return lineOf(m_rows[m_chosen->row], m_rows[m_chosen->row].passes[m_chosen->pass]);
    if (showsTasks())
        return tasksHeadline(*m_steps.front().tasks);
    return m_steps.size() == 1 ? stepHeadline(*m_steps.front().step) : tr("%1 schedules").arg(m_steps.size());
}

void StepCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto op = operatorAt(event->position())) {
        Q_EMIT operatorRequested(*op);
        return;
    }
    choose(choiceAt(event->position()));
    zoomIn();
}

}  // namespace ui
