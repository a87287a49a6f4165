#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace engine {

/// A request to memory that comes from outside the simulation, such as from a request file. It accesses the granule
/// that holds its address.
struct AccessRequest {
    std::uint64_t address = 0;  ///< in bytes
    std::uint64_t cycle = 0;    ///< the request is issued in this cycle or later; the first cycle is 0
    bool write = false;         ///< false: a read
    bool operator==(const AccessRequest&) const = default;
};

/// The requests of a file, in its order.
struct AccessRequests {
    std::string digest;  ///< SHA-256 of the file, as `access.trace` has it
    std::vector<AccessRequest> requests;
};

}  // namespace engine
