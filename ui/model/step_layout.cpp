#include "ui/model/step_layout.h"

#include "ui/model/step_facts.h"
#include "ui/model/task_facts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace ui {
namespace {

using data::ModelStep;
using data::StepTaskKind;
using engine::TaskIndex;

/// Returns the share of a pass's task in which its compute lane waits for collectives of the tensor group.
double tensorShareOf(const ModelStep& step, TaskIndex task) {
    engine::Duration total, compute;
    for (const data::SectionTime* section : step.sectionsOf(task)) {
        total += section->total;
        compute += section->compute;
    }
    return total.ps == 0 ? 0 : static_cast<double>((total - compute).ps) / static_cast<double>(total.ps);
}

void addTask(const ModelStep& step, TaskIndex task, StageRow& row) {
    const engine::TaskSpan& span = step.timetable.spans[task];
    const data::StepTask& of = step.tasks[task];
    switch (of.kind) {
    case StepTaskKind::pass: {
        const auto pass = static_cast<std::uint32_t>(of.pass);
        const engine::PipelineStep& in = step.plan.passes[of.pass].step;
        if (row.passes.empty() || row.passes.back().pass != pass)
            row.passes.push_back({span.begin, span.end, pass, in.kind, in.chunk > 0});
        row.passes.back().end = span.end;
        row.passes.back().tasks.push_back(task);
        row.passes.back().tensorTime += tensorShareOf(step, task) * static_cast<double>(span.end - span.begin);
        break;
    }
    case StepTaskKind::optimizer: row.optimizer.push_back({span.begin, span.end, task}); break;
    case StepTaskKind::message: row.messages.push_back({span.begin, span.end, task}); break;
    case StepTaskKind::send: row.sends.push_back({span.begin, span.end, task}); break;
    case StepTaskKind::barrier: break;
    }
}

/// Finds the longest gap between the passes, in which the share of the bubble stands.
void findGap(StageRow& row, std::int64_t end) {
    std::int64_t before = 0;
    const auto take = [&](std::int64_t begin, std::int64_t until) {
        if (begin - before > row.gapEnd - row.gapBegin) {
            row.gapBegin = before;
            row.gapEnd = begin;
        }
        before = std::max(before, until);
    };
    for (const ShownPass& pass : row.passes)
        take(pass.begin, pass.end);
    for (const StepBar& span : row.optimizer)
        take(span.begin, span.end);
    take(end, end);
}

void sortRow(StageRow& row) {
    std::ranges::sort(row.passes, {}, [](const ShownPass& pass) { return std::pair(pass.begin, pass.end); });
    for (auto* spans : {&row.optimizer, &row.messages, &row.sends})
        std::ranges::sort(*spans, {}, &StepBar::begin);
}

std::vector<StageRow> rowsOf(const ModelStep& step) {
    std::vector<StageRow> rows(step.stages.size());
    for (TaskIndex task = 0; task < step.tasks.size(); ++task)
        addTask(step, task, rows[static_cast<std::size_t>(step.tasks[task].stage)]);
    for (std::size_t stage = 0; stage < rows.size(); ++stage) {
        rows[stage].label = stageLabel(step, static_cast<std::int64_t>(stage));
        rows[stage].idleShare = static_cast<double>(step.stages[stage].time.bubble.ps) /
                                static_cast<double>(std::max<std::int64_t>(1, step.total.ps));
    }
    return rows;
}

std::vector<StageRow> rowsOf(const OpenedTasks& tasks) {
    std::vector<StageRow> rows(tasks.places().size());
    for (TaskIndex task = 0; task < tasks.document().graph.tasks.size(); ++task) {
        const auto row = tasks.rowOf(task);
        if (!row)
            continue;
        const engine::TaskSpan& span = tasks.span(task);
        const bool isLater = tasks.plan() != nullptr && tasks.plan()->passes[task].step.chunk > 0;
        rows[*row].passes.push_back({tasks.fine(span.begin), tasks.fine(span.end), task, tasks.lookOf(task), isLater});
    }
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, tasks.fine(tasks.result().timetable.makespan)));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::int64_t busy = 0;
        for (const ShownPass& pass : rows[i].passes)
            busy += pass.end - pass.begin;
        rows[i].label = placeLabel(tasks, i);
        rows[i].idleShare = 1 - static_cast<double>(busy) / whole;
    }
    return rows;
}

}  // namespace

