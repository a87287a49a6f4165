#pragma once

#include "engine/api/problem.h"

#include <cstddef>
#include <functional>
#include <string>

namespace data {

/// Results whose notices are told together.
struct NoticedResults {
    std::size_t count = 0;
    std::function<const engine::Notices&(std::size_t)> notices;  ///< of the result with this index
    std::function<std::string(std::size_t)> name;                ///< of the result with this index
    std::string many;                                            ///< "points", "runs"
};

/// Returns the notices of results, one for each parameter, in the order in which they are met. A text says how many
/// results have it and which is the first: "4 of 8 points, first tracker.entries=8 t3: up to 8000 KiB of arriving
/// updates ...". It is that of the first result; the others may differ in a number. With one result, it is as it is.
engine::Notices sharedNotices(const NoticedResults& results);

/// Returns whether a notice says under which condition the numbers of a run hold: an approximation, or a resource
/// without a limit. A figure has to name these. Other notices are about settings.
bool qualifiesNumbers(const engine::Notice& notice);

/// Returns the notices that qualify numbers.
engine::Notices qualifying(engine::Notices notices);

}  // namespace data
