// Gives any bytes to the reader of request files. It must return a list of problems, or requests within the limits.
// Written again in any form, they are read as the same requests.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/document_reader.h"
#include "data/trace/request_file.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz::requests {

constexpr engine::Bytes kGranule{256};

void checkRequests(const std::vector<engine::AccessRequest>& requests) {
    constexpr std::uint64_t kEnd = engine::kMostMemoryGranules * kGranule.count;
    std::uint64_t last = 0;
    for (const engine::AccessRequest& request : requests) {
        require(request.address < kEnd, "an address is in a granule that can be named",
                std::to_string(request.address));
        require(request.cycle >= last && request.cycle <= data::kLastRequestCycle, "cycles do not fall",
                std::to_string(request.cycle));
        last = request.cycle;
    }
}

/// Writes the requests in a form, reads them again and compares.
void checkWritten(const std::vector<engine::AccessRequest>& requests, data::RequestForm form) {
    std::string text;
    for (const engine::AccessRequest& request : requests)
        data::appendRequest(request, form, text);
    const data::RequestReading again = data::readRequests(text, "again", kGranule);
    require(again.problems.empty() && again.form == form, "what is written is read again", text);
    std::vector<engine::AccessRequest> expected = requests;
    for (engine::AccessRequest& request : expected)
        request.cycle = form == data::RequestForm::dramsim3 ? request.cycle : 0;
    require(again.requests == expected, "as the same requests", text);
}

RINGSIDE_FUZZ_TARGET(fuzz_request_file)(const std::uint8_t* bytes, std::size_t size) {
    const data::RequestReading reading =
        data::readRequests(std::string_view(reinterpret_cast<const char*>(bytes), size), "input", kGranule);
    require(reading.problems.size() <= data::kMostProblems, "problems are not too many", "");
    checkMessages(reading.problems);
    require(reading.requests.empty() != reading.problems.empty(), "there are requests, or problems", "");
    if (!reading.problems.empty())
        return 0;
    checkRequests(reading.requests);
    for (std::size_t form = 0; form < data::kRequestForms.size(); ++form)
        checkWritten(reading.requests, static_cast<data::RequestForm>(form));
    return 0;
}

}  // namespace fuzz::requests
