#pragma once

#include "ui/model/message_facts.h"
#include "ui/model/model_page.h"

namespace ui {

class FigureCanvas;
class ValueTable;

/// The page Messages: the messages of one GPU in one step, as a picture by size and as a table.
class MessagesPage final : public ComputedPage {
    Q_OBJECT

public:
    explicit MessagesPage(QWidget* parent = nullptr);

    FigureCanvas& chart() { return *m_chart; }
    const MessageFacts& facts() const { return m_facts; }
    ValueTable& table() { return *m_table; }

    std::optional<FigureOffer> figure() const override;
    QWidget* picture() const override;
    bool stepOut() override;
    void save(QJsonObject&) const override {}
    void restore(const QJsonObject&) override {}

protected:
    engine::Problems answer(const ModelQuestion& question) override;

private:
    void fillTable(const MessageFacts& facts);
    void showChart(const engine::Experiment& experiment);

    MessageFacts m_facts;
    FigureCanvas* m_chart;
    QLabel* m_notDrawn;
    ValueTable* m_table;
};

}  // namespace ui
