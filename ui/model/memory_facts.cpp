#include "ui/model/memory_facts.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/model/division_words.h"
#include "ui/model/model_parts.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

using engine::FootprintBytes;

QString memoryTr(const char* text) { return QCoreApplication::translate("Memory", text); }

/// Computes footprints for a question; builds the operator graph once for all shardings.
class Footprints {
public:
    explicit Footprints(const ModelQuestion& question) : m_question(question) {}

    engine::Footprint of(const engine::Experiment& experiment) {
        if (experiment.division.weights)
            return engine::footprintOf(experiment, m_question.phase);
        if (!m_graph)
            m_graph = engine::operatorGraphOf(experiment, m_question.phase);
        return engine::footprintOf(experiment, *m_graph);
    }

private:
    const ModelQuestion& m_question;
    std::optional<engine::OperatorGraph> m_graph;
};

std::optional<bool> fitsInto(const std::optional<engine::Bytes>& capacity, const engine::StageFootprint& stage) {
    return capacity ? std::optional(stage.bytes.total() <= *capacity) : std::nullopt;
}

QString stagesText(std::size_t first, std::size_t last) {
    if (first == last)
        return memoryTr("stage %1").arg(first);
    return memoryTr("stages %1–%2").arg(first).arg(last);
}

MemoryAnswer stagesOf(const ModelQuestion& question) {
    MemoryAnswer answer;
    answer.problems = engine::footprintProblems(question.experiment, question.phase);
    if (!answer.problems.empty())
        return answer;
    const engine::Footprint footprint = Footprints(question).of(question.experiment);
    MemoryFacts& facts = answer.facts;
    const auto& stages = footprint.stages;
    for (std::size_t first = 0; first < stages.size();) {
        std::size_t last = first;
        while (last + 1 < stages.size() && stages[first] == stages[last + 1])
            ++last;
        if (footprint.largest >= first && footprint.largest <= last)
            facts.own = facts.bars.size();
        facts.bars.push_back(
            {stagesText(first, last), stages[first], fitsInto(question.experiment.node.memory, stages[first])});
        first = last + 1;
    }
    facts.notices = footprint.notices;
    return answer;
}

/// Returns the problems as text. A problem of the sharding is shortened to its explanation, because the name of the bar
/// already names the sharding.
QString problemOf(const engine::Problems& problems) {
    QStringList lines;
    for (const engine::Problem& problem : problems)
        lines << text(problem.path == "division.sharding" ? problem.text : engine::describe(problem));
    return lines.join(QStringLiteral("; "));
}

MemoryAnswer shardingsOf(const ModelQuestion& question) {
    MemoryAnswer answer;
    MemoryFacts& facts = answer.facts;
    Footprints footprints(question);
    bool any = false;
    for (const engine::Sharding sharding : {engine::Sharding::none, engine::Sharding::optimizer,
                                            engine::Sharding::gradients, engine::Sharding::weights}) {
        engine::Experiment experiment = question.experiment;
        experiment.division.sharding = sharding;
        const engine::Problems problems = engine::footprintProblems(experiment, question.phase);
        MemoryBar bar{shardingWord(sharding), {}, {}, problemOf(problems)};
        const bool isOwn = sharding == question.experiment.division.sharding;
        if (isOwn)
            facts.own = facts.bars.size();
        if (problems.empty()) {
            const engine::Footprint footprint = footprints.of(experiment);
            bar.stage = footprint.stage();
            bar.fits = fitsInto(experiment.node.memory, bar.stage);
            if (isOwn || !any)
                facts.notices = footprint.notices;
            any = true;
        } else if (isOwn) {
            answer.problems = problems;
        }
        facts.bars.push_back(std::move(bar));
    }
    if (any)
        answer.problems.clear();
    return answer;
}

}  // namespace

engine::Bytes MemoryFacts::largest() const {
    engine::Bytes most;
    for (const MemoryBar& bar : bars)
        most = std::max(most, bar.stage.bytes.total());
    return most;
}

