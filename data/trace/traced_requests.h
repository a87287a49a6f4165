#pragma once

#include "engine/api/access_request.h"
#include "engine/api/trace.h"
#include "engine/api/units.h"

#include <cstdint>
#include <vector>

namespace data {

/// How the DRAM requests of a trace become those of a request file.
struct RequestCut {
    engine::Bytes granule;    ///< of the traced run
    engine::Bytes size;       ///< of a request in the file; a granule is cut into such parts
    engine::Frequency clock;  ///< of the cycles
};

/// Returns how many requests requestsOf returns.
std::int64_t countRequests(const engine::Trace& trace, std::uint32_t gpu, const RequestCut& cut);

/// Returns the requests of one recorded GPU's DRAM in the order in which they were asked for. An update is a write; a
/// pass inside memory has none. Precondition: the trace has Lane::granules.
std::vector<engine::AccessRequest> requestsOf(const engine::Trace& trace, std::uint32_t gpu, const RequestCut& cut);

}  // namespace data
