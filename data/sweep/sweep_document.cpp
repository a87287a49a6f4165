#include "data/sweep/sweep_document.h"

#include "data/document/document_keys.h"
#include "data/document/names.h"
#include "data/experiment/own_presets.h"
#include "data/model/projection.h"
#include "data/results/metrics.h"
#include "data/sweep/sweep_plan.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <set>

namespace data {
namespace {

using engine::Parameter;
using engine::ParameterValue;
using engine::Problem;
using engine::Problems;
using Kind = DocumentNode::Kind;

constexpr int kVersion = 1;
constexpr std::size_t kMostNames = 3;  // suggested for an unknown one
constexpr std::string_view kPolicyPath = "policy.preset";
constexpr const char* kProjected = "sequential";  // the policy of projected times
constexpr std::string_view kNoPolicies = "a footprint depends on no policy; leave the list out";

// The rules of check(const Sweep&) are separate functions, so that the readable parts of a document are checked even if
// other parts could not be read.

/// Checks each value of an experiment; `where` begins the paths of problems.
void checkValues(const ExperimentDraft& draft, const std::string& where, Problems& problems) {
    for (const auto& [path, value] : draft.explicitValues) {
        const Parameter* parameter = engine::findParameter(path);
        if (parameter == nullptr) {
            problems.push_back({where + path, "", "no parameter has this name"});
        } else if (auto problem = engine::check(*parameter, value)) {
            problems.push_back({where + path, std::move(problem->value), std::move(problem->text)});
        }
    }
}

/// Returns a step of an axis as text; two steps with the same text are equal.
std::string stepText(const SweepAxis& axis, std::size_t step) {
    std::string text;
    for (const AxisColumn& column : axis.columns)
        text += engine::formatValue(*engine::findParameter(column.path), column.values[step]) + "\n";
    return text;
}

std::optional<std::string> wordIn(const ExperimentDraft& draft, std::string_view path) {
    const auto found = draft.explicitValues.find(path);
    const auto* word = found == draft.explicitValues.end() ? nullptr : std::get_if<std::string>(&found->second);
    return word != nullptr ? std::optional(*word) : std::nullopt;
}

bool isSetBy(const Sweep& sweep, const std::string& path) {
    return sweep.base.explicitValues.contains(path) || std::ranges::count(axisPaths(sweep), path) != 0;
}

/// Returns why a name of a machine or a model cannot be used in this sweep; empty if it can.
std::string unknownName(const Sweep& sweep, const std::string& path, const std::string& name) {
    return whyUnknown(path, name, kMostNames, [&](const std::string& each) { return isSetBy(sweep, each); });
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
            problems.push_back({where + ".range", "", "the values are not those of the range"});
        return;
    }
    for (std::size_t i = 0; i < column.values.size() && problems.size() < kMostProblems; ++i) {
        if (auto problem = engine::check(parameter, column.values[i]))
            problems.push_back(
                {indexed(where + ".values", i), std::move(problem->value), column.path + ": " + problem->text});
    }
}

/// Returns the path of a column: "axes[2]", or "axes[2].zip[1]" if several parameters change together.
std::string wherein(const SweepAxis& axis, std::size_t index, std::size_t column) {
    const std::string where = indexed("axes", index);
    return axis.columns.size() == 1 ? where : indexed(where + ".zip", column);
}

void checkPath(const std::string& path, const std::string& where, Problems& problems) {
    if (path == kPolicyPath || path == "policy") {
        problems.push_back({where + ".path", path, "policies are not an axis; write them into the list \"policies\""});
    } else if (const auto why = whyRemoved(path)) {
        problems.push_back({where + ".path", path, std::string(*why) + "; leave the axis out"});
    } else if (engine::findParameter(path) == nullptr) {
        problems.push_back(
            {where + ".path", path, "unknown parameter, " + suggestionOf(engine::nearestParameters(path))});
    }
}

/// Checks one axis: paths, values, ranges, equal lengths, steps that differ.
void checkAxis(const SweepAxis& axis, std::size_t index, Problems& problems) {
    const std::size_t before = problems.size();
    if (axis.columns.empty())
        problems.push_back({indexed("axes", index), "", "an axis needs at least one parameter"});
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
            problems.push_back({where, std::to_string(column.values.size()) + " values",
                                "zipped lists must have equal lengths; the first has " + std::to_string(axis.size())});
    }
    const bool hasRange = std::any_of(axis.columns.begin(), axis.columns.end(),
                                      [](const AxisColumn& column) { return column.range.has_value(); });
    if (problems.size() != before || hasRange)  // the values of a range always differ
        return;
    std::set<std::string> steps;
    for (std::size_t i = 0; i < axis.size() && problems.size() < kMostProblems; ++i) {
        if (!steps.insert(stepText(axis, i)).second)
            problems.push_back(
                {indexed(wherein(axis, index, 0) + ".values", i),
                 engine::formatValue(*engine::findParameter(axis.columns[0].path), axis.columns[0].values[i]),
                 "the same step as one before; steps must differ"});
    }
}

