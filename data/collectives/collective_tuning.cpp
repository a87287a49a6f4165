#include "data/collectives/collective_tuning.h"

#include "data/document/names.h"
#include "data/sweep/sweep_plan.h"
#include "engine/api/parameters.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace data {
namespace {

constexpr std::string_view kOperationPath = "workload.sublayer", kGpusPath = "parallel.tp",
                           kBytesPath = "workload.bytes";
constexpr std::string_view kAlgorithmPath = "collective.algorithm", kCusPath = "collective.cu_count";
constexpr std::array kWherePaths{kOperationPath, kGpusPath, kBytesPath};

bool saysWhere(std::string_view path) { return isAmong(kWherePaths, path); }

std::string settingText(const std::string& path, const engine::ParameterValue& value) {
    return engine::formatValue(*engine::findParameter(path), value);
}

/// The words of a form for an operation, and for its algorithms.
struct ExportedOperation {
    std::string_view operation;
    std::string_view word;  ///< in the file; a number in Open MPI's older one
    std::vector<std::pair<std::string_view, std::string_view>> algorithms;
    std::string_view name{};  ///< in Open MPI's JSON
};

/// Published: names and numbers as in the repositories of NCCL's example tuner, RCCL and Open MPI.
const std::vector<ExportedOperation>& exportedBy(TuningForm form) {
    static const std::vector<std::pair<std::string_view, std::string_view>> kTrees{{"ring", "ring"},
                                                                                   {"double-tree", "tree"}};
    static const std::vector<ExportedOperation> kNccl{{"all-reduce", "allreduce", kTrees},
                                                      {"all-gather", "allgather", kTrees},
                                                      {"reduce-scatter", "reducescatter", kTrees}};
    static const std::vector<ExportedOperation> kOmpi{
        {"all-gather", "0", {{"ring", "4"}, {"halving-doubling", "3"}, {"direct", "8"}}, "allgather"},
        {"all-reduce", "2", {{"ring", "4"}, {"halving-doubling", "6"}}, "allreduce"},
        {"all-to-all", "3", {{"direct", "1"}, {"ring", "2"}}, "alltoall"},
        {"reduce-scatter", "12", {{"ring", "3"}, {"halving-doubling", "2"}}, "reduce_scatter"}};
    static const std::vector<ExportedOperation> kNone;
    switch (form) {
    case TuningForm::nccl: return kNccl;
    case TuningForm::ompi:
    case TuningForm::ompiClassic: return kOmpi;
    case TuningForm::table: break;
    }
    return kNone;
}

const ExportedOperation* exported(TuningForm form, std::string_view operation) {
    const std::vector<ExportedOperation>& all = exportedBy(form);
    const auto found = std::ranges::find(all, operation, &ExportedOperation::operation);
    return found == all.end() ? nullptr : &*found;
}

/// Returns the word of a setting's algorithm; an empty text if the form has none.
std::string_view algorithmWord(const ExportedOperation& operation, const TunedSetting& setting) {
    const auto found = std::ranges::find(operation.algorithms, setting.valueOf(kAlgorithmPath),
                                         &std::pair<std::string_view, std::string_view>::first);
    return found == operation.algorithms.end() ? std::string_view() : found->second;
}

/// Returns a comment for each operation whose settings the form cannot name.
std::string unnamedComments(const Tuning& tuning, TuningForm form) {
    std::string text;
    std::set<std::string> told;
    for (const TunedCase& one : tuning.cases) {
        if (!told.insert(one.operation).second)
            continue;
        std::vector<std::string> names;
        for (const TunedSetting& setting : tuning.settings)
            if (!canName(form, one.operation, setting))
                names.push_back(setting.text());
        if (!names.empty())
            text += "# " + one.operation + ", not in this form: " + joinedNames(names, "; ") + "\n";
    }
    return text;
}

std::string headText(const Tuning& tuning) {
    std::set<std::int64_t> gpus;
    for (const TunedCase& one : tuning.cases)
        gpus.insert(one.gpus);
    std::string counts;
    for (const std::int64_t count : gpus)
        counts += (counts.empty() ? "" : ", ") + std::to_string(count);
    return "# " + tuning.machine + ", " + counts + " GPUs, simulated; size = whole buffer\n";
}

std::string tableText(const Tuning& tuning, const std::vector<TunedRule>& rules) {
    std::string text;
    for (const TunedRule& rule : rules)
        text += rule.operation + " " + std::to_string(rule.gpus) + " " + std::to_string(rule.from) + ".." +
                (rule.to ? std::to_string(*rule.to) : "") + ": " + tuning.settings[rule.setting].text() + "\n";
    return text;
}

/// A line has collective_type, min_bytes, max_bytes, algorithm, protocol, channels, nNodes, nRanks, numPipeOps, regBuff;
/// -1 leaves a value to the library. The first line that fits holds.
std::string ncclText(const Tuning& tuning, const std::vector<TunedRule>& rules) {
    constexpr std::int64_t kLargestFile = 17'179'869'184;  // as in RCCL's file
    std::string text = headText(tuning) + unnamedComments(tuning, TuningForm::nccl);
    for (const TunedRule& rule : rules) {
        const ExportedOperation& operation = *exported(TuningForm::nccl, rule.operation);
        const TunedSetting& setting = tuning.settings[rule.setting];
        const std::string channels = setting.valueOf(kCusPath);
        const std::int64_t nodes = (rule.gpus + tuning.gpusOfNode - 1) / tuning.gpusOfNode;
        text += std::string(operation.word) + "," + std::to_string(rule.from) + "," +
                std::to_string(std::max(rule.to.value_or(kLargestFile), rule.from)) + "," +
                std::string(algorithmWord(operation, setting)) + ",simple," + (channels.empty() ? "-1" : channels) +
                "," + std::to_string(nodes) + "," + std::to_string(rule.gpus) + ",-1,-1\n";
    }
    return text;
}

/// The first communicator that fits, and in it the first rule that fits, holds. Keys: the schema
/// tuned_dynamic_file_schema.json of Open MPI 6. Its reader knows "reduce_scatter" where the schema has another name.
std::string ompiJson(const Tuning& tuning, const std::vector<TunedRule>& rules) {
    using Json = nlohmann::ordered_json;
    constexpr int kIndent = 2;
    Json collectives = Json::object();
    for (const TunedRule& rule : rules) {
        const ExportedOperation& operation = *exported(TuningForm::ompi, rule.operation);
        Json& communicators = collectives[std::string(operation.name)];
        if (communicators.empty() || communicators.back()["comm_size_min"] != rule.gpus)
            communicators.push_back(
                {{"comm_size_min", rule.gpus}, {"comm_size_max", rule.gpus}, {"rules", Json::array()}});
        const Json end = rule.to ? Json(*rule.to) : Json("inf");
        const std::string algorithm(algorithmWord(operation, tuning.settings[rule.setting]));
        communicators.back()["rules"].push_back(
            {{"msg_size_min", rule.from}, {"msg_size_max", end}, {"alg", std::stoi(algorithm)}});
    }
    const Json file{{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", std::move(collectives)}};
    return file.dump(kIndent) + "\n";
}

/// The file has the number of collectives; for each its number and that of communicator sizes; for each of these the
/// number of rules; and a rule as "bytes algorithm topology segment", which holds from that many bytes on.
std::string ompiText(const Tuning& tuning, const std::vector<TunedRule>& rules) {
    std::map<std::string_view, std::vector<const TunedRule*>> byOperation;
    for (const TunedRule& rule : rules)
        byOperation[exported(TuningForm::ompiClassic, rule.operation)->word].push_back(&rule);
    std::string text = headText(tuning) + unnamedComments(tuning, TuningForm::ompiClassic);
    text += std::to_string(byOperation.size()) + " # collectives\n";
    for (const auto& [word, own] : byOperation) {
        text += std::string(word) + " # " + own.front()->operation + "\n1 # communicator size\n" +
                std::to_string(own.front()->gpus) + " # ranks\n" + std::to_string(own.size()) + " # rules\n";
        for (const TunedRule* rule : own)
            text += std::to_string(rule->from) + " " +
                    std::string(algorithmWord(*exported(TuningForm::ompiClassic, rule->operation),
                                              tuning.settings[rule->setting])) +
                    " 0 0\n";
    }
    return text;
}

}  // namespace

std::string TunedSetting::text() const {
    std::string text;
    for (const auto& [path, value] : values) {
        std::string compact = value;
        std::erase(compact, ' ');
        text += (text.empty() ? "" : " ") + path + "=" + compact;
    }
    return text;
}

std::string TunedSetting::valueOf(std::string_view path) const {
    const auto found =
        std::ranges::find(values, path, [](const auto& value) -> std::string_view { return value.first; });
    return found == values.end() ? std::string() : found->second;
}

engine::Problems tuningProblems(const Sweep& sweep) {
    engine::Problems problems;
    const std::vector<std::string> paths = axisPaths(sweep);
    if (sweep.of != ResultSubject::run)
        problems.push_back({"of", std::string(name(sweep.of)), "collectives are runs; leave it out"});
    if (!isAmong(paths, kBytesPath))
        problems.push_back({"axes", "", "no axis workload.bytes, so that there is nothing to choose by size"});
    if (std::ranges::all_of(paths, saysWhere))
        problems.push_back({"axes", joinedNames(paths, ", "),
                            "no settings to choose from; an axis such as collective.algorithm is expected"});
    for (const char* path : {"machine", "workload.model"})
        if (isAmong(paths, path))
            problems.push_back({"axes", path, "rules hold for one machine; leave it out"});
    if (sweep.policies.size() != 1)
        problems.push_back({"policies", joinedNames(sweep.policies, ", "), "rules hold for one policy; allowed: one"});
    // Each operation that the sweep runs must be a collective alone.
    std::set<std::string> operations;
    for (std::size_t index = 0; problems.empty() && index < pointCount(sweep); index += sweep.policies.size()) {
        const engine::SubLayer operation = detailsOf(sweep, index).experiment.workload.sublayer;
        if (!engine::isCollectiveAlone(operation) && operations.insert(std::string(engine::name(operation))).second)
            problems.push_back({std::string(kOperationPath), std::string(engine::name(operation)),
                                "not a collective alone; allowed: all-reduce, reduce-scatter, all-gather, all-to-all"});
    }
    return problems;
}

Tuning tuningOf(const SweepTable& table) {
    Tuning tuning;
    const Sweep& sweep = table.sweep;
    const auto column =
        static_cast<std::size_t>(std::ranges::find(table.metrics, "time_ps.total") - table.metrics.begin());
    std::map<std::pair<std::string, std::int64_t>, std::size_t> caseOf;
    // By case, size and setting.
    std::vector<std::map<std::int64_t, std::map<std::size_t, double>>> times;
    for (std::size_t index = 0; index < table.rows.size(); ++index) {
        const SweepRow& row = table.rows[index];
        const PointDetails point = detailsOf(sweep, row.index);
        TunedSetting setting;
        for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
            for (const AxisColumn& values : sweep.axes[axis].columns)
                if (!saysWhere(values.path))
                    setting.values.emplace_back(values.path, settingText(values.path, values.values[row.at[axis]]));
        const auto known = std::ranges::find(tuning.settings, setting);
        const auto number = static_cast<std::size_t>(known - tuning.settings.begin());
        if (known == tuning.settings.end())
            tuning.settings.push_back(setting);
        const engine::Experiment& experiment = point.experiment;
        tuning.machine = experiment.machine;
        tuning.gpusOfNode = experiment.node.gpus;
        const std::pair where(std::string(engine::name(experiment.workload.sublayer)), experiment.parallel.tp);
        const auto [place, isNew] = caseOf.emplace(where, tuning.cases.size());
        if (isNew) {
            tuning.cases.push_back({where.first, where.second, {}, {}});
            times.emplace_back();
        }
        std::map<std::size_t, double>& bySetting = times[place->second][experiment.workload.bytes.count];
        if (row.state == PointState::done && row.values[column])
            bySetting.emplace(number, *row.values[column]);
    }
    for (std::size_t i = 0; i < tuning.cases.size(); ++i)
        for (const auto& [size, bySetting] : times[i]) {
            tuning.cases[i].sizes.push_back(size);
            std::vector<std::optional<double>>& all = tuning.cases[i].times.emplace_back(tuning.settings.size());
            for (const auto& [setting, time] : bySetting)
                all[setting] = time;
        }
    return tuning;
}

std::vector<TunedRule> rulesOf(const Tuning& tuning, double hysteresis,
                               const std::function<bool(const std::string&, const TunedSetting&)>& mayCompete) {
    std::vector<TunedRule> rules;
    for (const TunedCase& one : tuning.cases) {
        std::optional<std::size_t> winner;
        std::int64_t sizeBelow = 0;
        for (std::size_t size = 0; size < one.sizes.size(); ++size) {
            const std::vector<std::optional<double>>& times = one.times[size];
            std::optional<std::size_t> fastest;
            for (std::size_t setting = 0; setting < times.size(); ++setting)
                if (times[setting] && (!mayCompete || mayCompete(one.operation, tuning.settings[setting])) &&
                    (!fastest || *times[setting] < *times[*fastest]))
                    fastest = setting;
            if (!fastest)
                continue;
            const bool stays = winner && times[*winner] && *times[*winner] <= (1 + hysteresis) * *times[*fastest];
            if (!stays) {
                std::int64_t from = 0;
                if (winner) {
                    rules.back().to = sizeBelow + (one.sizes[size] - sizeBelow) / 2;
                    from = *rules.back().to + 1;
                }
                rules.push_back({one.operation, one.gpus, from, std::nullopt, *fastest});
                winner = fastest;
            }
            sizeBelow = one.sizes[size];
        }
    }
    return rules;
}

bool canName(TuningForm form, const std::string& operation, const TunedSetting& setting) {
    if (form == TuningForm::table)
        return true;
    const ExportedOperation* const known = exported(form, operation);
    if (known == nullptr || algorithmWord(*known, setting).empty())
        return false;
    return std::ranges::all_of(setting.values, [&](const auto& value) {
        return value.first == kAlgorithmPath || (form == TuningForm::nccl && value.first == kCusPath);
    });
}

TuningText tuningText(const Tuning& tuning, double hysteresis, TuningForm form) {
    TuningText result;
    const std::vector<TunedRule> rules =
        rulesOf(tuning, hysteresis, [&](const std::string& operation, const TunedSetting& setting) {
            return canName(form, operation, setting);
        });
    std::set<std::int64_t> gpus;
    for (const TunedRule& rule : rules)
        gpus.insert(rule.gpus);
    if (rules.empty())
        result.problems.push_back({"--format", "", "no setting of the sweep has a name in this form; allowed: table"});
    if (form == TuningForm::ompiClassic && gpus.size() > 1)
        result.problems.push_back({"parallel.tp", std::to_string(gpus.size()) + " numbers of GPUs",
                                   "a rule also holds for fewer ranks than it names, so that this form has one number "
                                   "of GPUs; allowed: one value of parallel.tp"});
    if (!result.problems.empty())
        return result;
    switch (form) {
    case TuningForm::table: result.text = tableText(tuning, rules); break;
    case TuningForm::nccl: result.text = ncclText(tuning, rules); break;
    case TuningForm::ompi:
        result.text = ompiJson(tuning, rules);
        result.comments = headText(tuning) + unnamedComments(tuning, form);
        break;
    case TuningForm::ompiClassic: result.text = ompiText(tuning, rules); break;
    }
    return result;
}

}  // namespace data
