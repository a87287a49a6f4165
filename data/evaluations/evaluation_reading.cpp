#include "data/document/bundled_json.h"
#include "data/document/names.h"
#include "data/document/tree_reader.h"
#include "data/document/value_places.h"
#include "data/evaluations/axis_scale.h"
#include "data/evaluations/evaluation.h"
#include "data/evaluations/evaluation_figures.h"
#include "data/evaluations/file_axis.h"
#include "data/evaluations/measured_table.h"
#include "data/evaluations/plain_name.h"
#include "data/evaluations/sweep_file.h"
#include "data/evaluations/task_items.h"
#include "data/laboratory/laboratory.h"
#include "data/lessons/lesson.h"
#include "data/results/metrics.h"
#include "data/store/run_catalogue.h"
#include "data/sweep/sweep_plan.h"
#include "engine/api/letters.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace data {
namespace {

using engine::Problem;
using engine::Problems;

constexpr std::size_t kLongestCorrelationName = 36;  // leaves room for a number within the name of a figure
constexpr std::size_t kLeastCorrelated = 3;          // rows of a measured table that are worth a picture
constexpr std::size_t kFrozenDigits = 12;
constexpr std::array kLabels{"published", "second-hand", "derived", "assumed", "measured"};
constexpr std::string_view kGain = "gain";

/// A key by which an item claims a bound.
struct BoundKey {
    const char* key;
    EvaluationRole role;
};
constexpr std::array kBoundKeys{BoundKey{"at_least", EvaluationRole::atLeast},
                                BoundKey{"at_most", EvaluationRole::atMost},
                                BoundKey{"between", EvaluationRole::between}};

/// A key with numbers that an item combines with its own, and the words for it.
struct OperandKey {
    const char* key;
    const char* itself;  ///< what the object would do without a key
    const char* units;   ///< why the units are equal
    const char* one;     ///< what a single point is for
};
constexpr OperandKey kOver{"over", "would divide a number by itself", "a ratio is of metrics with the same unit",
                           "by which all are divided"};
constexpr OperandKey kMinus{"minus", "would subtract a number from itself",
                            "a difference is of metrics with the same unit", "which is subtracted from all"};
constexpr OperandKey kOther{"other", "would compare a number with itself",
                            "only metrics with the same unit cross each other", "with which all are compared"};

CatalogueValue catalogueValueOf(const engine::ParameterValue& value) {
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    if (const auto* number = std::get_if<double>(&value))
        return *number;
    return static_cast<double>(std::get<std::int64_t>(value));
}

template <class Word>
std::optional<Word> wordNamed(std::string_view text, Word last) {
    for (int i = 0; i <= static_cast<int>(last); ++i) {
        if (name(static_cast<Word>(i)) == text)
            return static_cast<Word>(i);
    }
    return std::nullopt;
}

template <class Word>
std::string wordsUpTo(Word last) {
    std::vector<std::string> words;
    for (int i = 0; i <= static_cast<int>(last); ++i)
        words.emplace_back(name(static_cast<Word>(i)));
    return joined(words, ", ");
}

/// The points of a sweep for filters. Experiments are expanded when the first filter needs them.
class FilteredPoints {
public:
    explicit FilteredPoints(const Sweep& sweep) : m_sweep(&sweep) {}

    /// Returns the indices that the filter accepts, under every policy.
    std::vector<std::size_t> accepted(const RunFilter& filter) {
        if (m_experiments.empty()) {
            const std::size_t count = pointCount(*m_sweep);
            m_experiments.reserve(count);
            for (std::size_t index = 0; index < count; ++index)
                m_experiments.push_back(detailsOf(*m_sweep, index).experiment);
        }
        std::vector<const engine::Parameter*> parameters;
        for (const std::string& path : filter.paths())
            parameters.push_back(engine::findParameter(path));
        std::vector<std::size_t> indices;
        CatalogueRow row;
        for (std::size_t index = 0; index < m_experiments.size(); ++index) {
            row.name = caseName(m_experiments[index]);
            row.values.clear();
            for (const engine::Parameter* parameter : parameters)
                row.values.push_back(catalogueValueOf(parameter->read(m_experiments[index])));
            if (filter.accepts(row, filter.paths()))
                indices.push_back(index);
        }
        return indices;
    }

private:
    const Sweep* m_sweep;
    std::vector<engine::Experiment> m_experiments;
};

/// A measured table that has become a sweep and is not an item yet.
struct PendingTable {
    const DocumentNode* node;
    std::string where, id, file;
    EvaluationItem words;  ///< with role and label
    std::vector<EvaluationNumber> values;
    std::size_t sweep = 0;
};

/// Reads one evaluation. Every problem is added to the reading, which also keeps everything that could be read.
class EvaluationReader : private TreeReader {
public:
    EvaluationReader(EvaluationReading& reading, const OwnPresets* own, const MeasuredSource& tables)
        : TreeReader(reading.problems), m_evaluation(reading.evaluation), m_own(own), m_source(tables),
          m_taskItems(m_evaluation, reading.problems) {}

    void read(const DocumentNode& root) {
        checkKeys(root, "",
                  {"format", "version", "title", "question", "source", "citation", "lesson", "sweeps", "tasks",
                   "calibrated", "frozen", "traffic", "items", "measured", "figures"},
                  problems());
        checkVersion(root, 1, problems());
        m_evaluation.title = textAt(root, "", "title", true);
        m_evaluation.question = textAt(root, "", "question", false);
        m_evaluation.source = textAt(root, "", "source", false);
        m_evaluation.citation = textAt(root, "", "citation", false);
        readLessonName(root);
        readFrozen(root);
        readSweeps(root);
        if (m_sweepsAreSound) {
            readItems(root);
            for (const PendingTable& table : m_tables)
                addMeasured(table);
            readTraffic(root);
            m_evaluation.figures = readEvaluationFigures(root, m_evaluation, lookup(), problems());
            addCorrelations();
        }
        readCalibrated(root);
    }

private:
    void readLessonName(const DocumentNode& root) {
        m_evaluation.lesson = textAt(root, "", "lesson", false);
        if (!m_evaluation.lesson.empty() && !isPlainName(m_evaluation.lesson))
            report("lesson", m_evaluation.lesson,
                   "not the name of a lesson; allowed: letters, digits, \"-\", \"_\" and \".\", without a folder");
    }

    void readFrozen(const DocumentNode& root) {
        m_evaluation.frozen = textAt(root, "", "frozen", false);
        const std::string& digits = m_evaluation.frozen;
        if (!digits.empty() &&
            (digits.size() != kFrozenDigits || digits.find_first_not_of("0123456789abcdef") != std::string::npos))
            report("frozen", digits,
                   "not the constants of an evaluation; allowed: 12 hexadecimal digits, as `reproduce` prints them");
    }

