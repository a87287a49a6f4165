#include "app/ringside_cli_exit.h"

#include "data/laboratory/broken_invariants.h"
#include "data/store/store.h"
#include "engine/api/problem.h"
#include "engine/api/runner.h"

#include <iostream>

namespace cli {

Ending endingOf(const std::exception_ptr& failure, const std::string& program) {
    try {
        std::rethrow_exception(failure);
    } catch (const engine::InvalidExperiment& error) {
        return {kInputWrong, error.what()};
    } catch (const data::MissingStore& error) {
        return {kInputWrong, error.what()};
    } catch (const engine::Deadlock& error) {  // a mistake in the described machine, not a failure of this one
        return {kInputWrong, program + ": " + error.what()};
    } catch (const engine::RunStopped&) {
        return {kInterrupted, "interrupted"};
    } catch (const std::exception& error) {  // data::StoreError, data::FileError, out of memory
        return {kMachineFailed, program + ": " + error.what()};
    }
}

ExitCode sayBroken(const data::BrokenInvariants& broken) {
    if (!broken.any())
        return kDone;
    std::cout.flush();
    for (const std::string& line : broken.shown)
        std::cerr << "broken invariant: " << line << "\n";
    std::cerr << "ringside-cli: " << broken.runs << (broken.runs == 1 ? " run breaks" : " runs break")
              << " an invariant: the simulator is wrong there, and these numbers are not to be trusted\n";
    return kDoesNotHold;
}

}  // namespace cli
