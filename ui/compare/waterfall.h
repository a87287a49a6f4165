#pragma once

#include "data/figure/figure_spec.h"
#include "data/replay/shown_run.h"
#include "engine/api/attribution.h"
#include "ui/look/palette.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine {
struct RunResult;
}

namespace ui {

/// What one cause contributes to the difference between two runs.
struct WaterfallStep {
    QString name;                        ///< "memory contention"
    std::optional<engine::Cause> cause;  ///< nothing: a part of the run, of `role`
    Role role = Role::neutral;
    std::int64_t ps = 0;     ///< more of it in the second run; never 0
    std::int64_t from = 0;   ///< what the steps before it have come to
    std::int64_t shown = 0;  ///< in quanta of the waterfall, so that what is read adds up
};

/// From one run's total to another's, one step a cause. The steps sum to the difference to the picosecond, and what is
/// shown of them, rounded, to what is shown of that.
///
/// Causes come from attribution. Where a run has none, as bounds do, its parts stand in: the GEMM, and what of the
/// communication is exposed.
struct Waterfall {
    std::int64_t fromTotal = 0, toTotal = 0;
    std::vector<WaterfallStep> steps;
    bool byCause = false;
    std::int64_t quantum = 1;     ///< ps that the last shown digit stands for
    std::int64_t unit = 1;        ///< ps in the unit that all amounts are shown in
    std::int64_t shownTotal = 0;  ///< quanta

    std::int64_t difference() const { return toTotal - fromTotal; }
    /// "−140 µs"; of quanta.
    QString amount(std::int64_t quanta) const;
    /// Without a sign.
    QString magnitude(std::int64_t quanta) const;
};

/// The way from A to one other run.
struct WaterfallColumn {
    QString from, to;  ///< names
    std::string fromPolicy, toPolicy;
    Waterfall waterfall;
};

/// Returns one step of each name that any of the columns has: parts of runs, then causes in their order.
std::vector<WaterfallStep> stepsOfAll(const std::vector<WaterfallColumn>& columns);

Waterfall waterfallOf(const engine::RunResult& from, const engine::RunResult& to);

/// "T3-MCA is 120 µs faster than T3"
QString waterfallHeading(const Waterfall& waterfall, const QString& from, const QString& to);
/// "T3-MCA: 120 µs faster", where there is little room.
QString waterfallBrief(const Waterfall& waterfall, const QString& to);
/// "−140 µs memory contention, +20 µs link": the largest first, what is small in one.
QString waterfallReasons(const Waterfall& waterfall);

/// Whole multiples of `quantum` near the parts that sum to what their sum rounds to.
std::vector<std::int64_t> roundedTogether(const std::vector<std::int64_t>& parts, std::int64_t quantum);

/// By how much each cause, and the total, differs from A: a group of bars a cause, a bar a run. Nothing where there are no
/// two runs. `runs` made it, A first.
std::optional<data::FigureSpec> waterfallFigure(const std::vector<WaterfallColumn>& columns,
                                                const std::vector<std::shared_ptr<const data::ShownRun>>& runs);

}  // namespace ui
