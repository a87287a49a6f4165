#include "data/document/bundled_json.h"
#include "data/document/names.h"
#include "data/document/tree_reader.h"
#include "data/experiment/scene_document.h"
#include "data/lessons/lesson.h"
#include "data/lessons/lesson_footprint.h"
#include "data/lessons/lesson_trace.h"
#include "data/measured/trace_reading.h"
#include "data/model/model_point.h"
#include "data/presets/presets.h"
#include "data/results/metrics.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace data {
namespace {

using engine::Problem;
using engine::Problems;

constexpr std::size_t kMostClaims = 60;  // of one step
constexpr std::size_t kMostChoices = 8;

/// What a claim can be about.
struct ClaimSubject {
    ResultSubject subject{};
    const char* words;  // for messages
};
constexpr std::array kClaimSubjects{ClaimSubject{ResultSubject::run, "a run"},
                                    ClaimSubject{ResultSubject::footprint, "a footprint"},
                                    ClaimSubject{ResultSubject::training, "a training step"}};

/// Returns an empty text if no claim can be about it.
std::string wordsOf(ResultSubject subject) {
    const auto found = std::ranges::find(kClaimSubjects, subject, &ClaimSubject::subject);
    return found == kClaimSubjects.end() ? std::string() : found->words;
}

/// Returns the subject of whole models that has this number, or an empty optional.
std::optional<ResultSubject> subjectOf(std::string_view path) {
    for (const ResultSubject subject : {ResultSubject::footprint, ResultSubject::training}) {
        if (findMetric(path, subject) != nullptr)
            return subject;
    }
    return std::nullopt;
}

/// Reads one lesson. Every problem is added to the reading, which also keeps everything that could be read.
class LessonReader : private TreeReader {
public:
    /// `folder` has the traces that are not bundled; empty: there are none.
    LessonReader(LessonReading& reading, std::string folder)
        : TreeReader(reading.problems, {.mayBeEmpty = true}), m_lesson(reading.lesson), m_folder(std::move(folder)) {}

    void read(const DocumentNode& root) {
        checkKeys(root, "", {"format", "version", "title", "summary", "experiment", "steps"}, problems());
        checkVersion(root, 1, problems());
        m_lesson.title = textAt(root, "", "title", true);
        m_lesson.summary = textAt(root, "", "summary", false);
        readExperiment(root, "", m_draft);
        const DocumentNode* steps = childOf(root, "", "steps", Kind::list, "a list [...]", problems());
        if (root.find("steps") == nullptr || (steps != nullptr && steps->children.empty()))
            report("steps", steps == nullptr ? "" : "[]",
                   "a lesson has at least one step; allowed: a list [{...}, ...]");
        if (steps == nullptr)
            return;
        if (steps->children.size() > kMostLessonSteps)
            report("steps", std::to_string(steps->children.size()) + " steps",
                   "too many; allowed: 1 to " + std::to_string(kMostLessonSteps));
        readEach(
            steps, "steps", "a step {...}", [this](const auto& node, const auto& where) { readStep(node, where); },
            kMostLessonSteps);
    }

private:
    /// Reads a text with numbers and links. Every placeholder must be a claim of this step or of an earlier one, and
    /// every link must lead to a part of the window.
    std::string spokenText(const DocumentNode& object, const std::string& where, std::string_view key, bool needed) {
        std::string text = textAt(object, where, key, needed);
        for (const LessonPiece& piece : lessonPieces(text)) {
            if (piece.isClaim && m_lesson.claim(piece.text) == nullptr && goesOn())
                report(within(where, key), "{" + piece.text + "}", unknownClaim(piece.text));
        }
        for (const std::string& part : lessonLinks(text)) {
            if (goesOn())
                checkPart(part, within(where, key));
        }
        return text;
    }

    std::string unknownClaim(const std::string& name) const {
        std::vector<std::string> names;
        for (const LessonStep& step : m_lesson.steps) {
            for (const LessonClaim& claim : step.claims)
                names.push_back(claim.name);
        }
        if (names.empty())
            return "no claim has this name; allowed: the name of a claim of this step or of a step before it";
        const auto near = engine::nearestNames(name, names);
        return near.empty() ? "no claim has this name in this step or before it; allowed: " + joinedNames(names, " or ")
                            : "no claim has this name in this step or before it, " + suggestionOf(near);
    }

