#include "data/results/headline_numbers.h"

#include "engine/api/run_times.h"

namespace data {
namespace {

using engine::Duration;

/// Returns the headline of a part of `whole`; a part that takes no time is absent.
HeadlineNumber partOf(HeadlineKind kind, Duration part, Duration whole) {
    HeadlineNumber number{.kind = kind};
    if (part.ps > 0) {
        number.time = part;
        number.whole = whole;
    }
    return number;
}

HeadlineNumber gemmNumber(const engine::TimeResult& time, const std::optional<engine::Hiding>& hiding) {
    HeadlineNumber number = partOf(HeadlineKind::gemm, time.gemm, time.total);
    if (hiding && number.time) {
        number.stretch = hiding->gemmStretch;
        number.alone = time.total - hiding->exposed;
    }
    return number;
}

HeadlineNumber hidingNumber(HeadlineKind kind, const std::optional<engine::Hiding>& hiding) {
    HeadlineNumber number{.kind = kind};
    if (hiding) {
        number.time = kind == HeadlineKind::hidden ? hiding->hidden : hiding->exposed;
        number.whole = hiding->communication();
    }
    return number;
}

HeadlineNumber speedupNumber(const engine::RunResult& result, const std::optional<engine::Hiding>& hiding) {
    HeadlineNumber number{.kind = HeadlineKind::speedup, .ratio = result.speedupOverSequential};
    if (number.ratio && hiding)
        number.alone = result.last.time.total + hiding->hidden;
    return number;
}

void appendCompany(const engine::CompanionResult& company, std::vector<HeadlineNumber>& numbers) {
    numbers.push_back({.kind = HeadlineKind::ownWork,
                       .time = company.own,
                       .alone = company.ownAlone,
                       .beside = ownBeside(company),
                       .inCompany = true});
    numbers.push_back({.kind = HeadlineKind::companion,
                       .time = company.time,
                       .alone = company.alone,
                       .beside = companionBeside(company),
                       .inCompany = true});
    numbers.push_back({.kind = HeadlineKind::speedup,
                       .ratio = company.speedupOverSerial,
                       .alone = company.serial,
                       .ofIdeal = company.fractionOfIdeal,
                       .inCompany = true});
}

}  // namespace

std::optional<double> HeadlineNumber::share() const {
    if (!time || !whole || time->ps <= 0 || whole->ps <= 0)
        return std::nullopt;
    return static_cast<double>(time->ps) / static_cast<double>(whole->ps);
}

std::vector<HeadlineNumber> headlineNumbersOf(const engine::RunResult& result) {
    const engine::TimeResult& time = engine::timesOfRun(result);
    const std::optional<engine::Hiding> hiding = engine::hidingOf(result);
    std::vector<HeadlineNumber> numbers{
        {.kind = HeadlineKind::total, .time = time.total},
        gemmNumber(time, hiding),
        partOf(time.allToAll.ps > 0 ? HeadlineKind::allToAll : HeadlineKind::reduceScatter,
               time.reduceScatter + time.allToAll, time.total),
        partOf(HeadlineKind::allGather, time.allGather, time.total),
    };
    if (result.companion) {
        appendCompany(*result.companion, numbers);
    } else {
        numbers.push_back(hidingNumber(HeadlineKind::hidden, hiding));
        numbers.push_back(hidingNumber(HeadlineKind::exposed, hiding));
        numbers.push_back(speedupNumber(result, hiding));
    }
    return numbers;
}

}  // namespace data