    void readSweeps(const DocumentNode& root) {
        const std::size_t before = problems().size();
        const DocumentNode* sweeps = childOf(root, "", "sweeps", Kind::object, "an object {...}", problems());
        const std::vector<NamedSweepFile> files = sweepFilesNamedIn(root);
        if (sweeps == nullptr && root.find("sweeps") == nullptr && root.find("measured") == nullptr &&
            root.find("tasks") == nullptr && files.empty())
            report("sweeps", "",
                   "missing; at least one sweep is expected, such as {\"runs\": {\"axes\": [...]}}, or \"tasks\"");
        if (sweeps != nullptr && sweeps->keys.empty())
            report("sweeps", "{}", "at least one sweep is expected");
        std::size_t points = 0;
        const auto count = [&](const std::string& where) {
            if (problems().size() != before)
                return;
            const std::size_t more = pointsAndRowsOf(m_evaluation.sweeps.back());
            points = more > kMostEvaluationPoints ? more : points + more;
            if (points > kMostEvaluationPoints)
                report(where, std::to_string(points) + " points",
                       "too many; allowed: up to " + std::to_string(kMostEvaluationPoints) + " in all sweeps");
        };
        for (std::size_t i = 0; sweeps != nullptr && i < sweeps->keys.size() && goesOn(); ++i) {
            const std::string& name = sweeps->keys[i];
            const std::string where = within("sweeps", name);
            if (!isPlainName(name))
                report(where, name, "not a valid name; allowed: letters, digits, \"-\", \"_\" and \".\", up to 100");
            readOneSweep(name, sweeps->children[i], where);
            count(where);
        }
        for (const auto& [file, where] : files) {
            if (!goesOn() || isNamedIn(root, "sweeps", file) || isNamedIn(root, "tasks", file))
                continue;
            DocumentNode entry = newNode(Kind::object);
            addChild(entry, "of", newNode(Kind::string, file));
            readOneSweep(file, entry, where);
            count(within(where, "of"));
        }
        const DocumentNode* tables = childOf(root, "", "measured", Kind::list, "a list [...]", problems());
        if (tables != nullptr && tables->children.empty())
            report("measured", "[]", "at least one table is expected");
        readEach(tables, "measured", "a table {...}", [&](const DocumentNode& node, const std::string& where) {
            readTable(node, where);
            count(where);
        });
        m_taskItems.readDocuments(root);
        m_sweepsAreSound = problems().size() == before;
        for (const EvaluationSweep& sweep : m_evaluation.sweeps)
            m_points.emplace_back(sweep.sweep);
    }

    static bool isNamedIn(const DocumentNode& root, const char* key, const std::string& name) {
        const DocumentNode* named = root.find(key);
        return named != nullptr && named->find(name) != nullptr;
    }

    /// Returns the number of points, each counted once for each row of a file that it stands for.
    static std::size_t pointsAndRowsOf(const EvaluationSweep& sweep) {
        const std::size_t points = pointCount(sweep.sweep);
        if (!sweep.rows || points > kMostEvaluationPoints)
            return points;
        return points / sweep.rows->steps.size() * sweep.rows->keys.size();
    }

    void readOneSweep(const std::string& name, const DocumentNode& node, const std::string& where) {
        m_evaluation.sweeps.push_back({name, {}});
        if (node.kind != Kind::object)
            return report(where, node.shown(), "wrong type, a sweep {...} is expected");
        const std::size_t before = problems().size();
        const bool isInFile = !sweepFileOf(node).empty();
        const auto file = isInFile ? readSweepFileOf(node, where, m_source, problems()) : std::nullopt;
        if (problems().size() != before)
            return;
        DocumentNode plain = file ? file->node : node;
        const std::optional<FileAxis> axis = replaceRowAxis(plain, where);
        if (problems().size() != before)
            return;
        SweepReading reading = readSweep(plain, file ? file->file : where, m_own);
        for (Problem& problem : reading.problems) {
            const auto place = axis ? axis->placeOf(problem.path, axisOfRows()) : std::nullopt;
            if (place)
                problem.path = *place;
            else if (file && problem.path != file->file)
                problem.path = file->placeOf(problem.path, where);
            else if (!file && problem.path != where)
                problem.path = within(where, problem.path);
            problems().push_back(std::move(problem));
        }
        m_evaluation.sweeps.back().sweep = std::move(reading.sweep);
    }

    /// Returns the path of the axis of rows in the last sweep.
    std::string axisOfRows() const { return indexed("axes", m_evaluation.sweeps.back().rows->axis); }

    /// Replaces the axis of rows of a sweep by one with the values of its file, and keeps the rows in the last sweep.
    std::optional<FileAxis> replaceRowAxis(DocumentNode& sweep, const std::string& where) {
        const auto axes = std::ranges::find(sweep.keys, "axes");
        if (axes == sweep.keys.end())
            return std::nullopt;
        DocumentNode& list = sweep.children[static_cast<std::size_t>(axes - sweep.keys.begin())];
        std::optional<FileAxis> found;
        for (std::size_t i = 0; i < list.children.size(); ++i) {
            DocumentNode& axis = list.children[i];
            if (!isRowAxis(axis))
                continue;
            const std::string path = indexed(within(where, "axes"), i);
            if (found) {
                report(path, axis.shown(), "a second axis from a file; allowed: one in each sweep");
                return found;
            }
            const std::size_t before = problems().size();
            const std::string file = fileAt(axis, path, "csv");
            const std::string csv = problems().size() == before ? textOfTable(file) : std::string();
            if (problems().size() != before)
                return found;
            RowAxis read = readRowAxis(axis, path, file, csv, problems());
            read.rows.axis = i;
            m_evaluation.sweeps.back().rows = std::move(read.rows);
            found = std::move(read.axis);
            axis = found->node;
        }
        return found;
    }

    /// Reads a measured table into a sweep of its own.
    void readTable(const DocumentNode& node, const std::string& where) {
        const std::size_t before = problems().size();
        checkKeys(node, where,
                  {"id", "what", "file", "citation", "base", "policy", "metric", "unit", "label", "role", "targets"},
                  problems());
        PendingTable table{&node, where, textAt(node, where, "id", true), {}, {}, {}};
        const auto isSame = [&](const EvaluationSweep& sweep) { return sweep.name == table.id; };
        if (!table.id.empty() && !isPlainName(table.id))
            report(where + ".id", table.id,
                   "not a valid id; allowed: letters, digits, \"-\", \"_\" and \".\", up to 100");
        else if (std::any_of(m_evaluation.sweeps.begin(), m_evaluation.sweeps.end(), isSame))
            report(where + ".id", table.id, "a sweep or a table has this name; allowed: ids that differ");
        readWords(node, where, table.words);
        if (node.find("label") == nullptr)
            report(where + ".label", "", "missing; allowed: " + joined({kLabels.begin(), kLabels.end()}, ", "));
        const MeasuredKind kind = kindOf(node, where, table.words.role);
        MeasuredTable rows;
        if (problems().size() == before) {
            const std::string text = textOfTable(kind.file);
            if (problems().size() == before)
                rows = readMeasuredTable(text, kind, problems());
        }
        SweepReading reading;
        const FileAxis axis = fileAxisOf(rows.axis, kind.file, std::move(rows.lines));
        if (problems().size() == before)
            reading = readSweep(sweepNodeOf(node, where, axis.node), where);
        for (Problem& problem : reading.problems) {
            problem.path = placeOfProblem(problem.path, where, axis);
            problems().push_back(std::move(problem));
        }
        table.values = std::move(rows.values);
        table.file = kind.file;
        m_evaluation.sweeps.push_back({table.id, std::move(reading.sweep)});
        table.sweep = m_evaluation.sweeps.size() - 1;
        m_tables.push_back(std::move(table));
    }