    void readExperiment(const DocumentNode& object, const std::string& where, ExperimentDraft& draft) {
        if (readSettings(object, where, draft) && object.find("experiment") != nullptr)
            reportAll(problemsOfShowing(draft), within(where, "experiment"));
    }

    /// Adds the values of the object's "experiment", if it has one. Returns false if they have problems of their own.
    bool readSettings(const DocumentNode& object, const std::string& where, ExperimentDraft& draft) {
        if (object.find("experiment") == nullptr)
            return true;
        const DocumentNode* node =
            childOf(object, where, "experiment", Kind::object, "an experiment {...}", problems());
        if (node == nullptr)
            return false;
        BodyReading body = readExperimentAt(*node, within(where, "experiment"), problems());
        for (auto& [parameter, value] : body.values)
            draft.explicitValues.insert_or_assign(parameter, std::move(value));
        draft.removed.insert(draft.removed.end(), body.removed.begin(), body.removed.end());
        return body.problems.empty();
    }

    void reportAll(Problems found, const std::string& where) {
        for (Problem& problem : found)
            report(where + "." + problem.path, std::move(problem.value), std::move(problem.text));
    }

    void readStep(const DocumentNode& node, const std::string& where) {
        checkKeys(node, where,
                  {"text", "experiment", "traces", "pair", "scene", "compare", "pin", "holds", "play", "highlight",
                   "question", "reveal", "try", "claims"},
                  problems());
        m_lesson.steps.emplace_back();
        readExperiment(node, where, m_draft);
        m_lesson.steps.back().draft = m_draft;
        readTraces(node, where);
        readClaims(node, where);
        LessonStep& step = m_lesson.steps.back();
        step.text = spokenText(node, where, "text", true);
        readScenePart(node, where, step);
        readCompare(node, where, step);
        step.pins = flagAt(node, where, "pin");
        step.holds = flagAt(node, where, "holds").value_or(false);
        if (step.holds && (m_lesson.steps.size() < 2 || node.find("question") == nullptr))
            report(where + ".holds", "true",
                   "allowed only in a step with a \"question\", after a step that is shown until the reader answers");
        readPlay(node, where, step);
        step.highlight = textAt(node, where, "highlight", false);
        if (!step.highlight.empty())
            checkPart(step.highlight, where + ".highlight");
        readQuestion(node, where, step);
        step.reveal = spokenText(node, where, "reveal", false);
        if (step.question && step.reveal.empty() && node.find("reveal") == nullptr)
            report(where + ".reveal", "", "missing; a question needs a text that gives the answer");
        if (!step.question && node.find("reveal") != nullptr)
            report(where + ".reveal", "", "the step asks nothing; a \"question\" is expected beside it");
        readTry(node, where, step);
        if (!hasRun(step.draft))
            refuseRun(node, where, step);
    }

    /// Reports what a step without a run cannot show.
    void refuseRun(const DocumentNode& node, const std::string& where, const LessonStep& step) {
        constexpr const char* kNoRun = "the model is a network, which has no run; leave it out";
        for (const char* key : {"compare", "pin", "play"})
            if (node.find(key) != nullptr)
                report(where + "." + key, "", kNoRun);
        if (step.scene.view != "model")
            report(where + ".scene.view", step.scene.view, "the model is a network, which has no run; allowed: model");
    }

