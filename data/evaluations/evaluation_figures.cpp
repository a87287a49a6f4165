#include "data/evaluations/evaluation_figures.h"

#include "data/document/document_keys.h"
#include "data/document/names.h"
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
constexpr std::array kFigureMeans{EvaluationMean::geomean, EvaluationMean::mean, EvaluationMean::min,
                                  EvaluationMean::max};

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
class EvaluationFigureReader {
public:
    EvaluationFigureReader(const Evaluation& evaluation, const EvaluationLookup& lookup, engine::Problems& problems)
        : m_evaluation(evaluation), m_lookup(lookup), m_problems(problems) {}

    std::vector<EvaluationFigure> read(const DocumentNode& root) {
        std::vector<EvaluationFigure> figures;
        const DocumentNode* list = childOf(root, "", "figures", Kind::list, "a list [...]", m_problems);
        if (list != nullptr && list->children.size() > kMostEvaluationFigures) {
            report("figures", std::to_string(list->children.size()) + " figures",
                   "too many; allowed: up to " + std::to_string(kMostEvaluationFigures));
            return figures;
        }
        for (std::size_t i = 0; list != nullptr && i < list->children.size() && m_problems.size() < kMostProblems;
             ++i) {
            const std::string where = indexed("figures", i);
            const std::size_t before = m_problems.size();
            if (list->children[i].kind != Kind::object) {
                report(where, list->children[i].shown(), "wrong type, a figure {...} is expected");
                continue;
            }
            EvaluationFigure figure = readOne(list->children[i], where);
            if (m_problems.size() == before)
                figures.push_back(std::move(figure));
        }
        return figures;
    }

private:
    using Kind = DocumentNode::Kind;

    void report(std::string path, std::string value, std::string text) {
        m_problems.push_back({std::move(path), std::move(value), std::move(text)});
    }

    /// Returns the text of a key, or an empty text if it is missing, with a problem if it is required.
    std::string textOf(const DocumentNode& node, const std::string& where, std::string_view key,
                       std::string_view needed = {}) {
        const DocumentNode* text = childOf(node, where, key, Kind::string, "a string", m_problems);
        if (text == nullptr && node.find(key) == nullptr && !needed.empty())
            report(within(where, key), "", "missing; " + std::string(needed));
        if (text != nullptr && text->text.find_first_not_of(" \t\n") == std::string::npos)
            report(within(where, key), text->shown(), "empty; a text is expected");
        if (text != nullptr && text->text.size() > kLongestFigureText)
            report(within(where, key), std::to_string(text->text.size()) + " bytes",
                   "too long; allowed: up to " + std::to_string(kLongestFigureText));
        return text == nullptr ? std::string() : text->text;
    }

    EvaluationFigure readOne(const DocumentNode& node, const std::string& where) {
        checkKeys(node, where,
                  {"name", "title", "of", "mark", "x", "y", "policies", "where", "as", "all", "references"},
                  m_problems);
        EvaluationFigure figure;
        figure.name = textOf(node, where, "name", "a name for its files is expected, such as \"speed-up\"");
        if (!figure.name.empty() && !isFigureName(figure.name))
            report(where + ".name", figure.name,
                   "not a name for files; allowed: small letters, digits and \"-\", up to 40");
        else if (!figure.name.empty() && !m_names.insert(figure.name).second)
            report(where + ".name", figure.name, "two figures have this name; allowed: names that differ");
        figure.title = textOf(node, where, "title");
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
        const std::string mark = textOf(node, where, "mark", allowedWords(kFigureMarks));
        const auto* known = std::ranges::find(kFigureMarks, mark, [](EvaluationMark word) { return name(word); });
        if (known != kFigureMarks.end())
            figure.mark = *known;
        else if (!mark.empty())
            report(where + ".mark", mark, "unknown; " + allowedWords(kFigureMarks));
        const std::string mean = textOf(node, where, "as");
        const auto* made = std::ranges::find(kFigureMeans, mean, [](EvaluationMean word) { return name(word); });
        if (made != kFigureMeans.end())
            figure.mean = *made;
        else if (!mean.empty())
            report(where + ".as", mean, "unknown; " + allowedWords(kFigureMeans));
        const DocumentNode* all = childOf(node, where, "all", Kind::other, "true or false", m_problems);
        if (all == nullptr)
            return;
        figure.all = all->text == "true";
        if (all->text == "null")
            report(where + ".all", "null", "wrong type, true or false is expected");
        else if (figure.all && figure.mark != EvaluationMark::bars)
            report(where + ".all", "true", "lines have no place for all points together; allowed only with bars");
    }

    /// Reads a metric of the sweep's points, or of any points if the sweep is not known.
    const Metric* readMetric(const DocumentNode& node, const std::string& where, std::optional<std::size_t> sweep,
                             EvaluationFigure& figure) {
        figure.metric = textOf(node, where, "y", "the path of a metric is expected");
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
        const std::string path = textOf(node, where, "x", "an axis of the sweep is expected; " + choice);
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
        const DocumentNode* list = childOf(node, where, "policies", Kind::list, "a list of policies [...]", m_problems);
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
            report(where + ".where", textOf(node, where, "where"), "selects no point under the policies of the figure");
    }

    void readReferences(const DocumentNode& node, const std::string& where, const Metric& metric,
                        EvaluationFigure& figure) {
        const DocumentNode* list = childOf(node, where, "references", Kind::list, "a list of items [...]", m_problems);
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
    engine::Problems& m_problems;
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
