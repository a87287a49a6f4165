#include "ui/model/model_parts.h"

#include "data/figure/figure_meaning.h"
#include "data/model/model_step.h"
#include "data/results/shared_notices.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/shared/figure_offer.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace ui {
namespace {

using engine::Operator;
using engine::OperatorKind;

QString modelTr(const char* text) { return QCoreApplication::translate("Model", text); }

QString escaped(const std::string& utf8) { return text(utf8).toHtmlEscaped(); }

double shareOf(const data::PolicyModelTime& policy, engine::Duration time) {
    const auto total = static_cast<double>(policy.time.total().ps);
    return total > 0 ? static_cast<double>(time.ps) / total : 0;
}

QString faint(const QString& html, const Palette& colors) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colors.inkFaint.name(), html);
}

QString heading(const QString& title) {
    return QStringLiteral("<p style=\"margin: 0 0 4px 0; font-size: large\"><b>%1</b></p>").arg(title.toHtmlEscaped());
}

QString sizeText(const Operator& op) {
    QStringList parts;
    if (op.gemm) {
        const QString size = modelTr("GEMM %1 × %2 × %3 (M × N × K)")
                                 .arg(formatCount(op.gemm->m), formatCount(op.gemm->n), formatCount(op.gemm->k));
        parts << (op.gemms == 1 ? size : modelTr("%1, %2 times").arg(size, formatCount(op.gemms)));
    }
    if (op.flops > 0)
        parts << formatScaled(op.flops, modelTr("FLOP"));
    if (op.bytes.count > 0)
        parts << formatBytes(op.bytes.count);
    return parts.join(QStringLiteral(", "));
}

/// Returns the value and the meaning of each letter in the formula.
QString symbolsText(const engine::OperatorGraph& graph, const std::string& formula) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    QStringList lines;
    for (const engine::OperatorSymbol& symbol : graph.symbols) {
        for (std::size_t at = formula.find(symbol.symbol); at != std::string::npos;
             at = formula.find(symbol.symbol, at + 1)) {
            const std::size_t end = at + symbol.symbol.size();
            const bool alone =
                (at == 0 || !isLetter(formula[at - 1])) && (end == formula.size() || !isLetter(formula[end]));
            if (!alone)
                continue;
            lines << modelTr("%1 = %2, %3").arg(text(symbol.symbol), formatCount(symbol.value), text(symbol.meaning));
            break;
        }
    }
    return lines.join(QStringLiteral("; "));
}

QString tr(const char* text) { return QCoreApplication::translate("ModelFigure", text); }

}  // namespace

QString paragraph(const QString& html) { return QStringLiteral("<p style=\"margin: 4px 0\">%1</p>").arg(html); }

QString titleOf(const ModelPart& part) { return modelTr(part.title); }

QColor colorOf(const ModelPart& part, const Palette& colors) {
    static const std::map<std::string_view, Role> kRoles{{"gemm", Role::gemm},
                                                         {"attention", Role::tracker},
                                                         {"element-wise", Role::neutral},
                                                         {"all-gather", Role::allGather},
                                                         {"reduce-scatter", Role::reduceScatter},
                                                         {"all-to-all", Role::dma}};
    const auto meaning = data::readMeaning(part.meaning);
    const QColor color = colors.of(kRoles.at(meaning->name));
    return meaning->light ? Palette::mixed(color, colors.surface, 0.5) : color;
}

const ModelPart& partOf(const engine::Operator& op, const data::OperatorTime& time) {
    if (op.kind != engine::OperatorKind::collective)
        return data::partOf(op.kind);
    const auto longer = [&](const ModelPart& a, const ModelPart& b) { return time.time.*a.time < time.time.*b.time; };
    const auto exposed = std::find_if(kModelParts.begin(), kModelParts.end(), isExposed);
    return *std::max_element(exposed, kModelParts.end(), longer);
}

QString phaseTitle(engine::ModelPhase phase) {
    switch (phase) {
    case engine::ModelPhase::training: return modelTr("Training step");
    case engine::ModelPhase::prompt: return modelTr("Prompt (prefill)");
    case engine::ModelPhase::generation: return modelTr("Generation of a token (decode)");
    }
    return {};
}

QString workTitle(const data::ModelRun& run) {
    if (!data::isStep(run.base))
        return phaseTitle(run.graph.phase);
    switch (run.graph.phase) {
    case engine::ModelPhase::training: return modelTr("One micro-batch of a training step");
    case engine::ModelPhase::prompt: return modelTr("One micro-batch of a prompt (prefill)");
    case engine::ModelPhase::generation: return modelTr("One micro-batch of generation (decode)");
    }
    return {};
}

QString formatFactor(double factor) { return QLocale::c().toString(factor, 'f', 3) + QStringLiteral("×"); }