    void readTraces(const DocumentNode& node, const std::string& where) {
        constexpr std::size_t kMostTraces = 64;
        const DocumentNode* list =
            childOf(node, where, "traces", Kind::list, "a list of traces [...], one for each rank,", problems());
        if (list != nullptr && (list->children.empty() || list->children.size() > kMostTraces))
            report(where + ".traces", std::to_string(list->children.size()),
                   "1 to " + std::to_string(kMostTraces) + " traces are expected");
        if (list != nullptr)
            m_traces.clear();
        for (std::size_t i = 0; list != nullptr && i < list->children.size() && goesOn(); ++i) {
            const DocumentNode& name = list->children[i];
            if (name.kind != Kind::string)
                report(indexed(where + ".traces", i), name.shown(), "wrong type, the name of a trace is expected");
            else
                m_traces.push_back(traceNamed(name.text, indexed(where + ".traces", i)));
        }
        LessonTraces& traces = m_lesson.steps.back().traces;
        traces.files = m_traces;
        traces.pair = textAt(node, where, "pair", false);
        if (traces.pair.empty())
            return;
        if (traces.files.empty())
            report(where + ".pair", traces.pair, "the step has no \"traces\" that could have this pair");
        else if (traces.pair.find(',') == std::string::npos)
            report(where + ".pair", traces.pair,
                   "not a pair; allowed: a GEMM and an operation such as 4096x4096x1024,all-reduce");
    }

    /// Returns the path of a trace: that of a bundled one, or of a file beside the lesson.
    std::string traceNamed(const std::string& name, const std::string& where) {
        if (findNamed(bundledTraceTexts(), &BundledText::name, std::string_view(name)) != nullptr)
            return std::string(kBundledTrace) + name;
        const std::filesystem::path file = std::filesystem::path(m_folder) / name;
        std::error_code error;
        if (m_folder.empty() || !std::filesystem::is_regular_file(file, error))
            report(where, name,
                   std::string(m_folder.empty() ? "no bundled trace"
                                                : "neither a bundled trace nor a file beside the lesson") +
                       "; bundled are " + joined(namesOf(bundledTraceTexts(), &BundledText::name), ", "));
        return file.string();
    }

    void readCompare(const DocumentNode& node, const std::string& where, LessonStep& step) {
        const DocumentNode* list = childOf(node, where, "compare", Kind::list, "a list of policies [...]", problems());
        for (std::size_t i = 0; list != nullptr && i < list->children.size() && goesOn(); ++i) {
            const DocumentNode& policy = list->children[i];
            if (findPolicy(policy.text) == nullptr)
                report(indexed(where + ".compare", i), policy.shown(),
                       "no such policy; allowed: " + engine::describeAllowed(*engine::findParameter("policy.preset")));
            else
                step.compare.push_back(policy.text);
        }
        if (list != nullptr && (list->children.empty() || list->children.size() > 4))
            report(where + ".compare", std::to_string(list->children.size()), "1 to 4 policies are expected");
    }

    void readScenePart(const DocumentNode& node, const std::string& where, LessonStep& step) {
        step.scene.view = m_view;
        step.scene.page = m_page;
        const DocumentNode* scene = childOf(node, where, "scene", Kind::object, "a scene {...}", problems());
        if (scene == nullptr)
            return;
        SceneReading reading = readScene(*scene, where + ".scene");
        for (Problem& problem : reading.problems)
            problems().push_back(std::move(problem));
        if (reading.scene.draft)
            report(where + ".scene.experiment", "",
                   "not allowed in the scene of a step; write \"experiment\" in the step, beside \"scene\"");
        reading.scene.draft.reset();
        if (!reading.scene.page.empty() || (!reading.scene.view.empty() && reading.scene.view != m_view))
            m_page = reading.scene.page;
        if (!reading.scene.view.empty())
            m_view = reading.scene.view;
        step.scene = std::move(reading.scene);
        step.scene.view = m_view;
        step.scene.page = m_page;
    }

    void checkPart(const std::string& part, const std::string& where) {
        if (!isLessonPart(part))
            report(where, part, unknownLessonPart(part));
    }

    void readPlay(const DocumentNode& node, const std::string& where, LessonStep& step) {
        const DocumentNode* play = childOf(node, where, "play", Kind::object, "an object {...}", problems());
        if (play == nullptr)
            return;
        const std::string path = where + ".play";
        checkKeys(*play, path, {"from", "to", "duration", "loop"}, problems());
        const auto from = readShare(*play, path, "from"), to = readShare(*play, path, "to");
        const auto seconds = readDuration(*play, path);
        const bool loop = flagAt(*play, path, "loop").value_or(false);
        if (from && to && *from >= *to)
            report(path + ".to", writeMoment({0, *to, true}),
                   "not after \"from\"; allowed: a share above " + writeMoment({0, *from, true}) + ", up to 100 %");
        else if (from && to && seconds)
            step.play = LessonPlay{*from, *to, *seconds, loop};
    }

