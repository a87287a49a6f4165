#include "ui/model/messages_page.h"

#include "ui/drawing/figure_canvas.h"
#include "ui/look/format.h"
#include "ui/look/value_table.h"
#include "ui/look/widget_parts.h"

#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <utility>

namespace ui {

MessagesPage::MessagesPage(QWidget* parent) : ComputedPage(parent) {
    auto* rows = new QSplitter(Qt::Vertical, this);
    rows->setChildrenCollapsible(false);
    auto* pictures = new QWidget(rows);
    m_chart = new FigureCanvas(QStringLiteral("messageChart"), tr("Messages by size"), pictures);
    m_chart->setEmptyText(tr("No messages: every group consists of a single GPU."));
    m_notDrawn = newWrappedLabel(pictures, QStringLiteral("messagesNotDrawn"));
    auto* column = flushLayout<QVBoxLayout>(pictures, 0);
    column->addWidget(m_chart, 1);
    column->addWidget(m_notDrawn);
    m_table = new ValueTable(rows);
    setNames(*m_table, QStringLiteral("messageTable"), tr("Values of the messages"));
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    build(QStringLiteral("messages"), nullptr, rows);
    connect(m_chart, &FigureCanvas::chosenChanged, this, [this] { m_table->choose(m_chart->chosen()); });
    connect(m_table, &ValueTable::chosenChanged, this, [this] { m_chart->choose(m_table->chosen()); });
}

engine::Problems MessagesPage::answer(const ModelQuestion& question) {
    MessageAnswer answer = messagesOf(question);
    if (!answer.problems.empty())
        return answer.problems;
    setHeadline(headlineOf(answer.facts));
    fillTable(answer.facts);
    m_facts = std::move(answer.facts);
    showChart(question.experiment);
    m_table->choose(m_chart->chosen());
    return {};
}

// Shows the figure with the rows' whole names, and a name at each point.
void MessagesPage::showChart(const engine::Experiment& experiment) {
    const std::vector<engine::MessageRow>& rows = m_facts.messages.rows;
    m_notDrawn->setText(m_facts.notDrawn());
    m_notDrawn->setVisible(!m_notDrawn->text().isEmpty());
    FigureCanvas::Content content;
    QStringList totals;
    if (!rows.empty()) {
        content.figure = messagesFigure(m_facts, experiment);
        content.figure.columns = 0;
        data::FigurePanel& counts = content.figure.panels[0];
        data::FigurePanel& sent = content.figure.panels[1];
        counts.weight = 1.3;
        content.choiceOfRow = {m_facts.rowsBySize()};
        for (const std::size_t row : content.choiceOfRow.front())
            counts.annotations.push_back({sizeOf(rows[row]), countOf(rows[row]), titleOf(rows[row]).toStdString()});
        RowOptions& options = content.rows.emplace();
        options.strong = rows.size();
        options.columns.resize(1);
        sent.categories.groups.clear();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            sent.categories.labels[row] = titleOf(rows[row]).toStdString();
            options.columns.front().cells.push_back({formatBytes(rows[row].sent.count)});
            content.choices << spokenOf(rows[row]);
        }
        const QString all = formatBytes(m_facts.messages.sent().count);
        options.columns.front().cells.push_back({all});
        totals = content.choices + QStringList(tr("all: %1").arg(all));
        if (m_facts.unsharded)
            totals << tr("without sharding: %1").arg(formatBytes(m_facts.unsharded->count));
    }
    content.summary = totals.join(QStringLiteral(". "));
    content.order.resize(rows.size());
    std::iota(content.order.begin(), content.order.end(), std::size_t{0});
    std::ranges::stable_sort(content.order, {},
                             [&](std::size_t row) { return std::pair(sizeOf(rows[row]), countOf(rows[row])); });
    m_chart->showContent(std::move(content));
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
    if (!hasAnswer() || m_facts.messages.rows.empty())
        return std::nullopt;
    return FigureOffer{messagesFigure(m_facts, question()->experiment), {}};
}

QWidget* MessagesPage::picture() const { return m_chart; }

bool MessagesPage::stepOut() {
    const bool had = m_chart->chosen().has_value();
    m_chart->choose(std::nullopt);
    return had;
}

}  // namespace ui
