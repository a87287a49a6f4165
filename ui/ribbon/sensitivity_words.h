#pragma once

#include "data/questions/sensitivity.h"

#include <QString>

#include <vector>

namespace ui {

/// "+10 % link bandwidth per direction", "algorithm direct, not ring": what is changed, and how.
QString changeText(const data::Sensitivity& sensitivity);
/// "−4.1 %"; more digits where it is little.
QString effectText(double effect);
/// "±0.6 %"; empty where it is negligible.
QString noiseText(const data::Sensitivity& sensitivity);
/// What helps, of each parameter the value that helps most, the best first.
std::vector<data::Sensitivity> whatHelps(const data::SensitivityReport& report);
/// "41 runs, mean of 5 seeds; the total itself varies by 2.3 % between seeds."
QString reportText(const data::SensitivityReport& report);
/// What a chip means, in full: for tooltips and screen readers.
QString sensitivityText(const data::Sensitivity& sensitivity);

}  // namespace ui
