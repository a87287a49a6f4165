#include "data/figure/figure_document.h"

#include "data/experiment/experiment_document.h"
#include "data/presets/presets.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <vector>

namespace data {
namespace {

/// "link.bandwidth = 75 GB/s" for each path at which the two machines differ.
std::vector<std::string> machineChanges(const engine::Experiment& experiment, const engine::Experiment& published) {
    std::vector<std::string> changes;
    for (const std::string& path : saidPaths("machine")) {
        const engine::Parameter* parameter = engine::findParameter(path);
        if (parameter == nullptr || parameter->read(experiment) == parameter->read(published))
            continue;
        changes.push_back(path + " = " + engine::formatValue(*parameter, parameter->read(experiment)));
    }
    return changes;
}

}  // namespace

std::string changedMachine(const FigureProvenance& provenance) {
    const engine::Experiment published = expand({}).experiment;
    for (const FigureProvenance::Experiment& one : provenance.experiments) {
        if (one.document.empty())
            continue;
        const DraftReading reading = readDraft(one.document, one.name);
        const std::vector<std::string> changes = machineChanges(expand(reading.draft).experiment, published);
        if (changes.empty())
            continue;
        const std::string more = changes.size() > 1 ? " and " + std::to_string(changes.size() - 1) + " more" : "";
        return changes.front() + more;
    }
    return {};
}

}  // namespace data