    /// Returns the document of the table's sweep.
    DocumentNode sweepNodeOf(const DocumentNode& node, const std::string& where, const DocumentNode& axis) {
        DocumentNode sweep = newNode(Kind::object);
        if (const DocumentNode* base = childOf(node, where, "base", Kind::object, "an experiment {...}", problems()))
            addChild(sweep, "base", *base);
        DocumentNode axes = newNode(Kind::list);
        axes.children.push_back(axis);
        addChild(sweep, "axes", std::move(axes));
        if (const std::string policy = textAt(node, where, "policy", false); !policy.empty()) {
            DocumentNode policies = newNode(Kind::list);
            policies.children.push_back(newNode(Kind::string, policy));
            addChild(sweep, "policies", std::move(policies));
        }
        return sweep;
    }

    /// Returns the place of a problem of the table's sweep for its author: the line and the column of the file for a
    /// value of the axis, otherwise the key of the table.
    static std::string placeOfProblem(const std::string& path, const std::string& where, const FileAxis& axis) {
        constexpr const char* kAxis = "axes[0]";
        if (path.starts_with(kAxis))
            return axis.placeOf(path, kAxis).value_or(axis.file);
        return path == where ? where : within(where, path == "policies[0]" ? "policy" : path);
    }

    /// Returns the name of a file beside the document.
    std::string fileAt(const DocumentNode& node, const std::string& where, const char* key) {
        std::string file = textAt(node, where, key, true);
        if (!file.empty() && (!isPlainName(file) || !file.ends_with(".csv")))
            report(within(where, key), file,
                   "not a file beside the document; allowed: a name that ends in .csv, without a folder");
        return file;
    }

    /// Reads what the table's values are.
    MeasuredKind kindOf(const DocumentNode& node, const std::string& where, EvaluationRole role) {
        MeasuredKind kind;
        kind.file = fileAt(node, where, "file");
        const std::string metric = textAt(node, where, "metric", true);
        kind.metric = findMetric(metric, ResultSubject::run);
        if (kind.metric == nullptr && !metric.empty())
            report(where + ".metric", metric, unknownMetric(metric));
        if (kind.metric != nullptr)
            kind.unit = unitAt(node, where, kind.metric->unit, metric);
        kind.valuesMayBeMissing = role == EvaluationRole::blind;
        kind.mostRows = kMostEvaluationPoints;
        return kind;
    }

    /// Returns the name of the unit of measured values, which are compared with numbers that have a unit of `kind`;
    /// `what` are those numbers in words.
    std::string unitAt(const DocumentNode& node, const std::string& where, engine::ParameterUnit kind,
                       const std::string& what) {
        const std::string path = within(where, "unit");
        std::string unit = textAt(node, where, "unit", false);
        if (kind == engine::ParameterUnit::none) {
            if (!unit.empty())
                report(path, unit, what + " has no unit; leave it out");
        } else if (node.find("unit") == nullptr) {
            report(path, "", "missing; the unit of the measured values is expected, such as " + exampleUnit(what));
        } else if (!unit.empty() && !engine::unitFactor(kind, unit)) {
            report(path, unit, engine::unitProblem(kind, unit));
        }
        return unit;
    }

    static std::string exampleUnit(const std::string& metric) {
        const std::string text = formatMetric(*findMetric(metric), 1'234'567);
        return text.substr(text.rfind(' ') + 1);
    }

    std::string textOfTable(const std::string& file) {
        if (m_source)
            return m_source(file, problems());
        for (const BundledText& bundled : bundledTableTexts()) {
            if (file == std::string(bundled.name) + ".csv")
                return bundled.text;
        }
        report(file, "", "is not a bundled table");
        return {};
    }

    /// Makes the item of a measured table, and its targets.
    void addMeasured(const PendingTable& table) {
        const std::size_t before = problems().size();
        EvaluationItem item = table.words;
        item.id = table.id;
        if (!m_ids.insert(item.id).second)
            report(table.where + ".id", item.id, "an item has this id; allowed: ids that differ");
        item.what = textAt(*table.node, table.where, "what", false);
        if (item.what.empty())
            item.what = "measured rows of " + table.file;
        item.sweep = table.sweep;
        item.metrics = {textAt(*table.node, table.where, "metric", true)};
        item.mean = EvaluationMean::each;
        item.points.resize(pointCount(m_evaluation.sweeps[table.sweep].sweep));
        std::iota(item.points.begin(), item.points.end(), std::size_t{0});
        item.published = table.values;
        EvaluationMeasured measured{
            m_evaluation.items.size(), table.file, textAt(*table.node, table.where, "citation", false), {}};
        readTargets(*table.node, table.where, item, measured);
        if (problems().size() != before)
            return;
        m_evaluation.items.push_back(std::move(item));
        m_evaluation.measured.push_back(std::move(measured));
    }

    void readTargets(const DocumentNode& node, const std::string& where, const EvaluationItem& item,
                     EvaluationMeasured& measured) {
        const DocumentNode* list = childOf(node, where, "targets", Kind::list, "a list of targets [...]", problems());
        readEach(list, where + ".targets", "a target {...}", [&](const DocumentNode& child, const std::string& path) {
            checkKeys(child, path, {"id", "what", "where", "median", "bias", "each"}, problems());
            MeasuredTarget target;
            target.id = textAt(child, path, "id", list->children.size() > 1);
            if (!target.id.empty() && !isPlainName(target.id))
                report(path + ".id", target.id,
                       "not a valid id; allowed: letters, digits, \"-\", \"_\" and \".\", up to 100");
            if (std::ranges::find(measured.targets, target.id, &MeasuredTarget::id) != measured.targets.end())
                report(path + ".id", target.id, "two targets have this id; allowed: ids that differ");
            target.what = textAt(child, path, "what", false);
            target.median = shareAt(child, path, "median");
            target.bias = shareAt(child, path, "bias");
            target.each = shareAt(child, path, "each");
            if (const auto chosen = pointsWhere(child, item.sweep, path))
                target.points = *chosen;
            measured.targets.push_back(std::move(target));
        });
        if (list == nullptr)
            measured.targets.push_back({{}, {}, item.points, {}, {}, {}});
        else if (list->children.empty())
            report(where + ".targets", "[]", "at least one target is expected");
    }

    /// Reads a share, "8 %".
    std::optional<double> shareAt(const DocumentNode& node, const std::string& where, std::string_view key) {
        const std::string text = textAt(node, where, key, false);
        if (text.empty())
            return std::nullopt;
        EvaluationItem ratio;
        ratio.metrics = {"speedup_over_sequential"};
        ratio.over.emplace();
        const auto number = numberIn(text, ratio);
        if (number && number->value >= 0)
            return number->value;
        report(within(where, key), text, "not a share; allowed: a percentage such as 8 %");
        return std::nullopt;
    }

    /// Adds a figure for each measured table with enough rows for a picture.
    void addCorrelations() {
        for (std::size_t i = 0; i < m_evaluation.measured.size(); ++i) {
            const EvaluationItem& item = m_evaluation.items[m_evaluation.measured[i].item];
            if (item.points.size() < kLeastCorrelated)
                continue;
            EvaluationFigure figure;
            figure.name = figureNameOf(item.id);
            figure.sweep = item.sweep;
            figure.mark = EvaluationMark::correlation;
            figure.metric = item.metrics.front();
            figure.policies = {item.policy};
            figure.points = item.points;
            figure.measured = i;
            m_evaluation.figures.push_back(std::move(figure));
        }
    }

