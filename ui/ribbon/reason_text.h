#pragma once

#include "ui/ribbon/reason_chain.h"

#include <QString>

namespace ui {

/// The sentences of a chain of reasons, made from its links alone.

/// "GPU 3 waits for chunk 5 from GPU 4"
QString firstReason(const ReasonChain& chain, std::size_t link);
/// "which waited for its tracker to trigger DMA block 17", "which stood behind 2.1 MB of updates in channel 6"
QString furtherReason(const ReasonChain& chain, std::size_t link);
/// "12.4 µs, until 184.2 µs"; where several causes have a part: "12.4 µs, 9.0 µs of it memory, until 184.2 µs".
QString reasonTimes(const ReasonChain& chain, std::size_t link);
/// Sentence, cause and times: for tooltips and screen readers.
QString reasonInFull(const ReasonChain& chain, std::size_t link);
/// Links joined by semicolons, at most `most`: "GPU 3 waits for …; which waited for …".
QString reasonsInARow(const ReasonChain& chain, std::size_t link, std::size_t most);

}  // namespace ui
