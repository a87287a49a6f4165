#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/broken_invariants.h"
#include "data/model/model_run.h"
#include "data/results/model_point_fields.h"

#include <string>
#include <unordered_set>

namespace data {

/// One point of whole models, with the runs of it that broke an invariant.
struct ModelPointRun {
    ModelPoint point;
    BrokenInvariants broken;
};

/// Sets what a draft leaves open and a model takes otherwise than a run: `model` times at interactive detail.
void setModelDefaults(ExperimentDraft& draft, ResultSubject subject);

/// Returns the experiment of a draft, with setModelDefaults, as a model of this subject reads it. Problems are those of
/// values, or else modelPointProblems.
Expansion expandModelPoint(ExperimentDraft draft, ResultSubject subject);

/// Everything that keeps the point from being computed: what `footprint` refuses, and of a subject that is timed what
/// `model` refuses, and a bare number of weights. Precondition: a subject of models.
engine::Problems modelPointProblems(const engine::Experiment& experiment, ResultSubject subject);

/// Computes a point under the policy of the experiment. Of `options` phase and policies are not read. Throws
/// InvalidExperiment, RunStopped or Deadlock.
ModelPointRun modelPointOf(const engine::Experiment& experiment, ResultSubject subject, ModelRunOptions options = {});

/// Returns what one GPU of a division holds and sends in a phase: a point without times. Precondition:
/// engine::footprintProblems is empty.
ModelPoint divisionPointOf(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the canonical form and the subject, hashed: no run has the hash of a point.
std::string modelPointHash(const engine::Experiment& experiment, ResultSubject subject);

/// Adds up what points are expected to take, in events. What points share is simulated once.
class ModelWork {
public:
    /// Returns what the point adds. Precondition: modelPointProblems is empty.
    double add(const engine::Experiment& experiment, ResultSubject subject);

private:
    std::unordered_set<std::size_t> m_known;  ///< hashes of canonical forms
};

}  // namespace data
