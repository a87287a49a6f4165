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

/// One of the numbers that people take home from a run.
struct Headline {
    QString title;                 ///< the same of every run
    Quantity quantity;             ///< without its sign where `isLost`
    QString remark;                ///< what the number is a part of
    QString brief;                 ///< the same where there is little room
    std::optional<Role> role;      ///< the colour that stands for it in the timeline
    std::optional<double> number;  ///< picoseconds, or the ratio itself; nothing where the run has none
    bool isRatio = false;
    bool moreIsBetter = false;
    bool isLost = false;     ///< hidden communication of a run that is slower than sequential: less than nothing
    bool inCompany = false;  ///< of a run with a companion: nothing that a run without one has stands to it
    QString tip;             ///< what the tool tip adds; may be empty

    /// Returns the title to show: "Lost" in place of "Hidden" for a run that is slower than sequential.
    QString shownTitle() const;
    /// The same where there is little room: "RS", "AG", "A2A".
    QString briefTitle() const;
};

/// How a number stands to that of another run.
struct Difference {
    enum class Verdict { none, better, worse };
    QString text;   ///< "▼ −12.3 %  −248.0 µs": direction, sign and percent
    QString brief;  ///< "▼ −12.3 %"
    Verdict verdict{};
};

/// Returns total, GEMM, reduce-scatter, all-gather, hidden, exposed and speed-up, in this order for every run. They are
/// those of the whole run, over all GPUs; hidden and exposed are those of engine::hidingOf. With a companion the own work
/// and the companion stand in their place, and the speed-up is over one after the other.
std::vector<Headline> headlinesOf(const engine::RunResult& result);

/// Returns the same headlines; the tip of the total tells the time that no policy can undercut.
std::vector<Headline> headlinesOf(const data::LaboratoryRun& run);

Difference differenceOf(const Headline& shown, const Headline& pinned);

}  // namespace ui
