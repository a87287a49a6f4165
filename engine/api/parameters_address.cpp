#include "engine/api/parameter_field.h"
#include "engine/api/parameter_reading.h"

// The table's entries for the mapping of addresses to channels and banks.

namespace engine {
namespace {

constexpr double kLongestMapping = 32;  // letters; 6 of each of B, G and D, and 13 C, are the most

using enum SourceLabel;

}  // namespace

void appendAddressParameters(std::vector<Parameter>& table) {
    using S = AddressConfig;
    constexpr auto s = &Experiment::address;
    const auto add = adder(table, ParameterGroup::address);
    add(field::of<s, &S::mapping>({
        .path = "address.mapping",
        .label = "Mapping",
        .range = {1, kLongestMapping},
        .words = {kSpreadMapping, kUsualMapping},
        .meaning =
            "Which address bits name channel and bank. spread: each component spreads its data over the channels by a "
            "rule of its own. usual: one order for all data, in which neighbouring granules are in neighbouring "
            "channels, and the lowest bits within a granule name the bank group. Letters give another order, from the "
            "high bit to the low one: B bank, G bank group, D channel, C column. The row has all bits above, one burst "
            "on all pseudo-channels of a channel has all bits below.",
        .source = {chosen, "spread: no vendor's mapping is known"},
        .since = "0.5",
    }));
    add(field::of<s, &S::hash>({
        .path = "address.hash",
        .label = "Channel hash",
        .meaning = "Hash of the channel bits with all address bits above them, so that strides use all channels. none: "
                   "the channel bits themselves. xor: exclusive or with as many bits right above the channel bits. "
                   "polynomial: remainder of a division by an irreducible polynomial.",
        .source = {secondHand, "xor, polynomial: GPGPU-Sim; none: chosen"},
        .since = "0.5",
        .reading = {.byRun = hasAddressMapping, .atAll = hasAddressMapping},
    }));
    add(field::of<s, &S::bankHash>({
        .path = "address.bank_hash",
        .label = "Bank hash",
        .meaning = "Hash of bank and bank group with the row, so that streams in different rows rarely meet in one "
                   "bank. none: the bits themselves. xor: exclusive or of the bank with the lowest bits of the row, "
                   "and of the bank group with the next ones.",
        .source = {published, "xor: permutation-based page interleaving (Zhang and others, MICRO 2000); none: chosen"},
        .since = "0.5",
        .reading = {.byRun = reading::mapsBanks, .atAll = reading::mapsBanks, .whyNot = reading::whyNoBankHash},
    }));
}

}  // namespace engine
