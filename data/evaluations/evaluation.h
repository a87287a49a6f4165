#pragma once

#include "data/sweep/sweep_document.h"
#include "data/tasks/task_document.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// The role of a published number. `exact`: our number must agree within one unit of its last printed digit.
/// `calibrated`: constants were fitted to it. `visible`: it was known while mechanisms and constants were chosen, but
/// none was fitted to it alone. `blind`: it was compared after the constants were fixed. `context`: it is shown without
/// a difference. The others are claims: our number must be at least, at most or between what the item says.
enum class EvaluationRole { exact, calibrated, visible, blind, context, atLeast, atMost, between };

/// How an item combines its points: takes the only one, makes a row for each, or computes one number from all. `spread`
/// is the largest over the smallest. Two compare our numbers with measured ones: `meanError` is the mean of |ours /
/// theirs - 1|, `rankCorrelation` Spearman's, with mean ranks for equal numbers. Two are values of an axis: `bestAt` is
/// the value at which the numbers are best, `crossing` the one at which they cross a level or other numbers.
enum class EvaluationMean {
    value,
    each,
    geomean,
    mean,
    median,
    min,
    max,
    spread,
    meanError,
    rankCorrelation,
    bestAt,
    crossing
};

std::string_view name(EvaluationRole role);  ///< "exact"
std::string_view name(EvaluationMean mean);  ///< "geomean"

/// Returns whether the mean compares our numbers with measured ones.
bool comparesWithMeasured(EvaluationMean mean);

/// Returns whether the mean is a value of an axis.
inline bool isPlace(EvaluationMean mean) { return mean == EvaluationMean::bestAt || mean == EvaluationMean::crossing; }

/// A number as its source prints it.
struct EvaluationNumber {
    std::string text;  ///< "1.30", "36 %", "120 GB"
    double value = 0;  ///< in base units; a percentage as a fraction
    double digit = 0;  ///< the value of one unit of the last printed digit, in the same unit
};

/// The numbers by which an item's numbers are divided, which are subtracted from them or with which they are compared:
/// point by point, or one point for all. Keys that the document leaves out are taken from the item.
struct EvaluationOperand {
    std::size_t sweep = 0;   ///< position in Evaluation::sweeps; without `point` its axes are those of the item's sweep
    std::size_t policy = 0;  ///< position in Sweep::policies
    std::vector<std::string> metrics;
    std::optional<std::size_t> point;  ///< index in the sweep of the one point for all, under `policy`
};

/// The axis along which an item looks for its value, and what it looks for.
struct EvaluationPlace {
    std::size_t axis = 0, column = 0;  ///< positions in Sweep::axes and SweepAxis::columns; all values are numbers
    std::string path;                  ///< the parameter of the column
    bool isLogarithmic = false;        ///< values between two points are interpolated by ratios
    bool isLargestBest = false;        ///< of bestAt
    std::optional<EvaluationNumber> level{};   ///< of a crossing: either the level that is crossed,
    std::optional<EvaluationOperand> other{};  ///< or the other numbers
};

/// The measured numbers that an item is compared with. They are not part of the document: see withMeasured.
struct EvaluationAgainst {
    std::string column, unit;                 ///< of the measured file; numbers may have no unit
    std::vector<EvaluationNumber> numbers{};  ///< one for each point of the item; empty: no file is attached
};

/// One row of an evaluation, or with `each` one row for each of its points. An item of tasks has no sweep and no points,
/// and its one metric is a key of `timetable`.
struct EvaluationItem {
    static constexpr std::size_t kNoSweep = static_cast<std::size_t>(-1);

    std::string id, what;
    std::size_t sweep = 0;               ///< position in Evaluation::sweeps
    std::size_t policy = 0;              ///< position in Sweep::policies
    std::vector<std::string> metrics;    ///< paths of metrics with the same unit; their values are summed
    std::optional<std::size_t> tasks{};  ///< of an item of tasks: position in Evaluation::tasks
    /// Indices in the sweep, rising, selected by policy and `where`; at least one. If an axis has its values from a
    /// file, a point is there once for each row that it stands for.
    std::vector<std::size_t> points;
    std::vector<std::size_t> rows;  ///< of such a sweep: for each point the position in EvaluationRows::keys
    std::optional<EvaluationOperand> over;
    EvaluationMean mean = EvaluationMean::value;
    bool saving = false;                      ///< the row's value is 1 minus the result
    std::vector<EvaluationNumber> published;  ///< one for each row; empty: not published or attached yet
    std::optional<EvaluationAgainst> against{};
    std::string label;  ///< "published", "second-hand", "derived", "assumed", "measured"
    EvaluationRole role = EvaluationRole::context;
    std::optional<double> tolerance;  ///< in base units, or a share of the published number if the document says "%"
    bool toleranceIsShare = false;
    bool gain = false;                                ///< the row's value is the result minus 1, in per cent
    std::optional<EvaluationOperand> minus{};         ///< subtracted from each number, before the division
    std::optional<EvaluationPlace> place{};           ///< of an item whose mean is a value of an axis
    std::optional<EvaluationNumber> least{}, most{};  ///< what the item claims: the role says which of them are there
};

