#pragma once

#include "engine/api/experiment.h"

#include <map>
#include <string>
#include <string_view>

namespace data {

/// Every parameter of an experiment as it stands in the canonical form, by path: `75000000000`, `0.75`, `"t3-mca"`.
/// Plain text, so that what an older or a newer program wrote is kept as it was, known parameter or not.
using CanonicalValues = std::map<std::string, std::string, std::less<>>;

CanonicalValues canonicalValues(const engine::Experiment& experiment);

/// The canonical form that these values make (experiment_document.h).
std::string canonicalForm(const CanonicalValues& values);

/// Reads what canonicalForm wrote. Throws DamagedDocument.
CanonicalValues readCanonicalForm(std::string_view text);

/// What is not as in the default experiment, a line a parameter: "link.bandwidth=75000000000\n…". A tenth of the
/// canonical form for most experiments; with the values of the default one (kept beside it, since a later program may
/// have others) it says the same.
std::string differencesFromDefault(const engine::Experiment& experiment);

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