    /// Reads a share of the run. Unlike a time, a share lies within every run.
    std::optional<double> readShare(const DocumentNode& object, const std::string& where, const char* key) {
        const std::string text = textAt(object, where, key, true);
        const auto moment = readMoment(text);
        if (moment && moment->relative)
            return moment->share;
        if (!text.empty())
            report(within(where, key), text, "not a share of the run; allowed: 0 % to 100 %");
        return std::nullopt;
    }

    std::optional<double> readDuration(const DocumentNode& object, const std::string& where) {
        const std::string text = textAt(object, where, "duration", true);
        const auto moment = readMoment(text);
        const double seconds = moment && !moment->relative ? static_cast<double>(moment->ps) * 1e-12 : 0;
        if (seconds >= kShortestLessonPlay && seconds <= kLongestLessonPlay)
            return seconds;
        if (!text.empty())
            report(where + ".duration", text, "not a duration that is allowed; allowed: 1 s to 60 s, such as 8 s");
        return std::nullopt;
    }

    void readQuestion(const DocumentNode& node, const std::string& where, LessonStep& step) {
        const DocumentNode* asked = childOf(node, where, "question", Kind::object, "a question {...}", problems());
        if (asked == nullptr)
            return;
        const std::string path = where + ".question";
        checkKeys(*asked, path, {"text", "choices", "answer"}, problems());
        LessonQuestion question;
        question.text = spokenText(*asked, path, "text", true);
        const std::string answer = textAt(*asked, path, "answer", true);
        if (const DocumentNode* list = childOf(*asked, path, "choices", Kind::list, "a list [...]", problems())) {
            readChoices(*list, path, answer, question);
        } else if (asked->find("choices") == nullptr && !answer.empty()) {
            question.claim = answer;
            if (m_lesson.claim(answer) == nullptr)
                report(path + ".answer", answer, unknownClaim(answer));
        }
        step.question = std::move(question);
    }

    void readChoices(const DocumentNode& list, const std::string& path, const std::string& answer,
                     LessonQuestion& question) {
        for (std::size_t i = 0; i < list.children.size() && goesOn(); ++i) {
            const DocumentNode& choice = list.children[i];
            if (choice.kind != Kind::string || choice.text.empty())
                report(indexed(path + ".choices", i), choice.shown(), "a text is expected");
            question.choices.push_back(choice.text);
        }
        if (list.children.size() < 2 || list.children.size() > kMostChoices)
            report(path + ".choices", std::to_string(list.children.size()),
                   "a question has 2 to " + std::to_string(kMostChoices) + " choices");
        const auto right = std::find(question.choices.begin(), question.choices.end(), answer);
        if (right == question.choices.end()) {
            if (!answer.empty())
                report(path + ".answer", answer, "not one of the choices; allowed: the right choice, word for word");
        } else {
            question.right = static_cast<std::size_t>(right - question.choices.begin());
        }
    }

    void readTry(const DocumentNode& node, const std::string& where, LessonStep& step) {
        const DocumentNode* attempt = childOf(node, where, "try", Kind::object, "an object {...}", problems());
        if (attempt == nullptr)
            return;
        const std::string path = where + ".try";
        checkKeys(*attempt, path, {"text", "parameter", "value", "open", "then"}, problems());
        LessonTry read;
        read.text = spokenText(*attempt, path, "text", true);
        read.then = spokenText(*attempt, path, "then", false);
        const std::string open = textAt(*attempt, path, "open", false);
        if (!open.empty() && open != "traces")
            report(path + ".open", open, "nothing to open; allowed: traces");
        for (const char* key : {"parameter", "value"}) {
            if (attempt->find("open") != nullptr && attempt->find(key) != nullptr)
                report(path + "." + key, attempt->find(key)->text, "not allowed beside \"open\"");
        }
        read.parameter = textAt(*attempt, path, "parameter", attempt->find("open") == nullptr);
        read.value = textAt(*attempt, path, "value", false);
        const engine::Parameter* parameter = engine::findParameter(read.parameter);
        if (parameter == nullptr) {
            if (!read.parameter.empty())
                report(path + ".parameter", read.parameter,
                       "no such parameter, " + suggestionOf(engine::nearestParameters(read.parameter)));
        } else if (!read.value.empty()) {
            Problems inValue;
            engine::parseValue(*parameter, read.value, inValue);
            for (Problem& problem : inValue)
                report(path + ".value", std::move(problem.value), std::move(problem.text));
        }
        step.attempt = std::move(read);
    }

