#include "ui/model/operator_facts.h"

#include "data/figure/operator_figures.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/model/model_parts.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

using engine::Operator;
using engine::OperatorClass;
using engine::OperatorPass;

QString operatorTr(const char* text) { return QCoreApplication::translate("Operators", text); }

QString digitsOf(double value, int digits) { return QLocale::c().toString(value, 'g', digits); }

/// Returns the text, or "–" for a value that an operator does not have.
QString orDash(bool has, const QString& text) { return has ? text : QStringLiteral("–"); }

QString gpusText(std::int64_t gpus) {
    return gpus == 1 ? operatorTr("1 GPU") : operatorTr("%1 GPUs").arg(formatCount(gpus));
}

constexpr int kDivisionColumn = 1;  // of a network's operators

}  // namespace

bool OperatorFacts::isPlotted(std::size_t row) const { return data::isPlotted(*run, points[row]); }

std::optional<std::size_t> OperatorFacts::rowOf(const std::string& id) const {
    for (std::size_t row = 0; row < points.size(); ++row) {
        if (at(row).id == id)
            return row;
    }
    return std::nullopt;
}

OperatorFacts operatorFactsOf(std::shared_ptr<const data::ModelRun> run, std::size_t policy) {
    OperatorFacts facts;
    facts.points = data::operatorPointsOf(*run, run->policies[policy]);
    std::ranges::stable_sort(facts.points, [](const auto& a, const auto& b) { return a.time > b.time; });
    facts.classes = data::classTimesOf(*run, run->policies[policy]);
    std::erase_if(facts.classes, [](const data::ClassTime& time) { return time.operators == 0; });
    facts.roof = engine::rooflineOf(run->base);
    facts.run = std::move(run);
    facts.policy = policy;
    return facts;
}

QString titleOf(OperatorClass operatorClass) { return text(engine::title(operatorClass)); }

QString labelOf(const Operator& op) {
    QStringList parts = text(op.id).split(QLatin1Char('/'));
    const QString pass = parts.size() > 1 ? parts.takeFirst() : QString();
    if (op.pass == OperatorPass::optimizer)
        return parts.join(QLatin1Char(' ')).prepend(text(op.title).section(QLatin1Char(' '), 0, 0) + QLatin1Char(' '));
    const bool weights = parts.size() > 1 && op.pass == OperatorPass::backward;
    const QString name = parts.join(QLatin1Char(' '));
    return op.pass == OperatorPass::forward || weights ? name : operatorTr("%1 %2").arg(name, pass);
}

QString formatFlops(double flops) { return formatScaled(flops, operatorTr("FLOP")); }

QString formatRate(double rate) { return formatScaled(rate, operatorTr("FLOP/s")); }

QString formatIntensity(double flopsPerByte) {
    return digitsOf(flopsPerByte, 4) + QChar(0x00a0) + operatorTr("FLOP/B");
}

QString headlineOf(const OperatorFacts& facts) {
    QStringList classes;
    for (const data::ClassTime& time : facts.classes)
        classes << operatorTr("%1 %2").arg(titleOf(time.operatorClass), formatShare(time.share));
    return operatorTr("%1 of %2 on %3 under %4: %5; %6")
        .arg(workTitle(*facts.run), titleOfModel(facts.run->base.workload.model), gpusText(facts.run->graph.gpus),
             titleOfPolicy(engine::name(facts.times().policy)), formatTime(facts.times().time.total().ps),
             classes.join(QStringLiteral(", ")));
}

QString spokenOf(const data::ClassTime& time) {
    QString said = operatorTr("%1: %2, %3 of the phase, in %4 operators that run %5 times")
                       .arg(titleOf(time.operatorClass), formatTime(time.work.time.ps), formatShare(time.share),
                            formatCount(static_cast<std::int64_t>(time.operators)), formatCount(time.occurrences));
    if (time.work.flops > 0)
        said +=
            operatorTr("; %1, %2 per byte").arg(formatFlops(time.work.flops), formatIntensity(time.work.intensity()));
    if (time.operatorClass == OperatorClass::collective)
        said += operatorTr("; exposed time only");
    return said;
}

QStringList linesOf(const OperatorFacts& facts, std::size_t row) {
    const Operator& op = facts.at(row);
    const data::OperatorPoint& point = facts.points[row];
    QStringList lines{operatorTr("%1, %2").arg(titleOf(op.operatorClass), text(engine::name(op.pass))),
                      operatorTr("%1 × %2 = %3, %4 of the phase")
                          .arg(formatTime(point.work.time.ps), formatCount(op.count), formatTime(point.time.ps),
                               formatShare(point.share))};
    if (op.operatorClass == OperatorClass::collective) {
        lines << operatorTr("%1 over links; the time is the exposed part only")
                     .arg(formatBytes(std::llround(point.work.bytes)));
        return lines;
    }
    lines << operatorTr("each occurrence: %1 and %2 of DRAM traffic")
                 .arg(formatFlops(point.work.flops), formatBytes(std::llround(point.work.bytes)));
    if (facts.isPlotted(row))
        lines << operatorTr("%1, %2").arg(formatIntensity(point.work.intensity()), formatRate(point.work.rate()))
              << operatorTr("%1 of the roof at this intensity").arg(formatShare(point.shareOfRoof));
    else
        lines << operatorTr("not in the plot: an operator without flops has no rate");
    return lines;
}

