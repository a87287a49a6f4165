#include "engine/workload/dram_mapping.h"

namespace engine {

namespace {

// Returns the first granule after `granules` at which a row of bank 0 begins.
std::uint64_t upToRow(std::uint64_t granules, std::uint64_t granulesOfRows) {
    return (granules + granulesOfRows - 1) / granulesOfRows * granulesOfRows;
}

}  // namespace

DramMapping::DramMapping(const Experiment& experiment) : m_places(experiment) {
    for (std::uint32_t part = 0; part < m_first.size(); ++part)
        m_first[part] = part << 24;
}

DramMapping::DramMapping(const Experiment& experiment, const AddressRooms& rooms) : DramMapping(experiment) {
    if (!isMapped())
        return;
    std::uint64_t next = 0;
    for (std::uint32_t part = 0; part < m_first.size(); ++part) {
        if (rooms[part] != 0)
            next = upToRow(next, m_places.granulesOfRows());
        m_first[part] = static_cast<std::uint32_t>(next);
        next += rooms[part];
    }
}

std::uint64_t DramMapping::roomOf(const Experiment& experiment, const AddressRooms& rooms) {
    const std::uint64_t granulesOfRows = DramPlaces(experiment).granulesOfRows();
    std::uint64_t end = 0;
    for (const std::uint32_t room : rooms)
        if (room != 0)
            end = upToRow(end, granulesOfRows) + room;
    return end;
}

}  // namespace engine
