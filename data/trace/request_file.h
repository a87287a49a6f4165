#pragma once

#include "data/experiment/experiment_document.h"
#include "engine/api/access_request.h"
#include "engine/api/dram_place.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// The form of the lines of a request file. Each form is that of another DRAM simulator.
enum class RequestForm { dramsim3, ramulator2, ramulator };

struct RequestFormText {
    std::string_view word;  ///< its name in arguments
    std::string_view line;  ///< the parts of a line
};

/// The texts, in the order of the enumerators.
inline constexpr std::array kRequestForms{
    RequestFormText{"dramsim3", "0xADDRESS READ|WRITE CYCLE"},
    RequestFormText{"ramulator2", "LD|ST ADDRESS"},
    RequestFormText{"ramulator", "0xADDRESS R|W"},
};

inline constexpr std::size_t kMostRequests = std::size_t{1} << 22;  ///< of a request file
inline constexpr std::size_t kLongestRequestLine = 256;             ///< bytes, without the end of the line
inline constexpr std::size_t kLargestRequestFile = std::size_t{256} << 20;
inline constexpr std::uint64_t kLastRequestCycle = 1'000'000'000'000;

/// The requests of a file in the order of its lines.
struct RequestReading {
    std::vector<engine::AccessRequest> requests;  ///< empty if there are problems
    RequestForm form = RequestForm::dramsim3;
    std::string digest;  ///< SHA-256 of the text, also if there are problems
    engine::Problems problems;
};

/// Reads a text with one request in each line. The first request decides the form. Empty lines and lines that begin
/// with `#` are passed over. In a form without cycles every request has cycle 0. Refuses addresses of
/// engine::kMostMemoryGranules granules and above, cycles after kLastRequestCycle, and a cycle before that of the request
/// before. `origin` names the text in messages.
RequestReading readRequests(std::string_view text, const std::string& origin, engine::Bytes granule);

/// Returns whether the first line of a file that is neither empty nor a comment is a request. Never throws.
bool isRequestFile(const std::string& path);

/// Makes a draft run the requests with this digest (workload.sublayer=access).
ExperimentDraft withRequests(ExperimentDraft draft, const std::string& digest);

/// Reads a file; "-" is standard input.
RequestReading readRequestFile(const std::string& path, engine::Bytes granule);

/// Writes the requests to a file, one in each line; a form without cycles leaves the cycles out. Throws FileError, and
/// leaves the file as it was then.
void writeRequestFile(std::span<const engine::AccessRequest> requests, RequestForm form, const std::string& path);

/// Appends the line of a request, with its end.
void appendRequest(const engine::AccessRequest& request, RequestForm form, std::string& text);

}  // namespace data