const std::array<MemoryHolder, kMemoryHolders>& memoryHolders() {
    static constexpr std::array<MemoryHolder, kMemoryHolders> kHolders{
        {{QT_TRANSLATE_NOOP("Memory", "weights"), QT_TRANSLATE_NOOP("Memory", "Weights as the GEMMs read them."),
          &FootprintBytes::weights},
         {QT_TRANSLATE_NOOP("Memory", "gradients"), QT_TRANSLATE_NOOP("Memory", "Gradients of the weights."),
          &FootprintBytes::gradients},
         {QT_TRANSLATE_NOOP("Memory", "optimizer"),
          QT_TRANSLATE_NOOP("Memory",
                            "The optimizer's state. With elements below 32 bits it has an fp32 copy of the weights."),
          &FootprintBytes::optimizer},
         {QT_TRANSLATE_NOOP("Memory", "activations"),
          QT_TRANSLATE_NOOP("Memory",
                            "Results of the forward pass kept for the backward pass, for all micro-batches in flight."),
          &FootprintBytes::activations},
         {QT_TRANSLATE_NOOP("Memory", "cache"),
          QT_TRANSLATE_NOOP("Memory", "Keys and values of attention, in inference."), &FootprintBytes::cache},
         {QT_TRANSLATE_NOOP("Memory", "buffers"),
          QT_TRANSLATE_NOOP(
              "Memory",
              "Gathered gradients or layers, as in DeepSpeed's estimators, and the layer that is recomputed."),
          &FootprintBytes::buffers},
         {QT_TRANSLATE_NOOP("Memory", "copies"),
          QT_TRANSLATE_NOOP("Memory", "Copies of the weights in other formats (training.copies): those of all layers, "
                                      "or those of two, which are made just before they are needed."),
          &FootprintBytes::copies}}};
    return kHolders;
}

QString titleOf(const MemoryHolder& holder) { return memoryTr(holder.title); }

QString meaningOf(const MemoryHolder& holder) { return memoryTr(holder.meaning); }

std::vector<std::size_t> holdersOf(const MemoryFacts& facts) {
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < kMemoryHolders; ++i) {
        if (std::any_of(facts.bars.begin(), facts.bars.end(),
                        [&](const MemoryBar& bar) { return (bar.stage.bytes.*memoryHolders()[i].bytes).count > 0; }))
            there.push_back(i);
    }
    return there;
}

MemoryAnswer memoryOf(const ModelQuestion& question, MemoryBy by) {
    MemoryAnswer answer = by == MemoryBy::stage ? stagesOf(question) : shardingsOf(question);
    answer.facts.by = by;
    answer.facts.capacity = question.experiment.node.memory;
    answer.facts.title = divisionTitle(question);
    return answer;
}

QString verdictOf(const MemoryBar& bar) {
    if (!bar.fits)
        return {};
    return *bar.fits ? memoryTr("fits") : memoryTr("does not fit");
}

QString formatHeld(engine::Bytes bytes) { return formatBytes(bytes.count); }

QString spokenOf(const MemoryBar& bar) {
    if (!bar.problem.isEmpty())
        return memoryTr("%1: not computed. %2").arg(bar.name, bar.problem);
    QStringList parts;
    for (const MemoryHolder& holder : memoryHolders()) {
        if (const engine::Bytes held = bar.stage.bytes.*holder.bytes; held.count > 0)
            parts << memoryTr("%1 %2").arg(titleOf(holder), formatHeld(held));
    }
    QString total = formatHeld(bar.stage.bytes.total());
    if (bar.fits)
        total = memoryTr("%1, %2").arg(total, verdictOf(bar));
    return memoryTr("%1: %2: %3").arg(bar.name, total, parts.join(QStringLiteral(", ")));
}

QString headlineOf(const MemoryFacts& facts) {
    const MemoryBar& own = facts.bars[facts.own];
    if (!own.problem.isEmpty())
        return memoryTr("%1: its sharding, %2, cannot be computed").arg(facts.title, own.name);
    const bool several = facts.by == MemoryBy::stage && facts.bars.size() > 1;
    QString line = several ? memoryTr("%1: a GPU of %2 holds the most, %3")
                                 .arg(facts.title, own.name, formatHeld(own.stage.bytes.total()))
                           : memoryTr("%1: a GPU holds %2").arg(facts.title, formatHeld(own.stage.bytes.total()));
    if (facts.by == MemoryBy::sharding)
        line += memoryTr(" with the sharding %1").arg(own.name);
    if (!own.fits)
        return line;
    return line + (*own.fits ? memoryTr(", which fits into %1") : memoryTr(", which does not fit into %1"))
                      .arg(formatHeld(*facts.capacity));
}

