#include "data/document/json_reading.h"
#include "data/document/names.h"
#include "data/document/visible_text.h"
#include "data/measured/kineto_records.h"
#include "engine/api/letters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace data {
namespace {

constexpr std::size_t kMostDevices = 10'000, kMostGroups = 100'000, kMostRanksOfGroup = 100'000;
constexpr std::size_t kMostInfoDepth = 8;

/// One number or text of the parser.
struct KinetoScalar {
    enum class Kind { whole, real, text, other };
    Kind kind = Kind::other;
    std::int64_t whole = 0;
    std::string_view text;  ///< of a text, without its quotes; of a real number, as written
};

std::optional<std::int64_t> wholeOf(const KinetoScalar& scalar) {
    if (scalar.kind == KinetoScalar::Kind::whole)
        return scalar.whole;
    std::int64_t number = 0;
    const char* end = scalar.text.data() + scalar.text.size();
    if (scalar.kind != KinetoScalar::Kind::text || scalar.text.empty())
        return std::nullopt;
    const auto read = std::from_chars(scalar.text.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// Returns a time; a text is none, even if it has digits.
std::optional<TraceInstant> timeOf(const KinetoScalar& scalar) {
    if (scalar.kind == KinetoScalar::Kind::whole)
        return instantOf(scalar.whole);
    return scalar.kind == KinetoScalar::Kind::real ? instantOf(scalar.text) : std::nullopt;
}

/// Keeps each of many equal values once.
template <class Value, class Hash>
class ValueTable {
public:
    std::uint32_t indexOf(const Value& value) {
        const auto [entry, isNew] = m_indices.try_emplace(value, static_cast<std::uint32_t>(m_values.size()));
        if (isNew)
            m_values.push_back(value);
        return entry->second;
    }
    std::vector<Value> take() {
        m_indices.clear();
        return std::move(m_values);
    }

private:
    std::unordered_map<Value, std::uint32_t, Hash> m_indices;
    std::vector<Value> m_values;
};

std::size_t mixed(std::size_t hash, std::uint64_t value) {
    constexpr std::uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;
    constexpr int kShift = 29;
    hash = (hash ^ static_cast<std::size_t>(value)) * kFactor;
    return hash ^ (hash >> kShift);
}

struct LaunchHash {
    std::size_t operator()(const SpanLaunch& launch) const {
        std::size_t hash = 0;
        for (std::size_t i = 0; i < launch.grid.size(); ++i)
            hash = mixed(mixed(hash, static_cast<std::uint64_t>(launch.grid.at(i))),
                         static_cast<std::uint64_t>(launch.block.at(i)));
        for (const std::int64_t number : {launch.registers, launch.shared, launch.bytes})
            hash = mixed(hash, static_cast<std::uint64_t>(number));
        return hash;
    }
};

struct FactsHash {
    std::size_t operator()(const SpanFacts& facts) const {
        std::size_t hash = 0;
        for (const std::uint32_t index :
             {facts.name, facts.dims, facts.types, facts.collective, facts.dtype, facts.groupName, facts.groupRanks})
            hash = mixed(hash, index);
        for (const std::int64_t number :
             {facts.in, facts.out, facts.groupSize, facts.source, facts.destination, facts.sequence})
            hash = mixed(hash, static_cast<std::uint64_t>(number));
        return hash;
    }
};

struct PairHash {
    std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& pair) const {
        return mixed(mixed(0, static_cast<std::uint64_t>(pair.first)), static_cast<std::uint64_t>(pair.second));
    }
};

struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};

/// Keeps each name once.
class NameTable {
public:
    explicit NameTable(std::size_t longest) : m_longest(longest) {}

