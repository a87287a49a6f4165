#include "ui/compare/comparison.h"

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/presets/presets.h"
#include "data/questions/pair.h"
#include "data/store/store.h"
#include "engine/api/baselines.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace ui {
namespace {

constexpr qsizetype kMostNamed = 2;  // parameters in a name

using Experiments = std::vector<const engine::Experiment*>;

QString namesTr(const char* text) { return QCoreApplication::translate("CompareNames", text); }

template <class Read>
bool differ(const Experiments& experiments, Read read) {
    return std::ranges::any_of(experiments,
                               [&](const auto* each) { return read(*each) != read(*experiments.front()); });
}

/// Returns whether other parts of a name show the parameter: the policy, machine, case or detail, or, if `rules`
/// differ, the dispatch rule.
bool isSaid(const engine::Parameter& parameter, bool rules) {
    // No policy sets these, so they differ within one policy.
    static constexpr std::array<std::string_view, 3> kBesidesPolicy{"policy.pieces", "policy.queues",
                                                                    "policy.signal_latency"};
    const auto& path = parameter.path;
    if (std::ranges::find(kBesidesPolicy, path) != kBesidesPolicy.end())
        return false;
    if (rules && parameter.group == engine::ParameterGroup::dispatch)
        return true;
    return parameter.group == engine::ParameterGroup::policy || path.starts_with("workload.") ||
           path.starts_with("detail.") || path == "machine" || path == "parallel.tp" || engine::isPolicyPart(path);
}

/// Returns whether machine presets set the parameter, so that it differs with the machine.
bool ofMachine(const engine::Parameter& parameter) {
    const std::vector<std::string>& said = data::saidPaths("machine");
    return std::find(said.begin(), said.end(), parameter.path) != said.end();
}

QString settingsOf(const Experiments& experiments, const engine::Experiment& own, bool machines, bool rules) {
    QStringList settings;
    int more = 0;
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (isSaid(parameter, rules) || (machines && ofMachine(parameter)) || !differ(experiments, parameter.read))
            continue;
        if (settings.size() < kMostNamed)
            settings << text(parameter.label).toLower() + QLatin1Char(' ') +
                            text(engine::formatValue(parameter, parameter.read(own)));
        else
            ++more;
    }
    if (more > 0)
        settings << namesTr("and %1 more").arg(more);
    return settings.join(QStringLiteral(", "));
}

/// Returns the name of the rule that assigns CUs: "in-order", "reserved 16".
QString ruleName(const engine::Experiment& experiment) {
    const engine::DispatchRule rule = engine::dispatchRuleOf(experiment);
    const QString name = text(engine::name(rule));
    return rule == engine::DispatchRule::reserved ? namesTr("%1 %2").arg(name).arg(engine::reservedCus(experiment))
                                                  : name;
}

constexpr std::array kRules{engine::DispatchRule::inOrder, engine::DispatchRule::companionFirst,
                            engine::DispatchRule::roundRobin, engine::DispatchRule::reserved};

constexpr std::array<const char*, 7> kPickKinds{"shown", "policy", "machine", "rule", "algorithm", "pinned", "kept"};
constexpr qsizetype kLongestPickName = 200;

bool isRule(const std::string& name) {
    return std::ranges::any_of(kRules, [&](engine::DispatchRule rule) { return engine::name(rule) == name; });
}

bool isAlgorithm(const std::string& name) {
    return std::ranges::any_of(engine::kCollectiveAlgorithms, [&](const auto& each) { return each.word == name; });
}

std::optional<ComparePick> pickFrom(const QJsonObject& kept) {
    const QString kind = kept[QStringLiteral("is")].toString();
    const auto known = std::find_if(kPickKinds.begin(), kPickKinds.end(),
                                    [&kind](const char* each) { return kind == QLatin1String(each); });
    if (known == kPickKinds.end())
        return std::nullopt;
    ComparePick pick{static_cast<ComparePick::Kind>(known - kPickKinds.begin())};
    const QString name = kept[QStringLiteral("name")].toString();
    if (name.size() > kLongestPickName)
        return std::nullopt;
    pick.name = name.toStdString();
    pick.id = kept[QStringLiteral("id")].toInteger();
    const bool understood = pick.kind == ComparePick::Kind::policy      ? data::findPolicy(pick.name) != nullptr
                            : pick.kind == ComparePick::Kind::machine   ? data::findMachine(pick.name) != nullptr
                            : pick.kind == ComparePick::Kind::rule      ? isRule(pick.name)
                            : pick.kind == ComparePick::Kind::algorithm ? isAlgorithm(pick.name)
                            : pick.kind == ComparePick::Kind::kept      ? pick.id > 0
                                                                        : true;
    return understood ? std::optional(pick) : std::nullopt;
}

