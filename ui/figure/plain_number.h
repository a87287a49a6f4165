#pragma once

#include <QString>

namespace ui {

/// A number as every format of text reads it: no exponent, no zeros at the end, four decimals at most, never "-0".
QString plainNumber(double value);

}  // namespace ui