/// Checks the number of axes and points, and for parameters that are set twice.
void checkTogether(const Sweep& sweep, Problems& problems) {
    if (sweep.axes.size() > kMostAxes)
        problems.push_back({"axes", std::to_string(sweep.axes.size()) + " axes",
                            "too many; allowed: up to " + std::to_string(kMostAxes) +
                                "; several parameters can change together in a \"zip\""});
    std::set<std::string> paths;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (std::size_t j = 0; j < sweep.axes[i].columns.size(); ++j) {
            const AxisColumn& column = sweep.axes[i].columns[j];
            if (!paths.insert(column.path).second)
                problems.push_back({wherein(sweep.axes[i], i, j) + ".path", column.path,
                                    "two axes set this parameter; allowed: one axis for each parameter"});
        }
    }
    const std::size_t points = pointCount(sweep);
    if (points > kMostPoints)
        problems.push_back({"axes", std::to_string(points) + " points",
                            "too many; allowed: up to " + std::to_string(kMostPoints) + ", each policy counted"});
}

/// Checks for machines and models that are neither bundled nor written out.
void checkNames(const Sweep& sweep, Problems& problems) {
    for (const char* path : {"machine", "workload.model"}) {
        const auto name = wordIn(sweep.base, path);
        if (std::string text = name ? unknownName(sweep, path, *name) : ""; !text.empty())
            problems.push_back({std::string("base.") + path, *name, std::move(text)});
    }
    if (const auto name = sweep.projectFrom ? wordIn(*sweep.projectFrom, "workload.model") : std::nullopt) {
        const auto isSetBySource = [&](const std::string& path) {
            return sweep.projectFrom->explicitValues.contains(path);
        };
        if (std::string text = whyUnknown("workload.model", *name, kMostNames, isSetBySource); !text.empty())
            problems.push_back({std::string(kProjectFrom) + ".workload.model", *name, std::move(text)});
    }
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (std::size_t j = 0; j < sweep.axes[i].columns.size(); ++j) {
            const AxisColumn& column = sweep.axes[i].columns[j];
            if (!namesPreset(column.path))
                continue;
            for (std::size_t k = 0; k < column.values.size() && problems.size() < kMostProblems; ++k) {
                const auto* name = std::get_if<std::string>(&column.values[k]);
                if (std::string text = name != nullptr ? unknownName(sweep, column.path, *name) : ""; !text.empty())
                    problems.push_back({indexed(wherein(sweep.axes[i], i, j) + ".values", k), *name, std::move(text)});
            }
        }
    }
}

std::string describedMetric(const std::string& path, ResultSubject of) {
    if (findMetric(path) != nullptr || isOfModels(of))
        return unknownMetric(path, of);
    const auto near = nearestMetrics(path);
    return "unknown metric, " + (near.empty() ? "allowed are the numbers of `run --output json`, such as time_ps.total"
                                              : "did you mean " + joinedNames(near, " or ") + "?");
}

/// Returns why a point of this subject does not read a parameter; empty if it does.
std::string whyForeign(const std::string& path, ResultSubject of) {
    if (isOfModels(of) && (path == "workload.sublayer" || path == "workload.bytes"))
        return "a whole model has all its sub-layers; leave it out";
    return {};
}

/// Checks for parameters that a whole model does not read.
void checkSubject(const Sweep& sweep, Problems& problems) {
    for (const auto& [path, value] : sweep.base.explicitValues) {
        if (std::string text = whyForeign(path, sweep.of); !text.empty())
            problems.push_back(
                {"base." + path, engine::formatValue(*engine::findParameter(path), value), std::move(text)});
    }
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (std::size_t j = 0; j < sweep.axes[i].columns.size(); ++j) {
            const std::string& path = sweep.axes[i].columns[j].path;
            if (std::string text = whyForeign(path, sweep.of); !text.empty())
                problems.push_back({wherein(sweep.axes[i], i, j) + ".path", path, std::move(text)});
        }
    }
}

