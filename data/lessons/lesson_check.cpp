#include "data/lessons/lesson_check.h"

#include "data/document/value_places.h"
#include "data/laboratory/laboratory.h"
#include "data/laboratory/work_progress.h"
#include "data/lessons/lesson_footprint.h"
#include "data/model/model_point.h"
#include "data/results/metrics.h"
#include "engine/api/baselines.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <set>
#include <utility>

namespace data {
namespace {

/// A text of a step with its path in the document.
struct SpokenText {
    std::string path;
    const std::string* text;
};

std::vector<SpokenText> textsOf(const Lesson& lesson, std::size_t index) {
    const LessonStep& step = lesson.steps[index];
    const std::string where = "steps[" + std::to_string(index) + "]";
    std::vector<SpokenText> texts{{where + ".text", &step.text}};
    if (step.question) {
        texts.push_back({where + ".question.text", &step.question->text});
        for (std::size_t i = 0; i < step.question->choices.size(); ++i)
            texts.push_back({where + ".question.choices[" + std::to_string(i) + "]", &step.question->choices[i]});
    }
    texts.push_back({where + ".reveal", &step.reveal});
    if (step.attempt) {
        texts.push_back({where + ".try.text", &step.attempt->text});
        texts.push_back({where + ".try.then", &step.attempt->then});
    }
    return texts;
}

std::set<std::string> claimsSaidIn(const Lesson& lesson, std::size_t index) {
    std::set<std::string> names;
    for (const SpokenText& spoken : textsOf(lesson, index)) {
        for (LessonPiece& piece : lessonPieces(*spoken.text)) {
            if (piece.isClaim)
                names.insert(std::move(piece.text));
        }
    }
    if (const auto& question = lesson.steps[index].question; question && !question->claim.empty())
        names.insert(question->claim);
    return names;
}

bool isOfTwo(const LessonClaim& claim) {
    return claim.kind == LessonClaim::Kind::difference || claim.kind == LessonClaim::Kind::ratio;
}

bool isOfFootprint(const LessonClaim* claim) {
    return claim->kind == LessonClaim::Kind::metric && claim->of == ResultSubject::footprint;
}

bool isSimulated(const LessonClaim* claim) {
    return claim->kind == LessonClaim::Kind::metric && claim->of != ResultSubject::footprint;
}

/// Adds the claims of metrics and of measured numbers that `claim` is computed from. `seen` ends the recursion even for claims that refer to
/// each other; a lesson that was read from a document has none.
void addMetrics(const Lesson& lesson, const LessonClaim& claim, std::set<const LessonClaim*>& seen,
                std::vector<const LessonClaim*>& metrics) {
    if (!seen.insert(&claim).second)
        return;
    if (claim.kind == LessonClaim::Kind::metric || claim.kind == LessonClaim::Kind::measured)
        metrics.push_back(&claim);
    if (!isOfTwo(claim))
        return;
    for (const std::string& name : {claim.from, claim.to}) {
        if (const LessonClaim* source = lesson.claim(name))
            addMetrics(lesson, *source, seen, metrics);
    }
}

/// Returns what gives the number of a claim. If anything that it is computed from is simulated, that is simulation.
LessonVerdict::Source sourceOf(const Lesson& lesson, const LessonClaim& claim) {
    std::set<const LessonClaim*> seen;
    std::vector<const LessonClaim*> metrics;
    addMetrics(lesson, claim, seen, metrics);
    if (std::ranges::any_of(metrics, &isSimulated) || metrics.empty())
        return LessonVerdict::Source::simulation;
    return std::ranges::all_of(metrics, &isOfFootprint) ? LessonVerdict::Source::division
                                                        : LessonVerdict::Source::trace;
}

/// Returns whether a claim about these settings needs the attribution.
bool asksForAttribution(const Lesson& lesson, const Settings& settings) {
    return std::any_of(lesson.steps.begin(), lesson.steps.end(), [&](const LessonStep& step) {
        return std::any_of(step.claims.begin(), step.claims.end(), [&](const LessonClaim& claim) {
            return claim.kind == LessonClaim::Kind::metric && isLessonAttribution(claim.path) &&
                   claim.draft.explicitValues == settings;
        });
    });
}

std::optional<double> settingOf(const LessonClaim& claim) {
    const engine::Parameter* parameter = engine::findParameter(claim.path);
    if (parameter == nullptr)
        return std::nullopt;
    return numberOf(parameter->read(expand(claim.draft).experiment));
}

/// Returns the allowed range with as many digits as are needed to give both ends exactly, or nearly so.
std::string allowedText(const Lesson& lesson, const LessonClaim& claim) {
    const auto written = lessonNumber(claim.text, lesson, claim);
    double digits = written && written->digit > 0 ? claim.tolerance / written->digit : 0;
    constexpr int kMostMore = 2;
    constexpr double kNearlyWhole = 1e-6;
    int more = 0;
    for (; more < kMostMore && std::abs(digits - std::round(digits)) > kNearlyWhole; ++more)
        digits *= 10;
    return lessonNumberText(lesson, claim, claim.value - claim.tolerance, more) + " to " +
           lessonNumberText(lesson, claim, claim.value + claim.tolerance, more);
}

/// Returns the simulated number. If the claim does not hold, it has enough digits to differ from the lesson's number.
std::string simulatedText(const Lesson& lesson, const LessonVerdict& verdict) {
    constexpr int kMostMore = 9;
    const auto text = [&](double value, int more) { return lessonNumberText(lesson, verdict.claim, value, more); };
    int more = 0;
    while (!verdict.holds && more < kMostMore && text(*verdict.simulated, more) == text(verdict.claim.value, more))
        ++more;
    return text(*verdict.simulated, more);
}

/// Matches names and formulas, or, in the first group, a number with its unit. The first match in a text is taken.
const std::regex& namesAndNumbers() {
    static const std::regex kPattern(R"re(\{[^}]*\})re"     // of a claim
                                     R"re(|\]\([^)]*\))re"  // of a link: ](part:channels/3)
                                     R"re(|\b(?:GPUs?|TP|[Ss]teps?|[Ll]essons?|[Rr]anks?) [0-9]+)re"  // GPU 3
                                     R"re(|\b[A-Z] ?(?:−|-|/|\+|×|·) ?[0-9]+)re"                      // N − 1
                                     R"re(|\b1F1B\b)re"                                               // a schedule
                                     R"re(|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)re"                 // T3-MCA
                                     R"re(|[0-9]+[A-Z]\b)re"                                          // 2N
                                     R"re(|([0-9]+(?:(?:[.,/-]|–)[0-9]+)*)( ?(?:%|(?:µ|μ)?[A-Za-z/]+))?)re");
    return kPattern;
}

bool isUnit(std::string_view word) {
    if (word.starts_with(' '))
        word.remove_prefix(1);
    if (word == "%")
        return true;
    using enum engine::ParameterUnit;
    constexpr std::array kUnits{picoseconds, bytes, hertz, bytesPerSecond, toOne};
    for (const engine::ParameterUnit unit : kUnits) {
        for (const engine::UnitName& name : engine::unitNames(unit)) {
            if (name.text == word)
                return true;
        }
    }
    return false;
}

/// Does the work and returns why it has no result, or an empty text.
std::string failureOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const engine::InvalidExperiment& error) { return error.what(); } catch (const engine::Deadlock& error) {
        return error.what();
    }
    return {};
}

