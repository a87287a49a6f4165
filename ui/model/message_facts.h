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
    bool hasStages = false;  ///< there are several stages; the messages are those of the stage that sends most
};

struct MessageAnswer {
    engine::Problems problems;  ///< why the facts cannot be computed
    MessageFacts facts;
};
MessageAnswer messagesOf(const ModelQuestion& question);

/// Return the bytes of one message, the number of messages, and the bytes sent in all; at least 1 each, because the
/// axes are logarithmic.
double sizeOf(const engine::MessageRow& row);
double countOf(const engine::MessageRow& row);
double sentOf(const engine::MessageRow& row);

/// Returns "data all-gather".
QString titleOf(const engine::MessageRow& row);
/// Returns "between nodes" or "within a node".
QString whereOf(const engine::MessageRow& row);
/// Returns "data all-gather: 24 times 1.00 GB among 64 GPUs, …".
QString spokenOf(const engine::MessageRow& row);
QString headlineOf(const MessageFacts& facts);
/// Returns a figure of count and sent bytes over the size of a message: a point for each row, a series for each group.
data::FigureSpec messagesFigure(const MessageFacts& facts, const engine::Experiment& experiment);

}  // namespace ui
