#include "data/evaluations/measured_answer.h"

#include "data/document/value_places.h"
#include "data/evaluations/statistics.h"
#include "data/experiment/experiment_document.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace data {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// The relative slack for shares that are equal on paper but differ in their last bits.
constexpr double kSlack = 1e-9;

/// Finds the machine of each point of a sweep.
class Machines {
public:
    explicit Machines(const Sweep& sweep) : m_policies(sweep.policies.size()) {
        for (const SweepAxis& axis : sweep.axes) {
            for (const AxisColumn& column : axis.columns) {
                if (column.path == "machine")
                    m_column = &column;
            }
        }
        if (m_column == nullptr)
            m_machine = expand(sweep.base).experiment.machine;
    }

    std::string of(std::size_t point) const {
        return m_column == nullptr ? m_machine : std::get<std::string>(m_column->values.at(point / m_policies));
    }

private:
    std::size_t m_policies;
    const AxisColumn* m_column = nullptr;  // of the only axis of a measured table
    std::string m_machine;
};

/// Returns the positions in `rows` of an item's rows, by the point that they show.
std::map<std::size_t, std::size_t> placesOfRows(const EvaluationItem& item, std::span<const ReproducedItem> rows) {
    std::map<std::size_t, std::size_t> places;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (itemIdOf(rows[i]) == item.id && rows[i].points.size() == 1)
            places.emplace(rows[i].points.front(), i);
    }
    return places;
}

std::string signedPercentText(double share) { return signedNumber(share * 100, 1) + " %"; }

/// The answer for some rows of a table.
class AnswerOf {
public:
    AnswerOf(const MeasuredTarget& target, std::span<const ReproducedItem> rows) : m_target(target), m_rows(rows) {}

    void add(std::size_t row, const MeasuredPair* pair) {
        ++m_answer.rows;
        m_failed =
            m_failed || (pair == nullptr && !m_rows[row].note.empty() && m_rows[row].verdict != RowVerdict::notRun);
        if (pair != nullptr)
            m_pairs.push_back(*pair);
    }

    MeasuredAnswer answer(bool judges) {
        m_answer.n = m_pairs.size();
        m_answer.bias = m_answer.median = m_answer.p90 = m_answer.rank = m_answer.worst = kNone;
        std::vector<double> errors, ours, measured;
        double logarithms = 0;
        for (const MeasuredPair& pair : m_pairs) {
            errors.push_back(pair.error());
            ours.push_back(pair.ours);
            measured.push_back(pair.measured);
            logarithms += std::log(pair.ratio());
            if (std::isnan(m_answer.worst) || pair.error() > std::abs(m_answer.worst)) {
                m_answer.worst = pair.ratio() - 1;
                m_answer.worstRow = m_rows[pair.row].published.id;
            }
        }
        if (!m_pairs.empty()) {
            m_answer.bias = std::exp(logarithms / static_cast<double>(m_pairs.size()));
            m_answer.rank = rankCorrelationOf(ours, measured);
        }
        std::sort(errors.begin(), errors.end());
        m_answer.median = quantileOf(errors, 0.5);
        m_answer.p90 = quantileOf(errors, 0.9);
        if (judges)
            judge();
        return m_answer;
    }

private:
    void judge() {
        if (!m_target.median && !m_target.bias && !m_target.each)
            return;
        if (m_answer.n < m_answer.rows) {
            if (m_failed)
                fail("a row has no number of ours");
            return;
        }
        m_answer.holds = true;
        demand("median error", m_answer.median, m_target.median);
        demand("bias", m_answer.bias - 1, m_target.bias);
        demand("worst row", m_answer.worst, m_target.each);
    }

    void demand(const char* what, double share, const std::optional<double>& most) {
        if (most && !(std::abs(share) <= *most + kSlack))
            fail(std::string(what) + " " + percentText(std::abs(share)) + ", allowed: up to " + percentText(*most));
    }

    void fail(const std::string& why) {
        m_answer.holds = false;
        m_answer.failure += (m_answer.failure.empty() ? "" : "; ") + why;
    }

    const MeasuredTarget& m_target;
    std::span<const ReproducedItem> m_rows;
    std::vector<MeasuredPair> m_pairs;
    MeasuredAnswer m_answer;
    bool m_failed = false;
};

}  // namespace

double MeasuredPair::error() const { return std::abs(ratio() - 1); }

std::vector<MeasuredPair> pairsOf(const Evaluation& evaluation, const EvaluationMeasured& measured,
                                  std::span<const ReproducedItem> rows) {
    const EvaluationItem& item = evaluation.items[measured.item];
    const Machines machines(evaluation.sweeps[item.sweep].sweep);
    std::vector<MeasuredPair> pairs;
    for (const auto& [point, row] : placesOfRows(item, rows)) {
        // A blind row under other constants has both numbers, but no difference.
        if (std::isfinite(rows[row].difference) && rows[row].value > 0)
            pairs.push_back({row, rows[row].value, rows[row].published.value, machines.of(point)});
    }
    return pairs;
}

std::vector<MeasuredAnswer> measuredAnswers(const Evaluation& evaluation, std::span<const ReproducedItem> rows,
                                            bool asWritten) {
    std::vector<MeasuredAnswer> answers;
    for (const EvaluationMeasured& measured : evaluation.measured) {
        const EvaluationItem& item = evaluation.items[measured.item];
        const Machines machineOf(evaluation.sweeps[item.sweep].sweep);
        const std::vector<MeasuredPair> pairs = pairsOf(evaluation, measured, rows);
        const auto places = placesOfRows(item, rows);
        for (const MeasuredTarget& target : measured.targets) {
            std::vector<std::string> machines;
            std::vector<AnswerOf> each;
            AnswerOf all(target, rows);
            for (const std::size_t point : target.points) {
                const auto place = places.find(point);
                if (place == places.end())
                    continue;
                const auto pair = std::ranges::find(pairs, place->second, &MeasuredPair::row);
                const MeasuredPair* found = pair == pairs.end() ? nullptr : &*pair;
                const std::string machine = machineOf.of(point);
                const auto known = std::ranges::find(machines, machine);
                const auto group = static_cast<std::size_t>(known - machines.begin());
                if (known == machines.end()) {
                    machines.push_back(machine);
                    each.emplace_back(target, rows);
                }
                each[group].add(place->second, found);
                all.add(place->second, found);
            }
            const auto put = [&](AnswerOf& one, const std::string& machine, bool judges) {
                MeasuredAnswer answer = one.answer(judges && asWritten);
                answer.table = item.id;
                answer.target = target.id;
                answer.what = target.what.empty() ? item.what : target.what;
                answer.machine = machine;
                answers.push_back(std::move(answer));
            };
            for (std::size_t i = 0; i < machines.size(); ++i)
                put(each[i], machines[i], true);
            if (machines.size() > 1)
                put(all, {}, false);
        }
    }
    return answers;
}

std::string sentenceOf(const MeasuredAnswer& answer) {
    const std::string rows = answer.n == answer.rows ? std::to_string(answer.n)
                                                     : std::to_string(answer.n) + " of " + std::to_string(answer.rows);
    std::string text = rows + (answer.rows == 1 ? " row" : " rows");
    if (answer.n == 0)
        return text;
    text += ": bias " + signedPercentText(answer.bias - 1) + ", median error " + percentText(answer.median) +
            ", 90 % of the rows within " + percentText(answer.p90);
    if (!std::isnan(answer.rank))
        text += ", rank correlation " + fixedNumber(answer.rank, 3);
    return text;
}

}  // namespace data