constexpr std::array<const char*, kSyncModes> kSyncNames{"time", "chunks", "phases"};

using Kind = ComparePick::Kind;

/// Returns whether a run has everything that the view shows. A bound is complete without trace and causes.
bool isWhole(const data::ShownRun& run) { return !run.run.result.trace || run.run.result.attribution; }

/// Returns the first comparison: the shown run below the sequential one, or above T3-MCA if it is sequential itself.
std::vector<ComparePick> firstPicks(const data::ShownRun& shown) {
    if (shown.run.experiment.policy.preset == engine::PolicyPreset::sequential)
        return {{Kind::shown}, {Kind::policy, "t3-mca"}};
    return {{Kind::policy, "sequential"}, {Kind::shown}};
}

constexpr int kCompareProgressMs = 33;

}  // namespace

CompareSession::CompareSession(RunSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_cache(std::make_shared<engine::BaselineCache>()),
      m_worker(kCompareProgressMs, [this](double fraction) { Q_EMIT progressChanged(fraction); }) {}

void CompareSession::start(std::vector<CompareJob> jobs) {
    m_worker.start([this, jobs = std::move(jobs)](const Worker::Ticket& ticket) { runAll(jobs, ticket); });
    Q_EMIT runStarted();
}

void CompareSession::cancel() {
    if (m_worker.cancel())
        Q_EMIT runStopped();
}

void CompareSession::runAll(const std::vector<CompareJob>& jobs, const Worker::Ticket& ticket) {
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, jobs.size()));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (ticket.stop.stop_requested())
            return;
        const double before = static_cast<double>(i) * share;
        runOne(jobs[i], ticket,
               [before, share, &ticket](double fraction) { ticket.setProgress(before + fraction * share); });
    }
    ticket.finish([this] { Q_EMIT allFinished(); });
}

void CompareSession::runOne(const CompareJob& job, const Worker::Ticket& ticket,
                            const std::function<void(double)>& progress) {
    try {
        engine::RunOptions options;
        options.stop = ticket.stop;
        options.progress = progress;
        options.baselineCache = m_cache;
        const auto shown = m_config.run(draftOf(job), options);
        ticket.deliver([this, key = job.key, shown] { Q_EMIT runFinished(key, shown); });
    } catch (const engine::RunStopped&) {
        return;  // the caller that stopped the jobs reports it
    } catch (const std::exception& error) {
        const RunFailure failure =
            failureOf(error, tr("There is not enough memory for this run beside the others."), QStringLiteral("%1"));
        ticket.deliver([this, key = job.key, text = failure.text] { Q_EMIT runFailed(key, text); });
    }
}

data::ExperimentDraft CompareSession::draftOf(const CompareJob& job) const {
    if (!job.kept)
        return job.draft;
    std::optional<data::Store> store;
    if (m_config.storePath)
        store.emplace(*m_config.storePath, data::Store::Mode::readOnly);
    const auto stored = store ? store->runWithId(*job.kept) : std::nullopt;
    if (!stored || (!job.keptHash.empty() && stored->experimentHash != job.keptHash))
        throw data::StoreError(tr("This run is no longer in the store.").toStdString());
    data::DraftReading reading = data::draftOfKept(*store, *stored);
    if (!reading.problems.empty())
        throw engine::InvalidExperiment(std::move(reading.problems));
    return std::move(reading.draft);
}

data::ExperimentDraft draftOf(const ComparePick& pick, const data::ExperimentDraft& shown) {
    data::ExperimentDraft draft = shown;
    if (pick.kind == ComparePick::Kind::policy)
        draft.explicitValues.insert_or_assign("policy.preset", pick.name);
    if (pick.kind == ComparePick::Kind::rule) {
        for (data::DispatchRow& row : data::dispatchRows(shown)) {
            if (engine::name(row.rule) == pick.name)
                return std::move(row.draft);
        }
        draft.explicitValues.insert_or_assign("dispatch.rule", pick.name);
    }
    if (pick.kind == ComparePick::Kind::algorithm) {
        draft.explicitValues.insert_or_assign("collective.algorithm", pick.name);
        if (!data::expand(draft).runnable())
            draft.explicitValues.insert_or_assign("policy.preset", std::string("sequential"));
    }
    if (pick.kind == ComparePick::Kind::machine) {
        // Values that were set by hand stay on every machine; the values of an own machine are removed with its name.
        const auto named = draft.explicitValues.find("machine");
        const auto* machine = named == draft.explicitValues.end() ? nullptr : std::get_if<std::string>(&named->second);
        if (machine != nullptr && data::findMachine(*machine) == nullptr) {
            for (const std::string& path : data::saidPaths("machine"))
                draft.explicitValues.erase(path);
        }
        draft.explicitValues.insert_or_assign("machine", pick.name);
    }
    return draft;
}