    std::uint32_t indexOf(std::string_view name) {
        if (name.size() > m_longest) {
            name = name.substr(0, m_longest);
            name.remove_suffix(incompleteAtEnd(name));
        }
        const auto found = m_indices.find(name);
        if (found != m_indices.end())
            return found->second;
        const auto index = static_cast<std::uint32_t>(m_names.size());
        m_names.emplace_back(name);
        m_indices.emplace(name, index);
        return index;
    }
    std::uint32_t indexOfText(std::string_view text) { return text.empty() ? kNoIndex : indexOf(text); }
    std::vector<std::string> take() { return std::move(m_names); }

private:
    std::size_t m_longest;
    std::unordered_map<std::string, std::uint32_t, NameHash, std::equal_to<>> m_indices;
    std::vector<std::string> m_names;
};

/// What an event is, by its category.
enum class EventKind { unknown, kernel, copy, fill, launch, cpuOperator, userAnnotation, gpuAnnotation, passedOver };

/// Returns the kind of a category. Traces of old versions write other words and capitals: "Kernel", "Runtime".
EventKind kindOfCategory(std::string_view category) {
    static constexpr std::array<std::pair<std::string_view, EventKind>, 13> kCategories{{
        {"kernel", EventKind::kernel},
        {"gpu_memcpy", EventKind::copy},
        {"memcpy", EventKind::copy},
        {"gpu_memset", EventKind::fill},
        {"memset", EventKind::fill},
        {"cuda_runtime", EventKind::launch},
        {"cuda_driver", EventKind::launch},
        {"hip_runtime", EventKind::launch},
        {"runtime", EventKind::launch},
        {"cpu_op", EventKind::cpuOperator},
        {"operator", EventKind::cpuOperator},
        {"user_annotation", EventKind::userAnnotation},
        {"gpu_user_annotation", EventKind::gpuAnnotation},
    }};
    constexpr std::size_t kLongest = 24;
    if (category.size() > kLongest)
        return EventKind::passedOver;
    std::array<char, kLongest> lower{};
    std::ranges::transform(category, lower.begin(), [](char c) { return c == ' ' ? '_' : engine::lowerLetter(c); });
    const std::string_view word(lower.data(), category.size());
    const auto* found = std::ranges::find(kCategories, word, &std::pair<std::string_view, EventKind>::first);
    return found == kCategories.end() ? EventKind::passedOver : found->second;
}

enum class EventKey { other, ph, cat, name, pid, tid, ts, dur, args };

EventKey eventKeyOf(std::string_view key) {
    static constexpr std::array<std::pair<std::string_view, EventKey>, 8> kKeys{{{"ph", EventKey::ph},
                                                                                 {"cat", EventKey::cat},
                                                                                 {"name", EventKey::name},
                                                                                 {"pid", EventKey::pid},
                                                                                 {"tid", EventKey::tid},
                                                                                 {"ts", EventKey::ts},
                                                                                 {"dur", EventKey::dur},
                                                                                 {"args", EventKey::args}}};
    const auto* found = std::ranges::find(kKeys, key, &std::pair<std::string_view, EventKey>::first);
    return found == kKeys.end() ? EventKey::other : found->second;
}

enum class ArgKey {
    other,
    device,
    stream,
    correlation,
    external,
    grid,
    block,
    registers,
    shared,
    bytes,
    collective,
    in,
    out,
    dtype,
    groupSize,
    groupName,
    groupRanks,
    source,
    destination,
    sequence,
    dims,
    types,
};

ArgKey argKeyOf(std::string_view key) {
    static const std::unordered_map<std::string_view, ArgKey> keys{
        {"device", ArgKey::device},
        {"stream", ArgKey::stream},
        {"correlation", ArgKey::correlation},
        {"External id", ArgKey::external},
        {"external id", ArgKey::external},
        {"grid", ArgKey::grid},
        {"block", ArgKey::block},
        {"registers per thread", ArgKey::registers},
        {"shared memory", ArgKey::shared},
        {"bytes", ArgKey::bytes},
        {"Collective name", ArgKey::collective},
        {"In msg nelems", ArgKey::in},
        {"Out msg nelems", ArgKey::out},
        {"dtype", ArgKey::dtype},
        {"Group size", ArgKey::groupSize},
        {"Process Group Name", ArgKey::groupName},
        {"Process Group Ranks", ArgKey::groupRanks},
        {"Src Rank", ArgKey::source},
        {"Dst Rank", ArgKey::destination},
        {"Seq", ArgKey::sequence},
        {"Input Dims", ArgKey::dims},
        {"Input dims", ArgKey::dims},
        {"Input type", ArgKey::types},
        {"Input types", ArgKey::types},
    };
    const auto found = keys.find(key);
    return found == keys.end() ? ArgKey::other : found->second;
}

/// The fields of one event while it is read.
struct KinetoEvent {
    bool isComplete = false;  ///< "ph" is "X"
    EventKind kind = EventKind::unknown;
    std::string name;
    std::int64_t pid = 0, tid = 0;
    bool hasTid = false, hasPid = false;
    std::optional<TraceInstant> ts, dur;
    std::int64_t device = -1, stream = -1;
    std::int64_t correlation = kNoCorrelation, external = 0;
    SpanLaunch launch;
    SpanFacts numbers;  ///< its numbers only
    std::string collective, dtype, groupName, groupRanks, dims, types;

