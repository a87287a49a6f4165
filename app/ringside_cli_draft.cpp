#include "app/ringside_cli_draft.h"

#include "data/document/names.h"
#include "data/experiment/own_presets.h"
#include "engine/api/parameters.h"

namespace cli {
namespace {

data::DraftReading completed(data::DraftReading reading, const std::vector<std::string>& settings,
                             const data::OwnPresets& own) {
    for (const std::string& setting : settings)
        data::applySetting(setting, reading.draft, reading.problems);
    reading.draft = data::withOwnPresets(reading.draft, own);
    return reading;
}

}  // namespace

data::DraftReading readDraft(const std::string& experiment, const std::vector<std::string>& settings) {
    const data::OwnPresets own(data::usualPresetFolder());
    return completed(data::openDraft(experiment, &own), settings, own);
}

data::DraftReading readModel(const std::string& model, const std::vector<std::string>& settings) {
    const data::OwnPresets own(data::usualPresetFolder());
    return completed(data::openModel(model, own), settings, own);
}

data::DraftReading readDefaults(const std::vector<std::string>& settings) {
    return completed({}, settings, data::OwnPresets(data::usualPresetFolder()));
}

engine::Experiment wholeModelOf(const data::ExperimentDraft& draft, engine::Problems& problems) {
    const data::Expansion expansion = data::expand(draft);
    for (std::size_t i = 0; i < expansion.ofValues; ++i)
        data::addOnce(problems, expansion.problems[i]);
    return expansion.experiment;
}

void setByOption(const char* option, const char* path, const std::string& text, data::ExperimentDraft& draft,
                 engine::Problems& problems) {
    const std::size_t before = problems.size();
    const engine::Parameter& parameter = *engine::findParameter(path);
    if (auto value = engine::parseValue(parameter, text, problems)) {
        if (auto problem = engine::check(parameter, *value))
            problems.push_back(std::move(*problem));
        else
            draft.explicitValues.insert_or_assign(path, std::move(*value));
    }
    for (std::size_t i = before; i < problems.size(); ++i)
        problems[i].path = option;
}

data::Settings readSettings(const std::vector<std::string>& settings, engine::Problems& problems) {
    data::ExperimentDraft draft;
    for (const std::string& setting : settings)
        data::applySetting(setting, draft, problems);
    return draft.explicitValues;
}

}  // namespace cli
