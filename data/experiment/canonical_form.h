#pragma once

#include "engine/api/experiment.h"
#include "engine/api/parameters.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data {

/// The parameters of an experiment in canonical form, by path: `75000000000`, `0.75`, `"t3-mca"`. The values are plain
/// text, so that documents of an older or a newer program are kept unchanged, with parameters that this program does
/// not know. Automatic settings have the value that they stand for (engine::withAutomaticValues). A parameter that is
/// newer than engine::kPinnedVersion is absent while it has its engine::Parameter::leftOutValue.
using CanonicalValues = std::map<std::string, std::string, std::less<>>;

/// Returns the canonical values of the parameters in `table` for an experiment.
CanonicalValues canonicalValues(const engine::Experiment& experiment,
                                std::span<const engine::Parameter> table = engine::parameters());

/// Adds the parameters that are absent because they had the value with which they are left out.
void addNewerDefaults(CanonicalValues& values, std::span<const engine::Parameter> table = engine::parameters());

/// Writes the canonical form of experiments (experiment_document.h). The constructor sorts the table of parameters
/// once, since a sweep needs thousands of forms.
class CanonicalWriter {
public:
    explicit CanonicalWriter(std::span<const engine::Parameter> table);

    std::string form(const engine::Experiment& experiment) const;

private:
    std::vector<std::pair<std::string_view, const engine::Parameter*>> m_sorted;  // null: a fixed entry that is not a
                                                                                  // parameter
};

/// Returns the canonical form of these values (experiment_document.h).
std::string canonicalForm(CanonicalValues values);

/// Reads what canonicalForm wrote. Throws DamagedDocument.
CanonicalValues readCanonicalForm(std::string_view text);

/// Returns the values that differ from the default experiment, one line for each parameter:
/// "link.bandwidth=75000000000\n…". For most experiments this is a tenth of the canonical form. Together with the
/// values of the default experiment it has the same information; those are stored beside it, because a later program
/// may have other defaults.
std::string differencesFromDefault(const engine::Experiment& experiment,
                                   std::span<const engine::Parameter> table = engine::parameters());

/// Calls `take(path, value)` for each line that differencesFromDefault wrote.
template <typename Take>
void forEachDifference(std::string_view differences, Take&& take) {
    while (!differences.empty()) {
        const std::string_view line = differences.substr(0, differences.find('\n'));
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos)
            take(line.substr(0, equals), line.substr(equals + 1));
        differences.remove_prefix(line.size() == differences.size() ? line.size() : line.size() + 1);
    }
}

/// Returns the complete document of an experiment (writeExperiment) from its values. Parameters that this program does
/// not know come last.
std::string writeExperiment(const CanonicalValues& values);

}  // namespace data
