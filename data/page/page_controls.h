#pragma once

#include "data/experiment/experiment_document.h"
#include "data/page/run_facts.h"
#include "engine/api/problem.h"

#include <span>
#include <string>
#include <vector>

namespace data {

/// Returns the parameters that a live page offers unless others are named: those of them that the experiment reads, and
/// that are no word at the moment. `compares`: the page compares policies, so that it offers none.
std::vector<std::string> usualControls(const ExperimentDraft& draft, bool compares);

/// Checks parameters for a live page: each must be a choice, or have a number at the moment.
void checkControls(const ExperimentDraft& draft, std::span<const std::string> paths, engine::Problems& problems);

/// Returns "controls" of a page's document (pageOf): a list of
///
///   { "path", "label", "meaning", "value": base units or word, "text": as people write it,
///     "words": [ all values of a choice ]
///     or "least", "most": base units, "whole": true if fractions are not allowed, "power": true for powers of two,
///        "units": [ [ word, factor ] ] from the largest }
///
/// A number goes from an eighth to eight times its value, within what is allowed. Precondition: checkControls() finds no
/// problem.
PageJson controlsJson(const ExperimentDraft& draft, std::span<const std::string> paths);

}  // namespace data
