#pragma once

#include "data/experiment/scene_document.h"
#include "data/results/result_subject.h"
#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"
#include "engine/api/results.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Traces of real machines that a step shows in the view Measured.
struct LessonTraces {
    std::vector<std::string> files;  ///< one for each rank: paths, or kBundledTrace and a name; empty: none
    std::string pair;  ///< the chosen pair, as of `trace --pair`: "4096x4096x1024,all-gather"; empty: none

    auto operator<=>(const LessonTraces&) const = default;
};

/// A claim backs a number in a lesson's text. The lesson shows `text`; the computed number must agree with it within
/// `tolerance`.
struct LessonClaim {
    enum class Kind { metric, parameter, difference, ratio, measured };
    std::string name;
    Kind kind{};
    ResultSubject of = ResultSubject::run;  ///< what a metric is measured on: a run, the footprint of a division, which
                                            ///< needs no simulation, or the training step of a whole model
    engine::ModelPhase phase{};             ///< of a footprint
    std::string path;                       ///< path of a metric, as in `run --output json` or in a point of whole
                                            ///< models, of a parameter, or of a number of `trace --output json`
    std::string from, to;                   ///< names of two claims; the value is to - from, or to / from
    LessonTraces traces{};                  ///< of a measured number
    ExperimentDraft draft{};  ///< the experiment of the number: the step's draft with the claim's values over it
    std::string text;         ///< "2.429 ms", "1.21", "18 %"
    double value = 0;         ///< the same number in base units
    double tolerance = 0;     ///< in base units; one unit of the last digit if the lesson gives none
};

/// A question that the reader answers before the run is shown: by one of several choices or by a number.
struct LessonQuestion {
    std::string text;
    std::vector<std::string> choices;  ///< empty: the answer is a number
    std::size_t right = 0;             ///< index of the right choice
    std::string claim;                 ///< name of the claim that has the number
};

/// A task for the reader: to change a parameter in the form, or to open traces of their own. The first is done when the
/// parameter has a value other than the step's, or the requested value if there is one.
struct LessonTry {
    std::string text;
    std::string parameter;  ///< empty: open traces
    std::string value;      ///< the requested value as written; empty: any other value
    std::string then;       ///< text that is shown once it is done
};

/// A part of the step's run that a reader can play. It is given in shares of the run, so that every range lies within
/// every run.
struct LessonPlay {
    double from = 0, to = 1;  ///< 0 to 1; from is less than to
    double seconds = 8;       ///< wall-clock time for playing the range once
    bool loop = false;
    bool operator==(const LessonPlay&) const = default;
};
inline constexpr double kShortestLessonPlay = 1, kLongestLessonPlay = 60;  // seconds

struct LessonStep {
    std::string text;
    ExperimentDraft draft;  ///< complete: includes the values that earlier steps set
    Scene scene;            ///< has no draft; its view and page are those of the step before if it names none
    std::vector<std::string> compare;  ///< policies that the view Compare shows beside the run; empty: none
    LessonTraces traces;               ///< its files are those of the step before if it names none
    std::optional<bool> pins;  ///< true: pins its run, which stays outlined in the steps that follow; false: removes
                               ///< the pin
    bool holds = false;        ///< true: until the question is answered, the window keeps showing the step before
    std::optional<LessonPlay> play;
    std::string highlight;  ///< a part that isLessonPart() allows; empty: none
    std::optional<LessonQuestion> question;
    std::string reveal;  ///< text shown with the answer
    std::optional<LessonTry> attempt;
    std::vector<LessonClaim> claims;
};

/// A lesson: steps with texts, experiments and moments, and with questions that the reader answers before the run does.
/// In texts, `{name}` is replaced by the number of the claim with that name, `**words**` are bold, `[words](part)`
/// highlights a part of the window when it is clicked, and an empty line begins a paragraph.
struct Lesson {
    std::string title, summary;
    std::vector<LessonStep> steps;  ///< at least one

