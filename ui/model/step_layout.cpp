#include "ui/model/step_layout.h"

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
        if (row.passes.empty() || row.passes.back().pass != pass)
            row.passes.push_back({span.begin, span.end, pass, {}});
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

}  // namespace

std::vector<StageRow> stageRows(const std::vector<ShownStep>& steps) {
    std::vector<StageRow> rows;
    for (std::size_t group = 0; group < steps.size(); ++group) {
        const ModelStep& step = *steps[group].step;
        const std::size_t first = rows.size();
        for (std::size_t stage = 0; stage < step.stages.size(); ++stage)
            rows.push_back({group, static_cast<std::int64_t>(stage), {}, {}, {}, {}, 0, 0});
        for (TaskIndex task = 0; task < step.tasks.size(); ++task)
            addTask(step, task, rows[first + static_cast<std::size_t>(step.tasks[task].stage)]);
        for (std::size_t i = first; i < rows.size(); ++i) {
            std::ranges::sort(rows[i].passes, {}, &ShownPass::begin);
            for (auto* spans : {&rows[i].optimizer, &rows[i].messages, &rows[i].sends})
                std::ranges::sort(*spans, {}, &StepBar::begin);
            findGap(rows[i], step.timetable.makespan);
        }
    }
    return rows;
}

std::int64_t sectionCountOf(const ModelStep& step, const ShownPass& pass) {
    const engine::PipelinePass& of = step.plan.passes[pass.pass];
    return step.stages[static_cast<std::size_t>(of.stage)].chunks[static_cast<std::size_t>(of.step.chunk)].sections();
}

std::int64_t endOf(const std::vector<ShownStep>& steps) {
    std::int64_t end = 1;
    for (const ShownStep& shown : steps)
        end = std::max(end, shown.step->timetable.makespan);
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

StepShares sharesBetween(const ModelStep& step, const StageRow& row, std::int64_t begin, std::int64_t end) {
    StepShares shares;
    const auto width = static_cast<double>(std::max<std::int64_t>(1, end - begin));
    double busy = 0;
    auto pass = std::ranges::upper_bound(row.passes, begin, {}, &ShownPass::end);
    for (; pass != row.passes.end() && pass->begin < end; ++pass) {
        const double share = static_cast<double>(std::min(end, pass->end) - std::max(begin, pass->begin)) / width;
        const double tensor = share * pass->tensorShare();
        busy += share;
        shares.tensor += tensor;
        switch (step.plan.passes[pass->pass].step.kind) {
        case engine::PassKind::forward: shares.forward += share - tensor; break;
        case engine::PassKind::backward: shares.backward += share - tensor; break;
        case engine::PassKind::weight: shares.weight += share - tensor; break;
        }
    }
    auto span = std::ranges::upper_bound(row.optimizer, begin, {}, &StepBar::end);
    for (; span != row.optimizer.end() && span->begin < end; ++span)
        busy += static_cast<double>(std::min(end, span->end) - std::max(begin, span->begin)) / width;
    shares.bubble = std::max(0.0, 1 - busy);
    return shares;
}

std::vector<StepShares> withMixAround(const std::vector<StepShares>& columns, std::size_t around) {
    static constexpr std::array kKinds{&StepShares::forward, &StepShares::backward, &StepShares::weight,
                                       &StepShares::tensor, &StepShares::bubble};
    const auto isBusy = [](const StepShares& column) { return column.bubble < 0.5; };
    // Sums of busy columns from the first on: the sum over a range is a difference.
    std::vector<StepShares> sums(columns.size() + 1);
    std::vector<double> counts(columns.size() + 1);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double weight = isBusy(columns[i]) ? 1 : 0;
        counts[i + 1] = counts[i] + weight;
        for (const auto kind : kKinds)
            sums[i + 1].*kind = sums[i].*kind + weight * columns[i].*kind;
    }
    std::vector<StepShares> mixed = columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t from = i - std::min(i, around), to = std::min(columns.size(), i + around + 1);
        if (!isBusy(columns[i]))
            continue;
        for (const auto kind : kKinds)
            mixed[i].*kind = std::max(0.0, sums[to].*kind - sums[from].*kind) / (counts[to] - counts[from]);
    }
    return mixed;
}

}  // namespace ui
