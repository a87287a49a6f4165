#include "data/lessons/lesson.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/document/trimmed_text.h"
#include "data/document/value_places.h"
#include "data/experiment/gpu_part.h"
#include "data/lessons/lesson_trace.h"
#include "data/results/metrics.h"
#include "data/results/result_fields.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace data {
namespace {

engine::ParameterUnit unitOf(const Lesson& lesson, const LessonClaim& claim, int depth = 0) {
    using enum LessonClaim::Kind;
    if (claim.kind == measured)
        return lessonTraceUnit(claim.path);
    if (claim.kind == metric)
        return lessonMetricUnit(claim.path).value_or(engine::ParameterUnit::none);
    if (claim.kind == parameter)
        return engine::findParameter(claim.path) != nullptr ? engine::findParameter(claim.path)->unit
                                                            : engine::ParameterUnit::none;
    // The depth is limited because a claim that was not read from a document may refer to itself.
    const LessonClaim* of = claim.kind == difference && depth < 8 ? lesson.claim(claim.to) : nullptr;
    return of != nullptr ? unitOf(lesson, *of, depth + 1) : engine::ParameterUnit::none;
}

constexpr std::array kCountWords{LessonCountWord{"%", 0.01}, LessonCountWord{"million", 1e6},
                                 LessonCountWord{"billion", 1e9}};

/// Returns the number of base units in the unit after a number, or an empty optional for a word that is not such a
/// unit.
std::optional<double> factorOf(std::string_view word, engine::ParameterUnit unit) {
    if (word.empty())
        return 1;
    if (unit == engine::ParameterUnit::none) {
        for (const LessonCountWord& count : kCountWords) {
            if (word == count.word)
                return count.factor;
        }
        return std::nullopt;
    }
    const auto factor = engine::unitFactor(unit, word);
    return factor ? std::optional(static_cast<double>(*factor)) : std::nullopt;
}

std::string pathOf(const AttributionPart& part) {
    return std::string(part.detail ? "attribution_detail_ps." : "attribution_ps.") + part.key;
}

const AttributionPart* attributionPart(std::string_view path) {
    const auto& parts = attributionParts();
    const auto found =
        std::find_if(parts.begin(), parts.end(), [path](const AttributionPart& part) { return pathOf(part) == path; });
    return found == parts.end() ? nullptr : &*found;
}

struct Written {
    double number = 0;
    double digit = 0;  ///< the value of one unit of the last digit
    int decimals = 0;
    std::string_view unit;  ///< as written
};

std::optional<Written> writtenNumber(std::string_view text) {
    text = trimmedText(text, " ");
    const auto decimal = engine::readDecimal(text);
    if (!decimal)
        return std::nullopt;
    const double digit = std::pow(10.0, decimal->exponent);
    // A power of ten is exact, a tenth is not: 1.39 is 139 / 100, and not 139 x 0.01.
    const double number = decimal->exponent < 0
                              ? static_cast<double>(decimal->digits) / std::pow(10.0, -decimal->exponent)
                              : static_cast<double>(decimal->digits) * digit;
    if (!std::isfinite(number) || !std::isfinite(digit))
        return std::nullopt;
    return Written{decimal->negative ? -number : number, digit, std::max(0, -decimal->exponent),
                   trimmedText(text, " ")};
}

/// Returns the names of all parts except parameters: parts of the window, lanes and parts of one GPU.
std::vector<std::string> namedLessonParts() {
    std::vector<std::string> names = lessonParts();
    for (std::size_t kind = 0; kind < engine::kLaneKinds; ++kind)
        names.push_back(std::string(kLessonLane) + std::string(engine::name(static_cast<engine::LaneKind>(kind))));
    for (const std::string& word : gpuPartWords())
        names.push_back(std::string(kLessonGpuPart) + word);
    return names;
}

std::string_view withoutField(std::string_view part) {
    return part.starts_with(kLessonParameter) ? part.substr(kLessonParameter.size()) : part;
}

}  // namespace

bool isBounded(double value, double tolerance) {
    return std::isfinite(value - tolerance) && std::isfinite(value + tolerance);
}

bool isLessonPart(std::string_view part) {
    if (part.starts_with(kLessonGpuPart))
        return gpuPartOf(part.substr(kLessonGpuPart.size())).has_value();
    if (engine::findParameter(withoutField(part)) != nullptr)
        return true;
    const std::vector<std::string> names = namedLessonParts();
    return std::find(names.begin(), names.end(), part) != names.end();
}

