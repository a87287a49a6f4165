#pragma once

#include <QString>

namespace data {
struct LaboratoryRun;
}

namespace ui {

/// Returns what a run is bound by and what would help: "The run is bound by memory latency: 61 % of its time. K-steps
/// wait for loads of 567 ns: 2 steps are in flight where 3 would hide them." Empty if the run has no attribution.
QString limitSentence(const data::LaboratoryRun& run);

}  // namespace ui
