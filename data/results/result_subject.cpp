#include "data/results/result_subject.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace data {
namespace {

constexpr std::array<std::string_view, 5> kResultSubjects{"run", "footprint", "training", "prompt", "generation"};

}  // namespace

std::string_view name(ResultSubject subject) { return kResultSubjects.at(static_cast<std::size_t>(subject)); }

std::optional<ResultSubject> resultSubjectNamed(std::string_view name) {
    const auto found = std::find(kResultSubjects.begin(), kResultSubjects.end(), name);
    if (found == kResultSubjects.end())
        return std::nullopt;
    return static_cast<ResultSubject>(found - kResultSubjects.begin());
}

std::string resultSubjectNames() {
    std::string names;
    for (const std::string_view each : kResultSubjects)
        names.append(names.empty() ? "" : ", ").append(each);
    return names;
}

std::optional<engine::ModelPhase> phaseOf(ResultSubject subject) {
    switch (subject) {
    case ResultSubject::run: return std::nullopt;
    case ResultSubject::footprint:
    case ResultSubject::training: return engine::ModelPhase::training;
    case ResultSubject::prompt: return engine::ModelPhase::prompt;
    case ResultSubject::generation: return engine::ModelPhase::generation;
    }
    return std::nullopt;
}

}  // namespace data
