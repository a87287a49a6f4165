#include "data/evaluations/evaluation_figures.h"

#include "data/document/names.h"
#include "data/document/tree_reader.h"
#include "data/results/metrics.h"
#include "data/sweep/sweep_plan.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <array>
#include <set>

namespace data {
namespace {

constexpr std::size_t kLongestFigureName = 40;
constexpr std::size_t kLongestFigureText = 1'000;
constexpr std::array kFigureMarks{EvaluationMark::bars, EvaluationMark::lines};
constexpr std::array kFigureMeans{EvaluationMean::geomean, EvaluationMean::mean, EvaluationMean::median,
                                  EvaluationMean::min, EvaluationMean::max};

/// Returns whether a text may name a figure, and therefore its files.
bool isFigureName(std::string_view text) {
    const auto isAllowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !text.empty() && text.size() <= kLongestFigureName && std::all_of(text.begin(), text.end(), isAllowed);
}

template <class Words>
std::string allowedWords(const Words& words) {
    std::vector<std::string> names;
    for (const auto word : words)
        names.emplace_back(name(word));
    return "allowed: " + joined(names, ", ");
}

/// Reads the figures of one evaluation.
class EvaluationFigureReader : private TreeReader {
public:
    EvaluationFigureReader(const Evaluation& evaluation, const EvaluationLookup& lookup, engine::Problems& problems)
        : TreeReader(problems, {.longest = kLongestFigureText}), m_evaluation(evaluation), m_lookup(lookup) {}

    std::vector<EvaluationFigure> read(const DocumentNode& root) {
        std::vector<EvaluationFigure> figures;
        const DocumentNode* list = childOf(root, "", "figures", Kind::list, "a list [...]", problems());
        if (list != nullptr && list->children.size() > kMostEvaluationFigures) {
            report("figures", std::to_string(list->children.size()) + " figures",
                   "too many; allowed: up to " + std::to_string(kMostEvaluationFigures));
            return figures;
        }
        readEach(list, "figures", "a figure {...}", [&](const DocumentNode& node, const std::string& where) {
            const std::size_t before = problems().size();
            EvaluationFigure figure = readOne(node, where);
            if (problems().size() == before)
                figures.push_back(std::move(figure));
        });
        return figures;
    }

private:
    EvaluationFigure readOne(const DocumentNode& node, const std::string& where) {
        checkKeys(node, where,
                  {"name", "title", "of", "mark", "x", "y", "policies", "where", "as", "all", "references"},
                  problems());
        EvaluationFigure figure;
        figure.name = textAt(node, where, "name", "a name for its files is expected, such as \"speed-up\"");
        if (!figure.name.empty() && !isFigureName(figure.name))
            report(where + ".name", figure.name,
                   "not a name for files; allowed: small letters, digits and \"-\", up to 40");
        else if (!figure.name.empty() && !m_names.insert(figure.name).second)
            report(where + ".name", figure.name, "two figures have this name; allowed: names that differ");
        figure.title = textAt(node, where, "title");
        readMark(node, where, figure);
        const auto sweep = m_lookup.sweepOf(node, where);
        const Metric* metric = readMetric(node, where, sweep, figure);
        if (!sweep)
            return figure;
        figure.sweep = *sweep;
        readAxis(node, where, figure);
        readPolicies(node, where, figure);
        readPoints(node, where, figure);
        if (metric != nullptr)
            readReferences(node, where, *metric, figure);
        return figure;
    }

    void readMark(const DocumentNode& node, const std::string& where, EvaluationFigure& figure) {
        const std::string mark = textAt(node, where, "mark", allowedWords(kFigureMarks));
        const auto* known = std::ranges::find(kFigureMarks, mark, [](EvaluationMark word) { return name(word); });
        if (known != kFigureMarks.end())
            figure.mark = *known;
        else if (!mark.empty())
            report(where + ".mark", mark, "unknown; " + allowedWords(kFigureMarks));
        const std::string mean = textAt(node, where, "as");
        const auto* made = std::ranges::find(kFigureMeans, mean, [](EvaluationMean word) { return name(word); });
        if (made != kFigureMeans.end())
            figure.mean = *made;
        else if (!mean.empty())
            report(where + ".as", mean, "unknown; " + allowedWords(kFigureMeans));
        figure.all = flagAt(node, where, "all").value_or(figure.all);
        if (figure.all && figure.mark != EvaluationMark::bars)
            report(where + ".all", "true", "lines have no place for all points together; allowed only with bars");
    }

    /// Reads a metric of the sweep's points, or of any points if the sweep is not known.
    const Metric* readMetric(const DocumentNode& node, const std::string& where, std::optional<std::size_t> sweep,
                             EvaluationFigure& figure) {
        figure.metric = textAt(node, where, "y", "the path of a metric is expected");
        const ResultSubject subject = sweep ? m_evaluation.sweeps[*sweep].sweep.of : ResultSubject::run;
        const Metric* metric = sweep ? findMetric(figure.metric, subject) : findMetric(figure.metric);
        if (metric == nullptr && !figure.metric.empty())
            report(where + ".y", figure.metric, unknownMetric(figure.metric, subject));
        return metric;
    }

