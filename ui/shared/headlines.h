#pragma once

#include "ui/shared/format.h"
#include "ui/shared/palette.h"

#include <QString>

#include <optional>
#include <vector>

namespace engine {
struct RunResult;
}

namespace ui {

/// One of the numbers that people take home from a run.
struct Headline {
    QString title;
    Quantity quantity;
    QString remark;                ///< what the number is a part of
    QString brief;                 ///< the same where there is little room
    std::optional<Role> role;      ///< the colour that stands for it in the timeline
    std::optional<double> number;  ///< picoseconds, or the ratio itself; nothing where the run has none
    bool isRatio = false;
    bool moreIsBetter = false;
};

/// How a number stands to that of another run.
struct Difference {
    enum class Verdict { none, better, worse };
    QString text;   ///< "▼ −12.3 %  −248.0 µs": direction, sign and percent
    QString brief;  ///< "▼ −12.3 %"
    Verdict verdict{};
};

/// Total, GEMM, reduce-scatter, all-gather, overlapped, exposed, speed-up; the same of every run, in this order.
std::vector<Headline> headlinesOf(const engine::RunResult& result);

Difference differenceOf(const Headline& shown, const Headline& pinned);

}  // namespace ui
