#pragma once

#include "engine/api/experiment.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

// Access of the parameter table to the fields of an Experiment. How a field is read and written follows from its type,
// so that a table entry only names the field. Only the table's own source files use this header; all others use
// parameters.h.

namespace engine {

/// The words for the values of an enumeration in experiment documents, in the order of the enumerators.
template <typename Enum>
inline constexpr std::array<std::string_view, 0> kWords{};
template <>
inline constexpr std::array<std::string_view, 10> kWords<SubLayer>{
    "op", "fc-2", "fc-1", "ip", "reduce-scatter", "all-gather", "all-reduce", "all-to-all", "gemm", "access"};
template <>
inline constexpr std::array<std::string_view, 3> kWords<AccessPatternKind>{"stride", "random", "trace"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<Mlp>{"plain", "gated"};
template <>
inline constexpr auto kWords<PolicyPreset> = [] {
    std::array<std::string_view, kPolicyRows.size()> words;
    std::ranges::transform(kPolicyRows, words.begin(), &PolicyRow::word);
    return words;
}();
template <>
inline constexpr std::array<std::string_view, 2> kWords<ProducerOrder>{"plain", "staggered"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<OutputMapping>{"local", "remote-dma"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<OutputCaching>{"allocate", "bypass"};
template <>
inline constexpr std::array<std::string_view, 4> kWords<CommunicationStart>{"after-gemm", "when-ready", "concurrent",
                                                                            "by-piece"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<Reduction>{"cu", "nmc"};
template <>
inline constexpr auto kWords<ArbitrationPolicy> = [] {
    std::array<std::string_view, kArbitrationPolicies.size()> words;
    std::ranges::transform(kArbitrationPolicies, words.begin(), &ArbitrationPolicyText::word);
    return words;
}();
template <>
inline constexpr std::array<std::string_view, 3> kWords<StoreOrder>{"in-order", "reads-first", "write-drain"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<WriteBack>{"eager", "at-end"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<Residency>{"registers", "slots"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<DramModel>{"sustained", "banks"};
template <>
inline constexpr std::array<std::string_view, 3> kWords<ChannelHash>{"none", "xor", "polynomial"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<BankHash>{"none", "xor"};
template <>
inline constexpr std::array<std::string_view, 4> kWords<CollectiveOperation>{"all-reduce", "reduce-scatter",
                                                                             "all-to-all", "all-gather"};
template <>
inline constexpr auto kWords<CollectiveAlgorithm> = [] {
    std::array<std::string_view, kCollectiveAlgorithms.size()> words;
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = kCollectiveAlgorithms[i].word;
    return words;
}();
template <>
inline constexpr std::array<std::string_view, 6> kWords<TopologyKind>{"ring",  "fully-connected", "switch",
                                                                      "torus", "two-nodes",       "custom"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<TopologyEgress>{"per-link", "shared"};
template <>
inline constexpr std::array<std::string_view, 3> kWords<DetailLevel>{"interactive", "standard", "fine"};
template <>
inline constexpr std::array<std::string_view, 3> kWords<DetailMode>{"auto", "mirrored", "full"};
template <>
inline constexpr std::array<std::string_view, 5> kWords<PipelineSchedule>{"1f1b", "all-forward", "zb-h1", "delayed",
                                                                          "delayed-pipelined"};
template <>
inline constexpr std::array<std::string_view, 7> kWords<CompanionOperation>{
    "none", "all-gather", "reduce-scatter", "all-reduce", "all-to-all", "gemm", "in-memory"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<CollectiveCarrier>{"kernel", "dma"};
template <>
inline constexpr std::array<std::string_view, 5> kWords<DispatchRule>{"auto", "in-order", "companion-first",
                                                                      "round-robin", "reserved"};
template <>
inline constexpr std::array<std::string_view, 4> kWords<Sharding>{"none", "optimizer", "gradients", "weights"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<AttentionOperators>{"fused", "separate"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<Dropout>{"off", "on"};
template <>
inline constexpr std::array<std::string_view, 4> kWords<Recompute>{"none", "gathers", "attention", "layer"};
template <>
inline constexpr std::array<std::string_view, 4> kWords<OptimizerKind>{"adam", "momentum", "sgd", "lamb"};
template <>
inline constexpr std::array<std::string_view, 4> kWords<TileChoice>{"auto", "fixed", "best", "shared"};
template <>
inline constexpr std::array<std::string_view, 3> kWords<TilePadding>{"auto", "real", "full"};
template <>
inline constexpr std::array<std::string_view, 2> kWords<Quantise>{"stored", "just-in-time"};
template <>
inline constexpr std::array<std::string_view, 3> kWords<Accounting>{"zero", "megatron", "deepspeed"};

template <typename Enum>
std::string_view wordOf(Enum value) {
    return kWords<Enum>.at(static_cast<std::size_t>(value));
}

template <typename Enum>
std::optional<Enum> enumNamed(std::string_view word) {
    const auto& words = kWords<Enum>;
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
        return std::nullopt;
    return static_cast<Enum>(found - words.begin());
}

// Words for an empty optional field. They are arrays because a template argument cannot be a literal.
inline constexpr char kGranuleWord[] = "granule";
inline constexpr char kUnlimitedWord[] = "unlimited";
inline constexpr char kAllWord[] = "all";
inline constexpr char kOffWord[] = "off";
inline constexpr char kNoneWord[] = "none";
inline constexpr char kSameWord[] = "same";
inline constexpr char kAutoWord[] = "auto";
inline constexpr char kTurnWord[] = "turn";
inline constexpr char kModelWord[] = "model";
inline constexpr char kWorkgroupsWord[] = "workgroups";

/// The allowed numbers in base units, ends included; of a text, the allowed lengths in bytes.
struct ParameterRange {
    double minimum = 0, maximum = 0;
    bool logarithmic = false, powerOfTwo = false;
};
constexpr ParameterRange logarithmic(double minimum, double maximum) { return {minimum, maximum, true}; }
constexpr ParameterRange powersOfTwo(double minimum, double maximum) { return {minimum, maximum, true, true}; }

/// The source of a default.
struct ParameterSource {
    SourceLabel label{};
    std::string text{};
};

/// A table entry for one parameter without its group. Parameter's other fields follow from the type of the Experiment's
/// field.
struct ParameterEntry {
    std::string path{}, label{}, symbol{};
    ParameterUnit unit{};  ///< none: the unit of the field's type
    ParameterRange range{};
    std::vector<std::string> words{};  ///< keywords that are allowed in place of a number
    std::string meaning{};
    ParameterSource source{};
    std::string_view since = kPinnedVersion;
    std::optional<ParameterValue> leftOutValue{};  ///< empty: the default
    ParameterReading reading{};                    ///< null functions: those of the group
};

/// Returns a function that appends a parameter to the table and puts it into `group`, with the group's `reading` where
/// the parameter has none of its own.
inline auto adder(std::vector<Parameter>& table, ParameterGroup group, ParameterReading reading = {}) {
    return [&table, group, reading](Parameter parameter) {
        parameter.group = group;
        ParameterReading& own = parameter.reading;
        own.byRun = own.byRun != nullptr ? own.byRun : reading.byRun;
        own.atAll = own.atAll != nullptr ? own.atAll : reading.atAll;
        own.whyNot = own.whyNot != nullptr ? own.whyNot : reading.whyNot;
        table.push_back(std::move(parameter));
    };
}

namespace field {

/// Return the whole number, in base units, of a quantity.
inline std::int64_t count(std::int64_t value) { return value; }
inline std::int64_t count(Duration value) { return value.ps; }
inline std::int64_t count(Bytes value) { return value.count; }
inline std::int64_t count(Bandwidth value) { return value.bytesPerSecond; }
inline std::int64_t count(Frequency value) { return value.hertz; }

template <typename T>
inline constexpr ParameterUnit kUnit = ParameterUnit::none;
template <>
inline constexpr ParameterUnit kUnit<Duration> = ParameterUnit::picoseconds;
template <>
inline constexpr ParameterUnit kUnit<Bytes> = ParameterUnit::bytes;
template <>
inline constexpr ParameterUnit kUnit<Bandwidth> = ParameterUnit::bytesPerSecond;
template <>
inline constexpr ParameterUnit kUnit<Frequency> = ParameterUnit::hertz;

template <typename T>
ParameterValue toValue(const T& value) {
    if constexpr (std::is_enum_v<T>) {
        return std::string(wordOf(value));
    } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::string>) {
        return value;
    } else {
        return count(value);
    }
}

template <typename T>
T fromValue(const ParameterValue& value) {
    if constexpr (std::is_enum_v<T>) {
        return enumNamed<T>(std::get<std::string>(value)).value();
    } else if constexpr (std::is_same_v<T, std::string>) {
        return std::get<std::string>(value);
    } else if constexpr (std::is_same_v<T, double>) {
        const auto* whole = std::get_if<std::int64_t>(&value);
        return whole ? static_cast<double>(*whole) : std::get<double>(value);
    } else {
        return T{std::get<std::int64_t>(value)};
    }
}

template <auto Section, auto Member>
struct Access {
    using Type = std::remove_cvref_t<decltype(std::declval<const Experiment&>().*Section.*Member)>;
    static ParameterValue read(const Experiment& e) { return toValue<Type>(e.*Section.*Member); }
    static void write(Experiment& e, const ParameterValue& v) { e.*Section.*Member = fromValue<Type>(v); }
};

template <const char* Word, auto Section, auto Member>
struct OptionalAccess {
    using Type = typename std::remove_cvref_t<decltype(std::declval<const Experiment&>().*Section.*Member)>::value_type;
    static ParameterValue read(const Experiment& e) {
        const auto& held = e.*Section.*Member;
        return held ? toValue<Type>(*held) : ParameterValue{std::string(Word)};
    }
    static void write(Experiment& e, const ParameterValue& v) {
        auto& held = e.*Section.*Member;
        if (std::holds_alternative<std::string>(v)) {
            held.reset();
        } else {
            held = fromValue<Type>(v);
        }
    }
};

/// Returns a parameter whose value has type `Type` and is read and written by functions. Kind, unit and the words of an
/// enumeration follow from the type.
template <typename Type>
Parameter through(const ParameterEntry& entry, decltype(Parameter::read) read, decltype(Parameter::write) write) {
    constexpr bool choice = std::is_enum_v<Type>;
    std::vector<std::string> words = entry.words;
    if constexpr (choice)
        words.assign(kWords<Type>.begin(), kWords<Type>.end());
    return {
        .path = entry.path,
        .label = entry.label,
        .symbol = entry.symbol,
        .kind = choice                              ? ParameterKind::choice
                : std::is_same_v<Type, std::string> ? ParameterKind::text
                : std::is_same_v<Type, double>      ? ParameterKind::real
                                                    : ParameterKind::integer,
        .unit = entry.unit == ParameterUnit::none ? kUnit<Type> : entry.unit,
        .minimum = entry.range.minimum,
        .maximum = entry.range.maximum,
        .logarithmic = entry.range.logarithmic,
        .powerOfTwo = entry.range.powerOfTwo,
        .words = std::move(words),
        .meaning = entry.meaning,
        .sourceLabel = entry.source.label,
        .source = entry.source.text,
        .since = entry.since,
        .defaultValue = read(Experiment{}),
        .leftOutValue = entry.leftOutValue.value_or(read(Experiment{})),
        .reading = entry.reading,
        .read = read,
        .write = write,
    };
}

/// Returns a parameter for the field `Section`.`Member`.
template <auto Section, auto Member>
Parameter of(const ParameterEntry& entry) {
    using A = Access<Section, Member>;
    return through<typename A::Type>(entry, &A::read, &A::write);
}

/// Returns a parameter for an optional field; an empty field is written as `Word`.
template <const char* Word, auto Section, auto Member>
Parameter ofOptional(ParameterEntry entry) {
    using A = OptionalAccess<Word, Section, Member>;
    entry.words = {Word};
    return through<typename A::Type>(entry, &A::read, &A::write);
}

}  // namespace field

// Append the parts of the table. Each is defined in its own source file.
void appendWorkloadParameters(std::vector<Parameter>& table);
void appendMatrixParameters(std::vector<Parameter>& table);
void appendAccessParameters(std::vector<Parameter>& table);
void appendCompanionParameters(std::vector<Parameter>& table);
void appendDispatchParameters(std::vector<Parameter>& table);
void appendDivisionParameters(std::vector<Parameter>& table);
void appendMachineParameters(std::vector<Parameter>& table);
void appendSystemParameters(std::vector<Parameter>& table);
void appendDramParameters(std::vector<Parameter>& table);
void appendAddressParameters(std::vector<Parameter>& table);
void appendVariationParameters(std::vector<Parameter>& table);
void appendPolicyParameters(std::vector<Parameter>& table);

}  // namespace engine
