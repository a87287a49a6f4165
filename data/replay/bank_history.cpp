#include "data/replay/bank_history.h"

#include <algorithm>
#include <iterator>

namespace data {
namespace {

constexpr std::uint32_t kBetween = 512;

}  // namespace

BankHistory::BankHistory(const engine::Lane& lane, const engine::Experiment& experiment) : m_lane(&lane) {
    if (lane.places.size() != lane.spans.size() || lane.spans.empty())
        return;
    m_groups = static_cast<std::uint32_t>(experiment.dram.bankGroups);
    m_banks = static_cast<std::size_t>(experiment.dram.bankGroups * experiment.dram.banksPerGroup);
    m_refreshPs = experiment.dram.refreshTime.ps > 0 ? experiment.dram.refreshInterval.ps : 0;
    std::vector<std::uint32_t> last(m_banks, engine::kNone);
    for (std::uint32_t span = 0; span < lane.spans.size(); ++span) {
        if (span % kBetween == 0)
            m_last.insert(m_last.end(), last.begin(), last.end());
        visit(span, last);
    }
}

void BankHistory::visit(std::uint32_t span, std::vector<std::uint32_t>& last) const {
    const engine::ServedPlace& place = m_lane->places[span];
    for (std::uint32_t group = 0; group < place.groups; ++group)
        last[place.bank * std::size_t{m_groups} + (place.firstGroup + group) % m_groups] = span;
}

// Returns the state of a bank whose last service is that of `span`. A refresh that becomes due closes all rows, a row in
// use after its service.
BankState BankHistory::stateOf(std::uint32_t span, std::int64_t ps, std::int64_t recentPs) const {
    if (span == engine::kNone)
        return BankState::closed;
    const engine::Span& service = m_lane->spans[span];
    if (ps < service.end.ps)
        return BankState::serving;
    if (m_refreshPs > 0 && ps / m_refreshPs > service.start.ps / m_refreshPs)
        return BankState::closed;
    return m_lane->places[span].rowsOpened > 0 && ps - service.start.ps <= recentPs ? BankState::opened
                                                                                    : BankState::open;
}

std::vector<BankState> BankHistory::at(std::int64_t ps, std::int64_t recentPs) const {
    std::vector<BankState> states(m_banks, BankState::closed);
    if (m_banks == 0)
        return states;
    const auto begun = std::partition_point(m_lane->spans.begin(), m_lane->spans.end(),
                                            [ps](const engine::Span& span) { return span.start.ps <= ps; });
    if (begun == m_lane->spans.begin())
        return states;
    const auto count = static_cast<std::uint32_t>(begun - m_lane->spans.begin());
    const std::uint32_t snapshot = (count - 1) / kBetween;
    const auto from = m_last.begin() + static_cast<std::ptrdiff_t>(snapshot * m_banks);
    std::vector<std::uint32_t> last(from, from + static_cast<std::ptrdiff_t>(m_banks));
    for (std::uint32_t span = snapshot * kBetween; span < count; ++span)
        visit(span, last);
    std::ranges::transform(last, states.begin(), [&](std::uint32_t span) { return stateOf(span, ps, recentPs); });
    return states;
}

}  // namespace data
