#include "data/laboratory/run_outcome.h"

#include <utility>

namespace data {

engine::RunResult resultOf(engine::RunOutcome&& outcome, const std::string& what) {
    if (outcome.stopped)
        throw engine::RunStopped();
    if (!outcome.result)
        throw engine::Deadlock(what + ": " + outcome.failure);
    return std::move(*outcome.result);
}

}  // namespace data