std::string unknownLessonPart(std::string_view part) {
    const std::vector<std::string> names = namedLessonParts();
    std::vector<std::string> candidates = names;
    for (const engine::Parameter& parameter : engine::parameters())
        candidates.push_back(parameter.path);
    const auto near = engine::nearestNames(withoutField(part), candidates);
    return (near.empty() ? std::string("no such part; ") : "no such part, " + suggestionOf(near) + " ") +
           "allowed: the path of a parameter, " + joinedNames(names, " or ");
}

std::vector<std::string> lessonLinks(std::string_view text) {
    std::vector<std::string> parts;
    for (std::size_t at = text.find("]("); at != std::string_view::npos; at = text.find("](", at + 2)) {
        const std::size_t open = text.rfind('[', at), close = text.find(')', at);
        if (open != std::string_view::npos && close != std::string_view::npos)
            parts.emplace_back(text.substr(at + 2, close - at - 2));
    }
    return parts;
}

std::optional<engine::ParameterUnit> lessonMetricUnit(std::string_view path) {
    if (attributionPart(path) != nullptr)
        return engine::ParameterUnit::picoseconds;
    const Metric* metric = findMetric(path);
    return metric != nullptr ? std::optional(metric->unit) : std::nullopt;
}

std::vector<std::string> nearestLessonMetrics(std::string_view path) {
    std::vector<std::string> paths = namesOf(metrics(), &Metric::path);
    for (const AttributionPart& part : attributionParts())
        paths.push_back(pathOf(part));
    return engine::nearestNames(path, paths);
}

bool isLessonAttribution(std::string_view path) { return attributionPart(path) != nullptr; }

std::optional<double> lessonMetric(const engine::RunResult& result, std::string_view path) {
    const AttributionPart* part = attributionPart(path);
    if (part == nullptr)
        return findMetric(path)->read(result);
    if (!result.attribution)
        return std::nullopt;
    return static_cast<double>(part->ps(result.attribution->causes));
}

const LessonClaim* Lesson::claim(std::string_view name) const {
    for (const LessonStep& step : steps) {
        for (const LessonClaim& claim : step.claims) {
            if (claim.name == name)
                return &claim;
        }
    }
    return nullptr;
}

const std::vector<std::string>& lessonParts() {
    static const std::vector<std::string> kParts{
        "experiment", "kept-runs", "inspector", "why",       "address-map", "explore",   "sweep",
        "figure",     "runs",      "model",     "measured",  "timeline",    "machine",   "chunks",
        "tracker",    "ribbon",    "minimap",   "transport", "caption",     "headlines", "split"};
    return kParts;
}

std::vector<LessonPiece> lessonPieces(std::string_view text) {
    std::vector<LessonPiece> pieces;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
        if (close == std::string_view::npos) {
            pieces.push_back({std::string(text), false});
            break;
        }
        if (open > 0)
            pieces.push_back({std::string(text.substr(0, open)), false});
        pieces.push_back({std::string(text.substr(open + 1, close - open - 1)), true});
        text.remove_prefix(close + 1);
    }
    return pieces;
}

engine::ParameterUnit lessonClaimUnit(const Lesson& lesson, const LessonClaim& claim) { return unitOf(lesson, claim); }

std::span<const LessonCountWord> lessonCountWords() { return kCountWords; }

std::optional<LessonNumber> lessonNumber(std::string_view text, const Lesson& lesson, const LessonClaim& like) {
    const auto written = writtenNumber(text);
    if (!written)
        return std::nullopt;
    std::string_view unit = written->unit;
    if (unit.empty()) {
        if (const auto usual = writtenNumber(like.text))
            unit = usual->unit;
    }
    const auto factor = factorOf(unit, unitOf(lesson, like));
    if (!factor)
        return std::nullopt;
    const LessonNumber number{written->number * *factor, written->digit * *factor};
    // The last digit counts as well: it is the tolerance of a number that names none.
    return isBounded(number.value, number.digit) ? std::optional(number) : std::nullopt;
}

std::string lessonNumberText(const Lesson& lesson, const LessonClaim& like, double value, int moreDigits) {
    const auto written = writtenNumber(like.text);
    const double factor = written ? factorOf(written->unit, unitOf(lesson, like)).value_or(1) : 1;
    const int decimals = std::min((written ? written->decimals : 0) + moreDigits, 60);
    const std::string unit(written ? written->unit : std::string_view());
    return fixedNumber(value / factor, decimals) + (unit.empty() ? "" : " " + unit);
}

}  // namespace data
