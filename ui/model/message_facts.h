#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/messages.h"
#include "ui/model/model_page.h"

#include <QString>

namespace ui {

/// Everything that the page Messages shows.
struct MessageFacts {
    engine::Messages messages;
    QString title;           ///< "Training step of gpt-3 on 512 GPUs (…)"
    bool hasStages = false;  ///< of several stages it is the one that sends most
};

struct MessageAnswer {
    engine::Problems problems;  ///< everything that keeps the facts from being computed
    MessageFacts facts;
};
MessageAnswer messagesOf(const ModelQuestion& question);

/// Bytes of one message, how many there are, bytes sent in all: at least 1 each, as logarithmic axes need it.
double sizeOf(const engine::MessageRow& row);
double countOf(const engine::MessageRow& row);
double sentOf(const engine::MessageRow& row);

/// "data all-gather"
QString titleOf(const engine::MessageRow& row);
/// "between nodes" or "within a node"
QString whereOf(const engine::MessageRow& row);
/// "data all-gather: 24 times 1.00 GB among 64 GPUs, …"
QString spokenOf(const engine::MessageRow& row);
QString headlineOf(const MessageFacts& facts);
/// Count and sent bytes over the size of a message as a figure: a point for each row, a series for each group.
data::FigureSpec messagesFigure(const MessageFacts& facts, const engine::Experiment& experiment);

}  // namespace ui
