#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace engine {

/// One request of a request file.
struct AccessRequest {
    std::uint64_t address = 0;  ///< of any byte of the granule that is requested
    std::uint64_t cycle = 0;    ///< of `access.clock`; the request is not issued before it
    bool write = false;
    bool operator==(const AccessRequest&) const = default;
};

/// The requests of a file, in its order.
struct AccessRequests {
    std::string digest;  ///< SHA-256 of the file, as `access.trace` has it
    std::vector<AccessRequest> requests;
};

/// Limits of a request file.
inline constexpr std::size_t kMostAccessRequests = std::size_t{1} << 22;
/// Granules of memory that an access pattern can address.
inline constexpr std::uint64_t kAccessGranules = std::uint64_t{1} << 31;

}  // namespace engine