/// A parameter whose value was chosen so that items come out as published.
struct CalibratedParameter {
    std::string parameter;
    std::vector<std::string> on;  ///< ids of items; empty: all whose role is `calibrated`
};

/// One experiment of a sweep whose DRAM traffic over time is shown.
struct EvaluationTraffic {
    std::size_t sweep = 0;
    std::vector<std::size_t> points;  ///< indices of the points: one for each traced policy
    std::int64_t slices = 0;          ///< how many slices each run is divided into, however long it is
};

/// `correlation`: our numbers over the measured ones, with a point for each row of a measured table.
enum class EvaluationMark { bars, lines, correlation };

std::string_view name(EvaluationMark mark);  ///< "bars"

/// An axis of a sweep that divides the points of a figure.
struct FigureAxisChoice {
    std::size_t axis = 0, column = 0;  ///< positions in Sweep::axes and SweepAxis::columns
};

/// A chart of a sweep's points, in the form in which a paper would show them beside published numbers.
struct EvaluationFigure {
    std::string name, title;            ///< the title may be empty
    std::size_t sweep = 0;              ///< position in Evaluation::sweeps
    EvaluationMark mark{};              ///< a bar or a line for each policy, or a correlation
    std::size_t axis = 0;               ///< position in Sweep::axes of the axis along x
    std::size_t column = 0;             ///< position in SweepAxis::columns of the column whose values label x
    std::string metric;                 ///< the metric along y
    std::vector<std::size_t> policies;  ///< positions in Sweep::policies, in the order in which they are drawn
    std::vector<std::size_t> points;    ///< indices in the sweep, rising
    EvaluationMean mean = EvaluationMean::geomean;  ///< how the points at the same value of x are combined
    bool all = false;                               ///< adds a last group of bars for all points together
    std::vector<std::size_t> references;            ///< positions in Evaluation::items
    std::size_t measured = 0;                       ///< of a correlation: position in Evaluation::measured
    std::optional<FigureAxisChoice> series{};  ///< a bar or a line for each of its values, under each of the policies
    std::optional<FigureAxisChoice> panels{};  ///< a panel for each of its values
    /// Positions in Evaluation::items of the items along y, in place of `metric` and `policies`, which are those of the
    /// items. Each has a bar or a line with its points over x, or, if not `hasX`, a bar with its one number.
    std::vector<std::size_t> items{};
    bool hasX = true;
    std::string xLabel{}, yLabel{};  ///< titles of the axes; empty: the parameter's and the metric's
};

/// What the rows of a measured table have to show together, separately for each machine.
struct MeasuredTarget {
    std::string id, what;             ///< both empty: the only target of its table
    std::vector<std::size_t> points;  ///< indices in the table's sweep, rising
    std::optional<double> median;     ///< greatest allowed median of |ours / measured - 1|
    std::optional<double> bias;       ///< greatest allowed distance of the geometric mean of ours / measured from 1
    std::optional<double> each;       ///< greatest allowed |ours / measured - 1| of every row
};

/// A table of measured rows. Its rows are those of one item, which has `each` of the points of a sweep of its own.
struct EvaluationMeasured {
    std::size_t item = 0;                 ///< position in Evaluation::items
    std::string file;                     ///< name of the table's file, which is beside the document
    std::string citation;                 ///< who measured the rows; the citation of the evaluation if empty
    std::vector<MeasuredTarget> targets;  ///< at least one
};

/// The rows of a CSV file of which an axis of a sweep has its values. Rows with the same values are one step.
struct EvaluationRows {
    std::string file, key;                        ///< the names of the file, and of its column that names each row
    std::size_t axis = 0;                         ///< position in Sweep::axes
    std::vector<std::string> keys;                ///< of the selected rows, in the order of the file
    std::vector<std::vector<std::size_t>> steps;  ///< for each step of the axis its rows: positions in `keys`, rising
    std::vector<std::string> known;               ///< keys of all rows of the file
};

