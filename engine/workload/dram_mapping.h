#pragma once

#include "engine/api/dram_place.h"

#include <array>
#include <bit>
#include <cstdint>

namespace engine {

/// The number of granules that are used of each 2^24 granules of one GPU's address space (address_space.h).
using AddressRooms = std::array<std::uint32_t, 256>;

/// Where the data of one GPU lie in memory. With an address mapping (hasAddressMapping) the parts of the address space
/// lie one after the other without the room that is not used, in the order of their addresses. Each begins with channel,
/// bank and column 0. With address.mapping=spread they lie where the address space has them.
class DramMapping {
public:
    /// All data lie where the address space has them.
    explicit DramMapping(const Experiment& experiment);
    /// Precondition: roomOf is at most kMostMemoryGranules.
    DramMapping(const Experiment& experiment, const AddressRooms& rooms);

    /// Returns the granules that the parts take in memory one after the other. Precondition: the experiment is valid and
    /// hasAddressMapping.
    static std::uint64_t roomOf(const Experiment& experiment, const AddressRooms& rooms);

    bool isMapped() const { return m_places.isMapped(); }
    /// Returns the granule of memory at an address of the address space.
    std::uint32_t granuleAt(std::uint32_t address) const { return m_first[address >> 24] + (address & 0xffffff); }
    /// Returns the channel of the granule at an address. Precondition: isMapped.
    std::uint32_t channel(std::uint32_t address) const { return m_places.channel(granuleAt(address)); }
    DramPlace place(std::uint32_t address) const { return m_places.of(granuleAt(address)); }

private:
    DramPlaces m_places;
    std::array<std::uint32_t, 256> m_first;  // granule at each 2^24th address
};

/// A region of one GPU's memory: the address of each of its granules, and the channel that serves the granule. The
/// client of the memory counts the granules of the region.
class MemoryRegion {
public:
    /// How an index of a granule gives its channel with address.mapping=spread, so that neighbours are in different
    /// channels.
    enum class Rule : std::uint8_t {
        plain,    ///< index mod channels
        fold,     ///< XOR of all groups of index bits, each as wide as the number of a channel
        shifted,  ///< (index + shift) mod channels
    };

    MemoryRegion() = default;
    /// `firstAddress`: address of granule 0, see address_space.h. `channels` is a power of two. `mapping` must outlive
    /// the region; null: address.mapping=spread.
    MemoryRegion(const DramMapping* mapping, std::uint32_t firstAddress, std::uint32_t channels,
                 Rule rule = Rule::plain, std::uint32_t shift = 0)
        : m_mapping(mapping != nullptr && mapping->isMapped() ? mapping : nullptr), m_firstAddress(firstAddress),
          m_mask(channels - 1), m_shift(rule == Rule::shifted ? shift : 0),
          m_foldedBits(rule == Rule::fold ? static_cast<std::uint32_t>(std::countr_zero(channels)) : 0),
          m_isPlain(m_mapping == nullptr && m_foldedBits == 0) {}

    /// Returns the address of granule `number` of the region.
    std::uint32_t address(std::uint32_t number) const { return m_firstAddress + number; }

    /// Returns the channel of granule `number` of the region. The rules of `spread` use its `index` instead. Each client
    /// knows what its indices count: the granules of a chunk, of a matrix, or of the region.
    std::uint32_t channel(std::uint32_t number, std::uint32_t index) const {
        if (m_isPlain) [[likely]]
            return (index + m_shift) & m_mask;
        return m_mapping == nullptr ? foldedChannel(index) : m_mapping->channel(address(number));
    }
    /// Returns the same for a region whose indices are the numbers of its granules.
    std::uint32_t channel(std::uint32_t number) const { return channel(number, number); }

private:
    std::uint32_t foldedChannel(std::uint32_t index) const {
        std::uint32_t folded = 0;
        for (; index != 0; index >>= m_foldedBits)
            folded ^= index & m_mask;
        return folded;
    }

    const DramMapping* m_mapping = nullptr;  // null: address.mapping=spread
    std::uint32_t m_firstAddress = 0;
    std::uint32_t m_mask = 0;
    std::uint32_t m_shift = 0;
    std::uint32_t m_foldedBits = 0;  // 0: the index is not folded
    bool m_isPlain = true;           // neither a mapping nor a fold
};

}  // namespace engine
