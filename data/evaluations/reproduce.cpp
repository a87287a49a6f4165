#include "data/evaluations/reproduce.h"

#include "data/document/json_reading.h"
#include "data/document/names.h"
#include "data/document/text_hash.h"
#include "data/evaluations/evaluation_rows.h"
#include "data/evaluations/measured_answer.h"
#include "data/evaluations/task_items.h"
#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/laboratory/work_progress.h"
#include "data/results/result_json.h"
#include "data/store/store.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

namespace data {
namespace {

constexpr std::size_t kConstantsDigits = 12;
constexpr std::chrono::milliseconds kRowsInterval{200};
constexpr std::array<std::string_view, 3> kCasePaths{"workload.model", "parallel.tp", "workload.sublayer"};

/// The part of a point's result that its case in Reproduction::cases needs.
struct PointResult {
    bool known = false;
    engine::TimeResult time;
    std::optional<engine::DramResult> dram;
    engine::InvariantsResult invariants;
    std::optional<double> speedup;
};

PointResult keptOf(const engine::RunResult& result) {
    return {true, result.last.time, result.last.dram, result.invariants, result.speedupOverSequential};
}

/// One execution of an evaluation: its plans, the points that have ended, and its rows.
class EvaluationRun {
public:
    EvaluationRun(const Evaluation& evaluation, const ReproduceOptions& options)
        : m_evaluation(evaluation), m_options(options) {}

    Reproduction run() {
        Reproduction reproduction;
        try {
            plan();
        } catch (const engine::RunStopped&) {
            reproduction.stopped = true;
            return reproduction;
        }
        reproduction.constants = constants();
        m_timetables = timetablesOf(m_evaluation);
        WorkProgress progress(work(), m_options.progress);
        Store store(m_options.store.empty() ? ":memory:" : m_options.store);
        for (const SweepPlan& plan : m_plans)
            m_tables.push_back(SweepStore(store).table(plan));
        for (std::size_t sweep = 0; sweep < m_plans.size(); ++sweep) {
            if (m_options.sweep.value_or(sweep) != sweep) {
                leaveOut(sweep, progress);
            } else if (!m_options.keptOnly) {
                runOne(sweep, store, progress, reproduction);
                m_tables[sweep] = SweepStore(store).table(m_plans[sweep]);
            }
            takeCases(sweep, m_tables[sweep], store, reproduction);
        }
        reproduction.items = rows(reproduction.constants);
        reproduction.measured = measuredAnswers(m_evaluation, reproduction.items, m_options.settings.empty());
        if (hasTraffic())
            runTraffic(progress, reproduction);
        reproduction.damaged = store.takeDamaged();
        for (std::size_t sweep = 0; sweep < m_tables.size(); ++sweep) {
            for (engine::Notice& notice : noticesOf(m_tables[sweep])) {
                if (m_tables.size() > 1)
                    notice.text = "sweep " + m_evaluation.sweeps[sweep].name + ", " + notice.text;
                reproduction.notices.push_back(std::move(notice));
            }
        }
        reproduction.tables = std::move(m_tables);
        return reproduction;
    }

private:
    static bool hasNoModel(const Sweep& sweep) {
        const auto isWithoutModel = [&](const engine::ParameterValue* sublayer) {
            ExperimentDraft draft = sweep.base;
            if (sublayer != nullptr)
                draft.explicitValues.insert_or_assign("workload.sublayer", *sublayer);
            return !engine::isPartOfModel(expand(draft).experiment.workload.sublayer);
        };
        if (isOfModels(sweep.of))
            return false;
        for (const SweepAxis& axis : sweep.axes)
            for (const AxisColumn& column : axis.columns)
                if (column.path == "workload.sublayer")
                    return std::ranges::all_of(column.values,
                                               [&](const auto& value) { return isWithoutModel(&value); });
        return isWithoutModel(nullptr);
    }