    void clear() {
        isComplete = hasTid = hasPid = false;
        kind = EventKind::unknown;
        pid = tid = 0;
        ts.reset();
        dur.reset();
        device = stream = -1;
        correlation = kNoCorrelation;
        external = 0;
        launch = {};
        numbers = {};
        for (std::string* text : {&name, &collective, &dtype, &groupName, &groupRanks, &dims, &types})
            text->clear();
    }
};

/// Receives the parser's events and keeps what Ringside needs.
class KinetoHandler {
public:
    KinetoHandler(const MeasuredLimits& limits, KinetoState& state, KinetoRecords& records)
        : m_limits(limits), m_state(state), m_records(records), m_trace(records.trace),
          m_names(static_cast<std::size_t>(limits.longestName)) {}

    // The interface of nlohmann's parser. A function that returns false ends the parsing.
    bool null() { return scalar({}); }
    bool boolean(bool /*value*/) { return scalar({}); }
    bool number_integer(std::int64_t value) { return scalar({KinetoScalar::Kind::whole, value, {}}); }
    bool number_unsigned(std::uint64_t value) {
        return std::in_range<std::int64_t>(value)
                   ? scalar({KinetoScalar::Kind::whole, static_cast<std::int64_t>(value), {}})
                   : scalar({});
    }
    bool number_float(double /*value*/, const std::string& digits) {
        return scalar({KinetoScalar::Kind::real, 0, digits});
    }
    bool string(std::string& text) { return scalar({KinetoScalar::Kind::text, 0, text}); }
    bool binary(nlohmann::json::binary_t& /*bytes*/) { return scalar({}); }
    bool start_object(std::size_t /*size*/) { return begin(true); }
    bool start_array(std::size_t /*size*/) { return begin(false); }
    bool end_object() { return end(); }
    bool end_array() { return end(); }
    bool key(std::string& name) {
        ++m_state.tokens;
        if (m_skip > 0)
            return true;
        switch (m_place) {
        case Place::top: m_topKey = name; break;
        case Place::event: m_eventKey = eventKeyOf(name); break;
        case Place::args: m_argKey = m_captures ? argKeyOf(name) : ArgKey::other; break;
        case Place::info: m_infoKeys.back() = name; break;
        case Place::start:
        case Place::events:
        case Place::argList:
        case Place::ended: break;
        }
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception& error) {
        m_end.byte = position;
        m_end.reason = reasonOf(error);
        return false;
    }

