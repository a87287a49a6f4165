#pragma once

#include "ui/look/format.h"
#include "ui/look/palette.h"

#include <QString>

#include <optional>
#include <vector>

namespace data {
struct LaboratoryRun;
}
namespace engine {
struct RunResult;
}

namespace ui {

/// One of the main numbers of a run: total, GEMM, hidden and so on.
struct Headline {
    QString title;                 ///< the same for every run
    Quantity quantity;             ///< without its sign where `isLost`
    QString remark;                ///< the quantity that the number is a part of
    QString brief;                 ///< short form of the remark, for narrow places
    std::optional<Role> role;      ///< the role whose colour marks this number in the timeline
    std::optional<double> number;  ///< picoseconds, or the ratio itself; empty if the run has no such number
    bool isRatio = false;
    bool moreIsBetter = false;
    bool isLost = false;     ///< true for hidden communication of a run slower than sequential: the number is negative
    bool inCompany = false;  ///< of a run with a companion: not comparable with a run without one
    QString tip;             ///< an addition to the tool tip; may be empty

    /// Returns the title to show: "Lost" in place of "Hidden" for a run that is slower than sequential.
    QString shownTitle() const;
    /// Returns the short form of the title for narrow places: "RS", "AG", "A2A".
    QString briefTitle() const;
};

/// The difference between a number and the same number of another run.
struct Difference {
    enum class Verdict { none, better, worse };
    QString text;   ///< "▼ −12.3 %  −248.0 µs": direction, sign and percent
    QString brief;  ///< "▼ −12.3 %"
    Verdict verdict{};
};

/// Returns the headlines total, GEMM, reduce-scatter, all-gather, hidden, exposed and speed-up, in this order for every
/// run. The numbers are those of the whole run, over all GPUs; hidden and exposed come from engine::hidingOf. With a
/// companion, the times of the run's own work and of the companion replace the times of the stages, and the speed-up is
/// relative to running one after the other.
std::vector<Headline> headlinesOf(const engine::RunResult& result);

/// Returns the same headlines. The tool tip of the total adds the lower bound of the time for any policy.
std::vector<Headline> headlinesOf(const data::LaboratoryRun& run);

Difference differenceOf(const Headline& shown, const Headline& pinned);

}  // namespace ui
