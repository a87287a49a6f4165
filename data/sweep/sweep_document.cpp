#include "data/sweep/sweep_document.h"

#include "data/document/document_keys.h"
#include "data/experiment/own_presets.h"
#include "data/sweep/sweep_rules.h"

#include <algorithm>
#include <array>

namespace data {
namespace {

using engine::Parameter;
using engine::ParameterValue;
using engine::Problem;
using engine::Problems;
using Kind = DocumentNode::Kind;

constexpr int kVersion = 1;

std::optional<ParameterValue> readValue(const DocumentNode& node, const Parameter& parameter, const std::string& where,
                                        Problems& problems) {
    Problems inValue;
    const bool scalar = node.kind != Kind::object && node.kind != Kind::list;
    auto value = valueOf({{}, scalar ? node.text : node.shown(), scalar ? node.kind : Kind::other}, parameter, inValue);
    for (Problem& problem : inValue)
        problems.push_back({where, std::move(problem.value), parameter.path + ": " + problem.text});
    return value;
}

void readBase(const DocumentNode& root, SweepReading& reading) {
    const DocumentNode* base = childOf(root, "", "base", Kind::object, "an experiment {...}", reading.problems);
    if (base == nullptr)
        return;
    // Such a text would be lost when the sweep is written again.
    DocumentNode values;
    values.kind = Kind::object;
    for (std::size_t i = 0; i < base->keys.size(); ++i) {
        const std::string& key = base->keys[i];
        if (key == "label" || key == "name" || key == "notes") {
            reading.problems.push_back(
                {"base." + key, base->children[i].shown(), "a text of the sweep; move it beside \"base\""});
            continue;
        }
        values.keys.push_back(key);
        values.children.push_back(base->children[i]);
    }
    reading.sweep.base = draftOf(readExperimentAt(values, "base", reading.problems));
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
        problems.push_back({where + ".count", "", "missing; how many values, both ends counted"});
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
}

void readList(const DocumentNode& node, const Parameter& parameter, const std::string& where, AxisColumn& column,
              Problems& problems) {
    column.values.reserve(node.children.size());
    for (std::size_t i = 0; i < node.children.size() && problems.size() < kMostProblems; ++i) {
        if (auto value = readValue(node.children[i], parameter, indexed(where, i), problems))
            column.values.push_back(std::move(*value));
    }
}

/// One parameter with its list or range. What is wrong is said; what comes of it may then be incomplete.
AxisColumn readColumn(const DocumentNode& node, const std::string& where, Problems& problems) {
    AxisColumn column;
    const DocumentNode* path = childOf(node, where, "path", Kind::string, "a parameter's path", problems);
    if (path == nullptr) {
        if (node.find("path") == nullptr)
            problems.push_back({where + ".path", "", "missing; which parameter varies?"});
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
        Problems inRange;  // said by checkAxis
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
    // Kept also when something is wrong, so that other axes keep their number and are checked against its path.
    reading.sweep.axes.push_back(std::move(axis));
}

void readAxes(const DocumentNode& root, SweepReading& reading) {
    const DocumentNode* axes = childOf(root, "", "axes", Kind::list, "a list [...]", reading.problems);
    if (axes == nullptr)
        return;
    for (std::size_t i = 0; i < axes->children.size() && reading.problems.size() < kMostProblems; ++i)
        readAxis(axes->children[i], i, reading);
}

/// A list of words, or what stands for it where there is none.
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
    const auto found = draft.explicitValues.find("policy.preset");
    const auto* word = found == draft.explicitValues.end() ? nullptr : std::get_if<std::string>(&found->second);
    return word != nullptr ? *word : std::get<std::string>(engine::findParameter("policy.preset")->defaultValue);
}

/// What is certainly another kind of document is called so in one sentence: it says more than fifty unknown keys.
std::optional<Problem> otherDocument(const DocumentNode& root, std::string_view origin) {
    if (root.find("engine_version") != nullptr)
        return Problem{std::string(origin), "", "the result of a run, not a sweep"};
    const DocumentNode* format = root.find("format");
    if (format != nullptr && (format->kind != Kind::string || format->text != kSweepFormat))
        return Problem{"format", format->shown(), "not a sweep; allowed: " + std::string(kSweepFormat)};
    const auto isMissing = [&](const char* key) { return root.find(key) == nullptr; };
    constexpr std::array kParts{"base", "axes", "policies", "metrics"};
    if (std::all_of(kParts.begin(), kParts.end(), isMissing))
        return Problem{std::string(origin), "",
                       "says nothing of a sweep; missing are \"axes\" and \"policies\", such as {\"axes\": [{\"path\": "
                       "\"link.bandwidth\", \"values\": [\"75 GB/s\", \"150 GB/s\"]}], \"policies\": [\"sequential\", "
                       "\"t3\"]}"};
    return std::nullopt;
}

void readRoot(const DocumentNode& root, const OwnPresets* own, SweepReading& reading) {
    Problems& problems = reading.problems;
    Sweep& sweep = reading.sweep;
    checkKeys(root, "", {"format", "version", "label", "notes", "base", "axes", "policies", "metrics"}, problems);
    checkVersion(root, kVersion, problems);
    for (const char* key : {"label", "notes"}) {
        if (const DocumentNode* text = childOf(root, "", key, Kind::string, "a string", problems))
            sweep.texts.emplace(key, text->text);
    }
    readBase(root, reading);
    readAxes(root, reading);
    std::size_t before = problems.size();
    sweep.policies = readWords(root, "policies", {policyOf(sweep.base)}, problems);
    sweep.metrics = readWords(root, "metrics", {"speedup_over_sequential", "time_ps.total"}, problems);
    if (problems.size() == before)
        checkLists(sweep, problems);
    checkTogether(sweep, problems);
    // What an own preset says can only be put into a sweep whose axes are in order.
    if (own != nullptr && problems.empty())
        sweep = withOwnPresets(sweep, *own);
    checkNames(sweep, problems);
}

}  // namespace

SweepReading readSweep(std::string_view json, std::string_view origin, const OwnPresets* own) {
    SweepReading reading;
    DocumentTree tree = readTree(json, origin);
    reading.problems = std::move(tree.problems);
    if (!tree.root)
        return reading;
    if (auto other = otherDocument(*tree.root, origin)) {
        reading.problems = {std::move(*other)};
        return reading;
    }
    readRoot(*tree.root, own, reading);
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    return reading;
}

SweepReading readSweepFile(const std::string& path, const OwnPresets* own) {
    SweepReading reading;
    const std::string text = readText(path, reading.problems);
    if (!reading.problems.empty())
        return reading;
    return readSweep(text, path == "-" ? "standard input" : path, own);
}

}  // namespace data