    KinetoEnd finish() {
        m_trace.names = m_names.take();
        m_trace.launches = m_launches.take();
        m_trace.facts = m_facts.take();
        m_trace.streams = m_streams.take();
        m_trace.wholeMicroseconds = !m_trace.spans.empty() && !m_hasFractions;
        m_trace.isAmd = m_launchedByHip;
        return std::move(m_end);
    }

private:
    enum class Place : std::uint8_t { start, top, events, event, args, argList, info, ended };

    /// Returns the parser's message without its number and its place, which are told in other words.
    static std::string reasonOf(const nlohmann::json::exception& error) {
        std::string text = error.what();
        const std::size_t colon = text.find(": ");
        if (colon != std::string::npos)
            text.erase(0, colon + 2);
        constexpr std::size_t kLongest = 160;
        if (text.size() > kLongest) {
            text.resize(kLongest);
            text.resize(text.size() - incompleteAtEnd(text));
            text += "...";
        }
        return text;
    }

    bool begin(bool isObject) {
        ++m_state.tokens;
        if (m_skip > 0) {
            ++m_skip;
            return true;
        }
        switch (m_place) {
        case Place::start:
            m_place = isObject ? Place::top : Place::events;
            m_bareList = !isObject;
            m_end.isTrace = !isObject;
            return true;
        case Place::top:
            if (!isObject && m_topKey == "traceEvents") {
                m_place = Place::events;
                m_end.isTrace = true;
            } else if (m_topKey == "distributedInfo" || m_topKey == "deviceProperties") {
                m_place = Place::info;
                m_infoKeys.assign(1, {});
            } else {
                m_skip = 1;
            }
            return true;
        case Place::events:
            if (isObject) {
                m_place = Place::event;
                m_event.clear();
                m_eventKey = EventKey::other;
                m_captures = true;
            } else {
                m_skip = 1;
            }
            return true;
        case Place::event:
            if (isObject && m_eventKey == EventKey::args) {
                m_place = Place::args;
                m_argKey = ArgKey::other;
            } else {
                m_skip = 1;
            }
            return true;
        case Place::args:
            if (!isObject && m_captures && beginList()) {
                m_place = Place::argList;
                m_listDepth = 1;
            } else {
                m_skip = 1;
            }
            return true;
        case Place::argList:
            if (isObject) {
                m_skip = 1;
            } else {
                ++m_listDepth;
                appendToList("[");
            }
            return true;
        case Place::info:
            if (m_infoKeys.size() >= kMostInfoDepth)
                m_skip = 1;
            else
                beginInfo(isObject);
            return true;
        case Place::ended: break;
        }
        m_skip = 1;
        return true;
    }

    bool end() {
        ++m_state.tokens;
        if (m_skip > 0) {
            --m_skip;
            return true;
        }
        switch (m_place) {
        case Place::top: m_place = Place::ended; return true;
        case Place::events: m_place = m_bareList ? Place::ended : Place::top; return true;
        case Place::event: m_place = Place::events; return commit();
        case Place::args: m_place = Place::event; return true;
        case Place::argList:
            if (m_list != nullptr)
                m_list->append("]");
            if (--m_listDepth == 0)
                m_place = Place::args;
            return true;
        case Place::info:
            m_infoKeys.pop_back();
            if (m_infoKeys.empty())
                m_place = Place::top;
            return true;
        case Place::start:
        case Place::ended: break;
        }
        return true;
    }

    bool scalar(const KinetoScalar& value) {
        ++m_state.tokens;
        if (m_skip > 0)
            return true;
        switch (m_place) {
        case Place::top:
            if (m_topKey == "baseTimeNanoseconds")
                m_trace.baseNanoseconds = wholeOf(value).value_or(0);
            break;
        case Place::event: takeEventField(value); break;
        case Place::args:
            if (m_captures && m_argKey != ArgKey::other)
                takeArg(value);
            break;
        case Place::argList: takeListItem(value); break;
        case Place::info: takeInfo(value); break;
        case Place::start:
        case Place::events:
        case Place::ended: break;
        }
        return true;
    }

