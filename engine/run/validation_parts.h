#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace engine {

// The parts of `validate`. All checks but those of the table itself require values that have passed the table. Its
// limits keep sums within 64 bits; products that may exceed 64 bits are computed as doubles, which are exact enough to
// compare with a limit.

/// Returns a problem that quotes the parameter's value as it is written.
Problem problemAt(const char* path, const Experiment& experiment, std::string text);

/// Returns the parameter's value as it is written.
std::string formatted(const char* path, const Experiment& experiment);

/// Returns a count of at most 9e18 as text without decimals.
std::string countText(double count);

/// Returns whether no problem concerns a parameter whose path begins with one of `prefixes`.
bool noneAt(const Problems& problems, std::initializer_list<std::string_view> prefixes);

/// The longest simulated time of each resource; 2^60 ps are 1.15 million seconds.
inline constexpr double kLongestSeconds = 1e5;

inline constexpr std::int64_t kSmallestTp = 2, kLargestTp = 64;

/// Checks the limits on the size of one run: tiles, granules, K-steps, loads and simulated time, first of the
/// experiment's own work, then of it and its companion together. Precondition: values that decide sizes have passed the
/// table.
void checkSizes(const Experiment& experiment, Problems& problems);

/// Checks the rules between the values of an access pattern. Precondition: the values of `access`, `detail` and `memory`
/// have passed the table.
void checkAccess(const Experiment& experiment, Problems& problems);

/// Refuses a size that is not a whole number of elements, or that has fewer elements than GPUs. Returns whether it is
/// allowed.
bool checkElements(const char* path, Bytes bytes, const Experiment& experiment, Problems& problems);

/// Checks that the mapping of addresses fits the machine. Precondition: the values of `dram`, `detail` and `address` have
/// passed the table.
void checkAddresses(const Experiment& experiment, Problems& problems);

/// Checks that all data have room under the mapping of addresses. Precondition: the experiment has no other problem.
void checkAddressRoom(const Experiment& experiment, Problems& problems);

/// Checks the rules between the companion's values, and between them and the machine. Precondition: the values of
/// `companion` have passed the table.
void checkCompanion(const Experiment& experiment, Problems& problems);

/// Checks that the collective algorithm can run the companion's collective.
void checkCompanionOperation(const Experiment& experiment, Problems& problems);

/// Checks that the CUs reserved for collectives leave some for GEMMs.
void checkReservedCus(const Experiment& experiment, Problems& problems);

}  // namespace engine