    /// Returns a name for files: the id in small letters, made different from those of the other figures.
    std::string figureNameOf(const std::string& id) const {
        std::string name;
        for (const char c : id)
            name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c
                    : (c >= 'A' && c <= 'Z')                         ? engine::lowerLetter(c)
                                                                     : '-';
        name.resize(std::min(name.size(), kLongestCorrelationName));
        std::string other = name;
        for (int i = 2;
             std::ranges::find(m_evaluation.figures, other, &EvaluationFigure::name) != m_evaluation.figures.end(); ++i)
            other = name + "-" + std::to_string(i);
        return other;
    }

    /// Returns the sweep that "of" names, or the only one.
    std::optional<std::size_t> sweepOf(const DocumentNode& object, const std::string& where) {
        if (object.find("of") == nullptr) {
            if (m_evaluation.sweeps.size() == 1)
                return 0;
            report(where + ".of", "", "missing; the name of a sweep is expected; allowed: " + sweepNames());
            return std::nullopt;
        }
        const std::string text = textAt(object, where, "of", false);
        for (std::size_t i = 0; i < m_evaluation.sweeps.size(); ++i) {
            if (m_evaluation.sweeps[i].name == text)
                return i;
        }
        if (!text.empty())
            report(where + ".of", text, "not a sweep of this evaluation; allowed: " + sweepNames());
        return std::nullopt;
    }

    std::string sweepNames() const { return joined(namesOf(m_evaluation.sweeps, &EvaluationSweep::name), ", "); }

    std::optional<std::size_t> policyNamed(const std::string& text, std::size_t sweep, const std::string& where) {
        const std::vector<std::string>& policies = m_evaluation.sweeps[sweep].sweep.policies;
        const auto found = std::find(policies.begin(), policies.end(), text);
        if (found != policies.end())
            return static_cast<std::size_t>(found - policies.begin());
        report(where, text,
               "not a policy of the sweep " + m_evaluation.sweeps[sweep].name + "; allowed: " + joined(policies, ", "));
        return std::nullopt;
    }

    /// Returns the subject of the sweep that "of" names, if it names one, for suggestions.
    ResultSubject likelySubject(const DocumentNode& object, std::size_t otherwise) const {
        const DocumentNode* of = object.find("of");
        for (const EvaluationSweep& sweep : m_evaluation.sweeps) {
            if (of != nullptr && of->text == sweep.name)
                return sweep.sweep.of;
        }
        return otherwise < m_evaluation.sweeps.size() ? m_evaluation.sweeps[otherwise].sweep.of : ResultSubject::run;
    }

    /// Returns whether the sweep's points have these metrics.
    bool areOfSweep(const std::vector<std::string>& metrics, std::size_t sweep, const std::string& where) {
        const ResultSubject of = m_evaluation.sweeps[sweep].sweep.of;
        const std::size_t before = problems().size();
        for (const std::string& path : metrics) {
            if (findMetric(path, of) == nullptr)
                report(where + ".metric", path, unknownMetric(path, of));
        }
        return problems().size() == before;
    }

    /// Reads a path or a list of paths, all of one unit.
    std::vector<std::string> readMetrics(const DocumentNode& object, const std::string& where, ResultSubject likely) {
        const DocumentNode* node = object.find("metric");
        const std::string path = where + ".metric";
        std::vector<std::string> metrics;
        if (node == nullptr)
            return metrics;
        const bool list = node->kind == Kind::list;
        if (list && node->children.empty())
            report(path, "[]", "at least one metric is expected");
        const std::size_t count = list ? node->children.size() : 1;
        for (std::size_t i = 0; i < count && goesOn(); ++i) {
            const DocumentNode& word = list ? node->children[i] : *node;
            const std::string place = list ? indexed(path, i) : path;
            const Metric* metric = word.kind == Kind::string ? findMetric(word.text) : nullptr;
            if (word.kind != Kind::string)
                report(place, word.shown(), "wrong type, a metric's path or a list of paths is expected");
            else if (metric == nullptr)
                report(place, word.text, unknownMetric(word.text, likely));
            else if (isAmong(metrics, word.text))
                report(place, word.text, "named twice; each metric is summed once");
            else if (!metrics.empty() && findMetric(metrics.front())->unit != metric->unit)
                report(place, word.text,
                       "has another unit than " + metrics.front() + "; only metrics with the same unit are summed");
            else
                metrics.push_back(word.text);
        }
        return metrics;
    }

    /// Returns the indices of the points that "where" selects, or of all points without it; an empty optional, with a
    /// problem, if it is invalid.
    std::optional<std::vector<std::size_t>> pointsWhere(const DocumentNode& object, std::size_t sweep,
                                                        const std::string& where) {
        const std::string text = textAt(object, where, "where", false);
        const auto known = m_chosen.find({sweep, text});
        if (known != m_chosen.end())
            return known->second;
        std::vector<std::size_t> indices;
        if (text.empty()) {
            indices.resize(pointCount(m_evaluation.sweeps[sweep].sweep));
            for (std::size_t i = 0; i < indices.size(); ++i)
                indices[i] = i;
        } else {
            std::string problem;
            const auto filter = RunFilter::parse(text, problem);
            if (!filter) {
                report(where + ".where", text, problem);
                return std::nullopt;
            }
            for (const std::string& path : filter->paths()) {
                if (engine::findParameter(path) == nullptr) {
                    report(where + ".where", text, path + " is a metric; only parameters select points");
                    return std::nullopt;
                }
            }
            indices = m_points[sweep].accepted(*filter);
            if (indices.empty()) {
                report(where + ".where", text, "selects no point of the sweep " + m_evaluation.sweeps[sweep].name);
                return std::nullopt;
            }
        }
        return m_chosen.emplace(std::pair{sweep, text}, std::move(indices)).first->second;
    }

    void readItems(const DocumentNode& root) {
        const DocumentNode* items = childOf(root, "", "items", Kind::list, "a list [...]", problems());
        if (items == nullptr && root.find("items") == nullptr && m_tables.empty())
            report("items", "", "missing; at least one item is expected");
        if (items != nullptr && items->children.empty())
            report("items", "[]", "at least one item is expected");
        if (items != nullptr && items->children.size() > kMostEvaluationItems)
            return report("items", std::to_string(items->children.size()) + " items",
                          "too many; allowed: up to " + std::to_string(kMostEvaluationItems));
        readEach(items, "items", "an item {...}",
                 [this](const auto& node, const auto& where) { readItem(node, where); });
    }

    /// Reads what all items have.
    EvaluationItem readHead(const DocumentNode& node, const std::string& where) {
        EvaluationItem item;
        item.id = textAt(node, where, "id", true);
        if (!item.id.empty() && !isPlainName(item.id))
            report(where + ".id", item.id,
                   "not a valid id; allowed: letters, digits, \"-\", \"_\" and \".\", up to 100");
        else if (!item.id.empty() && !m_ids.insert(item.id).second)
            report(where + ".id", item.id, "two items have this id; allowed: ids that differ");
        item.what = textAt(node, where, "what", true);
        readWords(node, where, item);
        return item;
    }

    void readTaskItem(const DocumentNode& node, const std::string& where) {
        const std::size_t before = problems().size();
        EvaluationItem item = readHead(node, where);
        m_taskItems.readItem(node, where, item);
        if (problems().size() == before)
            readNumbers(node, where, item);
        if (problems().size() == before)
            m_evaluation.items.push_back(std::move(item));
    }

