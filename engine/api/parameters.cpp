#include "engine/api/parameters.h"

#include "engine/api/parameter_field.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

namespace engine {

template <>
inline constexpr std::array<std::string_view, 7> kWords<ParameterUnit>{"", "ps", "B", "Hz", "B/s", ":1", "FLOP/s"};
template <>
inline constexpr std::array<std::string_view, 6> kWords<SourceLabel>{"published",  "second-hand", "derived",
                                                                     "calibrated", "assumed",     "chosen"};

namespace {

constexpr std::size_t kSuggestions = 3;

std::vector<Parameter> buildTable() {
    std::vector<Parameter> table;
    appendWorkloadParameters(table);
    appendMatrixParameters(table);
    appendAccessParameters(table);
    appendCompanionParameters(table);
    appendDivisionParameters(table);
    appendMachineParameters(table);
    appendDispatchParameters(table);
    appendSystemParameters(table);
    appendDramParameters(table);
    appendAddressParameters(table);
    appendPolicyParameters(table);
    appendVariationParameters(table);
    // Logarithmic, because both nanoseconds and milliseconds are useful values; a linear slider would have room for
    // only one of them.
    for (Parameter& parameter : table)
        parameter.logarithmic = parameter.logarithmic || parameter.unit == ParameterUnit::picoseconds;
    return table;
}

const std::vector<Parameter>& table() {
    static const std::vector<Parameter> kTable = buildTable();
    return kTable;
}

/// Returns the number of edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> twoBack, previous(b.size() + 1), current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], twoBack[j - 2] + 1);
        }
        twoBack = previous;
        std::swap(previous, current);
    }
    return previous[b.size()];
}

std::string_view lastPart(std::string_view path) { return path.substr(path.rfind('.') + 1); }

std::string_view groupPart(std::string_view path) {
    const std::size_t point = path.rfind('.');
    return point == std::string_view::npos ? std::string_view{} : path.substr(0, point);
}

/// Returns the number of typing errors that are tolerated in a name of this length.
std::size_t forgiven(std::size_t length) { return std::max<std::size_t>(1, length / 3); }

/// Returns the distance of a candidate from the typed text; an empty optional if the candidate is not worth suggesting.
/// A path whose group was left out or confused ("bandwidth"), or of which only a part was typed, is still found, after
/// near spellings.
std::optional<std::size_t> remoteness(std::string_view typed, std::string_view candidate) {
    std::optional<std::size_t> best;
    const auto offer = [&](std::size_t remote) { best = std::min(best.value_or(remote), remote); };
    const std::size_t edits = editDistance(typed, candidate);
    if (edits <= forgiven(typed.size()))
        offer(2 * edits);
    if (candidate.find('.') != std::string_view::npos) {
        const std::size_t inName = editDistance(lastPart(typed), lastPart(candidate));
        const std::size_t inGroup = std::min<std::size_t>(2, editDistance(groupPart(typed), groupPart(candidate)));
        if (inName <= forgiven(lastPart(typed).size()))
            offer(2 * inName + 1 + inGroup);
    }
    constexpr std::size_t kShortestPart = 3;
    if (typed.size() >= kShortestPart && candidate.find(typed) != std::string_view::npos)
        offer(2);
    if (candidate.size() >= kShortestPart && 2 * candidate.size() >= typed.size() &&
        typed.find(candidate) != std::string_view::npos)
        offer(3);
    return best;
}

}  // namespace

std::span<const Parameter> parameters() { return table(); }

bool isRead(const Parameter& parameter, const Experiment& experiment) {
    const auto& [byRun, atAll, whyNot] = parameter.reading;
    return (atAll == nullptr || atAll(experiment)) && (whyNot == nullptr || whyNot(experiment).empty());
}

bool isReadByRun(const Parameter& parameter, const Experiment& experiment) {
    return parameter.reading.byRun == nullptr || parameter.reading.byRun(experiment);
}