    void plan() {
        for (std::size_t i = 0; i < m_evaluation.sweeps.size(); ++i) {
            Sweep sweep = m_evaluation.sweeps[i].sweep;
            const Settings own = hasNoModel(sweep) ? settingsOfCollective(m_options.settings) : m_options.settings;
            for (const auto& [path, value] : own)
                sweep.base.explicitValues.insert_or_assign(path, value);
            sweep.metrics = metricsOf(m_evaluation, i);
            if (sweep.texts["label"].empty())
                sweep.texts["label"] = m_evaluation.title + ": " + m_evaluation.sweeps[i].name;
            m_plans.push_back(planOf(std::move(sweep), {}, {m_options.stop, {}}));
            m_results.emplace_back(m_plans.back().points.size());
        }
        double events = 0;
        for (const SweepPlan& plan : m_plans) {
            for (const SweepPoint& point : plan.points) {
                if (!point.problem.empty())
                    throw engine::InvalidExperiment(plan.details(point).problems);
                events += point.events;
            }
        }
        if (events > kMostEvaluationEvents)
            throw engine::InvalidExperiment(
                {{"sweeps", std::to_string(static_cast<std::int64_t>(std::min(events, 9e18))) + " events",
                  "too many events to simulate; allowed: up to " +
                      std::to_string(static_cast<std::int64_t>(kMostEvaluationEvents)) +
                      " in all points; choose a coarser detail.level"}});
    }

    std::string constants() const {
        std::string text;
        for (const CalibratedParameter& calibrated : m_evaluation.calibrated)
            text += calibrated.parameter + ":" + joined(calibrated.on, ",") + "\n";
        for (const SweepPlan& plan : m_plans) {
            for (const SweepPoint& point : plan.points)
                text += point.hash + "\n";
        }
        return sha256(text + std::string(engine::engineVersion())).substr(0, kConstantsDigits);
    }

    std::vector<ReproducedItem> rows(const std::string& constants) const {
        return rowsOf(m_evaluation, m_tables, m_options.items, m_options.settings.empty(), constants, m_timetables);
    }

    /// Reports the present rows, unless that happened just before.
    void notifyRows(const std::string& constants) {
        const PaceClock::time_point now = PaceClock::now();
        if (now - m_told < kRowsInterval)
            return;
        m_told = now;
        m_options.rows(rows(constants));
    }

    bool hasTraffic() const {
        return m_evaluation.traffic && m_options.traffic && !m_options.keptOnly && !m_options.sweep;
    }

    /// Returns the expected work of every point, followed by that of every trace.
    std::vector<double> work() const {
        std::vector<double> work;
        for (const SweepPlan& plan : m_plans) {
            if (isOfModels(plan.sweep.of)) {
                for (const SweepPoint& point : plan.points)
                    work.push_back(RunCosts::kEventsOfAnyRun + point.events);
                continue;
            }
            std::vector<engine::Experiment> experiments;
            experiments.reserve(plan.points.size());
            for (const SweepPoint& point : plan.points)
                experiments.push_back(plan.details(point).experiment);
            const std::vector<double> costs = costsOf(experiments, true);
            work.insert(work.end(), costs.begin(), costs.end());
        }
        if (hasTraffic()) {
            for (const std::size_t index : m_evaluation.traffic->points)
                work.push_back(RunCosts::kEventsOfAnyRun + m_plans[m_evaluation.traffic->sweep].points[index].events);
        }
        return work;
    }

    void leaveOut(std::size_t sweep, WorkProgress& progress) {
        for (std::size_t point = 0; point < m_plans[sweep].points.size(); ++point)
            progress.ended(m_first++);
    }