    void readItem(const DocumentNode& node, const std::string& where) {
        if (m_taskItems.isAsked(node))
            return readTaskItem(node, where);
        checkKeys(node, where, {"id",      "what",   "of",   "metric",    "policy",   "where",   "over",   "minus",
                                "as",      "saving", "gain", "axis",      "best",     "level",   "other",  "published",
                                "against", "label",  "role", "tolerance", "at_least", "at_most", "between"},
                  problems());
        const std::size_t before = problems().size();
        EvaluationItem item = readHead(node, where);
        item.metrics = readMetrics(node, where, likelySubject(node, 0));
        if (node.find("metric") == nullptr)
            report(where + ".metric", "", "missing; the path of a metric is expected");
        const auto sweep = sweepOf(node, where);
        if (!sweep || problems().size() != before)
            return;
        item.sweep = *sweep;
        if (areOfSweep(item.metrics, item.sweep, where) && readPoints(node, where, item) &&
            readOperand(node, where, kOver, item, item.over) && readOperand(node, where, kMinus, item, item.minus) &&
            isRatio(node, where, item) && readPlace(node, where, item) && readAgainst(node, where, item))
            readNumbers(node, where, item);
        if (problems().size() == before)
            m_evaluation.items.push_back(std::move(item));
    }

    void readWords(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
        readClaim(node, where, item);
        const std::string role = textAt(node, where, "role", !isClaim(item.role));
        if (isClaim(item.role)) {
            if (!role.empty())
                report(where + ".role", role,
                       "the key " + std::string(name(item.role)) + " is the role of this item; leave out one of both");
        } else if (const auto known = wordNamed(role, EvaluationRole::context))
            item.role = *known;
        else if (!role.empty())
            report(where + ".role", role, "unknown role; allowed: " + wordsUpTo(EvaluationRole::context));
        item.gain = flagAt(node, where, kGain).value_or(false);
        const std::string mean = textAt(node, where, "as", false);
        if (const auto known = wordNamed(mean, EvaluationMean::crossing)) {
            item.mean = *known;
        } else if (mean == kGain) {
            item.mean = EvaluationMean::geomean;
            item.gain = true;
        } else if (!mean.empty()) {
            report(where + ".as", mean,
                   "unknown; allowed: " + wordsUpTo(EvaluationMean::crossing) + ", " + std::string(kGain));
        }
        item.label = textAt(node, where, "label", node.find("published") != nullptr || node.find("against") != nullptr);
        if (!item.label.empty() && !isAmong(kLabels, item.label))
            report(where + ".label", item.label,
                   "unknown label; allowed: " + joined({kLabels.begin(), kLabels.end()}, ", "));
        item.saving = flagAt(node, where, "saving").value_or(false);
        if (item.saving && node.find("over") == nullptr)
            report(where + ".saving", "true", "a saving is 1 minus a ratio; \"over\" is expected beside it");
        if (item.role == EvaluationRole::blind && m_evaluation.frozen.empty())
            report(where + ".role", "blind",
                   "a blind item needs the \"frozen\" constants of the document, which has none");
    }

    static bool isClaim(EvaluationRole role) { return role > EvaluationRole::context; }

    /// Finds out what the item claims. The numbers of the claim are read once their unit is known.
    void readClaim(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
        for (const BoundKey& bound : kBoundKeys) {
            if (node.find(bound.key) == nullptr)
                continue;
            if (isClaim(item.role))
                report(within(where, bound.key), node.find(bound.key)->shown(),
                       "a second claim; allowed: one of at_least, at_most, between");
            item.role = bound.role;
        }
    }

    bool readPoints(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
        const Sweep& sweep = m_evaluation.sweeps[item.sweep].sweep;
        if (node.find("policy") != nullptr && !isTimed(sweep.of)) {
            report(where + ".policy", node.find("policy")->shown(), kNoPolicy);
            return false;
        }
        if (node.find("policy") != nullptr) {
            const auto policy = policyNamed(textAt(node, where, "policy", true), item.sweep, where + ".policy");
            if (!policy)
                return false;
            item.policy = *policy;
        } else if (sweep.policies.size() > 1) {
            report(where + ".policy", "", "missing; a policy is expected; allowed: " + joined(sweep.policies, ", "));
            return false;
        }
        const auto chosen = pointsWhere(node, item.sweep, where);
        if (!chosen)
            return false;
        for (const std::size_t index : *chosen) {
            if (index % sweep.policies.size() == item.policy)
                addPoint(index, item);
        }
        if (item.points.empty()) {
            report(where + ".where", textAt(node, where, "where", false),
                   "selects no point under " + sweep.policies[item.policy]);
            return false;
        }
        if (item.mean == EvaluationMean::value && item.points.size() != 1) {
            report(
                where + ".as", std::string(name(item.mean)),
                std::to_string(item.points.size()) +
                    " points are selected; allowed: one point, or \"as\" with each, geomean, mean, median, min, max, "
                    "spread, mean-error, rank-correlation, best-at, crossing or gain");
            return false;
        }
        m_rows += item.mean == EvaluationMean::each ? item.points.size() : 1;
        if (m_rows > kMostRows) {
            report("items", std::to_string(m_rows) + " rows", "too many; allowed: up to " + std::to_string(kMostRows));
            return false;
        }
        return true;
    }

    /// Adds a point to an item, once for each row of a file that it stands for.
    void addPoint(std::size_t index, EvaluationItem& item) {
        const EvaluationSweep& sweep = m_evaluation.sweeps[item.sweep];
        if (!sweep.rows)
            return item.points.push_back(index);
        const std::size_t step = placeOf(sweep.sweep, index).at[sweep.rows->axis];
        for (const std::size_t row : sweep.rows->steps[step]) {
            item.points.push_back(index);
            item.rows.push_back(row);
        }
    }

    /// Returns the one point that "where" of an operand selects under its policy.
    std::optional<std::size_t> onePointOf(const DocumentNode& over, const std::string& path,
                                          const EvaluationOperand& divisor, const OperandKey& words) {
        const Sweep& sweep = m_evaluation.sweeps[divisor.sweep].sweep;
        const auto chosen = pointsWhere(over, divisor.sweep, path);
        if (!chosen)
            return std::nullopt;
        std::vector<std::size_t> points;
        std::copy_if(chosen->begin(), chosen->end(), std::back_inserter(points),
                     [&](std::size_t index) { return index % sweep.policies.size() == divisor.policy; });
        if (points.size() == 1)
            return points.front();
        report(path + ".where", textAt(over, path, "where", false),
               std::to_string(points.size()) + " points are selected; allowed: one, " + words.one);
        return std::nullopt;
    }

