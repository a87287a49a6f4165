#include "data/tasks/task_text.h"

#include "data/document/names.h"
#include "data/document/parameter_words.h"
#include "data/document/value_places.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <variant>

namespace data {
namespace {

constexpr int kGainDecimals = 3, kUnitDecimals = 4;

/// Returns a number of units: "10,000", "5.5", "6.5625".
std::string amountText(double amount) {
    if (amount == std::floor(amount) && std::abs(amount) <= static_cast<double>(engine::kMostTaskTime))
        return groupedNumber(static_cast<std::int64_t>(amount));
    std::string text = fixedNumber(amount, kUnitDecimals);
    return text.erase(text.find_last_not_of('0') + 1);
}

std::string gainText(double ratio) { return fixedNumber(ratio, kGainDecimals) + " x"; }

std::string countedText(std::int64_t count, const std::string& one, const char* several) {
    return groupedNumber(count) + " " + one + (count == 1 ? "" : several);
}

/// Joins texts with commas; says how many more there are after the first ones.
std::string listText(std::vector<std::string> texts) {
    constexpr std::size_t kMostWritten = 16;
    const std::size_t count = texts.size();
    texts.resize(std::min(count, kMostWritten));
    return joined(texts, ", ") +
           (count > kMostWritten ? " and " + groupedNumber(static_cast<std::int64_t>(count - kMostWritten)) + " more"
                                 : "");
}

template <class Numbers, class Text>
std::string numbersText(const Numbers& numbers, const Text& text) {
    std::vector<std::string> texts;
    texts.reserve(numbers.size());
    for (const auto number : numbers)
        texts.push_back(text(number));
    return listText(std::move(texts));
}

class TaskSentences {
public:
    TaskSentences(const TaskDocument& document, const TaskResult& result) : m_document(document), m_result(result) {}

    std::vector<std::string> all() const {
        return std::visit([this](const auto& work) { return sentencesOf(work); }, m_document.work);
    }

private:
    std::string units(double amount) const { return amountText(amount) + " " + m_document.unit; }
    std::string units(std::int64_t amount) const { return unitsText(m_document, amount); }

    std::vector<std::string> sentencesOf(const TaskLoop& loop) const {
        const engine::LoopFormulas& formulas = *m_result.loop;
        const std::string cores = groupedNumber(loop.shape.cores) + " " + loop.shape.pool;
        std::string total = groupedNumber(loop.shape.iterations) + " iterations of " + units(formulas.work) + " on " +
                            cores + ": " + units(m_result.timetable.makespan);
        if (m_result.speedup)
            total += ", " + gainText(*m_result.speedup);
        std::string interval = "one iteration every " + units(formulas.interval) + ", bound by ";
        if (formulas.bound)
            interval += "the sequential piece " + std::to_string(*formulas.bound + 1) + " (" +
                        groupedNumber(loop.shape.pieces[*formulas.bound].time) + " + " +
                        groupedNumber(loop.shape.latency) + ")";
        else
            interval += "the " + cores;
        std::vector<std::string> sentences{total + "; a long loop " + gainText(formulas.speedup), std::move(interval)};
        if (loop.coverage < 1)
            sentences.push_back("a program that spends " + percentText(loop.coverage) +
                                " of its time in the loop: " + gainText(formulas.programSpeedup(loop.coverage)));
        return sentences;
    }

    std::vector<std::string> sentencesOf(const TaskPipeline& pipeline) const {
        const engine::PipelineShape& shape = pipeline.shape;
        const engine::PipelineFindings& findings = *m_result.pipeline;
        const std::string stages = countedText(shape.stages, "stage", "s") +
                                   (shape.chunks > 1 ? " of " + groupedNumber(shape.chunks) + " chunks" : "");
        const std::string& schedule = wordAt("division.schedule", shape.schedule);
        std::string total = engine::isDelayed(shape.schedule) ? stages + ", " + schedule + ": one mini-batch every "
                                                              : countedText(shape.microbatches, "micro-batch", "es") +
                                                                    " through " + stages + ", " + schedule + ": ";
        total += units(findings.total) + "; bubble " + percentText(findings.bubbleShare) + ", " +
                 percentText(findings.bubbleOverIdeal) + " over the ideal time";
        std::vector<std::string> sentences{std::move(total), "in flight at most, by stage: " +
                                                                 numbersText(findings.inFlight, amountText)};
        if (m_result.staleness.empty())
            return sentences;
        const auto step = [](std::int64_t tau) { return fixedNumber(engine::stableStep(tau), kGainDecimals); };
        sentences.push_back(
            "staleness by module: " + numbersText(m_result.staleness, groupedNumber) +
            "; largest stable step of descent on a quadratic: " + numbersText(m_result.staleness, step));
        return sentences;
    }

    std::vector<std::string> sentencesOf(const TaskList& list) const {
        const engine::TaskBounds& bounds = m_result.bounds;
        std::string total =
            countedText(static_cast<std::int64_t>(list.ids.size()), "task", "s") + ", look-ahead " +
            (list.lookahead == engine::kUnlimitedLookahead ? "unlimited" : groupedNumber(list.lookahead)) + ": " +
            units(m_result.timetable.makespan) + "; no order takes less than " + units(bounds.lower);
        if (bounds.upper)
            total += ", and firing when ready takes at most " + units(*bounds.upper);
        return {std::move(total), "busy: " + busyText(),
                "critical chain: " + numbersText(engine::criticalChain(m_result.timetable), TaskNames(m_document))};
    }

    std::string busyText() const {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < m_document.graph.pools.size(); ++i) {
            const engine::TaskPool& pool = m_document.graph.pools[i];
            const auto whole = static_cast<double>(m_result.timetable.makespan) * static_cast<double>(pool.places);
            std::string text = pool.name + " " + units(m_result.bounds.busy[i]);
            if (whole > 0)
                text += " (" + percentText(static_cast<double>(m_result.bounds.busy[i]) / whole) +
                        (pool.places > 1 ? " of " + groupedNumber(pool.places) + " places)" : ")");
            texts.push_back(std::move(text));
        }
        return listText(std::move(texts));
    }

    const TaskDocument& m_document;
    const TaskResult& m_result;
};

}  // namespace

std::string unitsText(const TaskDocument& document, std::int64_t amount) {
    return groupedNumber(amount) + " " + document.unit;
}

std::vector<std::string> taskSentences(const TaskDocument& document, const TaskResult& result) {
    return TaskSentences(document, result).all();
}

}  // namespace data
