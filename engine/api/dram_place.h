#pragma once

#include "engine/api/experiment.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace engine {

/// The letters of address.mapping. Each stands for one address bit.
inline constexpr char kBankLetter = 'B', kGroupLetter = 'G', kChannelLetter = 'D', kColumnLetter = 'C';

/// The number of address bits of each kind below the row. The lowest of them counts bursts of a channel: one burst on
/// each of its pseudo-channels.
struct AddressBits {
    std::uint32_t bank = 0;
    std::uint32_t group = 0;
    std::uint32_t channel = 0;
    std::uint32_t column = 0;
    std::uint32_t granule = 0;  ///< of all these bits, the lowest ones, which lie inside a granule

    std::uint32_t all() const { return bank + group + channel + column; }
    bool operator==(const AddressBits&) const = default;
};

/// Returns the numbers of address bits that the counts of channels, banks, columns and bursts give. Precondition: these
/// counts are powers of two, and a granule is not smaller than a burst of a channel.
AddressBits addressBitsOf(const Experiment& experiment);

/// Returns the letters that address.mapping=usual stands for.
std::string usualLetters(const AddressBits& bits);

/// Returns the letters of address.mapping from the high bit to the low one, with `usual` spelt out. Precondition: the
/// experiment is valid and hasAddressMapping.
std::string mappingLetters(const Experiment& experiment);

/// Returns the irreducible polynomial of that degree, 1 to 6, by which address.hash=polynomial divides: bit i is the
/// coefficient of x^i.
std::uint32_t hashPolynomial(std::uint32_t degree);

/// The most granules of one GPU's memory that addresses can name.
inline constexpr std::uint64_t kMostMemoryGranules = std::uint64_t{1} << 31;

/// Where a granule lies in DRAM.
struct DramPlace {
    std::uint32_t row = 0;
    std::uint16_t channel = 0;
    std::uint8_t bank = 0;        ///< number within each bank group
    std::uint8_t firstGroup = 0;  ///< bank group of the first burst
    std::uint8_t groups = 1;      ///< bank groups of a whole granule, from the first on; after the last comes group 0
    bool operator==(const DramPlace&) const = default;
};

/// Computes where granules lie. Addresses are numbers of granules of one GPU, counted over all channels. With
/// address.mapping=spread the channel is that of data whose first granule is in channel 0 and whose neighbours are in
/// neighbouring channels; each component of a run has a rule of its own.
class DramPlaces {
public:
    /// Precondition: the experiment is valid.
    explicit DramPlaces(const Experiment& experiment);

    bool isMapped() const { return m_table != nullptr; }

    /// Returns the channel of a granule. Precondition: isMapped.
    std::uint32_t channel(std::uint32_t granule) const { return bitsOf(granule) & kFieldMask; }

    DramPlace of(std::uint32_t granule) const {
        if (!isMapped())
            return spread(granule);
        const std::uint32_t bits = bitsOf(granule);
        return {static_cast<std::uint32_t>(std::uint64_t{granule} >> m_rowBit),
                static_cast<std::uint16_t>(bits & kFieldMask), static_cast<std::uint8_t>(bits >> kBankField),
                static_cast<std::uint8_t>(bits >> kGroupField), m_groupsOfGranule};
    }

    /// Returns the number of granules after which bank, group, channel and column begin anew: each row of all of them
    /// begins at a multiple of it. Precondition: isMapped.
    std::uint64_t granulesOfRows() const { return std::uint64_t{1} << m_rowBit; }

    /// Returns the granules that fit into one row of every group of a channel. Precondition: not isMapped.
    std::int64_t granulesPerRow() const { return m_granulesPerRow; }

    /// Returns the bank groups of a whole granule.
    std::uint32_t groupsOfGranule() const { return m_groupsOfGranule; }

private:
    // Channel, bank and group depend on each address bit by exclusive or alone, hashes included. So they are the
    // exclusive or of four table entries, one for each byte of the address. The fields of an entry have a byte each.
    using Table = std::array<std::array<std::uint32_t, 256>, 4>;
    static constexpr std::uint32_t kBankField = 8, kGroupField = 16, kFieldMask = 0xff;

    std::uint32_t bitsOf(std::uint32_t granule) const {
        const Table& table = *m_table;
        return table[0][granule & 0xff] ^ table[1][granule >> 8 & 0xff] ^ table[2][granule >> 16 & 0xff] ^
               table[3][granule >> 24];
    }
    DramPlace spread(std::uint32_t granule) const;
    void readMapping(const Experiment& experiment);

    std::shared_ptr<const Table> m_table;  // null: address.mapping=spread
    std::uint32_t m_rowBit = 0;
    std::uint8_t m_groupsOfGranule = 1;
    std::uint32_t m_channels;
    std::uint32_t m_bankGroups, m_banksPerGroup;
    std::int64_t m_granulesPerRow;
};

/// Returns where one granule lies, by its address in granules. Callers that ask often keep a DramPlaces.
DramPlace dramPlaceOf(const Experiment& experiment, std::uint32_t address);

/// A granule of one GPU's memory, by its number, and where it lies.
struct PlacedGranule {
    std::uint32_t granule = 0;
    DramPlace place;
    bool operator==(const PlacedGranule&) const = default;
};

/// The granules that show how a mapping places neighbours.
struct FirstGranules {
    enum class Of : std::uint8_t {
        tile,      ///< the first tile of the data that a GPU stores or sends, in the order of their addresses
        requests,  ///< the first requests of the first stream of an access pattern
        memory,    ///< the first granules of the memory, because the requests come from a file
    };
    Of of = Of::tile;
    std::vector<PlacedGranule> granules;  ///< at most as many as asked for
    bool more = false;                    ///< the tile or the stream has more of them
};

/// Returns the first granules, at most `most`, without a run. Precondition: `validate(experiment)` is empty.
FirstGranules firstGranules(const Experiment& experiment, std::size_t most);

}  // namespace engine
