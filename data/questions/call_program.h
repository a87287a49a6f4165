#pragma once

#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// How a call of a communication library returns.
enum class CallKind : std::uint8_t {
    blocking,  ///< when its operation has ended
    stream     ///< at once; operations of one rank and one library begin in the order of their calls
};

struct CallLibrary {
    std::string name;
    CallKind kind{};
};

/// An operation in which all ranks of its group take part, such as a collective. It begins on a rank when its call is
/// reached and it is first in its stream. It ends when it has begun on all ranks of its group.
struct CallOperation {
    std::string name;
    std::size_t library = 0;
    std::vector<std::size_t> group;  ///< ranks, rising
};

/// One step of a rank: it calls an operation, or waits for the end of one that it has called before.
struct Call {
    std::size_t operation = 0;
    bool waits = false;
};

/// The calls of each rank, in their order.
struct CallProgram {
    std::string title;
    std::vector<CallLibrary> libraries;
    std::vector<CallOperation> operations;
    std::vector<std::vector<Call>> ranks;

    /// Returns a call as the document writes it: "mpi:a", "wait b".
    std::string textOf(const Call& call) const;
};

inline constexpr std::string_view kCallFormat = "ringside-calls";
inline constexpr std::size_t kMostRanks = 4096;
inline constexpr std::size_t kMostCalls = 1'000'000;  ///< of all ranks

struct CallReading {
    CallProgram program;
    engine::Problems problems;
};

/// Reads a document:
///
///   { "format": "ringside-calls", "version": 1, "libraries": { "mpi": "blocking", "nccl": "stream" },
///     "ranks": [ ["mpi:a", "nccl:b"], ["nccl:b", "wait b", "mpi:a"] ],
///     "groups": { "b": [0, 1] } }
///
/// "mpi:a" calls operation a by the library mpi; "wait b" waits until b ends. The group of an operation is all ranks
/// unless `groups` has it. A rank calls an operation once; only calls of a stream library are waited for.
CallReading readCalls(std::string_view json, std::string_view origin);
/// Reads a file; "-" is standard input.
CallReading readCallFile(const std::string& path);

}  // namespace data
