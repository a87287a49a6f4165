#pragma once

#include "engine/api/experiment.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tests {

/// A failure when an experiment was verified.
struct Alarm {
    std::string kind;      ///< the text of the check or the exception, without numbers; alarms are grouped by it
    std::string evidence;  ///< the text with its numbers
};

/// Checks every invariant of one experiment. A check that does not hold is an alarm, and so is any exception, except
/// for the documented deadlock of a tracker without ways.
std::vector<Alarm> alarmsOf(const engine::Experiment& experiment);

/// Replaces numbers by "#", so that alarms that differ only in numbers are of one kind.
std::string withoutNumbers(const std::string& text);

/// Returns the experiment with as many defaults as possible for which `stillAlarms` is still true.
engine::Experiment shrunk(engine::Experiment experiment,
                          const std::function<bool(const engine::Experiment&)>& stillAlarms);

/// Returns the command that verifies exactly this experiment: "ringside-cli verify t-nlg/fc-2/tp8 --set ...".
std::string verifyCommand(const engine::Experiment& experiment);

}  // namespace tests