struct EvaluationSweep {
    std::string name;
    Sweep sweep;
    std::optional<EvaluationRows> rows{};  ///< absent: no axis has its values from a file
};

/// A task document of an evaluation, as one of the items asks for it.
struct EvaluationTasks {
    std::string name;
    TaskDocument document;
};

/// The numbers of one published system, the experiments that answer them and the role of each number.
struct Evaluation {
    std::string name;                                       ///< "t3"; of a file its name without the extension
    std::string title, question, source, citation, lesson;  ///< all but the title may be empty
    std::vector<EvaluationSweep> sweeps;                    ///< at least one, if there are no tasks
    std::vector<EvaluationTasks> tasks;  ///< each document as it is written, and once for each different "set"
    std::vector<CalibratedParameter> calibrated;
    std::string frozen;  ///< the constants that blind rows are compared under, in the form of Reproduction::constants
    std::optional<EvaluationTraffic> traffic;
    std::vector<EvaluationItem> items;      ///< at least one; those of measured tables are last
    std::vector<EvaluationFigure> figures;  ///< those of measured tables are last
    std::vector<EvaluationMeasured> measured;
};

inline constexpr std::string_view kEvaluationFormat = "ringside-evaluation";
inline constexpr std::size_t kMostEvaluationItems = 2'000;
inline constexpr std::size_t kMostEvaluationPoints = 5'000;  ///< of all sweeps together
inline constexpr std::int64_t kMostTrafficSlices = 1'000;
inline constexpr std::size_t kMostEvaluationFigures = 50;

/// Returns the text of a file beside the document by its name, a CSV file or a sweep; adds a problem if it cannot be
/// read.
using MeasuredSource = std::function<std::string(const std::string& file, engine::Problems& problems)>;

struct EvaluationReading {
    Evaluation evaluation;
    engine::Problems problems;  ///< all problems, each by path ("items[3].role"), value and what is allowed
};