    void readClaims(const DocumentNode& node, const std::string& where) {
        const DocumentNode* claims = childOf(node, where, "claims", Kind::object, "claims {...}", problems());
        if (claims == nullptr)
            return;
        if (claims->keys.size() > kMostClaims)
            report(where + ".claims", std::to_string(claims->keys.size()) + " claims",
                   "too many; allowed: up to " + std::to_string(kMostClaims));
        for (std::size_t i = 0; i < std::min(claims->keys.size(), kMostClaims) && goesOn(); ++i) {
            const std::string path = where + ".claims." + claims->keys[i];
            if (m_lesson.claim(claims->keys[i]) != nullptr)
                report(path, "", "there is a claim of this name already; another name is expected");
            else if (claims->children[i].kind != Kind::object)
                report(path, claims->children[i].shown(), "wrong type, a claim {...} is expected");
            else
                readClaim(claims->children[i], path, claims->keys[i]);
        }
    }

    void readClaim(const DocumentNode& node, const std::string& path, const std::string& name) {
        checkKeys(node, path,
                  {"metric", "parameter", "difference", "ratio", "measured", "of", "phase", "policy", "experiment",
                   "value", "tolerance"},
                  problems());
        LessonClaim claim;
        claim.name = name;
        claim.draft = m_draft;
        claim.traces = m_lesson.steps.back().traces;
        if (const DocumentNode* policy = childOf(node, path, "policy", Kind::string, "a policy's name", problems())) {
            const DocumentValue value{"policy.preset", policy->text, DocumentValue::Kind::string};
            Problems inValue;
            if (auto read = valueOf(value, *engine::findParameter("policy.preset"), inValue))
                claim.draft.explicitValues.insert_or_assign("policy.preset", std::move(*read));
            for (Problem& problem : inValue)
                report(path + ".policy", std::move(problem.value), std::move(problem.text));
        }
        const bool understood = readSettings(node, path, claim.draft);
        const std::size_t before = problems().size();
        readSource(node, path, claim);
        readSubject(node, path, claim);
        if (claim.kind == LessonClaim::Kind::metric)
            checkMetric(path, claim);
        if (understood)
            judge(node, path, claim);
        claim.text = textAt(node, path, "value", true);
        m_lesson.steps.back().claims.push_back(claim);
        if (problems().size() == before)
            readClaimNumbers(node, path, m_lesson.steps.back().claims.back());
    }

    void readSource(const DocumentNode& node, const std::string& path, LessonClaim& claim) {
        using enum LessonClaim::Kind;
        int sources = 0;
        for (const auto& [key, kind] :
             {std::pair{"metric", metric}, std::pair{"parameter", parameter}, std::pair{"difference", difference},
              std::pair{"ratio", ratio}, std::pair{"measured", measured}}) {
            if (node.find(key) == nullptr)
                continue;
            ++sources;
            claim.kind = kind;
        }
        if (sources != 1)
            return report(
                path, "",
                "exactly one of \"metric\", \"parameter\", \"difference\", \"ratio\" and \"measured\" is expected");
        if (claim.kind == metric) {
            claim.path = textAt(node, path, "metric", true);
        } else if (claim.kind == measured) {
            readMeasured(node, path, claim);
        } else if (claim.kind == parameter) {
            claim.path = textAt(node, path, "parameter", true);
            const engine::Parameter* found = engine::findParameter(claim.path);
            if (found == nullptr && !claim.path.empty())
                report(path + ".parameter", claim.path,
                       "no such parameter, " + suggestionOf(engine::nearestParameters(claim.path)));
            else if (found != nullptr &&
                     (found->kind == engine::ParameterKind::choice || found->kind == engine::ParameterKind::text))
                report(path + ".parameter", claim.path,
                       "a parameter whose values are words; a parameter with numbers is expected");
        } else {
            readPair(node, path, claim.kind == difference ? "difference" : "ratio", claim);
        }
    }

