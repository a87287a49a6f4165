#include "data/questions/break_even.h"

#include "data/document/document_body.h"
#include "data/document/problem_list.h"
#include "data/document/value_places.h"
#include "data/laboratory/laboratory.h"
#include "data/results/metrics.h"
#include "data/store/store.h"
#include "engine/api/baselines.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace data {
namespace {

bool isSetting(const std::string& against) { return against.find('=') != std::string::npos; }

/// Returns the draft under another policy or with another setting. Precondition: the question passed check.
ExperimentDraft againstDraft(ExperimentDraft draft, const std::string& against) {
    if (!isSetting(against)) {
        draft.explicitValues.insert_or_assign("policy.preset", against);
        return draft;
    }
    engine::Problems problems;
    applySetting(against, draft, problems);
    return draft;
}

/// Checks a setting that is the other side of the question.
void checkAgainst(const BreakEvenQuestion& question, engine::Problems& problems) {
    engine::Problems ofSetting;
    ExperimentDraft draft = question.draft;
    applySetting(question.against, draft, ofSetting);
    for (engine::Problem& problem : ofSetting)
        problems.push_back({"against", question.against, std::move(problem.text)});
    if (ofSetting.empty() && question.against.starts_with(question.parameter + "="))
        problems.push_back(
            {"against", question.against, "it sets the parameter that is varied; a setting of another is expected"});
}

using engine::Parameter;
using engine::ParameterKind;
using engine::ParameterValue;
using engine::Problems;

constexpr double kVisible = 0.02;  // share of the metric's range from which a reversal is reported
constexpr int kProbeLevels = 2;    // 1 + 2 values between the ends

using Step = BreakEvenStep;
using Clock = std::chrono::steady_clock;

class Solver {
public:
    Solver(const BreakEvenQuestion& question, const BreakEvenOptions& options)
        : m_question(question), m_options(options), m_parameter(*engine::findParameter(question.parameter)),
          m_metric(*findMetric(question.metric)), m_places(m_parameter, question.from, question.to, question.tolerance),
          m_expected(2 + 3 + std::max(0, m_places.halvings() - kProbeLevels)) {}

    BreakEven solve() {
        const auto start = Clock::now();
        askEnd(m_question.from);
        askEnd(m_question.to);
        probe(m_question.from, m_question.to, kProbeLevels);
        refine();
        m_answer.crossings = changes();
        m_answer.reversals = reversals();
        m_answer.wall = Clock::now() - start;
        return std::move(m_answer);
    }

private:
    std::vector<Step>& steps() { return m_answer.steps; }

    /// Returns the metric of the experiment at this value, under another policy or with another setting unless that is
    /// empty.
    std::optional<double> measure(ExperimentDraft draft, const std::string& against, bool& reused) {
        if (!against.empty())
            draft = againstDraft(std::move(draft), against);
        if (m_options.store) {
            const Expansion expansion = expand(draft);
            const auto kept = expansion.runnable() ? m_options.store->find(expansion.experiment) : std::nullopt;
            // A kept result without ratios is simulated again if the metric needs them.
            if (kept) {
                const engine::RunResult result = m_options.store->resultOf(*kept);
                if (const auto number = m_metric.read(result)) {
                    m_answer.broken.add(expansion.experiment, result.invariants);
                    ++m_answer.reused;
                    return number;
                }
            }
        }
        reused = false;
        engine::RunOptions options;
        options.threads = m_options.threads;
        options.stop = m_options.stop;
        options.baselineCache = m_baselines;
        if (m_options.progress)
            options.progress = [this](double done) { report((m_measured + done) / measures()); };
        const LaboratoryRun run = Laboratory(m_options.store).run(draft, options);
        m_measured += 1;
        ++m_answer.ran;
        m_answer.broken.add(run.experiment, run.result.invariants);
        if (!run.keepFailure.empty())
            m_answer.keepFailure = run.keepFailure;
        return m_metric.read(run.result);
    }

    Step evaluate(const ParameterValue& value) {
        if (m_options.stop.stop_requested())
            throw engine::RunStopped();
        Step step;
        step.value = value;
        step.reused = true;
        ExperimentDraft draft = m_question.draft;
        draft.explicitValues.insert_or_assign(m_question.parameter, value);
        const auto number = measure(draft, {}, step.reused);
        const auto other =
            m_question.against.empty() ? std::optional<double>(1) : measure(draft, m_question.against, step.reused);
        if (!number || !other)
            throw engine::InvalidExperiment(
                {{"metric", m_question.metric,
                  (number ? m_question.against : policyOf(draft)) + " has no such number"}});
        step.number = *number;
        step.target = m_question.target * *other;
        step.holds = m_question.below ? step.number <= step.target : step.number >= step.target;
        ++m_asked;
        m_measured = 0;
        report(0);
        return step;
    }

    /// Returns the number of experiments of one step.
    double measures() const { return m_question.against.empty() ? 1 : 2; }

