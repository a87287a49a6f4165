#pragma once

#include "ui/look/palette.h"
#include "ui/runs/run_comparison.h"

#include <QString>

namespace ui {

// What stands beside the list of runs, as rich text that can be selected and copied.

/// A run in full: what was set by hand against its presets, what came of it, what was noticed.
QString runPage(const KeptRun& run, const data::CatalogueRow& row, const Palette& colors);
QString comparisonPage(const KeptRun& first, const KeptRun& second, const Palette& colors);
/// Of several: how many, from the shortest to the longest.
QString selectionPage(const std::vector<const data::CatalogueRow*>& rows, const Palette& colors);
/// While nothing is selected.
QString hintPage(const Palette& colors);

}  // namespace ui