    /// Reads "over", "minus" or "other" of an item whose own numbers were read. Returns whether there was no problem.
    bool readOperand(const DocumentNode& node, const std::string& where, const OperandKey& words,
                     const EvaluationItem& item, std::optional<EvaluationOperand>& read) {
        const DocumentNode* over = childOf(node, where, words.key, Kind::object, "an object {...}", problems());
        if (over == nullptr)
            return node.find(words.key) == nullptr;
        const std::string path = within(where, words.key);
        checkKeys(*over, path, {"of", "metric", "policy", "where"}, problems());
        const std::size_t before = problems().size();
        if (over->keys.empty())
            report(path, "{}",
                   std::string(words.itself) + "; at least one key is expected; allowed: of, metric, policy, where");
        EvaluationOperand divisor{item.sweep, 0, readMetrics(*over, path, likelySubject(*over, item.sweep))};
        if (over->find("of") != nullptr) {
            const auto sweep = sweepOf(*over, path);
            if (!sweep)
                return false;
            divisor.sweep = *sweep;
        }
        const Sweep& above = m_evaluation.sweeps[item.sweep].sweep;
        const Sweep& below = m_evaluation.sweeps[divisor.sweep].sweep;
        const bool isOnePoint = over->find("where") != nullptr;
        if (!isOnePoint && above.axes != below.axes)
            report(path + ".of", m_evaluation.sweeps[divisor.sweep].name,
                   "has other axes than " + m_evaluation.sweeps[item.sweep].name +
                       "; a sweep with equal axes is expected, or \"where\", which selects one point");
        if (over->find("policy") != nullptr && !isTimed(below.of)) {
            report(path + ".policy", over->find("policy")->shown(), kNoPolicy);
        } else if (over->find("policy") == nullptr && !isTimed(above.of) && below.policies.size() > 1) {
            report(path + ".policy", "", "missing; a policy is expected; allowed: " + joined(below.policies, ", "));
        } else {
            const std::string policy = over->find("policy") != nullptr ? textAt(*over, path, "policy", true)
                                       : below.policies.size() == 1    ? below.policies.front()
                                                                       : above.policies[item.policy];
            if (const auto found = policyNamed(policy, divisor.sweep, path + ".policy"))
                divisor.policy = *found;
        }
        if (isOnePoint && problems().size() == before)
            divisor.point = onePointOf(*over, path, divisor, words);
        if (divisor.metrics.empty())
            divisor.metrics = item.metrics;
        if (problems().size() != before || !areOfSweep(divisor.metrics, divisor.sweep, path))
            return false;
        if (findMetric(divisor.metrics.front())->unit != findMetric(item.metrics.front())->unit) {
            report(path + ".metric", divisor.metrics.front(),
                   "has another unit than " + item.metrics.front() + "; " + words.units);
            return false;
        }
        read = std::move(divisor);
        return true;
    }

    /// Checks that the numbers of a gain are ratios.
    bool isRatio(const DocumentNode& node, const std::string& where, const EvaluationItem& item) {
        const Metric& metric = *findMetric(item.metrics.front());
        const std::string path = within(where, node.find(kGain) == nullptr ? "as" : kGain);
        if (!item.gain)
            return true;
        if (item.saving)
            report(path, std::string(kGain),
                   "a saving is 1 minus a ratio, a gain a ratio minus 1; leave out one of both");
        else if (isPlace(item.mean) || comparesWithMeasured(item.mean))
            report(path, std::string(kGain), std::string(name(item.mean)) + " is no ratio; leave out one of both");
        else if (item.over || (metric.unit == engine::ParameterUnit::none && !metric.whole))
            return true;
        else
            report(path, std::string(kGain),
                   "a gain is a ratio minus 1; \"over\" is expected beside it, or a metric that is a ratio");
        return false;
    }

    /// Reads the axis of an item whose value is a value of it, and what the item looks for:
    ///
    ///   { "as": "best-at", "axis": "policy.pieces", "best": "smallest" }
    ///   { "as": "crossing", "axis": "link.bandwidth", "level": "1.05" }
    ///   { "as": "crossing", "axis": "link.bandwidth", "other": { "policy": "sequential" } }
    ///
    /// `best` may be left out if the metric says which direction is better and nothing divides it.
    bool readPlace(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
        const std::size_t before = problems().size();
        const auto refuse = [&](const char* key, const std::string& why) {
            if (const DocumentNode* child = node.find(key))
                report(within(where, key), child->shown(), why + "; leave it out");
        };
        if (!isPlace(item.mean)) {
            for (const char* key : {"axis", "best", "level", "other"})
                refuse(key, "belongs to \"as\" with best-at or crossing");
            return problems().size() == before;
        }
        if (item.saving)
            refuse("saving", std::string(name(item.mean)) + " is no ratio");
        for (const char* key : {"best", "level", "other"}) {
            if ((item.mean == EvaluationMean::bestAt) != (std::string_view(key) == "best"))
                refuse(key, "does not belong to " + std::string(name(item.mean)));
        }
        auto place = axisOf(node, where, item);
        if (!place || problems().size() != before)
            return false;
        if (item.mean == EvaluationMean::bestAt)
            readBest(node, where, item, *place);
        else
            readCrossed(node, where, item, *place);
        item.place = std::move(place);
        return problems().size() == before;
    }

    /// Reads the axis along which the item's points lie.
    std::optional<EvaluationPlace> axisOf(const DocumentNode& node, const std::string& where,
                                          const EvaluationItem& item) {
        const Sweep& sweep = m_evaluation.sweeps[item.sweep].sweep;
        const std::vector<std::string> paths = axisPaths(sweep);
        EvaluationPlace place;
        place.path = textAt(node, where, "axis", false);
        if (node.find("axis") == nullptr && sweep.axes.size() == 1)
            place.path = paths.front();
        for (const SweepAxis& axis : sweep.axes) {
            const auto column = std::ranges::find(axis.columns, place.path, &AxisColumn::path);
            if (column == axis.columns.end()) {
                ++place.axis;
                continue;
            }
            place.column = static_cast<std::size_t>(column - axis.columns.begin());
            const auto values = numbersAlong(*column, item, place, where);
            if (!values)
                return std::nullopt;
            place.isLogarithmic = isByRatio(*column, *values);
            return place;
        }
        report(
            within(where, "axis"), place.path,
            std::string(place.path.empty() ? "missing; an axis of the sweep is expected" : "not an axis of the sweep") +
                "; allowed: " + joined(paths, ", "));
        return std::nullopt;
    }

    /// Returns the values of an axis at which the item has points, in rising order.
    std::optional<std::vector<double>> numbersAlong(const AxisColumn& column, const EvaluationItem& item,
                                                    const EvaluationPlace& place, const std::string& where) {
        const Sweep& sweep = m_evaluation.sweeps[item.sweep].sweep;
        std::set<double> values;
        for (const std::size_t index : item.points) {
            const engine::ParameterValue& value = column.values[placeOf(sweep, index).at[place.axis]];
            const auto number = numberOf(value);
            if (!number) {
                report(within(where, "axis"), column.path,
                       "has the value " + engine::formatValue(*engine::findParameter(column.path), value) +
                           ", which is a word; an axis of numbers is expected");
                return std::nullopt;
            }
            values.insert(*number);
        }
        if (values.size() > 1)
            return std::vector<double>(values.begin(), values.end());
        report(within(where, "axis"), column.path, "has one value here; at least two are expected");
        return std::nullopt;
    }

    void readBest(const DocumentNode& node, const std::string& where, const EvaluationItem& item,
                  EvaluationPlace& place) {
        const std::string best = textAt(node, where, "best", false);
        const Better better = findMetric(item.metrics.front())->better;
        const std::string allowed = "allowed: smallest, largest";
        if (!best.empty() && best != "smallest" && best != "largest")
            report(where + ".best", best, "unknown; " + allowed);
        else if (best.empty() && (item.over || item.minus || better == Better::neither))
            report(where + ".best", "", "missing; whether the smallest or the largest number is best; " + allowed);
        place.isLargestBest = best.empty() ? better == Better::larger : best == "largest";
    }

