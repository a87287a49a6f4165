#pragma once

#include "data/experiment/experiment_document.h"
#include "data/store/store.h"

namespace data {

/// What a kept run was asked for, and the complete document of what was run where presets mean something else by now.
/// Throws StoreError.
DraftReading draftOfKept(const Store& store, const StoredRun& stored);

}  // namespace data
