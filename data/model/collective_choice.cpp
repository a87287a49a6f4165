#include "data/model/collective_choice.h"

#include "data/model/simulated_experiment.h"
#include "engine/api/gemm.h"

#include <memory>
#include <mutex>

namespace data {
namespace {

using engine::Bytes;
using engine::CollectiveRule;
using engine::CollectiveTable;
using engine::Experiment;
using engine::SubLayer;

bool hasTable(const Experiment& experiment) { return experiment.collective.table != engine::CollectiveConfig{}.table; }

/// Returns the rules of a table. That of the last text is remembered, because a model asks for each of its operators.
std::shared_ptr<const CollectiveTable> tableOf(const std::string& text) {
    static std::mutex mutex;
    static std::string lastText;
    static std::shared_ptr<const CollectiveTable> last;
    const std::scoped_lock lock(mutex);
    if (last == nullptr || lastText != text) {
        last = std::make_shared<const CollectiveTable>(engine::readCollectiveTable(text).table);
        lastText = text;
    }
    return last;
}

/// Returns the bytes that the collective of a sub-layer reduces or gathers: M x H elements.
Bytes collectiveBytes(const Experiment& e) {
    return {e.workload.sequence * e.workload.batch * e.workload.hidden * engine::elementBytes(e)};
}

}  // namespace

std::optional<CollectiveRule> ruleOf(const Experiment& base, SubLayer collective, std::int64_t gpus, Bytes bytes,
                                     bool alone) {
    if (!hasTable(base))
        return std::nullopt;
    const CollectiveRule* rule = tableOf(base.collective.table)->find(collective, gpus, bytes, alone);
    return rule == nullptr ? std::nullopt : std::optional(*rule);
}

std::optional<CollectiveRule> ruleOf(const Experiment& base, const Experiment& experiment) {
    const SubLayer which = experiment.workload.sublayer;
    if (engine::isCollectiveAlone(which))
        return ruleOf(base, which, experiment.parallel.tp, experiment.workload.bytes);
    if (experiment.policy.mapping != engine::OutputMapping::local)
        return std::nullopt;
    return ruleOf(base, engine::collectiveAlone(experiment.collective.operation), experiment.parallel.tp,
                  collectiveBytes(experiment), false);
}

std::optional<engine::Duration> measuredTimeOf(const Experiment& base, SubLayer collective, std::int64_t gpus,
                                               Bytes bytes) {
    const auto rule = ruleOf(base, collective, gpus, bytes);
    return rule && !rule->measured.empty() ? std::optional(engine::measuredTime(*rule, bytes)) : std::nullopt;
}

std::optional<engine::Duration> measuredTimeOf(const Experiment& base, const engine::Operator& op) {
    if (!op.workload || !engine::isCollectiveAlone(op.workload->sublayer))
        return std::nullopt;
    return measuredTimeOf(base, op.workload->sublayer, base.parallel.tp, op.workload->bytes);
}

std::string tableLineOf(const Experiment& base, const engine::OperatorGraph& graph, const engine::Operator& op) {
    const engine::Operator& simulated = op.feeder ? graph.operators[*op.feeder] : op;
    if (op.kind != engine::OperatorKind::collective || !simulated.workload || !hasTable(base))
        return {};
    const auto rule = ruleOf(base, simulatedExperiment(base, simulated, engine::PolicyPreset::sequential));
    return rule ? rule->text : std::string();
}

}  // namespace data