    void takeEventField(const KinetoScalar& value) {
        switch (m_eventKey) {
        case EventKey::ph:
            m_event.isComplete = value.text == "X";
            m_captures = m_captures && m_event.isComplete;
            break;
        case EventKey::cat:
            m_event.kind = kindOfCategory(value.text);
            m_captures = m_captures && m_event.kind != EventKind::passedOver;
            break;
        case EventKey::name:
            if (m_captures && value.kind == KinetoScalar::Kind::text)
                m_event.name = value.text;
            break;
        case EventKey::pid:
            m_event.pid = placeNumber(value);
            m_event.hasPid = true;
            break;
        case EventKey::tid:
            m_event.tid = placeNumber(value);
            m_event.hasTid = true;
            break;
        case EventKey::ts: m_event.ts = m_captures ? timeOf(value) : std::nullopt; break;
        case EventKey::dur: m_event.dur = m_captures ? timeOf(value) : std::nullopt; break;
        case EventKey::args:
        case EventKey::other: break;
        }
    }

    /// Returns the number of a process or thread. One that is a text gets a number of its own, below all real ones.
    std::int64_t placeNumber(const KinetoScalar& value) {
        constexpr std::int64_t kFirstText = std::int64_t{-1} << 40;
        if (value.kind == KinetoScalar::Kind::whole)
            return value.whole;
        return m_captures && value.kind == KinetoScalar::Kind::text ? kFirstText - m_names.indexOf(value.text) : 0;
    }

    void takeArg(const KinetoScalar& value) {
        if (std::string* text = textOfArg()) {
            if (value.kind == KinetoScalar::Kind::text)
                *text = value.text;
            else if (m_argKey == ArgKey::groupName && value.kind == KinetoScalar::Kind::whole)
                *text = std::to_string(value.whole);
            return;
        }
        const auto number = wholeOf(value);
        if (!number)
            return;
        switch (m_argKey) {
        case ArgKey::device: m_event.device = *number; break;
        case ArgKey::stream: m_event.stream = *number; break;
        case ArgKey::correlation: m_event.correlation = *number; break;
        case ArgKey::external: m_event.external = *number; break;
        case ArgKey::registers: m_event.launch.registers = *number; break;
        case ArgKey::shared: m_event.launch.shared = *number; break;
        case ArgKey::bytes: m_event.launch.bytes = *number; break;
        case ArgKey::in: m_event.numbers.in = *number; break;
        case ArgKey::out: m_event.numbers.out = *number; break;
        case ArgKey::groupSize: m_event.numbers.groupSize = *number; break;
        case ArgKey::source: m_event.numbers.source = *number; break;
        case ArgKey::destination: m_event.numbers.destination = *number; break;
        case ArgKey::sequence: m_event.numbers.sequence = *number; break;
        default: break;
        }
    }

    /// Returns the text that the current argument fills, or null.
    std::string* textOfArg() {
        switch (m_argKey) {
        case ArgKey::collective: return &m_event.collective;
        case ArgKey::dtype: return &m_event.dtype;
        case ArgKey::groupName: return &m_event.groupName;
        case ArgKey::groupRanks: return &m_event.groupRanks;
        case ArgKey::dims: return &m_event.dims;
        case ArgKey::types: return &m_event.types;
        default: return nullptr;
        }
    }

    bool beginList() {
        m_list = nullptr;
        m_side = 0;
        switch (m_argKey) {
        case ArgKey::grid:
        case ArgKey::block: return true;
        case ArgKey::groupRanks:
        case ArgKey::dims:
            m_list = textOfArg();
            m_list->assign("[");
            return true;
        case ArgKey::types: m_event.types.clear(); return true;
        default: return false;
        }
    }

