#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/messages.h"
#include "ui/model/model_page.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace ui {

/// Everything that the page Messages shows.
struct MessageFacts {
    engine::Messages messages;
    QString title;           ///< "Training step of gpt-3 on 512 GPUs (…)"
    bool hasStages = false;  ///< there are several stages; the messages are those of the stage that sends most
    /// The bytes that a GPU sends without sharding; empty if nothing is sharded.
    std::optional<engine::Bytes> unsharded;

    /// Returns the rows that the picture of messages by size shows. It leaves out rows with less than a millionth of
    /// all sent bytes, because a message of 4 bytes would stretch the axes over eight decades that are empty.
    std::vector<std::size_t> rowsBySize() const;
    /// Returns "Not drawn: control all-reduce, 3 times 4 B"; empty if every row is drawn.
    QString notDrawn() const;
};

struct MessageAnswer {
    engine::Problems problems;  ///< why the facts cannot be computed
    MessageFacts facts;
};
MessageAnswer messagesOf(const ModelQuestion& question);

/// Return the bytes of one message and the number of messages; at least 1 each, because the axes are logarithmic.
double sizeOf(const engine::MessageRow& row);
double countOf(const engine::MessageRow& row);

/// Returns "data all-gather".
QString titleOf(const engine::MessageRow& row);
/// Returns "between nodes" or "within a node".
QString whereOf(const engine::MessageRow& row);
/// Returns "data all-gather: 24 times 1.00 GB among 64 GPUs, …".
QString spokenOf(const engine::MessageRow& row);
QString headlineOf(const MessageFacts& facts);
/// Returns a figure of two panels: the count of messages over their size, with a point for each row of rowsBySize and a
/// series for each group, and the bytes that are sent, with a bar for each row and one for all.
data::FigureSpec messagesFigure(const MessageFacts& facts, const engine::Experiment& experiment);

}  // namespace ui
