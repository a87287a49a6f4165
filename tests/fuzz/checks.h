#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz {

/// Prints the failed expectation and the evidence, and ends the program, so that the input is kept.
[[noreturn]] void fail(const char* what, const std::string& evidence);
void require(bool held, const char* what, const std::string& evidence = {});

/// Checks that every problem has a useful text.
void checkMessages(const engine::Problems& problems);

/// Returns whether a run of the experiment takes some milliseconds under the sanitizers.
bool isSmall(const engine::Experiment& experiment);

/// A folder in $TMPDIR, which is best in memory, for the input files of a reader. It is removed at the end.
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

/// Reads numbers and texts from an input. After its end it reads zeros.
class InputBytes {
public:
    explicit InputBytes(std::string_view bytes) : m_bytes(bytes) {}

    bool atEnd() const { return m_bytes.empty(); }
    std::uint8_t byte();
    std::uint64_t number(std::size_t bytes);   ///< lowest byte first
    std::string_view next(std::size_t count);  ///< at most the remaining bytes
    std::size_t below(std::size_t end) { return end == 0 ? 0 : byte() % end; }

private:
    std::string_view m_bytes;
};

}  // namespace fuzz
