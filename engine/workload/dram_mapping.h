#pragma once

#include <bit>
#include <cstdint>

namespace engine {

/// A region of one GPU's memory: the address of each of its granules, and the channel that serves the granule. The
/// client of the memory counts the granules of the region.
class MemoryRegion {
public:
    /// How an index of a granule gives its channel, so that neighbours are in different channels.
    enum class Rule : std::uint8_t {
        plain,    ///< index mod channels
        fold,     ///< XOR of all groups of index bits, each as wide as the number of a channel
        shifted,  ///< (index + shift) mod channels
    };

    MemoryRegion() = default;
    /// `firstAddress`: address of granule 0, see address_space.h. `channels` is a power of two.
    MemoryRegion(std::uint32_t firstAddress, std::uint32_t channels, Rule rule = Rule::plain, std::uint32_t shift = 0)
        : m_firstAddress(firstAddress), m_mask(channels - 1), m_shift(rule == Rule::shifted ? shift : 0),
          m_foldedBits(rule == Rule::fold ? static_cast<std::uint32_t>(std::countr_zero(channels)) : 0) {}

    /// Returns the address of granule `number` of the region.
    std::uint32_t address(std::uint32_t number) const { return m_firstAddress + number; }

    /// Returns the channel of the granule whose index is `index`. Each client knows what its indices count: the
    /// granules of a chunk, of a matrix, or of the region.
    std::uint32_t channel(std::uint32_t index) const {
        if (m_foldedBits == 0)
            return (index + m_shift) & m_mask;
        std::uint32_t folded = 0;
        for (; index != 0; index >>= m_foldedBits)
            folded ^= index & m_mask;
        return folded;
    }

private:
    std::uint32_t m_firstAddress = 0;
    std::uint32_t m_mask = 0;
    std::uint32_t m_shift = 0;
    std::uint32_t m_foldedBits = 0;  // 0: the index is not folded
};

}  // namespace engine
