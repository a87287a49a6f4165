#include "engine/api/collective_table.h"

#include "engine/api/parameters.h"
#include "engine/api/quantity.h"
#include "engine/workload/text_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace engine {
namespace {

constexpr std::string_view kTablePath = "collective.table", kMeasured = "measured";
constexpr std::size_t kMostTableProblems = 20, kMostRules = 4096;
constexpr const char* kTableForms =
    "allowed: OPERATION [GPUS] FROM..TO: PATH=VALUE, or OPERATION GPUS: measured SIZE=TIME, with all-reduce, "
    "reduce-scatter, all-gather or all-to-all";
constexpr const char* kTablePaths = "allowed: collective.* without operation and table, dma.*, launch.kernel";

bool maySet(std::string_view path) {
    return (path.starts_with("collective.") && path != "collective.operation" && path != kTablePath) ||
           path.starts_with("dma.") || path == "launch.kernel";
}

std::optional<std::int64_t> numberOf(std::string_view text) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() && value >= 0 ? std::optional(value)
                                                                                         : std::nullopt;
}

/// Reads one line.
class RuleReader {
public:
    RuleReader(std::string_view line, const TextPlace& begin, CollectiveTableReading& into)
        : m_line(line), m_begin(begin), m_into(into) {}

    void read() {
        CollectiveRule rule;
        rule.text = plainTextLines(m_line);
        if (readHead(rule))
            readBody(rule);
        if (!m_failed)
            m_into.table.rules.push_back(std::move(rule));
    }

private:
    void report(std::size_t at, std::string_view value, std::string text) {
        m_failed = true;
        if (m_into.problems.size() < kMostTableProblems)
            m_into.problems.push_back({std::string(kTablePath), std::string(value),
                                       "line " + std::to_string(m_begin.line) + ", column " +
                                           std::to_string(m_begin.column + at) + ": " + std::move(text)});
    }

    /// Returns the next part up to a blank; empty at the end of the line.
    std::string_view word() {
        while (m_at < m_line.size() && isBlankOfLine(m_line[m_at]))
            ++m_at;
        m_begun = m_at;
        while (m_at < m_line.size() && !isBlankOfLine(m_line[m_at]))
            ++m_at;
        return m_line.substr(m_begun, m_at - m_begun);
    }

    /// Reads what stands before the colon.
    bool readHead(CollectiveRule& rule) {
        const std::string_view operation = word();
        const auto which = sublayerNamed(operation);
        if (!which || !isCollectiveAlone(*which)) {
            report(m_begun, operation, std::string("no collective; ") + kTableForms);
            return false;
        }
        rule.operation = *which;
        std::string_view next = word();
        const bool onlyGpus = next.ends_with(':') && next.find("..") == std::string_view::npos;
        if (next.find("..") == std::string_view::npos) {
            rule.gpus = numberOf(onlyGpus ? next.substr(0, next.size() - 1) : next);
            if (!rule.gpus || *rule.gpus < 1) {
                report(m_begun, next, std::string("no number of GPUs; ") + kTableForms);
                return false;
            }
            if (onlyGpus)
                return true;
            next = word();
        }
        return readRange(next, rule);
    }

    bool readRange(std::string_view text, CollectiveRule& rule) {
        const std::size_t dots = text.find("..");
        if (!text.ends_with(':') || dots == std::string_view::npos) {
            report(m_begun, text, std::string("no range of sizes that ends with a colon; ") + kTableForms);
            return false;
        }
        text.remove_suffix(1);
        const auto from = numberOf(text.substr(0, dots));
        const std::string_view end = text.substr(dots + 2);
        const auto to = numberOf(end);
        if (!from || (!to && !end.empty())) {
            report(m_begun, text, "no range of bytes; allowed: FROM..TO or FROM.., whole numbers");
            return false;
        }
        if (to && *to < *from) {
            report(m_begun, text, "the range is backward; allowed: FROM at most TO");
            return false;
        }
        rule.from = {*from};
        if (to)
            rule.to = Bytes{*to};
        m_hasRange = true;
        return true;
    }

    void readBody(CollectiveRule& rule) {
        std::string_view next = word();
        const bool measures = next == kMeasured;
        if (measures && m_hasRange)
            return report(m_begun, next, "measured times have sizes of their own; leave out the range");
        if (!measures && !m_hasRange)
            return report(m_begun, next, std::string("settings hold for a range of sizes; ") + kTableForms);
        if (measures)
            next = word();
        if (next.empty())
            return report(m_begun, next, measures ? "no time; allowed: SIZE=TIME" : "no setting; allowed: PATH=VALUE");
        for (; !next.empty() && !m_failed; next = word())
            measures ? readMeasured(next, rule) : readSetting(next, rule);
    }