    void readAxis(const DocumentNode& node, const std::string& where, EvaluationFigure& figure) {
        const Sweep& sweep = m_evaluation.sweeps[figure.sweep].sweep;
        const std::vector<std::string> allowed = axisPaths(sweep);
        const std::string choice = "allowed: " + joined(allowed, ", ");
        const std::string path = textAt(node, where, "x", "an axis of the sweep is expected; " + choice);
        for (figure.axis = 0; figure.axis < sweep.axes.size(); ++figure.axis) {
            const std::vector<AxisColumn>& columns = sweep.axes[figure.axis].columns;
            const auto found = std::ranges::find(columns, path, &AxisColumn::path);
            figure.column = static_cast<std::size_t>(found - columns.begin());
            if (found != columns.end())
                return;
        }
        if (!path.empty())
            report(where + ".x", path,
                   "not an axis of the sweep " + m_evaluation.sweeps[figure.sweep].name + "; " + choice);
    }

    void readPolicies(const DocumentNode& node, const std::string& where, EvaluationFigure& figure) {
        const Sweep& sweep = m_evaluation.sweeps[figure.sweep].sweep;
        if (const DocumentNode* policies = node.find("policies"); policies != nullptr && !isTimed(sweep.of))
            return report(where + ".policies", policies->shown(), kNoPolicy);
        const DocumentNode* list = childOf(node, where, "policies", Kind::list, "a list of policies [...]", problems());
        if (list != nullptr && list->children.empty())
            report(where + ".policies", "[]", "at least one policy is expected");
        for (std::size_t i = 0; list != nullptr && i < list->children.size(); ++i) {
            const std::string path = indexed(where + ".policies", i);
            const auto policy = m_lookup.policyNamed(list->children[i].text, figure.sweep, path);
            if (policy && isAmong(figure.policies, *policy))
                report(path, list->children[i].text, "named twice");
            else if (policy)
                figure.policies.push_back(*policy);
        }
        for (std::size_t i = 0; list == nullptr && i < sweep.policies.size(); ++i)
            figure.policies.push_back(i);
    }

    void readPoints(const DocumentNode& node, const std::string& where, EvaluationFigure& figure) {
        const auto chosen = m_lookup.pointsWhere(node, figure.sweep, where);
        if (!chosen)
            return;
        const std::size_t count = m_evaluation.sweeps[figure.sweep].sweep.policies.size();
        for (const std::size_t index : *chosen) {
            if (isAmong(figure.policies, index % count))
                figure.points.push_back(index);
        }
        if (figure.points.empty() && !figure.policies.empty())
            report(where + ".where", textAt(node, where, "where"), "selects no point under the policies of the figure");
    }

    void readReferences(const DocumentNode& node, const std::string& where, const Metric& metric,
                        EvaluationFigure& figure) {
        const DocumentNode* list = childOf(node, where, "references", Kind::list, "a list of items [...]", problems());
        for (std::size_t i = 0; list != nullptr && i < list->children.size(); ++i)
            readReference(list->children[i], indexed(where + ".references", i), metric, figure);
    }

    void readReference(const DocumentNode& node, const std::string& where, const Metric& metric,
                       EvaluationFigure& figure) {
        const auto found = std::ranges::find(m_evaluation.items, node.text, &EvaluationItem::id);
        if (node.kind != Kind::string || (found == m_evaluation.items.end() && !m_lookup.isItem(node.text)))
            return report(where, node.shown(), "not an item of this evaluation");
        if (found == m_evaluation.items.end())
            return;  // the problems of the item itself are reported there
        const auto position = static_cast<std::size_t>(found - m_evaluation.items.begin());
        if (isAmong(figure.references, position))
            return report(where, node.text, "named twice");
        if (unitOf(*found) != metric.unit)
            return report(where, node.text, "has another unit than " + metric.path + ", which the figure shows");
        if (found->mean == EvaluationMean::each &&
            (figure.mark != EvaluationMark::bars || found->sweep != figure.sweep))
            return report(
                where, node.text,
                "has a number for each point; allowed: an item with one number or, in a figure of bars, an item of the "
                "same sweep");
        figure.references.push_back(position);
    }

    const Evaluation& m_evaluation;
    const EvaluationLookup& m_lookup;
    std::set<std::string> m_names;
};

}  // namespace

std::string_view name(EvaluationMark mark) {
    static constexpr std::array<std::string_view, 3> kNames{"bars", "lines", "correlation"};
    return kNames.at(static_cast<std::size_t>(mark));
}

std::vector<EvaluationFigure> readEvaluationFigures(const DocumentNode& root, const Evaluation& evaluation,
                                                    const EvaluationLookup& lookup, engine::Problems& problems) {
    return EvaluationFigureReader(evaluation, lookup, problems).read(root);
}

}  // namespace data
