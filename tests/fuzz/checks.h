#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz {

/// Says what does not hold and why it does not, and ends the program, so that the input is kept.
[[noreturn]] void fail(const char* what, const std::string& evidence);
void require(bool held, const char* what, const std::string& evidence = {});

/// Requires that every problem tells a person something.
void checkMessages(const engine::Problems& problems);

/// Returns whether a run of the experiment takes some milliseconds under the sanitizers.
bool isSmall(const engine::Experiment& experiment);

/// A folder for the files that a reader is handed; it is removed at the end. Lies in $TMPDIR, best in memory.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(const std::string& name) const { return m_path + "/" + name; }

private:
    std::string m_path;
};

void writeFile(const std::string& path, std::string_view bytes);
std::string readFile(const std::string& path);

/// Takes an input apart. After its end there are zeros.
class InputBytes {
public:
    explicit InputBytes(std::string_view bytes) : m_bytes(bytes) {}

    bool atEnd() const { return m_bytes.empty(); }
    std::uint8_t byte();
    std::uint64_t number(std::size_t bytes);   ///< lowest byte first
    std::string_view next(std::size_t count);  ///< no more than there are
    std::size_t below(std::size_t end) { return end == 0 ? 0 : byte() % end; }

private:
    std::string_view m_bytes;
};

}  // namespace fuzz
