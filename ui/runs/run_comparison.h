#pragma once

#include "data/results/metrics.h"
#include "ui/shared/catalogue_session.h"

#include <QString>

#include <vector>

namespace ui {

/// One parameter or result of two runs, side by side.
struct ComparedValue {
    enum class Verdict : std::uint8_t { none, firstBetter, secondBetter };
    std::string path;
    QString label;
    QString first, second;  ///< a dash where there is none
    QString difference;     ///< second minus first, signed; empty where it makes no sense, "=" where they are equal
    QString ratio;          ///< second over first: "0.87×"; empty where it makes no sense
    Verdict verdict = Verdict::none;
};

struct RunComparison {
    std::vector<ComparedValue> parameters;  ///< those that differ, in the order of the table of parameters
    std::vector<ComparedValue> metrics;     ///< all that at least one of them has, in the order of the table of metrics
};

/// Everything in which two runs can be compared. The second is compared with the first, which is the base of ratios.
RunComparison compareRuns(const KeptRun& first, const KeptRun& second);

}  // namespace ui