const Parameter* findParameter(std::string_view path) {
    static const std::map<std::string_view, const Parameter*> kByPath = [] {
        std::map<std::string_view, const Parameter*> byPath;
        for (const Parameter& parameter : table())
            byPath.emplace(parameter.path, &parameter);
        return byPath;
    }();
    const auto found = kByPath.find(path);
    return found == kByPath.end() ? nullptr : found->second;
}

std::vector<std::string> nearestParameters(std::string_view path) {
    std::vector<std::string> paths;
    for (const Parameter& parameter : table())
        paths.push_back(parameter.path);
    return nearestNames(path, paths);
}

std::vector<std::string> nearestNames(std::string_view typed, std::span<const std::string> candidates) {
    // A text that is longer than any name cannot be similar to one; comparing it would take time proportional to the
    // square of its length.
    constexpr std::size_t kLongestName = 64;
    if (typed.size() > kLongestName)
        return {};
    std::vector<std::pair<std::size_t, std::size_t>> order;  // remoteness, index
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (const auto remote = remoteness(typed, candidates[i]))
            order.emplace_back(*remote, i);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::string> nearest;
    for (const auto& [remote, index] : order) {
        if (nearest.size() == kSuggestions)
            break;
        nearest.push_back(candidates[index]);
    }
    return nearest;
}

std::string_view name(ParameterGroup group) {
    switch (group) {
    case ParameterGroup::model: return "Model";
    case ParameterGroup::sublayer: return "Sub-layer";
    case ParameterGroup::matrix: return "GEMM alone";
    case ParameterGroup::access: return "Access pattern";
    case ParameterGroup::companion: return "Companion";
    case ParameterGroup::parallelism: return "Parallelism";
    case ParameterGroup::division: return "Division";
    case ParameterGroup::step: return "Step";
    case ParameterGroup::operators: return "Operators";
    case ParameterGroup::training: return "Training";
    case ParameterGroup::node: return "Node";
    case ParameterGroup::machine: return "Machine";
    case ParameterGroup::gemm: return "GEMM";
    case ParameterGroup::tiles: return "Tiles";
    case ParameterGroup::cu: return "Compute units";
    case ParameterGroup::dispatch: return "Dispatch";
    case ParameterGroup::launch: return "Launch";
    case ParameterGroup::llc: return "Last-level cache";
    case ParameterGroup::memory: return "Memory";
    case ParameterGroup::dram: return "DRAM banks";
    case ParameterGroup::address: return "Addresses";
    case ParameterGroup::arbitration: return "Arbitration";
    case ParameterGroup::tracker: return "Tracker";
    case ParameterGroup::dma: return "DMA";
    case ParameterGroup::link: return "Link";
    case ParameterGroup::collective: return "Collective";
    case ParameterGroup::topology: return "Topology";
    case ParameterGroup::policy: return "Policy";
    case ParameterGroup::variation: return "Differences between GPUs";
    case ParameterGroup::detail: return "Detail";
    }
    return "";
}

std::string_view name(ParameterUnit unit) { return wordOf(unit); }

std::string_view name(SourceLabel label) { return wordOf(label); }

std::string_view name(SubLayer sublayer) { return wordOf(sublayer); }

std::string_view name(PolicyPreset preset) { return wordOf(preset); }

std::string_view name(DetailLevel level) { return wordOf(level); }

std::string_view name(CompanionOperation operation) { return wordOf(operation); }

std::string_view name(DispatchRule rule) { return wordOf(rule); }

std::optional<PolicyPreset> policyPresetNamed(std::string_view word) { return enumNamed<PolicyPreset>(word); }

Problem problemOfFormula(PolicyPreset preset) {
    std::string allowed;
    for (const PolicyRow& policy : kPolicyRows) {
        if (!policy.isFormula)
            allowed += (allowed.empty() ? "" : ", ") + std::string(policy.word);
    }
    return {"policy.preset", std::string(name(preset)), "a formula that is not simulated; allowed: " + allowed};
}

std::optional<SubLayer> sublayerNamed(std::string_view word) { return enumNamed<SubLayer>(word); }

}  // namespace engine
