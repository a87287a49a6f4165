#include "ui/compare/comparison.h"

#include <QJsonObject>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

constexpr std::array<const char*, kSyncModes> kSyncNames{"time", "chunks", "phases"};

using Kind = ComparePick::Kind;

/// What the view shows of it is all there: a bound has neither trace nor causes, and never will.
bool isWhole(const data::ShownRun& run) { return !run.run.result.trace || run.run.result.attribution; }

/// Who looks for the first time sees the shown run beneath what it is to be better than.
std::vector<ComparePick> firstPicks(const data::ShownRun& shown) {
    if (shown.run.experiment.policy.preset == engine::PolicyPreset::sequential)
        return {{Kind::shown}, {Kind::policy, "t3-mca"}};
    return {{Kind::policy, "sequential"}, {Kind::shown}};
}

}  // namespace

Comparison::Comparison(const RunSessionConfig& config, QObject* parent) : QObject(parent), m_session(config) {
    connect(&m_session, &CompareSession::runFinished, this,
            [this](int key, const std::shared_ptr<const data::ShownRun>& run) { arrive(key, run, {}); });
    connect(&m_session, &CompareSession::runFailed, this,
            [this](int key, const QString& text) { arrive(key, nullptr, text); });
    connect(&m_session, &CompareSession::runStopped, this, [this] {
        while (!m_underWay.empty()) {
            const int key = m_underWay.front().key;
            arrive(key, nullptr, tr("Cancelled."));
            std::erase_if(m_underWay, [key](const CompareJob& job) { return job.key == key; });  // taken away meanwhile
        }
    });
}

Comparison::~Comparison() = default;

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

// While nobody looks, whoever turns knobs elsewhere does not wait for pictures of this.
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
        const auto known =
            std::find_if(before.begin(), before.end(), [&pick](const ComparedRun& each) { return each.pick == pick; });
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

std::vector<ComparePick> Comparison::picks() const {
    std::vector<ComparePick> picks;
    for (const ComparedRun& compared : m_runs)
        picks.push_back(compared.pick);
    return picks;
}

bool Comparison::contains(const ComparePick& pick) const {
    const auto isIt = [&pick](const ComparedRun& each) { return each.pick == pick; };
    return std::any_of(m_runs.begin(), m_runs.end(), isIt);
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
    case Kind::machine: return m_shown ? std::optional(draftOf(compared.pick, m_shown->run.draft)) : std::nullopt;
    case Kind::pinned: return m_pinned ? std::optional(m_pinned->run.draft) : std::nullopt;
    case Kind::kept: return data::ExperimentDraft{};  // its own, which the session reads
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
            compared.failure = tr("No run is pinned. G in Explore pins the one that is shown.");
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
    const auto at =
        std::find_if(m_runs.begin(), m_runs.end(), [key](const ComparedRun& each) { return each.key == key; });
    return at == m_runs.end() ? nullptr : &*at;
}

// What cannot be run leaves what is shown as it is.
void Comparison::arrive(int key, std::shared_ptr<const data::ShownRun> run, const QString& failure) {
    const auto job =
        std::find_if(m_underWay.begin(), m_underWay.end(), [key](const auto& each) { return each.key == key; });
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
    // Of what nobody else looks at any more neither times nor traces are held.
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

}  // namespace ui