    void readCrossed(const DocumentNode& node, const std::string& where, const EvaluationItem& item,
                     EvaluationPlace& place) {
        const bool hasLevel = node.find("level") != nullptr;
        if (hasLevel == (node.find("other") != nullptr))
            return report(where + (hasLevel ? ".other" : ".level"), hasLevel ? "{...}" : "",
                          hasLevel ? "a second number to cross; leave out this key or \"level\""
                                   : "missing; a number to cross, or \"other\" such as {\"policy\": ...}, is expected");
        if (!hasLevel && (item.over || item.minus))
            return report(
                within(where, "other"), "{...}",
                "\"over\" and \"minus\" would not apply to the other numbers; a \"level\" is expected beside them");
        if (!hasLevel) {
            readOperand(node, where, kOther, item, place.other);
            return;
        }
        const std::string level = textAt(node, where, "level", true);
        if (level.empty())
            return;
        place.level = numberIn(level, item);  // the item has no place yet, so this is a number of its points
        if (!place.level)
            report(within(where, "level"), level,
                   "not a number of this kind, or too large; allowed: a number such as " + exampleFor(item));
    }

    /// Reads the measured numbers that the item waits for.
    bool readAgainst(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
        const std::size_t before = problems().size();
        const std::string path = within(where, "against");
        const DocumentNode* against = childOf(node, where, "against", Kind::object, "an object {...}", problems());
        if (node.find("against") == nullptr && comparesWithMeasured(item.mean))
            report(path, "",
                   "missing; " + std::string(name(item.mean)) + " compares with a column of measured numbers");
        if (against == nullptr)
            return problems().size() == before;
        checkKeys(*against, path, {"column", "unit"}, problems());
        EvaluationAgainst numbers{textAt(*against, path, "column", true), {}};
        const Metric& metric = *findMetric(item.metrics.front());
        const bool isRatio = item.over.has_value();
        numbers.unit = unitAt(*against, path, isRatio ? engine::ParameterUnit::none : metric.unit,
                              isRatio ? "a ratio" : metric.path);
        if (node.find("published") != nullptr)
            report(within(where, "published"), node.find("published")->shown(),
                   "the numbers come from the measured file; leave out this key or \"against\"");
        if (!m_evaluation.sweeps[item.sweep].rows)
            report(path, against->shown(),
                   "the sweep " + m_evaluation.sweeps[item.sweep].name +
                       " has no keys; measured numbers belong to the rows of an axis with \"csv\" and \"key\"");
        const bool isOneRow = item.mean == EvaluationMean::value || item.mean == EvaluationMean::each;
        if (!isOneRow && !comparesWithMeasured(item.mean))
            report(within(where, "as"), std::string(name(item.mean)),
                   "has no measured number; allowed: value, each, mean-error, rank-correlation");
        if (problems().size() == before)
            item.against = std::move(numbers);
        return problems().size() == before;
    }

    std::optional<EvaluationNumber> numberIn(const std::string& text, const EvaluationItem& item) const {
        LessonClaim like;
        const bool isRatio = item.over || item.tasks || item.gain || comparesWithMeasured(item.mean);
        like.kind = item.place ? LessonClaim::Kind::parameter
                    : isRatio  ? LessonClaim::Kind::ratio
                               : LessonClaim::Kind::metric;
        like.path = item.place ? item.place->path : item.metrics.front();
        like.text = text;
        const auto number = lessonNumber(text, {}, like);
        if (!number)
            return std::nullopt;
        return EvaluationNumber{text, number->value, number->digit};
    }

    void readPublished(const DocumentNode& node, const EvaluationItem& item, const std::string& where,
                       std::vector<EvaluationNumber>& numbers) {
        if (node.kind != Kind::string)
            return report(where, node.shown(), "wrong type, a number as its source prints it is expected: \"1.30\"");
        auto number = numberIn(node.text, item);
        if (!number)
            return report(where, node.text,
                          "not a number of this kind, or too large; allowed: a number such as " + exampleFor(item));
        numbers.push_back(std::move(*number));
    }

    std::string exampleFor(const EvaluationItem& item) const {
        if (item.place) {
            const Sweep& sweep = m_evaluation.sweeps[item.sweep].sweep;
            return engine::formatValue(*engine::findParameter(item.place->path),
                                       sweep.axes[item.place->axis].columns[item.place->column].values.front());
        }
        const engine::ParameterUnit unit = unitOf(item);
        return unit == engine::ParameterUnit::none ? "1.21 or 18 %"
                                                   : formatMetric(*findMetric(item.metrics.front()), 1'234'567);
    }

    void readNumbers(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
        const std::string path = where + ".published";
        const DocumentNode* published = node.find("published");
        if (published != nullptr && item.mean == EvaluationMean::each) {
            if (published->kind != Kind::list)
                return report(path, published->shown(), "wrong type, a list with a number for each point is expected");
            if (published->children.size() != item.points.size())
                return report(path, std::to_string(published->children.size()) + " numbers",
                              "a list of another length; allowed: " + std::to_string(item.points.size()) +
                                  ", one for each point");
            for (std::size_t i = 0; i < published->children.size() && goesOn(); ++i)
                readPublished(published->children[i], item, indexed(path, i), item.published);
        } else if (published != nullptr) {
            readPublished(*published, item, path, item.published);
        }
        readTolerance(node, where, item);
        readBounds(node, where, item);
    }

    /// Reads the numbers of an item's claim.
    void readBounds(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
        const auto read = [&](const DocumentNode& text, const std::string& path,
                              std::optional<EvaluationNumber>& bound) {
            std::vector<EvaluationNumber> numbers;
            readPublished(text, item, path, numbers);
            if (!numbers.empty())
                bound = std::move(numbers.front());
        };
        if (const DocumentNode* least = node.find("at_least"))
            read(*least, within(where, "at_least"), item.least);
        if (const DocumentNode* most = node.find("at_most"))
            read(*most, within(where, "at_most"), item.most);
        const DocumentNode* both = node.find("between");
        if (both == nullptr)
            return;
        const std::string path = within(where, "between");
        if (both->kind != Kind::list || both->children.size() != 2)
            return report(path, both->shown(), "a list of two numbers is expected: [\"1.1\", \"1.3\"]");
        read(both->children[0], indexed(path, 0), item.least);
        read(both->children[1], indexed(path, 1), item.most);
        if (item.least && item.most && !(item.least->value < item.most->value))
            report(path, item.least->text + ", " + item.most->text, "the second number must be above the first");
    }

    void readTolerance(const DocumentNode& node, const std::string& where, EvaluationItem& item) {
        const std::string text = textAt(node, where, "tolerance", false);
        if (text.empty())
            return;
        if (isClaim(item.role))
            return report(where + ".tolerance", text, "a claim has no tolerance; leave it out");
        if (item.role == EvaluationRole::context)
            return report(where + ".tolerance", text, "an item with the role context has no difference; leave it out");
        if (comparesWithMeasured(item.mean))
            return report(where + ".tolerance", text,
                          "an item with " + std::string(name(item.mean)) + " has no published number; leave it out");
        EvaluationItem ratio = item;
        ratio.over.emplace();
        ratio.place.reset();
        item.toleranceIsShare = text.find('%') != std::string::npos;
        const auto number = numberIn(text, item.toleranceIsShare ? ratio : item);
        if (!number || !(number->value >= 0))
            return report(
                where + ".tolerance", text,
                "not a tolerance; allowed: a share such as 1 %, or a number in the unit of the published one");
        item.tolerance = number->value;
        if (!hasFiniteRanges(item))
            report(where + ".tolerance", text, "too large; the range that it allows must be finite");
    }

