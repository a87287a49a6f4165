#pragma once

#include <string>
#include <string_view>

namespace data {

/// Returns a word of a command for people to paste into a shell, in quotes if the shell would read anything in it. Every
/// command that Ringside prints is made with this function. Control characters are written as $'\u001b', which Bash and
/// zsh understand, so that a printed command never contains one.
std::string shellWord(std::string_view word);

/// Returns a word in single quotes, whatever it contains.
std::string shellQuoted(std::string_view word);

}  // namespace data