    /// Appends to a list that is kept as a text; one that is too long ends with "..." and means nothing.
    void appendToList(std::string_view text) {
        if (m_list == nullptr)
            return;
        if (m_list->size() + text.size() + 1 > m_limits.longestName / 2) {
            if (!m_list->ends_with("..."))
                m_list->append("...");
            return;
        }
        if (!m_list->ends_with('['))
            m_list->append(",");
        m_list->append(text);
    }

    void takeListItem(const KinetoScalar& value) {
        const auto number = wholeOf(value);
        switch (m_argKey) {
        case ArgKey::grid:
        case ArgKey::block: {
            auto& sides = m_argKey == ArgKey::grid ? m_event.launch.grid : m_event.launch.block;
            if (m_side < sides.size() && number)
                sides.at(m_side) = *number;
            ++m_side;
            break;
        }
        case ArgKey::groupRanks:
        case ArgKey::dims: appendToList(number ? std::to_string(*number) : "..."); break;
        case ArgKey::types:
            if (m_event.types.size() + value.text.size() < m_limits.longestName / 2) {
                m_event.types.append(m_side++ == 0 ? "" : ";").append(value.text);
            }
            break;
        default: break;
        }
    }

    void beginInfo(bool isObject) {
        const bool devices = m_topKey == "deviceProperties";
        if (isObject && devices && m_infoKeys.size() == 1 && m_trace.devices.size() < kMostDevices)
            m_trace.devices.emplace_back();
        if (isObject && !devices && m_infoKeys.size() == 2 && m_infoKeys[0] == "pg_config" &&
            m_trace.groups.size() < kMostGroups)
            m_trace.groups.emplace_back();
        m_infoKeys.emplace_back();
    }

    void takeInfo(const KinetoScalar& value) {
        const auto number = wholeOf(value);
        const std::string& key = m_infoKeys.back();
        if (m_topKey == "deviceProperties") {
            if (m_infoKeys.size() == 2 && !m_trace.devices.empty())
                takeDevice(key, value, m_trace.devices.back());
            return;
        }
        constexpr std::size_t kOfGroup = 3, kOfRanks = 4;
        const bool inGroup = m_infoKeys[0] == "pg_config" && !m_trace.groups.empty();
        if (m_infoKeys.size() == 1 && number && *number >= 0) {
            if (key == "rank")
                m_trace.rank = number;
            else if (key == "world_size" && *number > 0)
                m_trace.worldSize = number;
        } else if (inGroup && m_infoKeys.size() == kOfGroup) {
            MeasuredGroup& group = m_trace.groups.back();
            if (key == "pg_name")
                group.name = value.kind == KinetoScalar::Kind::whole
                                 ? std::to_string(value.whole)
                                 : std::string(value.text.substr(0, m_limits.longestName));
            else if (key == "pg_size" && number)
                group.size = *number;
        } else if (inGroup && m_infoKeys.size() == kOfRanks && m_infoKeys[2] == "ranks" && number &&
                   m_trace.groups.back().ranks.size() < kMostRanksOfGroup) {
            m_trace.groups.back().ranks.push_back(*number);
        }
    }

    void takeDevice(const std::string& key, const KinetoScalar& value, MeasuredDevice& device) const {
        static constexpr std::array<std::pair<std::string_view, std::int64_t MeasuredDevice::*>, 6> kNumbers{{
            {"id", &MeasuredDevice::id},
            {"numSms", &MeasuredDevice::multiprocessors},
            {"maxThreadsPerMultiprocessor", &MeasuredDevice::maxThreads},
            {"regsPerMultiprocessor", &MeasuredDevice::registers},
            {"sharedMemPerMultiprocessor", &MeasuredDevice::shared},
            {"totalGlobalMem", &MeasuredDevice::memory},
        }};
        if (key == "name" && value.kind == KinetoScalar::Kind::text)
            device.name = value.text.substr(0, m_limits.longestName);
        const auto number = wholeOf(value);
        for (const auto& [name, member] : kNumbers) {
            if (number && *number >= 0 && key == name)
                device.*member = *number;
        }
    }

