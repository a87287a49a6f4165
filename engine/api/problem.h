#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace engine {

/// An input of the user that cannot be run, described so that the user can correct it.
struct Problem {
    std::string path;   ///< the parameter's path, or the file or argument at fault
    std::string value;  ///< the given value, as text
    std::string text;   ///< what is wrong and what is allowed
    bool operator==(const Problem&) const = default;
};
using Problems = std::vector<Problem>;

/// A remark about a run that went through nevertheless.
struct Notice {
    std::string path;
    std::string text;
    bool operator==(const Notice&) const = default;
};
using Notices = std::vector<Notice>;

/// Returns "PATH: VALUE: what is wrong, what is allowed". Command line and window both show problems in this form.
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
