#pragma once

#include "data/replay/run_log.h"
#include "ui/shared/breakpoint.h"

#include <vector>

namespace ui {

/// Where in a run a breakpoint's condition becomes true.
struct BreakpointHit {
    data::Position position;
    std::size_t breakpoint = 0;  ///< which of the list
    QString text;                ///< what is met there: "chunk 3 is complete on GPU 2"
};

/// All of them, in order. Each is the moment at which the condition becomes true, not all the time during which it is.
/// Where one GPU stands for all, a condition on any GPU is met by all at once.
std::vector<BreakpointHit> hitsOf(const data::RunLog& log, const Breakpoint& breakpoint);

/// Earlier in time or, at the same moment, with fewer events happened.
inline bool earlier(const data::Position& a, const data::Position& b) {
    return a.ps != b.ps ? a.ps < b.ps : a.events < b.events;
}

}  // namespace ui
