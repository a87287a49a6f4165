#pragma once

#include "engine/api/experiment.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tests {

/// Something that should not have happened when an experiment was verified.
struct Alarm {
    std::string kind;      ///< the check's sentence, or the exception's, without numbers: what alarms are sorted by
    std::string evidence;  ///< the numbers
};

/// Asks the engine for every invariant of one experiment: a check that does not hold and any exception is an alarm, but for
/// the deadlock that a tracker without ways is documented to end in.
std::vector<Alarm> alarmsOf(const engine::Experiment& experiment);

/// Digits become "#", so that alarms which differ in numbers are of one kind.
std::string withoutNumbers(const std::string& text);

/// The experiment with as much as possible as it is by default and `stillAlarms` true all the same.
engine::Experiment shrunk(engine::Experiment experiment,
                          const std::function<bool(const engine::Experiment&)>& stillAlarms);

/// What is to be typed to verify exactly this experiment: "ringside-cli verify t-nlg/fc-2/tp8 --set ...".
std::string verifyCommand(const engine::Experiment& experiment);

}  // namespace tests
