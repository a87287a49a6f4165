#pragma once

#include <QJsonValue>

#include <cstdint>

namespace ui {

class ViewState;

/// Returns the range, the cursor and the followed chunk as the session's file keeps them; null if the whole run is shown
/// and neither a cursor nor a chunk is set.
QJsonValue savedMoment(const ViewState& state);

/// Restores what savedMoment() returned, in a run on `gpus` GPUs that `state` already has. Returns false and changes
/// nothing if `kept` does not fit the run.
bool restoreMoment(const QJsonValue& kept, ViewState& state, std::int64_t gpus);

}  // namespace ui
