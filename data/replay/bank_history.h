#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace data {

/// What a DRAM bank does: its row is closed, open, open since a short time, or a request to it is in service.
enum class BankState : std::uint8_t { closed, open, opened, serving };

/// The banks of one channel of the bank model at any moment. The lane must outlive this object.
class BankHistory {
public:
    BankHistory(const engine::Lane& lane, const engine::Experiment& experiment);

    /// Returns the state of each bank, by its number in the group, then group; empty without the bank model. `recentPs`:
    /// for how long a row counts as just opened, from the begin of the service that opened it.
    std::vector<BankState> at(std::int64_t ps, std::int64_t recentPs) const;

private:
    void visit(std::uint32_t span, std::vector<std::uint32_t>& last) const;
    BankState stateOf(std::uint32_t span, std::int64_t ps, std::int64_t recentPs) const;

    const engine::Lane* m_lane;
    std::uint32_t m_groups = 0;
    std::size_t m_banks = 0;            // of all groups; 0 without the bank model
    std::int64_t m_refreshPs = 0;       // a refresh, which closes all rows, is due at each multiple; 0: there is none
    std::vector<std::uint32_t> m_last;  // before span 0, kBetween, 2 kBetween …: the last span of each bank
};

}  // namespace data
