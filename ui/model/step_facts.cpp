#include "ui/model/step_facts.h"

#include "data/figure/step_figures.h"
#include "ui/look/format.h"
#include "ui/model/model_parts.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

using data::ModelStep;
using engine::PassKind;

QString stepTr(const char* text) { return QCoreApplication::translate("ui::StepPage", text); }

QString passTitle(PassKind kind) {
    switch (kind) {
    case PassKind::forward: return stepTr("Forward pass");
    case PassKind::backward: return stepTr("Backward pass");
    case PassKind::weight: break;
    }
    return stepTr("Weight pass");
}

QString counted(std::int64_t count, const QString& one, const QString& several) {
    return formatCount(count) + QLatin1Char(' ') + (count == 1 ? one : several);
}

/// Returns what a pass waited for last: "the send from stage 1, until 4.1 ms".
QString waitText(const ModelStep& step, engine::TaskIndex task) {
    const engine::TaskWait& wait = step.timetable.spans[task].wait;
    if (wait.kind == engine::TaskWait::Kind::nothing)
        return stepTr("It waited for nothing.");
    const data::StepTask& from = step.tasks[wait.task];
    switch (from.kind) {
    case data::StepTaskKind::send: return stepTr("It waited last for the send of stage %1.").arg(from.stage);
    case data::StepTaskKind::message: return stepTr("It waited last for a message of its data-parallel group.");
    case data::StepTaskKind::pass:
    case data::StepTaskKind::optimizer:
    case data::StepTaskKind::barrier: break;
    }
    return stepTr("It waited last for the pass before it on its stage.");
}

QString microbatchText(const engine::PipelineShape& shape, const engine::PipelineStep& pass) {
    const QString number = formatCount(pass.microbatch + 1);
    return engine::isDelayed(shape.schedule) ? stepTr("mini-batch %1").arg(number)
                                             : stepTr("micro-batch %1").arg(number);
}

}  // namespace

QString stageLabel(const ModelStep& step, std::int64_t stage) {
    const std::int64_t layers = step.stages[static_cast<std::size_t>(stage)].footprint.layers;
    return stepTr("Stage %1 · %2").arg(stage).arg(counted(layers, stepTr("layer"), stepTr("layers")));
}

QString scheduleTitle(const engine::PipelineShape& shape) { return text(data::scheduleTitle(shape)); }

QString stepHeadline(const ModelStep& step, const ModelStep* pinned) {
    const engine::PipelineShape& shape = step.shape;
    QStringList sizes{counted(shape.stages, stepTr("stage"), stepTr("stages"))};
    if (!step.isDelayed())
        sizes << counted(shape.microbatches, stepTr("micro-batch"), stepTr("micro-batches"));
    if (shape.stages > 1 && !shape.forwardOnly)
        sizes << scheduleTitle(shape);
    QString text = sizes.join(QStringLiteral(", ")) + QStringLiteral(": ") + formatTime(step.total.ps);
    if (step.isDelayed())
        text += stepTr(" for each mini-batch");
    text += stepTr(", bubble %1").arg(formatShare(step.bubbleShare));
    if (pinned == nullptr)
        return text;
    const double change = static_cast<double>(step.total.ps) / static_cast<double>(pinned->total.ps) - 1;
    return text + stepTr("; %1 %2 than pinned")
                      .arg(formatShare(std::abs(change)), change > 0 ? stepTr("longer") : stepTr("shorter"));
}

QString missingPairsLine(std::size_t pairs, bool simulating) {
    const QString many = counted(static_cast<std::int64_t>(pairs), stepTr("pair"), stepTr("pairs"));
    return simulating ? stepTr("simulating %1 of a GEMM and a message, here at full rates").arg(many)
                      : stepTr("%1 of a GEMM and a message at full rates, not simulated").arg(many);
}

QString passName(const engine::PipelinePass& pass, const engine::PipelineShape& shape) {
    const QString text =
        stepTr("%1 of %2 on stage %3").arg(passTitle(pass.step.kind), microbatchText(shape, pass.step)).arg(pass.stage);
    return engine::partsOf(shape, pass.stage) > 1 ? text + stepTr(", chunk %1").arg(pass.step.chunk + 1) : text;
}

QString passLine(const ModelStep& step, const ShownPass& pass) {
    return passName(step.plan.passes[pass.pass], step.shape) +
           stepTr(": %1, from %2 to %3")
               .arg(formatTime(pass.end - pass.begin), formatTime(pass.begin), formatTime(pass.end));
}

QString passHtml(const data::ModelRun& run, const ModelStep& step, const ShownPass& pass,
                 std::optional<std::int64_t> section, const Palette&) {
    QString html = paragraph(QStringLiteral("<b>") + passLine(step, pass).toHtmlEscaped() + QStringLiteral("</b>"));
    html += paragraph(waitText(step, pass.tasks.front()).toHtmlEscaped());
    const double tensor = pass.tensorShare();
    if (tensor > 0)
        html += paragraph(stepTr("Waits inside the pass for collectives of the tensor group: %1 of its time.")
                              .arg(formatShare(tensor).toHtmlEscaped()));
    const std::vector<PlacedSection> sections = placedSections(step, pass);
    const std::size_t shown = section ? static_cast<std::size_t>(*section) : sections.size() / 2;
    if (shown >= sections.size())
        return html;
    html += paragraph(section ? stepTr("Operators of this layer, section %1 of %2:").arg(shown + 1).arg(sections.size())
                              : stepTr("Operators of one layer:"));
    html += QStringLiteral("<table cellspacing='4'>");
    for (const data::SectionSpan& span : sections[shown].section->spans)
        html += QStringLiteral("<tr><td>%1</td><td align='right'>%2</td></tr>")
                    .arg(QString::fromStdString(run.graph.operators[span.op].title).toHtmlEscaped(),
                         formatTime((span.end - span.begin).ps));
    return html + QStringLiteral("</table>");
}