    void readSetting(std::string_view text, CollectiveRule& rule) {
        const std::size_t equals = text.find('=');
        const std::string_view path = text.substr(0, equals);
        const Parameter* parameter = maySet(path) ? findParameter(path) : nullptr;
        if (equals == std::string_view::npos || parameter == nullptr)
            return report(m_begun, text, std::string("no setting of a collective; ") + kTablePaths);
        if (std::ranges::any_of(rule.settings, [&](const auto& setting) { return setting.first == path; }))
            return report(m_begun, text, "this path is set twice");
        Problems ofValue;
        const std::string_view value = text.substr(equals + 1);
        if (!parseValue(*parameter, value, ofValue))
            return report(m_begun + equals + 1, value, ofValue.front().text);
        rule.settings.emplace_back(path, value);
    }

    void readMeasured(std::string_view text, CollectiveRule& rule) {
        const std::size_t equals = text.find('=');
        const auto size = numberOf(text.substr(0, equals));
        if (equals == std::string_view::npos || !size || *size == 0)
            return report(m_begun, text, "no measured time; allowed: SIZE=TIME, such as 65536=21.4us");
        std::string_view rest = text.substr(equals + 1);
        const auto decimal = readDecimal(rest);
        const auto factor = unitFactor(ParameterUnit::picoseconds, rest);
        if (!decimal || decimal->negative || !factor || rest.empty())
            return report(m_begun + equals + 1, text.substr(equals + 1), "no time; allowed: such as 21.4us or 3ms");
        const WholeNumber time = timesFactor(*decimal, *factor);
        if (time.state == WholeNumber::State::tooLarge || time.value == 0 || time.value > kLongest)
            return report(m_begun + equals + 1, text.substr(equals + 1), "allowed: above 0, at most 1000 s");
        if (!rule.measured.empty() && Bytes{*size} <= rule.measured.back().bytes)
            return report(m_begun, text,
                          Bytes{*size} == rule.measured.back().bytes ? "this size is measured twice"
                                                                     : "the sizes do not ascend");
        rule.measured.push_back({{*size}, {time.value}});
    }

    static constexpr std::int64_t kLongest = 1'000'000'000'000'000;  // ps

    std::string_view m_line;
    TextPlace m_begin;
    CollectiveTableReading& m_into;
    std::size_t m_at = 0, m_begun = 0;
    bool m_failed = false, m_hasRange = false;
};

double logOf(std::int64_t value) { return std::log(static_cast<double>(value)); }

}  // namespace

const CollectiveRule* CollectiveTable::find(SubLayer operation, std::int64_t gpus, Bytes bytes, bool alone) const {
    const auto found = std::ranges::find_if(rules, [&](const CollectiveRule& rule) {
        return rule.operation == operation && (alone || rule.measured.empty()) && rule.gpus.value_or(gpus) == gpus &&
               rule.from <= bytes && (!rule.to || bytes <= *rule.to);
    });
    return found == rules.end() ? nullptr : &*found;
}

CollectiveTableReading readCollectiveTable(std::string_view text) {
    CollectiveTableReading reading;
    if (text == CollectiveConfig{}.table)
        return reading;
    forEachTextLine(text, [&](std::string_view line, const TextPlace& at) {
        if (reading.problems.size() >= kMostTableProblems)
            return;
        if (reading.table.rules.size() == kMostRules) {
            reading.problems.push_back(
                {std::string(kTablePath), "",
                 "line " + std::to_string(at.line) + ": too many rules; allowed: up to " + std::to_string(kMostRules)});
            return;
        }
        RuleReader(line, at, reading).read();
    });
    if (reading.problems.empty() && reading.table.rules.empty())
        reading.problems.push_back({std::string(kTablePath), "", std::string("no rule; none, or ") + kTableForms});
    return reading;
}

Duration measuredTime(const CollectiveRule& rule, Bytes bytes) {
    const std::vector<MeasuredCollective>& all = rule.measured;
    const auto above = std::ranges::lower_bound(all, bytes, {}, &MeasuredCollective::bytes);
    if (above != all.end() && (above->bytes == bytes || above == all.begin()))
        return above->time;
    if (above == all.end()) {
        const double longer = static_cast<double>(bytes.count) / static_cast<double>(all.back().bytes.count);
        return {std::llround(std::min(9e18, static_cast<double>(all.back().time.ps) * longer))};
    }
    const MeasuredCollective &low = *(above - 1), &high = *above;
    const double share =
        (logOf(bytes.count) - logOf(low.bytes.count)) / (logOf(high.bytes.count) - logOf(low.bytes.count));
    return {std::llround(std::exp(logOf(low.time.ps) + share * (logOf(high.time.ps) - logOf(low.time.ps))))};
}

void applyRule(const CollectiveRule& rule, Experiment& experiment) {
    for (const auto& [path, value] : rule.settings) {
        const Parameter& parameter = *findParameter(path);
        Problems none;
        if (const auto parsed = parseValue(parameter, value, none))
            parameter.write(experiment, *parsed);
    }
}

}  // namespace engine