    /// Reports the progress; `done` is the fraction of the current step. If the answer changes more than once, there
    /// are more steps than expected.
    void report(double done) {
        m_told = std::clamp((m_asked + done) / std::max(m_expected, m_asked), m_told, 1.0);
        if (m_options.progress)
            m_options.progress(m_told);
    }

    static std::string policyOf(const ExperimentDraft& draft) {
        return std::string(engine::name(expand(draft).experiment.policy.preset));
    }

    /// Stores a step. Steps stay in the order of the values, so that neighbouring values are neighbours.
    void keep(Step step) {
        const double share = m_places.shareOf(step.value);
        const auto place = std::find_if(steps().begin(), steps().end(),
                                        [&](const Step& other) { return m_places.shareOf(other.value) > share; });
        steps().insert(place, std::move(step));
    }

    void askEnd(const ParameterValue& value) { keep(evaluate(value)); }

    /// Runs the experiment at a value. If it cannot be run, the step is stored with the reason and counts for neither
    /// side.
    bool ask(const ParameterValue& value) {
        const bool known =
            std::any_of(steps().begin(), steps().end(), [&](const Step& step) { return step.value == value; });
        if (known)
            return false;
        Step step;
        try {
            step = evaluate(value);
        } catch (const engine::InvalidExperiment& error) {
            step.value = value;
            step.failure = error.what();
        } catch (const engine::Deadlock& error) {
            step.value = value;
            step.failure = error.what();
        }
        const bool answered = step.failure.empty();
        keep(std::move(step));
        return answered;
    }

    void probe(const ParameterValue& a, const ParameterValue& b, int levels) {
        const auto middle = levels > 0 ? halve(a, b) : std::nullopt;
        if (!middle)
            return;
        probe(a, *middle, levels - 1);
        probe(*middle, b, levels - 1);
    }

    /// Returns the neighbouring steps with an answer between which the answer changes.
    std::vector<BreakEvenCrossing> changes() const {
        std::vector<BreakEvenCrossing> found;
        std::optional<std::size_t> last;
        for (std::size_t i = 0; i < m_answer.steps.size(); ++i) {
            if (!m_answer.steps[i].failure.empty())
                continue;
            if (last && m_answer.steps[*last].holds != m_answer.steps[i].holds)
                found.push_back({*last, i});
            last = i;
        }
        return found;
    }

    /// Runs an experiment between two values, in the middle or near it if the middle cannot be run, and returns the
    /// value that has an answer.
    std::optional<ParameterValue> halve(const ParameterValue& a, const ParameterValue& b) {
        constexpr std::size_t kMostTries = 15;
        std::vector<std::pair<ParameterValue, ParameterValue>> stretches{{a, b}};
        for (std::size_t i = 0; i < stretches.size() && i < kMostTries; ++i) {
            const auto [left, right] = stretches[i];
            auto middle = m_places.between(left, right);
            if (!middle)
                continue;
            if (ask(*middle))
                return middle;
            stretches.emplace_back(left, *middle);
            stretches.emplace_back(*middle, right);
        }
        return std::nullopt;
    }

    void refine() {
        for (bool learnt = true; learnt;) {
            learnt = false;
            for (const BreakEvenCrossing& crossing : changes()) {
                const ParameterValue before = steps()[crossing.before].value, after = steps()[crossing.after].value;
                if (halve(before, after)) {
                    learnt = true;
                    break;  // the indices have changed
                }
            }
        }
    }

    std::vector<BreakEvenCrossing> reversals() const {
        std::vector<std::size_t> answered;
        for (std::size_t i = 0; i < m_answer.steps.size(); ++i) {
            if (m_answer.steps[i].failure.empty())
                answered.push_back(i);
        }
        const auto over = [&](std::size_t i) { return m_answer.steps[i].number - m_answer.steps[i].target; };
        double least = over(answered.front()), most = least;
        for (const std::size_t i : answered) {
            least = std::min(least, over(i));
            most = std::max(most, over(i));
        }
        const double way = over(answered.back()) - over(answered.front());
        std::vector<BreakEvenCrossing> found;
        for (std::size_t i = 1; i < answered.size(); ++i) {
            const double change = over(answered[i]) - over(answered[i - 1]);
            if ((way < 0 ? change : -change) > kVisible * (most - least))
                found.push_back({answered[i - 1], answered[i]});
        }
        return found;
    }