QString stepHtml(const data::ModelRun& run, const ModelStep& step) {
    const auto share = [&](engine::Duration time) {
        // A small share is "< 0.1 %".
        const auto total = static_cast<double>(std::max<std::int64_t>(1, step.total.ps));
        return formatShare(static_cast<double>(time.ps) / total).toHtmlEscaped();
    };
    const data::StepParts& parts = step.time;
    QString html = paragraph(stepTr("<b>%1</b>").arg(stepHeadline(step).toHtmlEscaped()));
    html += paragraph(stepTr("%1: compute %2, waiting for tensor messages %3, for data messages %4, for sends %5.")
                          .arg(step.isDelayed() ? stepTr("Mean of the stages") : stepTr("Along the critical chain"),
                               share(parts.compute), share(parts.tensor), share(parts.data), share(parts.pipeline)));
    if (step.simulatedPairs > 0 || step.pairsWithoutRate > 0)
        html +=
            paragraph(stepTr("%1 of a GEMM and a message run beside each other at simulated rates; %2 without a GEMM "
                             "keep their full rates.")
                          .arg(counted(static_cast<std::int64_t>(step.simulatedPairs), stepTr("pair"), stepTr("pairs")),
                               formatCount(static_cast<std::int64_t>(step.pairsWithoutRate))));
    html +=
        paragraph(stepTr("Choose a pass with the mouse or the arrow keys; Return zooms to it and to its layer, Escape "
                         "goes back up. Y shows the critical chain, G pins the timetable."));
    for (const engine::Notice& notice : run.notices)
        html += paragraph(QString::fromStdString(notice.path + ": " + notice.text).toHtmlEscaped());
    return html;
}

std::vector<PlacedSection> placedSections(const ModelStep& step, const ShownPass& pass) {
    std::vector<PlacedSection> placed;
    for (const engine::TaskIndex task : pass.tasks) {
        const engine::TaskSpan& span = step.timetable.spans[task];
        engine::Duration total, done;
        const auto sections = step.sectionsOf(task);
        for (const data::SectionTime* section : sections)
            total += section->total;
        const double stretch =
            total.ps > 0 ? static_cast<double>(span.end - span.begin) / static_cast<double>(total.ps) : 0;
        const auto at = [&] { return span.begin + std::llround(static_cast<double>(done.ps) * stretch); };
        for (const data::SectionTime* section : sections) {
            const std::int64_t begin = at();
            done += section->total;
            placed.push_back({section, begin, at()});
        }
    }
    return placed;
}

std::optional<PlacedSection> sectionNumbered(const ModelStep& step, const ShownPass& pass, std::int64_t number) {
    const std::vector<PlacedSection> placed = placedSections(step, pass);
    return number >= 0 && number < static_cast<std::int64_t>(placed.size())
               ? std::optional(placed[static_cast<std::size_t>(number)])
               : std::nullopt;
}

std::optional<PlacedSection> sectionAt(const ModelStep& step, const ShownPass& pass, std::int64_t ps) {
    const std::vector<PlacedSection> placed = placedSections(step, pass);
    const auto found =
        std::ranges::find_if(placed, [&](const PlacedSection& of) { return of.begin <= ps && ps < of.end; });
    return found == placed.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::size_t> operatorIn(const PlacedSection& section, std::int64_t ps, bool tensor) {
    if (section.end <= section.begin)
        return std::nullopt;
    const double share = static_cast<double>(ps - section.begin) / static_cast<double>(section.end - section.begin);
    const std::int64_t at = std::llround(share * static_cast<double>(section.section->total.ps));
    for (const data::SectionSpan& span : section.section->spans) {
        if (span.isTensor == tensor && span.begin.ps <= at && at < span.end.ps)
            return span.op;
    }
    return std::nullopt;
}

std::vector<ValueColumn> stageColumns() {
    return {{stepTr("Stage"), true},
            {stepTr("Layers")},
            {stepTr("Compute"), false, stepTr("Time in which the stage computes.")},
            {stepTr("Tensor"), false, stepTr("Time in which its passes wait for collectives of the tensor group.")},
            {stepTr("Data"), false, stepTr("Time in which it waits for messages between replicas.")},
            {stepTr("Pipeline"), false, stepTr("Time in which it waits for a send that is under way.")},
            {stepTr("Bubble"), false, stepTr("Time in which it waits for another stage.")},
            {stepTr("Bubble share")},
            {stepTr("In flight"), false, stepTr("Micro-batches whose activations are held at once.")},
            {stepTr("Holds"), false, stepTr("Bytes that one GPU of the stage holds at most.")}};
}

std::vector<ValueRow> stageRowsOf(const ModelStep& step) {
    std::vector<ValueRow> rows;
    for (std::size_t i = 0; i < step.stages.size(); ++i) {
        const data::StageStep& stage = step.stages[i];
        ValueRow row;
        row.cells << QString::number(i) << formatCount(stage.footprint.layers);
        for (const engine::Duration time :
             {stage.time.compute, stage.time.tensor, stage.time.data, stage.time.pipeline, stage.time.bubble})
            row.cells << formatTime(time.ps);
        const auto total = static_cast<double>(std::max<std::int64_t>(1, step.total.ps));
        row.cells << formatShare(static_cast<double>(stage.time.bubble.ps) / total)
                  << QString::number(stage.footprint.inFlight, 'g', 4)
                  << formatBytes(stage.footprint.bytes.total().count);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace ui
