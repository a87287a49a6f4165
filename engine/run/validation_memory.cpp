#include "engine/api/dram_place.h"
#include "engine/api/parameters.h"
#include "engine/run/plan.h"
#include "engine/run/validation_parts.h"

#include <algorithm>
#include <bit>
#include <string>

// Checks the mapping of addresses to channels and banks.

namespace engine {
namespace {

bool isPowerOfTwo(std::int64_t count) { return std::has_single_bit(static_cast<std::uint64_t>(count)); }

std::string bytesText(std::int64_t bytes) { return formatValue(*findParameter("detail.granule"), bytes); }

/// Refuses counts and sizes that do not give whole numbers of address bits. Returns whether they do.
bool checkAddressBits(const Experiment& e, Problems& problems) {
    const std::size_t before = problems.size();
    const std::string spread = ", or address.mapping=spread";
    const DramConfig& dram = e.dram;
    for (const auto& [path, count] :
         {std::pair{"dram.pseudo_channels", dram.pseudoChannels}, std::pair{"dram.bank_groups", dram.bankGroups},
          std::pair{"dram.banks_per_group", dram.banksPerGroup}})
        if (!isPowerOfTwo(count))
            problems.push_back(
                problemAt(path, e, "no whole number of address bits names them; allowed: a power of two" + spread));
    if (dram.row < dram.burst)
        problems.push_back(problemAt("dram.row", e,
                                     "smaller than one column access (dram.burst = " + formatted("dram.burst", e) +
                                         "); allowed: at least that" + spread));
    if (problems.size() != before)
        return false;
    const std::int64_t channelBurst =
        dram.burst.count * std::max<std::int64_t>(1, dram.pseudoChannels / e.detail.channels);
    const std::int64_t rows = dram.row.count / dram.burst.count * dram.bankGroups * channelBurst;
    if (e.detail.granule.count < channelBurst)
        problems.push_back(problemAt("detail.granule", e,
                                     "smaller than one burst on all pseudo-channels of a channel; allowed: at least " +
                                         bytesText(channelBurst) + spread));
    else if (e.detail.granule.count > rows)
        problems.push_back(problemAt("detail.granule", e,
                                     "larger than one row in every bank group of a channel; allowed: at most " +
                                         bytesText(rows) + spread));
    return problems.size() == before;
}

/// Adds "3 channel bits, 5 are needed for detail.channels = 32" to `text` if the mapping has another number of a
/// letter than the machine needs.
void compareLetters(const Experiment& e, char letter, std::uint32_t needed, const char* bits, const std::string& why,
                    std::string& text) {
    const auto there = std::ranges::count(e.address.mapping, letter);
    if (there == static_cast<std::ptrdiff_t>(needed))
        return;
    text += (text.empty() ? "" : ", and ") + std::to_string(there) + " " + bits + (there == 1 ? " bit" : " bits") +
            ", " + std::to_string(needed) + (needed == 1 ? " is" : " are") + " needed for " + why;
}

void checkLetters(const Experiment& e, Problems& problems) {
    const std::string& mapping = e.address.mapping;
    const AddressBits bits = addressBitsOf(e);
    const auto refuse = [&](const std::string& text) {
        problems.push_back(problemAt("address.mapping", e, text + "; allowed: spread, usual, " + usualLetters(bits)));
    };
    const std::string letters{kBankLetter, kGroupLetter, kChannelLetter, kColumnLetter};
    if (const auto unknown = mapping.find_first_not_of(letters); unknown != std::string::npos)
        return refuse("unknown letter " + mapping.substr(unknown, 1) + ", letters are B, G, D and C");
    const auto setting = [&](const char* path) { return std::string(path) + " = " + formatted(path, e); };
    std::string text;
    compareLetters(e, kBankLetter, bits.bank, "bank", setting("dram.banks_per_group"), text);
    compareLetters(e, kGroupLetter, bits.group, "bank-group", setting("dram.bank_groups"), text);
    compareLetters(e, kChannelLetter, bits.channel, "channel", setting("detail.channels"), text);
    compareLetters(e, kColumnLetter, bits.column, "column", setting("dram.row") + " and " + setting("dram.burst"),
                   text);
    if (!text.empty())
        return refuse(text);
    const std::string inside = mapping.substr(mapping.size() - bits.granule);
    if (const auto wrong = inside.find_first_of(std::string{kBankLetter, kChannelLetter}); wrong != std::string::npos)
        refuse(inside.substr(wrong, 1) + " among the last " + std::to_string(bits.granule) +
               " letters, which lie inside one request (" + setting("detail.granule") + ") and may only be C and G");
}

}  // namespace

void checkAddresses(const Experiment& e, Problems& problems) {
    if (!hasAddressMapping(e)) {
        for (const auto& [path, isSet] : {std::pair{"address.hash", e.address.hash != ChannelHash::none},
                                          std::pair{"address.bank_hash", e.address.bankHash != BankHash::none}})
            if (isSet)
                problems.push_back(problemAt(path, e,
                                             "no address bits name channels and banks with address.mapping=spread; "
                                             "allowed: none, or address.mapping=usual"));
        return;
    }
    if (checkAddressBits(e, problems) && e.address.mapping != kUsualMapping)
        checkLetters(e, problems);
}

void checkAddressRoom(const Experiment& e, Problems& problems) {
    if (!hasAddressMapping(e))
        return;
    const std::uint64_t room = DramMapping::roomOf(e, addressRoomsOf(e, Plan(e), programOf(e)));
    if (room > kMostMemoryGranules)
        problems.push_back(problemAt("address.mapping", e,
                                     "the data of a GPU come to " + std::to_string(room) +
                                         " granules, if each begins at a row of the first bank; allowed: at most " +
                                         std::to_string(kMostMemoryGranules) +
                                         "; choose a larger detail.granule, a smaller dram.row, or "
                                         "address.mapping=spread"));
}

}  // namespace engine
