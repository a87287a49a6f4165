#include "data/model/step_rates.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace data {
namespace {

using engine::kFullRate;
using engine::TaskIndex;

std::int64_t product(std::int64_t a, std::int64_t b) { return a * b / kFullRate; }

std::int64_t rounded(double share) {
    return std::clamp<std::int64_t>(std::llround(share * static_cast<double>(kFullRate)), 1, kFullRate);
}

}  // namespace

StepRates::StepRates(const ModelRun& run, const PolicyModelTime& policy, const ModelStep& step)
    : m_run(run), m_policy(policy), m_step(step) {}

engine::TaskRates StepRates::rates() {
    const bool sends =
        std::ranges::any_of(m_step.tasks, [](const StepTask& task) { return task.kind == StepTaskKind::message; });
    if (!sends)
        return {};
    return
        [this](std::span<const TaskIndex> running, std::span<std::int64_t> millionths) { write(running, millionths); };
}

void StepRates::write(std::span<const TaskIndex> running, std::span<std::int64_t> millionths) {
    std::optional<std::size_t> pass, message, send;
    for (std::size_t i = 0; i < running.size(); ++i) {
        switch (m_step.tasks[running[i]].kind) {
        case StepTaskKind::pass: pass = i; break;
        case StepTaskKind::message: message = i; break;
        case StepTaskKind::send: send = i; break;
        case StepTaskKind::optimizer:
        case StepTaskKind::barrier: break;
        }
    }
    if (!message)
        return;
    const engine::StageMessage& of = *m_step.messageOf(running[*message]);
    if (of.group == engine::MessageGroup::control)
        return;
    if (pass) {
        const PairRates rates = ofPass(running[*pass], of);
        millionths[*pass] = rates.compute;
        millionths[*message] = rates.message;
    }
    const bool shared = engine::isBetweenNodes(m_run.base, engine::MessageGroup::pipeline) == of.betweenNodes;
    if (send && shared) {
        millionths[*send] = kFullRate / 2;
        millionths[*message] = product(millionths[*message], kFullRate / 2);
    }
}

PairRates StepRates::ofPass(TaskIndex pass, const engine::StageMessage& message) {
    const engine::PassKind kind = m_step.plan.passes[m_step.tasks[pass].pass].step.kind;
    std::int64_t begins = 0, layers = 0, ends = 0;
    for (const SectionTime* section : m_step.sectionsOf(pass)) {
        begins += section == &m_step.sections.of(kind, SectionKind::begin) ? 1 : 0;
        layers += section == &m_step.sections.of(kind, SectionKind::layer) ? 1 : 0;
        ends += section == &m_step.sections.of(kind, SectionKind::end) ? 1 : 0;
    }
    const Key key{kind, begins, layers, ends, message.group, message.operation};
    const auto known = m_known.find(key);
    return known != m_known.end() ? known->second : m_known.emplace(key, meanOf(pass, message)).first->second;
}

PairRates StepRates::meanOf(TaskIndex pass, const engine::StageMessage& message) const {
    double time = 0, slowed = 0, sent = 0;
    const auto add = [&](engine::Duration takes, const PairRates& rates) {
        const double full = static_cast<double>(takes.ps);
        const double slow = full * static_cast<double>(kFullRate) / static_cast<double>(rates.compute);
        time += full;
        slowed += slow;
        sent += slow * static_cast<double>(rates.message) / static_cast<double>(kFullRate);
    };
    for (const SectionTime* section : m_step.sectionsOf(pass)) {
        std::optional<std::size_t> collective;
        for (const SectionSpan& span : section->spans) {
            if (span.isTensor)
                collective = span.op;
            else
                add(span.end - span.begin, ratesBeside(m_run, m_policy, span.op, message.group, message.operation));
        }
        if (collective)
            add(section->total - section->compute,
                ratesBeside(m_run, m_policy, *collective, message.group, message.operation));
    }
    return time > 0 ? PairRates{rounded(time / slowed), rounded(sent / slowed)} : PairRates{};
}

}  // namespace data
