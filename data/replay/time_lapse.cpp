#include "data/replay/time_lapse.h"

#include "data/replay/slot_history.h"
#include "engine/api/dram_bursts.h"
#include "engine/api/results.h"

#include <algorithm>
#include <limits>

namespace data {
namespace {

constexpr double kPsOfSecond = 1e12;
constexpr std::int64_t kUsualPeriods = 500;
constexpr std::int64_t kLeastPeriod = 1000;
constexpr double kCamps = 4;

bool isChannelOf(const engine::Lane& lane, std::uint32_t recorded) {
    return lane.gpu == recorded && lane.kind == engine::LaneKind::dramChannel;
}

/// Returns one of `parts` nearly equal whole parts of `whole`. No part falls while `whole` rises.
std::int64_t partOf(std::int64_t whole, std::int64_t part, std::int64_t parts) {
    return whole / parts + (part < whole % parts ? 1 : 0);
}

/// Returns when a request entered its stream; one that was written back while its channel was idle did not wait.
std::int64_t askedAt(const engine::Lane& lane, std::size_t i) {
    const engine::Span& span = lane.spans[i];
    const bool waited = i < lane.askedAt.size() && span.part != engine::kWrittenIdle;
    return waited ? std::min(lane.askedAt[i].ps, span.start.ps) : span.start.ps;
}

/// The latest stretch of time in which a row has requests, while its requests are visited from the last to the first.
struct Used {
    std::int64_t from = std::numeric_limits<std::int64_t>::max(), to = 0;

    template <class Take>
    void add(std::int64_t begin, std::int64_t end, const Take& take) {
        if (end < from) {
            take(from, to);
            to = end;
            from = begin;
        } else {
            from = std::min(from, begin);
        }
    }
};

/// Adds up, by period, how many of some intervals cover each moment. An interval costs the same whatever its length is.
class Covered {
public:
    explicit Covered(const Periods& periods) : m_periods(periods), m_part(periods.count()), m_whole(periods.count()) {}

    void add(std::int64_t from, std::int64_t to, double weight) {
        from = std::max(from, m_periods.start);
        to = std::min(to, m_periods.end);
        if (from >= to)
            return;
        const std::size_t first = m_periods.at(from), last = m_periods.at(to - 1);
        if (first == last) {
            m_part[first] += weight * static_cast<double>(to - from);
            return;
        }
        m_part[first] += weight * static_cast<double>(m_periods.endOf(first) - from);
        m_part[last] += weight * static_cast<double>(to - m_periods.begin(last));
        m_whole[first + 1] += weight;
        m_whole[last] -= weight;
    }