    void runOne(std::size_t sweep, Store& store, WorkProgress& progress, Reproduction& reproduction) {
        const std::size_t count = m_plans[sweep].points.size();
        SweepOptions options;
        options.threads = m_options.threads;
        options.stop = m_options.stop;
        options.texts = SweepTexts::kept;  // a user may have started the same sweep under a name of its own
        options.baselineCache = m_options.baselineCache;
        options.arrived = [&](const std::vector<SweepArrival>& arrivals) {
            for (const SweepArrival& arrival : arrivals) {
                if (arrival.result)
                    m_results[sweep][arrival.point] = keptOf(*arrival.result);
                progress.ended(m_first + arrival.point);
            }
            if (m_options.rows) {
                takeArrivals(m_tables[sweep], arrivals);
                notifyRows(reproduction.constants);
            }
        };
        try {
            const SweepSummary summary = runSweep(m_plans[sweep], store, options);
            reproduction.damaged.insert(reproduction.damaged.end(), summary.damaged.begin(), summary.damaged.end());
            reproduction.stopped = reproduction.stopped || summary.stopped;
            if (isOfModels(m_plans[sweep].sweep.of))
                reproduction.broken.add(summary.broken);
        } catch (const engine::RunStopped&) { reproduction.stopped = true; }
        for (std::size_t point = 0; point < count && !reproduction.stopped; ++point)
            progress.ended(m_first + point);  // points that were in the store already
        m_first += count;
    }

    void takeCases(std::size_t sweep, const SweepTable& table, Store& store, Reproduction& reproduction) {
        const std::vector<std::string>& policies = table.sweep.policies;
        const auto sequential =
            static_cast<std::size_t>(std::find(policies.begin(), policies.end(), "sequential") - policies.begin());
        std::vector<PointResult>& results = m_results[sweep];
        for (const SweepRow& row : table.rows) {
            if (row.state == PointState::failed)
                reproduction.failures.push_back(row.reason);
            if (isOfModels(table.sweep.of))
                continue;  // its rows are read by path
            if (row.state == PointState::done && !results[row.index].known)
                results[row.index] = keptOf(store.resultOf(*row.runId));
        }
        for (const SweepRow& row : table.rows) {
            const PointResult& result = results[row.index];
            if (row.state != PointState::done || isOfModels(table.sweep.of))
                continue;
            ReproducedCase one = caseOf(sweep, row.index);
            const std::size_t beside = row.index - row.policy + sequential;
            if (sequential < policies.size() && results[beside].known)
                one.speedup =
                    static_cast<double>(results[beside].time.total.ps) / static_cast<double>(result.time.total.ps);
            else
                one.speedup = result.speedup.value_or(std::nan(""));
            one.time = result.time;
            one.dram = result.dram;
            one.notices = row.notices;
            reproduction.broken.add(one.experiment, result.invariants);
            reproduction.cases.push_back(std::move(one));
        }
    }

    ReproducedCase caseOf(std::size_t sweep, std::size_t index) const {
        const SweepPlan& plan = m_plans[sweep];
        PointDetails details = detailsOf(plan.sweep, index);
        ReproducedCase one;
        one.model = details.experiment.workload.model;
        one.sublayer = engine::name(details.experiment.workload.sublayer);
        one.policy = plan.sweep.policies[details.policy];
        one.tp = details.experiment.parallel.tp;
        one.sweep = sweep;
        for (std::size_t axis = 0; axis < plan.sweep.axes.size(); ++axis) {
            for (const AxisColumn& column : plan.sweep.axes[axis].columns) {
                if (!isAmong(kCasePaths, column.path))
                    one.axes.emplace_back(column.path, engine::formatValue(*engine::findParameter(column.path),
                                                                           column.values[details.at[axis]]));
            }
        }
        one.experiment = std::move(details.experiment);
        return one;
    }

    void runTraffic(WorkProgress& progress, Reproduction& reproduction) {
        const EvaluationTraffic& traffic = *m_evaluation.traffic;
        for (std::size_t i = 0; i < traffic.points.size() && !reproduction.stopped; ++i) {
            const engine::Experiment experiment = detailsOf(m_plans[traffic.sweep].sweep, traffic.points[i]).experiment;
            reproduction.trafficCase = caseName(experiment);
            if (!canAttribute(experiment)) {
                reproduction.notices.push_back(
                    {"traffic", "left out under " + std::string(engine::name(experiment.policy.preset)) +
                                    ": its trace would have too many events; choose a coarser detail.level"});
                progress.ended(m_first + i);
                continue;
            }
            try {
                reproduction.traffic.push_back(trafficIn(experiment, progress.of(m_first + i)));
            } catch (const engine::RunStopped&) {
                reproduction.stopped = true;
            } catch (const engine::Deadlock& deadlock) { reproduction.failures.emplace_back(deadlock.what()); }
        }
    }