    /// Keeps the event; returns false if a limit is reached.
    bool commit() {
        if (++m_trace.counts.events > m_limits.events)
            return stop("more than " + std::to_string(m_limits.events) + " events");
        if (!m_captures || !m_event.isComplete)
            return true;
        switch (m_event.kind) {
        case EventKind::kernel: return keepSpan(SpanKind::kernel);
        case EventKind::copy: return keepSpan(SpanKind::copy);
        case EventKind::fill: return keepSpan(SpanKind::fill);
        case EventKind::launch: keepLaunchCall(); break;
        case EventKind::cpuOperator: keepOperator(); break;
        case EventKind::userAnnotation: keepStep(); break;
        case EventKind::gpuAnnotation: keepAnnotation(); break;
        case EventKind::unknown:
        case EventKind::passedOver: break;
        }
        return true;
    }

    bool stop(std::string reason) {
        m_end.reason = std::move(reason);
        return false;
    }

    /// Returns the start in ps after the origin, which the first time sets.
    std::optional<std::int64_t> startOf() {
        if (!m_event.ts)
            return std::nullopt;
        if (!m_hasOrigin) {
            m_trace.origin = *m_event.ts;
            m_hasOrigin = true;
        }
        return picosecondsOf(differenceOf(*m_event.ts, m_trace.origin));
    }

    /// Returns the duration in ps; an empty optional if there is none, or it is negative.
    std::optional<std::int64_t> durationOf() const {
        const auto duration = m_event.dur ? picosecondsOf(*m_event.dur) : std::nullopt;
        return duration && *duration >= 0 ? duration : std::nullopt;
    }

    /// Appends to a list that may become long. A full list grows at once to the length that it will probably have in the
    /// end, because each step of growth leaves a hole in memory as large as the list.
    template <class Entry>
    void append(std::vector<Entry>& list, const Entry& entry) const {
        constexpr std::size_t kLong = 65'536;
        constexpr double kMargin = 1.1, kLeastGrowth = 1.5;
        if (list.size() == list.capacity() && list.size() >= kLong && m_state.part > 0) {
            const auto size = static_cast<double>(list.size());
            const double wanted = std::max(size * kLeastGrowth, size / m_state.part * kMargin);
            list.reserve(static_cast<std::size_t>(
                std::min(wanted, size + static_cast<double>(std::min(m_limits.spans, m_limits.events)))));
        }
        list.push_back(entry);
    }

    std::uint32_t thread() { return m_threads.indexOf({m_event.pid, m_event.tid}); }

    std::uint32_t factsOfEvent(bool ofOperator) {
        SpanFacts facts = m_event.numbers;
        if (ofOperator) {
            facts.name = m_names.indexOf(m_event.name);
            facts.dims = m_names.indexOfText(m_event.dims);
            facts.types = m_names.indexOfText(m_event.types);
        }
        facts.collective = m_names.indexOfText(m_event.collective);
        facts.dtype = m_names.indexOfText(m_event.dtype);
        facts.groupName = m_names.indexOfText(m_event.groupName);
        facts.groupRanks = m_names.indexOfText(m_event.groupRanks);
        return facts == SpanFacts{} ? kNoIndex : m_facts.indexOf(facts);
    }

    bool keepSpan(SpanKind kind) {
        const auto start = startOf();
        const auto duration = durationOf();
        if (!start || !duration) {
            ++(start ? m_trace.counts.badDuration : m_trace.counts.badTime);
            return true;
        }
        if (m_trace.spans.size() >= m_limits.spans)
            return stop("more than " + std::to_string(m_limits.spans) + " kernels, copies and fills");
        m_hasFractions = m_hasFractions || m_event.ts->picoseconds != 0 || m_event.dur->picoseconds != 0;
        MeasuredSpan span;
        span.start = *start;
        span.duration = *duration;
        span.name = m_names.indexOf(m_event.name);
        span.kind = kind;
        if (m_event.launch != SpanLaunch{})
            span.launch = m_launches.indexOf(m_event.launch);
        span.facts = factsOfEvent(false);
        span.stream = m_streams.indexOf(
            {m_event.device >= 0 ? m_event.device : m_event.pid, m_event.stream >= 0 ? m_event.stream : m_event.tid});
        append(m_trace.spans, span);
        append(m_records.pending, {m_event.correlation, m_event.external, thread()});
        return true;
    }