    void readMeasured(const DocumentNode& node, const std::string& path, LessonClaim& claim) {
        claim.path = textAt(node, path, "measured", true);
        if (claim.traces.files.empty())
            report(path + ".measured", claim.path, "the step has no \"traces\" that could say it");
        for (const char* key : {"policy", "experiment"}) {
            if (node.find(key) != nullptr)
                report(path + "." + key, "", "a measured number does not depend on it; leave it out");
        }
    }

    /// Reads the subject of a metric: a run, a footprint in a phase of the model, or a training step.
    void readSubject(const DocumentNode& node, const std::string& path, LessonClaim& claim) {
        const DocumentNode* of = childOf(node, path, "of", Kind::string, "run, footprint or training", problems());
        const auto subject = of != nullptr ? resultSubjectNamed(of->text) : std::nullopt;
        if (of != nullptr && (!subject || wordsOf(*subject).empty()))
            report(path + ".of", of->text, "no such subject; allowed: run, footprint or training");
        else if (of != nullptr && claim.kind != LessonClaim::Kind::metric)
            report(path + ".of", of->text, "allowed only beside \"metric\"; leave it out");
        else if (subject)
            claim.of = *subject;
        readPhase(node, path, claim);
        if (claim.of == ResultSubject::footprint && node.find("policy") != nullptr)
            report(path + ".policy", node.find("policy")->text,
                   "a footprint does not depend on the policy; leave it out");
    }

    void readPhase(const DocumentNode& node, const std::string& path, LessonClaim& claim) {
        const DocumentNode* phase =
            childOf(node, path, "phase", Kind::string, "training, prompt or generation", problems());
        const auto named = phase != nullptr ? engine::modelPhaseNamed(phase->text) : std::nullopt;
        claim.phase = named.value_or(claim.phase);
        if (phase != nullptr && !named)
            report(path + ".phase", phase->text, "no such phase; allowed: training, prompt or generation");
        else if (phase != nullptr && claim.of != ResultSubject::footprint)
            report(path + ".phase", phase->text,
                   wordsOf(claim.of) + " has no phase; allowed only beside \"of\": \"footprint\"");
    }

    void checkMetric(const std::string& path, const LessonClaim& claim) {
        const bool ofRun = claim.of == ResultSubject::run;
        if (claim.path.empty() || findMetric(claim.path, claim.of) != nullptr ||
            (ofRun && isLessonAttribution(claim.path)))
            return;
        if (const auto other = subjectOf(claim.path))
            report(path + ".metric", claim.path,
                   "a number of " + wordsOf(*other) + ", not of " + wordsOf(claim.of) + "; \"of\": \"" +
                       std::string(name(*other)) + "\" is expected beside it");
        else if (ofRun)
            report(path + ".metric", claim.path, "no such metric, " + suggestionOf(nearestLessonMetrics(claim.path)));
        else
            report(path + ".metric", claim.path,
                   "no such number of " + wordsOf(claim.of) + ", " +
                       suggestionOf(nearestMetrics(claim.path, claim.of)));
    }

    /// Reports the problems that prevent the claim's experiment from being run or, for a footprint, its division from
    /// being computed.
    void judge(const DocumentNode& node, const std::string& path, const LessonClaim& claim) {
        const bool hasOwn = node.find("experiment") != nullptr;
        const std::string where = hasOwn ? path + ".experiment" : path;
        if (claim.of == ResultSubject::footprint)
            reportAll(lessonFootprintProblems(claim.draft, claim.phase, claim.path), where);
        else if (claim.of == ResultSubject::training)
            reportAll(expandModelPoint(claim.draft, claim.of).problems, where);
        else if (hasOwn || node.find("policy") != nullptr ||
                 (claim.kind == LessonClaim::Kind::metric && !hasRun(claim.draft)))
            reportAll(claim.kind == LessonClaim::Kind::parameter ? problemsOfShowing(claim.draft)
                                                                 : expand(claim.draft).problems,
                      where);
    }

