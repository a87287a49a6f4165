#include "ui/shared/frozen_moment.h"

namespace ui {

FrozenMoment::FrozenMoment(const ViewState& from, const RingMoment& at) {
    viewState.setRunEnd(from.runEnd());
    viewState.setRange(from.range());
    viewState.setCursor(from.cursor(), from.eventsAtCursor());
    viewState.setFollowedChunk(from.followedChunk());
    viewState.setFocusedGpu(from.focusedGpu());
    moment.showRun(at.sharedRun());
    moment.showLog(at.sharedLog());
}

}  // namespace ui
