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

/// The parameters of an experiment as they stand in the canonical form, by path: `75000000000`, `0.75`, `"t3-mca"`.
/// Plain text, so that what an older or a newer program wrote is kept as it was, known parameter or not.
/// A parameter that is newer than engine::kPinnedVersion is absent while it has its default.
using CanonicalValues = std::map<std::string, std::string, std::less<>>;

/// Returns what the canonical form has of these parameters of an experiment.
CanonicalValues canonicalValues(const engine::Experiment& experiment,
                                std::span<const engine::Parameter> table = engine::parameters());

/// Adds the parameters that are absent because they had their default.
void addNewerDefaults(CanonicalValues& values, std::span<const engine::Parameter> table = engine::parameters());

/// Writes the canonical form of an experiment (experiment_document.h) for a table of parameters, which is sorted once: a
/// sweep asks for thousands of forms.
class CanonicalWriter {
public:
    explicit CanonicalWriter(std::span<const engine::Parameter> table);

    std::string form(const engine::Experiment& experiment) const;

private:
    std::vector<std::pair<std::string_view, const engine::Parameter*>> m_sorted;  // null: no parameter, always the same
};

/// The canonical form that these values make (experiment_document.h).
std::string canonicalForm(CanonicalValues values);

/// Reads what canonicalForm wrote. Throws DamagedDocument.
CanonicalValues readCanonicalForm(std::string_view text);

/// What is not as in the default experiment, a line a parameter: "link.bandwidth=75000000000\n…". A tenth of the
/// canonical form for most experiments; with the values of the default one (kept beside it, since a later program may
/// have others) it says the same.
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

/// The complete document of an experiment (writeExperiment) from its values; those that this program does not know
/// come last.
std::string writeExperiment(const CanonicalValues& values);

}  // namespace data
