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

/// The contribution of one cause to the difference between two runs.
struct WaterfallStep {
    QString name;                        ///< "memory contention"
    std::optional<engine::Cause> cause;  ///< empty: a part of the run with the role `role`
    Role role = Role::neutral;
    std::int64_t ps = 0;     ///< how much more time the second run has of it; never 0
    std::int64_t from = 0;   ///< sum of the steps before this one
    std::int64_t shown = 0;  ///< in quanta of the waterfall, so that the displayed numbers add up
};

/// The steps from one run's total to another's, one for each cause. The steps add up to the difference exactly, and the
/// rounded displayed steps add up to the displayed difference.
///
/// Causes come from attribution. What a GEMM loses whose collective copies carry (GemmResult::decomposition and
/// GemmResult::contention) has two steps of its own, and the causes show the rest. For a run without attribution, such
/// as a bound, parts take their place: the GEMM and the exposed communication.
struct Waterfall {
    std::int64_t fromTotal = 0, toTotal = 0;
    std::vector<WaterfallStep> steps;
    bool byCause = false;
    std::int64_t quantum = 1;     ///< value of the last displayed digit in ps
    std::int64_t unit = 1;        ///< unit of all displayed amounts in ps
    std::int64_t shownTotal = 0;  ///< in quanta

    std::int64_t difference() const { return toTotal - fromTotal; }
    /// Returns the step with this name; null if the two runs do not differ in it.
    const WaterfallStep* find(const QString& name) const;
    /// Formats an amount of quanta: "−140 µs".
    QString amount(std::int64_t quanta) const;
    /// Formats an amount without its sign.
    QString magnitude(std::int64_t quanta) const;
};

/// The waterfall from A to one other run.
struct WaterfallColumn {
    QString from, to;  ///< names
    std::string fromPolicy, toPolicy;
    Waterfall waterfall;
};

/// Returns one step of each name that any of the columns has: parts of runs, then causes in their order.
std::vector<WaterfallStep> stepsOfAll(const std::vector<WaterfallColumn>& columns);

Waterfall waterfallOf(const engine::RunResult& from, const engine::RunResult& to);

/// Returns "T3-MCA is 120 µs faster than T3".
QString waterfallHeading(const Waterfall& waterfall, const QString& from, const QString& to);
/// Returns the short form "T3-MCA: 120 µs faster".
QString waterfallBrief(const Waterfall& waterfall, const QString& to);
/// Returns "−140 µs memory contention, +20 µs link": the largest steps first, the small ones together as "others".
QString waterfallReasons(const Waterfall& waterfall);

/// Rounds the parts to multiples of `quantum` so that their sum equals their rounded total.
std::vector<std::int64_t> roundedTogether(const std::vector<std::int64_t>& parts, std::int64_t quantum);

/// Returns a waterfall from A to each other run, side by side on one scale, with the same causes in the same order. An
/// empty optional if there are not two runs. `runs` are those of the columns, A first.
std::optional<data::FigureSpec> waterfallFigure(const std::vector<WaterfallColumn>& columns,
                                                const std::vector<std::shared_ptr<const data::ShownRun>>& runs);

}  // namespace ui
