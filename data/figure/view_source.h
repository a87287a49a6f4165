#pragma once

#include "data/experiment/scene_document.h"
#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"

#include <string>

namespace data {

/// Returns the source of a figure of what a scene shows: its view with its page ("model/memory"), its experiment, and the
/// moment, range, GPU and chunk as choices ("at=412.3 us"). `file` names the experiment in the command. The kind is
/// unknown if the scene has no experiment.
FigureSource sourceOf(const Scene& scene, const std::string& file);

/// Returns the scene of such a source, with its settings. Adds a problem for each choice that is not allowed and for an
/// experiment that cannot be read.
Scene sceneOf(const FigureSource& source, engine::Problems& problems);

}  // namespace data
