#include "data/sweep/base_name.h"

#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"

#include <array>
#include <string_view>

namespace data {
namespace {

/// The parameters that the first part of a name contains, whether they vary or not.
constexpr std::array<std::string_view, 4> kNamed{"machine", "workload.model", "workload.sublayer", "parallel.tp"};

}  // namespace

std::string baseName(const Sweep& sweep) {
    ExperimentDraft base = sweep.base;
    for (const std::string& path : axisPaths(sweep)) {
        if (!isAmong(kNamed, path))
            base.explicitValues.erase(path);
    }
    return NameGiver().nameOfBase(base, expand(base).experiment, isOfModels(sweep.of));
}

}  // namespace data
