#pragma once

#include "data/replay/periods.h"
#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace data {

/// A bank of a channel: its number in its bank group, and the group. Banks are counted by number, then group, so that
/// the groups of one request lie beside each other.
struct BankPlace {
    std::uint32_t bank = 0, group = 0;
};

/// The DRAM of one GPU over time: a cell for each row and period. The rows are the channels, or the banks of one channel.
/// A request counts in a period with the share of its bytes that is served in it; the request itself, its column
/// accesses and the rows that it opened count where its service ends. A request whose bursts lie in several bank groups
/// counts in equal shares in each of their banks. The time-lapse refers to nothing and is immutable.
class TimeLapse {
public:
    struct Cell {
        std::int64_t bytes = 0;
        std::int64_t usedPs = 0;  ///< time with a request in the stream, in the DRAM queue or in service
        double waitingPs = 0;     ///< time from the request to its service, summed over requests
        double requests = 0;
        double opening = 0;   ///< requests that opened a row
        double accesses = 0;  ///< column accesses
        double rowsOpened = 0;
    };

    /// The rows of a time-lapse: the channels of a GPU, or the banks of one of them.
    struct Rows {
        std::uint32_t gpu = 0;
        std::optional<std::uint32_t> banksOf{};
    };

    TimeLapse() = default;
    /// `rows.gpu`: any GPU of the run. Banks need a trace of the bank model. If stopped, the time-lapse is incomplete:
    /// discard it.
    TimeLapse(const engine::Trace& trace, const engine::Experiment& experiment, const Rows& rows, Periods periods,
              const std::stop_token& stop = {});

    const Periods& periods() const { return m_periods; }
    std::size_t rows() const { return m_rows; }
    bool areBanks() const { return m_areBanks; }
    bool hasBanks() const { return m_hasBanks; }  ///< the bank model has served the requests
    BankPlace bankAt(std::size_t row) const;      ///< Precondition: areBanks()

    const Cell& at(std::size_t row, std::size_t period) const { return m_cells[row * m_periods.count() + period]; }
    /// Returns the cell of all rows together.
    const Cell& sumAt(std::size_t period) const { return m_sums[period]; }

    /// Return bytes served / (peak bandwidth x time): of the whole period, or of the time in it with a request in the
    /// stream or in service; 0 without any. The peak is that of the row's channel, or of all channels.
    double utilisation(std::size_t row, std::size_t period) const;
    double utilisation(std::size_t period) const;
    double efficiency(std::size_t row, std::size_t period) const;
    double efficiency(std::size_t period) const;
    /// Returns the bytes of the busiest row / the mean of all rows; an empty optional below four requests a row.
    std::optional<double> camping(std::size_t period) const;

private:
    struct Channel;
    struct Request;
    template <class CellOf>
    void addService(const Request& request, const CellOf& cellOf);
    void addLane(const engine::Lane& lane, const Channel& channel, const std::stop_token& stop);
    Cell& cell(std::size_t row, std::size_t period) { return m_cells[row * m_periods.count() + period]; }
    double shareOfPeak(std::int64_t bytes, std::int64_t ps, double channels) const;

    Periods m_periods;
    std::size_t m_rows = 0;
    std::uint32_t m_groups = 1;
    bool m_areBanks = false, m_hasBanks = false;
    double m_peak = 1;          // bytes per second of one channel
    double m_channels = 1;      // of all rows together
    std::vector<Cell> m_cells;  // by row, then period
    std::vector<Cell> m_sums;   // by period
};

/// The compute units of one GPU over time: a cell for each unit and period, with the time of its slots.
class UnitLapse {
public:
    struct Cell {
        std::int64_t computing = 0;  ///< the data of the next K-step are there
        std::int64_t waiting = 0;    ///< for data, or until the stores of a tile are taken
        std::int64_t collective = 0;
        std::int64_t empty = 0;
        std::int64_t all() const { return computing + waiting + collective + empty; }
    };

    UnitLapse() = default;
    /// `gpu`: any GPU of the run. If stopped, the time-lapse is incomplete: discard it.
    UnitLapse(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t gpu, Periods periods,
              const std::stop_token& stop = {});

    const Periods& periods() const { return m_periods; }
    std::size_t units() const { return m_units; }
    const Cell& at(std::size_t unit, std::size_t period) const { return m_cells[unit * m_periods.count() + period]; }
    /// Returns the cell of all units together.
    Cell sumAt(std::size_t period) const;

private:
    Periods m_periods;
    std::size_t m_units = 0;
    std::vector<Cell> m_cells;  // by unit, then period
};

/// Returns the share of the column accesses of a cell that found their row open; an empty optional without any.
std::optional<double> rowHitsOf(const TimeLapse::Cell& cell);

/// Returns the end of a GPU's time-lapse: the end of the run, or of a later service.
std::int64_t lapseEnd(const engine::Trace& trace, std::uint32_t gpu);
/// Returns the periods of a run by default: 500, of at least a nanosecond.
Periods usualPeriods(std::int64_t end);

/// The camping of all periods that have one.
struct CampingSummary {
    double mean = 0, max = 0;
    double shareAbove4 = 0;  ///< share of these periods whose camping is above 4
};
std::optional<CampingSummary> campingOf(const TimeLapse& lapse);

}  // namespace data
