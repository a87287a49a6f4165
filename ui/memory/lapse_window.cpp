#include "ui/memory/lapse_window.h"

#include "data/replay/shown_run.h"

#include <algorithm>

namespace ui {
namespace {

constexpr std::int64_t kLeastPeriod = 1000;
constexpr std::size_t kMostCells = 1'000'000;

}  // namespace

double heatOf(const data::TimeLapse::Cell& cell, Heat heat, std::int64_t periodPs) {
    switch (heat) {
    case Heat::rowsOpened: return cell.rowsOpened;
    case Heat::waiting: return cell.waitingPs / static_cast<double>(std::max<std::int64_t>(1, periodPs));
    case Heat::bytes: break;
    }
    return static_cast<double>(cell.bytes);
}

std::int64_t periodFor(std::int64_t span, double periods) {
    const double least = static_cast<double>(span) / std::max(1.0, periods);
    for (std::int64_t power = kLeastPeriod;; power *= 10)
        for (const std::int64_t step : {1, 2, 5})
            if (static_cast<double>(power * step) >= least)
                return power * step;
}

void LapseWindow::show(const data::ShownRun& run, std::uint32_t gpu, const DramPage& page, data::TimeRange range,
                       double periods) {
    const engine::Trace& trace = *run.run.result.trace;
    const engine::Experiment experiment = data::asRun(run.run);
    const std::int64_t end = data::lapseEnd(trace, gpu);
    range.start = std::clamp<std::int64_t>(range.start, 0, end - 1);
    range.end = std::clamp<std::int64_t>(range.end, range.start + 1, end);
    const std::int64_t length = periodFor(range.span(), periods);
    if (m_made && m_made->run == &run && m_made->gpu == gpu && m_made->page == page &&
        this->periods().length == length && this->periods().start <= range.start && range.end <= this->periods().end)
        return;
    // The stretch begins and ends a range beside the visible one, so that a few steps of panning stay within it.
    const auto rows = static_cast<std::size_t>(
        page.banksOf() ? experiment.dram.bankGroups * experiment.dram.banksPerGroup : experiment.detail.channels);
    data::Periods made{length, std::min(end, range.end + range.span()),
                       std::max<std::int64_t>(0, range.start - range.span()) / length * length};
    if (made.count() * rows > kMostCells) {
        made = {length, range.end, range.start / length * length};
        while (made.count() * rows > kMostCells)
            made = {periodFor(range.span(), static_cast<double>(made.count()) / 2), range.end, made.start};
    }
    m_made.emplace(Made{&run, gpu, page, data::TimeLapse(trace, experiment, {gpu, page.banksOf()}, made),
                        data::UnitLapse(trace, experiment, gpu, made)});
}

std::pair<std::size_t, std::size_t> LapseWindow::within(data::TimeRange range) const {
    const data::Periods& all = periods();
    const std::size_t first = all.at(range.start);
    return {first, std::max(first, all.at(range.end - 1)) + 1};
}

}  // namespace ui