engine::RunOutcome outcomeOf(const std::function<engine::RunResult()>& run) {
    engine::RunOutcome outcome;
    outcome.failure = failureOf([&] {
        outcome.result = run();
        outcome.result->trace.reset();
        outcome.result->path.reset();
    });
    return outcome;
}

/// Returns the expected cost of a training step, in events, besides the simulations that `work` has already.
double costOfTraining(const ExperimentDraft& draft, ModelWork& work) {
    const Expansion expansion = expandModelPoint(draft, ResultSubject::training);
    const double events = expansion.problems.empty() ? work.add(expansion.experiment, ResultSubject::training) : 0;
    return RunCosts::kEventsOfAnyRun + events;
}

}  // namespace

std::string describe(const LessonVerdict& verdict) {
    const std::string says =
        "step " + std::to_string(verdict.step + 1) + " says " + verdict.claim.text + " (" + verdict.claim.name + "), ";
    const std::string source = verdict.source == LessonVerdict::Source::simulation ? "simulation"
                               : verdict.source == LessonVerdict::Source::division ? "the division"
                                                                                   : "the trace";
    if (!verdict.simulated)
        return says + "but " + source + " gives no number: " + verdict.failure;
    return says + source + " gives " + verdict.simulatedText + "; allowed: " + verdict.allowedText;
}

LessonChecker::LessonChecker(Lesson lesson)
    : LessonChecker(std::move(lesson), [](const ExperimentDraft& draft, const engine::RunOptions& options) {
          return Laboratory().run(draft, options).result;
      }) {}

