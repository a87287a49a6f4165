#include "ui/memory/address_letters.h"

#include "engine/api/dram_place.h"

#include <QCoreApplication>

#include <algorithm>
#include <bit>
#include <string_view>

namespace ui {
namespace {

QString lettersTr(const char* text) { return QCoreApplication::translate("AddressBar", text); }

QString firstProblemOf(const engine::Experiment& experiment) {
    const engine::Problems problems = engine::validate(experiment);
    return problems.empty() ? QString() : QString::fromStdString(engine::describe(problems.front()));
}

}  // namespace

std::uint32_t AddressLetters::bitOf(std::size_t letter) const {
    return lowestBit + static_cast<std::uint32_t>(letters.size() - 1 - letter);
}

AddressLetters addressLettersOf(const engine::Experiment& experiment) {
    AddressLetters made;
    made.granuleBytes = experiment.detail.granule.count;
    if (!engine::hasAddressMapping(experiment))
        return made;
    made.letters = engine::mappingLetters(experiment);
    made.inGranule = engine::addressBitsOf(experiment).granule;
    made.burstBytes = made.granuleBytes >> made.inGranule;
    made.lowestBit = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(made.burstBytes)) - 1);
    return made;
}

std::string withMovedLetter(std::string letters, std::size_t from, std::size_t to) {
    const char moved = letters[from];
    letters.erase(from, 1);
    letters.insert(to, 1, moved);
    return letters;
}

bool canMoveLetter(const AddressLetters& letters, std::size_t from, std::size_t to) {
    const std::string moved = withMovedLetter(letters.letters, from, to);
    const std::string_view inside = std::string_view(moved).substr(moved.size() - letters.inGranule);
    return std::ranges::none_of(
        inside, [](char letter) { return letter == engine::kBankLetter || letter == engine::kChannelLetter; });
}

QString whyNotMovedTo(const engine::Experiment& experiment, std::size_t from, std::size_t to) {
    engine::Experiment moved = experiment;
    moved.address.mapping = withMovedLetter(engine::mappingLetters(experiment), from, to);
    const engine::Problems problems = engine::validate(moved);
    // The bar shows what is allowed, and has room for one line.
    return problems.empty() ? QString() : QString::fromStdString(problems.front().text).section(u';', 0, 0);
}

QString nameOfLetter(char letter) {
    switch (letter) {
    case engine::kBankLetter: return lettersTr("bank");
    case engine::kGroupLetter: return lettersTr("bank group");
    case engine::kChannelLetter: return lettersTr("channel");
    default: return lettersTr("column");
    }
}

std::string mappingOf(const engine::Experiment& experiment, const std::string& letters) {
    return letters == engine::usualLetters(engine::addressBitsOf(experiment)) ? engine::kUsualMapping : letters;
}

QString whyNoMapping(const engine::Experiment& experiment) {
    engine::Experiment usual = experiment;
    usual.address.mapping = engine::kUsualMapping;
    return firstProblemOf(usual);
}

}  // namespace ui