QString memoryHtml(const MemoryFacts& facts) {
    QString html, others;
    for (const engine::Notice& notice : facts.notices) {
        if (notice.path == "footprint")  // the notice about what is not included comes first
            html += paragraph(memoryTr("<b>The footprint contains</b> %1.").arg(text(notice.text).toHtmlEscaped()));
        else
            others += paragraph(memoryTr("<b>Notice</b> %1: %2")
                                    .arg(text(notice.path).toHtmlEscaped(), text(notice.text).toHtmlEscaped()));
    }
    if (!facts.capacity)
        html +=
            paragraph(memoryTr("The capacity of a GPU is unlimited: set <b>node.memory</b>, or choose a machine that "
                               "states it, to see whether this fits."));
    return html + others;
}

data::FigureSpec memoryFigure(const MemoryFacts& facts, const engine::Experiment& experiment) {
    constexpr double kGigabyte = 1e9;
    const auto gigabytes = [](engine::Bytes bytes) { return static_cast<double>(bytes.count) / kGigabyte; };
    data::FigureSpec figure;
    data::FigurePanel& panel = figure.panels.emplace_back();
    panel.y.title = memoryTr("Memory of a GPU").toStdString();
    panel.y.unit = "GB";
    panel.y.from = 0;
    panel.x.title = (facts.by == MemoryBy::stage ? memoryTr("Stage") : memoryTr("Sharding")).toStdString();
    data::FigureBar bar;
    for (const std::size_t holder : holdersOf(facts)) {
        data::FigureSeries series;
        series.name = titleOf(memoryHolders()[holder]).toStdString();
        series.meaning = "series/" + std::to_string(holder);
        for (const MemoryBar& each : facts.bars)
            series.values.push_back(each.problem.isEmpty()
                                        ? std::optional(gigabytes(each.stage.bytes.*memoryHolders()[holder].bytes))
                                        : std::nullopt);
        bar.stack.push_back(std::move(series));
    }
    QStringList says;
    for (const MemoryBar& each : facts.bars) {
        QString label = each.name;
        if (facts.by == MemoryBy::stage)  // drops the word "stage", which the axis has as its title
            label = label.section(QLatin1Char(' '), 1);
        panel.categories.labels.push_back(label.toStdString());
        says << spokenOf(each);
    }
    panel.marks.emplace_back(data::BarMark{{std::move(bar)}, false});
    if (facts.reach)
        panel.y.to = gigabytes(std::max({facts.largest(), *facts.reach, facts.capacity.value_or(engine::Bytes{})})) *
                     kMemoryHeadroom;
    if (facts.capacity)
        panel.references.push_back({gigabytes(*facts.capacity),
                                    memoryTr("Capacity: %1").arg(formatHeld(*facts.capacity)).toStdString(),
                                    {},
                                    {},
                                    {}});
    figure.provenance = provenanceOf(experiment, experiment.workload.model);
    figure.provenance.moment = memoryTr("Memory").toStdString();
    figure.name = fileNameOf(memoryTr("%1 memory").arg(text(experiment.workload.model))).toStdString();
    figure.title = memoryTr("Memory of a GPU: %1").arg(facts.title).toStdString();
    const bool hasCopies =
        std::ranges::any_of(facts.bars, [](const MemoryBar& each) { return each.stage.bytes.copies.count > 0; });
    figure.caption = (hasCopies ? memoryTr("%1: model states, copies of the weights in other formats and activations "
                                           "that one GPU holds. The allocator, the context and workspaces are not "
                                           "included.")
                                : memoryTr("%1: model states and activations that one GPU holds. The allocator, the "
                                           "context and workspaces are not included."))
                         .arg(facts.title)
                         .toStdString();
    figure.alternative = (says.join(QStringLiteral(". ")) + QLatin1Char('.')).toStdString();
    return figure;
}

}  // namespace ui