QJsonValue toJson(const std::vector<ComparePick>& picks) {
    QJsonArray kept;
    for (const ComparePick& pick : picks) {
        QJsonObject one{{QStringLiteral("is"), QLatin1String(kPickKinds[static_cast<std::size_t>(pick.kind)])}};
        if (!pick.name.empty())
            one.insert(QStringLiteral("name"), text(pick.name));
        if (pick.id > 0)
            one.insert(QStringLiteral("id"), static_cast<qint64>(pick.id));
        kept << one;
    }
    return kept;
}

std::optional<std::vector<ComparePick>> picksFrom(const QJsonValue& kept) {
    const QJsonArray array = kept.toArray();
    if (!kept.isArray() || array.isEmpty() || static_cast<std::size_t>(array.size()) > kMostCompared)
        return std::nullopt;
    std::vector<ComparePick> picks;
    for (const QJsonValue& one : array) {
        const std::optional<ComparePick> pick = one.isObject() ? pickFrom(one.toObject()) : std::nullopt;
        if (!pick)
            return std::nullopt;
        picks.push_back(*pick);
    }
    return picks;
}

Comparison::Comparison(const RunSessionConfig& config, QObject* parent) : QObject(parent), m_session(config) {
    connect(&m_session, &CompareSession::runFinished, this,
            [this](int key, const std::shared_ptr<const data::ShownRun>& run) { arrive(key, run, {}); });
    connect(&m_session, &CompareSession::runFailed, this,
            [this](int key, const QString& text) { arrive(key, nullptr, text); });
    connect(&m_session, &CompareSession::runStopped, this, [this] {
        while (!m_underWay.empty()) {
            const int key = m_underWay.front().key;
            arrive(key, nullptr, tr("Cancelled."));
            // arrive() keeps the job of a removed run.
            std::erase_if(m_underWay, [key](const CompareJob& job) { return job.key == key; });
        }
    });
}

void Comparison::setShown(std::shared_ptr<const data::ShownRun> run) {
    if (!run || run->preview || run == m_shown)
        return;
    m_shown = std::move(run);
    takeUp();
}

void Comparison::setPinned(std::shared_ptr<const data::ShownRun> run) {
    if (run && run->preview)
        return;
    m_pinned = std::move(run);
    takeUp();
}

void Comparison::setWatched(bool watched) {
    m_watched = watched;
    takeUp();
}

// Starts no runs while the view is hidden, so that edits elsewhere do not wait for them.
void Comparison::takeUp() {
    if (!m_watched || !m_shown)
        return;
    if (m_runs.empty())
        return setPicks(firstPicks(*m_shown));
    follow();
    Q_EMIT syncChanged();
}

void Comparison::setPicks(std::vector<ComparePick> picks) {
    if (picks.empty() || picks.size() > kMostCompared)
        return;
    std::vector<ComparedRun> before = std::exchange(m_runs, {});
    for (ComparePick& pick : picks) {
        const auto known = std::ranges::find(before, pick, &ComparedRun::pick);
        if (known != before.end()) {
            m_runs.push_back(std::move(*known));
            before.erase(known);
        } else {
            m_runs.push_back({++m_lastKey, std::move(pick), nullptr, {}});
        }
    }
    follow();
    Q_EMIT runsChanged();
    Q_EMIT syncChanged();
}

bool Comparison::hasFirstPicks() const { return m_shown && picks() == firstPicks(*m_shown); }

std::vector<ComparePick> Comparison::picks() const {
    std::vector<ComparePick> picks;
    for (const ComparedRun& compared : m_runs)
        picks.push_back(compared.pick);
    return picks;
}

bool Comparison::contains(const ComparePick& pick) const {
    return std::ranges::find(m_runs, pick, &ComparedRun::pick) != m_runs.end();
}

void Comparison::add(const ComparePick& pick) {
    if (!canAdd() || contains(pick))
        return;
    std::vector<ComparePick> more = picks();
    more.push_back(pick);
    setPicks(std::move(more));
}

