#pragma once

#include <QString>

#include <chrono>

namespace ui {

/// "0.8 s", "12 s", "3 min", "2 h 5 min": a guess needs no more digits.
QString formatWait(std::chrono::nanoseconds wait);

}  // namespace ui