/// Checks the model from which times are projected.
void checkSource(const Sweep& sweep, Problems& problems) {
    if (!sweep.projectFrom)
        return;
    const std::string where = kProjectFrom;
    if (!isOfModels(sweep.of) || !isTimed(sweep.of))
        problems.push_back({where, std::string(name(sweep.of)),
                            "only times of whole models are projected; allowed if \"of\" is training, prompt or "
                            "generation"});
    else if (sweep.policies != std::vector<std::string>{kProjected})
        problems.push_back({"policies", joined(sweep.policies, ", "),
                            std::string("times are projected under one policy only; allowed: ") + kProjected});
    for (const auto& [path, value] : sweep.projectFrom->explicitValues) {
        const Parameter* parameter = engine::findParameter(path);
        if (parameter != nullptr && !isOfSource(path))
            problems.push_back({where + "." + path, engine::formatValue(*parameter, value),
                                "the model that is simulated has the machine and settings of the point; allowed: "
                                "workload.* of a model, and parallel.tp"});
    }
    if (!wordIn(*sweep.projectFrom, "workload.model"))
        problems.push_back({where + ".workload.model", "", "missing; the model that is simulated is expected"});
}

/// Checks policies and metrics.
void checkLists(const Sweep& sweep, Problems& problems) {
    const Parameter& preset = *engine::findParameter(kPolicyPath);
    if (!isTimed(sweep.of) && sweep.policies != footprintPolicies())
        problems.push_back({"policies", joined(sweep.policies, ", "), std::string(kNoPolicies)});
    if (sweep.policies.empty())
        problems.push_back({"policies", "[]", "at least one is needed; allowed: " + engine::describeAllowed(preset)});
    std::set<std::string> seen;
    for (std::size_t i = 0; isTimed(sweep.of) && i < sweep.policies.size() && problems.size() < kMostProblems; ++i) {
        if (auto problem = engine::check(preset, sweep.policies[i])) {
            problems.push_back({indexed("policies", i), sweep.policies[i], std::move(problem->text)});
        } else if (!seen.insert(sweep.policies[i]).second) {
            problems.push_back({indexed("policies", i), sweep.policies[i], "named twice"});
        }
    }
    if (sweep.metrics.empty())
        problems.push_back({"metrics", "[]", "at least one is needed, such as " + usualMetrics(sweep.of).front()});
    seen.clear();
    for (std::size_t i = 0; i < sweep.metrics.size() && problems.size() < kMostProblems; ++i) {
        const std::string& path = sweep.metrics[i];
        if (findMetric(path, sweep.of) == nullptr) {
            problems.push_back({indexed("metrics", i), path, describedMetric(path, sweep.of)});
        } else if (!seen.insert(path).second) {
            problems.push_back({indexed("metrics", i), path, "named twice"});
        }
    }
}

std::optional<ParameterValue> readValue(const DocumentNode& node, const Parameter& parameter, const std::string& where,
                                        Problems& problems) {
    Problems inValue;
    const bool scalar = node.kind != Kind::object && node.kind != Kind::list;
    auto value = valueOf({{}, scalar ? node.text : node.shown(), scalar ? node.kind : Kind::other}, parameter, inValue);
    for (Problem& problem : inValue)
        problems.push_back({where, std::move(problem.value), parameter.path + ": " + problem.text});
    return value;
}

/// Reads an experiment that is a part of the sweep. Returns an empty optional if the key is missing.
std::optional<ExperimentDraft> readPart(const DocumentNode& root, const std::string& part, Problems& problems) {
    const DocumentNode* experiment = childOf(root, "", part, Kind::object, "an experiment {...}", problems);
    if (experiment == nullptr)
        return std::nullopt;
    // A text in the experiment is refused, because it would be lost when the sweep is written again.
    DocumentNode values;
    values.kind = Kind::object;
    for (std::size_t i = 0; i < experiment->keys.size(); ++i) {
        const std::string& key = experiment->keys[i];
        if (key == "label" || key == "name" || key == "notes") {
            problems.push_back(
                {part + "." + key, experiment->children[i].shown(),
                 "not allowed in the " + part + "; move this text of the sweep beside \"" + part + "\""});
            continue;
        }
        values.keys.push_back(key);
        values.children.push_back(experiment->children[i]);
    }
    return draftOf(readExperimentAt(values, part, problems));
}

