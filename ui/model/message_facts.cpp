#include "ui/model/message_facts.h"

#include "engine/api/footprint.h"
#include "ui/look/format.h"
#include "ui/model/division_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>

namespace ui {
namespace {

using engine::MessageGroup;
using engine::MessageRow;

QString messageTr(const char* text) { return QCoreApplication::translate("Messages", text); }

constexpr std::array<ScaledUnit, 2> kSentUnits{{{1e9, "GB"}, {1e6, "MB"}}};

double atLeastOne(engine::Bytes bytes) { return static_cast<double>(std::max<std::int64_t>(1, bytes.count)); }

std::string nameOfGroup(MessageGroup group) { return std::string(engine::name(group)); }
std::string meaningOfGroup(MessageGroup group) { return "series/" + std::to_string(static_cast<int>(group)); }

/// Returns the groups of the rows, each once, in the order of the rows.
std::vector<MessageGroup> groupsOf(const MessageFacts& facts, const std::vector<std::size_t>& rows) {
    std::vector<MessageGroup> groups;
    for (const std::size_t row : rows) {
        if (std::ranges::find(groups, facts.messages.rows[row].group) == groups.end())
            groups.push_back(facts.messages.rows[row].group);
    }
    return groups;
}

std::vector<std::size_t> allRowsOf(const MessageFacts& facts) {
    std::vector<std::size_t> rows(facts.messages.rows.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

std::optional<engine::Bytes> sentWithoutSharding(const ModelQuestion& question) {
    engine::Experiment whole = question.experiment;
    whole.division.sharding = engine::Sharding::none;
    if (question.experiment.division.sharding == engine::Sharding::none ||
        !engine::footprintProblems(whole, question.phase).empty())
        return std::nullopt;
    return engine::messagesOf(whole, question.phase).sent();
}

data::FigurePanel countPanel(const MessageFacts& facts) {
    const std::vector<MessageRow>& all = facts.messages.rows;
    const std::vector<std::size_t> rows = facts.rowsBySize();
    data::FigurePanel panel;
    panel.x.title = messageTr("Size of a message").toStdString();
    panel.x.unit = "B";
    panel.y.title = messageTr("Count in a step").toStdString();
    panel.y.unit = "messages";
    data::LineMark points;
    points.joined = false;
    for (const std::size_t row : rows)
        points.x.push_back(sizeOf(all[row]));
    for (const MessageGroup group : groupsOf(facts, rows)) {
        data::FigureSeries& series = points.series.emplace_back();
        series.name = nameOfGroup(group);
        series.meaning = meaningOfGroup(group);
        for (const std::size_t row : rows)
            series.values.push_back(all[row].group == group ? std::optional(countOf(all[row])) : std::nullopt);
    }
    // Space around the outermost points, as in the window.
    constexpr double kAround = 3;
    const auto spread = [&](data::FigureAxis& axis, auto of) {
        const auto values = rows | std::views::transform([&](std::size_t row) { return of(all[row]); });
        const auto [least, most] = std::ranges::minmax(values);
        axis.scale = data::FigureScale::logarithmic;
        axis.from = least / kAround;
        axis.to = most * kAround;
    };
    spread(panel.x, sizeOf);
    spread(panel.y, countOf);
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

data::FigurePanel sentPanel(const MessageFacts& facts) {
    const std::vector<MessageRow>& rows = facts.messages.rows;
    data::FigurePanel panel;
    panel.y.title = messageTr("Sent in a step").toStdString();
    panel.y.from = 0;
    const double most =
        static_cast<double>(std::max(facts.messages.sent(), facts.unsharded.value_or(engine::Bytes{})).count);
    const ScaledUnit& unit = unitFor(kSentUnits, most);
    panel.y.unit = unit.name;
    for (const MessageRow& row : rows) {
        panel.categories.labels.emplace_back(engine::name(row.operation));
        if (panel.categories.groups.empty() || panel.categories.groups.back().label != engine::name(row.group))
            panel.categories.groups.push_back({nameOfGroup(row.group), 0});
        ++panel.categories.groups.back().count;
    }
    panel.categories.labels.push_back(messageTr("all").toStdString());
    panel.categories.groups.push_back({messageTr("in all").toStdString(), 1});
    data::FigureBar bar;
    for (const MessageGroup group : groupsOf(facts, allRowsOf(facts))) {
        data::FigureSeries& series = bar.stack.emplace_back();
        series.name = nameOfGroup(group);
        series.meaning = meaningOfGroup(group);
        double sum = 0;
        for (const MessageRow& row : rows) {
            const double sent = static_cast<double>(row.sent.count) / unit.size;
            series.values.push_back(row.group == group ? std::optional(sent) : std::nullopt);
            sum += row.group == group ? sent : 0;
        }
        series.values.emplace_back(sum);
    }
    data::BarMark mark;
    mark.bars.push_back(std::move(bar));
    panel.marks.emplace_back(std::move(mark));
    if (facts.unsharded)
        panel.references.push_back(
            {static_cast<double>(facts.unsharded->count) / unit.size,
             messageTr("without sharding: %1").arg(formatBytes(facts.unsharded->count)).toStdString(),
             {},
             {},
             {}});
    return panel;
}

}  // namespace

double sizeOf(const MessageRow& row) { return atLeastOne(row.bytes); }
double countOf(const MessageRow& row) { return static_cast<double>(std::max<std::int64_t>(1, row.count)); }

std::vector<std::size_t> MessageFacts::rowsBySize() const {
    constexpr double kLeastShare = 1e-6;
    const double least = static_cast<double>(messages.sent().count) * kLeastShare;
    std::vector<std::size_t> rows = allRowsOf(*this);
    std::erase_if(rows, [&](std::size_t row) { return static_cast<double>(messages.rows[row].sent.count) < least; });
    return rows;
}

QString MessageFacts::notDrawn() const {
    const std::vector<std::size_t> drawn = rowsBySize();
    QStringList others;
    for (const std::size_t row : allRowsOf(*this)) {
        const MessageRow& left = messages.rows[row];
        if (std::ranges::find(drawn, row) == drawn.end())
            others << messageTr("%1, %2 times %3")
                          .arg(titleOf(left), formatCount(left.count), formatBytes(left.bytes.count));
    }
    return others.isEmpty() ? QString() : messageTr("Not drawn: %1").arg(others.join(QStringLiteral("; ")));
}

MessageAnswer messagesOf(const ModelQuestion& question) {
    MessageAnswer answer;
    answer.problems = engine::footprintProblems(question.experiment, question.phase);
    if (!answer.problems.empty())
        return answer;
    answer.facts = {engine::messagesOf(question.experiment, question.phase), divisionTitle(question),
                    question.experiment.division.pp > 1, sentWithoutSharding(question)};
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
    figure.panels.push_back(countPanel(facts));
    figure.panels.push_back(sentPanel(facts));
    figure.provenance = provenanceOf(experiment, experiment.workload.model);
    figure.provenance.moment = messageTr("Messages").toStdString();
    figure.name = fileNameOf(messageTr("%1 messages").arg(text(experiment.workload.model))).toStdString();
    figure.title = messageTr("Messages of a GPU: %1").arg(facts.title).toStdString();
    QString caption = messageTr("%1: how many messages of each size one GPU sends, and how many bytes in each kind.")
                          .arg(facts.title);
    if (const QString left = facts.notDrawn(); !left.isEmpty())
        caption += messageTr(" %1.").arg(left);
    figure.caption = caption.toStdString();
    QStringList says;
    for (const MessageRow& row : facts.messages.rows)
        says << spokenOf(row);
    figure.alternative = (says.join(QStringLiteral(". ")) + QLatin1Char('.')).toStdString();
    return figure;
}

}  // namespace ui
