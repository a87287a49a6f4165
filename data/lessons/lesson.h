#pragma once

#include "data/experiment/scene_document.h"
#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"
#include "engine/api/results.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// What backs a number in a lesson's text. `text` is what the text shows, and true within `tolerance`.
struct LessonClaim {
    enum class Kind { metric, parameter, difference, ratio };
    enum class Subject { run, footprint };
    std::string name;
    Kind kind{};
    Subject of = Subject::run;   ///< whose number a metric is: a run's, or a division's, for which nothing is simulated
    engine::ModelPhase phase{};  ///< of a footprint
    std::string path;         ///< of a metric, as in `run`, `footprint` or `messages --output json`, or of a parameter
    std::string from, to;     ///< names of two claims: to - from, to / from
    ExperimentDraft draft{};  ///< that the number is of: the step's, with what the claim sets over it
    std::string text;         ///< "2.429 ms", "1.21", "18 %"
    double value = 0;         ///< the same in base units
    double tolerance = 0;     ///< likewise; one of the last digit where the lesson says none
};

/// Asked before the answer is shown: which of several, or how much.
struct LessonQuestion {
    std::string text;
    std::vector<std::string> choices;  ///< empty: a number is asked for
    std::size_t right = 0;             ///< of the choices
    std::string claim;                 ///< that has the number
};

/// Something to do with the form. It is done when the parameter has another value than in the step, or the one wanted.
struct LessonTry {
    std::string text;
    std::string parameter;
    std::string value;  ///< as written; empty: any other
    std::string then;   ///< what is to be seen once it was done
};

/// A part of the step's run that a reader can play. Shares of the run, so that every range lies within every run.
struct LessonPlay {
    double from = 0, to = 1;  ///< 0 to 1; from is less than to
    double seconds = 8;       ///< of the wall clock, from the one to the other
    bool loop = false;
    bool operator==(const LessonPlay&) const = default;
};
inline constexpr double kShortestLessonPlay = 1, kLongestLessonPlay = 60;  // seconds

struct LessonStep {
    std::string text;
    ExperimentDraft draft;  ///< complete: what earlier steps set is in it
    Scene scene;  ///< without a draft; its view, with its page, is that of the step before where it names none
    std::vector<std::string> compare;  ///< policies that the run is seen beside, in the view Compare; empty: none
    std::optional<bool> pins;  ///< true: its run stays in sight, outlined, in the steps that follow; false: no longer
    bool holds = false;        ///< all of this comes with the answer; until then the step before is still seen
    std::optional<LessonPlay> play;
    std::string highlight;  ///< what isLessonPart() allows; empty: nothing
    std::optional<LessonQuestion> question;
    std::string reveal;  ///< shown with the answer
    std::optional<LessonTry> attempt;
    std::vector<LessonClaim> claims;
};

/// Text, experiments and moments in steps, with questions to answer before the run does. In its texts `{name}` stands
/// for the number of that claim, `**words**` are strong, `[words](part)` point at a part of the window when they are chosen,
/// and an empty line begins a paragraph.
struct Lesson {
    std::string title, summary;
    std::vector<LessonStep> steps;  ///< at least one

    /// Null when no step has a claim of this name.
    const LessonClaim* claim(std::string_view name) const;
};

struct LessonReading {
    Lesson lesson;
    engine::Problems problems;  ///< every one of them, each by path ("steps[2].text"), value and what is allowed
};

inline constexpr std::string_view kLessonFormat = "ringside-lesson";
inline constexpr std::size_t kMostLessonSteps = 60;

/// The lesson document; resources/lessons/README.md has its keys.
LessonReading readLesson(std::string_view json, std::string_view origin);
LessonReading readLessonFile(const std::string& path);

/// Parts of the window that a step can point at, besides parameters and lanes: its panels, views and bars.
const std::vector<std::string>& lessonParts();

inline constexpr std::string_view kLessonLane = "lane:";        ///< before engine::name(LaneKind)
inline constexpr std::string_view kLessonGpuPart = "part:";     ///< before textOf(GpuPartRef)
inline constexpr std::string_view kLessonParameter = "field:";  ///< before the path of a parameter; may be left out

/// Whether a step can point at `part`: a parameter ("link.bandwidth", "field:link.bandwidth"), a lane of the timeline
/// ("lane:DMA engine"), a part of one GPU ("part:tracker", "part:channels/3") or one of lessonParts().
bool isLessonPart(std::string_view part);
/// Returns why isLessonPart() is false and what is allowed, for a message.
std::string unknownLessonPart(std::string_view part);

/// Returns the parts that a text points at by `[words](part)`, in order, as they are written.
std::vector<std::string> lessonLinks(std::string_view text);

/// A text in pieces, in order: words as they are, or the name of a claim.
struct LessonPiece {
    std::string text;
    bool isClaim = false;
};
std::vector<LessonPiece> lessonPieces(std::string_view text);

/// A number as a person writes it.
struct LessonNumber {
    double value = 0;  ///< in base units
    double digit = 0;  ///< what one of its last digit is worth
};

/// "2.43 ms" or "18 %" where such a number is meant as `like` has it; a bare number is in the unit that `like` is
/// written in. Nothing when it is no number, or of another unit.
std::optional<LessonNumber> lessonNumber(std::string_view text, const Lesson& lesson, const LessonClaim& like);

/// `value`, in base units, as the claim is written: "18 %" where it is "41 %", with `moreDigits` behind its last one.
std::string lessonNumberText(const Lesson& lesson, const LessonClaim& like, double value, int moreDigits = 0);

/// The unit of a number of any result: a metric's, or a part of the attribution ("attribution_ps.link",
/// "attribution_detail_ps.memory_contention"). Nothing for other paths.
std::optional<engine::ParameterUnit> lessonMetricUnit(std::string_view path);
/// Whether that number is a part of the attribution, which is only told where it is asked for.
bool isLessonAttribution(std::string_view path);
/// That number, of a path that has a unit; nothing where the result lacks it.
std::optional<double> lessonMetric(const engine::RunResult& result, std::string_view path);
/// Paths most like this one, best first, at most three.
std::vector<std::string> nearestLessonMetrics(std::string_view path);

}  // namespace data