std::int64_t ShownStep::end() const {
    return step ? step->timetable.makespan : tasks->fine(tasks->result().timetable.makespan);
}

const engine::PipelinePlan* ShownStep::plan() const { return step ? &step->plan : tasks->plan(); }

std::vector<StageRow> stageRows(const std::vector<ShownStep>& steps) {
    std::vector<StageRow> rows;
    for (std::size_t group = 0; group < steps.size(); ++group) {
        std::vector<StageRow> added = steps[group].step ? rowsOf(*steps[group].step) : rowsOf(*steps[group].tasks);
        for (std::size_t i = 0; i < added.size(); ++i) {
            added[i].group = group;
            added[i].stage = static_cast<std::int64_t>(i);
            sortRow(added[i]);
            findGap(added[i], steps[group].end());
            rows.push_back(std::move(added[i]));
        }
    }
    return rows;
}

std::vector<ChainBar> chainBars(const ShownStep& shown) {
    std::vector<ChainBar> bars;
    if (!shown.step) {
        for (const TaskIndex task : shown.tasks->chain()) {
            const engine::TaskSpan& span = shown.tasks->span(task);
            if (const auto row = shown.tasks->rowOf(task))
                bars.push_back({*row, shown.tasks->fine(span.begin), shown.tasks->fine(span.end)});
        }
        return bars;
    }
    for (const TaskIndex task : shown.step->chain) {
        const engine::TaskSpan& span = shown.step->timetable.spans[task];
        const data::StepTask& of = shown.step->tasks[task];
        if (of.kind != StepTaskKind::barrier)
            bars.push_back({static_cast<std::size_t>(of.stage), span.begin, span.end,
                            of.kind == StepTaskKind::message || of.kind == StepTaskKind::send});
    }
    return bars;
}

std::int64_t sectionCountOf(const ModelStep& step, const ShownPass& pass) {
    const engine::PipelinePass& of = step.plan.passes[pass.pass];
    return step.stages[static_cast<std::size_t>(of.stage)].chunks[static_cast<std::size_t>(of.step.chunk)].sections();
}

std::int64_t endOf(const std::vector<ShownStep>& steps) {
    std::int64_t end = 1;
    for (const ShownStep& shown : steps)
        end = std::max(end, shown.end());
    return end;
}

std::vector<HeldBytes> heldOverTime(const ModelStep& step, const StageRow& row) {
    const engine::StageFootprint& footprint = step.stages[static_cast<std::size_t>(row.stage)].footprint;
    const auto always = static_cast<double>((footprint.bytes.total() - footprint.bytes.activations).count);
    if (footprint.chunkActivations.empty())
        return {{0, static_cast<double>(footprint.bytes.total().count)}};
    const engine::PassKind last =
        engine::splitsBackward(step.shape.schedule) ? engine::PassKind::weight : engine::PassKind::backward;
    std::vector<HeldBytes> changes;
    for (const ShownPass& pass : row.passes) {
        const engine::PipelineStep& of = step.plan.passes[pass.pass].step;
        const auto bytes = static_cast<double>(footprint.chunkActivations[static_cast<std::size_t>(of.chunk)].count);
        if (of.kind == engine::PassKind::forward)
            changes.push_back({pass.begin, bytes});
        if (of.kind == last)
            changes.push_back({pass.end, -bytes});
    }
    // What is released at a time is released before something else takes its place.
    std::ranges::sort(changes, [](const HeldBytes& a, const HeldBytes& b) {
        return std::pair(a.ps, a.bytes) < std::pair(b.ps, b.bytes);
    });
    std::vector<HeldBytes> held{{0, always}};
    double now = always;
    for (const HeldBytes& change : changes) {
        now += change.bytes;
        if (held.back().ps == change.ps)
            held.back().bytes = now;
        else
            held.push_back({change.ps, now});
    }
    return held;
}

