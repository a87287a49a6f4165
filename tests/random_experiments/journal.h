#pragma once

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

namespace tests {

/// A file of the experiments that were verified without an alarm, one on each line, so that a stopped series can
/// continue. Each line is flushed when its experiment ends. Lines of other engines or of other series (another seed)
/// are kept but do not count. Experiments that gave an alarm do not count either and run again.
class Journal {
public:
    /// How a journal is used.
    enum class Use {
        continues,  ///< an experiment of the journal is not verified again
        rotates     ///< one in eight is verified again, another eighth each time the journal is opened
    };

    /// Opens the journal. `engine` is one word. With an empty path, nothing is written. Throws std::runtime_error if the
    /// file cannot be written.
    Journal(const std::string& path, std::string engine, std::string series, Use use = Use::continues);

    /// Returns whether the experiment held before and need not be verified now.
    bool has(std::uint64_t index) const {
        return m_held.contains(index) && (m_use == Use::continues || index % kTurns != m_turn);
    }
    std::size_t size() const { return m_held.size(); }

    void add(std::uint64_t index, bool held);

private:
    static constexpr std::uint64_t kTurns = 8;

    void read(const std::string& path);
    void write(std::uint64_t index, std::string_view outcome);

    std::string m_engine;
    std::string m_series;
    Use m_use;
    std::uint64_t m_turn = 0;  ///< how often the journal was opened before
    std::set<std::uint64_t> m_held;
    std::ofstream m_file;
};

}  // namespace tests
