#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/results/metrics.h"
#include "data/store/run_catalogue.h"
#include "engine/api/letters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace data {
namespace {

using engine::Parameter;
using engine::ParameterKind;
using engine::ParameterUnit;

constexpr std::string_view kTag = "tag:";
constexpr std::string_view kMarks = "<>=!";

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool containsWord(std::string_view text, std::string_view loweredWord) {
    return std::search(text.begin(), text.end(), loweredWord.begin(), loweredWord.end(),
                       [](char a, char b) { return engine::lowerLetter(a) == b; }) != text.end();
}

/// One piece of the line: a word or a relation. Quotes keep blanks and the signs of relations in a word.
struct Piece {
    std::string text;
    bool isRelation = false;  ///< "<", ">=", …
    bool quoted = false;
};

/// Removes and returns the next piece: quoted text, a relation, or everything up to the next blank or relation.
Piece nextPiece(std::string_view& rest, std::string& problem) {
    Piece piece;
    if (rest.front() == '"') {
        const std::size_t end = rest.find('"', 1);
        if (end == std::string_view::npos)
            problem = std::string(rest) + ": a quotation mark is missing at its end";
        piece.text = rest.substr(1, end == std::string_view::npos ? end : end - 1);
        piece.quoted = true;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        return piece;
    }
    piece.isRelation = kMarks.find(rest.front()) != std::string_view::npos;
    std::size_t size = 0;
    while (size < rest.size() && !isBlank(rest[size]) && rest[size] != '"' &&
           (kMarks.find(rest[size]) != std::string_view::npos) == piece.isRelation)
        ++size;
    piece.text = rest.substr(0, size);
    rest.remove_prefix(size);
    return piece;
}

std::vector<Piece> piecesOf(std::string_view text, std::string& problem) {
    std::vector<Piece> pieces;
    while (!text.empty()) {
        if (isBlank(text.front())) {
            text.remove_prefix(1);
        } else {
            pieces.push_back(nextPiece(text, problem));
        }
    }
    return pieces;
}

bool isUnit(ParameterUnit unit, std::string_view text) { return engine::unitFactor(unit, text).has_value(); }

std::string unitsText(ParameterUnit unit) {
    std::vector<std::string> names;
    for (const engine::UnitName& name : engine::unitNames(unit)) {
        if (name.shown)
            names.emplace_back(name.text);
    }
    return names.empty() ? "a number without a unit" : "a number, with a unit or not: " + joinedNames(names, ", ");
}

/// Returns "100GB/s" in base units, or an empty optional if the text is not a number with this unit.
std::optional<double> numberIn(ParameterUnit unit, std::string_view text) {
    std::string_view rest = text;
    const auto decimal = engine::readDecimal(rest);
    if (!decimal)
        return std::nullopt;
    double plain = 0;
    std::from_chars(text.starts_with('+') ? text.data() + 1 : text.data(), text.data() + text.size(), plain);
    while (!rest.empty() && isBlank(rest.front()))
        rest.remove_prefix(1);
    if (rest.empty())
        return plain;
    const auto factor = engine::unitFactor(unit, rest);
    if (!factor)
        return std::nullopt;
    const auto whole = engine::timesFactor(*decimal, *factor);
    const bool exact = whole.state == engine::WholeNumber::State::whole;
    return exact ? static_cast<double>(whole.value) : plain * static_cast<double>(*factor);
}

/// The left side of a relation: a parameter or a metric.
struct Subject {
    const Parameter* parameter = nullptr;
    const Metric* metric = nullptr;
    std::string path() const { return parameter ? parameter->path : metric->path; }
    ParameterUnit unit() const { return parameter ? parameter->unit : metric->unit; }
    bool isWord() const {
        return parameter && (parameter->kind == ParameterKind::choice || parameter->kind == ParameterKind::text);
    }
};

std::optional<Subject> subjectNamed(const std::string& name, std::string& problem) {
    if (const Parameter* parameter = parameterNamed(name))
        return Subject{parameter, nullptr};
    if (const Metric* metric = findMetric(name))
        return Subject{nullptr, metric};
    std::vector<std::string> names = namesOf(engine::parameters(), &Parameter::path);
    for (const Metric& metric : metrics())
        names.push_back(metric.path);
    for (const Metric* metric : metricsOf(ResultSubject::training))  // training has all metrics of whole models
        names.push_back(metric->path);
    const auto near = engine::nearestNames(name, names);
    problem = name + ": no parameter or metric has this name" +
              (near.empty() ? std::string() : ", did you mean " + joinedNames(near, " or ") + "?");
    return std::nullopt;
}

std::optional<CatalogueValue> valueFor(const Subject& subject, const Piece& piece, std::string& problem) {
    const std::string& text = piece.text;
    if (subject.parameter) {
        const auto& words = subject.parameter->words;
        if (isAmong(words, text) || subject.parameter->kind == ParameterKind::text)
            return text;
        if (subject.isWord()) {
            problem =
                subject.path() + ": " + text + ": unknown; allowed: " + engine::describeAllowed(*subject.parameter);
            return std::nullopt;
        }
    }
    if (const auto number = numberIn(subject.unit(), text))
        return *number;
    std::string allowed = unitsText(subject.unit());
    if (subject.parameter && !subject.parameter->words.empty())
        allowed += ", or " + joinedNames(subject.parameter->words, " or ");
    problem = subject.path() + ": " + text + ": not a value to compare with; allowed: " + allowed;
    return std::nullopt;
}

using Relation = RunFilter::Relation;

constexpr std::array<std::pair<std::string_view, Relation>, 7> kRelations{{{"=", Relation::equal},
                                                                           {"==", Relation::equal},
                                                                           {"!=", Relation::unequal},
                                                                           {"<", Relation::less},
                                                                           {"<=", Relation::lessOrEqual},
                                                                           {">", Relation::greater},
                                                                           {">=", Relation::greaterOrEqual}}};

std::optional<Relation> relationNamed(const std::string& name, std::string& problem) {
    for (const auto& [text, relation] : kRelations) {
        if (text == name)
            return relation;
    }
    problem = name + ": unknown comparison; allowed: = != < <= > >=";
    return std::nullopt;
}

template <typename Value>
bool holds(const Value& a, Relation relation, const Value& b) {
    switch (relation) {
    case Relation::equal: return a == b;
    case Relation::unequal: return a != b;
    case Relation::less: return a < b;
    case Relation::lessOrEqual: return a <= b;
    case Relation::greater: return a > b;
    case Relation::greaterOrEqual: return a >= b;
    }
    return false;
}

bool orders(Relation relation) { return relation != Relation::equal && relation != Relation::unequal; }

/// Reads the comparison that begins with the first of `pieces`, and removes its pieces. Returns an empty optional, with
/// a problem, if it is invalid.
std::optional<std::pair<Subject, std::pair<Relation, CatalogueValue>>> comparisonIn(std::span<const Piece>& pieces,
                                                                                    std::string& problem) {
    const std::string& name = pieces[0].text;
    const auto subject = subjectNamed(name, problem);
    const auto relation = subject ? relationNamed(pieces[1].text, problem) : std::nullopt;
    if (!relation)
        return std::nullopt;
    if (pieces.size() < 3 || pieces[2].isRelation) {
        problem = name + " " + pieces[1].text + ": a value is missing after it";
        return std::nullopt;
    }
    Piece written = pieces[2];
    std::size_t taken = 3;
    // In "100 GB/s" the unit is a piece of its own and belongs to the number before it.
    if (pieces.size() > taken && !pieces[taken].quoted && !subject->isWord() &&
        isUnit(subject->unit(), pieces[taken].text))
        written.text += " " + pieces[taken++].text;
    auto value = valueFor(*subject, written, problem);
    if (!value)
        return std::nullopt;
    if (std::holds_alternative<std::string>(*value) && orders(*relation)) {
        problem =
            subject->path() + " " + pieces[1].text + " " + written.text + ": words have no order; allowed: = and !=";
        return std::nullopt;
    }
    pieces = pieces.subspan(taken);
    return std::pair{*subject, std::pair{*relation, std::move(*value)}};
}

}  // namespace