    /// Returns the claim with this name, or null.
    const LessonClaim* claim(std::string_view name) const;
};

struct LessonReading {
    Lesson lesson;
    engine::Problems problems;  ///< all problems, each by path ("steps[2].text"), value and what is allowed
};

inline constexpr std::string_view kLessonFormat = "ringside-lesson";
inline constexpr std::size_t kMostLessonSteps = 60;

/// Reads the lesson document; resources/lessons/README.md describes its keys. Traces that are no bundled ones are files
/// in `folder`; without a folder only bundled ones are allowed.
LessonReading readLesson(std::string_view json, std::string_view origin, const std::string& folder = {});
LessonReading readLessonFile(const std::string& path);

/// Returns the parts of the window that a step can point at, besides parameters and lanes: its panels, views and bars.
const std::vector<std::string>& lessonParts();

inline constexpr std::string_view kLessonLane = "lane:";        ///< before engine::name(LaneKind)
inline constexpr std::string_view kLessonGpuPart = "part:";     ///< before textOf(GpuPartRef)
inline constexpr std::string_view kLessonParameter = "field:";  ///< before the path of a parameter; may be left out

/// Returns whether a step can point at `part`: a parameter ("link.bandwidth", "field:link.bandwidth"), a lane of the
/// timeline ("lane:DMA engine"), a part of one GPU ("part:tracker", "part:channels/3") or one of lessonParts().
bool isLessonPart(std::string_view part);
/// Returns why isLessonPart() is false and what is allowed, for a message.
std::string unknownLessonPart(std::string_view part);

/// Returns the parts that a text points at by `[words](part)`, in order, as they are written.
std::vector<std::string> lessonLinks(std::string_view text);

/// A piece of a text: plain words, or the name of a claim.
struct LessonPiece {
    std::string text;
    bool isClaim = false;
};
std::vector<LessonPiece> lessonPieces(std::string_view text);

/// A number that a person wrote.
struct LessonNumber {
    double value = 0;  ///< in base units
    double digit = 0;  ///< value of one unit of its last digit
};

/// Returns whether a value, and both ends of the range that its tolerance allows, are finite numbers. Without this check
/// a range that overflows would allow every result.
bool isBounded(double value, double tolerance);

/// Returns the unit of a claim's number; none for counts, ratios and shares.
engine::ParameterUnit lessonClaimUnit(const Lesson& lesson, const LessonClaim& claim);

/// A word after a number without a unit: "%", "million".
struct LessonCountWord {
    std::string_view word;
    double factor;
};
std::span<const LessonCountWord> lessonCountWords();

/// Reads a number in the unit of the claim `like`: "2.43 ms", "18 %"; a bare number has the unit in which `like` is
/// written. Returns an empty optional if the text is not a number, has a unit of another kind or is too large.
std::optional<LessonNumber> lessonNumber(std::string_view text, const Lesson& lesson, const LessonClaim& like);

/// Formats `value`, in base units, as the claim is written, with `moreDigits` further digits: "41 %" for a claim that
/// says "18 %".
std::string lessonNumberText(const Lesson& lesson, const LessonClaim& like, double value, int moreDigits = 0);

/// Returns the unit of a number of any result: of a metric, or of a part of the attribution ("attribution_ps.link",
/// "attribution_detail_ps.memory_contention"). Returns an empty optional for other paths.
std::optional<engine::ParameterUnit> lessonMetricUnit(std::string_view path);
/// Returns whether that number is a part of the attribution, which is computed only on request.
bool isLessonAttribution(std::string_view path);
/// Returns that number, or an empty optional if the result lacks it. Precondition: the path has a unit.
std::optional<double> lessonMetric(const engine::RunResult& result, std::string_view path);
/// Returns the paths most similar to this one, best first, at most three.
std::vector<std::string> nearestLessonMetrics(std::string_view path);

}  // namespace data
