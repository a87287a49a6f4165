#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace engine {

/// Something a person wrote that cannot be run, in a form they can act on.
struct Problem {
    std::string path;   ///< the parameter's path, or the file or argument at fault
    std::string value;  ///< what was given, as text
    std::string text;   ///< what is wrong and what is allowed
    bool operator==(const Problem&) const = default;
};
using Problems = std::vector<Problem>;

/// Something worth knowing about a run that went through all the same.
struct Notice {
    std::string path;
    std::string text;
    bool operator==(const Notice&) const = default;
};
using Notices = std::vector<Notice>;

/// "PATH: VALUE: what is wrong, what is allowed", the one spelling used by command line and window.
std::string describe(const Problem& problem);

/// Thrown by the runner when it is handed an experiment that `validate` refuses.
class InvalidExperiment : public std::runtime_error {
public:
    explicit InvalidExperiment(Problems problems);
    const Problems& problems() const { return m_problems; }

private:
    Problems m_problems;
};

}  // namespace engine
