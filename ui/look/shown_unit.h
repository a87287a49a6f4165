#pragma once

#include "engine/api/parameters.h"

#include <QString>

namespace ui {

/// Returns a number that was typed without a unit with the unit of `shown`, so that "300" over "450 GB/s" means
/// 300 GB/s. Returns `typed` where it has a unit, is no number, or `shown` has no unit of this parameter.
QString withUnitOf(const engine::Parameter& parameter, const QString& typed, const QString& shown);

}  // namespace ui