/// Returns the unit behind the number of a value, "GB/s"; empty if it has none.
std::string unitWritten(const DocumentNode& node, const Parameter& parameter) {
    if (node.kind != Kind::string)
        return {};
    std::string_view text = node.text;
    if (!engine::readDecimal(text))
        return {};
    const std::size_t start = text.find_first_not_of(' ');
    const std::string_view unit = start == std::string_view::npos ? std::string_view() : text.substr(start);
    return engine::unitFactor(parameter.unit, unit) ? std::string(unit) : std::string();
}

/// Returns the unit that all values have; empty if they have several.
std::string unitOfAll(const std::vector<const DocumentNode*>& values, const Parameter& parameter) {
    std::string shared;
    for (const DocumentNode* value : values) {
        const std::string unit = value == nullptr ? std::string() : unitWritten(*value, parameter);
        if (unit.empty() || (!shared.empty() && unit != shared))
            return {};
        shared = unit;
    }
    return shared;
}

void readRange(const DocumentNode& node, const Parameter& parameter, const std::string& where, AxisColumn& column,
               Problems& problems) {
    checkKeys(node, where, {"from", "to", "count", "scale"}, problems);
    AxisRange range;
    const auto readEnd = [&](const char* key, ParameterValue& end) {
        const DocumentNode* child = node.find(key);
        if (child == nullptr) {
            problems.push_back({where + "." + key, "", "missing; allowed: " + engine::describeAllowed(parameter)});
        } else if (auto value = readValue(*child, parameter, where + "." + key, problems)) {
            end = std::move(*value);
        }
    };
    readEnd("from", range.from);
    readEnd("to", range.to);
    const DocumentNode* count = node.find("count");
    if (count == nullptr) {
        problems.push_back({where + ".count", "", "missing; the number of values is expected, with both ends counted"});
    } else if (count->kind != Kind::number || count->text.size() > 9 ||
               count->text.find_first_not_of("0123456789") != std::string::npos) {
        problems.push_back({where + ".count", count->shown(),
                            "not a whole number that is possible; allowed: 2 to " + std::to_string(kMostPoints)});
    } else {
        range.count = std::stoll(count->text);
    }
    if (const DocumentNode* scale = node.find("scale")) {
        range.logarithmic = scale->text == "log";
        if (scale->kind != Kind::string || (scale->text != "log" && scale->text != "linear"))
            problems.push_back({where + ".scale", scale->shown(), "unknown; allowed: linear, log"});
    }
    column.range = range;
    column.unit = unitOfAll({node.find("from"), node.find("to")}, parameter);
}

void readList(const DocumentNode& node, const Parameter& parameter, const std::string& where, AxisColumn& column,
              Problems& problems) {
    column.values.reserve(node.children.size());
    for (std::size_t i = 0; i < node.children.size() && problems.size() < kMostProblems; ++i) {
        if (auto value = readValue(node.children[i], parameter, indexed(where, i), problems))
            column.values.push_back(std::move(*value));
    }
    std::vector<const DocumentNode*> written;
    for (const DocumentNode& child : node.children)
        written.push_back(&child);
    column.unit = unitOfAll(written, parameter);
}

/// Reads one parameter with its list or range. After a problem the result may be incomplete.
AxisColumn readColumn(const DocumentNode& node, const std::string& where, Problems& problems) {
    AxisColumn column;
    const DocumentNode* path = childOf(node, where, "path", Kind::string, "a parameter's path", problems);
    if (path == nullptr) {
        if (node.find("path") == nullptr)
            problems.push_back({where + ".path", "", "missing; the path of a parameter is expected"});
        return column;
    }
    const std::size_t before = problems.size();
    checkPath(path->text, where, problems);
    if (problems.size() != before)
        return column;
    column.path = path->text;
    const Parameter& parameter = *engine::findParameter(column.path);
    const DocumentNode* values = childOf(node, where, "values", Kind::list, "a list [...]", problems);
    const DocumentNode* range = childOf(node, where, "range", Kind::object, "an object {...}", problems);
    if ((node.find("values") == nullptr) == (node.find("range") == nullptr))
        problems.push_back({where, column.path, "either \"values\" or a \"range\" is expected"});
    if (problems.size() != before)
        return column;
    if (values != nullptr)
        readList(*values, parameter, where + ".values", column, problems);
    if (range != nullptr)
        readRange(*range, parameter, where + ".range", column, problems);
    if (column.range && problems.size() == before) {
        Problems inRange;  // not used: checkAxis reports the same problems
        column.values = valuesOf(parameter, *column.range, inRange);
    }
    return column;
}