/// The evaluation document:
///
///   { "format": "ringside-evaluation", "version": 1, "title": "…", "question": "…", "source": "…", "citation": "…",
///     "lesson": "07-why-plain-t3-loses",
///     "sweeps": { "sub-layers": { … a sweep document without format and version … },
///                 "links": { "of": "links.json", … values that replace those of the file … } },
///     "tasks": { "loop": { … a task document; format, version and title may be missing … } },
///     "calibrated": [ { "parameter": "memory.update_cost", "on": ["t3-geomean"] } ], "frozen": "0123456789ab",
///     "traffic": { "of": "sub-layers", "where": "parallel.tp=8 …", "policies": ["sequential"], "slices": 48 },
///     "items": [ { "id": "…", "what": "…", "of": "sub-layers", "metric": "dram_bytes.total", "policy": "t3-mca",
///                  "where": "parallel.tp=8",
///                  "over": { "of": "…", "metric": "…", "policy": "sequential", "where": "…" },
///                  "as": "min", "saving": true, "published": "36 %", "label": "published", "role": "calibrated",
///                  "tolerance": "1 %" },
///                { "id": "…", "what": "…", "of": "links.json", "metric": "speedup_over_sequential", "policy": "t3-mca",
///                  "as": "gain", "at_least": "5 %" },
///                { "id": "…", "what": "…", "of": "links.json", "metric": "time_ps.total", "policy": "t3",
///                  "as": "crossing", "axis": "link.bandwidth", "other": { "policy": "sequential" }, "role": "context" },
///                { "id": "…", "what": "…", "of": "steps", "metric": "model_ps.total", "as": "each",
///                  "against": { "column": "seconds", "unit": "s" }, "label": "second-hand", "role": "blind" },
///                { "id": "…", "what": "…", "of": "loop", "set": { "loop.latency": 75 }, "metric": "makespan",
///                  "published": "800025", "label": "derived", "role": "exact", "tolerance": "0" } ],
///     "measured": [ { "id": "visible", "what": "…", "file": "gemms.csv", "base": { … an experiment … },
///                     "policy": "sequential", "metric": "time_ps.total", "unit": "µs", "label": "second-hand",
///                     "role": "visible",
///                     "targets": [ { "id": "large", "what": "…", "where": "matrix.m>=4096", "median": "8 %",
///                                    "bias": "5 %", "each": "25 %" } ] } ],
///     "figures": [ … see readEvaluationFigures … ] }
///
/// A sweep may be a file beside the document: see readSweepFileOf. The "of" of an item or of a figure may also name such
/// a file itself.
///
/// An axis of a sweep may have its values from the rows of a CSV file beside the document: see readRowAxis. Rows of an
/// item with `each` are named by the key of the file: "step[id=17]". An item of such a sweep may be compared `against` a
/// column of a file that a user attaches, which is joined by the key: see withMeasured. It has no `published`, and its
/// `as` is value, each, mean-error or rank-correlation. Without the file its rows are not compared.
///
/// `minus` has the keys of `over`; its numbers are subtracted before the division. "as": "gain" is the geometric mean of
/// ratios minus 1, in per cent; "gain": true does the same beside another `as`, as "saving" does. `best-at` and
/// `crossing` are values of `axis`, which may be left out if the sweep has one axis: see readPlace. `at_least`, `at_most`
/// (numbers) and `between` (a list of two numbers) are claims of the author; such an item has no `role` and no
/// `tolerance`, and `published` may stand beside them.
///
/// An item whose `of` names a document of `tasks` has one number of its timetable. Its `metric` is a key of the JSON that
/// `timetable` prints; an entry of a list is named by its position: "in_flight[0]", "stable_step[2]", "pools[1].busy".
/// `set` replaces values of the document by their paths. The item has none of the keys `policy`, `where`, `over`,
/// `minus`, `as`, `saving`, `gain` and `against`, and its role is exact, visible, context or a claim. `tasks` may stand in place of `sweeps`.
///
/// A measured table is a CSV file beside the document: see readMeasuredTable. It makes a sweep of its own, with a point
/// for each row; an item with the table's id, which has a row for each point; and, from three rows on, a figure of our
/// numbers over the measured ones. Its keys `what`, `policy`, `citation` and `targets` may be missing, and so may
/// `unit` for a metric without a unit. A target is demanded of the rows of each machine. With a measured table,
/// `sweeps` and `items` may be missing.
///
/// Every key of an item except `id`, `what`, `metric` and `role` may be missing: `of` if there is one sweep, `policy`
/// if its sweep has one policy, `as` (the default is value), `published` (`label` may then be missing as well). If
/// `over` has `where`, the one point that it selects divides all. Own machines and models are looked up in `own`, as in
/// readSweep. No other files than these are read: `lesson` is a name. `tables` finds the files; without it
/// tables are bundled, and there are no sweeps in files.
EvaluationReading readEvaluation(std::string_view json, std::string_view origin, const OwnPresets* own = nullptr,
                                 const MeasuredSource& tables = {});
/// Reads the file of an evaluation; "-" is standard input. CSV files are in the folder of the document, or in the current
/// one. Every command and the window pass the user's own presets.
EvaluationReading readEvaluationFile(const std::string& path, const OwnPresets& own);

/// Returns the bundled evaluations, sorted by name.
const std::vector<Evaluation>& evaluations();

/// Returns the bundled evaluation with this name, or null.
const Evaluation* findEvaluation(std::string_view name);

/// Returns the unit of an item's rows; none for ratios and for a comparison with measured numbers. A value of an axis has
/// the unit of its parameter.
engine::ParameterUnit unitOf(const EvaluationItem& item);

/// Returns the unit of the numbers of an item's points; none for ratios.
engine::ParameterUnit unitOfPoints(const EvaluationItem& item);

/// Returns whether the ranges that an item's tolerance allows are finite.
bool hasFiniteRanges(const EvaluationItem& item);

/// Returns `value`, in base units, in the format of the item's published number: "1.340" where that is "1.35", with
/// `moreDigits` further digits. Ratios have at least three decimals, percentages at least one. Without a published
/// number the value is formatted as a metric.
std::string itemText(const EvaluationItem& item, std::size_t row, double value, int moreDigits = 0);

/// Returns whether an item's row is a percentage; its difference is then given in percentage points.
bool isPercentage(const EvaluationItem& item, std::size_t row);

/// Returns a value of the item's axis without regard to its published number: a value of a point as it is, one between
/// two points with four digits.
std::string axisText(const EvaluationItem& item, double value);

/// Returns the operands that the item has: of the division, of the subtraction and of the comparison.
std::vector<const EvaluationOperand*> operandsOf(const EvaluationItem& item);

/// Returns what the item claims, in words: "at least 1.05", "between 1.1 and 1.3"; empty if it claims nothing.
std::string boundText(const EvaluationItem& item);

}  // namespace data
