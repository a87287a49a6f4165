#pragma once

#include "data/experiment/gpu_part.h"
#include "data/replay/gpu_inside.h"
#include "engine/api/trace.h"

#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine {
struct Experiment;
}

namespace ui {

class RingMoment;

/// What the picture, the timeline and the form call a part.
struct PartWords {
    const char* name;
    const char* shortName;                   ///< for a narrow title
    const char* unit;                        ///< with the number of the unit as %1
    engine::LaneKind lane;                   ///< the lane of the timeline that records the part
    std::vector<std::string_view> prefixes;  ///< of the paths of the parameters that determine the part, or whole paths
};
const PartWords& wordsOf(data::GpuPart part);

/// A number about a part of the GPU at one time, as the table and the inspector show it.
struct PartFact {
    data::GpuPartRef ref;
    QString name, value;
    bool operator==(const PartFact&) const = default;
};

/// Returns the numbers of a part, or of one of its units, at the cursor; they are the same numbers as in the picture.
/// Empty for a part that the run does not have. Precondition: moment.hasStates().
std::vector<PartFact> partFacts(const RingMoment& moment, std::uint32_t gpu, data::GpuPartRef ref);
/// Returns the facts of all parts, in the order of data::GpuPart.
std::vector<PartFact> partFacts(const RingMoment& moment, std::uint32_t gpu);
/// Returns the short text beside each part's title.
std::array<QString, data::kGpuParts> partValues(const RingMoment& moment, std::uint32_t gpu);

/// Returns whether the run's GPUs have this part, or this unit of it.
bool hasPart(const data::GpuInventory& inventory, std::uint32_t chunks, data::GpuPartRef ref);
/// Returns how many units of a part can be selected one by one.
std::uint32_t unitsOf(const data::GpuInventory& inventory, std::uint32_t chunks, data::GpuPart part);
/// Returns a sentence for each part that a reader might look for and this run does not have, with the reason.
QStringList absentParts(const RingMoment& moment, std::uint32_t gpu);
/// Returns the title of a part or a unit: "Memory channel 3", "Link in 1", "Tracker".
QString titleOf(data::GpuPartRef ref);
/// Explains the letters or the line that the picture draws in a part; empty if it draws none.
QString markText(data::GpuPart part, const data::GpuInventory& inventory);
/// Returns the name of the lane of the timeline that records the part (engine::name(LaneKind)).
QString laneOf(data::GpuPart part);
/// Returns the paths of the parameters that determine the part, in the order of the parameter table.
std::vector<std::string> parametersOf(data::GpuPart part);

}  // namespace ui
