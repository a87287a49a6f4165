#pragma once

#include "engine/api/experiment.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ui {

/// The letters of an experiment's address mapping, with what each stands for.
struct AddressLetters {
    /// From the high bit to the low one; empty with address.mapping=spread, which names no bits.
    std::string letters;
    std::size_t inGranule = 0;    ///< of these, the last ones, which lie inside one request
    std::uint32_t lowestBit = 0;  ///< number of the address bit of the last letter
    std::int64_t burstBytes = 0;  ///< below that bit: one burst on all pseudo-channels of a channel
    std::int64_t granuleBytes = 0;

    /// Returns the number of the address bit of a letter.
    std::uint32_t bitOf(std::size_t letter) const;
    bool isInGranule(std::size_t letter) const { return letter >= letters.size() - inGranule; }
    bool operator==(const AddressLetters&) const = default;
};

/// Precondition: `validate(experiment)` is empty.
AddressLetters addressLettersOf(const engine::Experiment& experiment);

/// Returns the letters with one of them moved to another place; the letters between make room.
std::string withMovedLetter(std::string letters, std::size_t from, std::size_t to);

/// Returns whether a letter can move to a place: inside a request there may only be columns and bank groups.
bool canMoveLetter(const AddressLetters& letters, std::size_t from, std::size_t to);
/// Returns why a letter cannot move to a place, in the words of the validation; empty if it can.
QString whyNotMovedTo(const engine::Experiment& experiment, std::size_t from, std::size_t to);

/// Returns what a letter names: "channel", "bank".
QString nameOfLetter(char letter);

/// Returns the value of address.mapping for these letters: `usual` if they are the usual ones.
std::string mappingOf(const engine::Experiment& experiment, const std::string& letters);

/// Returns why an experiment cannot have address.mapping=usual, in the words of the validation; empty if it can.
QString whyNoMapping(const engine::Experiment& experiment);

}  // namespace ui
