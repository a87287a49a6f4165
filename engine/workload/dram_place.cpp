#include "engine/api/dram_place.h"

#include <algorithm>
#include <bit>

namespace engine {

namespace {

std::uint32_t bitsFor(std::int64_t count) {
    return static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(count)));
}

std::int64_t pseudoChannelsOfChannel(const Experiment& experiment) {
    return std::max<std::int64_t>(1, experiment.dram.pseudoChannels / experiment.detail.channels);
}

}  // namespace

AddressBits addressBitsOf(const Experiment& experiment) {
    const DramConfig& dram = experiment.dram;
    return {bitsFor(dram.banksPerGroup), bitsFor(dram.bankGroups), bitsFor(experiment.detail.channels),
            bitsFor(dram.row.count / dram.burst.count),
            bitsFor(experiment.detail.granule.count / (dram.burst.count * pseudoChannelsOfChannel(experiment)))};
}

std::string usualLetters(const AddressBits& bits) {
    const std::uint32_t groupInside = std::min(bits.group, bits.granule);
    const std::uint32_t columnInside = std::min(bits.column, bits.granule - groupInside);
    return std::string(bits.bank, kBankLetter) + std::string(bits.column - columnInside, kColumnLetter) +
           std::string(bits.group - groupInside, kGroupLetter) + std::string(bits.channel, kChannelLetter) +
           std::string(columnInside, kColumnLetter) + std::string(groupInside, kGroupLetter);
}

std::string mappingLetters(const Experiment& experiment) {
    const std::string& mapping = experiment.address.mapping;
    return mapping == kUsualMapping ? usualLetters(addressBitsOf(experiment)) : mapping;
}

std::uint32_t hashPolynomial(std::uint32_t degree) {
    static constexpr std::array<std::uint32_t, 7> kPolynomials{1, 3, 7, 11, 19, 37, 67};
    return kPolynomials[degree];
}

DramPlaces::DramPlaces(const Experiment& experiment)
    : m_channels(static_cast<std::uint32_t>(experiment.detail.channels)),
      m_bankGroups(static_cast<std::uint32_t>(experiment.dram.bankGroups)),
      m_banksPerGroup(static_cast<std::uint32_t>(experiment.dram.banksPerGroup)) {
    if (hasAddressMapping(experiment)) {
        readMapping(experiment);
        return;
    }
    const DramConfig& dram = experiment.dram;
    const std::int64_t pseudoChannels = pseudoChannelsOfChannel(experiment);
    const std::int64_t granule = experiment.detail.granule.count;
    m_granulesPerRow = std::max<std::int64_t>(1, dram.row.count * dram.bankGroups * pseudoChannels / granule);
    const std::int64_t run = std::max(dram.groupRun.count, dram.burst.count);
    const std::int64_t share = (granule + pseudoChannels - 1) / pseudoChannels;
    m_groupsOfGranule = static_cast<std::uint8_t>(std::min(dram.bankGroups, (share + run - 1) / run));
}

// Fills the table from what each single address bit changes.
void DramPlaces::readMapping(const Experiment& experiment) {
    const AddressBits bits = addressBitsOf(experiment);
    const std::string letters = mappingLetters(experiment);
    std::array<std::uint32_t, 32> changes{};  // by bit of a granule's number
    std::uint32_t banks = 0, groups = 0, channels = 0, groupsInside = 0, aboveChannels = 0;
    m_rowBit = static_cast<std::uint32_t>(letters.size()) - bits.granule;
    for (std::uint32_t place = 0; place < letters.size(); ++place) {
        const char letter = letters[letters.size() - 1 - place];
        std::uint32_t change = 0;
        if (letter == kBankLetter)
            change = 1u << banks++ << kBankField;
        if (letter == kGroupLetter)
            change = 1u << groups++ << kGroupField;
        if (letter == kChannelLetter)
            change = 1u << channels++;
        if (place < bits.granule) {
            groupsInside = groups;
            continue;
        }
        if (place - bits.granule < changes.size())
            changes[place - bits.granule] = change;
        if (letter == kChannelLetter)
            aboveChannels = place - bits.granule + 1;
    }
    if (channels != 0 && experiment.address.hash != ChannelHash::none) {
        std::uint32_t remainder = 1u << channels;  // of x^channels, x^(channels + 1) …, divided by the polynomial
        for (std::uint32_t bit = aboveChannels; bit < changes.size(); ++bit) {
            if (experiment.address.hash == ChannelHash::bitwise) {
                changes[bit] ^= bit - aboveChannels < channels ? 1u << (bit - aboveChannels) : 0;
                continue;
            }
            if (remainder >> channels != 0)
                remainder ^= hashPolynomial(channels);
            changes[bit] ^= remainder;
            remainder <<= 1;
        }
    }
    if (experiment.address.bankHash == BankHash::bitwise) {
        for (std::uint32_t rowBit = 0; rowBit < banks + groups && m_rowBit + rowBit < changes.size(); ++rowBit) {
            if (rowBit < banks)
                changes[m_rowBit + rowBit] ^= 1u << rowBit << kBankField;
            else if (rowBit - banks >= groupsInside)  // a granule covers all groups that differ in the bits inside it
                changes[m_rowBit + rowBit] ^= 1u << (rowBit - banks) << kGroupField;
        }
    }
    auto table = std::make_shared<Table>();
    for (std::uint32_t byte = 0; byte < table->size(); ++byte)
        for (std::uint32_t value = 0; value < (*table)[byte].size(); ++value)
            for (std::uint32_t bit = 0; bit < 8; ++bit)
                (*table)[byte][value] ^= value >> bit & 1 ? changes[byte * 8 + bit] : 0;
    m_table = std::move(table);
    m_granulesPerRow = 0;
    m_groupsOfGranule = static_cast<std::uint8_t>(1u << groupsInside);
}

DramPlace DramPlaces::spread(std::uint32_t granule) const {
    const std::uint32_t ofChannel = granule / m_channels;
    const std::int64_t rowNumber = ofChannel / m_granulesPerRow;
    return {static_cast<std::uint32_t>(rowNumber / m_banksPerGroup), static_cast<std::uint16_t>(granule % m_channels),
            static_cast<std::uint8_t>(rowNumber % m_banksPerGroup), static_cast<std::uint8_t>(ofChannel % m_bankGroups),
            m_groupsOfGranule};
}

DramPlace dramPlaceOf(const Experiment& experiment, std::uint32_t address) {
    return DramPlaces(experiment).of(address);
}

}  // namespace engine
