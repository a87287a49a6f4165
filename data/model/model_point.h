#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/broken_invariants.h"
#include "data/model/model_run.h"
#include "data/results/model_point_fields.h"

#include <optional>
#include <string>
#include <unordered_set>

namespace data {

/// One point of a whole model, with its runs that broke an invariant.
struct ModelPointRun {
    ModelPoint point;
    BrokenInvariants broken;
};

/// Sets values that a draft leaves open and for which a model has other defaults than a run: `model` uses interactive
/// detail.
void setModelDefaults(ExperimentDraft& draft, ResultSubject subject);

/// Returns the experiment of the whole model that a draft names, or of the default model. A draft of a GEMM or of a
/// collective alone expands without the sizes of a model, but its whole model has them. Values with problems are left
/// out.
engine::Experiment wholeModelOf(ExperimentDraft draft);

/// Returns the expanded experiment of a draft with setModelDefaults, for a model of this subject. Problems are those of
/// single values, or, if there are none, modelPointProblems.
Expansion expandModelPoint(ExperimentDraft draft, ResultSubject subject);

/// Returns the problems that prevent a draft from being shown: those of its run or, if it is a network, which has no run
/// of its own, those of its model.
engine::Problems problemsOfShowing(const ExperimentDraft& draft);

/// Returns all problems that prevent the point from being computed: those of `footprint` and, if the subject has times,
/// those of `model` and a number of weights without a model. Precondition: the subject is about models.
engine::Problems modelPointProblems(const engine::Experiment& experiment, ResultSubject subject);

/// Returns the problems of a point whose times are projected from `source` (data/model/projection.h). Precondition: the
/// subject has times.
engine::Problems projectedPointProblems(const engine::Experiment& experiment, ResultSubject subject,
                                        const engine::Experiment& source);

/// Computes a point under the policy of the experiment; ignores phase and policies of `options`. With `source` its
/// times are projected. Throws InvalidExperiment, RunStopped or Deadlock.
ModelPointRun modelPointOf(const engine::Experiment& experiment, ResultSubject subject, ModelRunOptions options = {},
                           const std::optional<engine::Experiment>& source = {});

/// Returns the footprint and the messages of one GPU of a division in a phase: a point without times. Precondition:
/// engine::footprintProblems is empty.
ModelPoint divisionPointOf(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the hash of canonical form and subject, and of the source of a projection; it never equals the hash of a run.
std::string modelPointHash(const engine::Experiment& experiment, ResultSubject subject,
                           const std::optional<engine::Experiment>& source = {});

/// Adds up the expected cost of points, in events. Simulations that points share are counted once.
class ModelWork {
public:
    /// Returns the cost that the point adds. Precondition: modelPointProblems and projectedPointProblems are empty.
    double add(const engine::Experiment& experiment, ResultSubject subject,
               const std::optional<engine::Experiment>& source = {});

private:
    std::unordered_set<std::size_t> m_known;  ///< hashes of canonical forms
};

}  // namespace data