    const BreakEvenQuestion& m_question;
    const BreakEvenOptions& m_options;
    const Parameter& m_parameter;
    const Metric& m_metric;
    ValuePlaces m_places;
    /// Shared, because both policies of a step have the same baselines, and many parameters do not change them.
    std::shared_ptr<engine::BaselineCache> m_baselines = std::make_shared<engine::BaselineCache>();
    BreakEven m_answer;
    int m_expected;
    int m_asked = 0;
    double m_measured = 0;  // experiments of the current step that have been run
    double m_told = 0;
};

void checkEnd(const Parameter& parameter, const ParameterValue& value, const char* name, Problems& problems) {
    if (auto problem = engine::check(parameter, value)) {
        problem->path = name;
        problems.push_back(std::move(*problem));
    } else if (!numberOf(value)) {
        problems.push_back({name, engine::formatValue(parameter, value), "a word, but the ends have to be numbers"});
    }
}

void checkWay(const BreakEvenQuestion& question, Problems& problems) {
    const Parameter* parameter = engine::findParameter(question.parameter);
    if (parameter == nullptr) {
        problems.push_back({"parameter", question.parameter,
                            "unknown parameter, " + suggestionOf(engine::nearestParameters(question.parameter))});
        return;
    }
    if (parameter->kind == ParameterKind::choice || parameter->kind == ParameterKind::text) {
        problems.push_back(
            {"parameter", question.parameter, "its values are words; a parameter with numbers is expected"});
        return;
    }
    const std::size_t before = problems.size();
    checkEnd(*parameter, question.from, "from", problems);
    checkEnd(*parameter, question.to, "to", problems);
    if (problems.size() == before && *numberOf(question.from) == *numberOf(question.to))
        problems.push_back(
            {"to", engine::formatValue(*parameter, question.to), "the same as from; another value is expected"});
}

std::string stretchText(const BreakEvenStretch& stretch, const std::function<std::string(std::size_t)>& valueAt) {
    if (!stretch.below)
        return "up to " + valueAt(stretch.largest);
    if (!stretch.above)
        return "from " + valueAt(stretch.smallest) + " on";
    if (stretch.smallest == stretch.largest)
        return "at " + valueAt(stretch.smallest);
    return "from " + valueAt(stretch.smallest) + " to " + valueAt(stretch.largest);
}

}  // namespace

std::vector<BreakEvenStretch> holdingStretches(const BreakEven& answer) {
    std::vector<std::size_t> rising;
    for (std::size_t i = 0; i < answer.steps.size(); ++i) {
        if (answer.steps[i].failure.empty())
            rising.push_back(i);
    }
    if (*numberOf(answer.steps.front().value) > *numberOf(answer.steps.back().value))
        std::reverse(rising.begin(), rising.end());
    std::vector<BreakEvenStretch> stretches;
    bool held = false;
    for (std::size_t i = 0; i < rising.size(); ++i) {
        const bool holds = answer.steps[rising[i]].holds;
        if (holds && !held)
            stretches.push_back({rising[i], rising[i], i > 0 ? std::optional(rising[i - 1]) : std::nullopt, {}});
        if (holds)
            stretches.back().largest = rising[i];
        else if (held)
            stretches.back().above = rising[i];
        held = holds;
    }
    return stretches;
}

std::string stretchesText(const BreakEven& answer, const std::function<std::string(std::size_t)>& valueAt) {
    std::string holds, fails;
    std::vector<std::size_t> failing;
    for (const BreakEvenStretch& stretch : holdingStretches(answer)) {
        holds += (holds.empty() ? "" : ", and ") + stretchText(stretch, valueAt);
        for (const std::optional<std::size_t> step : {stretch.below, stretch.above}) {
            if (step && (failing.empty() || failing.back() != *step))
                failing.push_back(*step);
        }
    }
    for (const std::size_t step : failing)
        fails += (fails.empty() ? "; not at " : ", ") + valueAt(step);
    return holds + fails;
}

std::size_t answeredSteps(const BreakEven& answer) {
    return static_cast<std::size_t>(std::count_if(answer.steps.begin(), answer.steps.end(),
                                                  [](const BreakEvenStep& step) { return step.failure.empty(); }));
}

Problems check(const BreakEvenQuestion& question) {
    Problems problems;
    checkWay(question, problems);
    if (findMetric(question.metric, ResultSubject::run) == nullptr)
        problems.push_back({"metric", question.metric, unknownMetric(question.metric)});
    if (isSetting(question.against)) {
        checkAgainst(question, problems);
    } else if (!question.against.empty()) {
        if (auto problem = engine::check(*engine::findParameter("policy.preset"), question.against))
            problems.push_back({"against", question.against,
                                std::move(problem->text) + ", or another setting, such as companion.by=dma"});
    }
    if (!std::isfinite(question.target))
        problems.push_back({"target", std::to_string(question.target), "not a finite number"});
    if (!(question.tolerance >= BreakEvenQuestion::kFinest && question.tolerance <= 1))
        problems.push_back(
            {"tolerance", std::to_string(100 * question.tolerance) + " %", "out of range; allowed: 0.0001 % to 100 %"});
    return problems;
}

BreakEven breakEven(const BreakEvenQuestion& question, const BreakEvenOptions& options) {
    refuseAny(check(question));
    return Solver(question, options).solve();
}

}  // namespace data