    void keepLaunchCall() {
        const auto start = startOf();
        if (!start || m_event.correlation == kNoCorrelation)
            return;
        m_launchedByHip = m_launchedByHip || m_event.name.starts_with("hip");
        const bool isGraph = m_event.name.find("GraphLaunch") != std::string::npos;
        append(m_records.launchCalls, {m_event.correlation, m_event.external, *start, thread(), isGraph});
    }

    void keepOperator() {
        const auto start = startOf();
        const auto duration = durationOf();
        if (!start || !duration)
            return;
        keepStep();
        append(m_records.operators, {*start, *start + *duration, m_event.external, thread(), factsOfEvent(true)});
    }

    void keepStep() {
        static constexpr std::string_view kStep = "ProfilerStep#";
        if (!m_event.name.starts_with(kStep))
            return;
        const auto start = startOf();
        const auto duration = durationOf();
        const KinetoScalar number{KinetoScalar::Kind::text, 0, std::string_view(m_event.name).substr(kStep.size())};
        const auto n = wholeOf(number);
        if (start && duration && n && *n >= 0 && std::in_range<std::int32_t>(*n))
            m_trace.steps.push_back({static_cast<std::int32_t>(*n), *start, *start + *duration});
    }

    void keepAnnotation() {
        const auto start = startOf();
        const auto duration = durationOf();
        if (start && duration && m_event.name.starts_with("nccl:"))
            m_records.annotations.push_back({*start, *start + *duration, thread(), operationNamed(m_event.name)});
    }

    const MeasuredLimits& m_limits;
    KinetoState& m_state;
    KinetoRecords& m_records;
    MeasuredTrace& m_trace;
    KinetoEnd m_end;

    Place m_place = Place::start;
    bool m_bareList = false;
    std::size_t m_skip = 0;  ///< objects and lists around the current value that are passed over
    std::string m_topKey;
    EventKey m_eventKey = EventKey::other;
    ArgKey m_argKey = ArgKey::other;
    bool m_captures = true;  ///< the fields of the current event may be needed
    std::size_t m_listDepth = 0, m_side = 0;
    std::string* m_list = nullptr;
    std::vector<std::string> m_infoKeys;

    KinetoEvent m_event;
    bool m_hasOrigin = false, m_hasFractions = false, m_launchedByHip = false;
    NameTable m_names;
    ValueTable<SpanLaunch, LaunchHash> m_launches;
    ValueTable<SpanFacts, FactsHash> m_facts;
    ValueTable<std::pair<std::int64_t, std::int64_t>, PairHash> m_threads;

    /// Streams are pairs of numbers while the file is read.
    class StreamTable {
    public:
        std::uint32_t indexOf(const std::pair<std::int64_t, std::int64_t>& stream) { return m_pairs.indexOf(stream); }
        std::vector<MeasuredStream> take() {
            std::vector<MeasuredStream> streams;
            for (const auto& [device, stream] : m_pairs.take())
                streams.push_back({device, stream});
            return streams;
        }

    private:
        ValueTable<std::pair<std::int64_t, std::int64_t>, PairHash> m_pairs;
    };
    StreamTable m_streams;
};

}  // namespace

KinetoEnd readKineto(std::istream& text, const MeasuredLimits& limits, KinetoState& state, KinetoRecords& records) {
    KinetoHandler handler(limits, state, records);
    parseJsonEvents(text, handler);
    return handler.finish();
}

}  // namespace data
