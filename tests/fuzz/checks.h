#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Begins the function of a target: RINGSIDE_FUZZ_TARGET(fuzz_x)(const std::uint8_t* bytes, std::size_t size) { ... }.
/// libFuzzer drives one target in each program, by a fixed name. replay.cpp drives any target of its program, by the
/// target's name.
#ifdef RINGSIDE_FUZZ
#define RINGSIDE_FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput
#else
#define RINGSIDE_FUZZ_TARGET(name)                                                                                     \
    static int name(const std::uint8_t* bytes, std::size_t size);                                                      \
    [[maybe_unused]] static const bool name##IsAdded = ::fuzz::addTarget({#name, name});                               \
    static int name
#endif

namespace fuzz {

struct Target {
    std::string_view name;
    int (*tryInput)(const std::uint8_t* bytes, std::size_t size) = nullptr;
};

/// Returns the targets of this program, which their files add.
std::vector<Target>& targets();
/// Returns true, for a constant whose value is not used.
bool addTarget(const Target& target);

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
