#include "data/document/document_keys.h"
#include "data/results/metrics.h"
#include "data/sweep/sweep_document.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_rules.h"

#include <algorithm>
#include <set>

namespace data {
namespace {

using engine::Parameter;
using engine::ParameterValue;
using engine::Problem;
using engine::Problems;

constexpr std::string_view kPolicyPath = "policy.preset";

/// A step of an axis as text; two that look alike are the same.
std::string stepText(const SweepAxis& axis, std::size_t step) {
    std::string text;
    for (const AxisColumn& column : axis.columns)
        text += engine::formatValue(*engine::findParameter(column.path), column.values[step]) + "\n";
    return text;
}

bool isSetBy(const Sweep& sweep, const std::string& path) {
    return sweep.base.explicitValues.contains(path) || std::ranges::count(axisPaths(sweep), path) != 0;
}

/// What makes a name of a machine or a model unusable in this sweep; empty when it is fine.
std::string unknownName(const Sweep& sweep, const std::string& path, const std::string& name) {
    constexpr std::size_t kAll = 3;
    return whyUnknown(path, name, kAll, [&](const std::string& each) { return isSetBy(sweep, each); });
}

bool namesPreset(const std::string& path) { return path == "machine" || path == "workload.model"; }

void checkColumn(const AxisColumn& column, const std::string& where, Problems& problems) {
    const Parameter& parameter = *engine::findParameter(column.path);
    if (column.range) {
        Problems inRange;
        const auto values = valuesOf(parameter, *column.range, inRange);
        for (Problem& problem : inRange)
            problems.push_back({where + ".range." + problem.path, std::move(problem.value), std::move(problem.text)});
        if (inRange.empty() && values != column.values)
            problems.push_back({where + ".range", "", "its values are not those of the range"});
        return;
    }
    for (std::size_t i = 0; i < column.values.size() && problems.size() < kMostProblems; ++i) {
        if (auto problem = engine::check(parameter, column.values[i]))
            problems.push_back(
                {indexed(where + ".values", i), std::move(problem->value), column.path + ": " + problem->text});
    }
}

}  // namespace

std::vector<std::string> axisPaths(const Sweep& sweep) {
    std::vector<std::string> paths;
    for (const SweepAxis& axis : sweep.axes) {
        for (const AxisColumn& column : axis.columns)
            paths.push_back(column.path);
    }
    return paths;
}

std::string wherein(const SweepAxis& axis, std::size_t index, std::size_t column) {
    const std::string where = indexed("axes", index);
    return axis.columns.size() == 1 ? where : indexed(where + ".zip", column);
}

void checkPath(const std::string& path, const std::string& where, Problems& problems) {
    if (path == kPolicyPath || path == "policy") {
        problems.push_back({where + ".path", path, "policies are no axis; compare them with the list \"policies\""});
    } else if (const auto why = whyRemoved(path)) {
        problems.push_back({where + ".path", path, std::string(*why) + "; leave the axis out"});
    } else if (engine::findParameter(path) == nullptr) {
        problems.push_back(
            {where + ".path", path, "unknown parameter, " + suggestionOf(engine::nearestParameters(path))});
    }
}

void checkAxis(const SweepAxis& axis, std::size_t index, Problems& problems) {
    const std::size_t before = problems.size();
    if (axis.columns.empty())
        problems.push_back({indexed("axes", index), "", "an axis without a parameter"});
    for (std::size_t i = 0; i < axis.columns.size(); ++i) {
        const AxisColumn& column = axis.columns[i];
        const std::string where = wherein(axis, index, i);
        const std::size_t beforeColumn = problems.size();
        checkPath(column.path, where, problems);
        if (problems.size() != beforeColumn)
            continue;
        if (column.values.empty() && !column.range)
            problems.push_back({where + ".values", "[]", "an axis needs at least one value"});
        checkColumn(column, where, problems);
        if (column.values.size() != axis.size() && problems.size() == beforeColumn)
            problems.push_back(
                {where, std::to_string(column.values.size()) + " values",
                 "zipped lists go together step by step, and the first has " + std::to_string(axis.size())});
    }
    const bool hasRange = std::any_of(axis.columns.begin(), axis.columns.end(),
                                      [](const AxisColumn& column) { return column.range.has_value(); });
    if (problems.size() != before || hasRange)  // the values of a range differ
        return;
    std::set<std::string> steps;
    for (std::size_t i = 0; i < axis.size() && problems.size() < kMostProblems; ++i) {
        if (!steps.insert(stepText(axis, i)).second)
            problems.push_back(
                {indexed(wherein(axis, index, 0) + ".values", i),
                 engine::formatValue(*engine::findParameter(axis.columns[0].path), axis.columns[0].values[i]),
                 "the same step a second time"});
    }
}

void checkTogether(const Sweep& sweep, Problems& problems) {
    if (sweep.axes.size() > kMostAxes)
        problems.push_back({"axes", std::to_string(sweep.axes.size()) + " axes",
                            "too many; allowed: up to " + std::to_string(kMostAxes) +
                                ", several parameters can go together in a \"zip\""});
    std::set<std::string> paths;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (std::size_t j = 0; j < sweep.axes[i].columns.size(); ++j) {
            const AxisColumn& column = sweep.axes[i].columns[j];
            if (!paths.insert(column.path).second)
                problems.push_back({wherein(sweep.axes[i], i, j) + ".path", column.path,
                                    "set by two axes; a parameter has one value at a point"});
        }
    }
    const std::size_t points = pointCount(sweep);
    if (points > kMostPoints)
        problems.push_back({"axes", std::to_string(points) + " points",
                            "too many; allowed: up to " + std::to_string(kMostPoints) + ", policies counted"});
}