    template <class Take>
    void each(const Take& take) const {
        double whole = 0;
        for (std::size_t period = 0; period < m_part.size(); ++period) {
            whole += m_whole[period];
            take(period, m_part[period] + whole * static_cast<double>(m_periods.lengthOf(period)));
        }
    }

private:
    Periods m_periods;
    std::vector<double> m_part;   // of intervals that begin or end in the period
    std::vector<double> m_whole;  // by how much the weight that covers the whole period differs from the period before
};

}  // namespace

/// What a lane needs of the experiment.
struct TimeLapse::Channel {
    engine::DramBursts bursts;
    std::uint32_t row = 0;  ///< of the channel; if the rows are banks, not used
};

/// A request with its share of a row.
struct TimeLapse::Request {
    const engine::Span& span;
    const engine::ServedPlace& place;
    double accesses = 0;  ///< column accesses of the whole request
    double share = 1;
    std::uint32_t part = 0, parts = 1;  ///< which part of its bytes counts
};

TimeLapse::TimeLapse(const engine::Trace& trace, const engine::Experiment& experiment, const Rows& rows,
                     Periods periods, const std::stop_token& stop)
    : m_periods(periods), m_groups(static_cast<std::uint32_t>(experiment.dram.bankGroups)),
      m_areBanks(rows.banksOf.has_value()), m_hasBanks(experiment.memory.model == engine::DramModel::banks),
      m_peak(static_cast<double>(experiment.memory.bandwidth.bytesPerSecond) /
             static_cast<double>(experiment.detail.channels)),
      m_channels(m_areBanks ? 1 : static_cast<double>(experiment.detail.channels)) {
    m_rows = static_cast<std::size_t>(m_areBanks ? experiment.dram.bankGroups * experiment.dram.banksPerGroup
                                                 : experiment.detail.channels);
    m_cells.resize(m_rows * m_periods.count());
    m_sums.resize(m_periods.count());
    for (const engine::Lane& lane : trace.lanes)
        if (isChannelOf(lane, trace.recorded(rows.gpu)) && (!m_areBanks || lane.index == *rows.banksOf))
            addLane(lane, {engine::DramBursts(experiment), lane.index}, stop);
}

BankPlace TimeLapse::bankAt(std::size_t row) const {
    const auto number = static_cast<std::uint32_t>(row);
    return {number / m_groups, number % m_groups};
}

void TimeLapse::addLane(const engine::Lane& lane, const Channel& channel, const std::stop_token& stop) {
    constexpr std::size_t kBetweenChecks = 4096;
    const std::size_t first = m_areBanks ? 0 : channel.row;
    const std::size_t rows = m_areBanks ? m_rows : 1;
    std::vector<Used> used(rows);
    std::vector<Covered> waiting(rows, Covered(m_periods));
    Used usedByAny;
    Covered allWaiting(m_periods);
    const auto useBy = [this](std::size_t row) {
        return [this, row](std::int64_t from, std::int64_t to) {
            divide(m_periods, from, to, [&](std::size_t period, std::int64_t ps) { cell(row, period).usedPs += ps; });
        };
    };
    const auto useByAny = [this](std::int64_t from, std::int64_t to) {
        divide(m_periods, from, to, [&](std::size_t period, std::int64_t ps) { m_sums[period].usedPs += ps; });
    };
    for (std::size_t i = lane.spans.size(); i-- > 0 && lane.spans[i].end.ps > m_periods.start;) {
        if (i % kBetweenChecks == 0 && stop.stop_requested())
            return;
        const std::int64_t asked = askedAt(lane, i);
        if (asked >= m_periods.end)
            continue;
        const engine::Span& span = lane.spans[i];
        const engine::ServedPlace place = i < lane.places.size() ? lane.places[i] : engine::ServedPlace{};
        Request request{span, place, m_hasBanks ? static_cast<double>(channel.bursts.of(span.bytes)) : 0};
        addService(request, [this](std::size_t period) -> Cell& { return m_sums[period]; });
        usedByAny.add(asked, span.end.ps, useByAny);
        allWaiting.add(asked, span.start.ps, 1);
        const std::uint32_t groups = m_areBanks ? std::max<std::uint32_t>(1, place.groups) : 1;
        request.share = 1.0 / groups;
        request.parts = groups;
        for (std::uint32_t group = 0; group < groups; ++group) {
            const std::size_t row =
                m_areBanks ? place.bank * std::size_t{m_groups} + (place.firstGroup + group) % m_groups : first;
            request.part = group;
            addService(request, [this, row](std::size_t period) -> Cell& { return cell(row, period); });
            used[row - first].add(asked, span.end.ps, useBy(row));
            waiting[row - first].add(asked, span.start.ps, request.share);
        }
    }
    useByAny(usedByAny.from, usedByAny.to);
    allWaiting.each([this](std::size_t period, double ps) { m_sums[period].waitingPs += ps; });
    for (std::size_t row = 0; row < rows; ++row) {
        useBy(first + row)(used[row].from, used[row].to);
        waiting[row].each([&](std::size_t period, double ps) { cell(first + row, period).waitingPs += ps; });
    }
}

// Adds a request, or its share of a bank, to the cells of a row.
template <class CellOf>
void TimeLapse::addService(const Request& request, const CellOf& cellOf) {
    const std::int64_t start = request.span.start.ps, end = request.span.end.ps;
    if (m_periods.has(end - 1)) {
        Cell& ended = cellOf(m_periods.at(end - 1));
        ended.requests += request.share;
        ended.opening += request.place.rowsOpened > 0 ? request.share : 0;
        ended.accesses += request.share * request.accesses;
        ended.rowsOpened += request.share * request.place.rowsOpened;
    }
    // The bytes served by a time are whole ones, so that those of all periods add up to those of the request.
    const auto servedBy = [&](std::int64_t ps) {
        const double done = static_cast<double>(ps - start) / static_cast<double>(end - start);
        const std::int64_t all = request.span.bytes;
        return partOf(ps == end ? all : static_cast<std::int64_t>(done * static_cast<double>(all)), request.part,
                      request.parts);
    };
    std::int64_t to = std::max(start, m_periods.start), served = servedBy(to);
    divide(m_periods, start, end, [&](std::size_t period, std::int64_t ps) {
        to += ps;
        const std::int64_t until = servedBy(to);
        cellOf(period).bytes += until - served;
        served = until;
    });
}

// Service times are whole picoseconds, so that a burst may be served in a little less than its time at peak bandwidth.
double TimeLapse::shareOfPeak(std::int64_t bytes, std::int64_t ps, double channels) const {
    if (ps == 0)
        return 0;
    return std::min(1.0, static_cast<double>(bytes) * kPsOfSecond / (m_peak * channels * static_cast<double>(ps)));
}

double TimeLapse::utilisation(std::size_t row, std::size_t period) const {
    return shareOfPeak(at(row, period).bytes, m_periods.lengthOf(period), 1);
}

double TimeLapse::utilisation(std::size_t period) const {
    return shareOfPeak(m_sums[period].bytes, m_periods.lengthOf(period), m_channels);
}

double TimeLapse::efficiency(std::size_t row, std::size_t period) const {
    return shareOfPeak(at(row, period).bytes, at(row, period).usedPs, 1);
}

double TimeLapse::efficiency(std::size_t period) const {
    return shareOfPeak(m_sums[period].bytes, m_sums[period].usedPs, 1);
}

std::optional<double> TimeLapse::camping(std::size_t period) const {
    const Cell& sum = m_sums[period];
    const auto rows = static_cast<double>(m_rows);
    if (m_rows < 2 || sum.requests < static_cast<double>(engine::kLeastForCamping) * rows || sum.bytes == 0)
        return std::nullopt;
    std::int64_t most = 0;
    for (std::size_t row = 0; row < m_rows; ++row)
        most = std::max(most, at(row, period).bytes);
    return static_cast<double>(most) * rows / static_cast<double>(sum.bytes);
}

UnitLapse::UnitLapse(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t gpu,
                     Periods periods, const std::stop_token& stop)
    : m_periods(periods), m_units(static_cast<std::size_t>(experiment.cu.count)), m_cells(m_units * periods.count()) {
    using Doing = GpuInside::Slot::Doing;
    const SlotHistory history(trace, experiment, trace.recorded(gpu));
    for (std::size_t slot = 0; slot < history.slots() && !stop.stop_requested(); ++slot) {
        Cell* const cells = &m_cells[slot / history.slotsOfCu() * periods.count()];
        for (const SlotHistory::Stretch& stretch : history.stretchesOf(slot)) {
            std::int64_t Cell::*const doing = stretch.doing == Doing::computing    ? &Cell::computing
                                              : stretch.doing == Doing::collective ? &Cell::collective
                                                                                   : &Cell::waiting;
            divide(periods, stretch.start, stretch.end,
                   [&](std::size_t period, std::int64_t ps) { cells[period].*doing += ps; });
        }
    }
    for (std::size_t unit = 0; unit < m_units; ++unit)
        for (std::size_t period = 0; period < periods.count(); ++period) {
            Cell& cell = m_cells[unit * periods.count() + period];
            cell.empty = periods.lengthOf(period) * history.slotsOfCu() - cell.all();
        }
}

UnitLapse::Cell UnitLapse::sumAt(std::size_t period) const {
    Cell sum;
    for (std::size_t unit = 0; unit < m_units; ++unit) {
        const Cell& cell = at(unit, period);
        sum.computing += cell.computing;
        sum.waiting += cell.waiting;
        sum.collective += cell.collective;
        sum.empty += cell.empty;
    }
    return sum;
}

std::optional<double> rowHitsOf(const TimeLapse::Cell& cell) {
    if (cell.accesses <= 0)
        return std::nullopt;
    return 1 - cell.rowsOpened / cell.accesses;
}

std::int64_t lapseEnd(const engine::Trace& trace, std::uint32_t gpu) {
    std::int64_t end = std::max<std::int64_t>(1, trace.end.ps);
    for (const engine::Lane& lane : trace.lanes)
        if (isChannelOf(lane, trace.recorded(gpu)) && !lane.spans.empty())
            end = std::max(end, lane.spans.back().end.ps);
    return end;
}

Periods usualPeriods(std::int64_t end) {
    return {std::max(kLeastPeriod, (end + kUsualPeriods - 1) / kUsualPeriods), end};
}

std::optional<CampingSummary> campingOf(const TimeLapse& lapse) {
    CampingSummary summary;
    double periods = 0, above = 0;
    for (std::size_t period = 0; period < lapse.periods().count(); ++period) {
        const std::optional<double> camping = lapse.camping(period);
        if (!camping)
            continue;
        ++periods;
        above += *camping > kCamps ? 1 : 0;
        summary.mean += *camping;
        summary.max = std::max(summary.max, *camping);
    }
    if (periods == 0)
        return std::nullopt;
    summary.mean /= periods;
    summary.shareAbove4 = above / periods;
    return summary;
}

}  // namespace data
