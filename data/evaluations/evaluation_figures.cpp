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
constexpr std::size_t kMostFigureSeries = 100, kMostFigurePanels = 64;  // as in a figure's own document
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
                  {"name", "title", "of", "mark", "x", "y", "policies", "where", "as", "all", "references", "series",
                   "panels", "labels"},
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
        readLabels(node, where, figure);
        if (hasItems(node))
            return readItems(node, where, std::move(figure));
        const auto sweep = m_lookup.sweepOf(node, where);
        const Metric* metric = readMetric(node, where, sweep, figure);
        if (!sweep)
            return figure;
        figure.sweep = *sweep;
        const std::size_t before = problems().size();
        readX(node, where, figure);
        readPolicies(node, where, figure);
        readPoints(node, where, figure);
        if (problems().size() == before)
            readDivisions(node, where, figure);
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

    void readLabels(const DocumentNode& node, const std::string& where, EvaluationFigure& figure) {
        const DocumentNode* labels = childOf(node, where, "labels", Kind::object, "an object {...}", problems());
        if (labels == nullptr)
            return;
        const std::string path = within(where, "labels");
        checkKeys(*labels, path, {"x", "y"}, problems());
        figure.xLabel = textAt(*labels, path, "x");
        figure.yLabel = textAt(*labels, path, "y");
    }

    /// Returns whether "y" is an item or a list of items. A word that is a metric is the metric.
    bool hasItems(const DocumentNode& node) const {
        const DocumentNode* y = node.find("y");
        return y != nullptr && (y->kind == Kind::list || (y->kind == Kind::string && findMetric(y->text) == nullptr &&
                                                          m_lookup.isItem(y->text)));
    }

    /// Reads the rest of a figure whose y are items.
    EvaluationFigure readItems(const DocumentNode& node, const std::string& where, EvaluationFigure figure) {
        const std::size_t before = problems().size();
        for (const char* key : {"of", "where", "policies", "references"}) {
            if (const DocumentNode* child = node.find(key))
                report(within(where, key), child->shown(), "the items of the figure say this; leave it out");
        }
        const DocumentNode& y = *node.find("y");
        const bool isList = y.kind == Kind::list;
        if (isList && y.children.empty())
            report(where + ".y", "[]", "at least one item is expected");
        for (std::size_t i = 0; i < (isList ? y.children.size() : 1); ++i)
            readItem(isList ? y.children[i] : y, isList ? indexed(where + ".y", i) : where + ".y", figure);
        if (problems().size() != before || figure.items.empty())
            return figure;
        const EvaluationItem& first = m_evaluation.items[figure.items.front()];
        figure.sweep = first.sweep;
        figure.metric = first.metrics.front();
        figure.hasX = first.mean == EvaluationMean::each;
        const bool isSigned = first.gain || first.saving || first.minus;
        if (isSigned && figure.mean == EvaluationMean::geomean && node.find("as") != nullptr)
            report(where + ".as", "geomean",
                   "gains, savings and differences may be negative; allowed: mean, median, min, max");
        if (isSigned && figure.mean == EvaluationMean::geomean)
            figure.mean = EvaluationMean::mean;
        for (const std::size_t item : figure.items) {
            addOnce(figure.policies, m_evaluation.items[item].policy);
            for (const std::size_t point : m_evaluation.items[item].points)
                addOnce(figure.points, point);
        }
        std::sort(figure.points.begin(), figure.points.end());
        if (figure.hasX) {
            readX(node, where, figure);
            if (isList && node.find("series") != nullptr)
                report(where + ".series", node.find("series")->shown(),
                       "the items of the list are the series; leave it out, or name one item");
            if (problems().size() == before)
                readDivisions(node, where, figure);
            return figure;
        }
        for (const char* key : {"x", "series", "panels", "as", "all"}) {
            if (const DocumentNode* child = node.find(key))
                report(within(where, key), child->shown(),
                       "items with one number are divided by nothing; leave it out, or name items with \"each\"");
        }
        if (figure.mark != EvaluationMark::bars)
            report(where + ".mark", std::string(name(figure.mark)), "items with one number are bars");
        return figure;
    }

    /// Returns the position of the item that a node names; reports one that is none, or that is named already.
    std::optional<std::size_t> itemAt(const DocumentNode& node, const std::string& where,
                                      const std::vector<std::size_t>& named) {
        const auto found = std::ranges::find(m_evaluation.items, node.text, &EvaluationItem::id);
        const auto position = static_cast<std::size_t>(found - m_evaluation.items.begin());
        if (node.kind != Kind::string || (found == m_evaluation.items.end() && !m_lookup.isItem(node.text)))
            report(where, node.shown(), "not an item of this evaluation");
        else if (found != m_evaluation.items.end() && isAmong(named, position))
            report(where, node.text, "named twice");
        else if (found != m_evaluation.items.end())  // the problems of the item itself are reported there
            return position;
        return std::nullopt;
    }

    void readItem(const DocumentNode& node, const std::string& where, EvaluationFigure& figure) {
        const auto position = itemAt(node, where, figure.items);
        if (!position)
            return;
        const EvaluationItem* found = &m_evaluation.items[*position];
        if (found->tasks || comparesWithMeasured(found->mean))
            return report(where, node.text, "has no points of a sweep; allowed: items of runs and of models");
        if (!figure.items.empty()) {
            const EvaluationItem& first = m_evaluation.items[figure.items.front()];
            if (found->sweep != first.sweep)
                return report(where, node.text,
                              "is of another sweep than " + first.id + "; a figure shows items of one sweep");
            if (unitOf(*found) != unitOf(first) || isPercentage(*found, 0) != isPercentage(first, 0))
                return report(where, node.text, "has another unit than " + first.id);
            if (found->gain != first.gain || found->saving != first.saving ||
                found->minus.has_value() != first.minus.has_value())
                return report(where, node.text,
                              "is computed in another way than " + first.id + "; allowed: items of one kind");
            if ((found->mean == EvaluationMean::each) != (first.mean == EvaluationMean::each))
                return report(where, node.text,
                              "has one number where " + first.id +
                                  " has a number for each point, or the reverse; allowed: items of one kind");
        }
        figure.items.push_back(*position);
    }

    void readX(const DocumentNode& node, const std::string& where, EvaluationFigure& figure) {
        const std::vector<std::string> allowed = axisPaths(m_evaluation.sweeps[figure.sweep].sweep);
        const std::string needed = "an axis of the sweep is expected; allowed: " + joined(allowed, ", ");
        const auto choice = axisAt(figure, where + ".x", textAt(node, where, "x", needed));
        figure.axis = choice ? choice->axis : 0;
        figure.column = choice ? choice->column : 0;
    }

    /// Returns the axis with this path; reports a path that is none at `where`, unless it is empty.
    std::optional<FigureAxisChoice> axisAt(const EvaluationFigure& figure, const std::string& where,
                                           const std::string& path) {
        const Sweep& sweep = m_evaluation.sweeps[figure.sweep].sweep;
        for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
            const std::vector<AxisColumn>& columns = sweep.axes[axis].columns;
            const auto found = std::ranges::find(columns, path, &AxisColumn::path);
            if (found != columns.end())
                return FigureAxisChoice{axis, static_cast<std::size_t>(found - columns.begin())};
        }
        if (!path.empty())
            report(where, path,
                   "not an axis of the sweep " + m_evaluation.sweeps[figure.sweep].name +
                       "; allowed: " + joined(axisPaths(sweep), ", "));
        return std::nullopt;
    }

    /// Reads the axes of series and panels of a figure whose points were read.
    void readDivisions(const DocumentNode& node, const std::string& where, EvaluationFigure& figure) {
        std::vector<std::size_t> taken{figure.axis};
        const auto read = [&](const char* key, std::size_t most, std::size_t times) {
            const std::string path = within(where, key), word = textAt(node, where, key);
            auto choice = word.empty() ? std::nullopt : axisAt(figure, path, word);
            if (!choice)
                return choice;
            std::set<std::size_t> steps;
            for (const std::size_t point : figure.points)
                steps.insert(placeOf(m_evaluation.sweeps[figure.sweep].sweep, point).at[choice->axis]);
            if (isAmong(taken, choice->axis))
                report(path, word, "divides the points already, along x or as series; allowed: another axis");
            else if (steps.size() * times > most)
                report(path, std::to_string(steps.size() * times), "too many; allowed: up to " + std::to_string(most));
            taken.push_back(choice->axis);
            return choice;
        };
        figure.series = read("series", kMostFigureSeries, figure.policies.size());
        figure.panels = read("panels", kMostFigurePanels, 1);
        if (const DocumentNode* references = node.find("references"); figure.series || figure.panels) {
            if (references != nullptr)
                report(where + ".references", references->shown(),
                       "marks belong to figures without series and panels; leave it out");
        }
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
        const auto position = itemAt(node, where, figure.references);
        if (!position)
            return;
        const EvaluationItem* found = &m_evaluation.items[*position];
        if (found->minus || found->gain || found->place)
            return report(
                where, node.text,
                "is a difference, a gain or a value of an axis, and not a number along y; allowed: name it as y");
        if (unitOf(*found) != metric.unit)
            return report(where, node.text, "has another unit than " + metric.path + ", which the figure shows");
        if (found->mean == EvaluationMean::each &&
            (figure.mark != EvaluationMark::bars || found->sweep != figure.sweep))
            return report(
                where, node.text,
                "has a number for each point; allowed: an item with one number or, in a figure of bars, an item of the "
                "same sweep");
        figure.references.push_back(*position);
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