    TrafficProfile trafficIn(const engine::Experiment& experiment, std::function<void(double)> progress) const {
        engine::RunOptions traced;
        traced.recordTrace = true;
        traced.baselines = false;
        traced.stop = m_options.stop;
        traced.progress = std::move(progress);
        const engine::RunResult result = engine::run(experiment, traced);
        // Every policy has as many slices, however long its run is.
        TrafficProfile profile = trafficOf(*result.trace, {result.trace->end.ps / m_evaluation.traffic->slices + 1});
        profile.policy = engine::name(experiment.policy.preset);
        return profile;
    }

    const Evaluation& m_evaluation;
    const ReproduceOptions& m_options;
    std::vector<SweepPlan> m_plans;                   // one for each sweep
    std::vector<std::vector<PointResult>> m_results;  // by sweep and point
    std::vector<SweepTable> m_tables;                 // one for each sweep
    std::vector<ResultJson> m_timetables;             // one for each of Evaluation::tasks
    PaceClock::time_point m_told{};
    std::size_t m_first = 0;  // index of the sweep's first point among all points that progress counts
};

ResultJson documentOf(const Reproduction& reproduction) {
    const auto itemJson = [](const ReproducedItem& item) {
        ResultJson row{{"id", item.published.id}, {"what", item.published.what}};
        if (!std::isnan(item.value))
            row["value"] = item.value;
        if (!std::isnan(item.published.value))
            row["published"] = item.published.value;
        if (!std::isnan(item.difference))
            row["difference"] = item.difference;
        if (!item.published.label.empty())
            row["label"] = item.published.label;
        row["role"] = name(item.role);
        if (item.least)
            row["at_least"] = *item.least;
        if (item.most)
            row["at_most"] = *item.most;
        if (const std::optional<bool> holds = item.holds())
            row["holds"] = *holds;
        if (!item.note.empty())
            row["note"] = item.note;
        return row;
    };
    const auto caseJson = [](const ReproducedCase& one) {
        ResultJson row{{"model", one.model}, {"sublayer", one.sublayer}, {"tp", one.tp}, {"policy", one.policy}};
        for (const auto& [path, text] : one.axes)
            row[path] = text;
        if (!std::isnan(one.speedup))
            row["speedup"] = one.speedup;
        row["time_ps"] = timeJson(one.time);
        if (one.dram)
            row["dram_bytes"] = dramJson(*one.dram);
        return row;
    };
    const auto trafficJson = [&](const TrafficProfile& profile) {
        using Slice = TrafficProfile::Slice;
        const auto bytes = [&](engine::Bytes (*of)(const Slice&)) {
            return jsonList(profile.slices, [of](const Slice& slice) { return of(slice).count; });
        };
        return ResultJson{
            {"case", reproduction.trafficCase},
            {"policy", profile.policy},
            {"slice_ps", profile.slice.ps},
            {"compute_read", bytes([](const Slice& slice) { return slice.gemmRead; })},
            {"compute_write", bytes([](const Slice& slice) { return slice.gemmWrite; })},
            {"communication_read", bytes([](const Slice& slice) { return slice.rsRead + slice.agRead; })},
            {"communication_write", bytes([](const Slice& slice) { return slice.rsWrite + slice.agWrite; })}};
    };
    const auto answerJson = [](const MeasuredAnswer& answer) {
        ResultJson row{{"table", answer.table}};
        for (const auto& [key, text] : {std::pair{"target", &answer.target}, std::pair{"machine", &answer.machine}}) {
            if (!text->empty())
                row[key] = *text;
        }
        row["rows"] = answer.rows;
        row["n"] = answer.n;
        for (const auto& [key, number] : {std::pair{"bias", answer.bias}, std::pair{"median_error", answer.median},
                                          std::pair{"error_90", answer.p90}, std::pair{"rank_correlation", answer.rank},
                                          std::pair{"worst", answer.worst}}) {
            if (!std::isnan(number))
                row[key] = number;
        }
        if (!answer.worstRow.empty())
            row["worst_row"] = answer.worstRow;
        if (answer.holds)
            row["holds"] = *answer.holds;
        if (!answer.failure.empty())
            row["failure"] = answer.failure;
        return row;
    };
    return {{"items", jsonList(reproduction.items, itemJson)},
            {"measured", jsonList(reproduction.measured, answerJson)},
            {"cases", jsonList(reproduction.cases, caseJson)},
            {"traffic", jsonList(reproduction.traffic, trafficJson)},
            {"constants", reproduction.constants},
            {"notices", noticesJson(reproduction.notices)}};
}

constexpr int kReproductionIndent = 2;

}  // namespace

std::vector<EvaluatedCase> evaluatedCases() {
    const Sweep& sweep = publishedEvaluation().sweeps.front().sweep;
    std::vector<EvaluatedCase> cases;
    for (std::size_t index = 0; index < pointCount(sweep); index += sweep.policies.size()) {
        const engine::Experiment experiment = detailsOf(sweep, index).experiment;
        cases.push_back({experiment.workload.model, std::string(engine::name(experiment.workload.sublayer)),
                         experiment.parallel.tp});
    }
    return cases;
}

engine::Problems checkItems(const Evaluation& evaluation, const std::vector<std::string>& items) {
    const std::vector<std::string> known = namesOf(evaluation.items, &EvaluationItem::id);
    engine::Problems problems;
    for (const std::string& item : items) {
        if (isAmong(known, item))
            continue;
        std::string text = "not an item of the evaluation";
        const std::vector<std::string> near = engine::nearestNames(item, known);
        for (std::size_t i = 0; i < near.size(); ++i)
            text += (i == 0 ? "; did you mean " : ", ") + near[i];
        problems.push_back({"ITEM", item, text + "; without an item all are printed"});
    }
    return problems;
}

engine::Problems checkItems(const std::vector<std::string>& items) { return checkItems(publishedEvaluation(), items); }

std::string itemIdOf(const ReproducedItem& row) { return row.published.id.substr(0, row.published.id.find('[')); }

Settings settingsOfCollective(const Settings& settings) {
    Settings kept = settings;
    std::erase_if(kept, [](const auto& setting) {
        return engine::findParameter(setting.first)->group == engine::ParameterGroup::model;
    });
    return kept;
}

Reproduction reproduce(const Evaluation& evaluation, const ReproduceOptions& options) {
    return EvaluationRun(evaluation, options).run();
}

Reproduction reproduceAll(const Evaluation& evaluation, const ReproduceOptions& options) {
    Reproduction reproduction = reproduce(evaluation, options);
    if (reproduction.stopped)
        throw engine::RunStopped();
    if (!reproduction.failures.empty())
        throw engine::Deadlock(reproduction.failures.front());
    return reproduction;
}

Reproduction reproduce(const ReproduceOptions& options) { return reproduceAll(publishedEvaluation(), options); }

std::string writeReproduction(const Reproduction& reproduction) {
    return documentOf(reproduction).dump(kReproductionIndent) + "\n";
}

std::string writeReproductions(const std::vector<std::pair<std::string, Reproduction>>& reproductions) {
    const auto named = [](const auto& one) {
        ResultJson document{{"evaluation", one.first}};
        document.update(documentOf(one.second));
        return document;
    };
    return ResultJson{{"evaluations", jsonList(reproductions, named)}}.dump(kReproductionIndent) + "\n";
}

}  // namespace data