    void readTraffic(const DocumentNode& root) {
        const DocumentNode* node = childOf(root, "", "traffic", Kind::object, "an object {...}", problems());
        if (node == nullptr)
            return;
        checkKeys(*node, "traffic", {"of", "where", "policies", "slices"}, problems());
        const std::size_t before = problems().size();
        EvaluationTraffic traffic;
        const auto sweep = sweepOf(*node, "traffic");
        if (sweep && isOfModels(m_evaluation.sweeps[*sweep].sweep.of))
            return report("traffic.of", m_evaluation.sweeps[*sweep].name,
                          "has no runs and therefore no traffic; allowed: a sweep of runs");
        const auto chosen = sweep ? pointsWhere(*node, *sweep, "traffic") : std::nullopt;
        if (!chosen)
            return;
        traffic.sweep = *sweep;
        const std::vector<std::string>& all = m_evaluation.sweeps[*sweep].sweep.policies;
        const std::size_t place = chosen->front() / all.size();
        if (chosen->back() / all.size() != place)
            report("traffic.where", textAt(*node, "traffic", "where", false),
                   "selects several combinations of axis values; one combination is expected");
        const auto isFormula = [](const std::string& policy) {
            return engine::isIdeal(*engine::policyPresetNamed(policy));
        };
        const DocumentNode* policies =
            childOf(*node, "traffic", "policies", Kind::list, "a list of policies [...]", problems());
        for (std::size_t i = 0; policies != nullptr && i < policies->children.size() && goesOn(); ++i) {
            const std::string path = indexed("traffic.policies", i);
            const auto policy = policyNamed(policies->children[i].text, *sweep, path);
            if (policy && isFormula(all[*policy]))
                report(path, all[*policy], "a bound, which has no traffic; allowed: policies that are simulated");
            else if (policy)
                traffic.points.push_back(place * all.size() + *policy);
        }
        for (std::size_t i = 0; policies == nullptr && i < all.size(); ++i) {
            if (!isFormula(all[i]))
                traffic.points.push_back(place * all.size() + i);
        }
        if (traffic.points.empty() && problems().size() == before)
            report("traffic", "", "no policy in it is simulated; at least one is expected");
        const DocumentNode* slices = node->find("slices");
        const bool isCount = slices != nullptr && slices->kind == Kind::number && slices->text.size() <= 4 &&
                             slices->text.find_first_not_of("0123456789") == std::string::npos;
        traffic.slices = isCount ? std::stoll(slices->text) : 0;
        if (traffic.slices < 1 || traffic.slices > kMostTrafficSlices)
            report("traffic.slices", slices == nullptr ? "" : slices->shown(),
                   "a number of slices is expected; allowed: 1 to " + std::to_string(kMostTrafficSlices));
        if (problems().size() == before)
            m_evaluation.traffic = std::move(traffic);
    }

    EvaluationLookup lookup() {
        return {
            [this](const auto& node, const auto& where) { return sweepOf(node, where); },
            [this](const auto& node, std::size_t sweep, const auto& where) { return pointsWhere(node, sweep, where); },
            [this](const auto& text, std::size_t sweep, const auto& where) { return policyNamed(text, sweep, where); },
            [this](const std::string& id) { return m_ids.count(id) != 0; }};
    }

    void readCalibrated(const DocumentNode& root) {
        const DocumentNode* list = childOf(root, "", "calibrated", Kind::list, "a list [...]", problems());
        std::set<std::pair<std::string, std::string>> isFitted;  // a parameter and an item
        std::set<std::string> onAll;
        const auto readOne = [&](const DocumentNode& node, const std::string& where) {
            checkKeys(node, where, {"parameter", "on"}, problems());
            CalibratedParameter& calibrated = calibratedFor(textAt(node, where, "parameter", true), where);
            const DocumentNode* on = childOf(node, where, "on", Kind::list, "a list of items [...]", problems());
            for (std::size_t k = 0; on != nullptr && k < on->children.size() && goesOn(); ++k) {
                const DocumentNode& id = on->children[k];
                if (id.kind != Kind::string || (m_sweepsAreSound && m_ids.count(id.text) == 0))
                    report(indexed(where + ".on", k), id.shown(), "not an item of this evaluation");
                else if (isFitted.insert({calibrated.parameter, id.text}).second)
                    calibrated.on.push_back(id.text);
            }
            if (on == nullptr || on->children.empty())
                onAll.insert(calibrated.parameter);
        };
        readEach(list, "calibrated", "{\"parameter\": ..., \"on\": [...]}", readOne);
        for (CalibratedParameter& calibrated : m_evaluation.calibrated) {
            if (onAll.contains(calibrated.parameter))
                calibrated.on.clear();
        }
    }

    /// Returns the entry of a parameter, which several entries of the document may name: it is then fitted to the items
    /// of all of them.
    CalibratedParameter& calibratedFor(std::string parameter, const std::string& where) {
        const auto [place, isNew] = m_calibrated.try_emplace(parameter, m_evaluation.calibrated.size());
        if (!isNew)
            return m_evaluation.calibrated[place->second];
        if (!parameter.empty() && engine::findParameter(parameter) == nullptr)
            report(where + ".parameter", parameter,
                   "unknown parameter, " + suggestionOf(engine::nearestParameters(parameter)));
        m_evaluation.calibrated.push_back({std::move(parameter), {}});
        return m_evaluation.calibrated.back();
    }

    static constexpr std::size_t kMostRows = 4 * kMostEvaluationPoints;

    Evaluation& m_evaluation;
    const OwnPresets* m_own;  // may be null
    const MeasuredSource& m_source;
    std::vector<PendingTable> m_tables;
    TaskItems m_taskItems;
    bool m_sweepsAreSound = false;
    std::vector<FilteredPoints> m_points;  // one for each sweep
    std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> m_chosen;
    std::map<std::string, std::size_t> m_calibrated;  // positions in Evaluation::calibrated
    std::set<std::string> m_ids;
    std::size_t m_rows = 0;
};

}  // namespace

EvaluationReading readEvaluation(std::string_view json, std::string_view origin, const OwnPresets* own,
                                 const MeasuredSource& tables) {
    EvaluationReading reading;
    DocumentTree tree = readTree(json, origin);
    reading.problems = std::move(tree.problems);
    if (!tree.root)
        return reading;
    if (auto other = formatProblem(*tree.root, origin, "an evaluation", kEvaluationFormat)) {
        reading.problems = {std::move(*other)};
        return reading;
    }
    EvaluationReader(reading, own, tables).read(*tree.root);
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    return reading;
}

EvaluationReading readEvaluationFile(const std::string& path, const OwnPresets& own) {
    EvaluationReading reading;
    const std::string text = readText(path, reading.problems);
    if (!reading.problems.empty())
        return reading;
    const auto folder = path == "-" ? std::filesystem::path() : std::filesystem::path(path).parent_path();
    reading = readEvaluation(text, path == "-" ? "standard input" : path, &own,
                             [&folder](const std::string& file, Problems& problems) {
                                 return readText((folder / file).string(), problems);
                             });
    reading.evaluation.name = path == "-" ? "standard input" : std::filesystem::path(path).stem().string();
    return reading;
}

}  // namespace data