std::optional<RunFilter> RunFilter::parse(std::string_view text, std::string& problem) {
    problem.clear();
    RunFilter filter;
    const std::vector<Piece> all = piecesOf(text, problem);
    std::span<const Piece> pieces = all;
    while (problem.empty() && !pieces.empty()) {
        const Piece& piece = pieces.front();
        if (piece.isRelation) {
            problem = piece.text + ": a parameter or a metric is missing before it, such as link.bandwidth>=100GB/s";
        } else if (!piece.quoted && pieces.size() > 1 && pieces[1].isRelation) {
            if (auto comparison = comparisonIn(pieces, problem))
                filter.add(comparison->first.path(), comparison->second.first, std::move(comparison->second.second));
        } else {
            if (!piece.quoted && piece.text.starts_with(kTag)) {
                filter.m_tags.push_back(piece.text.substr(kTag.size()));
                if (filter.m_tags.back().empty())
                    problem = "tag: a word is missing after the colon, such as tag:paper";
            } else {
                std::string word = piece.text;
                std::transform(word.begin(), word.end(), word.begin(), engine::lowerLetter);
                filter.m_words.push_back(std::move(word));
            }
            pieces = pieces.subspan(1);
        }
    }
    return problem.empty() ? std::optional(std::move(filter)) : std::nullopt;
}

void RunFilter::add(const std::string& path, Relation relation, CatalogueValue value) {
    const auto found = std::find(m_paths.begin(), m_paths.end(), path);
    m_comparisons.push_back({static_cast<std::size_t>(found - m_paths.begin()), relation, std::move(value)});
    if (found == m_paths.end())
        m_paths.push_back(path);
}

bool RunFilter::accepts(const CatalogueRow& row, std::span<const std::string> columns) const {
    const auto hasWord = [&](const std::string& word) {
        return containsWord(row.name, word) || containsWord(row.note, word) ||
               std::any_of(row.tags.begin(), row.tags.end(),
                           [&](const std::string& tag) { return containsWord(tag, word); });
    };
    const auto hasTag = [&](const std::string& tag) { return isAmong(row.tags, tag); };
    const auto matches = [&](const Comparison& comparison) {
        const auto column = std::find(columns.begin(), columns.end(), m_paths[comparison.path]);
        const auto place = static_cast<std::size_t>(column - columns.begin());
        if (place >= row.values.size())
            return false;
        const CatalogueValue& value = row.values[place];
        if (value.index() != comparison.value.index())  // a word such as "unlimited" differs from every number
            return comparison.relation == Relation::unequal && !std::holds_alternative<std::monostate>(value);
        return holds(value, comparison.relation, comparison.value);
    };
    return std::all_of(m_words.begin(), m_words.end(), hasWord) && std::all_of(m_tags.begin(), m_tags.end(), hasTag) &&
           std::all_of(m_comparisons.begin(), m_comparisons.end(), matches);
}

}  // namespace data
