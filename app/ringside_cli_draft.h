#pragma once

#include "data/experiment/experiment_document.h"

#include <string>
#include <vector>

namespace cli {

/// What the argument EXPERIMENT and all `--set` make together, with the presets that people keep under it: a file, "-",
/// or a case by its name. The reading has the problems of both.
data::DraftReading readDraft(const std::string& experiment, const std::vector<std::string>& settings = {});

/// The same of the argument MODEL: a model by its name, or the file of one.
data::DraftReading readModel(const std::string& model, const std::vector<std::string>& settings);

/// The same over the default experiment, for a command that names none.
data::DraftReading readDefaults(const std::vector<std::string>& settings);

/// Returns the experiment of a draft, and adds what is wrong with its values. What is wrong with the one sub-layer that it
/// names is left to the whole model to say.
engine::Experiment wholeModelOf(const data::ExperimentDraft& draft, engine::Problems& problems);

/// Sets the parameter at `path` as the text of an option says it; problems name the option.
void setByOption(const char* option, const char* path, const std::string& text, data::ExperimentDraft& draft,
                 engine::Problems& problems);

/// The values of all `--set` by themselves, for commands that put them under several experiments.
data::Settings readSettings(const std::vector<std::string>& settings, engine::Problems& problems);

}  // namespace cli
