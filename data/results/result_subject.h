#pragma once

#include "engine/api/operator_graph.h"

#include <optional>
#include <string>
#include <string_view>

namespace data {

/// The subject of a result: one run of a sub-layer or a collective, or a whole model. A `footprint` has the bytes that
/// one GPU of a division holds and sends in a training step; the other subjects of models also have the time of a
/// phase.
enum class ResultSubject { run, footprint, training, prompt, generation };

std::string_view name(ResultSubject subject);  ///< "run", as in documents and in the store
std::optional<ResultSubject> resultSubjectNamed(std::string_view name);
std::string resultSubjectNames();  ///< "run, footprint, …", for messages

/// Returns the phase of a whole model, or an empty optional for a run.
std::optional<engine::ModelPhase> phaseOf(ResultSubject subject);

inline bool isOfModels(ResultSubject subject) { return subject != ResultSubject::run; }
/// Returns whether a result has times, which depend on a policy.
inline bool isTimed(ResultSubject subject) { return subject != ResultSubject::footprint; }

}  // namespace data
