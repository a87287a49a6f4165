#pragma once

#include "data/model/model_step.h"

#include <map>
#include <span>
#include <tuple>

namespace data {

/// The rates of the tasks of a stage that run at once: a pass, a data message and a send. A pass beside a message
/// proceeds at the mean rate of its operators, sum t / sum (t / r). Two messages on the same links get half each
/// (derived). If three tasks run at once their rates multiply (assumed). A pass beside a send, and everything beside a
/// control message, keeps its full rate.
class StepRates {
public:
    StepRates(const ModelRun& run, const PolicyModelTime& policy, const ModelStep& step);

    /// Returns the function for engine::timetableOf, or none if no task ever runs beside a message. It refers to this
    /// object.
    engine::TaskRates rates();

private:
    /// The sections of a pass, and the message.
    using Key = std::tuple<engine::PassKind, std::int64_t, std::int64_t, std::int64_t, engine::MessageGroup,
                           engine::MessageOperation>;

    void write(std::span<const engine::TaskIndex> running, std::span<std::int64_t> millionths);
    PairRates ofPass(engine::TaskIndex pass, const engine::StageMessage& message);
    PairRates meanOf(engine::TaskIndex pass, const engine::StageMessage& message) const;

    const ModelRun& m_run;
    const PolicyModelTime& m_policy;
    const ModelStep& m_step;
    std::map<Key, PairRates> m_known;
};

}  // namespace data