void readAxis(const DocumentNode& node, std::size_t index, SweepReading& reading) {
    const std::string where = indexed("axes", index);
    Problems& problems = reading.problems;
    const std::size_t before = problems.size();
    SweepAxis axis;
    if (node.kind != Kind::object) {
        problems.push_back({where, node.shown(), "wrong type, an object {...} is expected"});
    } else if (node.find("zip") != nullptr) {
        checkKeys(node, where, {"zip"}, problems);
        if (const DocumentNode* zip = childOf(node, where, "zip", Kind::list, "a list [...]", problems)) {
            for (std::size_t i = 0; i < zip->children.size() && problems.size() < kMostProblems; ++i) {
                const std::string inside = indexed(where + ".zip", i);
                const DocumentNode& column = zip->children[i];
                if (column.kind != Kind::object) {
                    problems.push_back({inside, column.shown(), "wrong type, an object {...} is expected"});
                    continue;
                }
                checkKeys(column, inside, {"path", "values", "range"}, problems);
                axis.columns.push_back(readColumn(column, inside, problems));
            }
        }
    } else {
        checkKeys(node, where, {"path", "values", "range", "zip"}, problems);
        axis.columns.push_back(readColumn(node, where, problems));
    }
    if (problems.size() == before)
        checkAxis(axis, index, problems);
    // Kept even after a problem, so that other axes keep their numbers and are compared with its path.
    reading.sweep.axes.push_back(std::move(axis));
}

void readAxes(const DocumentNode& root, SweepReading& reading) {
    const DocumentNode* axes = childOf(root, "", "axes", Kind::list, "a list [...]", reading.problems);
    if (axes == nullptr)
        return;
    for (std::size_t i = 0; i < axes->children.size() && reading.problems.size() < kMostProblems; ++i)
        readAxis(axes->children[i], i, reading);
}

/// Reads a list of words; returns `otherwise` if the key is missing.
std::vector<std::string> readWords(const DocumentNode& root, const std::string& key, std::vector<std::string> otherwise,
                                   Problems& problems) {
    if (root.find(key) == nullptr)
        return otherwise;
    const DocumentNode* list = childOf(root, "", key, Kind::list, "a list [...]", problems);
    std::vector<std::string> words;
    for (std::size_t i = 0; list != nullptr && i < list->children.size() && problems.size() < kMostProblems; ++i) {
        const DocumentNode& word = list->children[i];
        if (word.kind == Kind::string) {
            words.push_back(word.text);
        } else {
            problems.push_back({indexed(key, i), word.shown(), "wrong type, a string is expected"});
        }
    }
    return words;
}

std::string policyOf(const ExperimentDraft& draft) {
    return wordIn(draft, kPolicyPath).value_or(std::get<std::string>(engine::findParameter(kPolicyPath)->defaultValue));
}

/// Returns the problem of a document that is certainly of another kind. One message about that helps more than fifty
/// unknown keys.
std::optional<Problem> otherDocument(const DocumentNode& root, std::string_view origin) {
    if (root.find("engine_version") != nullptr)
        return Problem{std::string(origin), "", "the result of a run, not a sweep"};
    const DocumentNode* format = root.find("format");
    if (format != nullptr && (format->kind != Kind::string || format->text != kSweepFormat))
        return Problem{"format", format->shown(), "not a sweep; allowed: " + std::string(kSweepFormat)};
    const auto isMissing = [&](const char* key) { return root.find(key) == nullptr; };
    constexpr std::array kParts{"of", "base", kProjectFrom, "axes", "policies", "metrics"};
    if (std::all_of(kParts.begin(), kParts.end(), isMissing))
        return Problem{std::string(origin), "",
                       "not a sweep; missing are \"axes\" and \"policies\", such as {\"axes\": [{\"path\": "
                       "\"link.bandwidth\", \"values\": [\"75 GB/s\", \"150 GB/s\"]}], \"policies\": [\"sequential\", "
                       "\"t3\"]}"};
    return std::nullopt;
}

