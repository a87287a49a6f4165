#include "engine/record/contribution_ledger.h"

namespace engine {

ContributionLedger::ContributionLedger(std::uint32_t gpus, std::uint32_t granules)
    : m_gpus(gpus), m_granules(granules), m_all(~std::uint64_t{0} >> (64 - gpus)),
      m_copies(std::size_t{gpus} * granules), m_received(m_copies.size()), m_sent(m_copies.size()) {}

void ContributionLedger::startWithOwnContributions() {
    for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu)
        for (std::uint32_t granule = 0; granule < m_granules; ++granule)
            at(m_copies, gpu, granule) = bit(gpu);
}

void ContributionLedger::arrivedSum(std::uint32_t gpu, std::uint32_t granule) {
    std::uint64_t sum = 0;
    for (std::uint32_t source = 0; source < m_gpus; ++source) {
        const std::uint64_t sent = payload(source, granule);
        if (sum & sent)
            ++m_repeated;
        sum |= sent;
    }
    m_arrived[std::uint64_t{gpu} * m_granules + granule].push_back(sum);
}

std::uint64_t ContributionLedger::takeArrived(std::uint32_t gpu, std::uint32_t granule) {
    const auto found = m_arrived.find(std::uint64_t{gpu} * m_granules + granule);
    if (found == m_arrived.end())
        return 0;
    const std::uint64_t contributions = found->second.front();
    found->second.pop_front();
    if (found->second.empty())
        m_arrived.erase(found);
    return contributions;
}

}  // namespace engine