QString formatShare(double share) {
    constexpr double kLeast = 0.001;
    if (share > 0 && share < kLeast)
        return modelTr("< 0.1 %");
    return QLocale::c().toString(share * 100, 'f', 1) + QChar(0x00a0) + QLatin1Char('%');
}

QString formatScaled(double value, const QString& unit) {
    constexpr std::array<std::pair<double, const char*>, 5> kPrefixes{
        {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    const auto found = std::ranges::find_if(kPrefixes, [&](const auto& prefix) { return value >= prefix.first; });
    const bool any = found != kPrefixes.end();
    return QLocale::c().toString(any ? value / found->first : value, 'g', 4) + QChar(0x00a0) +
           QLatin1String(any ? found->second : "") + unit;
}

QString spokenOf(const data::PolicyModelTime& policy) {
    QStringList parts;
    for (const ModelPart& part : kModelParts) {
        if (const engine::Duration time = policy.time.*part.time; time.ps > 0)
            parts << modelTr("%1 %2").arg(titleOf(part), formatTime(time.ps));
    }
    return modelTr("%1: %2 in total, of which %3 is exposed communication; %4")
        .arg(titleOfPolicy(engine::name(policy.policy)), formatTime(policy.time.total().ps),
             formatShare(policy.communicationShare), parts.join(QStringLiteral(", ")));
}

data::FigureSpec modelFigure(const data::ModelRun& run, engine::ModelPhase phase) {
    std::int64_t longest = 1;
    for (const data::PolicyModelTime& policy : run.policies)
        longest = std::max(longest, policy.time.total().ps);
    const ScaledUnit& unit = unitFor(std::span(kTimeUnits).first<3>(), static_cast<double>(longest));
    data::FigureSpec figure;
    data::FigurePanel& panel = figure.panels.emplace_back();
    panel.y.title = tr("Time").toStdString();
    panel.y.unit = unit.name;
    panel.y.from = 0;
    data::FigureBar bar;
    for (const ModelPart& part : kModelParts) {
        data::FigureSeries series;
        series.name = titleOf(part).toStdString();
        series.meaning = part.meaning;
        std::int64_t sum = 0;
        for (const data::PolicyModelTime& policy : run.policies) {
            sum += (policy.time.*part.time).ps;
            series.values.emplace_back(static_cast<double>((policy.time.*part.time).ps) / unit.size);
        }
        if (sum > 0)
            bar.stack.push_back(std::move(series));
    }
    QStringList says;
    for (const data::PolicyModelTime& policy : run.policies) {
        const QString title = titleOfPolicy(engine::name(policy.policy));  // the same name as in other figures
        panel.categories.labels.push_back(title.toStdString());
        says << tr("%1: %2, of which %3 exposed communication")
                    .arg(title, formatTime(policy.time.total().ps), formatShare(policy.communicationShare));
    }
    panel.marks.emplace_back(data::BarMark{{std::move(bar)}, false});
    figure.provenance = provenanceOf(run.base, run.base.workload.model);
    figure.provenance.notices = data::qualifying(run.notices);
    const QString model = titleOfModel(run.base.workload.model);
    const QString what = phaseTitle(phase);
    figure.name = fileNameOf(tr("%1 %2").arg(text(run.base.workload.model), what)).toStdString();
    const QString work = workTitle(run);
    figure.title = tr("%1 of %2").arg(work, model).toStdString();
    figure.caption =
        tr("%1 of %2 by policy: where the time goes. Communication hidden behind GEMMs is not part of any bar.")
            .arg(work, model)
            .toStdString();
    figure.alternative = (says.join(QStringLiteral(". ")) + QLatin1Char('.')).toStdString();
    figure.provenance.moment = what.toStdString();
    return figure;
}

QString shortName(const Operator& op) {
    const QString id = text(op.id);
    const QStringList parts = id.split(QLatin1Char('/'));
    if (op.pass == engine::OperatorPass::optimizer)
        return text(op.title).section(QLatin1Char(' '), 0, 0);  // "Adam" of "Adam on a layer's weights"
    if (parts.size() > 2 && op.kind != OperatorKind::collective)
        return parts[1];  // the title of the row already says that it is a weight gradient
    return parts.back();
}

engine::Experiment modelOf(engine::Experiment experiment) {
    experiment.workload.sublayer = engine::SubLayer::fc2;
    experiment.workload.bytes = engine::WorkloadConfig{}.bytes;
    engine::applyPolicyPreset(experiment, engine::PolicyPreset::sequential);
    return experiment;
}

std::optional<engine::Experiment> openedExperiment(const data::ModelRun& run, std::uint32_t op) {
    const Operator& asked = run.graph.operators[op];
    const auto experiment = data::experimentOf(run.base, asked.feeder ? run.graph.operators[*asked.feeder] : asked);
    if (!experiment)
        return std::nullopt;
    // Leaves the operation out of the comparison: experimentOf() sets it to that of the operator, while for a whole
    // model it selects all-reduce or reduce-scatter for all layers.
    engine::Experiment model = modelOf(*experiment);
    model.collective.operation = run.base.collective.operation;
    return model == modelOf(run.base) ? experiment : std::nullopt;
}

QStringList timeLines(const data::ModelRun& run, const data::PolicyModelTime& policy, std::uint32_t index) {
    const Operator& op = run.graph.operators[index];
    const data::OperatorTime& time = policy.operators[index];
    const engine::Duration all = time.time.total() * op.count;
    QStringList lines;
    if (op.kind == OperatorKind::collective) {
        const engine::Duration exposed = time.time.total();
        const engine::Duration sequential = run.sequential.operators[index].time.total();
        if (exposed > sequential)
            lines << modelTr("%1 under sequential, %2 exposed here: %3 are lost")
                         .arg(formatTime(sequential.ps), formatTime(exposed.ps), formatTime((exposed - sequential).ps));
        else
            lines << modelTr("%1 under sequential, of which %2 is exposed and %3 hidden")
                         .arg(formatTime(sequential.ps), formatTime(exposed.ps), formatTime((sequential - exposed).ps));
    } else {
        lines << modelTr("%1 each time").arg(formatTime(time.time.total().ps));
    }
    lines << (op.count == 1 ? modelTr("once: %1 of the total").arg(formatShare(shareOf(policy, all)))
                            : modelTr("%1 times: %2, %3 of the total")
                                  .arg(formatCount(op.count), formatTime(all.ps), formatShare(shareOf(policy, all))));
    return lines;
}

QString operatorHtml(const data::ModelRun& run, const data::PolicyModelTime& policy, std::uint32_t index,
                     const Palette& colors) {
    const Operator& op = run.graph.operators[index];
    QString html = heading(text(op.title));
    html += paragraph(text(engine::title(op.kind)).toHtmlEscaped() + QStringLiteral(" · ") + escaped(op.id));
    html += paragraph(timeLines(run, policy, index)
                          .join(QLatin1Char('\n'))
                          .toHtmlEscaped()
                          .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    if (const QString size = sizeText(op); !size.isEmpty())
        html += paragraph(size.toHtmlEscaped());
    if (!op.formula.empty())
        html += paragraph(modelTr("<b>Formula</b> %1").arg(escaped(op.formula)));
    if (const QString symbols = symbolsText(run.graph, op.formula); !symbols.isEmpty())
        html += paragraph(faint(symbols.toHtmlEscaped(), colors));
    if (!op.source.empty())
        html += paragraph(modelTr("<b>Source</b> %1").arg(escaped(op.source)));
    return html;
}

QString modelHtml(const data::ModelRun& run, const Palette& colors) {
    const bool isNetwork = run.graph.network.has_value();
    const QString title = titleOfModel(run.base.workload.model);
    QString html = heading(isNetwork ? modelTr("The network %1").arg(title) : modelTr("One layer of %1").arg(title));
    html += paragraph(
        isNetwork
            ? modelTr("%1 operators on %2 GPUs. Select an operator to read its times, its formula and its source.")
                  .arg(formatCount(std::ssize(run.graph.operators)), formatCount(run.graph.gpus))
            : modelTr(
                  "%1 layers on %2 GPUs. The frame holds one layer; the operators before and after the layers are beside "
                  "it. Select an operator to read its times, its formula and its source. Double-click a sub-layer or "
                  "press Enter to open it in Explore.")
                  .arg(formatCount(run.graph.layers), formatCount(run.graph.gpus)));
    html += paragraph(faint(modelTr("%3 operator times, from %1 simulations and %2 GEMMs, in %4.")
                                .arg(run.simulatedRuns)
                                .arg(run.simulatedGemms)
                                .arg(run.operatorsTimed)
                                .arg(formatTime(run.wallNs * 1000, 3)),
                            colors));
    for (const engine::Notice& notice : run.notices)
        html += paragraph(modelTr("<b>Notice</b> %1").arg(escaped(notice.text)));
    return html;
}

QString headlineOf(const data::ModelRun& run, const data::PolicyModelTime& policy) {
    QString line = modelTr("%1 of %2 on %3 GPUs under %4: %5")
                       .arg(workTitle(run), titleOfModel(run.base.workload.model))
                       .arg(run.graph.gpus)
                       .arg(titleOfPolicy(engine::name(policy.policy)), formatTime(policy.time.total().ps));
    if (policy.policy != engine::PolicyPreset::sequential)
        line += modelTr(", %1 as fast as sequential").arg(formatFactor(policy.speedupOverSequential));
    return line + modelTr("; exposed communication %1").arg(formatShare(policy.communicationShare));
}

}  // namespace ui
