#pragma once

#include "ui/model/model_page.h"

namespace ui {

class MessageChart;
class ValueTable;
struct MessageFacts;

/// The page Messages: the messages of one GPU in one step, as a picture by size and as a table.
class MessagesPage final : public ComputedPage {
    Q_OBJECT

public:
    explicit MessagesPage(QWidget* parent = nullptr);

    MessageChart& chart() { return *m_chart; }
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

    MessageChart* m_chart;
    ValueTable* m_table;
};

}  // namespace ui
