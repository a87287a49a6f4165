#pragma once

#include <iosfwd>
#include <memory>

namespace cli {

/// While it exists, std::cout and std::cerr escape what steers a terminal or reorders a line (data::visibleText): names,
/// titles and notes come from documents of strangers. Both programs create one first of all, so that no command has to
/// think of it. Create only one.
class EscapedOutput {
public:
    EscapedOutput();
    ~EscapedOutput();
    EscapedOutput(const EscapedOutput&) = delete;
    EscapedOutput& operator=(const EscapedOutput&) = delete;

private:
    class Buffer;
    class Stream;
    std::unique_ptr<Stream> m_out, m_error;
};

/// Returns standard error without escapes, for the progress line, which steers the terminal itself.
std::ostream& rawError();

}  // namespace cli
