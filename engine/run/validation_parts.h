#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace engine {

// The parts of `validate`. All but the table's own checks are done on values that have passed the table, whose limits keep
// sums inside 64 bits; products that may leave them are computed as doubles, exact enough to compare with a limit.

/// Returns a problem with a parameter's value as it is written.
Problem problemAt(const char* path, const Experiment& experiment, std::string text);

/// Returns the parameter's value as it is written.
std::string formatted(const char* path, const Experiment& experiment);

/// A count of at most 9e18 without decimals.
std::string countText(double count);

/// True when none of the problems is of a parameter whose path begins with one of `prefixes`.
bool noneAt(const Problems& problems, std::initializer_list<std::string_view> prefixes);

inline constexpr std::int64_t kSmallestTp = 2, kLargestTp = 64;

/// Limits on what one run comes to: tiles, granules, K-steps, loads and simulated time, first of the experiment's own work,
/// then of it and its companion together. Precondition: values that decide sizes have passed the table.
void checkSizes(const Experiment& experiment, Problems& problems);

/// Refuses a size that is no whole number of elements, or fewer elements than GPUs. Returns whether it is allowed.
bool checkElements(const char* path, Bytes bytes, const Experiment& experiment, Problems& problems);

/// What holds between the companion's values, and between it and the machine. Precondition: those of `companion` have passed
/// the table.
void checkCompanion(const Experiment& experiment, Problems& problems);

/// The companion's collective algorithm refuses some operations, as that of the own work does.
void checkCompanionOperation(const Experiment& experiment, Problems& problems);

/// The CUs that are reserved for collectives leave some for GEMMs.
void checkReservedCus(const Experiment& experiment, Problems& problems);

}  // namespace engine