void Comparison::remove(std::size_t index) {
    if (m_runs.size() < 2 || index >= m_runs.size())
        return;
    std::vector<ComparePick> fewer = picks();
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(index));
    setPicks(std::move(fewer));
}

void Comparison::move(std::size_t index, int by) {
    const auto to = static_cast<std::ptrdiff_t>(index) + by;
    if (index >= m_runs.size() || to < 0 || to >= static_cast<std::ptrdiff_t>(m_runs.size()) || by == 0)
        return;
    std::swap(m_runs[index], m_runs[static_cast<std::size_t>(to)]);
    Q_EMIT runsChanged();
    Q_EMIT syncChanged();
}

void Comparison::retry() {
    for (ComparedRun& compared : m_runs) {
        if (!compared.failure.isEmpty())
            compared.answered.reset();
    }
    follow();
    Q_EMIT runsChanged();
}

std::optional<data::ExperimentDraft> Comparison::wantedOf(const ComparedRun& compared) const {
    switch (compared.pick.kind) {
    case Kind::shown: return m_shown ? std::optional(m_shown->run.draft) : std::nullopt;
    case Kind::policy:
    case Kind::rule:
    case Kind::algorithm:
    case Kind::machine: return m_shown ? std::optional(draftOf(compared.pick, m_shown->run.draft)) : std::nullopt;
    case Kind::pinned: return m_pinned ? std::optional(m_pinned->run.draft) : std::nullopt;
    case Kind::kept: return data::ExperimentDraft{};  // the session reads the kept run's draft
    }
    return std::nullopt;
}

void Comparison::takeWhatIsThere(ComparedRun& compared) const {
    const auto wanted = wantedOf(compared);
    if (!wanted || compared.pick.kind == Kind::kept || compared.answered == wanted)
        return;
    for (const auto& there : {m_shown, m_pinned}) {
        if (!there || there->run.draft != *wanted)
            continue;
        compared.run = there;
        compared.failure.clear();
        if (isWhole(*there))
            compared.answered = wanted;
        return;
    }
}

std::optional<CompareJob> Comparison::jobOf(const ComparedRun& compared) const {
    const auto wanted = wantedOf(compared);
    if (!wanted || compared.answered == wanted)
        return std::nullopt;
    CompareJob job{compared.key, *wanted, std::nullopt, {}};
    if (compared.pick.kind == Kind::kept) {
        job.kept = compared.pick.id;
        job.keptHash = compared.pick.name;
    }
    return job;
}

void Comparison::follow() {
    if (!m_watched)
        return;
    std::vector<CompareJob> jobs;
    for (ComparedRun& compared : m_runs) {
        takeWhatIsThere(compared);
        if (compared.pick.kind == Kind::pinned && !m_pinned)
            compared.failure = tr("No run is pinned. Press G in Explore to pin the run that is shown.");
        if (auto job = jobOf(compared))
            jobs.push_back(std::move(*job));
    }
    const auto alike = [](const CompareJob& a, const CompareJob& b) { return a.key == b.key && a.draft == b.draft; };
    const bool same = std::equal(jobs.begin(), jobs.end(), m_underWay.begin(), m_underWay.end(), alike);
    if (same)
        return;
    for (const CompareJob& job : jobs)
        find(job.key)->failure.clear();
    m_underWay = std::move(jobs);
    if (!m_underWay.empty())
        m_session.start(m_underWay);
    else
        m_session.cancel();
}

ComparedRun* Comparison::find(int key) {
    const auto at = std::ranges::find(m_runs, key, &ComparedRun::key);
    return at == m_runs.end() ? nullptr : &*at;
}

// If the new run failed, the previous run stays.
void Comparison::arrive(int key, std::shared_ptr<const data::ShownRun> run, const QString& failure) {
    const auto job = std::ranges::find(m_underWay, key, &CompareJob::key);
    ComparedRun* compared = find(key);
    if (compared == nullptr || job == m_underWay.end())
        return;
    compared->answered = job->draft;
    m_underWay.erase(job);
    compared->failure = failure;
    if (run)
        compared->run = std::move(run);
    Q_EMIT answered(key);
    Q_EMIT syncChanged();
}

void Comparison::setMode(SyncMode mode) {
    if (mode == m_mode)
        return;
    m_mode = mode;
    Q_EMIT syncChanged();
}

void Comparison::setGhost(bool ghost) {
    if (ghost == m_ghost)
        return;
    m_ghost = ghost;
    Q_EMIT syncChanged();
}

