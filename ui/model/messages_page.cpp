#include "ui/model/messages_page.h"

#include "ui/look/format.h"
#include "ui/look/value_table.h"
#include "ui/look/widget_parts.h"
#include "ui/model/message_chart.h"

#include <QLabel>
#include <QSplitter>

#include <utility>

namespace ui {

MessagesPage::MessagesPage(QWidget* parent) : ComputedPage(parent) {
    auto* rows = new QSplitter(Qt::Vertical, this);
    rows->setChildrenCollapsible(false);
    m_chart = new MessageChart(rows);
    m_table = new ValueTable(rows);
    setNames(*m_table, QStringLiteral("messageTable"), tr("Values of the messages"));
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    build(QStringLiteral("messages"), nullptr, rows);
    connect(m_chart, &MessageChart::chosenChanged, this, [this] { m_table->choose(m_chart->chosen()); });
    connect(m_table, &ValueTable::chosenChanged, this, [this] { m_chart->choose(m_table->chosen()); });
}

engine::Problems MessagesPage::answer(const ModelQuestion& question) {
    MessageAnswer answer = messagesOf(question);
    if (!answer.problems.empty())
        return answer.problems;
    setHeadline(headlineOf(answer.facts));
    fillTable(answer.facts);
    m_chart->showFacts(std::move(answer.facts));
    m_table->choose(m_chart->chosen());
    return {};
}

void MessagesPage::fillTable(const MessageFacts& facts) {
    std::vector<ValueColumn> columns{
        {tr("group"), true, tr("Group of GPUs that takes part")},
        {tr("operation"), true},
        {tr("GPUs"), false, tr("Number of GPUs that take part")},
        {tr("each"), false, tr("Bytes of one message: the whole buffer")},
        {tr("times"), false, tr("Messages in one step")},
        {tr("volume"), false, tr("Bytes of all messages; those of an all-reduce count twice, as in the papers")},
        {tr("sent"), false, tr("Bytes that the GPU sends in total")},
        {tr("where"), true, tr("Between nodes if the group's GPUs are not all in one node (node.gpus)")},
        {tr("source"), true, tr("Source of the row's values")}};
    std::vector<ValueRow> rows;
    for (const engine::MessageRow& row : facts.messages.rows)
        rows.push_back({{text(engine::name(row.group)), text(engine::name(row.operation)), formatCount(row.gpus),
                         formatBytes(row.bytes.count), formatCount(row.count), formatBytes(row.volume.count),
                         formatBytes(row.sent.count), whereOf(row), text(row.source)},
                        spokenOf(row)});
    m_table->showRows(std::move(columns), std::move(rows));
}

std::optional<FigureOffer> MessagesPage::figure() const {
    if (!hasAnswer() || m_chart->facts().messages.rows.empty())
        return std::nullopt;
    return FigureOffer{messagesFigure(m_chart->facts(), question()->experiment), {}};
}

QWidget* MessagesPage::picture() const { return m_chart; }

bool MessagesPage::stepOut() {
    const bool had = m_chart->chosen().has_value();
    m_chart->choose(std::nullopt);
    return had;
}

}  // namespace ui
