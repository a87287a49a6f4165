#pragma once

#include "engine/api/attribution.h"
#include "ui/look/texture.h"

#include <QColor>
#include <QString>

namespace ui {

struct Palette;

/// Return the name and the meaning of a cause. Names, meanings and colours are the same in every view: ribbon, table,
/// waterfall, chips. Compute, link and tracker have the colours of their lanes.
QString textOf(engine::Cause cause);     ///< "compute", "memory contention"
QString meaningOf(engine::Cause cause);  ///< a sentence for tooltips and the spoken table
QColor colourOf(engine::Cause cause, const Palette& palette);
/// Returns the colour together with the texture that distinguishes causes where colours cannot.
Fill fillOf(engine::Cause cause, const Palette& palette);

}  // namespace ui