const SyncTimes& Comparison::timesOf(const std::shared_ptr<const data::ShownRun>& run) const {
    const bool withChunks = m_mode == SyncMode::chunks;
    const auto known = std::find_if(m_times.begin(), m_times.end(), [&](const KnownTimes& each) {
        return each.run == run && each.withChunks >= withChunks;
    });
    if (known != m_times.end())
        return known->times;
    // Runs that are used nowhere else are dropped, so that their times and traces do not take memory.
    m_times.remove_if([](const KnownTimes& each) { return each.run.use_count() == 1; });
    m_times.push_front({run, withChunks, withChunks ? syncTimesWithChunks(*run) : syncTimesOf(*run)});
    return m_times.front().times;
}

data::TimeMap Comparison::mapTo(std::size_t index) const {
    const ComparedRun& compared = m_runs[index];
    if (!m_shown || !compared.run || compared.run == m_shown || m_mode == SyncMode::time)
        return {};
    return syncMap(timesOf(m_shown), timesOf(compared.run), m_mode);
}

std::int64_t Comparison::reach() const {
    std::int64_t reach = m_shown ? timesOf(m_shown).end : 0;
    for (const ComparedRun& compared : m_runs) {
        if (compared.run && m_mode == SyncMode::time)
            reach = std::max(reach, timesOf(compared.run).end);
    }
    return reach;
}

QJsonValue Comparison::save() const {
    std::vector<ComparePick> kept;
    for (const ComparedRun& compared : m_runs) {
        kept.push_back(compared.pick);
        if (compared.pick.kind == Kind::kept && compared.run)
            kept.back().name = compared.run->run.hash;
    }
    if (kept.empty())
        return {};
    return QJsonObject{{QStringLiteral("runs"), toJson(kept)},
                       {QStringLiteral("sync"), QLatin1String(kSyncNames[static_cast<std::size_t>(m_mode)])},
                       {QStringLiteral("ghost"), m_ghost}};
}

bool Comparison::restore(const QJsonValue& kept) {
    const auto picks = picksFrom(kept[QStringLiteral("runs")]);
    const QString sync = kept[QStringLiteral("sync")].toString();
    const auto mode = std::find_if(kSyncNames.begin(), kSyncNames.end(),
                                   [&sync](const char* name) { return sync == QLatin1String(name); });
    if (!picks || mode == kSyncNames.end() || !kept[QStringLiteral("ghost")].isBool())
        return false;
    m_mode = static_cast<SyncMode>(mode - kSyncNames.begin());
    m_ghost = kept[QStringLiteral("ghost")].toBool();
    setPicks(*picks);
    return true;
}

QString letterOf(std::size_t index) { return QString(QChar(static_cast<ushort>(u'A' + index))); }

QStringList namesOf(const Experiments& experiments) {
    QStringList names;
    if (experiments.empty())
        return names;
    const auto machineOf = [](const engine::Experiment& each) { return each.machine; };
    const bool machines = differ(experiments, machineOf);
    const bool cases = differ(experiments, data::caseName);
    const bool levels = differ(experiments, [](const engine::Experiment& each) { return each.detail.level; });
    // Without a companion the policy determines the rule, and the name shows the policy.
    const bool rules = differ(experiments, ruleName) &&
                       std::ranges::all_of(experiments, [](const auto* each) { return engine::hasCompanion(*each); });
    const bool policies = differ(experiments, [](const engine::Experiment& each) { return each.policy.preset; });
    for (const engine::Experiment* own : experiments) {
        QString name = titleOfPolicy(engine::name(own->policy.preset));
        if (rules)
            name = policies ? name + QStringLiteral(", ") + ruleName(*own) : ruleName(*own);
        if (cases)
            name = text(data::caseName(*own)) + QLatin1Char(' ') + name;
        if (machines && machineOf(*own) != engine::Experiment{}.machine)
            name = namesTr("%1 on %2").arg(name, text(machineOf(*own)));
        const QString settings = settingsOf(experiments, *own, machines, rules);
        if (!settings.isEmpty())
            name += QStringLiteral(", ") + settings;
        if (levels)
            name = namesTr("%1, %2 detail").arg(name, text(engine::name(own->detail.level)));
        names << name;
    }
    const QStringList plain = names;
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (plain.count(plain[i]) > 1)
            names[i] = namesTr("%1 (%2)").arg(plain[i], letterOf(static_cast<std::size_t>(i)));
    }
    return names;
}

}  // namespace ui