QString slopeText(const OperatorFacts& facts) {
    const engine::Experiment& machine = facts.run->base;
    const engine::Parameter& bandwidth = *engine::findParameter("memory.bandwidth");
    return operatorTr("DRAM %1 × %2")
        .arg(text(engine::formatValue(bandwidth, bandwidth.read(machine))), digitsOf(machine.memory.efficiency, 3));
}

QString flatText(const OperatorFacts& facts) {
    const double efficiency = facts.run->base.cu.tensorEfficiency;
    return operatorTr("peak %1 × %2").arg(formatRate(facts.roof.flopsPerSecond / efficiency), digitsOf(efficiency, 3));
}

QString detailsHtml(const OperatorFacts& facts, std::optional<std::size_t> row, const Palette& colors) {
    const auto heading = [](const QString& title) {
        return QStringLiteral("<p style=\"margin: 0 0 4px 0; font-size: large\"><b>%1</b></p>")
            .arg(title.toHtmlEscaped());
    };
    const auto faint = [&](const QString& words) {
        return paragraph(
            QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colors.inkFaint.name(), words.toHtmlEscaped()));
    };
    if (row) {
        const Operator& op = facts.at(*row);
        QString html = heading(text(op.title)) + faint(text(op.id));
        for (const QString& line : linesOf(facts, *row))
            html += paragraph(line.toHtmlEscaped());
        if (!op.division.empty())
            html += paragraph(operatorTr("<b>In</b> %1: so it is divided over the tensor group")
                                  .arg(text(op.division).toHtmlEscaped()));
        return op.formula.empty()
                   ? html
                   : html + paragraph(operatorTr("<b>Formula</b> %1").arg(text(op.formula).toHtmlEscaped()));
    }
    QString html = heading(operatorTr("Operators and the roofline"));
    html += paragraph(
        operatorTr("Each mark is an operator; its area is proportional to its share of the time. The roof is %1 up "
                   "to %2, and %3 beyond.")
            .arg(slopeText(facts), formatIntensity(facts.roof.ridge()), flatText(facts))
            .toHtmlEscaped());
    html += paragraph(
        operatorTr("The bytes of a GEMM are those of its two inputs and its output, each counted once. Collectives "
                   "and other operators without flops are only in the bars and the table.")
            .toHtmlEscaped());
    return html +
           faint(operatorTr("The arrow keys go through the marks, longest first. Marks that would hide each other "
                            "are moved apart a little."));
}

std::vector<ValueColumn> operatorColumns(const OperatorFacts& facts) {
    std::vector<ValueColumn> columns{
        {operatorTr("operator"), true},
        {operatorTr("class"), true, operatorTr("Kind of work on which the operator spends its time")},
        {operatorTr("each"), false, operatorTr("Time of one occurrence; for a collective, only the exposed time")},
        {operatorTr("times"), false, operatorTr("Occurrences in the whole model")},
        {operatorTr("time"), false, operatorTr("Time of all occurrences")},
        {operatorTr("share"), false, operatorTr("Share of the phase's time")},
        {operatorTr("flops"), false, operatorTr("Flops of one occurrence")},
        {operatorTr("bytes"), false,
         operatorTr("DRAM bytes of one occurrence; for a collective, its buffer, which goes over links")},
        {operatorTr("flops/byte"), false},
        {operatorTr("rate"), false, operatorTr("Flops divided by time")},
        {operatorTr("of the roof"), false,
         operatorTr("Rate divided by the height of the roof at these flops per byte")}};
    if (facts.run->graph.network)
        columns.insert(columns.begin() + kDivisionColumn,
                       {operatorTr("in"), true, operatorTr("Division of the operator over the tensor group")});
    return columns;
}

ValueRow operatorRow(const OperatorFacts& facts, std::size_t row) {
    const Operator& op = facts.at(row);
    const data::OperatorPoint& point = facts.points[row];
    const bool plotted = facts.isPlotted(row);
    const data::OperatorWork& work = point.work;
    QStringList cells{text(op.id),
                      titleOf(op.operatorClass),
                      formatTime(work.time.ps),
                      formatCount(op.count),
                      formatTime(point.time.ps),
                      formatShare(point.share),
                      orDash(work.flops > 0, formatFlops(work.flops)),
                      orDash(work.bytes > 0, formatBytes(std::llround(work.bytes))),
                      orDash(plotted, digitsOf(work.intensity(), 4)),
                      orDash(plotted, formatRate(work.rate())),
                      orDash(plotted, formatShare(point.shareOfRoof))};
    if (facts.run->graph.network)
        cells.insert(kDivisionColumn, orDash(!op.division.empty(), text(op.division)));
    return {cells, text(op.title) + QStringLiteral(": ") + linesOf(facts, row).join(QStringLiteral("; "))};
}

}  // namespace ui