void readSubject(const DocumentNode& root, SweepReading& reading) {
    const DocumentNode* of = childOf(root, "", "of", Kind::string, "a string", reading.problems);
    if (of == nullptr)
        return;
    if (const auto subject = resultSubjectNamed(of->text))
        reading.sweep.of = *subject;
    else
        reading.problems.push_back({"of", of->shown(), "unknown; allowed: " + resultSubjectNames()});
}

void readPolicies(const DocumentNode& root, SweepReading& reading) {
    Sweep& sweep = reading.sweep;
    if (isTimed(sweep.of)) {
        sweep.policies =
            readWords(root, "policies", {sweep.projectFrom ? kProjected : policyOf(sweep.base)}, reading.problems);
        return;
    }
    sweep.policies = footprintPolicies();
    if (const DocumentNode* policies = root.find("policies"))
        reading.problems.push_back({"policies", policies->shown(), std::string(kNoPolicies)});
}

void readRoot(const DocumentNode& root, const OwnPresets* own, SweepReading& reading) {
    Problems& problems = reading.problems;
    Sweep& sweep = reading.sweep;
    checkKeys(root, "",
              {"format", "version", "label", "notes", "of", "base", kProjectFrom, "axes", "policies", "metrics"},
              problems);
    checkVersion(root, kVersion, problems);
    for (const char* key : {"label", "notes"}) {
        if (const DocumentNode* text = childOf(root, "", key, Kind::string, "a string", problems))
            sweep.texts.emplace(key, text->text);
    }
    const std::size_t beforeSubject = problems.size();
    readSubject(root, reading);
    const bool subjectIsKnown = problems.size() == beforeSubject;
    sweep.base = readPart(root, "base", problems).value_or(ExperimentDraft{});
    sweep.projectFrom = readPart(root, kProjectFrom, problems);
    readAxes(root, reading);
    std::size_t before = problems.size();
    readPolicies(root, reading);
    sweep.metrics = readWords(root, "metrics", usualMetrics(sweep.of), problems);
    if (problems.size() == before && subjectIsKnown)
        checkLists(sweep, problems);
    checkSubject(sweep, problems);
    checkSource(sweep, problems);
    checkTogether(sweep, problems);
    // The values of own presets can be added only to a sweep whose axes have no problems.
    if (own != nullptr && problems.empty())
        sweep = withOwnPresets(sweep, *own);
    checkNames(sweep, problems);
}

}  // namespace

Problems check(const Sweep& sweep) {
    Problems problems;
    checkValues(sweep.base, "base.", problems);
    if (sweep.projectFrom)
        checkValues(*sweep.projectFrom, std::string(kProjectFrom) + ".", problems);
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
        checkAxis(sweep.axes[i], i, problems);
    checkSubject(sweep, problems);
    checkSource(sweep, problems);
    checkTogether(sweep, problems);
    checkNames(sweep, problems);
    checkLists(sweep, problems);
    if (problems.size() > kMostProblems)
        problems.resize(kMostProblems);
    return problems;
}

SweepReading readSweep(const DocumentNode& root, std::string_view origin, const OwnPresets* own) {
    SweepReading reading;
    if (auto other = otherDocument(root, origin)) {
        reading.problems = {std::move(*other)};
        return reading;
    }
    readRoot(root, own, reading);
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    return reading;
}

SweepReading readSweep(std::string_view json, std::string_view origin, const OwnPresets* own) {
    DocumentTree tree = readTree(json, origin);
    if (!tree.root)
        return {{}, std::move(tree.problems)};
    if (auto other = otherDocument(*tree.root, origin))
        return {{}, {std::move(*other)}};
    SweepReading reading = readSweep(*tree.root, origin, own);
    reading.problems.insert(reading.problems.begin(), tree.problems.begin(), tree.problems.end());
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    return reading;
}

SweepReading readSweepFile(const std::string& path, const OwnPresets& own) {
    SweepReading reading;
    const std::string text = readText(path, reading.problems);
    return reading.problems.empty() ? readSweep(text, path == "-" ? "standard input" : path, &own) : reading;
}

}  // namespace data
