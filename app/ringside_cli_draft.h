#pragma once

#include "data/experiment/experiment_document.h"

#include <string>
#include <vector>

namespace cli {

/// Returns the draft of the argument EXPERIMENT (a file, "-", or a case by its name) with all `--set` and the own
/// presets that it names. The result has the problems of all of them.
data::DraftReading readDraft(const std::string& experiment, const std::vector<std::string>& settings = {});

/// Returns the draft of the argument MODEL: a model by its name, or the file of one.
data::DraftReading readModel(const std::string& model, const std::vector<std::string>& settings);

/// Returns the draft of all `--set` over the default experiment, for a command without EXPERIMENT.
data::DraftReading readDefaults(const std::vector<std::string>& settings);

/// Returns the experiment of a draft, and adds the problems of its values. Problems of its sub-layer are left out; the
/// whole model reports them.
engine::Experiment wholeModelOf(const data::ExperimentDraft& draft, engine::Problems& problems);

/// Sets the parameter at `path` from the text of an option; problems name the option.
void setByOption(const char* option, const char* path, const std::string& text, data::ExperimentDraft& draft,
                 engine::Problems& problems);

/// Returns the values of all `--set` alone, for commands that apply them to several experiments.
data::Settings readSettings(const std::vector<std::string>& settings, engine::Problems& problems);

}  // namespace cli