LessonChecker::LessonChecker(Lesson lesson, Run run)
    : m_lesson(std::move(lesson)), m_run(std::move(run)), m_baselines(std::make_shared<engine::BaselineCache>()),
      m_memory(std::make_shared<ModelMemory>()) {}

std::vector<LessonVerdict> LessonChecker::all(const LessonCheckOptions& options) {
    std::vector<Place> places;
    for (std::size_t i = 0; i < m_lesson.steps.size(); ++i) {
        for (const LessonClaim& claim : m_lesson.steps[i].claims)
            places.push_back({i, &claim});
    }
    return check(places, options);
}

std::vector<LessonVerdict> LessonChecker::step(std::size_t step, const LessonCheckOptions& options) {
    std::vector<Place> places;
    if (step >= m_lesson.steps.size())
        return {};
    const std::set<std::string> said = claimsSaidIn(m_lesson, step);
    for (std::size_t i = 0; i <= step; ++i) {
        for (const LessonClaim& claim : m_lesson.steps[i].claims) {
            if (i == step || said.contains(claim.name))
                places.push_back({i, &claim});
        }
    }
    return check(places, options);
}

std::vector<LessonVerdict> LessonChecker::check(const std::vector<Place>& places, const LessonCheckOptions& options) {
    runFor(places, options);
    std::vector<LessonVerdict> verdicts;
    for (const Place& place : places) {
        const LessonClaim& claim = *place.claim;
        LessonVerdict verdict;
        verdict.step = place.step;
        verdict.claim = claim;
        verdict.path = "steps[" + std::to_string(place.step) + "].claims." + claim.name + ".value";
        verdict.source = sourceOf(m_lesson, claim);
        Answer answer = answerTo(claim);
        verdict.simulated = answer.number;
        verdict.failure = std::move(answer.failure);
        verdict.allowedText = allowedText(m_lesson, claim);
        if (verdict.simulated) {
            // The factor keeps rounding in the last bit from deciding, since the tolerance is a decimal number as well.
            verdict.holds = std::abs(*verdict.simulated - claim.value) <= claim.tolerance * (1 + 1e-9);
            verdict.simulatedText = simulatedText(m_lesson, verdict);
        }
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

void LessonChecker::runFor(const std::vector<Place>& places, const LessonCheckOptions& options) {
    std::set<const LessonClaim*> seen;
    std::vector<const LessonClaim*> metrics;
    for (const Place& place : places)
        addMetrics(m_lesson, *place.claim, seen, metrics);
    std::map<Settings, const ExperimentDraft*> runs, trainings;
    for (const LessonClaim* claim : metrics) {
        const Settings& settings = claim->draft.explicitValues;
        if (claim->kind == LessonClaim::Kind::measured) {
            if (!m_traces.contains(claim->traces))
                m_traces.emplace(claim->traces, lessonTraceReport(claim->traces, options.stop));
        } else if (claim->of == ResultSubject::run && !m_outcomes.contains(settings)) {
            runs.emplace(settings, &claim->draft);
        } else if (claim->of == ResultSubject::training && !m_trainings.contains(settings)) {
            trainings.emplace(settings, &claim->draft);
        }
    }
    std::vector<engine::Experiment> experiments;
    for (const auto& [settings, draft] : runs)
        experiments.push_back(expand(*draft).experiment);
    std::vector<double> costs = costsOf(experiments, true);
    ModelWork work;
    for (const auto& [settings, draft] : trainings)
        costs.push_back(costOfTraining(*draft, work));
    WorkProgress progress(std::move(costs), options.progress);
    std::size_t i = 0;
    for (const auto& [settings, draft] : runs) {
        engine::RunOptions one;
        one.threads = options.threads;
        one.stop = options.stop;
        one.progress = progress.of(i);
        run(*draft, std::move(one));
        progress.ended(i++);
    }
    for (const auto& [settings, draft] : trainings) {
        ModelRunOptions one;
        one.threads = options.threads;
        one.stop = options.stop;
        one.progress = progress.of(i);
        train(*draft, std::move(one));
        progress.ended(i++);
    }
}

void LessonChecker::run(const ExperimentDraft& draft, engine::RunOptions options) {
    const Settings& settings = draft.explicitValues;
    const engine::Experiment experiment = expand(draft).experiment;
    options.attribution = asksForAttribution(m_lesson, settings) && canAttribute(experiment);
    options.baselineCache = m_baselines;
    const auto& outcome = m_outcomes.emplace(settings, outcomeOf([&] { return m_run(draft, options); })).first->second;
    if (outcome.result)
        m_broken.add(experiment, outcome.result->invariants);
}

void LessonChecker::train(const ExperimentDraft& draft, ModelRunOptions options) {
    options.baselineCache = m_baselines;
    options.memory = m_memory;
    const engine::Experiment experiment = expandModelPoint(draft, ResultSubject::training).experiment;
    ModelOutcome outcome;
    outcome.failure = failureOf([&] {
        ModelPointRun point = modelPointOf(experiment, ResultSubject::training, std::move(options));
        m_broken.add(point.broken);
        outcome.point = std::move(point.point);
    });
    m_trainings.emplace(draft.explicitValues, std::move(outcome));
}

LessonChecker::Answer LessonChecker::answerTo(const LessonClaim& claim) const {
    if (claim.kind == LessonClaim::Kind::parameter) {
        const auto number = settingOf(claim);
        return {number, number ? "" : claim.path + " has no number in this experiment"};
    }
    if (isOfTwo(claim))
        return answerOfTwo(claim);
    if (claim.kind == LessonClaim::Kind::measured)
        return answerOfTrace(claim);
    if (isOfFootprint(&claim))
        return answerOfFootprint(claim);
    return claim.of == ResultSubject::training ? answerOfTraining(claim) : answerOfRun(claim);
}

LessonChecker::Answer LessonChecker::answerOfRun(const LessonClaim& claim) const {
    const auto known = m_outcomes.find(claim.draft.explicitValues);
    if (known == m_outcomes.end() || !known->second.result)
        return {std::nullopt, known == m_outcomes.end() ? "it was not run" : known->second.failure};
    const auto number = lessonMetric(*known->second.result, claim.path);
    if (number)
        return {number, ""};
    const bool tooMany = isLessonAttribution(claim.path) && !canAttribute(expand(claim.draft).experiment);
    return {std::nullopt, tooMany ? std::string(kTooManyToAttribute) : "its result has no " + claim.path};
}

LessonChecker::Answer LessonChecker::answerOfTraining(const LessonClaim& claim) const {
    const auto known = m_trainings.find(claim.draft.explicitValues);
    if (known == m_trainings.end() || !known->second.point)
        return {std::nullopt, known == m_trainings.end() ? "it was not run" : known->second.failure};
    const auto number = findMetric(claim.path, ResultSubject::training)->readPoint(*known->second.point);
    return {number, number ? "" : "its training step has no " + claim.path};
}

LessonChecker::Answer LessonChecker::answerOfFootprint(const LessonClaim& claim) {
    const engine::Problems problems = lessonFootprintProblems(claim.draft, claim.phase, claim.path);
    if (!problems.empty())
        return {std::nullopt, engine::describe(problems.front())};
    return {lessonFootprint(claim.draft, claim.phase, claim.path), ""};
}

LessonChecker::Answer LessonChecker::answerOfTrace(const LessonClaim& claim) const {
    Answer answer;
    const auto known = m_traces.find(claim.traces);
    if (known == m_traces.end())
        answer.failure = "its traces were not read";
    else
        answer.number = lessonTraceNumber(known->second, claim.path, answer.failure);
    return answer;
}

LessonChecker::Answer LessonChecker::answerOfTwo(const LessonClaim& claim) const {
    const LessonClaim* from = m_lesson.claim(claim.from);
    const LessonClaim* to = m_lesson.claim(claim.to);
    if (from == nullptr || to == nullptr)
        return {std::nullopt, "it names a claim that does not exist"};
    const Answer fromAnswer = answerTo(*from), toAnswer = answerTo(*to);
    for (const Answer* answer : {&toAnswer, &fromAnswer}) {
        if (!answer->number)
            return {std::nullopt, answer->failure};
    }
    if (claim.kind == LessonClaim::Kind::difference)
        return {*toAnswer.number - *fromAnswer.number, ""};
    if (*fromAnswer.number == 0)
        return {std::nullopt, "it would be divided by " + claim.from + ", which is 0"};
    return {*toAnswer.number / *fromAnswer.number, ""};
}

std::vector<LooseNumber> looseNumbers(const Lesson& lesson) {
    std::vector<LooseNumber> numbers;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        for (const SpokenText& spoken : textsOf(lesson, i)) {
            const std::string& text = *spoken.text;
            for (std::sregex_iterator at(text.begin(), text.end(), namesAndNumbers()), end; at != end; ++at) {
                if (!(*at)[1].matched)
                    continue;
                const std::string unit = (*at)[2].str();
                numbers.push_back({i, spoken.path, (*at)[1].str() + (isUnit(unit) ? unit : std::string())});
            }
        }
    }
    return numbers;
}

}  // namespace data
