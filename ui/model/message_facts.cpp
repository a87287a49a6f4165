#include "ui/model/message_facts.h"

#include "engine/api/footprint.h"
#include "ui/look/format.h"
#include "ui/model/division_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <ranges>

namespace ui {
namespace {

using engine::MessageGroup;
using engine::MessageRow;

QString messageTr(const char* text) { return QCoreApplication::translate("Messages", text); }

double atLeastOne(engine::Bytes bytes) { return static_cast<double>(std::max<std::int64_t>(1, bytes.count)); }

/// Returns a panel with `valueOf` of each row over the bytes of one message.
template <typename Value>
data::FigurePanel panelOf(const MessageFacts& facts, const QString& title, const char* unit, Value valueOf) {
    data::FigurePanel panel;
    panel.x.title = messageTr("Size of a message").toStdString();
    panel.x.unit = "B";
    panel.x.scale = data::FigureScale::logarithmic;
    panel.y.title = title.toStdString();
    panel.y.unit = unit;
    panel.y.scale = data::FigureScale::logarithmic;
    data::LineMark points;
    points.joined = false;
    for (const MessageRow& row : facts.messages.rows) {
        points.x.push_back(sizeOf(row));
        const std::string name(engine::name(row.group));
        if (std::ranges::find(points.series, name, &data::FigureSeries::name) != points.series.end())
            continue;
        data::FigureSeries& series = points.series.emplace_back();
        series.name = name;
        series.meaning = "series/" + std::to_string(static_cast<int>(row.group));
    }
    for (data::FigureSeries& series : points.series) {
        for (const MessageRow& row : facts.messages.rows)
            series.values.push_back(series.name == engine::name(row.group) ? std::optional(valueOf(row))
                                                                           : std::nullopt);
    }
    // Space around the outermost points, as in the window.
    constexpr double kAround = 3;
    const auto spread = [&](data::FigureAxis& axis, auto of) {
        const auto [least, most] = std::ranges::minmax(facts.messages.rows | std::views::transform(of));
        axis.from = least / kAround;
        axis.to = most * kAround;
    };
    spread(panel.x, sizeOf);
    spread(panel.y, valueOf);
    panel.marks.emplace_back(std::move(points));
    return panel;
}

/// Returns where a GPU of another stage sends more than the one that sends most in total: "pipeline 3.22 GB (stage 1)".
QStringList whereOthersSendMore(const engine::Messages& all) {
    QStringList more;
    const auto add = [&](const QString& what, const engine::MostSent& most, engine::Bytes own) {
        if (most.sent > own)
            more << messageTr("%1 %2 (stage %3)").arg(what, formatBytes(most.sent.count)).arg(most.stage);
    };
    for (std::size_t i = 0; i < engine::kMessageGroups.size(); ++i)
        add(text(engine::name(engine::kMessageGroups[i])), all.mostInGroup[i], all.sentIn(engine::kMessageGroups[i]));
    add(messageTr("between nodes"), all.mostBetweenNodes, all.sentBetweenNodes());
    return more;
}

}  // namespace

double sizeOf(const MessageRow& row) { return atLeastOne(row.bytes); }
double countOf(const MessageRow& row) { return static_cast<double>(std::max<std::int64_t>(1, row.count)); }
double sentOf(const MessageRow& row) { return atLeastOne(row.sent); }

MessageAnswer messagesOf(const ModelQuestion& question) {
    MessageAnswer answer;
    answer.problems = engine::footprintProblems(question.experiment, question.phase);
    if (!answer.problems.empty())
        return answer;
    answer.facts = {engine::messagesOf(question.experiment, question.phase), divisionTitle(question),
                    question.experiment.division.pp > 1};
    return answer;
}

QString titleOf(const MessageRow& row) {
    return messageTr("%1 %2").arg(text(engine::name(row.group)), text(engine::name(row.operation)));
}

QString whereOf(const MessageRow& row) {
    return row.betweenNodes ? messageTr("between nodes") : messageTr("within a node");
}

QString spokenOf(const MessageRow& row) {
    return messageTr("%1 among %2 GPUs: %3 each, %4 times; volume %5, sent %6 %7; source: %8")
        .arg(titleOf(row), formatCount(row.gpus), formatBytes(row.bytes.count), formatCount(row.count),
             formatBytes(row.volume.count), formatBytes(row.sent.count), whereOf(row), text(row.source));
}

QString headlineOf(const MessageFacts& facts) {
    const engine::Messages& all = facts.messages;
    if (all.rows.empty())
        return messageTr("%1: no messages").arg(facts.title);
    const QString who =
        facts.hasStages ? messageTr("a GPU of stage %1, which sends most,").arg(all.stage) : messageTr("a GPU");
    const QString headline = messageTr("%1: %2 sends %3 in %4 messages, %5 of them between nodes")
                                 .arg(facts.title, who, formatBytes(all.sent().count), formatCount(all.count()),
                                      formatBytes(all.sentBetweenNodes().count));
    const QStringList more = whereOthersSendMore(all);
    return more.isEmpty() ? headline
                          : messageTr("%1. Other stages send more: %2").arg(headline, more.join(QStringLiteral("; ")));
}

data::FigureSpec messagesFigure(const MessageFacts& facts, const engine::Experiment& experiment) {
    data::FigureSpec figure;
    figure.panels.push_back(panelOf(facts, messageTr("Count in a step"), "messages", countOf));
    figure.panels.push_back(panelOf(facts, messageTr("Sent in a step"), "B", sentOf));
    figure.provenance = provenanceOf(experiment, experiment.workload.model);
    figure.provenance.moment = messageTr("Messages").toStdString();
    figure.name = fileNameOf(messageTr("%1 messages").arg(text(experiment.workload.model))).toStdString();
    figure.title = messageTr("Messages of a GPU: %1").arg(facts.title).toStdString();
    figure.caption =
        messageTr("%1: messages of one GPU by size, how many there are and how many bytes it sends in them. "
                  "All axes are logarithmic.")
            .arg(facts.title)
            .toStdString();
    QStringList says;
    for (const MessageRow& row : facts.messages.rows)
        says << spokenOf(row);
    figure.alternative = (says.join(QStringLiteral(". ")) + QLatin1Char('.')).toStdString();
    return figure;
}

}  // namespace ui
