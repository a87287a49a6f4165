#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace data {

/// The question "Which settings of a collective are fastest at which size?", answered by a sweep: the axes
/// workload.sublayer, parallel.tp and workload.bytes say where, and all others are settings.

/// One combination of the values of all axes that are settings: paths, with values as people write them.
struct TunedSetting {
    std::vector<std::pair<std::string, std::string>> values;

    /// Returns "collective.algorithm=ring collective.cu_count=8".
    std::string text() const;
    /// Returns the value of a path; an empty text if it is no axis of the sweep.
    std::string valueOf(std::string_view path) const;
    bool operator==(const TunedSetting&) const = default;
};

/// The times of one collective on some GPUs.
struct TunedCase {
    std::string operation;  ///< "all-reduce"
    std::int64_t gpus = 0;
    std::vector<std::int64_t> sizes;                        ///< bytes of the whole buffer, rising
    std::vector<std::vector<std::optional<double>>> times;  ///< by size and setting, in picoseconds
};

struct Tuning {
    std::string machine;
    std::int64_t gpusOfNode = 1;
    std::vector<TunedSetting> settings;
    std::vector<TunedCase> cases;  ///< in the order of the sweep
};

/// Returns why a sweep cannot be tuned: it has no sizes, runs something that is not a collective alone, varies the
/// machine, or compares policies.
engine::Problems tuningProblems(const Sweep& sweep);

/// Returns the times of a sweep's points. Precondition: tuningProblems is empty, and the table has time_ps.total.
Tuning tuningOf(const SweepTable& table);

/// From which to which number of bytes a setting is used; both are included. The last rule of a case has no end.
struct TunedRule {
    std::string operation;
    std::int64_t gpus = 0;
    std::int64_t from = 0;
    std::optional<std::int64_t> to;
    std::size_t setting = 0;
    bool operator==(const TunedRule&) const = default;
};

/// Returns the rules of all cases among the settings that may compete for an operation. At each size the fastest setting wins, but the
/// winner of the size below stays if it takes at most the share `hysteresis` longer. A rule ends halfway between two
/// sizes, rounded down. A size at which no setting has a time is left out.
std::vector<TunedRule> rulesOf(const Tuning& tuning, double hysteresis,
                               const std::function<bool(const std::string&, const TunedSetting&)>& mayCompete = {});

/// The forms in which rules are written.
enum class TuningForm : std::uint8_t {
    table,        ///< OPERATION GPUS FROM..TO: PATH=VALUE …
    nccl,         ///< the CSV file of NCCL's and RCCL's tuner plug-in
    ompi,         ///< the JSON rules file of Open MPI's component tuned, from 6.0 on
    ompiClassic,  ///< its older rules file, for one number of GPUs
};

/// Returns whether a form can name a setting of an operation. The form `table` names every setting.
bool canName(TuningForm form, const std::string& operation, const TunedSetting& setting);

/// Rules as text. Settings that the form cannot name do not compete, and a comment names them.
struct TuningText {
    std::string text;
    std::string comments;       ///< what stands at the head of other forms, for a form that has no comments
    engine::Problems problems;  ///< why there is no text
};
TuningText tuningText(const Tuning& tuning, double hysteresis, TuningForm form);

}  // namespace data