std::vector<StepShares> columnsOf(const StageRow& row, const std::vector<std::int64_t>& edges) {
    std::vector<StepShares> columns;
    columns.reserve(edges.size());
    if (edges.empty())
        return columns;
    // Of a column, the first pass and the first optimizer that end after it has begun.
    auto firstPass = std::ranges::upper_bound(row.passes, edges.front(), {}, &ShownPass::end);
    auto firstSpan = std::ranges::upper_bound(row.optimizer, edges.front(), {}, &StepBar::end);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const std::int64_t begin = edges[i], end = edges[i + 1];
        StepShares& shares = columns.emplace_back();
        const double part = 1 / static_cast<double>(std::max<std::int64_t>(1, end - begin));
        double busy = 0;
        while (firstPass != row.passes.end() && firstPass->end <= begin)
            ++firstPass;
        for (auto pass = firstPass; pass != row.passes.end() && pass->begin < end; ++pass) {
            const double share = static_cast<double>(std::min(end, pass->end) - std::max(begin, pass->begin)) * part;
            const double tensor = share * pass->tensorShare();
            busy += share;
            shares.tensor += tensor;
            switch (pass->kind) {
            case engine::PassKind::forward: shares.forward += share - tensor; break;
            case engine::PassKind::backward: shares.backward += share - tensor; break;
            case engine::PassKind::weight: shares.weight += share - tensor; break;
            }
        }
        while (firstSpan != row.optimizer.end() && firstSpan->end <= begin)
            ++firstSpan;
        for (auto span = firstSpan; span != row.optimizer.end() && span->begin < end; ++span)
            busy += static_cast<double>(std::min(end, span->end) - std::max(begin, span->begin)) * part;
        shares.bubble = std::max(0.0, 1 - busy);
    }
    return columns;
}

std::vector<StepShares> withMixAround(const std::vector<StepShares>& columns, std::size_t around, int times) {
    static constexpr std::array kKinds{&StepShares::forward, &StepShares::backward, &StepShares::weight,
                                       &StepShares::tensor, &StepShares::bubble};
    // The busy columns, with those around each and one over how many of them are busy. Sums go from the first busy
    // column on: the sum over a range is a difference.
    struct Busy {
        std::size_t column = 0, from = 0, to = 0;
        double share = 0;
    };
    std::vector<Busy> all;
    std::vector<std::size_t> before(columns.size() + 1);  // busy columns before each
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool isBusy = columns[i].bubble < 0.5;
        before[i + 1] = before[i] + (isBusy ? 1 : 0);
        if (isBusy)
            all.push_back({i, 0, 0, 0});
    }
    for (Busy& busy : all) {
        busy.from = before[busy.column - std::min(busy.column, around)];
        busy.to = before[std::min(columns.size(), busy.column + around + 1)];
        busy.share = 1 / static_cast<double>(busy.to - busy.from);
    }
    std::vector<StepShares> mixed = columns;
    std::vector<double> values(all.size()), sums(all.size() + 1);
    for (const auto kind : kKinds) {
        for (std::size_t i = 0; i < all.size(); ++i)
            values[i] = columns[all[i].column].*kind;
        for (int time = 0; time < times; ++time) {
            for (std::size_t i = 0; i < all.size(); ++i)
                sums[i + 1] = sums[i] + values[i];
            for (std::size_t i = 0; i < all.size(); ++i)
                values[i] = std::max(0.0, sums[all[i].to] - sums[all[i].from]) * all[i].share;
        }
        for (std::size_t i = 0; i < all.size(); ++i)
            mixed[all[i].column].*kind = values[i];
    }
    return mixed;
}

}  // namespace ui
