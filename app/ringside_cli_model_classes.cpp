#include "app/ringside_cli_report.h"
#include "app/ringside_cli_table.h"
#include "data/model/class_times.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

using data::ClassTime;
using data::ModelRun;
using data::PolicyModelTime;

void addWork(const data::OperatorWork& work, std::vector<std::string>& cells) {
    for (const double number : {work.flops, work.bytes, work.intensity()})
        cells.push_back(engine::shortestText(number));
    cells.push_back(std::to_string(work.time.ps));
}

/// Returns the times of each policy, in the requested order, by class.
std::vector<std::vector<ClassTime>> classesOf(const ModelRun& run) {
    std::vector<std::vector<ClassTime>> classes;
    for (const PolicyModelTime& policy : run.policies)
        classes.push_back(data::classTimesOf(run, policy));
    return classes;
}

/// "12.3 G": a number of operations or bytes for people.
std::string amountText(double amount) {
    constexpr double kStep = 1000;
    constexpr std::array<const char*, 6> kPrefixes{"", " k", " M", " G", " T", " P"};
    std::size_t at = 0;
    for (; amount >= kStep && at + 1 < kPrefixes.size(); ++at)
        amount /= kStep;
    return fixedText(amount, at == 0 ? 0 : 1) + kPrefixes.at(at);
}

}  // namespace

std::vector<std::string> csvCellsOf(const ModelRun& run, engine::PolicyPreset policy) {
    return {run.base.workload.model, std::string(engine::name(run.graph.phase)), std::to_string(run.graph.gpus),
            run.base.machine, std::string(engine::name(policy))};
}

Json classesJson(const ModelRun& run) {
    const auto classes = classesOf(run);
    Json json = Json::array();
    for (std::size_t i = 0; i < engine::kOperatorClasses.size(); ++i) {
        Json times = Json::object(), shares = Json::object();
        for (std::size_t policy = 0; policy < run.policies.size(); ++policy) {
            const std::string name(engine::name(run.policies[policy].policy));
            times[name] = classes[policy][i].work.time.ps;
            shares[name] = classes[policy][i].share;
        }
        // The work is the same under every policy, and there is at least one policy.
        const ClassTime& of = classes.front()[i];
        json.push_back({{"class", engine::name(of.operatorClass)},
                        {"operators", of.operators},
                        {"occurrences", of.occurrences},
                        {"flops", of.work.flops},
                        {"bytes", of.work.bytes},
                        {"flops_per_byte", of.work.intensity()},
                        {"time_ps", std::move(times)},
                        {"share", std::move(shares)}});
    }
    return json;
}

void writeClasses(const ModelRun& run, std::ostream& out) {
    const auto classes = classesOf(run);
    engine::Duration longest{};
    for (const PolicyModelTime& policy : run.policies)
        longest = std::max(longest, policy.time.total());
    const TimeScale scale = TimeScale::forLongest(longest);
    Table table({{"class", Align::left}, {"operators"}, {"flops"}, {"bytes"}, {"flops/byte"}});
    for (const PolicyModelTime& policy : run.policies) {
        table.addColumn(std::string(engine::name(policy.policy)), Align::right, std::string(scale.unit));
        table.addColumn("share", Align::right, "%");
    }
    constexpr double kPercent = 100;
    for (std::size_t i = 0; i < engine::kOperatorClasses.size(); ++i) {
        const ClassTime& of = classes.front()[i];
        if (of.operators == 0)
            continue;
        std::vector<std::string> cells{std::string(engine::title(of.operatorClass)), std::to_string(of.operators),
                                       amountText(of.work.flops), amountText(of.work.bytes),
                                       of.work.flops > 0 ? fixedText(of.work.intensity(), 2) : "-"};
        for (const auto& byClass : classes) {
            cells.push_back(scale.text(byClass[i].work.time));
            cells.push_back(fixedText(kPercent * byClass[i].share, 1));
        }
        table.addRow(std::move(cells));
    }
    std::vector<std::string> all{"all", std::to_string(run.graph.operators.size()), "", "", ""};
    for (const PolicyModelTime& policy : run.policies) {
        all.push_back(scale.text(policy.time.total()));
        all.push_back(fixedText(kPercent, 1));
    }
    table.addRow(std::move(all));
    table.write(out);
}

void writeClassesCsv(const ModelRun& run, std::ostream& out) {
    out << "model,phase,tp,machine,policy,class,operators,occurrences,flops,bytes,flops_per_byte,time_ps,share\n";
    for (const PolicyModelTime& policy : run.policies) {
        for (const ClassTime& of : data::classTimesOf(run, policy)) {
            std::vector<std::string> cells = csvCellsOf(run, policy.policy);
            cells.insert(cells.end(), {std::string(engine::name(of.operatorClass)), std::to_string(of.operators),
                                       std::to_string(of.occurrences)});
            addWork(of.work, cells);
            cells.push_back(engine::shortestText(of.share));
            out << csvLine(cells);
        }
    }
}

void writeOperatorsCsv(const ModelRun& run, std::ostream& out) {
    out << "model,phase,tp,machine,policy,operator,class,pass,occurrences,flops,bytes,flops_per_byte,time_ps\n";
    for (const PolicyModelTime& policy : run.policies) {
        for (const data::OperatorPoint& point : data::operatorPointsOf(run, policy)) {
            const engine::Operator& op = run.graph.operators[point.index];
            std::vector<std::string> cells = csvCellsOf(run, policy.policy);
            cells.insert(cells.end(), {op.id, std::string(engine::name(op.operatorClass)),
                                       std::string(engine::name(op.pass)), std::to_string(op.count)});
            addWork(point.work, cells);
            out << csvLine(cells);
        }
    }
}

}  // namespace cli