    void readPair(const DocumentNode& node, const std::string& path, const char* key, LessonClaim& claim) {
        const DocumentNode* pair = childOf(node, path, key, Kind::list,
                                           "a list [\"A\", \"B\"] of two claims, for A - B or A / B,", problems());
        if (pair == nullptr)
            return;
        if (pair->children.size() != 2)
            return report(path + "." + key, std::to_string(pair->children.size()) + " names",
                          "the names of exactly two claims are expected");
        std::string* const names[] = {&claim.to, &claim.from};
        for (std::size_t i = 0; i < 2; ++i) {
            const DocumentNode& name = pair->children[i];
            const std::string where = indexed(within(path, key), i);
            if (name.kind != Kind::string)
                report(where, name.shown(), "wrong type, the name of a claim is expected");
            else if (m_lesson.claim(name.text) == nullptr)
                report(where, name.text, unknownClaim(name.text));
            else
                *names[i] = name.text;
        }
    }

    void readClaimNumbers(const DocumentNode& node, const std::string& path, LessonClaim& claim) {
        const auto number = lessonNumber(claim.text, m_lesson, claim);
        if (!number)
            return report(path + ".value", claim.text,
                          "not a number of this kind, or too large; allowed: a number such as " + exampleOf(claim));
        claim.value = number->value;
        claim.tolerance = number->digit;
        const DocumentNode* given =
            childOf(node, path, "tolerance", Kind::string, "a string such as \"1 %\"", problems());
        if (given == nullptr)
            return;
        // "1 %" is a share of the value, even if the value is a percentage itself.
        const bool share = given->text.find('%') != std::string::npos;
        LessonClaim plain;
        plain.kind = LessonClaim::Kind::ratio;
        plain.text = "1";
        const auto read = lessonNumber(given->text, m_lesson, share ? plain : claim);
        if (!read || !(read->value >= 0))
            return report(path + ".tolerance", given->text,
                          "not a tolerance; allowed: a share such as 1 %, or a number in the unit of the value");
        claim.tolerance = share ? std::abs(claim.value) * read->value : read->value;
        if (!isBounded(claim.value, claim.tolerance))
            report(path + ".tolerance", given->text, "too large; the range that it allows must be finite");
    }

    std::string exampleOf(const LessonClaim& claim) const {
        if (claim.kind == LessonClaim::Kind::metric || claim.kind == LessonClaim::Kind::measured) {
            Metric metric;
            metric.unit =
                claim.kind == LessonClaim::Kind::metric ? *lessonMetricUnit(claim.path) : lessonTraceUnit(claim.path);
            return formatMetric(metric, 1'234'567);
        }
        if (claim.kind == LessonClaim::Kind::parameter) {
            const engine::Parameter& parameter = *engine::findParameter(claim.path);
            return engine::formatValue(parameter, parameter.defaultValue);
        }
        return claim.kind == LessonClaim::Kind::ratio ? "1.21 or 18 %" : "that of the two claims";
    }

    Lesson& m_lesson;
    ExperimentDraft m_draft;            // the values that the steps so far have set
    std::string m_view;                 // of the step before
    std::string m_page;                 // of the step before
    std::vector<std::string> m_traces;  // of the step before
    std::string m_folder;
};

}  // namespace

LessonReading readLesson(std::string_view json, std::string_view origin, const std::string& folder) {
    LessonReading reading;
    DocumentTree tree = readTree(json, origin);
    reading.problems = std::move(tree.problems);
    if (!tree.root)
        return reading;
    if (auto other = formatProblem(*tree.root, origin, "a lesson", kLessonFormat)) {
        reading.problems = {std::move(*other)};
        return reading;
    }
    LessonReader(reading, folder).read(*tree.root);
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    return reading;
}

LessonReading readLessonFile(const std::string& path) {
    LessonReading reading;
    const std::string text = readText(path, reading.problems);
    if (!reading.problems.empty())
        return reading;
    const std::string folder = path == "-" ? std::string() : std::filesystem::path(path).parent_path().string();
    return readLesson(text, path, folder.empty() ? "." : folder);
}

}  // namespace data