void checkNames(const Sweep& sweep, Problems& problems) {
    for (const char* path : {"machine", "workload.model"}) {
        const auto found = sweep.base.explicitValues.find(path);
        const auto* name =
            found == sweep.base.explicitValues.end() ? nullptr : std::get_if<std::string>(&found->second);
        if (name == nullptr)
            continue;
        if (std::string text = unknownName(sweep, path, *name); !text.empty())
            problems.push_back({std::string("base.") + path, *name, std::move(text)});
    }
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (std::size_t j = 0; j < sweep.axes[i].columns.size(); ++j) {
            const AxisColumn& column = sweep.axes[i].columns[j];
            if (!namesPreset(column.path))
                continue;
            for (std::size_t k = 0; k < column.values.size() && problems.size() < kMostProblems; ++k) {
                const auto* name = std::get_if<std::string>(&column.values[k]);
                if (name == nullptr)
                    continue;
                if (std::string text = unknownName(sweep, column.path, *name); !text.empty())
                    problems.push_back({indexed(wherein(sweep.axes[i], i, j) + ".values", k), *name, std::move(text)});
            }
        }
    }
}

void checkLists(const Sweep& sweep, Problems& problems) {
    const Parameter& preset = *engine::findParameter(kPolicyPath);
    if (sweep.policies.empty())
        problems.push_back({"policies", "[]", "at least one is needed; allowed: " + engine::describeAllowed(preset)});
    std::set<std::string> seen;
    for (std::size_t i = 0; i < sweep.policies.size() && problems.size() < kMostProblems; ++i) {
        if (auto problem = engine::check(preset, sweep.policies[i])) {
            problems.push_back({indexed("policies", i), sweep.policies[i], std::move(problem->text)});
        } else if (!seen.insert(sweep.policies[i]).second) {
            problems.push_back({indexed("policies", i), sweep.policies[i], "named twice"});
        }
    }
    if (sweep.metrics.empty())
        problems.push_back({"metrics", "[]", "at least one is needed, such as speedup_over_sequential"});
    seen.clear();
    for (std::size_t i = 0; i < sweep.metrics.size() && problems.size() < kMostProblems; ++i) {
        const std::string& path = sweep.metrics[i];
        if (findMetric(path) == nullptr) {
            const auto near = nearestMetrics(path);
            problems.push_back(
                {indexed("metrics", i), path,
                 "unknown metric, " + (near.empty() ? "allowed are the numbers of `run --output json`, "
                                                      "such as time_ps.total"
                                                    : "did you mean " + joinedNames(near, " or ") + "?")});
        } else if (!seen.insert(path).second) {
            problems.push_back({indexed("metrics", i), path, "named twice"});
        }
    }
}

Problems check(const Sweep& sweep) {
    Problems problems;
    for (const auto& [path, value] : sweep.base.explicitValues) {
        const Parameter* parameter = engine::findParameter(path);
        if (parameter == nullptr) {
            problems.push_back({"base." + path, "", "no parameter has this name"});
        } else if (auto problem = engine::check(*parameter, value)) {
            problems.push_back({"base." + path, std::move(problem->value), std::move(problem->text)});
        }
    }
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
        checkAxis(sweep.axes[i], i, problems);
    checkTogether(sweep, problems);
    checkNames(sweep, problems);
    checkLists(sweep, problems);
    if (problems.size() > kMostProblems)
        problems.resize(kMostProblems);
    return problems;
}

}  // namespace data
