#pragma once

#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

namespace ui {

/// A moment of a run as the window showed it, kept while the window goes on: range, cursor, focus and followed chunk. For
/// figures, which are drawn again when their size changes.
struct FrozenMoment {
    /// Without a cursor a run would be shown at its end, when all tiles are alike: the moment is then the one that says most.
    FrozenMoment(const ViewState& viewState, const RingMoment& moment);

    ViewState viewState;
    RingMoment moment{viewState};

private:
    void seekTellingMoment();
};

}  // namespace ui
