#pragma once

#include "data/experiment/experiment_document.h"

#include <QJsonValue>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ui {

inline constexpr std::size_t kMostCompared = 4;

/// What somebody chose to see beside other runs.
struct ComparePick {
    enum class Kind : std::uint8_t {
        shown,    ///< the run that the window shows, whichever that is
        policy,   ///< its experiment under the policy `name`
        machine,  ///< its experiment on the machine `name`
        pinned,   ///< the run that the window has pinned
        kept      ///< run `id` of the store; `name`: the hash of its experiment, where that is known
    };
    Kind kind{};
    std::string name{};
    std::int64_t id = 0;
    bool operator==(const ComparePick&) const = default;
};

/// The experiment of a policy or a machine, made from the shown one: as if that alone had been chosen in the form.
data::ExperimentDraft draftOf(const ComparePick& pick, const data::ExperimentDraft& shown);

QJsonValue toJson(const std::vector<ComparePick>& picks);
/// Nothing where one of them makes no sense.
std::optional<std::vector<ComparePick>> picksFrom(const QJsonValue& kept);

}  // namespace ui
