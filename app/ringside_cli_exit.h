#pragma once

#include <exception>
#include <functional>
#include <string>
#include <string_view>

namespace data {
struct BrokenInvariants;
}

namespace cli {

/// The exit codes of both programs, a public interface: the same mistake has the same code in every command.
///
/// | code | mistakes |
/// | --- | --- |
/// | 1 | a broken invariant; what `verify` finds; `reproduce --tolerance` exceeded, or a row that must hold does not; `break-even` without a break-even; `divisions` without a division; `best` without a number; a claim that does not hold in `lesson check` or `page --lesson`; a deadlock that `deadlock` finds; a trace of which `trace` could read a part only; a number that `figure --check` finds different; an edit that no longer finds its part in `figure --again` |
/// | 2 | an unknown option, command, parameter, preset or metric; a value that is not allowed; an empty name; a file or store that is to be read and is not there; a document that is malformed; an experiment that cannot be run; a machine on which no run can end (deadlock), also at a point of a sweep |
/// | 3 | a store that is damaged, of a newer version, or no store; a file, a store or standard output that cannot be written; memory |
/// | 130 | Ctrl+C or SIGTERM; finished work is kept |
///
/// When several hold, the highest is returned. exitHelp, the manual page (EXIT STATUS) and tst_exit_codes say the same.
enum ExitCode { kDone = 0, kDoesNotHold = 1, kInputWrong = 2, kMachineFailed = 3, kInterrupted = 130 };

/// The line of `--help` on exit codes.
inline constexpr const char* kExitHelp =
    "Exit codes: 0 done, 1 what was asked for does not hold, 2 wrong input, 3 the machine failed, 130 interrupted.";

/// The end of a command that threw: the exit code and the message.
struct Ending {
    ExitCode code = kDone;
    std::string text;
};

/// Returns the exit code for the exception of a command. This is the only place that maps kinds of exceptions to codes.
/// `program` precedes messages that do not begin with what is wrong.
Ending endingOf(const std::exception_ptr& failure, const std::string& program);

/// Returns the exit code of a failure in the window: the input was wrong, or the machine failed.
inline ExitCode codeOfFailure(bool ofInput) { return ofInput ? kInputWrong : kMachineFailed; }

/// Prints on standard error, after all other output, which runs broke an invariant. Returns kDoesNotHold if there are
/// any.
ExitCode sayBroken(const data::BrokenInvariants& broken);

/// Returns the exit code of a command to which two codes apply: the higher one.
inline ExitCode worse(ExitCode a, ExitCode b) { return a < b ? b : a; }

}  // namespace cli
