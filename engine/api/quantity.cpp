#include "engine/api/quantity.h"

#include "engine/api/letters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace engine {
namespace {

__extension__ using Wide = __int128;  // 10^18 digits times a unit of 2^50 does not fit into 64 bits

constexpr std::int64_t kKi = 1024, kMi = kKi * 1024, kGi = kMi * 1024, kTi = kGi * 1024;

constexpr std::array<UnitName, 7> kTimes{{{"ps", 1},
                                          {"ns", 1'000},
                                          {"us", 1'000'000, false},
                                          {"µs", 1'000'000},
                                          {"\u03bcs", 1'000'000, false},  // the Greek letter, as some keyboards give
                                          {"ms", 1'000'000'000},
                                          {"s", 1'000'000'000'000}}};
constexpr std::array<UnitName, 10> kBytes{{{"B", 1},
                                           {"kB", 1'000},
                                           {"KB", 1'000, false},
                                           {"KiB", kKi},
                                           {"MB", 1'000'000},
                                           {"MiB", kMi},
                                           {"GB", 1'000'000'000},
                                           {"GiB", kGi},
                                           {"TB", 1'000'000'000'000, false},
                                           {"TiB", kTi}}};
constexpr std::array<UnitName, 5> kFrequencies{
    {{"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}, {"THz", 1'000'000'000'000}}};
constexpr std::array<UnitName, 11> kBandwidths{{{"B/s", 1},
                                                {"kB/s", 1'000},
                                                {"KB/s", 1'000, false},
                                                {"KiB/s", kKi, false},
                                                {"MB/s", 1'000'000},
                                                {"MiB/s", kMi, false},
                                                {"GB/s", 1'000'000'000},
                                                {"GiB/s", kGi},
                                                {"TB/s", 1'000'000'000'000},
                                                {"TiB/s", kTi},
                                                {"PB/s", 1'000'000'000'000'000, false}}};
constexpr std::array<UnitName, 1> kToOne{{{":1", 1}}};
constexpr std::array<UnitName, 6> kFlopRates{{{"FLOP/s", 1},
                                              {"kFLOP/s", 1'000, false},
                                              {"MFLOP/s", 1'000'000},
                                              {"GFLOP/s", 1'000'000'000},
                                              {"TFLOP/s", 1'000'000'000'000},
                                              {"PFLOP/s", 1'000'000'000'000'000}}};

constexpr std::int64_t kBitsInByte = 8;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isUpper(char c) { return lowerLetter(c) != c; }

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), lowerLetter);
    return lower;
}

const UnitName* unitInAnyCase(ParameterUnit unit, std::string_view text) {
    const auto names = unitNames(unit);
    const auto found = std::find_if(names.begin(), names.end(), [lower = lowerCase(text)](const UnitName& name) {
        return lowerCase(name.text) == lower;
    });
    return found == names.end() ? nullptr : &*found;
}

/// A unit of bytes or bits as it was typed. "Gbit/s" is the unit in bits that corresponds to "GB/s".
struct ByteWord {
    enum class Kind : std::uint8_t { bytes, bits, either };
    std::string inBytes;
    Kind kind = Kind::bytes;
};

std::optional<ByteWord> readByteWord(ParameterUnit unit, std::string_view text) {
    std::string word(text);
    const std::string lower = lowerCase(text);
    if (unit == ParameterUnit::bytesPerSecond && lower.ends_with("ps"))
        word.replace(word.size() - 2, 2, "/s");  // "Gbps"
    const std::size_t at = lower.find('b');
    if (at == std::string::npos)
        return std::nullopt;
    const bool bitIsWritten = std::string_view(lower).substr(at).starts_with("bit");
    const bool hasCapital = std::any_of(text.begin(), text.end(), isUpper);
    ByteWord read;
    if (bitIsWritten)
        word.erase(at + 1, 2);
    if (bitIsWritten || (word[at] == 'b' && hasCapital))
        read.kind = ByteWord::Kind::bits;
    else if (word[at] == 'b')
        read.kind = ByteWord::Kind::either;
    word[at] = 'B';
    read.inBytes = std::move(word);
    return read;
}

bool countsBytes(ParameterUnit unit) { return unit == ParameterUnit::bytes || unit == ParameterUnit::bytesPerSecond; }

}  // namespace

std::optional<std::int64_t> unitFactor(ParameterUnit unit, std::string_view text) {
    if (!countsBytes(unit)) {
        const UnitName* name = unitInAnyCase(unit, text);
        return name != nullptr ? std::optional(name->factor) : std::nullopt;
    }
    const auto word = readByteWord(unit, text);
    const UnitName* bytes = word ? unitInAnyCase(unit, word->inBytes) : nullptr;
    if (bytes == nullptr || word->kind == ByteWord::Kind::either)
        return std::nullopt;
    if (word->kind == ByteWord::Kind::bytes)
        return bytes->factor;
    return bytes->factor % kBitsInByte == 0 ? std::optional(bytes->factor / kBitsInByte) : std::nullopt;
}

std::string unitProblem(ParameterUnit unit, std::string_view text) {
    const std::string quoted = '"' + std::string(text) + '"';
    if (countsBytes(unit)) {
        const auto word = readByteWord(unit, text);
        const UnitName* bytes = word ? unitInAnyCase(unit, word->inBytes) : nullptr;
        if (bytes != nullptr && word->kind == ByteWord::Kind::either) {
            std::string bits(bytes->text);
            bits.replace(bits.find('B'), 1, "bit");
            const std::string orBits = bytes->factor % kBitsInByte == 0 ? " or " + bits : "";
            return quoted + " could mean bytes or bits, write " + std::string(bytes->text) + orBits;
        }
    }
    std::string known;
    for (const UnitName& name : unitNames(unit)) {
        if (name.shown)
            known += (known.empty() ? "" : ", ") + std::string(name.text);
    }
    return "unknown unit " + quoted + ", allowed units: " + known;
}

std::span<const UnitName> unitNames(ParameterUnit unit) {
    switch (unit) {
    case ParameterUnit::none: return {};
    case ParameterUnit::picoseconds: return kTimes;
    case ParameterUnit::bytes: return kBytes;
    case ParameterUnit::hertz: return kFrequencies;
    case ParameterUnit::bytesPerSecond: return kBandwidths;
    case ParameterUnit::toOne: return kToOne;
    case ParameterUnit::flopsPerSecond: return kFlopRates;
    }
    return {};
}

std::optional<Decimal> readDecimal(std::string_view& text) {
    constexpr std::uint64_t kFull = 100'000'000'000'000'000u;  // one more digit still fits
    constexpr int kLargestExponent = 1000;                     // beyond any unit; keeps the arithmetic small
    Decimal decimal;
    std::string_view rest = text;
    if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) {
        decimal.negative = rest.front() == '-';
        rest.remove_prefix(1);
    }
    bool any = false, afterPoint = false;
    for (; !rest.empty(); rest.remove_prefix(1)) {
        const char c = rest.front();
        if (c == '.' && !afterPoint) {
            afterPoint = true;
        } else if (isDigit(c)) {
            any = true;
            if (decimal.digits >= kFull) {
                decimal.inexact = decimal.inexact || c != '0';
                if (!afterPoint && decimal.exponent < kLargestExponent)
                    ++decimal.exponent;
            } else {
                decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(c - '0');
                if (afterPoint && decimal.exponent > -kLargestExponent)
                    --decimal.exponent;
            }
        } else {
            break;
        }
    }
    if (!any)
        return std::nullopt;
    if (!rest.empty() && (rest.front() == 'e' || rest.front() == 'E')) {
        std::string_view tail = rest.substr(1);
        if (!tail.empty() && tail.front() == '+')
            tail.remove_prefix(1);
        int power = 0;
        const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), power);
        if (error == std::errc::result_out_of_range)
            power = tail.front() == '-' ? -kLargestExponent : kLargestExponent;
        if (error != std::errc::invalid_argument) {
            if (power > kLargestExponent)
                power = kLargestExponent;
            if (power < -kLargestExponent)
                power = -kLargestExponent;
            decimal.exponent += power;
            rest = tail.substr(static_cast<std::size_t>(end - tail.data()));
        }
    }
    text = rest;
    return decimal;
}

WholeNumber timesFactor(const Decimal& decimal, std::int64_t factor) {
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
    if (decimal.digits == 0)
        return {0, WholeNumber::State::whole};
    Wide value = static_cast<Wide>(decimal.digits) * factor;
    bool exact = !decimal.inexact;
    for (int e = decimal.exponent; e > 0; --e) {
        value *= 10;
        if (value > kMost)
            return {0, WholeNumber::State::tooLarge};
    }
    // One division rounds once; beyond 36 decimals nothing is left of the largest value.
    constexpr int kMostDecimals = 36;
    Wide divisor = 1;
    for (int e = std::max(decimal.exponent, -kMostDecimals); e < 0; ++e)
        divisor *= 10;
    if (divisor > 1) {
        exact = exact && value % divisor == 0;
        value = (value + divisor / 2) / divisor;
    }
    if (value > kMost)
        return {0, WholeNumber::State::tooLarge};
    const auto whole = static_cast<std::int64_t>(value);
    return {decimal.negative ? -whole : whole, exact ? WholeNumber::State::whole : WholeNumber::State::rounded};
}

std::optional<std::string> exactQuotient(std::int64_t value, std::int64_t factor, int maxFraction) {
    const bool negative = value < 0;
    Wide rest = negative ? -static_cast<Wide>(value) : static_cast<Wide>(value);
    std::string text = negative ? "-" : "";
    text += std::to_string(static_cast<std::uint64_t>(rest / factor));
    rest %= factor;
    if (rest == 0)
        return text;
    text += '.';
    for (int i = 0; i < maxFraction && rest != 0; ++i) {
        rest *= 10;
        text += static_cast<char>('0' + static_cast<int>(rest / factor));
        rest %= factor;
    }
    if (rest != 0)
        return std::nullopt;
    return text;
}

std::string shortestText(double value) {
    if (std::isnan(value))
        return "nan";  // without the sign that some processors give it
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

}  // namespace engine
