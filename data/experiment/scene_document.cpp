#include "data/experiment/scene_document.h"

#include "data/document/body_json.h"
#include "data/document/document_keys.h"
#include "data/document/names.h"
#include "data/document/trimmed_text.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace data {
namespace {

using engine::Problems;
using Kind = DocumentNode::Kind;

constexpr std::string_view kSceneFormat = "ringside-scene";
constexpr int kSceneVersion = 1;
constexpr std::uint32_t kMostInScene = engine::kNone - 1;
constexpr std::int64_t kLatestPs = 1'000'000'000'000'000'000;  // longer than any run: eleven days

std::vector<std::string> laneNames() {
    std::vector<std::string> names;
    for (std::size_t kind = 0; kind < engine::kLaneKinds; ++kind)
        names.emplace_back(engine::name(static_cast<engine::LaneKind>(kind)));
    return names;
}

constexpr std::string_view kMomentBlanks = " \t";

/// Returns digits x 10^exponent as a decimal without trailing zeros: 41230, -3 is "41.23".
std::string plainDecimal(std::uint64_t digits, int exponent) {
    std::string text = std::to_string(digits);
    if (exponent >= 0)
        return digits == 0 ? text : text + std::string(static_cast<std::size_t>(exponent), '0');
    const auto decimals = static_cast<std::size_t>(-exponent);
    if (text.size() <= decimals)
        text.insert(0, decimals + 1 - text.size(), '0');
    text.insert(text.size() - decimals, ".");
    while (text.back() == '0')
        text.pop_back();
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::optional<Scene::Moment> shareOf(const engine::Decimal& percent) {
    const std::string text = std::to_string(percent.digits) + "e" + std::to_string(percent.exponent - 2);
    double share = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
    if (error != std::errc() || end != text.data() + text.size() || share > 1)
        return std::nullopt;
    return Scene::Moment{0, share, true};
}

void readMomentAt(const DocumentNode& root, const std::string& where, const char* key,
                  std::optional<Scene::Moment>& moment, Problems& problems) {
    const DocumentNode* node = root.find(key);
    if (node == nullptr)
        return;
    if (node->kind == Kind::string || node->kind == Kind::number)
        moment = readMoment(node->text);
    if (!moment)
        problems.push_back({within(where, key), node->shown(),
                            "not a moment; allowed: a time such as 184.2 us, "
                            "or a share of the run such as 40 %"});
}

template <class Number>
void readCount(const DocumentNode& object, const std::string& where, const char* key, std::int64_t most, Number& number,
               Problems& problems) {
    const DocumentNode* node = object.find(key);
    if (node == nullptr)
        return;
    const auto value = wholeNumber(*node);
    if (!value || *value < 0 || *value > most) {
        problems.push_back({within(where, key), node->shown(), "not a whole number from 0 to " + std::to_string(most)});
        return;
    }
    number = static_cast<std::uint32_t>(*value);
}

void readSceneExperiment(const DocumentNode& root, const std::string& where, SceneReading& reading) {
    const DocumentNode* node = root.find("experiment");
    if (node == nullptr)
        return;
    const std::string path = within(where, "experiment");
    if (node->kind == Kind::string) {
        DraftReading named = draftNamed(node->text);
        for (engine::Problem& problem : named.problems)
            reading.problems.push_back({path, node->text, std::move(problem.text)});
        reading.scene.draft = std::move(named.draft);
    } else if (node->kind == Kind::object) {
        reading.scene.draft = draftOf(readExperimentAt(*node, path, reading.problems));
    } else {
        reading.problems.push_back(
            {path, node->shown(), "wrong type, the name of a preset or an experiment {...} is expected"});
    }
}

void readSelection(const DocumentNode& root, const std::string& where, SceneReading& reading) {
    Problems& problems = reading.problems;
    const DocumentNode* node = childOf(root, where, "selection", Kind::object, "an object {...}", problems);
    if (node == nullptr)
        return;
    const std::string path = within(where, "selection");
    checkKeys(*node, path, {"gpu", "lane", "index", "start"}, problems);
    Scene::Selection selection;
    readCount(*node, path, "gpu", kMostInScene, selection.gpu, problems);
    readCount(*node, path, "index", kMostInScene, selection.index, problems);
    const std::vector<std::string> lanes = laneNames();
    const DocumentNode* lane = childOf(*node, path, "lane", Kind::string, "a lane's name", problems);
    if (lane != nullptr && isAmong(lanes, lane->text)) {
        selection.lane = lane->text;
    } else if (lane != nullptr || node->find("lane") == nullptr) {
        problems.push_back(
            {path + ".lane", lane != nullptr ? lane->text : "",
             (lane != nullptr ? "no such lane; allowed: " : "missing; allowed: ") + joinedNames(lanes, " or ")});
    }
    std::optional<Scene::Moment> start;
    readMomentAt(*node, path, "start", start, problems);
    if (node->find("start") == nullptr || (start && start->relative))
        problems.push_back({path + ".start", start ? node->find("start")->text : "",
                            "the time at which the span starts is expected, such as 182.004512 us"});
    selection.startPs = start ? start->ps : 0;
    reading.scene.selection = selection;
}

/// Reads the step of a lesson. A scene with this key has no other keys.
void readSceneLesson(const DocumentNode& root, SceneReading& reading) {
    Problems& problems = reading.problems;
    const DocumentNode* node = childOf(root, "", "lesson", Kind::object, "an object {...}", problems);
    if (node == nullptr)
        return;
    checkKeys(root, "", {"format", "version", "lesson"}, problems);
    checkKeys(*node, "lesson", {"name", "document", "step"}, problems);
    Scene::LessonPlace place;
    const DocumentNode* name = childOf(*node, "lesson", "name", Kind::string, "a lesson's name", problems);
    const DocumentNode* document = childOf(*node, "lesson", "document", Kind::string, "a lesson as a text", problems);
    if ((name == nullptr) == (document == nullptr))
        problems.push_back({"lesson", "", "either \"name\" or \"document\" is expected"});
    for (const auto& [source, text] : {std::pair{name, &place.name}, std::pair{document, &place.document}}) {
        if (source != nullptr && source->text.empty())
            problems.push_back({"lesson", "", "empty; the name of a lesson or its document is expected"});
        else if (source != nullptr)
            *text = source->text;
    }
    std::uint32_t step = 1;
    readCount(*node, "lesson", "step", kMostInScene, step, problems);
    if (step == 0)
        problems.push_back({"lesson.step", "0", "no such step; allowed: 1 or more"});
    place.step = step == 0 ? 0 : step - 1;
    reading.scene.lesson = std::move(place);
}

/// Returns the name of a view or of a page; empty if the scene names none.
std::string readName(const DocumentNode& root, const std::string& where, const std::string& key, Problems& problems) {
    constexpr std::size_t kLongestName = 60;
    const DocumentNode* name = childOf(root, where, key, Kind::string, "a " + key + "'s name", problems);
    if (name == nullptr)
        return {};
    if (name->text.empty() || name->text.size() > kLongestName)
        problems.push_back({within(where, key), name->text, "not the name of a " + key});
    return name->text;
}

std::string readView(const DocumentNode& root, const std::string& where, Problems& problems) {
    const std::size_t before = problems.size();
    std::string view = readName(root, where, "view", problems);
    if (view.empty() || problems.size() != before || isAmong(sceneViews(), view))
        return view;
    const auto near = engine::nearestNames(view, sceneViews());
    problems.push_back({within(where, "view"), view,
                        (near.empty() ? "no such view; " : "no such view, did you mean " + near.front() + "? ") +
                            "allowed: one of " + joined(sceneViews(), ", ")});
    return view;
}

void readSceneHead(const DocumentNode& root, Problems& problems) {
    const DocumentNode* format = root.find("format");
    if (format != nullptr && (format->kind != Kind::string || format->text != kSceneFormat))
        problems.push_back({"format", format->shown(), "not a scene; allowed: " + std::string(kSceneFormat)});
    checkVersion(root, kSceneVersion, problems);
}

void readPart(const DocumentNode& root, const std::string& where, SceneReading& reading) {
    const DocumentNode* part = root.find("part");
    if (part == nullptr)
        return;
    reading.scene.part = part->kind == Kind::string ? gpuPartOf(part->text) : std::nullopt;
    if (!reading.scene.part) {
        std::string allowed = "not a part of a GPU; allowed:";
        for (const std::string& word : gpuPartWords())
            allowed += ' ' + word + ',';
        reading.problems.push_back(
            {within(where, "part"), part->shown(), allowed + " or one of its units as in channels/3"});
    } else if (reading.scene.selection) {
        reading.problems.push_back(
            {within(where, "part"), part->shown(), "not allowed beside \"selection\"; allowed: one of the two"});
    }
}

void readSceneParts(const DocumentNode& root, const std::string& where, SceneReading& reading) {
    readSceneExperiment(root, where, reading);
    reading.scene.view = readView(root, where, reading.problems);
    reading.scene.page = readName(root, where, "page", reading.problems);
    readMomentAt(root, where, "moment", reading.scene.moment, reading.problems);
    readMomentAt(root, where, "from", reading.scene.from, reading.problems);
    readMomentAt(root, where, "to", reading.scene.to, reading.problems);
    if ((root.find("from") == nullptr) != (root.find("to") == nullptr)) {
        const char* missing = root.find("from") == nullptr ? "from" : "to";
        reading.problems.push_back({within(where, missing), "", "missing; a visible range needs both ends"});
    }
    const auto& [from, to] = std::pair(reading.scene.from, reading.scene.to);
    if (from && to && from->relative == to->relative &&
        std::pair(from->ps, from->share) >= std::pair(to->ps, to->share))
        reading.problems.push_back(
            {within(where, "to"), writeMoment(*to), "not after \"from\"; allowed: a later moment"});
    readCount(root, where, "chunk", kMostInScene, reading.scene.chunk, reading.problems);
    readSelection(root, where, reading);
    readCount(root, where, "gpu", kMostInScene, reading.scene.gpu, reading.problems);
    readPart(root, where, reading);
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
}

}  // namespace

std::optional<Scene::Moment> readMoment(std::string_view text) {
    std::string_view rest = trimmedText(text, kMomentBlanks);
    const auto decimal = engine::readDecimal(rest);
    if (!decimal || decimal->negative)
        return std::nullopt;
    rest = trimmedText(rest, kMomentBlanks);
    if (rest == "%")
        return shareOf(*decimal);
    const auto factor =
        rest.empty() ? std::optional<std::int64_t>(1) : engine::unitFactor(engine::ParameterUnit::picoseconds, rest);
    if (!factor)
        return std::nullopt;
    const engine::WholeNumber whole = engine::timesFactor(*decimal, *factor);
    if (whole.state == engine::WholeNumber::State::tooLarge || whole.value > kLatestPs)
        return std::nullopt;
    return Scene::Moment{whole.value, 0, false};
}

std::string writeMoment(const Scene::Moment& moment) {
    constexpr int kDecimals = 12;  // decimals of a second down to picoseconds
    if (moment.relative) {
        const std::string share = engine::shortestText(moment.share);
        std::string_view rest = share;
        const engine::Decimal decimal = engine::readDecimal(rest).value_or(engine::Decimal{});
        return plainDecimal(decimal.digits, decimal.exponent + 2) + " %";
    }
    const engine::UnitName* chosen = nullptr;
    for (const engine::UnitName& unit : engine::unitNames(engine::ParameterUnit::picoseconds)) {
        const bool plain = std::all_of(unit.text.begin(), unit.text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
        if (plain && (chosen == nullptr || unit.factor <= moment.ps))
            chosen = &unit;
    }
    return engine::exactQuotient(moment.ps, chosen->factor, kDecimals).value_or(std::to_string(moment.ps)) + " " +
           std::string(chosen->text);
}

std::int64_t timeOf(const Scene::Moment& moment, std::int64_t runEnd) {
    return moment.relative ? std::llround(moment.share * static_cast<double>(runEnd)) : std::min(moment.ps, runEnd);
}

const std::vector<std::string>& sceneViews() {
    static const std::vector<std::string> kViews{"explore", "compare", "measured",    "sweep",    "figure",
                                                 "runs",    "model",   "evaluations", "timeline", "machine",
                                                 "chunks",  "tracker", "inside",      "split",    "memory"};
    return kViews;
}

SceneReading readScene(const DocumentNode& object, const std::string& where) {
    SceneReading reading;
    if (object.kind != Kind::object) {
        reading.problems.push_back({where, object.shown(), "wrong type, a scene {...} is expected"});
        return reading;
    }
    checkKeys(object, where,
              {"experiment", "view", "page", "moment", "from", "to", "chunk", "selection", "gpu", "part"},
              reading.problems);
    readSceneParts(object, where, reading);
    return reading;
}

SceneReading readScene(std::string_view json, std::string_view origin) {
    SceneReading reading;
    DocumentTree tree = readTree(json, origin);
    reading.problems = std::move(tree.problems);
    if (!tree.root)
        return reading;
    readSceneHead(*tree.root, reading.problems);
    if (!reading.problems.empty())
        return reading;
    if (tree.root->find("lesson") != nullptr) {
        readSceneLesson(*tree.root, reading);
        return reading;
    }
    checkKeys(*tree.root, "",
              {"format", "version", "experiment", "view", "page", "moment", "from", "to", "chunk", "selection", "gpu",
               "part"},
              reading.problems);
    readSceneParts(*tree.root, "", reading);
    return reading;
}

std::string writeScene(const Scene& scene, bool pretty) {
    constexpr int kIndent = 2;
    BodyJson document;
    document["format"] = kSceneFormat;
    document["version"] = 1;
    if (scene.lesson) {
        const bool named = !scene.lesson->name.empty();
        document["lesson"] = {{named ? "name" : "document", named ? scene.lesson->name : scene.lesson->document},
                              {"step", std::uint64_t{scene.lesson->step} + 1}};
    }
    if (scene.draft) {
        document["experiment"] = BodyJson::object();
        addValues(scene.draft->explicitValues, document["experiment"]);
    }
    if (!scene.view.empty())
        document["view"] = scene.view;
    if (!scene.page.empty())
        document["page"] = scene.page;
    if (scene.moment)
        document["moment"] = writeMoment(*scene.moment);
    if (scene.from && scene.to) {
        document["from"] = writeMoment(*scene.from);
        document["to"] = writeMoment(*scene.to);
    }
    if (scene.chunk)
        document["chunk"] = *scene.chunk;
    if (scene.selection) {
        const Scene::Selection& selection = *scene.selection;
        document["selection"] = {{"gpu", selection.gpu},
                                 {"lane", selection.lane},
                                 {"index", selection.index},
                                 {"start", writeMoment({selection.startPs, 0, false})}};
    }
    if (scene.gpu)
        document["gpu"] = *scene.gpu;
    if (scene.part)
        document["part"] = textOf(*scene.part);
    return pretty ? document.dump(kIndent) + "\n" : document.dump();
}

}  // namespace data
