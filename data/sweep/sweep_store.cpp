#include "data/sweep/sweep_store.h"

#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/store/kept_run.h"
#include "data/store/run_columns.h"
#include "data/store/store_connection.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace data {
namespace {

/// Selects the outcome of the points of sweep ?1 under engine version ?2.
constexpr const char* kEnded =
    "FROM sweep_point AS point "
    "LEFT JOIN run ON run.experiment_hash = point.experiment_hash AND run.engine_version = ?2 "
    "AND run.trashed_unix_ms IS NULL "
    "LEFT JOIN failure ON failure.experiment_hash = point.experiment_hash AND failure.engine_version = ?2 "
    "WHERE point.sweep = ?1 ";

/// Returns the sweep's own label, or the names of its axes.
std::string labelOf(const Sweep& sweep) {
    const auto own = sweep.texts.find("label");
    return own != sweep.texts.end() && !own->second.empty() ? own->second : axesText(sweep);
}

/// Returns the stored sweeps, without the numbers of their points that are done and failed.
std::vector<StoredSweep> foundSweeps(SQLite::Database& database, const std::optional<std::string>& id) {
    SQLite::Statement select(database,
                             std::string("SELECT key, id, label, document, created_unix_ms, points FROM sweep ") +
                                 (id ? "WHERE id = ?1 " : "") + "ORDER BY created_unix_ms DESC, key DESC");
    if (id)
        select.bind(1, *id);
    std::vector<StoredSweep> found;
    while (select.executeStep()) {
        found.push_back({select.getColumn(1).getString(), select.getColumn(2).getString(),
                         select.getColumn(3).getString(), select.getColumn(4).getInt64(),
                         static_cast<std::size_t>(select.getColumn(5).getInt64())});
        found.back().key = select.getColumn(0).getInt64();
    }
    return found;
}

/// Returns the engine version under which a sweep is shown: the running one, or an older one if all its results are
/// older. Points of different versions are never shown as one sweep.
std::string versionOf(SQLite::Database& database, std::int64_t sweep) {
    std::string version(engine::engineVersion());
    SQLite::Statement newest(
        database, "SELECT run.engine_version FROM sweep_point AS point JOIN run "
                  "ON run.experiment_hash = point.experiment_hash WHERE point.sweep = ?1 AND trashed_unix_ms IS NULL "
                  "ORDER BY run.engine_version = ?2 DESC, run.created_unix_ms DESC LIMIT 1");
    SQLite::Statement current(database, "SELECT 1 FROM sweep_point AS point JOIN run "
                                        "ON run.experiment_hash = point.experiment_hash AND run.engine_version = ?2 "
                                        "WHERE point.sweep = ?1 AND trashed_unix_ms IS NULL LIMIT 1");
    SQLite::bind(current, sweep, version);
    SQLite::bind(newest, sweep, version);
    if (!current.executeStep() && newest.executeStep())
        version = newest.getColumn(0).getString();
    return version;
}

void countEnded(SQLite::Database& database, StoredSweep& sweep) {
    SQLite::Statement count(database,
                            std::string("SELECT count(run.id), count(iif(run.id IS NULL AND (point.problem <> '' OR "
                                        "failure.reason IS NOT NULL), 1, NULL)) ") +
                                kEnded);
    sweep.engineVersion = versionOf(database, sweep.key);
    bindAll(count, sweep.key, sweep.engineVersion);
    if (count.executeStep()) {
        sweep.done = static_cast<std::size_t>(count.getColumn(0).getInt64());
        sweep.failed = static_cast<std::size_t>(count.getColumn(1).getInt64());
    }
}

/// Returns a row for every point of the sweep, each in the state `missing`.
std::vector<SweepRow> emptyRows(const Sweep& sweep, std::size_t metrics) {
    std::vector<SweepRow> rows(pointCount(sweep));
    for (std::size_t index = 0; index < rows.size(); ++index) {
        PointPlace place = placeOf(sweep, index);
        rows[index] = {index, std::move(place.at), place.policy, {}, {}, {}, {}, {}};
        rows[index].values.resize(metrics);
    }
    return rows;
}

void fillRow(const SQLite::Statement& from, RunColumns& columns, SoundRuns& sound, SweepRow& row) {
    if (!from.getColumn(1).isNull()) {
        if (!sound.has(from.getColumn(1).getInt64()))
            return;
        row.state = PointState::done;
        row.runId = from.getColumn(1).getInt64();
        const auto values = columns.read(from, 4);
        row.notices = columns.notices();
        std::transform(values.begin(), values.end(), row.values.begin(), [](const CatalogueValue& value) {
            const auto* number = std::get_if<double>(&value);
            return number ? std::optional(*number) : std::nullopt;
        });
        return;
    }
    for (const int reason : {2, 3}) {
        if (const std::string text = from.getColumn(reason).getString(); !text.empty()) {
            row.state = PointState::failed;
            row.reason = text;
        }
    }
}

/// Rebuilds the indexes if they do not agree with the rows. Otherwise damaged rows would be found by their earlier
/// content, and sound ones not at all. A store larger than kCheckedWhole is not checked.
void mendIndexes(SQLite::Database& database) {
    const auto numberOf = [&](const char* query) { return database.execAndGet(query).getInt64(); };
    const auto bytes = static_cast<std::uintmax_t>(numberOf("PRAGMA page_count") * numberOf("PRAGMA page_size"));
    if (bytes <= kCheckedWhole && database.execAndGet("PRAGMA integrity_check(1)").getString() != "ok")
        database.exec("REINDEX");
}

/// Returns the sweep to store. A sweep without a label keeps the label that it has in the store.
Sweep withStoredLabel(SQLite::Database& database, const SweepPlan& plan) {
    Sweep sweep = plan.sweep;
    const auto stored = foundSweeps(database, plan.id);
    if (labelOf(sweep) == axesText(sweep) && !stored.empty() && stored.front().label != axesText(sweep))
        sweep.texts["label"] = stored.front().label;
    return sweep;
}

std::int64_t writeSweepRow(SQLite::Database& database, const SweepPlan& plan, SweepTexts texts) {
    const Sweep sweep = withStoredLabel(database, plan);
    SQLite::Statement insert(database,
                             "INSERT INTO sweep (id, label, document, points, created_unix_ms) VALUES (?, ?, ?, ?, ?) "
                             "ON CONFLICT (id) DO UPDATE SET label = iif(?6, excluded.label, label), "
                             "document = iif(?6, excluded.document, document) RETURNING key");
    SQLite::bind(insert, plan.id, labelOf(sweep), writeSweep(sweep), static_cast<std::int64_t>(plan.whole), nowUnixMs(),
                 texts == SweepTexts::replaced ? 1 : 0);
    insert.executeStep();
    const std::int64_t key = insert.getColumn(0).getInt64();
    while (insert.executeStep()) {}
    return key;
}

constexpr const char* kSpeedup = "speedup_over_sequential";
constexpr const char* kHidden = "time_ps.hidden";
constexpr const char* kExposed = "time_ps.exposed";
constexpr const char* kStretch = "gemm_stretch";
constexpr std::string_view kSequential = "sequential";
constexpr std::array<const char*, 3> kBehind{"time_ps.total", kExposed, kStretch};  // metrics that relate() needs

/// The times of one row, as whole numbers of picoseconds in doubles.
struct RowTimes {
    double total = 0, gemm = 0;
};

std::optional<RowTimes> timesOf(const SweepRow& row) {
    const auto behind = row.values.end() - std::ssize(kBehind);
    if (!behind[0] || !behind[1] || !behind[2])
        return std::nullopt;
    const double alone = *behind[0] - *behind[1];
    return RowTimes{*behind[0], std::round(*behind[2] * alone)};
}

bool dependsOnSequential(std::string_view metric) {
    return metric == kSpeedup || metric == kHidden || metric == kExposed || metric == kStretch;
}

bool setsPolicyParts(const Sweep& sweep) {
    const auto& base = sweep.base.explicitValues;
    return std::any_of(base.begin(), base.end(), [](const auto& entry) { return engine::isPolicyPart(entry.first); }) ||
           std::ranges::any_of(axisPaths(sweep), engine::isPolicyPart);
}

std::size_t positionOf(const std::vector<std::string>& words, std::string_view word) {
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

/// Computes speed-ups and hidden communication of a sweep's points against the point with the policy `sequential` and
/// the same axis values, if the sweep sets parts of the policy by hand. That point then has these parts as well, unlike
/// the sequential run that each run has computed for itself. In all other sweeps both are the same, and this class does
/// nothing.
class SweepSpeedups {
public:
    explicit SweepSpeedups(SweepTable& table) : m_table(table), m_metrics(table.metrics) {
        const std::vector<std::string>& policies = table.sweep.policies;
        m_needed = std::any_of(m_metrics.begin(), m_metrics.end(), dependsOnSequential) &&
                   positionOf(policies, kSequential) < policies.size() && setsPolicyParts(table.sweep);
        if (!m_needed)
            return;
        m_metrics.insert(m_metrics.end(), kBehind.begin(), kBehind.end());
        for (SweepRow& row : table.rows)
            row.values.resize(m_metrics.size());
    }

    /// Returns the metrics to read for each row: those of the table, followed by those that relate() needs.
    const std::vector<std::string>& metrics() const { return m_metrics; }
    /// Computes the metrics, and removes those that the table does not have. Call it when each row has a value for each
    /// of metrics().
    void relate() {
        if (!m_needed)
            return;
        // Policies vary fastest, so rows with the same axis values follow each other.
        const std::size_t policies = m_table.sweep.policies.size();
        const std::size_t sequential = positionOf(m_table.sweep.policies, kSequential);
        for (std::size_t first = 0; first + policies <= m_table.rows.size(); first += policies)
            relateGroup(first, first + sequential);
        for (SweepRow& row : m_table.rows)
            row.values.resize(m_table.metrics.size());
    }

private:
    void relateGroup(std::size_t first, std::size_t sequential) {
        const std::optional<RowTimes> baseline = timesOf(m_table.rows[sequential]);
        for (std::size_t i = first; baseline && i < first + m_table.sweep.policies.size(); ++i) {
            SweepRow& row = m_table.rows[i];
            const std::optional<RowTimes> times = timesOf(row);
            if (!times)
                continue;
            set(row, kSpeedup, baseline->total / times->total);
            set(row, kHidden, baseline->total - times->total);
            set(row, kExposed, times->total - baseline->gemm);
            set(row, kStretch, times->gemm / baseline->gemm);
        }
    }

    void set(SweepRow& row, const char* metric, double number) const {
        const std::size_t place = positionOf(m_table.metrics, metric);
        if (place < m_table.metrics.size())
            row.values[place] = number;
    }

    SweepTable& m_table;
    std::vector<std::string> m_metrics;
    bool m_needed = false;
};

/// Checks for a stop request among the points of a large plan. A small plan is finished before anybody could request a
/// stop.
void stopAt(std::size_t position, const std::stop_token& stop) {
    constexpr std::size_t kLookEvery = 1024;
    if (position % kLookEvery == kLookEvery - 1 && stop.stop_requested())
        throw engine::RunStopped();
}

void writePoints(SQLite::Database& database, std::int64_t sweep, const std::vector<SweepPoint>& points,
                 const std::stop_token& stop) {
    // The experiment of a point changes only if presets or the engine have changed.
    SQLite::Statement insert(database, "INSERT INTO sweep_point (sweep, position, experiment_hash, problem) "
                                       "VALUES (?, ?, ?, ?) ON CONFLICT (sweep, position) DO UPDATE "
                                       "SET experiment_hash = excluded.experiment_hash, problem = excluded.problem "
                                       "WHERE experiment_hash <> excluded.experiment_hash");
    for (const SweepPoint& point : points) {
        stopAt(static_cast<std::size_t>(&point - points.data()), stop);
        execute(insert, sweep, static_cast<std::int64_t>(point.index), point.hash, point.problem);
    }
}

}  // namespace

void SweepStore::keepSweep(const SweepPlan& plan, const std::stop_token& stop, SweepTexts texts) {
    const Patience patience(m_store);
    writing(m_store, [&](SQLite::Database& database) {
        mendIndexes(database);
        const std::int64_t key = writeSweepRow(database, plan, texts);
        writePoints(database, key, plan.points, stop);
        execute(database,
                "UPDATE run SET trashed_unix_ms = NULL WHERE trashed_unix_ms IS NOT NULL AND "
                "experiment_hash IN (SELECT experiment_hash FROM sweep_point WHERE sweep = ?)",
                key);
    });
}

void SweepStore::keepPoints(std::span<const EndedPoint> points) {
    const Patience patience(m_store);
    writing(m_store, [&](SQLite::Database& database) {
        RunWriter runs(database);
        SQLite::Statement failures(
            database, "INSERT INTO failure (experiment_hash, engine_version, reason, created_unix_ms) "
                      "SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS "
                      "(SELECT 1 FROM run WHERE experiment_hash = ?1 AND engine_version = ?2) "
                      "ON CONFLICT (experiment_hash, engine_version) DO UPDATE SET reason = excluded.reason");
        const std::string version(engine::engineVersion());
        for (const EndedPoint& point : points) {
            const RunToKeep run{point.name, point.draft, point.hash, *point.experiment};
            if (point.result) {
                runs.keep(run, *point.result, RunWriter::Known::keepsItsTime);
            } else if (point.model) {
                runs.keep(run, *point.model, RunWriter::Known::keepsItsTime);
            } else {
                execute(failures, point.hash, version, point.failure, nowUnixMs());
            }
        }
    });
}

std::unordered_map<std::string, KeptPoint> SweepStore::known(const SweepPlan& plan, const std::stop_token& stop) const {
    return reading(m_store, [&](SQLite::Database& database) {
        const std::string version(engine::engineVersion());
        SQLite::Statement run(database, "SELECT id FROM run WHERE experiment_hash = ? AND engine_version = ?");
        SQLite::Statement failure(database,
                                  "SELECT reason FROM failure WHERE experiment_hash = ? AND engine_version = ?");
        std::unordered_map<std::string, KeptPoint> found;
        SoundRuns sound(m_store);
        for (const SweepPoint& point : plan.points) {
            stopAt(static_cast<std::size_t>(&point - plan.points.data()), stop);
            bindAll(run, point.hash, version);
            bindAll(failure, point.hash, version);
            if (run.executeStep() && sound.has(run.getColumn(0).getInt64())) {
                found.try_emplace(point.hash).first->second.runId = run.getColumn(0).getInt64();
            } else if (failure.executeStep()) {
                found.try_emplace(point.hash).first->second.failure = failure.getColumn(0).getString();
            }
            run.reset();
            failure.reset();
        }
        return found;
    });
}

OtherEngines SweepStore::ofOtherEngines(const SweepPlan& plan, const std::stop_token& stop) const {
    return reading(m_store, [&](SQLite::Database& database) {
        const std::string version(engine::engineVersion());
        std::unordered_map<std::string, std::string> others;  // by hash and by document: the version
        SQLite::Statement runs(database, "SELECT experiment_hash, draft, engine_version FROM run "
                                         "WHERE engine_version <> ? AND trashed_unix_ms IS NULL AND subject = ?");
        const std::string subject(name(plan.sweep.of));
        bindAll(runs, version, subject);
        while (runs.executeStep()) {
            for (const int column : {0, 1})
                others.emplace(runs.getColumn(column).getString(), runs.getColumn(2).getString());
        }
        OtherEngines found;
        if (others.empty())
            return found;
        SQLite::Statement own(database, "SELECT 1 FROM run WHERE experiment_hash = ? AND engine_version = ?");
        SQLite::Statement before(database, "SELECT experiment_hash FROM sweep_point JOIN sweep ON sweep.key = "
                                           "sweep_point.sweep WHERE sweep.id = ? AND position = ?");
        for (const SweepPoint& point : plan.points) {
            stopAt(static_cast<std::size_t>(&point - plan.points.data()), stop);
            bindAll(own, point.hash, version);
            bindAll(before, plan.id, static_cast<std::int64_t>(point.index));
            auto other = others.find(point.hash);
            if (other == others.end() && before.executeStep())
                other = others.find(before.getColumn(0).getString());
            if (other == others.end())
                other = others.find(writeDraft(plan.details(point).draft));
            if (other != others.end() && point.problem.empty() && !own.executeStep()) {
                ++found.points;
                found.versions.insert(other->second);
            }
            own.reset();
            before.reset();
        }
        return found;
    });
}

std::vector<StoredSweep> SweepStore::sweeps() const {
    return reading(m_store, [](SQLite::Database& database) {
        std::vector<StoredSweep> sweeps = foundSweeps(database, std::nullopt);
        for (StoredSweep& sweep : sweeps)
            countEnded(database, sweep);
        return sweeps;
    });
}

std::optional<StoredSweep> SweepStore::sweepWithId(const std::string& id) const {
    return reading(m_store, [&](SQLite::Database& database) -> std::optional<StoredSweep> {
        auto found = foundSweeps(database, id);
        if (found.empty())
            return std::nullopt;
        countEnded(database, found.front());
        return std::move(found.front());
    });
}

SweepTable SweepStore::table(const std::string& id, std::span<const std::string> moreMetrics) const {
    return reading(m_store, [&](SQLite::Database& database) {
        const auto found = foundSweeps(database, id);
        if (found.empty())
            refuse(m_store.path(), "there is no sweep " + id + " (any more)");
        SweepReading document = readSweep(found.front().document, "sweep " + id);
        if (!document.problems.empty())
            refuse(m_store.path(), "sweep " + id + " cannot be read: " + engine::describe(document.problems.front()));
        SweepTable table{std::move(document.sweep), id, {}, {}};
        table.metrics = table.sweep.metrics;
        for (const std::string& metric : moreMetrics)
            addOnce(table.metrics, metric);
        table.rows = emptyRows(table.sweep, table.metrics.size());
        table.engineVersion = versionOf(database, found.front().key);
        SweepSpeedups speedups(table);
        RunColumns columns(database, speedups.metrics(), true);
        SoundRuns sound(m_store);
        SQLite::Statement select(database,
                                 std::string("SELECT point.position, run.id, point.problem, failure.reason, ") +
                                     RunColumns::kSelected + " " + kEnded + "ORDER BY point.position");
        bindAll(select, found.front().key, table.engineVersion);
        while (select.executeStep()) {
            const auto index = static_cast<std::size_t>(select.getColumn(0).getInt64());
            if (index < table.rows.size())
                fillRow(select, columns, sound, table.rows[index]);
        }
        speedups.relate();
        return table;
    });
}

SweepTable SweepStore::table(const SweepPlan& plan) const {
    return reading(m_store, [&](SQLite::Database& database) {
        SweepTable table{plan.sweep, plan.id, plan.sweep.metrics, emptyRows(plan.sweep, plan.sweep.metrics.size())};
        table.engineVersion = engine::engineVersion();
        SweepSpeedups speedups(table);
        RunColumns columns(database, speedups.metrics(), true);
        SoundRuns sound(m_store);
        std::string words = "SELECT 0, run.id, ?3, failure.reason, ";
        words += RunColumns::kSelected;
        words += " FROM (SELECT ?1 AS hash) AS point "
                 "LEFT JOIN run ON run.experiment_hash = point.hash AND run.engine_version = ?2 "
                 "AND run.trashed_unix_ms IS NULL "
                 "LEFT JOIN failure ON failure.experiment_hash = point.hash AND failure.engine_version = ?2";
        SQLite::Statement select(database, words);
        const std::string version(engine::engineVersion());
        for (const SweepPoint& point : plan.points) {
            bindAll(select, point.hash, version, point.problem);
            if (select.executeStep())
                fillRow(select, columns, sound, table.rows[point.index]);
            select.reset();
        }
        speedups.relate();
        return table;
    });
}

void SweepStore::removeSweep(const std::string& id) {
    writing(m_store, [&](SQLite::Database& database) { execute(database, "DELETE FROM sweep WHERE id = ?", id); });
}

}  // namespace data
